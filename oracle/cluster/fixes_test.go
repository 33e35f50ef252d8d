package cluster

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
)

// A fixedFile is a file's texts: as somebody wrote it, with a mistake, after `rolloutkit fix`.
type fixedFile struct {
	Key   string            `json:"key"`
	Texts map[string]string `json:"texts"`
}

type fixedVerdict struct {
	Key      string             `json:"key"`
	Verdicts map[string]verdict `json:"verdicts"`
}

// A verdict says why objects of a text are refused; those that are not named are taken.
type verdict struct {
	Objects int       `json:"objects"`
	Unknown []string  `json:"unknown,omitempty"`
	Refused []refusal `json:"refused,omitempty"`
}

// A refusal names an object by its place in the file.
type refusal struct {
	Object int      `json:"object"`
	Kind   string   `json:"kind"`
	Reason string   `json:"reason"`
	Fields []string `json:"fields,omitempty"`
}

// TestFixes creates (a dry run, unknown fields refused) each object of the files in FIXES, before and after, beside the CRDs of CRDS, and writes a line a file into VERDICTS.
func TestFixes(t *testing.T) {
	if os.Getenv("FIXES") == "" {
		t.Skip("FIXES names no file")
	}
	cluster := connect(t, StartServer(t))
	crds := objectsBelow(t, os.Getenv("CRDS"))
	for _, crd := range crds {
		must(t, cluster.create(crd, false))
	}
	cluster.waitFor(t, crds)

	file, err := os.Open(os.Getenv("FIXES"))
	must(t, err)
	defer file.Close()
	out, err := os.Create(os.Getenv("VERDICTS"))
	must(t, err)
	defer out.Close()
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<26)
	for lines.Scan() {
		var fixed fixedFile
		must(t, json.Unmarshal(lines.Bytes(), &fixed))
		made := fixedVerdict{fixed.Key, map[string]verdict{}}
		for name, text := range fixed.Texts {
			made.Verdicts[name] = cluster.judge(text)
		}
		must(t, json.NewEncoder(out).Encode(made))
	}
	must(t, lines.Err())
}

// judge creates the objects of a text one by one; kinds that the server does not serve are named apart.
func (c cluster) judge(text string) (judged verdict) {
	decoder := utilyaml.NewYAMLOrJSONDecoder(strings.NewReader(text), 4096)
	for {
		var raw json.RawMessage
		if err := decoder.Decode(&raw); errors.Is(err, io.EOF) {
			return judged
		} else if err != nil {
			judged.Refused = append(judged.Refused, refusal{Object: judged.Objects, Reason: "Unreadable"})
			return judged
		}
		if len(raw) == 0 || string(raw) == "null" || !isObject(raw) {
			continue
		}
		for _, object := range itemsOf(raw) {
			err := object.err
			if err == nil {
				err = c.create(object.made, true)
			}
			switch kind := object.made.GetKind(); {
			case meta.IsNoMatchError(err):
				judged.Unknown = append(judged.Unknown, fmt.Sprint(object.made.GetAPIVersion(), " ", kind))
			case err != nil:
				reason, fields := reasonOf(err)
				judged.Refused = append(judged.Refused, refusal{Object: judged.Objects, Kind: kind, Reason: reason, Fields: fields})
			}
			judged.Objects++
		}
	}
}

type readObject struct {
	made *unstructured.Unstructured
	err  error
}

// itemsOf is what kubectl would create: an object, or the items of a list.
func itemsOf(raw json.RawMessage) []readObject {
	object := &unstructured.Unstructured{}
	if err := object.UnmarshalJSON(raw); err != nil {
		return []readObject{{object, err}}
	}
	if !object.IsList() {
		return []readObject{{object, nil}}
	}
	var items []readObject
	_ = object.EachListItem(func(item runtime.Object) error {
		items = append(items, readObject{item.(*unstructured.Unstructured), nil})
		return nil
	})
	return items
}

var namedFields = regexp.MustCompile(`(?:unknown|duplicate) field "([^"]+)"|Go struct field ([\w.]+)`)

// reasonOf has no word of the manifest but the paths of its fields.
func reasonOf(err error) (string, []string) {
	var status apierrors.APIStatus
	if !errors.As(err, &status) {
		return "Undecodable", nil
	}
	var fields []string
	said := status.Status()
	for _, found := range namedFields.FindAllStringSubmatch(said.Message, -1) {
		fields = append(fields, found[1]+found[2])
	}
	if said.Details != nil {
		for _, cause := range said.Details.Causes {
			fields = append(fields, cause.Field)
		}
	}
	return string(said.Reason), fields
}
