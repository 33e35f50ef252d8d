// Command oracle runs LeaderWorkerSet's own code over many inputs and records what it answers.
//
//	go run . FOLDER [RECORDING...]
//
// writes one JSON file a recording into FOLDER; without names, all of them.
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
)

// A recording is one file: what it shows, and its cases.
type recording struct {
	name  string
	about string
	cases func() []any
}

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: go run . FOLDER [RECORDING...]")
		os.Exit(2)
	}
	folder, wanted := os.Args[1], os.Args[2:]
	for _, r := range recordings {
		if len(wanted) > 0 && !slices.Contains(wanted, r.name) {
			continue
		}
		cases := r.cases()
		path := filepath.Join(folder, r.name+fileSuffix+".json")
		if err := writeRecording(path, r.about, cases); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		fmt.Printf("%s: %d cases\n", path, len(cases))
	}
}

// upstreamVersions names the module whose code answered.
func upstreamVersions() map[string]string {
	versions := map[string]string{}
	info, _ := debug.ReadBuildInfo()
	for _, module := range info.Deps {
		if module.Path == "sigs.k8s.io/lws" {
			versions[module.Path] = module.Version
		}
	}
	return versions
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

// countOr is the number of random cases: CASES of the environment, for a longer run than what is recorded.
func countOr(standard int) int {
	if count, err := strconv.Atoi(os.Getenv("CASES")); err == nil {
		return count
	}
	return standard
}
