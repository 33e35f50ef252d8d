//go:build !kubernetes1.30

package main

import (
	"context"
	"encoding/json"
	"math/rand"
	"reflect"
	"slices"
	"strings"
	_ "unsafe" // for go:linkname

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	"k8s.io/kubernetes/pkg/apis/apps"
	"k8s.io/kubernetes/pkg/controller/deployment/util"
	"k8s.io/kubernetes/pkg/registry/apps/daemonset"
	"k8s.io/kubernetes/pkg/registry/apps/deployment"
	"k8s.io/kubernetes/pkg/registry/apps/statefulset"
)

const aboutTemplateFields = "Which values of a field of the pod template are one to its controller. A row is a field, as a JSON pointer below the template, with values that it may have; " +
	"of a lean template, which lacks it, each is put there alone. `deployment`, `statefulset` and `daemonset` have a sign for none and for each value: those with the same sign replace no pod in the place of another; ! is no template to the decoder. " +
	"A row after them changes two fields at once: `change` is a list of [place, value before, value after], `*none` for none, and `rolls` the initials of the kinds to which it is another template."

const noValue = "*none"

//go:linkname statefulSetPatch k8s.io/kubernetes/pkg/controller/statefulset.getPatch
func statefulSetPatch(set *appsv1.StatefulSet) ([]byte, error)

// valuesFor are what a field of a type may hold, none aside.
func valuesFor(t reflect.Type) []any {
	t = deref(t)
	switch {
	case t.Name() == "Quantity":
		return []any{nil, "0", "1", "1000m", 1, "2", "1Gi", "1024Mi", "1073741824", "1G", "1e9", "100u", "1m"}
	case t.Name() == "IntOrString":
		return []any{nil, 80, "80", "http", 81}
	case t.Name() == "Time":
		return []any{nil, "2026-01-01T00:00:00Z", "2026-01-01T01:00:00+01:00", "2026-01-02T00:00:00Z"}
	case t.Kind() == reflect.String:
		return []any{nil, "", "a", "b", 5}
	case t.Kind() == reflect.Bool:
		return []any{nil, false, true, "true"}
	case t.Kind() == reflect.Map && t.Elem().Name() == "Quantity":
		return []any{nil, fields{}, fields{"cpu": "1"}, fields{"cpu": "1000m"}, fields{"cpu": 1}, fields{"cpu": "2"}, fields{"memory": "1Gi"}, fields{"memory": "1073741824"}, fields{"cpu": "100u"}, fields{"cpu": "1m"}, fields{"cpu": nil}}
	case t.Kind() == reflect.Map:
		return []any{nil, fields{}, fields{"a": "b"}, fields{"a": "c"}, fields{"a": ""}, fields{"a": nil}}
	case t.Kind() == reflect.Slice && deref(t.Elem()).Kind() == reflect.Struct:
		return []any{nil, []any{}, []any{fields{}}, []any{fields{}, fields{}}}
	case t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.String:
		return []any{nil, []any{}, []any{"a"}, []any{"b"}, []any{"a", "b"}, []any{"b", "a"}}
	case t.Kind() == reflect.Slice:
		return []any{nil, []any{}, []any{1}, []any{2}, []any{1, 2}, []any{2, 1}}
	case t.Kind() == reflect.Struct:
		return []any{nil, fields{}, []any{}}
	}
	return []any{nil, 0, 1, 2, "1"}
}

// A templateField is a field, with the signs of none and of each value.
type templateField struct {
	At          string `json:"at"`
	Values      []any  `json:"values"`
	Deployment  string `json:"deployment"`
	StatefulSet string `json:"statefulset"`
	DaemonSet   string `json:"daemonset"`
}

// fieldsBelow are all fields of a type and of what they hold, lists by their first item.
func fieldsBelow(at string, t reflect.Type) []templateField {
	var rows []templateField
	for _, name := range jsonNames(t) {
		held := deref(jsonField(t, name))
		place := below(at, name)
		// What the server alone writes.
		if name == "managedFields" {
			continue
		}
		rows = append(rows, templateField{At: place, Values: valuesFor(held)})
		switch {
		case isStruct(held):
			rows = append(rows, fieldsBelow(place, held)...)
		case held.Kind() == reflect.Slice && isStruct(deref(held.Elem())):
			rows = append(rows, fieldsBelow(place+"/0", deref(held.Elem()))...)
		}
	}
	return rows
}

func leanTemplate() any {
	return fields{
		"metadata": fields{"labels": fields{"app": "web"}},
		"spec":     fields{"containers": []any{fields{"name": "web", "image": "web:1"}}},
	}
}

// putAt puts a value at a place, and makes on the way what is not there.
func putAt(value any, path []string, to any) any {
	if len(path) == 0 {
		return to
	}
	if path[0] == "0" {
		list, _ := value.([]any)
		if len(list) == 0 {
			list = []any{nil}
		}
		made := slices.Clone(list)
		made[0] = putAt(made[0], path[1:], to)
		return made
	}
	made := fields{}
	if known, is := value.(fields); is {
		for name, inner := range known {
			made[name] = inner
		}
	}
	if len(path) == 1 && to == noValue {
		delete(made, path[0])
	} else {
		made[path[0]] = putAt(made[path[0]], path[1:], to)
	}
	return made
}

// stored is what the controllers read of a workload with a template; nil where it is no such object.
func storedWorkload(kind string, template any, strategy rest.RESTCreateStrategy) (internal, read runtime.Object) {
	body, err := json.Marshal(fields{
		"apiVersion": "apps/v1", "kind": kind, "metadata": fields{"name": "web", "namespace": "default"}, "spec": withTemplate(fields{"template": template}),
	})
	must(err)
	group := schema.GroupVersion{Group: "apps", Version: runtime.APIVersionInternal}
	lenient := legacyscheme.Codecs.CodecForVersions(nil, legacyscheme.Codecs.UniversalDeserializer(), nil, group)
	internal, _, err = lenient.Decode(body, nil, nil)
	if err != nil {
		return nil, nil
	}
	strategy.PrepareForCreate(context.Background(), internal)
	strategy.Canonicalize(internal)
	// Into the store and back.
	written, err := runtime.Encode(legacyscheme.Codecs.LegacyCodec(appsv1.SchemeGroupVersion), internal)
	must(err)
	internal, _, err = lenient.Decode(written, nil, nil)
	must(err)
	read, err = legacyscheme.Scheme.ConvertToVersion(internal, appsv1.SchemeGroupVersion)
	must(err)
	return internal, read
}

// An answer is how a template reads to the three controllers.
type answer struct {
	deployment  *corev1.PodTemplateSpec
	statefulSet string
	daemonSet   *apps.DaemonSet
}

func answerTo(template any) *answer {
	_, made := storedWorkload("Deployment", template, deployment.Strategy)
	if made == nil {
		return nil
	}
	_, set := storedWorkload("StatefulSet", template, statefulset.Strategy)
	patch, err := statefulSetPatch(set.(*appsv1.StatefulSet))
	must(err)
	daemons, _ := storedWorkload("DaemonSet", template, daemonset.Strategy)
	return &answer{&made.(*appsv1.Deployment).Spec.Template, string(patch), daemons.(*apps.DaemonSet)}
}

func sameDeployment(a, b *answer) bool { return util.EqualIgnoreHash(a.deployment, b.deployment) }

func sameStatefulSet(a, b *answer) bool { return a.statefulSet == b.statefulSet }

// sameDaemonSet: the pods of one template generation are up to date, whatever bytes the revision has.
func sameDaemonSet(a, b *answer) bool {
	before, after := a.daemonSet.DeepCopy(), b.daemonSet.DeepCopy()
	daemonset.Strategy.PrepareForUpdate(context.Background(), after, before)
	return after.Spec.TemplateGeneration == before.Spec.TemplateGeneration
}

// signs gives those that are one the same letter.
func signs(answers []*answer, same func(a, b *answer) bool) string {
	var text strings.Builder
	var kinds []*answer
	for _, one := range answers {
		if one == nil {
			text.WriteByte('!')
			continue
		}
		index := slices.IndexFunc(kinds, func(known *answer) bool { return same(known, one) })
		if index < 0 {
			index = len(kinds)
			kinds = append(kinds, one)
		}
		text.WriteByte("abcdefghijklmnop"[index])
	}
	return text.String()
}

func (f *templateField) with(value int) any {
	if value == 0 {
		return noValue
	}
	return f.Values[value-1]
}

func (f *templateField) ask() {
	var answers []*answer
	for i := range len(f.Values) + 1 {
		answers = append(answers, answerTo(putAt(leanTemplate(), parts(f.At), f.with(i))))
	}
	f.Deployment, f.StatefulSet, f.DaemonSet = signs(answers, sameDeployment), signs(answers, sameStatefulSet), signs(answers, sameDaemonSet)
}

// aStep is another value of a field at random; as often as not one that alone would be none.
func aStep(f *templateField, random *rand.Rand) (from, to int, is bool) {
	wantsSame := random.Intn(2) == 0
	for range 20 {
		from, to = random.Intn(len(f.Deployment)), random.Intn(len(f.Deployment))
		if from != to && f.Deployment[from] != '!' && f.Deployment[to] != '!' && wantsSame == (f.Deployment[from] == f.Deployment[to]) {
			return from, to, true
		}
	}
	return 0, 0, false
}

func twoFields(a, b *templateField, random *rand.Rand) any {
	a0, a1, hasA := aStep(a, random)
	b0, b1, hasB := aStep(b, random)
	if !hasA || !hasB || strings.HasPrefix(a.At+"/", b.At+"/") || strings.HasPrefix(b.At+"/", a.At+"/") {
		return nil
	}
	both := func(i, j int) *answer {
		return answerTo(putAt(putAt(leanTemplate(), parts(a.At), a.with(i)), parts(b.At), b.with(j)))
	}
	before, after := both(a0, b0), both(a1, b1)
	if before == nil || after == nil {
		return nil
	}
	rolls := ""
	for _, kind := range []struct {
		initial string
		same    func(a, b *answer) bool
	}{{"D", sameDeployment}, {"S", sameStatefulSet}, {"d", sameDaemonSet}} {
		if !kind.same(before, after) {
			rolls += kind.initial
		}
	}
	change := []any{[]any{a.At, a.with(a0), a.with(a1)}, []any{b.At, b.with(b0), b.with(b1)}}
	return fields{"change": change, "rolls": rolls}
}

func templateFieldCases() []any {
	all := fieldsBelow("", reflect.TypeFor[corev1.PodTemplateSpec]())
	var rows []any
	for i := range all {
		all[i].ask()
		rows = append(rows, all[i])
	}
	random := rand.New(rand.NewSource(13))
	for made := 0; made < 3000; {
		if row := twoFields(&all[random.Intn(len(all))], &all[random.Intn(len(all))], random); row != nil {
			rows = append(rows, row)
			made++
		}
	}
	// Neighbours have most to do with each other.
	for i := range all {
		for j := i + 1; j < min(i+4, len(all)); j++ {
			if row := twoFields(&all[i], &all[j], random); row != nil {
				rows = append(rows, row)
			}
		}
	}
	return rows
}
