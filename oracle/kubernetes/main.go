// Command oracle runs Kubernetes' own code over many inputs and records what it answers.
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

	"k8s.io/klog/v2"
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
	klog.SetLogger(klog.Logger{}) // says nothing: quotas refuse pods on purpose
	folder, wanted := os.Args[1], os.Args[2:]
	for _, r := range recordings {
		if len(wanted) > 0 && !slices.Contains(wanted, r.name) {
			continue
		}
		cases := r.cases()
		path := filepath.Join(folder, r.name+".json")
		if err := writeRecording(path, r.about, cases); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		fmt.Printf("%s: %d cases\n", path, len(cases))
	}
}

// upstreamVersions names the modules whose code answered.
func upstreamVersions() map[string]string {
	versions := map[string]string{}
	info, _ := debug.ReadBuildInfo()
	for _, module := range info.Deps {
		switch module.Path {
		case "k8s.io/kubernetes", "sigs.k8s.io/yaml":
			versions[module.Path] = module.Version
		}
	}
	return versions
}
