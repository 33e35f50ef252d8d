package cluster

import (
	"bufio"
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// A guarded question is a policy as manifests, and objects to create in its namespace.
type guardedQuestion struct {
	Namespace string                      `json:"namespace"`
	Manifests []unstructured.Unstructured `json:"manifests"`
	Objects   []unstructured.Unstructured `json:"objects"`
}

type guardedVerdict struct {
	Name    string `json:"name"`
	Refused string `json:"refused,omitempty"`
}

// TestGuardrails creates (a dry run) the objects of the questions in GUARDRAILS, a line for each policy, and writes what the policy says into VERDICTS.
func TestGuardrails(t *testing.T) {
	if os.Getenv("GUARDRAILS") == "" {
		t.Skip("GUARDRAILS names no file")
	}
	cluster := connect(t, StartServer(t, "--feature-gates=MaxUnavailableStatefulSet=true"))
	out, err := os.Create(os.Getenv("VERDICTS"))
	must(t, err)
	defer out.Close()
	file, err := os.Open(os.Getenv("GUARDRAILS"))
	must(t, err)
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<26)
	for lines.Scan() {
		var question guardedQuestion
		must(t, json.Unmarshal(lines.Bytes(), &question))
		must(t, cluster.createNamespace(question.Namespace))
		for i := range question.Manifests {
			must(t, cluster.create(&question.Manifests[i], false))
		}
		// The first object is one that the policy refuses: once it does, the policy is in force.
		for deadline := time.Now().Add(time.Minute); cluster.create(question.Objects[0].DeepCopy(), true) == nil; time.Sleep(100 * time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatal(question.Namespace, ": the policy never came into force")
			}
		}
		for i := range question.Objects {
			verdict := guardedVerdict{Name: question.Objects[i].GetName()}
			if err := cluster.create(&question.Objects[i], true); err != nil {
				_, said, found := strings.Cut(err.Error(), "denied request: ")
				if !found {
					t.Error(question.Objects[i].GetName(), err)
				}
				verdict.Refused = said
			}
			line, err := json.Marshal(verdict)
			must(t, err)
			_, err = out.Write(append(line, '\n'))
			must(t, err)
		}
	}
	must(t, lines.Err())
}
