// Records what filepath.Match says of patterns and names, which is what Fleet looks for a GitRepo's paths with:
// internal/cmd/cli/apply, globDirs. Names are of one folder; patterns are made of few characters, so that many match.
package main

import (
	"math/rand"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	recording "rolloutkit-oracle-recording"
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
	var cases []any
	for range 3000 {
		pattern, name := made(random, patternParts, 6), made(random, nameParts, 5)
		cases = append(cases, recorded{pattern, name, outcome(pattern, name)})
	}
	made := recording.Recording{
		About:    "filepath.Match on a pattern and the name of one folder.",
		Upstream: map[string]string{"go": runtime.Version()},
		Cases:    cases,
	}
	if err := made.Write(filepath.Join(os.Args[1], "go-filepath-match.json")); err != nil {
		panic(err)
	}
}
