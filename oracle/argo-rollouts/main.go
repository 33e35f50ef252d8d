// Command argo-rollouts records what the controller of Argo Rollouts does. See ../README.md.
package main

import (
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sirupsen/logrus"
	"k8s.io/klog/v2"
)

type recording struct {
	name, about string
	cases       func() []any
}

var recordings = []recording{
	{"argo-rollouts-steps", "the whole Controller.syncHandler on fake clients, synced until it has nothing left to do; then all pods get ready, a wait is over, or somebody promotes", stepCases},
	{"argo-rollouts-validation", "ValidateRollout: the first error, which the controller stops at", validationCases},
}

func main() {
	if len(os.Args) < 2 {
		log.Fatal("usage: go run . OUTPUT_FOLDER [RECORDING...]")
	}
	logrus.SetOutput(io.Discard)
	klog.SetOutput(io.Discard)
	klog.LogToStderr(false)
	wanted := os.Args[2:]
	suffix := ""
	if strings.HasPrefix(upstreamVersions()[module], "v1.8.") {
		suffix = "-1.8"
	}
	for _, one := range recordings {
		if len(wanted) > 0 && !slices.Contains(wanted, one.name) {
			continue
		}
		path := filepath.Join(os.Args[1], one.name+suffix+".json")
		if err := writeRecording(path, one.about, one.cases()); err != nil {
			log.Fatal(err)
		}
		fmt.Println(path)
	}
}
