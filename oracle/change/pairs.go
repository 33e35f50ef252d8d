package change

import (
	_ "embed"
	"math/rand"
	"slices"

	"sigs.k8s.io/yaml"
)

// A pair is what lies on the server, and what is brought over it.
type pair struct {
	// Topic groups the pairs for a reader.
	Topic string
	Base  string
	// Old are the edits of the base that make the first manifest; New those of the first that make the second.
	Old, New []edit
	// Mode is how the second comes: client, server, helm, replace.
	Mode string
	// Made is how the first came. By default as the second; for replace by create.
	Made string
	// Touches are what others did to the live object in between.
	Touches []touch
}

//go:embed bases.yaml
var basesText []byte

func readBases() map[string]object {
	var file struct{ Bases map[string]object }
	if err := yaml.Unmarshal(basesText, &file); err != nil {
		panic(err)
	}
	for name, edits := range dressings {
		file.Bases["deployment-"+name] = edited(file.Bases["deployment"], edits)
	}
	return file.Bases
}

var applyModes = []string{"client", "server", "helm", "replace"}

const (
	podSpec   = "/spec/template/spec"
	container = podSpec + "/containers/0"
)

func allPairs(bases map[string]object) []pair {
	var pairs []pair
	add := func(topic, base string, modes []string, old []edit, next ...edit) {
		for _, mode := range modes {
			pairs = append(pairs, pair{Topic: topic, Base: base, Mode: mode, Old: old, New: next})
		}
	}
	template := func(base string) any { return bases[base]["spec"].(object)["template"] }

	// Every field of the pod template alone.
	for i, one := range everyField(template("deployment-rich"), "/spec/template") {
		add("field", "deployment-rich", applyModes[i%4:i%4+1], nil, one)
		if i%4 == 2 {
			add("field", "statefulset-rich", []string{"replace"}, nil, one)
		}
		if i%4 == 1 {
			add("field", "daemonset-rich", []string{"replace"}, nil, one)
		}
	}
	for _, one := range everyField(template("deployment-volumes"), "/spec/template") {
		add("field", "deployment-volumes", []string{"replace"}, nil, one)
	}
	// Every other field of the three kinds.
	for _, base := range []string{"deployment-rich", "statefulset-rich", "daemonset-rich"} {
		spec := clone(bases[base]["spec"]).(object)
		delete(spec, "template")
		for i, one := range append(everyField(spec, "/spec"), everyField(bases[base]["metadata"], "/metadata")...) {
			if one[0] != "/metadata/name" {
				add("spec", base, applyModes[i%4:i%4+1], nil, one)
			}
		}
	}
	// Two fields of the pod template at once.
	random := rand.New(rand.NewSource(13))
	for i := range 400 {
		base := []string{"deployment-rich", "statefulset-rich", "daemonset-rich"}[i%3]
		fields := everyField(template(base), "/spec/template")
		first, second := fields[random.Intn(len(fields))], fields[random.Intn(len(fields))]
		if within(first, second) || within(second, first) {
			continue
		}
		add("pair", base, []string{applyModes[random.Intn(4)]}, nil, first, second)
	}
	// The same field on a lean template: it comes, it goes.
	for _, base := range []string{"deployment", "statefulset", "daemonset"} {
		for _, row := range respelled {
			add("respelled", base, []string{"replace"}, row.old, row.next...)
			switch base {
			case "deployment":
				add("respelled", base, []string{"client"}, row.old, row.next...)
			case "statefulset":
				add("respelled", base, []string{"replace"}, append(append([]edit{}, row.old...), row.next...), inverse(row)...)
			}
		}
		for _, row := range templateRows {
			add("row", base, []string{"client", "replace"}, row.old, row.next...)
			if base == "deployment" {
				add("row", base, []string{"server", "helm"}, row.old, row.next...)
			}
		}
	}
	for _, row := range otherRows {
		add("row", row.base, []string{"client", "server", "helm", "replace"}, row.old, row.next...)
	}
	pairs = append(pairs, everyFieldOfOthers(bases)...)
	pairs = append(pairs, livePairs()...)
	slices.SortStableFunc(pairs, func(a, b pair) int { return slices.Index(topics, a.Topic) - slices.Index(topics, b.Topic) })
	return pairs
}

// topics in the order of the recording.
var topics = []string{"row", "respelled", "live", "kind", "spec", "pair", "field"}

// within says whether one edit is at or below the place of another.
func within(inner, outer edit) bool {
	a, b := inner[0].(string), outer[0].(string)
	return a == b || len(a) > len(b) && a[:len(b)+1] == b+"/"
}

// inverse leads from the second spelling of a row back to the first.
func inverse(row row) []edit {
	undone := []edit{}
	for i := len(row.next) - 1; i >= 0; i-- {
		pointer := row.next[i][0].(string)
		back := drop(pointer)
		for _, e := range row.old {
			if e[0] == pointer && len(e) == 2 {
				back = set(pointer, e[1])
			}
		}
		if pointer == container+"/image" && len(back) == 1 {
			back = set(pointer, "web:1")
		}
		undone = append(undone, back)
	}
	return undone
}

// otherKinds are the bases besides the three workloads that roll, all their fields one at a time.
var otherKinds = []string{
	"replicaset", "pod", "job", "cronjob", "service", "service-headless", "service-load-balancer", "service-external", "configmap", "configmap-immutable",
	"secret", "secret-immutable", "hpa", "pdb", "pvc", "quota", "rolebinding",
}

func everyFieldOfOthers(bases map[string]object) []pair {
	var pairs []pair
	for _, base := range otherKinds {
		for _, part := range []string{"spec", "data", "binaryData", "immutable", "type", "roleRef", "subjects"} {
			value, has := bases[base][part]
			if !has {
				continue
			}
			edits := append([]edit{drop("/" + part)}, everyField(value, "/"+part)...)
			for i, one := range edits {
				pairs = append(pairs, pair{Topic: "kind", Base: base, Mode: applyModes[i%4], New: []edit{one}})
			}
		}
		for _, mode := range applyModes {
			pairs = append(pairs, pair{Topic: "kind", Base: base, Mode: mode, New: []edit{set("/metadata/labels/new", "1")}})
			pairs = append(pairs, pair{Topic: "kind", Base: base, Mode: mode, New: []edit{set("/metadata/annotations/new", "1")}})
			pairs = append(pairs, pair{Topic: "kind", Base: base, Mode: mode, New: []edit{}})
		}
	}
	return pairs
}
