package main

import (
	"bytes"
	"encoding/json"
	"os"
)

// compact is JSON in one line, with <, > and & as they are.
func compact(value any) ([]byte, error) {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return nil, err
	}
	return bytes.TrimSpace(out.Bytes()), nil
}

// writeRecording writes one case a line, so that a difference between two recordings reads well.
func writeRecording(path, about string, cases []any) error {
	header, err := compact(about)
	if err != nil {
		return err
	}
	versions, err := compact(upstreamVersions())
	if err != nil {
		return err
	}
	var out bytes.Buffer
	out.WriteString("{\n\"about\": ")
	out.Write(header)
	out.WriteString(",\n\"upstream\": ")
	out.Write(versions)
	out.WriteString(",\n\"cases\": [\n")
	for i, c := range cases {
		line, err := compact(c)
		if err != nil {
			return err
		}
		if i > 0 {
			out.WriteString(",\n")
		}
		out.Write(line)
	}
	out.WriteString("\n]\n}\n")
	return os.WriteFile(path, out.Bytes(), 0o644)
}
