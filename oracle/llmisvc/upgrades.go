package main

import (
	"context"
	"encoding/json"
	"math/rand/v2"

	"github.com/kserve/kserve/pkg/apis/serving/v1alpha2"
	"github.com/kserve/kserve/pkg/controller/v1alpha2/llmisvc"
	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/record"
	recording "rolloutkit-oracle-recording"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	lwsv1 "sigs.k8s.io/lws/api/leaderworkerset/v1"
)

const aboutUpgrades = "What one version of the controller writes for LLMInferenceServices without presets, on a fake client: " +
	"each Deployment and LeaderWorkerSet with its templates, the rest of its spec, and its replicas"

type upgradeCase struct {
	Input json.RawMessage `json:"input"`
	Made  fields          `json:"made"`
}

// written are the workloads of a service by name.
func written(spec fields) fields {
	service := &v1alpha2.LLMInferenceService{ObjectMeta: metav1.ObjectMeta{Name: "chat", Namespace: "models", UID: "chat"}}
	must(json.Unmarshal(text(spec), &service.Spec))
	client := fake.NewClientBuilder().WithScheme(scheme).WithObjects(service).Build()
	reconciler := &llmisvc.LLMISVCReconciler{Client: client, EventRecorder: &record.FakeRecorder{}}
	ctx, config := context.Background(), &llmisvc.Config{}
	must(reconcileMultiNode(reconciler, ctx, service, config))
	must(reconcileSingleNode(reconciler, ctx, service, config))
	must(reconcileScheduler(reconciler, ctx, service))
	made := fields{}
	deployments, groups := &appsv1.DeploymentList{}, &lwsv1.LeaderWorkerSetList{}
	must(client.List(ctx, deployments))
	must(client.List(ctx, groups))
	for _, one := range deployments.Items {
		made[one.Name] = fields{"template": one.Spec.Template, "spec": fields{"strategy": one.Spec.Strategy, "selector": one.Spec.Selector}, "replicas": one.Spec.Replicas}
	}
	for _, one := range groups.Items {
		made[one.Name] = fields{"template": one.Spec.LeaderWorkerTemplate, "spec": fields{"strategy": one.Spec.RolloutStrategy}, "replicas": one.Spec.Replicas}
	}
	return made
}

// withMetadata sets labels and annotations of the pods of a workload.
func withMetadata(r *rand.Rand, spec fields) {
	if r.IntN(3) == 0 {
		spec["labels"] = fields{"team": "ml"}
	}
	if r.IntN(3) == 0 {
		spec["annotations"] = fields{"example.com/owner": "ml"}
	}
	if r.IntN(4) == 0 {
		spec["annotations"] = fields{"serving.kserve.io/model-based-routing-enabled": "true"}
	}
}

func upgradeCases() []any {
	r := rand.New(rand.NewPCG(43, 43))
	all := []any{}
	for range recording.NumberOf("CASES", 400) {
		spec := workload(r)
		withMetadata(r, spec)
		spec["model"] = fields{"uri": "hf://Qwen/Qwen3-8B"}
		spec["storageInitializer"] = fields{"enabled": false}
		if r.IntN(3) == 0 {
			prefill := workload(r)
			withMetadata(r, prefill)
			spec["prefill"] = prefill
		}
		if r.IntN(3) == 0 {
			spec["router"] = fields{"scheduler": fields{"template": pod}}
		}
		all = append(all, upgradeCase{Input: text(spec), Made: written(spec)})
	}
	return all
}
