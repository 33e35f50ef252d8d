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

// standingCase is a canary that gets a third version, the stable one again, or other steps, before its second is rolled out.
type standingCase struct {
	Spec json.RawMessage `json:"spec"`
	// Stable and Canary are the pods that stand when the change comes.
	Stable group `json:"stable"`
	Canary group `json:"canary"`
	// Before are the replicas until then, Step the step that it is at and Aborted whether it is on the way back: they count in the turns that only scale.
	Before  *int32 `json:"before,omitempty"`
	Step    int32  `json:"step,omitempty"`
	Aborted bool   `json:"aborted,omitempty"`
	// Weight is what the router gives the canary then.
	Weight *int32 `json:"weight,omitempty"`
	// Back says that the change takes the canary back to the stable version.
	Back bool `json:"back,omitempty"`
	// NewSteps says that the change is of the steps alone.
	NewSteps bool `json:"newSteps,omitempty"`
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

// applied is what comes while a canary is on its way.
type applied int

const (
	another applied = iota
	stableAgain
	newSteps
)

// runStanding is nil where the second version is promoted before the change comes, or nothing is known to stand.
// Until the change there are so many replicas as before says; nil as many as afterwards.
func runStanding(spec json.RawMessage, before *int32, stepsBefore []v1alpha1.CanaryStep, rows int, abortsFirst bool, what applied, abort int) *standingCase {
	ro := must(rolloutOf(spec))
	after := ro.Spec.Replicas
	if before != nil {
		ro.Spec.Replicas = before
	}
	stepsAfter := ro.Spec.Strategy.Canary.Steps
	if what == newSteps {
		ro.Spec.Strategy.Canary.Steps = stepsBefore
	}
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
	made := &standingCase{Spec: spec, Back: what == stableAgain, NewSteps: what == newSteps, Abort: abort}
	made.Stable, made.Canary = w.groups(stable)
	if before != nil {
		made.Before, made.Aborted = before, w.rollout().Status.Abort
		if index := w.rollout().Status.CurrentStepIndex; index != nil {
			made.Step = *index
		}
	}
	if weights := w.rollout().Status.Canary.Weights; weights != nil {
		made.Weight = &weights.Canary.Weight
	}
	if before != nil {
		w.patch(func(ro *v1alpha1.Rollout) { ro.Spec.Replicas = after })
	}
	isNew, was := w.isUnknown(), stable
	switch what {
	case another:
		w.setImage("web:3")
	case stableAgain:
		// Once it is back, the version of all weights is the new one.
		isNew, was = isThis(stable), ""
		w.setImage("web:1")
	case newSteps:
		isNew = isOther(stable)
		w.patch(func(ro *v1alpha1.Rollout) { ro.Spec.Strategy.Canary.Steps = stepsAfter })
	}
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

// newStepsCases are random canaries that get other steps on their way.
func newStepsCases() []any {
	return otherStepsCases(7, false)
}

// scaledNewStepsCases are the same where the change is of the replicas as well.
func scaledNewStepsCases() []any {
	return otherStepsCases(9, true)
}

func otherStepsCases(seed int, scales bool) []any {
	random := rand.New(rand.NewSource(int64(recording.NumberOf("SEED", seed))))
	cases := []any{}
	for count := recording.NumberOf("CASES", 1500); len(cases) < count; {
		made := canary(random)
		delete(made, "dynamicStableScale")
		_, isRouted := made["trafficRouting"]
		written := struct {
			Steps []v1alpha1.CanaryStep `json:"steps"`
		}{}
		must(0, json.Unmarshal(must(recording.Compact(fields{"steps": append(steps(random, isRouted, 40), fields{"setWeight": 41 + random.Intn(9)})})), &written))
		spec := must(recording.Compact(fields{"replicas": replicas(random), "strategy": fields{"canary": made}}))
		rows, abort := 1+random.Intn(8), randomAbort(random)
		abortsFirst := !isRouted && random.Intn(4) == 0
		before := otherReplicas(random, scales)
		if one := runStanding(spec, before, written.Steps, rows, abortsFirst, newSteps, abort); one != nil {
			cases = append(cases, one)
		}
	}
	return cases
}

// standingCases are random canaries that are overtaken, or taken back, on their way.
func standingCases() []any {
	return overtakenCases(6, false)
}

// scaledStandingCases are the same where the change is of the replicas as well.
func scaledStandingCases() []any {
	return overtakenCases(8, true)
}

// otherReplicas are those before a change of them; nil where they stay.
func otherReplicas(random *rand.Rand, scales bool) *int32 {
	if !scales {
		return nil
	}
	number := int32(replicas(random))
	return &number
}

func overtakenCases(seed int, scales bool) []any {
	random := rand.New(rand.NewSource(int64(recording.NumberOf("SEED", seed))))
	cases := []any{}
	for count := recording.NumberOf("CASES", 1500); len(cases) < count; {
		made := canary(random)
		delete(made, "dynamicStableScale")
		spec := must(recording.Compact(fields{"replicas": replicas(random), "strategy": fields{"canary": made}}))
		_, isRouted := made["trafficRouting"]
		rows, abort := 1+random.Intn(8), randomAbort(random)
		abortsFirst, what := !isRouted && random.Intn(4) == 0, another
		if random.Intn(3) == 0 {
			what, abort = stableAgain, 0
		}
		before := otherReplicas(random, scales)
		if one := runStanding(spec, before, nil, rows, abortsFirst, what, abort); one != nil {
			cases = append(cases, one)
		}
	}
	return cases
}
