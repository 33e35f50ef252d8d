// Command llmisvc records which workloads KServe makes of LLMInferenceServices. See ../README.md.
package main

import (
	"context"
	"encoding/json"
	"math/rand/v2"
	"sort"
	"strings"

	"github.com/go-logr/logr"
	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/tools/record"
	recording "rolloutkit-oracle-recording"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	lwsv1 "sigs.k8s.io/lws/api/leaderworkerset/v1"
)

const module = "github.com/kserve/kserve"

const about = "LLMInferenceServices, and the workloads that the controller makes of them on a fake client: kind, name, replicas (null where it writes none), " +
	"pods of a group, and the strategy as it writes it"

type fields = map[string]any

func must(err error) {
	if err != nil {
		panic(err)
	}
}

type made struct {
	Kind     string          `json:"kind"`
	Name     string          `json:"name"`
	Replicas *int32          `json:"replicas"`
	Size     *int32          `json:"size,omitempty"`
	Strategy json.RawMessage `json:"strategy"`
}

func text(value any) json.RawMessage {
	out, err := json.Marshal(value)
	must(err)
	return out
}

func newScheme() *runtime.Scheme {
	scheme := runtime.NewScheme()
	must(clientgoscheme.AddToScheme(scheme))
	must(lwsv1.AddToScheme(scheme))
	must(addToScheme(scheme))
	return scheme
}

var scheme = newScheme()

func workloadsOf(spec fields) []made {
	service := &llmService{ObjectMeta: metav1.ObjectMeta{Name: "chat", Namespace: "models", UID: "chat"}}
	must(json.Unmarshal(text(spec), &service.Spec))
	client := fake.NewClientBuilder().WithScheme(scheme).WithObjects(service).Build()
	reconciler := &llmReconciler{Client: client, EventRecorder: &record.FakeRecorder{}}
	ctx, config := context.Background(), &llmConfig{}
	must(reconcileMultiNode(reconciler, ctx, service, config))
	must(reconcileSingleNode(reconciler, ctx, service, config))
	must(reconcileScheduler(reconciler, ctx, service))
	all := []made{}
	deployments, groups := &appsv1.DeploymentList{}, &lwsv1.LeaderWorkerSetList{}
	must(client.List(ctx, deployments))
	must(client.List(ctx, groups))
	for _, one := range deployments.Items {
		all = append(all, made{Kind: "Deployment", Name: one.Name, Replicas: one.Spec.Replicas, Strategy: text(one.Spec.Strategy)})
	}
	for _, one := range groups.Items {
		all = append(all, made{Kind: "LeaderWorkerSet", Name: one.Name, Replicas: one.Spec.Replicas, Size: one.Spec.LeaderWorkerTemplate.Size, Strategy: text(one.Spec.RolloutStrategy)})
	}
	sort.Slice(all, func(i, j int) bool { return all[i].Name < all[j].Name })
	return all
}

var pod = fields{"containers": []any{fields{"name": "main", "image": "vllm:1"}}}

func workload(r *rand.Rand) fields {
	spec := fields{"template": pod}
	if r.IntN(4) > 0 {
		spec["replicas"] = r.IntN(6)
	}
	if r.IntN(2) == 0 {
		spec["worker"] = pod
	}
	switch r.IntN(4) {
	case 0:
		spec["parallelism"] = fields{"data": 1 + r.IntN(9), "dataLocal": 1 + r.IntN(4)}
	case 1:
		spec["parallelism"] = fields{"pipeline": 1 + r.IntN(5)}
	case 2:
		spec["parallelism"] = fields{"tensor": 1 + r.IntN(5)}
	}
	return spec
}

func cases() []any {
	r := rand.New(rand.NewPCG(uint64(recording.NumberOf("SEED", 41)), 43))
	all := []any{}
	for range recording.NumberOf("CASES", 400) {
		spec := workload(r)
		spec["model"] = fields{"uri": "hf://Qwen/Qwen3-8B"}
		spec["storageInitializer"] = fields{"enabled": false}
		if r.IntN(3) == 0 {
			spec["prefill"] = workload(r)
		}
		if r.IntN(3) == 0 {
			scheduler := fields{"template": pod}
			if r.IntN(3) == 0 {
				scheduler["replicas"] = r.IntN(4)
			}
			if r.IntN(4) == 0 {
				scheduler["pool"] = fields{"ref": fields{"name": "other"}}
			}
			spec["router"] = fields{"scheduler": scheduler}
		}
		all = append(all, []any{spec, workloadsOf(spec)})
	}
	return all
}

func main() {
	ctrl.SetLogger(logr.Discard())
	suffix := "-" + strings.Join(strings.Split(recording.Versions(module)[module][1:], ".")[:2], ".")
	if suffix == "-0.20" {
		suffix = ""
	}
	recording.Run([]recording.Maker{
		recording.Of("kserve-llm-workloads", about, cases),
		recording.Of("kserve-llm-upgrades", aboutUpgrades, upgradeCases),
	}, suffix, module)
}
