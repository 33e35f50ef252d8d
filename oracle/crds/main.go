// Command oracle holds custom resources against upstream's CRDs, with the API server's own code, and records whether they are taken.
//
//	go run . CRDS QUESTIONS FOLDER
//
// CRDS holds a folder of CRDs a product and version, such as kserve-v0.17.0. QUESTIONS has one question a line, as the tests write them.
// Writes crd-verdicts.json and crd-fields.json into FOLDER.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	recording "rolloutkit-oracle-recording"
)

const aboutVerdicts = "What our constructs emit, and some mistaken manifests, held against upstream's CRDs by the API server's own code: unknown fields, schema, defaults, CEL rules. " +
	"`digest` is the SHA-256 of the manifest as JSON with sorted keys and no blanks; `taken`: the CRDs that take it; `refused`: those that do not, each with the fields and the kind of each error."

const aboutFields = "The names of the fields that a CRD has at a path, below the items where the path leads to a list."

// A question is a manifest with its digest, or paths of a kind whose fields are asked for.
type question struct {
	Digest string                    `json:"digest"`
	Object unstructured.Unstructured `json:"object"`
	// Old is the object that is updated; without it the object is new.
	Old        *unstructured.Unstructured `json:"old"`
	APIVersion string                     `json:"apiVersion"`
	Kind       string                     `json:"kind"`
	FieldsOf   []string                   `json:"fieldsOf"`
}

type verdict struct {
	Digest  string             `json:"digest"`
	Kind    string             `json:"kind"`
	Name    string             `json:"name"`
	Taken   []string           `json:"taken,omitempty"`
	Refused map[string][]fault `json:"refused,omitempty"`
}

type fieldNames struct {
	CRDs   string   `json:"crds"`
	Kind   string   `json:"kind"`
	Path   string   `json:"path"`
	Fields []string `json:"fields"`
}

func main() {
	if len(os.Args) != 4 {
		fmt.Fprintln(os.Stderr, "usage: go run . CRDS QUESTIONS FOLDER")
		os.Exit(2)
	}
	definitions := readDefinitions(os.Args[1])
	var verdicts, fields []any
	for _, q := range readQuestions(os.Args[2]) {
		if q.FieldsOf == nil {
			verdicts = append(verdicts, judge(definitions, q))
		} else {
			fields = append(fields, namesOf(definitions, q)...)
		}
	}
	folder := os.Args[3]
	upstream := recording.Versions("k8s.io/apiextensions-apiserver")
	must(recording.Recording{About: aboutVerdicts, Upstream: upstream, Cases: verdicts}.Write(filepath.Join(folder, "crd-verdicts.json")))
	must(recording.Recording{About: aboutFields, Upstream: upstream, Cases: fields}.Write(filepath.Join(folder, "crd-fields.json")))
	fmt.Printf("%d verdicts, the fields of %d paths\n", len(verdicts), len(fields))
}

// readQuestions gives each question once, in an order that depends on the questions alone.
func readQuestions(path string) []question {
	file, err := os.Open(path)
	must(err)
	defer file.Close()
	asked := map[string]question{}
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		var q question
		must(json.Unmarshal(lines.Bytes(), &q))
		asked[strings.Join([]string{q.Object.GetKind(), q.Object.GetName(), q.Digest, q.Kind, strings.Join(q.FieldsOf, " ")}, " ")] = q
	}
	must(lines.Err())
	keys := make([]string, 0, len(asked))
	for key := range asked {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	questions := make([]question, 0, len(keys))
	for _, key := range keys {
		questions = append(questions, asked[key])
	}
	return questions
}

// judge asks every CRD of the object's kind.
func judge(definitions []definition, q question) verdict {
	object := q.Object
	v := verdict{Digest: q.Digest, Kind: object.GetKind(), Name: object.GetName(), Refused: map[string][]fault{}}
	for _, d := range definitions {
		if d.kind != object.GroupVersionKind() {
			continue
		}
		if faults := d.faults(object.DeepCopy(), q.Old); len(faults) > 0 {
			v.Refused[d.crds] = faults
		} else {
			v.Taken = append(v.Taken, d.crds)
		}
	}
	return v
}

func namesOf(definitions []definition, q question) []any {
	var names []any
	for _, d := range definitions {
		if version, kind := d.kind.ToAPIVersionAndKind(); version != q.APIVersion || kind != q.Kind {
			continue
		}
		for _, path := range q.FieldsOf {
			names = append(names, fieldNames{CRDs: d.crds, Kind: q.Kind, Path: path, Fields: d.fieldsAt(path)})
		}
	}
	return names
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
