package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta/testrestmapper"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	kubernetesfake "k8s.io/client-go/kubernetes/fake"
	recording "rolloutkit-oracle-recording"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	lwsv1 "sigs.k8s.io/lws/api/leaderworkerset/v1"
	"sigs.k8s.io/yaml"
)

const aboutUpgrades = "What one version of the controller writes for LLMInferenceServices and the presets of its chart (PRESETS: its folder config/llmisvcconfig), on a fake client: " +
	"it merges the presets and reconciles the workloads and the scheduler. STATES names the recording of an earlier version: then this version goes on from the objects that the earlier one left, " +
	"and `differences` are those in what it writes, by name."

type upgradeCase struct {
	Input       json.RawMessage     `json:"input"`
	Refused     string              `json:"refused,omitempty"`
	State       *upgradeState       `json:"state,omitempty"`
	Differences map[string][]string `json:"differences,omitempty"`
}

// upgradeState are the objects that one version leaves.
type upgradeState struct {
	Status      llmStatus               `json:"status"`
	Deployments []appsv1.Deployment     `json:"deployments,omitempty"`
	Groups      []lwsv1.LeaderWorkerSet `json:"groups,omitempty"`
}

// presets are those that the chart of this version installs.
func presets() []client.Object {
	files, err := filepath.Glob(filepath.Join(os.Getenv("PRESETS"), "config-*.yaml"))
	must(err)
	out := []client.Object{}
	for _, file := range files {
		content, err := os.ReadFile(file)
		must(err)
		preset := &llmPreset{}
		must(yaml.Unmarshal(content, preset))
		preset.Namespace = "kserve"
		out = append(out, preset)
	}
	return out
}

// reconcileUpgrade has this version reconcile a service over the objects of a state, and returns what is there then.
func reconcileUpgrade(input json.RawMessage, before *upgradeState) (out *upgradeState, err error) {
	defer func() {
		if crash := recover(); crash != nil {
			err = fmt.Errorf("panic: %v", crash)
		}
	}()
	service := &llmService{}
	must(json.Unmarshal(input, service))
	service.TypeMeta = metav1.TypeMeta{} // 0.16 has v1alpha1 only
	objects := append(presets(), service)
	if before != nil {
		service.Status = before.Status
		for i := range before.Deployments {
			before.Deployments[i].ResourceVersion = ""
			objects = append(objects, before.Deployments[i].DeepCopy())
		}
		for i := range before.Groups {
			before.Groups[i].ResourceVersion = ""
			objects = append(objects, before.Groups[i].DeepCopy())
		}
	}
	settings := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: "kserve", Name: "inferenceservice-config"}, Data: map[string]string{
		"ingress":            `{"ingressGateway":"kserve/kserve-ingress-gateway","kserveIngressGateway":"kserve/kserve-ingress-gateway","urlScheme":"http"}`,
		"storageInitializer": `{"image":"storage:1","memoryRequest":"100Mi","memoryLimit":"1Gi","cpuRequest":"100m","cpuLimit":"1","cpuModelcar":"10m","memoryModelcar":"15Mi"}`,
		"credentials":        `{}`,
	}}
	objects = append(objects, settings.DeepCopy())
	c := fake.NewClientBuilder().WithScheme(scheme).WithRESTMapper(testrestmapper.TestOnlyStaticRESTMapper(scheme)).WithObjects(objects...).Build()
	r := newReconciler(c, kubernetesfake.NewClientset(settings))
	ctx, config := context.Background(), newConfig(kubernetesfake.NewClientset(settings))
	merged, err := mergePresets(r, ctx, service, config)
	if err != nil {
		return nil, err
	}
	if merged == nil {
		return nil, fmt.Errorf("a preset is missing")
	}
	service.Spec = merged.Spec
	for _, reconcile := range []func() error{
		func() error { return reconcileMultiNode(r, ctx, service, config) },
		func() error { return reconcileSingleNode(r, ctx, service, config) },
		func() error { return reconcileScheduler(r, ctx, service) },
	} {
		if err := reconcile(); err != nil {
			return nil, err
		}
	}
	deployments, groups := &appsv1.DeploymentList{}, &lwsv1.LeaderWorkerSetList{}
	must(c.List(ctx, deployments))
	must(c.List(ctx, groups))
	return &upgradeState{Status: service.Status, Deployments: deployments.Items, Groups: groups.Items}, nil
}

// written are the workloads of a state by name.
func (s *upgradeState) written() map[string]any {
	out := map[string]any{}
	for _, one := range s.Deployments {
		out[one.Name] = fields{"template": one.Spec.Template, "strategy": one.Spec.Strategy, "replicas": one.Spec.Replicas, "selector": one.Spec.Selector}
	}
	for _, one := range s.Groups {
		out[one.Name] = fields{"template": one.Spec.LeaderWorkerTemplate, "strategy": one.Spec.RolloutStrategy, "replicas": one.Spec.Replicas}
	}
	return out
}

func anyWorkload(r *rand.Rand) fields {
	spec := fields{}
	if r.IntN(4) == 0 {
		spec["template"] = pod
	}
	if r.IntN(3) > 0 {
		spec["replicas"] = 1 + r.IntN(4)
	}
	if r.IntN(3) == 0 {
		spec["worker"] = pod
		if r.IntN(2) == 0 {
			spec["worker"] = fields{}
		}
		spec["parallelism"] = fields{"data": 4, "dataLocal": 2, "tensor": 1}
	}
	if r.IntN(3) == 0 {
		spec["labels"] = fields{"team": "ml"}
	}
	switch r.IntN(4) {
	case 0:
		spec["annotations"] = fields{"example.com/owner": "ml"}
	case 1:
		spec["annotations"] = fields{"serving.kserve.io/model-based-routing-enabled": oneOf(r, "true", "false")}
	}
	return spec
}

func oneOf[T any](r *rand.Rand, values ...T) T { return values[r.IntN(len(values))] }

func anyLLMService(r *rand.Rand) json.RawMessage {
	spec := anyWorkload(r)
	spec["model"] = fields{"uri": "hf://Qwen/Qwen3-8B", "name": "qwen"}
	spec["storageInitializer"] = fields{"enabled": false}
	if r.IntN(3) == 0 {
		prefill := anyWorkload(r)
		if r.IntN(3) > 0 {
			delete(prefill, "worker")
			delete(prefill, "parallelism")
		}
		spec["prefill"] = prefill
	}
	switch r.IntN(3) {
	case 0:
		spec["router"] = fields{"scheduler": fields{}}
	case 1:
		spec["router"] = fields{"scheduler": fields{"template": pod}}
	}
	return text(fields{"apiVersion": "serving.kserve.io/v1alpha2", "kind": "LLMInferenceService", "metadata": metav1.ObjectMeta{Name: "chat", Namespace: "models", UID: "chat"}, "spec": spec})
}

// earlierCases are those of the recording of an earlier version; nil without one.
func earlierCases() []upgradeCase {
	file := os.Getenv("STATES")
	if file == "" {
		return nil
	}
	content, err := os.ReadFile(file)
	must(err)
	var read struct{ Cases []upgradeCase }
	must(json.Unmarshal(content, &read))
	return read.Cases
}

func upgradeCases() []any {
	all := []any{}
	if earlier := earlierCases(); earlier != nil {
		for _, before := range earlier {
			if before.State != nil {
				all = append(all, upgraded(before))
			}
		}
		return all
	}
	r := rand.New(rand.NewPCG(43, 43))
	for range recording.NumberOf("CASES", 400) {
		one := upgradeCase{Input: stored(withoutTimes(anyLLMService(r)))}
		state, err := reconcileUpgrade(one.Input, nil)
		if err != nil {
			one.Refused, _, _ = strings.Cut(err.Error(), "\n")
		} else {
			one.State = state
		}
		all = append(all, one)
	}
	return all
}

func upgraded(before upgradeCase) upgradeCase {
	one := upgradeCase{Input: before.Input}
	was := before.State.written()
	state, err := reconcileUpgrade(one.Input, before.State)
	if err != nil {
		one.Refused, _, _ = strings.Cut(err.Error(), "\n")
		return one
	}
	one.Differences = recording.DifferencesByName(was, state.written())
	return one
}

// withoutTimes leaves out the creation time that only some versions write.
func withoutTimes(input json.RawMessage) json.RawMessage {
	return json.RawMessage(strings.Replace(string(input), `"creationTimestamp":null,`, "", 1))
}
