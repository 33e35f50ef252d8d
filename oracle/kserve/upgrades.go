package main

import (
	_ "embed"
	"maps"
	"math/rand"
	"slices"

	recording "rolloutkit-oracle-recording"

	"sigs.k8s.io/yaml"
)

const aboutUpgrades = "What one version of KServe writes for the objects of `base` with `edits`, by the whole Reconcile of the InferenceService: " +
	"each Deployment, and each Service of Knative, with its template, the rest of its spec, and its replicas. `unmade`: the objects are refused, or the controller fails."

//go:embed upgrades.yaml
var upgradesText []byte

type upgradeCase struct {
	Base   string         `json:"base"`
	Edits  []string       `json:"edits,omitempty"`
	Unmade string         `json:"unmade,omitempty"`
	Mode   string         `json:"mode,omitempty"`
	Made   map[string]any `json:"made,omitempty"`
}

func readUpgrades() changeInputs {
	read := readChanges()
	var more changeInputs
	must(yaml.Unmarshal(upgradesText, &more))
	for role, edits := range more.Edits {
		maps.Copy(read.Edits[role], edits)
	}
	return read
}

// upgradeSections are those of the inputs of upgrades.
func upgradeSections() []recording.Section { return readUpgrades().sections() }

// upgradeCases are the bases without edits and with each one, then with several.
func upgradeCases() []any {
	read := readUpgrades()
	bases := slices.Sorted(maps.Keys(read.Bases))
	names := []string{}
	for _, role := range []string{"service", "runtime", "platform"} {
		names = append(names, slices.Sorted(maps.Keys(read.Edits[role]))...)
	}
	cases := []any{}
	add := func(base string, edits []string) {
		if objects, ok := read.edited(base, edits); ok {
			cases = append(cases, writtenBy(upgradeCase{Base: base, Edits: edits}, objects))
		}
	}
	for _, base := range bases {
		add(base, nil)
		for _, name := range names {
			add(base, []string{name})
		}
	}
	random := rand.New(rand.NewSource(int64(recording.NumberOf("SEED", 43))))
	for range recording.NumberOf("CASES", 300) {
		drawn := []string{}
		for range random.Intn(3) + 2 {
			drawn = append(drawn, names[random.Intn(len(names))])
		}
		add(bases[random.Intn(len(bases))], drawn)
	}
	return cases
}

// writtenBy are the objects that this version writes.
func writtenBy(c upgradeCase, objects []any) (out upgradeCase) {
	defer func() {
		if crash := recover(); crash != nil {
			out = upgradeCase{Base: c.Base, Edits: c.Edits, Unmade: "panic"}
		}
	}()
	w := newWorld()
	if err := w.apply(nil, objects); err != nil {
		c.Unmade = words(err)
		return c
	}
	if err := w.settle(); err != nil {
		c.Unmade = words(err)
		return c
	}
	c.Mode = w.service().Status.DeploymentMode
	c.Made = map[string]any{}
	for name, one := range w.look() {
		c.Made[name] = object{"template": one.template, "spec": one.spec, "replicas": one.replicas}
	}
	return c
}
