//go:build !kubernetes1.30

package main

import (
	"context"
	"embed"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand"
	"reflect"
	"slices"
	"strconv"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	"k8s.io/kubernetes/pkg/capabilities"
	"k8s.io/kubernetes/pkg/registry/apps/daemonset"
	"k8s.io/kubernetes/pkg/registry/apps/deployment"
	"k8s.io/kubernetes/pkg/registry/apps/statefulset"
	"sigs.k8s.io/yaml"
)

const aboutWorkloadValidation = "What the API server makes of sound workloads with something changed. The first rows are those workloads. A row after them is a place in one, as a " +
	"JSON pointer, with what is put there: `to` a value, or `drop`, or `rename` of a key; or `change`, a list of [place, value]. A text `a*64` is 64 letters. Beside it the verdict: " +
	"`undecodable` names the field that the decoder stops at, `unknown` what fieldValidation=Strict refuses, `refused` type and field of each rule broken; none of them where it is taken."

//go:embed workloads/*.yaml
var workloadFiles embed.FS

// A workloadKind is one sound workload, and what of it is changed.
type workloadKind struct {
	name     string
	goType   reflect.Type
	strategy rest.RESTCreateStrategy
	changes  func(at string) bool
}

const podAt = "/spec/template/spec"

var workloadKinds = []workloadKind{
	{"pod", reflect.TypeFor[appsv1.Deployment](), deployment.Strategy, func(at string) bool {
		return !strings.HasPrefix(at, podAt+"/containers/") && !strings.HasPrefix(at, podAt+"/volumes/")
	}},
	{"containers", reflect.TypeFor[appsv1.Deployment](), deployment.Strategy, func(at string) bool {
		return strings.HasPrefix(at, podAt+"/containers") || strings.HasPrefix(at, podAt+"/initContainers")
	}},
	{"volumes", reflect.TypeFor[appsv1.Deployment](), deployment.Strategy, func(at string) bool { return strings.HasPrefix(at, podAt+"/volumes") }},
	{"statefulset", reflect.TypeFor[appsv1.StatefulSet](), statefulset.Strategy, outsidePod},
	{"daemonset", reflect.TypeFor[appsv1.DaemonSet](), daemonset.Strategy, outsidePod},
}

// outsidePod leaves out what is the same in every kind.
func outsidePod(at string) bool {
	return !strings.HasPrefix(at, podAt+"/") && !strings.HasPrefix(at, "/spec/template/metadata/") && !strings.HasPrefix(at, "/metadata/")
}

func soundWorkload(name string) fields {
	text, err := workloadFiles.ReadFile("workloads/" + name + ".yaml")
	must(err)
	object := fields{}
	must(yaml.Unmarshal(text, &object))
	return object
}

// A workloadVerdict is what the server says of a changed workload.
type workloadVerdict struct {
	Undecodable string   `json:"undecodable,omitempty"`
	Unknown     []string `json:"unknown,omitempty"`
	Refused     []string `json:"refused,omitempty"`
}

func judge(object any, strategy rest.RESTCreateStrategy) workloadVerdict {
	body, err := json.Marshal(expanded(object))
	must(err)
	var verdict workloadVerdict
	lenient := legacyscheme.Codecs.CodecForVersions(nil, legacyscheme.Codecs.UniversalDeserializer(), nil, schema.GroupVersion{Group: "apps", Version: runtime.APIVersionInternal})
	decoded, _, err := lenient.Decode(body, nil, nil)
	if err != nil {
		verdict.Undecodable = undecodableField(err.Error())
		return verdict
	}
	for _, text := range strictErrors(body) {
		verdict.Unknown = append(verdict.Unknown, strings.Trim(strings.TrimPrefix(text, "unknown field "), `"`))
	}
	ctx := context.Background()
	strategy.PrepareForCreate(ctx, decoded)
	for _, e := range strategy.Validate(ctx, decoded) {
		verdict.Refused = append(verdict.Refused, string(e.Type)[len("FieldValue"):]+" "+e.Field)
	}
	slices.Sort(verdict.Refused)
	verdict.Refused = slices.Compact(verdict.Refused)
	return verdict
}

// undecodableField is the field that Go's decoder names, or what else it says.
func undecodableField(text string) string {
	_, after, found := strings.Cut(text, " Go struct field ")
	if !found {
		return "?"
	}
	field, _, _ := strings.Cut(after, " of type ")
	_, path, _ := strings.Cut(field, ".")
	return path
}

// expanded writes out long texts.
func expanded(value any) any {
	switch v := value.(type) {
	case string:
		if count, is := strings.CutPrefix(v, "a*"); is {
			if n, err := strconv.Atoi(count); err == nil {
				return strings.Repeat("a", n)
			}
		}
	case fields:
		made := fields{}
		for name, inner := range v {
			made[name] = expanded(inner)
		}
		return made
	case []any:
		var made = []any{}
		for _, inner := range v {
			made = append(made, expanded(inner))
		}
		return made
	}
	return value
}

// A change is one thing done at a place.
type change struct {
	at     string
	to     any
	drop   bool
	rename string
}

// changed is a copy of an object with something done to it.
func changed(value any, path []string, c change) any {
	if len(path) == 0 {
		return c.to
	}
	switch v := value.(type) {
	case fields:
		made := maps.Clone(v)
		switch {
		case len(path) > 1:
			made[path[0]] = changed(v[path[0]], path[1:], c)
		case c.drop:
			delete(made, path[0])
		case c.rename != "":
			made[c.rename] = made[path[0]]
			delete(made, path[0])
		default:
			made[path[0]] = c.to
		}
		return made
	case []any:
		index, err := strconv.Atoi(path[0])
		must(err)
		made := slices.Clone(v)
		if len(path) == 1 && c.drop {
			return slices.Delete(made, index, index+1)
		}
		if index == len(made) {
			made = append(made, nil)
		}
		made[index] = changed(made[index], path[1:], c)
		return made
	case nil:
		return changed(fields{}, path, c)
	}
	panic(fmt.Sprintf("nothing at %v", path))
}

func parts(pointer string) []string {
	if pointer == "" {
		return nil
	}
	split := strings.Split(pointer[1:], "/")
	for i := range split {
		split[i] = strings.ReplaceAll(split[i], "~1", "/")
	}
	return split
}

func below(pointer, name string) string { return pointer + "/" + strings.ReplaceAll(name, "/", "~1") }

var (
	forText   = []any{nil, "", 5, []any{}, "a*64", "a*254", "Bad_Name!", "../b", "/abs", "2"}
	forNumber = []any{nil, -1, 0, 1, 1000, 65536, number("1.5"), number("2147483648"), "5", true}
	forFlag   = []any{nil, true, false, "true", 1}
	forList   = []any{nil, []any{}, fields{}, []any{nil}, []any{"x"}, []any{fields{}}}
	forMap    = []any{nil, fields{}, []any{}, "x"}
)

func replacements(value any) []any {
	switch v := value.(type) {
	case string:
		return forText
	case bool:
		return forFlag
	case []any:
		if len(v) == 0 {
			return forList
		}
		return append(slices.Clone(forList), append(slices.Clone(v), v[0]))
	case fields:
		return forMap
	case nil:
		return nil
	default:
		return forNumber
	}
}

// jsonField is the type of a field of a struct by its JSON name; nil where it is no field.
func jsonField(t reflect.Type, name string) reflect.Type {
	for i := range t.NumField() {
		f := t.Field(i)
		tag, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if tag == "" && f.Anonymous {
			if inner := jsonField(f.Type, name); inner != nil {
				return inner
			}
		}
		if tag == name {
			return f.Type
		}
	}
	return nil
}

func jsonNames(t reflect.Type) []string {
	var names []string
	for i := range t.NumField() {
		f := t.Field(i)
		tag, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case tag == "" && f.Anonymous:
			names = append(names, jsonNames(f.Type)...)
		case tag != "" && tag != "-":
			names = append(names, tag)
		}
	}
	return names
}

func deref(t reflect.Type) reflect.Type {
	for t != nil && t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t
}

// isStruct: times, quantities and the like are one value in JSON.
func isStruct(t reflect.Type) bool {
	return t != nil && t.Kind() == reflect.Struct && !slices.Contains([]string{"Time", "Quantity", "IntOrString", "FieldsV1"}, t.Name())
}

// additions are what a field that is left out may hold.
func additions(t reflect.Type) []any {
	t = deref(t)
	switch {
	case t.Name() == "Quantity":
		return []any{"1", "-1", "x", number("1.5")}
	case t.Name() == "IntOrString":
		return []any{1, "http", ""}
	case t.Name() == "Time":
		return []any{nil, "2026-01-01T00:00:00Z", "now"}
	case t.Kind() == reflect.String:
		return []any{"x", "", "Bad_Name!"}
	case t.Kind() == reflect.Bool:
		return []any{true, false}
	case t.Kind() == reflect.Slice:
		return []any{[]any{}, []any{fields{}}, []any{"x"}}
	case t.Kind() == reflect.Map, t.Kind() == reflect.Struct:
		return []any{fields{}, fields{"x": "y"}}
	default:
		return []any{0, 1, -1, 700}
	}
}

// visit does every change at every place of a value, and reports them place by place.
func visit(at string, value any, t reflect.Type, report func(at string, changes []change)) {
	t = deref(t)
	var here []change
	for _, to := range replacements(value) {
		if !reflect.DeepEqual(to, value) {
			here = append(here, change{at: at, to: to})
		}
	}
	if at != "" {
		report(at, append([]change{{at: at, drop: true}}, here...))
	}
	switch v := value.(type) {
	case []any:
		for i, item := range v {
			visit(below(at, strconv.Itoa(i)), item, t.Elem(), report)
		}
	case fields:
		if !isStruct(t) {
			if t != nil && t.Kind() == reflect.Map {
				for _, name := range slices.Sorted(maps.Keys(v)) {
					visit(below(at, name), v[name], t.Elem(), report)
				}
				report(below(at, "Bad_Name!"), []change{{at: below(at, "Bad_Name!"), to: "1"}})
			}
			return
		}
		for i, name := range jsonNames(t) {
			inner, has := v[name]
			place := below(at, name)
			if !has {
				var added []change
				for _, to := range additions(jsonField(t, name)) {
					added = append(added, change{at: place, to: to})
				}
				report(place, added)
				continue
			}
			misspelt := name[:len(name)-1]
			if i%2 == 1 {
				misspelt = strings.ToUpper(name[:1]) + name[1:]
			}
			report(place, []change{{at: place, rename: misspelt}})
			visit(place, inner, jsonField(t, name), report)
		}
		report(below(at, "unknownField"), []change{{at: below(at, "unknownField"), to: 1}})
	}
}

// A workloadRow is what is done at one place, with a verdict each.
type workloadRow struct {
	Of    string `json:"of"`
	At    string `json:"at"`
	Cases []any  `json:"cases"`
}

func caseOf(c change, verdict workloadVerdict) any {
	made := fields{}
	switch {
	case c.drop:
		made["drop"] = true
	case c.rename != "":
		made["rename"] = c.rename
	default:
		made["to"] = c.to
	}
	return withVerdict(made, verdict)
}

func withVerdict(made fields, verdict workloadVerdict) fields {
	if verdict.Undecodable != "" {
		made["undecodable"] = verdict.Undecodable
	}
	if verdict.Unknown != nil {
		made["unknown"] = verdict.Unknown
	}
	if verdict.Refused != nil {
		made["refused"] = verdict.Refused
	}
	return made
}

func workloadValidationCases() []any {
	capabilities.Setup(true, 0) // as with --allow-privileged, which every distribution sets
	var rows []any
	for _, kind := range workloadKinds {
		sound := soundWorkload(kind.name)
		if verdict := judge(sound, kind.strategy); !reflect.DeepEqual(verdict, workloadVerdict{}) {
			panic(fmt.Sprintf("%s is not sound: %v", kind.name, verdict))
		}
		rows = append(rows, fields{"of": kind.name, "object": sound})
	}
	for _, kind := range workloadKinds {
		sound := soundWorkload(kind.name)
		var all []change
		visit("", sound, kind.goType, func(at string, changes []change) {
			// What the server itself fills in or takes from the URL.
			if strings.HasPrefix(at, "/apiVersion") || strings.HasPrefix(at, "/kind") || strings.HasPrefix(at, "/metadata/namespace") || strings.Contains(at, "managedFields") || at == "/status" || !kind.changes(at) {
				return
			}
			row := workloadRow{Of: kind.name, At: at}
			for _, c := range changes {
				row.Cases = append(row.Cases, caseOf(c, judge(changed(sound, parts(at), c), kind.strategy)))
			}
			all = append(all, changes...)
			if row.Cases != nil {
				rows = append(rows, row)
			}
		})
		random := rand.New(rand.NewSource(11))
		for range 100 {
			one, other := all[random.Intn(len(all))], all[random.Intn(len(all))]
			if row, is := twoChanges(kind, sound, one, other); is {
				rows = append(rows, row)
			}
		}
	}
	for _, c := range chosenWorkloads {
		rows = append(rows, chosenRow(c))
	}
	return rows
}

// twoChanges does both where neither is within the other.
func twoChanges(kind workloadKind, sound fields, one, other change) (any, bool) {
	if one.rename+other.rename != "" || one.drop || other.drop || strings.HasPrefix(one.at+"/", other.at+"/") || strings.HasPrefix(other.at+"/", one.at+"/") {
		return nil, false
	}
	object := changed(changed(sound, parts(one.at), one), parts(other.at), other)
	made := fields{"of": kind.name, "change": []any{[]any{one.at, one.to}, []any{other.at, other.to}}}
	return withVerdict(made, judge(object, kind.strategy)), true
}

func chosenRow(c chosenWorkload) any {
	kind := workloadKinds[slices.IndexFunc(workloadKinds, func(k workloadKind) bool { return k.name == c.of })]
	var object any = soundWorkload(c.of)
	var pairs []any
	for i := 0; i < len(c.changes); i += 2 {
		at := c.changes[i].(string)
		object = changed(object, parts(at), change{to: c.changes[i+1]})
		pairs = append(pairs, []any{at, c.changes[i+1]})
	}
	return withVerdict(fields{"of": c.of, "change": pairs}, judge(object, kind.strategy))
}
