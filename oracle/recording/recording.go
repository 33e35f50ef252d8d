// Package recording writes down what upstream's code answered: one JSON file a recording, one case a line.
package recording

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"runtime/debug"
	"slices"
)

// A Recording is one file: what it shows, whose code answered, and its cases.
type Recording struct {
	About    string
	Upstream map[string]string
	// Sections are what the cases name instead of holding it each.
	Sections []Section
	Cases    []any
}

// A Section is named values, one a line.
type Section struct {
	name   string
	values map[string]any
}

// SectionOf is a section of values of any one type.
func SectionOf[V any](name string, values map[string]V) Section {
	section := Section{name, map[string]any{}}
	for key, value := range values {
		section.values[key] = value
	}
	return section
}

// Write writes one case a line, so that a difference between two recordings reads well.
func (r Recording) Write(path string) error {
	var out lines
	out.text("{\n\"about\": ").json(r.About)
	out.text(",\n\"upstream\": ").json(r.Upstream)
	for _, section := range r.Sections {
		out.text(",\n").json(section.name).text(": {\n")
		for i, name := range slices.Sorted(maps.Keys(section.values)) {
			out.separator(i).json(name).text(": ").json(section.values[name])
		}
		out.text("\n}")
	}
	out.text(",\n\"cases\": [\n")
	for i, one := range r.Cases {
		out.separator(i).json(one)
	}
	out.text("\n]\n}\n")
	if out.err != nil {
		return out.err
	}
	return os.WriteFile(path, out.buffer.Bytes(), 0o644)
}

// lines are the text of a file; the first error stays.
type lines struct {
	buffer bytes.Buffer
	err    error
}

func (l *lines) text(text string) *lines {
	l.buffer.WriteString(text)
	return l
}

func (l *lines) json(value any) *lines {
	text, err := Compact(value)
	if err != nil && l.err == nil {
		l.err = err
	}
	l.buffer.Write(text)
	return l
}

func (l *lines) separator(index int) *lines {
	if index > 0 {
		l.text(",\n")
	}
	return l
}

// Compact is JSON in one line, with <, > and & as they are.
func Compact(value any) ([]byte, error) {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return nil, err
	}
	return bytes.TrimSpace(out.Bytes()), nil
}

// Versions are those of the modules whose code answered, as they were built into this program.
func Versions(modules ...string) map[string]string {
	versions := map[string]string{}
	info, _ := debug.ReadBuildInfo()
	for _, module := range info.Deps {
		if slices.Contains(modules, module.Path) {
			versions[module.Path] = module.Version
		}
	}
	return versions
}
