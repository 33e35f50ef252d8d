package main

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand"
	"os"
	"slices"

	kedav1alpha1 "github.com/kedacore/keda/v2/apis/keda/v1alpha1"
	"github.com/kserve/kserve/pkg/apis/serving/v1beta1"
	appsv1 "k8s.io/api/apps/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	knservingv1 "knative.dev/serving/pkg/apis/serving/v1"
	recording "rolloutkit-oracle-recording"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"
)

const aboutUpgrades = "What one version of KServe writes for the objects of `base` with `edits`, by the whole Reconcile of the InferenceService: " +
	"each Deployment, and each Service of Knative, with its template, the rest of its spec, and its replicas. `unmade`: the objects are refused, or the controller fails. " +
	"STATES names the recording of an earlier version: then this version goes on from the objects that the earlier one left, and `differences` are those in what it writes, by name."

//go:embed upgrades.yaml
var upgradesText []byte

type upgradeCase struct {
	Base        string              `json:"base"`
	Edits       []string            `json:"edits,omitempty"`
	Unmade      string              `json:"unmade,omitempty"`
	Mode        string              `json:"mode,omitempty"`
	Made        map[string]any      `json:"made,omitempty"`
	State       *upgradeState       `json:"state,omitempty"`
	Differences map[string][]string `json:"differences,omitempty"`
	Failed      string              `json:"failed,omitempty"`
}

// upgradeState are the objects that one version leaves.
type upgradeState struct {
	Service     *v1beta1.InferenceService               `json:"service"`
	Deployments []appsv1.Deployment                     `json:"deployments,omitempty"`
	Knative     []knservingv1.Service                   `json:"knative,omitempty"`
	Autoscalers []autoscalingv2.HorizontalPodAutoscaler `json:"autoscalers,omitempty"`
	Scaled      []kedav1alpha1.ScaledObject             `json:"scaled,omitempty"`
	Services    []corev1.Service                        `json:"services,omitempty"`
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
	earlier := earlierStates()
	add := func(base string, edits []string) {
		objects, ok := read.edited(base, edits)
		if !ok {
			return
		}
		one := upgradeCase{Base: base, Edits: edits}
		switch before, is := earlier[one.key()]; {
		case earlier == nil:
			one = writtenBy(one, objects)
		case !is || before.State == nil:
			return
		default:
			one = upgradedBy(one, objects, before)
		}
		cases = append(cases, one)
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
	c.Mode = modeOf(w.service().Status.DeploymentMode)
	c.State = w.state()
	c.Made = shapes(w.look())
	return c
}

func (c upgradeCase) key() string { return fmt.Sprint(c.Base, c.Edits) }

// earlierStates are the cases of the recording of an earlier version; nil without one.
func earlierStates() map[string]upgradeCase {
	file := os.Getenv("STATES")
	if file == "" {
		return nil
	}
	text, err := os.ReadFile(file)
	must(err)
	var read struct{ Cases []upgradeCase }
	must(json.Unmarshal(text, &read))
	found := map[string]upgradeCase{}
	for _, one := range read.Cases {
		found[one.key()] = one
	}
	return found
}

func (w *world) state() *upgradeState {
	ctx := context.Background()
	state := &upgradeState{Service: w.service()}
	deployments, knative := &appsv1.DeploymentList{}, &knservingv1.ServiceList{}
	autoscalers, scaled, services := &autoscalingv2.HorizontalPodAutoscalerList{}, &kedav1alpha1.ScaledObjectList{}, &corev1.ServiceList{}
	for _, list := range []client.ObjectList{deployments, knative, autoscalers, scaled, services} {
		must(w.client.List(ctx, list))
	}
	state.Deployments, state.Knative, state.Autoscalers = deployments.Items, knative.Items, autoscalers.Items
	state.Scaled, state.Services = scaled.Items, services.Items
	return state
}

// restore brings the objects that another version left to the server, behind its admission.
func (w *world) restore(state *upgradeState) {
	ctx := context.Background()
	w.key = client.ObjectKeyFromObject(state.Service)
	add := func(object client.Object) {
		object.SetResourceVersion("")
		stored := object.DeepCopyObject().(client.Object)
		must(w.client.Create(ctx, object))
		stored.SetResourceVersion(object.GetResourceVersion())
		_ = w.client.Status().Update(ctx, stored) // some have no status
	}
	add(state.Service)
	for i := range state.Deployments {
		add(&state.Deployments[i])
	}
	for i := range state.Knative {
		add(&state.Knative[i])
	}
	for i := range state.Autoscalers {
		add(&state.Autoscalers[i])
	}
	for i := range state.Scaled {
		add(&state.Scaled[i])
	}
	for i := range state.Services {
		add(&state.Services[i])
	}
}

// upgradedBy is what this version does with the objects that an earlier one left.
func upgradedBy(c upgradeCase, objects []any, before upgradeCase) (out upgradeCase) {
	defer func() {
		if crash := recover(); crash != nil {
			out = upgradeCase{Base: c.Base, Edits: c.Edits, Failed: fmt.Sprint("panic: ", crash)}
		}
	}()
	w := newWorld()
	w.configure(objects)
	w.restore(before.State)
	was := w.look()
	if err := w.settle(); err != nil {
		c.Failed = words(err)
	}
	c.Mode = before.Mode
	c.Differences = recording.DifferencesByName(shapes(was), shapes(w.look()))
	return c
}

// shapes are parts as they are compared.
func shapes(parts map[string]part) map[string]any {
	out := map[string]any{}
	for name, one := range parts {
		out[name] = object{"template": one.template, "spec": one.spec, "replicas": one.replicas}
	}
	return out
}
