package main

import (
	_ "embed"
	"encoding/json"
	"maps"
	"math/rand"
	"regexp"
	"slices"
	"strconv"
	"strings"

	recording "rolloutkit-oracle-recording"

	"k8s.io/apimachinery/pkg/api/equality"
	"sigs.k8s.io/yaml"
)

const aboutChanges = "What KServe makes of a change: the objects of `base` with the `edits` of `old` applied and reconciled, then those with the edits of `new`, by the whole Reconcile of the InferenceService " +
	"on an API server of maps that fills in and validates Deployments as the real one, with the webhooks before it and all pods ready. An edit names the role of the object that it is of: service, runtime, platform; it is [JSON pointer, value], or [JSON pointer] for what is removed. " +
	"`mode` is status.deploymentMode before. `unmade`: the first side is refused or fails. `refused`: what the webhook says of the second. `failed`: what the controller says. " +
	"Each Deployment, and each Service of Knative, by what becomes of it: create, delete, or which parts of its spec differ: template, replicas, spec; replicas are those of its spec or of its autoscaler."

//go:embed changes.yaml
var changesText []byte

type object = map[string]any

type changeInputs struct {
	Bases map[string][]any
	Edits map[string]map[string][][]any
}

type changeCase struct {
	Base    string            `json:"base"`
	Old     []string          `json:"old,omitempty"`
	New     []string          `json:"new,omitempty"`
	Unmade  string            `json:"unmade,omitempty"`
	Mode    string            `json:"mode,omitempty"`
	Refused string            `json:"refused,omitempty"`
	Failed  string            `json:"failed,omitempty"`
	Made    map[string]string `json:"made,omitempty"`
}

func readChanges() changeInputs {
	var read changeInputs
	must(yaml.Unmarshal(changesText, &read))
	return read
}

// changeSections are those of the inputs of changes.
func changeSections() []recording.Section { return readChanges().sections() }

// sections are the bases, and the edits each with its role.
func (c changeInputs) sections() []recording.Section {
	edits := map[string][]any{}
	for role, named := range c.Edits {
		for name, pointers := range named {
			edits[name] = []any{role, pointers}
		}
	}
	return []recording.Section{recording.SectionOf("bases", c.Bases), recording.SectionOf("edits", edits)}
}

var roles = map[string]string{"InferenceService": "service", "ServingRuntime": "runtime", "ClusterServingRuntime": "runtime", "ConfigMap": "platform"}

// edited are the objects with the edits of these names; not ok where one of them has no place.
func (c changeInputs) edited(base string, names []string) ([]any, bool) {
	out := []any{}
	for _, document := range c.Bases[base] {
		out = append(out, copied(document))
	}
	for _, name := range names {
		role, pointers := c.edit(name)
		at := slices.IndexFunc(out, func(document any) bool { return roles[document.(object)["kind"].(string)] == role })
		if at < 0 {
			return nil, false
		}
		for _, one := range pointers {
			var ok bool
			if out[at], ok = placed(out[at], strings.Split(one[0].(string), "/")[1:], one[1:]); !ok {
				return nil, false
			}
		}
	}
	return out, true
}

func (c changeInputs) edit(name string) (string, [][]any) {
	for role, edits := range c.Edits {
		if pointers, is := edits[name]; is {
			return role, pointers
		}
	}
	panic("no edit " + name)
}

// placed has the value at a place, or nothing there where no value is given.
func placed(holder any, pointer []string, value []any) (any, bool) {
	part := strings.ReplaceAll(strings.ReplaceAll(pointer[0], "~1", "/"), "~0", "~")
	isLast := len(pointer) == 1
	switch holder := holder.(type) {
	case object:
		inner, has := holder[part]
		switch {
		case isLast && len(value) == 0:
			delete(holder, part)
			return holder, has
		case isLast:
			holder[part] = copied(value[0])
			return holder, true
		case !has:
			return nil, false
		}
		next, ok := placed(inner, pointer[1:], value)
		holder[part] = next
		return holder, ok
	case []any:
		index, err := strconv.Atoi(part)
		must(err)
		if isLast && index == len(holder) {
			return append(holder, copied(value[0])), true
		}
		if index >= len(holder) {
			return nil, false
		}
		if isLast {
			holder[index] = copied(value[0])
			return holder, true
		}
		next, ok := placed(holder[index], pointer[1:], value)
		holder[index] = next
		return holder, ok
	}
	return nil, false
}

func copied(value any) any {
	text, err := json.Marshal(value)
	must(err)
	var out any
	must(json.Unmarshal(text, &out))
	return out
}

// changeCases: each edit made and taken back, then several at once.
func changeCases() []any {
	read := readChanges()
	bases := slices.Sorted(maps.Keys(read.Bases))
	names := []string{}
	for _, role := range []string{"service", "runtime", "platform"} {
		names = append(names, slices.Sorted(maps.Keys(read.Edits[role]))...)
	}
	cases := []any{}
	add := func(base string, old, next []string) {
		before, hasOld := read.edited(base, old)
		after, hasNew := read.edited(base, next)
		if hasOld && hasNew {
			cases = append(cases, answered(changeCase{Base: base, Old: old, New: next}, before, after))
		}
	}
	for _, base := range bases {
		add(base, nil, nil)
		for _, name := range names {
			add(base, nil, []string{name})
			add(base, []string{name}, nil)
		}
	}
	random := rand.New(rand.NewSource(17))
	draw := func(most int) []string {
		drawn := []string{}
		for range random.Intn(most) + 1 {
			drawn = append(drawn, names[random.Intn(len(names))])
		}
		return drawn
	}
	for range recording.NumberOf("CASES", 800) {
		base := bases[random.Intn(len(bases))]
		old := draw(2)
		next := append(slices.Clone(old), draw(2)...)
		if random.Intn(2) == 0 {
			next = draw(3)
		}
		add(base, old, next)
	}
	return cases
}

var address = regexp.MustCompile(`0x[0-9a-f]+`)

// words are what an error says first, with no address of memory in it.
func words(err error) string {
	first, _, _ := strings.Cut(err.Error(), "\n")
	return address.ReplaceAllString(first, "0x")
}

func answered(c changeCase, before, after []any) changeCase {
	w := newWorld()
	if err := w.apply(nil, before); err != nil {
		c.Unmade = words(err)
		return c
	}
	if err := w.settle(); err != nil {
		c.Unmade = words(err)
		return c
	}
	c.Mode = w.service().Status.DeploymentMode
	was := w.look()
	if err := w.apply(before, after); err != nil {
		c.Refused = words(err)
		return c
	}
	if err := w.settle(); err != nil {
		c.Failed = words(err)
	}
	c.Made = changes(was, w.look())
	return c
}

// A part is a Deployment or a Service of Knative.
type part struct {
	template, spec any
	replicas       string
}

func (w *world) look() map[string]part {
	out := map[string]part{}
	for name, deployment := range w.deployments() {
		spec := deployment.Spec.DeepCopy()
		spec.Replicas = nil
		spec.Template.Reset()
		out[name] = part{deployment.Spec.Template, spec, w.replicas(deployment)}
	}
	for name, service := range w.knativeServices() {
		spec := service.Spec.DeepCopy()
		template := spec.Template.DeepCopy()
		spec.Template.Reset()
		if _, is := out[name]; is {
			name = "Knative/" + name // next to a Deployment of this name
		}
		out[name] = part{*template, spec, ""}
	}
	return out
}

func changes(old, next map[string]part) map[string]string {
	out := map[string]string{}
	for name, before := range old {
		after, is := next[name]
		if !is {
			out[name] = "delete"
			continue
		}
		said := []string{}
		if !equality.Semantic.DeepEqual(before.template, after.template) {
			said = append(said, "template")
		}
		if !equality.Semantic.DeepEqual(before.spec, after.spec) {
			said = append(said, "spec")
		}
		if before.replicas != after.replicas {
			said = append(said, "replicas "+before.replicas+" > "+after.replicas)
		}
		if len(said) > 0 {
			out[name] = strings.Join(said, ", ")
		}
	}
	for name := range next {
		if _, is := old[name]; !is {
			out[name] = "create"
		}
	}
	return out
}
