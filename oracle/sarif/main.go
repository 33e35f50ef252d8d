// Holds SARIF logs against the schema of SARIF 2.1.0 that go-sarif ships: go run . LOG…
// Prints one line a log and ends with 1 if one is not valid.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"

	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"
)

func verdict(file string) error {
	content, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	// The schema allows no other fields, and go-sarif drops them before it validates.
	decoder := json.NewDecoder(bytes.NewReader(content))
	decoder.DisallowUnknownFields()
	var report sarif.Report
	if err := decoder.Decode(&report); err != nil {
		return err
	}
	return report.Validate()
}

func main() {
	failed := false
	for _, file := range os.Args[1:] {
		if err := verdict(file); err != nil {
			failed = true
			fmt.Printf("%s: %v\n", file, err)
			continue
		}
		fmt.Printf("%s: valid\n", file)
	}
	if failed || len(os.Args) == 1 {
		os.Exit(1)
	}
}
