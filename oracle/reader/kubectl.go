package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
)

// reading is what a reader makes of a text: the documents before the first error, empty ones left out, and that error.
type reading struct {
	Documents []any  `json:"documents"`
	Error     string `json:"error,omitempty"`
}

// readAsKubectl reads a stream as cli-runtime's StreamVisitor does, and decodes what it hands on as the API machinery does.
func readAsKubectl(text string) (read reading) {
	read.Documents = []any{}
	defer func() {
		if problem := recover(); problem != nil {
			read.Error = fmt.Sprintf("panic: %v", problem)
		}
	}()
	decoder := utilyaml.NewYAMLOrJSONDecoder(strings.NewReader(text), 4096)
	for {
		extension := runtime.RawExtension{}
		if err := decoder.Decode(&extension); err != nil {
			if !errors.Is(err, io.EOF) {
				read.Error = err.Error()
			}
			return read
		}
		raw := strings.TrimSpace(string(extension.Raw))
		if raw == "" || raw == "null" {
			continue
		}
		var document any
		if err := json.Unmarshal([]byte(raw), &document); err != nil {
			read.Error = err.Error()
			return read
		}
		read.Documents = append(read.Documents, document)
	}
}
