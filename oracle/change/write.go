package change

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"runtime/debug"
	"slices"
)

// compact is JSON in one line, with <, > and & as they are.
func compact(value any) []byte {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		panic(err)
	}
	return bytes.TrimSpace(out.Bytes())
}

// writeRecording writes one base, live object and case a line, so that a difference between two recordings reads well.
func writeRecording(path, about string, bases, lives map[string]object, cases []any) error {
	var out bytes.Buffer
	out.WriteString("{\n\"about\": ")
	out.Write(compact(about))
	out.WriteString(",\n\"upstream\": ")
	out.Write(compact(upstreamVersions()))
	writeMap(&out, "bases", bases)
	writeMap(&out, "lives", lives)
	out.WriteString(",\n\"cases\": [\n")
	for i, c := range cases {
		if i > 0 {
			out.WriteString(",\n")
		}
		out.Write(compact(c))
	}
	out.WriteString("\n]\n}\n")
	return os.WriteFile(path, out.Bytes(), 0o644)
}

func writeMap(out *bytes.Buffer, name string, objects map[string]object) {
	out.WriteString(",\n\"" + name + "\": {\n")
	for i, key := range slices.Sorted(maps.Keys(objects)) {
		if i > 0 {
			out.WriteString(",\n")
		}
		out.Write(compact(key))
		out.WriteString(": ")
		out.Write(compact(objects[key]))
	}
	out.WriteString("\n}")
}

// upstreamVersions names the modules whose code answered.
func upstreamVersions() map[string]string {
	versions := map[string]string{}
	info, _ := debug.ReadBuildInfo()
	for _, module := range info.Deps {
		if slices.Contains([]string{"k8s.io/kubernetes", "k8s.io/kubectl", "helm.sh/helm/v3", "sigs.k8s.io/structured-merge-diff/v6"}, module.Path) {
			versions[module.Path] = module.Version
		}
	}
	return versions
}
