// Command fields records what the Go types of k8s.io/api say of the fields of a Deployment, a StatefulSet and a DaemonSet, version by version:
// name in JSON, type, whether it is a pointer, and how a strategic merge patch and a server-side apply merge it.
//
//	go run . FOLDER
//
// writes kubernetes-pod-fields.json into FOLDER. It reads the types' source, which `go mod download` brings, and compiles nothing of it.
package main

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	recording "rolloutkit-oracle-recording"
)

// The releases of k8s.io/api, each with the version of Kubernetes that it is of; the oldest first.
var releases = []struct{ kubernetes, module string }{
	{"1.21", "v0.21.0"}, {"1.22", "v0.22.0"}, {"1.23", "v0.23.0"}, {"1.24", "v0.24.0"}, {"1.25", "v0.25.0"}, {"1.26", "v0.26.0"},
	{"1.27", "v0.27.0"}, {"1.28", "v0.28.0"}, {"1.29", "v0.29.0"}, {"1.30", "v0.30.5"}, {"1.31", "v0.31.0"}, {"1.32", "v0.32.0"},
	{"1.33", "v0.33.0"}, {"1.34", "v0.34.4"}, {"1.35", "v0.35.0"}, {"1.36", "v0.36.0"}, {"1.37", "v0.37.0"},
}

var roots = []string{"DeploymentSpec", "StatefulSetSpec", "DaemonSetSpec", "ObjectMeta"}

// Types that are one value in JSON, whatever they are in Go.
var scalars = []string{"Time", "Quantity", "IntOrString", "FieldsV1", "MicroTime"}

// A field is one row: what a field of a type is, and from which version on, up to which.
type field struct {
	Of    string `json:"of"`
	Name  string `json:"name"`
	Type  string `json:"type"`
	Patch string `json:"patch,omitempty"`
	Key   string `json:"key,omitempty"`
	// Apply is how a server-side apply takes it, where that is not usual: a list is atomic unless it is a map or a set, a map is not.
	Apply string `json:"apply,omitempty"`
	Since string `json:"since,omitempty"`
	Until string `json:"until,omitempty"`
}

func (f field) inner() string { return strings.TrimLeft(f.Type, "*[]") }

// A declared type, and the markers in its comment.
type declared struct {
	expression ast.Expr
	markers    []string
}

type types map[string]declared

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: go run . FOLDER")
		os.Exit(2)
	}
	var rows []*field
	known := map[string]*field{}
	// The name that a type had before, for a field that holds another type of late: its fields are no new ones.
	before := map[string]string{}
	for index, release := range releases {
		seen := map[string]bool{}
		for _, f := range fieldsOf(release.module) {
			id := f.Of + "." + f.Name
			seen[id] = true
			old, has := known[id]
			if !has {
				f.Since = since(index, known[before[f.Of]+"."+f.Name])
				rows = append(rows, f)
				known[id] = f
				continue
			}
			if old.inner() != f.inner() {
				before[f.inner()] = old.inner()
			}
			// What a type is of late holds: a pointer that came later reads the same JSON.
			old.Type, old.Patch, old.Key, old.Apply = f.Type, f.Patch, f.Key, f.Apply
		}
		for id, f := range known {
			if !seen[id] && f.Until == "" {
				f.Until = release.kubernetes
			}
		}
	}
	rows = slices.DeleteFunc(rows, func(f *field) bool { return f.Of == "Handler" || f.Of == "Initializers" })
	must(write(filepath.Join(os.Args[1], "kubernetes-pod-fields.json"), rows))
	fmt.Println(len(rows), "fields")
}

func since(index int, before *field) string {
	if index == 0 {
		return ""
	}
	if before != nil {
		return before.Since
	}
	return releases[index].kubernetes
}

func write(path string, rows []*field) error {
	cases := make([]any, len(rows))
	for i, row := range rows {
		cases[i] = row
	}
	return recording.Recording{
		About: "The fields that k8s.io/api gives the workloads of apps/v1 and what they hold: `of` and `type` are Go types, * a pointer; " +
			"`patch` and `key` its patchStrategy and patchMergeKey; `apply` how a server-side apply takes it, where that is not usual; " +
			"`since` and `until` the first release with and without it.",
		Upstream: map[string]string{"k8s.io/api": releases[0].module + " to " + releases[len(releases)-1].module},
		Cases:    cases,
	}.Write(path)
}

// fieldsOf are the fields of the roots and of all that they hold, in the order of the source.
func fieldsOf(version string) []*field {
	api, machinery := moduleFolder("k8s.io/api", version), moduleFolder("k8s.io/apimachinery", version)
	found := types{}
	for _, folder := range []string{machinery + "/pkg/types", machinery + "/pkg/apis/meta/v1", api + "/core/v1", api + "/apps/v1"} {
		readTypes(folder, found)
	}
	var rows []*field
	done := map[string]bool{}
	var visit func(name string)
	visit = func(name string) {
		if done[name] {
			return
		}
		done[name] = true
		var below []string
		for _, f := range found.fields(name) {
			f.Of = name
			rows = append(rows, f)
			below = append(below, f.inner())
		}
		for _, inner := range below {
			visit(inner)
		}
	}
	for _, root := range roots {
		visit(root)
	}
	return rows
}

// fields are those of a struct, with what it takes in from others.
func (t types) fields(name string) []*field {
	structure, is := t[name].expression.(*ast.StructType)
	if !is {
		return nil
	}
	var rows []*field
	for _, f := range structure.Fields.List {
		tag := reflect.StructTag("")
		if f.Tag != nil {
			tag = reflect.StructTag(strings.Trim(f.Tag.Value, "`"))
		}
		name, _, _ := strings.Cut(tag.Get("json"), ",")
		shown, inner := t.describe(f.Type)
		switch name {
		case "-":
		case "":
			rows = append(rows, t.fields(inner)...)
		default:
			markers := append(markersOf(f.Doc), t[inner].markers...)
			rows = append(rows, &field{Name: name, Type: shown, Patch: tag.Get("patchStrategy"), Key: tag.Get("patchMergeKey"), Apply: apply(shown, markers)})
		}
	}
	return rows
}

// apply reads the markers that structured-merge-diff goes by.
func apply(shown string, markers []string) string {
	var keys []string
	for _, marker := range markers {
		name, value, _ := strings.Cut(marker, "=")
		switch {
		case name == "listMapKey" && strings.HasPrefix(shown, "[]"):
			keys = append(keys, value)
		case name == "listType" && value == "set" && strings.HasPrefix(shown, "[]"):
			return "set"
		case (name == "structType" || name == "mapType") && value == "atomic" && !strings.HasPrefix(shown, "[]"):
			return "atomic"
		}
	}
	return strings.Join(keys, ",")
}

// markersOf are the lines of a comment that begin with +.
func markersOf(comment *ast.CommentGroup) []string {
	if comment == nil {
		return nil
	}
	var markers []string
	for _, line := range comment.List {
		if marker, is := strings.CutPrefix(strings.TrimSpace(strings.TrimPrefix(line.Text, "//")), "+"); is {
			markers = append(markers, marker)
		}
	}
	return markers
}

// describe is a type in JSON's eyes (named strings are strings), and the named type in it.
func (t types) describe(expression ast.Expr) (shown, inner string) {
	switch e := expression.(type) {
	case *ast.StarExpr:
		shown, inner = t.describe(e.X)
		return "*" + shown, inner
	case *ast.ArrayType:
		shown, inner = t.describe(e.Elt)
		return "[]" + shown, inner
	case *ast.MapType:
		key, _ := t.describe(e.Key)
		shown, inner = t.describe(e.Value)
		return "map[" + key + "]" + shown, inner
	case *ast.SelectorExpr:
		return t.describe(e.Sel)
	case *ast.IndexExpr:
		return t.describe(e.X)
	case *ast.Ident:
		if slices.Contains(scalars, e.Name) {
			return e.Name, ""
		}
		under, has := t[e.Name]
		if !has {
			return e.Name, ""
		}
		if _, is := under.expression.(*ast.StructType); is {
			return e.Name, e.Name
		}
		return t.describe(under.expression)
	}
	panic(fmt.Sprintf("a type of another form: %T", expression))
}

func readTypes(folder string, found types) {
	files, err := filepath.Glob(folder + "/*.go")
	must(err)
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments)
		must(err)
		for _, declaration := range parsed.Decls {
			general, is := declaration.(*ast.GenDecl)
			if !is || general.Tok != token.TYPE {
				continue
			}
			for _, spec := range general.Specs {
				named := spec.(*ast.TypeSpec)
				markers := append(markersOf(general.Doc), markersOf(named.Doc)...)
				found[named.Name.Name] = declared{named.Type, markers}
			}
		}
	}
}

func moduleFolder(path, version string) string {
	out, err := exec.Command("go", "mod", "download", "-json", path+"@"+version).Output()
	must(err)
	var module struct{ Dir string }
	must(json.Unmarshal(out, &module))
	return module.Dir
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
