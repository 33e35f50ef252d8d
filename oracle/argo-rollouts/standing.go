package main

import (
	"encoding/json"
	"math/rand"

	"github.com/argoproj/argo-rollouts/pkg/apis/rollouts/v1alpha1"
	recording "rolloutkit-oracle-recording"
)

// group is the pods of one version.
type group struct {
	Size  int32 `json:"size"`
	Ready int32 `json:"ready"`
}

// standingCase is a canary that gets a third version, or the stable one again, before its second is rolled out.
type standingCase struct {
	Spec json.RawMessage `json:"spec"`
	// Stable and Canary are the pods that stand when the change comes.
	Stable group `json:"stable"`
	Canary group `json:"canary"`
	// Weight is what the router gives the canary then.
	Weight *int32 `json:"weight,omitempty"`
	// Back says that the change takes the canary back to the stable version.
	Back bool `json:"back,omitempty"`
	// Abort is the row, from 1, after which somebody aborts; 0 where nobody does.
	Abort int   `json:"abort,omitempty"`
	Rows  []row `json:"rows"`
	// Error is where the controller stops.
	Error string `json:"error,omitempty"`
}

// groups are the pods of the stable version, and all others.
func (w *world) groups(stable string) (group, group) {
	var mine, others group
	for _, set := range w.replicaSets() {
		of := &others
		if set.Labels[v1alpha1.DefaultRolloutUniqueLabelKey] == stable {
			of = &mine
		}
		of.Size += *set.Spec.Replicas
		of.Ready += w.ready[set.Name]
	}
	return mine, others
}

// runStanding is nil where the second version is promoted before the change comes, or nothing is known to stand.
func runStanding(spec json.RawMessage, rows int, abortsFirst, back bool, abort int) *standingCase {
	ro := must(rolloutOf(spec))
	w := newWorld(ro)
	if rest(w) != nil {
		return nil
	}
	stable := w.rollout().Status.StableRS
	if stable == "" {
		return nil
	}
	w.setImage("web:2")
	first := w.roll(stable, isOther(stable), 0, rows)
	if first.err != nil || !first.cut {
		return nil
	}
	if abortsFirst {
		w.patch(func(ro *v1alpha1.Rollout) { ro.Status.Abort = true })
		if w.settle() != nil {
			return nil
		}
	}
	if w.rollout().Status.StableRS != stable {
		return nil
	}
	made := &standingCase{Spec: spec, Back: back, Abort: abort}
	made.Stable, made.Canary = w.groups(stable)
	if weights := w.rollout().Status.Canary.Weights; weights != nil {
		made.Weight = &weights.Canary.Weight
	}
	image, isNew, was := "web:3", w.isUnknown(), stable
	if back {
		// Once it is back, the version of all weights is the new one.
		image, isNew, was = "web:1", isThis(stable), ""
	}
	w.setImage(image)
	walked := w.roll(was, isNew, abort, 1200)
	made.Rows = walked.rows
	if walked.err != nil {
		made.Error = walked.err.Error()
	}
	return made
}

// isUnknown are the versions that come from now on.
func (w *world) isUnknown() func(string) bool {
	known := map[string]bool{}
	for _, set := range w.replicaSets() {
		known[set.Labels[v1alpha1.DefaultRolloutUniqueLabelKey]] = true
	}
	return func(hash string) bool { return !known[hash] }
}

// standingCases are random canaries that are overtaken, or taken back, on their way.
func standingCases() []any {
	random := rand.New(rand.NewSource(int64(recording.NumberOf("SEED", 6))))
	cases := []any{}
	for count := recording.NumberOf("CASES", 1500); len(cases) < count; {
		made := canary(random)
		delete(made, "dynamicStableScale")
		spec := must(recording.Compact(fields{"replicas": replicas(random), "strategy": fields{"canary": made}}))
		_, isRouted := made["trafficRouting"]
		rows, abort := 1+random.Intn(8), randomAbort(random)
		abortsFirst, back := !isRouted && random.Intn(4) == 0, random.Intn(3) == 0
		if back {
			abort = 0
		}
		if one := runStanding(spec, rows, abortsFirst, back, abort); one != nil {
			cases = append(cases, one)
		}
	}
	return cases
}
