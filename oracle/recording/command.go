package recording

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
)

// A Maker makes the cases of one recording.
type Maker struct {
	name, about string
	cases       func() []any
	sections    []Section
}

// Of is the recording of a name, with what it shows.
func Of(name, about string, cases func() []any) Maker {
	return Maker{name: name, about: about, cases: cases}
}

// With is the recording with what its cases name instead of holding it each.
func (m Maker) With(sections ...Section) Maker {
	m.sections = sections
	return m
}

// Run is the command line of a program that records:
//
//	go run . FOLDER [RECORDING...]
//
// writes one JSON file a recording into FOLDER; without names, all of them.
// The suffix tells the files of another version from those of the usual one, such as -1.5.
func Run(makers []Maker, suffix string, modules ...string) {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: go run . FOLDER [RECORDING...]")
		os.Exit(2)
	}
	folder, wanted := os.Args[1], os.Args[2:]
	for _, maker := range makers {
		if len(wanted) > 0 && !slices.Contains(wanted, maker.name) {
			continue
		}
		made := Recording{About: maker.about, Upstream: Versions(modules...), Sections: maker.sections, Cases: maker.cases()}
		path := filepath.Join(folder, maker.name+suffix+".json")
		if err := made.Write(path); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		fmt.Printf("%s: %d cases\n", path, len(made.Cases))
	}
}

// NumberOf is a variable of the environment, such as CASES for a longer run than what is recorded, or SEED.
func NumberOf(variable string, standard int) int {
	if number, err := strconv.Atoi(os.Getenv(variable)); err == nil {
		return number
	}
	return standard
}
