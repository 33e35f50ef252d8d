// Records what filepath.Match says of patterns and names, which is what Fleet looks for a GitRepo's paths with:
// internal/cmd/cli/apply, globDirs. Names are of one folder; patterns are made of few characters, so that many match.
package main

import (
	"encoding/json"
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

type recorded struct {
	Pattern string `json:"pattern"`
	Name    string `json:"name"`
	// match, no match, or bad pattern
	Outcome string `json:"outcome"`
}

func made(random *rand.Rand, parts []string, most int) string {
	var text strings.Builder
	for range random.Intn(most + 1) {
		text.WriteString(parts[random.Intn(len(parts))])
	}
	return text.String()
}

func outcome(pattern, name string) string {
	matched, err := filepath.Match(pattern, name)
	switch {
	case err != nil:
		return "bad pattern"
	case matched:
		return "match"
	}
	return "no match"
}

func main() {
	random := rand.New(rand.NewSource(1))
	patternParts := []string{"a", "b", "*", "*", "?", "[ab]", "[^a]", "[a-c]", "[", "]", "-", "^", "\\", "\\*", "é", "ä"}
	nameParts := []string{"a", "b", "c", "a", "b", "*", "]", "-", "^", "\\", "é"}
	var lines []string
	for range 3000 {
		pattern, name := made(random, patternParts, 6), made(random, nameParts, 5)
		line, err := json.Marshal(recorded{pattern, name, outcome(pattern, name)})
		if err != nil {
			panic(err)
		}
		lines = append(lines, string(line))
	}
	about := "filepath.Match on a pattern and the name of one folder."
	text := fmt.Sprintf("{\n\"about\": %q,\n\"upstream\": {\"go\":%q},\n\"cases\": [\n%s\n]\n}\n", about, runtime.Version(), strings.Join(lines, ",\n"))
	if err := os.WriteFile(filepath.Join(os.Args[1], "go-filepath-match.json"), []byte(text), 0o644); err != nil {
		panic(err)
	}
}
