// Command defaults records what upstream fills in for fields that our props have too: the defaults and types of CRDs, and constants of controllers.
//
//	go run . CRDS FOLDER
//
// CRDS holds a folder of CRDs a product and version, as for oracle/crds; those of LeaderWorkerSet and Argo CD, and the sources of controllers,
// `go mod download` brings. Writes upstream-defaults.json into FOLDER. It compiles nothing of upstream.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	recording "rolloutkit-oracle-recording"
	"sigs.k8s.io/yaml"
)

// The newest release of each whose CRDs are at hand; a folder of CRDS, or one of a module.
var definitions = []struct{ product, module, folder string }{
	{"fleet 0.16.1", "", "fleet-v0.16.1"},
	{"kserve 0.20.0", "", "kserve-v0.20.0"},
	{"kuberay 1.7.0", "", "kuberay-v1.7.0"},
	{"lws 0.9.0", "sigs.k8s.io/lws@v0.9.0", "config/crd/bases"},
	{"argo-cd 3.5.1", "github.com/argoproj/argo-cd/v3@v3.5.1", "manifests/crds"},
}

var kinds = []string{
	"Bundle", "Cluster", "GitRepo", "HelmOp", "ImageScan", "RayService", "InferenceService", "LLMInferenceService", "LeaderWorkerSet",
	"DisaggregatedSet", "ApplicationSet",
}

// Constants by which controllers fill in what CRDs leave open.
var constants = []struct{ product, module, file, name string }{
	{"kserve 0.17.0", "github.com/kserve/kserve@v0.17.0", "pkg/constants/constants.go", "DefaultMinReplicas"},
	{"kserve 0.17.0", "github.com/kserve/kserve@v0.17.0", "pkg/constants/constants.go", "DefaultTensorParallelSize"},
	{"kserve 0.17.0", "github.com/kserve/kserve@v0.17.0", "pkg/constants/constants.go", "DefaultPipelineParallelSize"},
	{"knative 1.21", "knative.dev/serving@v0.48.1", "pkg/apis/config/defaults.go", "DefaultContainerConcurrency"},
	{"argo-cd 3.5.1", "github.com/argoproj/argo-cd/v3@v3.5.1", "applicationset/controllers/applicationset_controller.go", "AllAtOnceDeletionOrder"},
	{"kuberay 1.6.2", "github.com/ray-project/kuberay/ray-operator@v1.6.2", "controllers/ray/rayservice_controller.go", "RayClusterDeletionDelayDuration"},
}

type row struct {
	Of      string `json:"of"`
	Kind    string `json:"kind,omitempty"`
	Path    string `json:"path,omitempty"`
	Type    string `json:"type,omitempty"`
	Default any    `json:"default,omitempty"`
	File    string `json:"file,omitempty"`
	Name    string `json:"name,omitempty"`
	Value   string `json:"value,omitempty"`
}

type schema struct {
	Type        string            `json:"type"`
	Default     any               `json:"default"`
	IntOrString bool              `json:"x-kubernetes-int-or-string"`
	Properties  map[string]schema `json:"properties"`
	Items       *schema           `json:"items"`
}

type definition struct {
	Kind string `json:"kind"`
	Spec struct {
		Names    struct{ Kind string }
		Versions []struct {
			Storage bool
			Schema  struct{ OpenAPIV3Schema schema }
		}
	}
}

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: go run . CRDS FOLDER")
		os.Exit(2)
	}
	var rows []any
	for _, source := range definitions {
		folder := filepath.Join(os.Args[1], source.folder)
		if source.module != "" {
			folder = filepath.Join(downloaded(source.module), source.folder)
		}
		for _, found := range definitionsIn(folder) {
			for _, version := range found.Spec.Versions {
				if version.Storage {
					rows = append(rows, rowsOf(row{Of: source.product, Kind: found.Spec.Names.Kind}, "spec", version.Schema.OpenAPIV3Schema.Properties["spec"])...)
				}
			}
		}
	}
	for _, constant := range constants {
		path := filepath.Join(downloaded(constant.module), constant.file)
		rows = append(rows, row{Of: constant.product, File: constant.file, Name: constant.name, Value: valueOf(path, constant.name)})
	}
	err := recording.Recording{
		About:    "What upstream fills in: of each plain field of a CRD outside of pods its type, and its default where the CRD has one; of a constant of a controller its Go expression.",
		Upstream: map[string]string{}, Cases: rows,
	}.Write(filepath.Join(os.Args[2], "upstream-defaults.json"))
	must(err)
	fmt.Println(len(rows), "rows")
}

func definitionsIn(folder string) []definition {
	files, err := filepath.Glob(filepath.Join(folder, "*.yaml"))
	must(err)
	var all []definition
	for _, file := range files {
		text, err := os.ReadFile(file)
		must(err)
		for _, document := range bytes.Split(text, []byte("\n---")) {
			var found definition
			must(yaml.Unmarshal(document, &found))
			if found.Kind == "CustomResourceDefinition" && slices.Contains(kinds, found.Spec.Names.Kind) {
				all = append(all, found)
			}
		}
	}
	slices.SortFunc(all, func(a, b definition) int { return strings.Compare(a.Spec.Names.Kind, b.Spec.Names.Kind) })
	return all
}

// What pods and their containers hold, and what is made from a template, is Kubernetes' own, and of generators nested in generators there is no end.
func isForeign(name string, s schema) bool {
	_, isContainer := s.Properties["imagePullPolicy"]
	return isContainer || slices.Contains([]string{"template", "generators", "headService", "serveService", "kustomize", "valueFrom", "http"}, name)
}

var scalars = []string{"boolean", "integer", "string", "int-or-string"}

func rowsOf(of row, path string, s schema) []any {
	var rows []any
	names := slices.Sorted(maps.Keys(s.Properties))
	for _, name := range names {
		property := s.Properties[name]
		at := path + "." + name
		kind := property.Type
		if property.IntOrString {
			kind = "int-or-string"
		}
		next := of
		next.Path, next.Type, next.Default = at, kind, property.Default
		if property.Default != nil || slices.Contains(scalars, kind) {
			rows = append(rows, next)
		}
		if _, isPod := s.Properties["containers"]; isPod || isForeign(name, property) {
			continue
		}
		if property.Items != nil {
			rows = append(rows, rowsOf(of, at+"[]", *property.Items)...)
		}
		rows = append(rows, rowsOf(of, at, property)...)
	}
	return rows
}

func downloaded(module string) string {
	out, err := exec.Command("go", "mod", "download", "-json", module).Output()
	must(err)
	var answer struct{ Dir string }
	must(json.Unmarshal(out, &answer))
	return answer.Dir
}

func valueOf(path, name string) string {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, path, nil, 0)
	must(err)
	var value string
	ast.Inspect(file, func(node ast.Node) bool {
		spec, ok := node.(*ast.ValueSpec)
		if !ok {
			return true
		}
		for i, each := range spec.Names {
			if each.Name == name && i < len(spec.Values) {
				var text bytes.Buffer
				must(printer.Fprint(&text, files, spec.Values[i]))
				value = text.String()
			}
		}
		return true
	})
	if value == "" {
		must(fmt.Errorf("%s has no constant %s", path, name))
	}
	return value
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
