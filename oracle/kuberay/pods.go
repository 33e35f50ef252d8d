package main

import (
	"context"
	"encoding/json"
	"math/rand/v2"

	rayv1 "github.com/ray-project/kuberay/ray-operator/apis/ray/v1"
	"github.com/ray-project/kuberay/ray-operator/controllers/ray/common"
	"github.com/ray-project/kuberay/ray-operator/controllers/ray/utils"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
	recording "rolloutkit-oracle-recording"
)

const aboutPods = "The head and worker pods that one version builds for RayClusters, by the functions that the reconciler calls"

type podCase struct {
	Input json.RawMessage `json:"input"`
	Made  map[string]any  `json:"made"`
}

func oneOf[T any](r *rand.Rand, values ...T) T { return values[r.IntN(len(values))] }

func anyParams(r *rand.Rand) map[string]string {
	params := map[string]string{}
	if r.IntN(3) == 0 {
		params["num-cpus"] = "2"
	}
	if r.IntN(5) == 0 {
		params["plasma-directory"] = "/tmp"
	}
	if r.IntN(5) == 0 {
		params["dashboard-agent-listen-port"] = "52366"
	}
	return params
}

func anyTemplate(r *rand.Rand) corev1.PodTemplateSpec {
	container := corev1.Container{Name: "ray", Image: "ray:1"}
	if r.IntN(4) == 0 {
		container.ReadinessProbe = &corev1.Probe{ProbeHandler: corev1.ProbeHandler{Exec: &corev1.ExecAction{Command: []string{"true"}}}}
	}
	if r.IntN(4) == 0 {
		container.LivenessProbe = &corev1.Probe{ProbeHandler: corev1.ProbeHandler{Exec: &corev1.ExecAction{Command: []string{"true"}}}}
	}
	if r.IntN(3) == 0 {
		container.Env = []corev1.EnvVar{{Name: "SIZE", Value: "1"}}
	}
	return corev1.PodTemplateSpec{Spec: corev1.PodSpec{Containers: []corev1.Container{container}}}
}

func anyCluster(r *rand.Rand) rayv1.RayCluster {
	cluster := rayv1.RayCluster{ObjectMeta: metav1.ObjectMeta{Name: "ray", Namespace: "shop"}}
	cluster.Spec.RayVersion = oneOf(r, "2.9.0", "2.46.0", "2.52.0", "2.53.0", "2.54.1", "")
	cluster.Spec.HeadGroupSpec = rayv1.HeadGroupSpec{RayStartParams: anyParams(r), Template: anyTemplate(r)}
	if r.IntN(3) == 0 {
		cluster.Spec.EnableInTreeAutoscaling = ptr.To(true)
	}
	worker := rayv1.WorkerGroupSpec{GroupName: "gpu", Replicas: ptr.To[int32](1), MinReplicas: ptr.To[int32](1), MaxReplicas: ptr.To[int32](2), RayStartParams: anyParams(r), Template: anyTemplate(r)}
	cluster.Spec.WorkerGroupSpecs = []rayv1.WorkerGroupSpec{worker}
	return cluster
}

func podCases() []any {
	r := rand.New(rand.NewPCG(43, 7))
	ctx := context.Background()
	cases := []any{}
	for range recording.NumberOf("CASES", 400) {
		cluster := anyCluster(r)
		input, err := json.Marshal(map[string]any{"rayVersion": cluster.Spec.RayVersion, "enableInTreeAutoscaling": cluster.Spec.EnableInTreeAutoscaling,
			"headGroupSpec":    map[string]any{"rayStartParams": cluster.Spec.HeadGroupSpec.RayStartParams, "template": map[string]any{"spec": cluster.Spec.HeadGroupSpec.Template.Spec}},
			"workerGroupSpecs": []any{map[string]any{"groupName": "gpu", "rayStartParams": cluster.Spec.WorkerGroupSpecs[0].RayStartParams, "template": map[string]any{"spec": cluster.Spec.WorkerGroupSpecs[0].Template.Spec}}}})
		must(err)
		crd := utils.RayClusterCRD
		if r.IntN(2) == 0 {
			crd = utils.RayServiceCRD
		}
		made := map[string]any{}
		head := cluster.DeepCopy()
		port := common.GetHeadPort(head.Spec.HeadGroupSpec.RayStartParams)
		scales := utils.IsAutoscalingEnabled(&head.Spec)
		template := common.DefaultHeadPodTemplate(ctx, *head, head.Spec.HeadGroupSpec, "ray-head", port)
		made["head"] = map[string]any{"template": buildPod(ctx, template, rayv1.HeadNode, head.Spec.HeadGroupSpec.RayStartParams, port, scales, crd, "", head.Spec.RayVersion).Spec}
		group := cluster.DeepCopy()
		worker := group.Spec.WorkerGroupSpecs[0]
		template = common.DefaultWorkerPodTemplate(ctx, *group, worker, "ray-worker", "ray-head-svc.shop.svc", port, "", 0, 0)
		made["worker"] = map[string]any{"template": buildPod(ctx, template, rayv1.WorkerNode, worker.RayStartParams, port, scales, crd, "ray-head-svc.shop.svc", group.Spec.RayVersion).Spec}
		cases = append(cases, podCase{Input: input, Made: made})
	}
	return cases
}
