package main

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/utils/ptr"
	recording "rolloutkit-oracle-recording"
	lwsv1 "sigs.k8s.io/lws/api/leaderworkerset/v1"
	"sigs.k8s.io/lws/pkg/webhooks"
)

const aboutUpgrades = "LeaderWorkerSets, by both reconcilers and both webhooks of one version on an API server of maps, while we play the controller of StatefulSets. " +
	"STATES names the recording of an earlier version: then this version goes on from the objects that the earlier one left. " +
	"`differences`: what it writes differently, by object. `replaced`: the pods that it replaces. `recreated`: in what its pods differ from those before once they are all created again."

type upgradeCase struct {
	Input       json.RawMessage     `json:"input"`
	Refused     string              `json:"refused,omitempty"`
	State       []json.RawMessage   `json:"state,omitempty"`
	Differences map[string][]string `json:"differences,omitempty"`
	Replaced    []string            `json:"replaced,omitempty"`
	Recreated   map[string][]string `json:"recreated,omitempty"`
}

func anyPod(r *rand.Rand) corev1.PodTemplateSpec {
	template := corev1.PodTemplateSpec{Spec: corev1.PodSpec{Containers: []corev1.Container{{Name: "vllm", Image: pick(r, "vllm:1", "vllm:2")}}}}
	main := &template.Spec.Containers[0]
	if r.IntN(2) == 0 {
		template.Labels = map[string]string{"team": pick(r, "a", "b")}
	}
	if r.IntN(3) == 0 {
		template.Annotations = map[string]string{"note": "a"}
	}
	switch r.IntN(4) {
	case 0:
		main.Resources.Limits = corev1.ResourceList{"nvidia.com/gpu": resource.MustParse(pick(r, "1", "8"))}
	case 1:
		main.Resources.Limits = corev1.ResourceList{"google.com/tpu": resource.MustParse("4")}
	}
	if r.IntN(3) == 0 {
		main.Env = []corev1.EnvVar{{Name: pick(r, "SIZE", "TPU_PROCESS_PORT"), Value: "1"}}
	}
	if r.IntN(3) == 0 {
		main.Ports = []corev1.ContainerPort{{ContainerPort: 8080, Protocol: corev1.ProtocolTCP}}
	}
	if r.IntN(4) == 0 {
		template.Spec.InitContainers = []corev1.Container{{Name: "fetch", Image: "fetch:1"}}
	}
	if r.IntN(4) == 0 {
		template.Spec.Volumes = []corev1.Volume{{Name: "shm", VolumeSource: corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{Medium: corev1.StorageMediumMemory}}}}
	}
	if r.IntN(4) == 0 {
		template.Spec.TerminationGracePeriodSeconds = ptr.To[int64](60)
	}
	if r.IntN(4) == 0 {
		template.Spec.Tolerations = []corev1.Toleration{{Key: "gpu", Operator: corev1.TolerationOpExists}}
	}
	return template
}

func anySet(r *rand.Rand) *lwsv1.LeaderWorkerSet {
	lws := &lwsv1.LeaderWorkerSet{TypeMeta: metav1.TypeMeta{APIVersion: lwsv1.GroupVersion.String(), Kind: "LeaderWorkerSet"}}
	lws.Name, lws.Namespace, lws.UID = "set", "shop", "set"
	if r.IntN(4) == 0 {
		lws.Labels = map[string]string{"team": "ml"}
	}
	if r.IntN(4) == 0 {
		lws.Annotations = map[string]string{lwsv1.ExclusiveKeyAnnotationKey: "rack"}
	}
	lws.Spec.Replicas = ptr.To(pick[int32](r, 1, 2, 4))
	lws.Spec.StartupPolicy = pick(r, lwsv1.LeaderReadyStartupPolicy, lwsv1.LeaderCreatedStartupPolicy)
	template := &lws.Spec.LeaderWorkerTemplate
	template.Size = ptr.To(pick[int32](r, 1, 2, 4))
	template.RestartPolicy = pick(r, "", lwsv1.NoneRestartPolicy, lwsv1.RecreateGroupOnPodRestart)
	template.WorkerTemplate = anyPod(r)
	if r.IntN(2) == 0 {
		template.LeaderTemplate = ptr.To(anyPod(r))
	}
	if r.IntN(4) == 0 {
		template.SubGroupPolicy = &lwsv1.SubGroupPolicy{SubGroupSize: ptr.To(pick[int32](r, 1, 2)),
			Type: ptr.To(pick(r, lwsv1.SubGroupPolicyTypeLeaderWorker, lwsv1.SubGroupPolicyTypeLeaderExcluded))}
	}
	if policy := template.SubGroupPolicy; policy != nil && requestsTPU(template) {
		// With the leader excluded, the webhook of pods refuses a leader with TPUs.
		policy.Type = ptr.To(lwsv1.SubGroupPolicyTypeLeaderWorker)
	}
	if r.IntN(4) == 0 {
		lws.Spec.NetworkConfig = &lwsv1.NetworkConfig{SubdomainPolicy: ptr.To(pick(r, lwsv1.SubdomainShared, lwsv1.SubdomainUniquePerReplica))}
	}
	if r.IntN(2) == 0 {
		limit := func() intstr.IntOrString {
			return pick(r, intstr.FromInt32(0), intstr.FromInt32(1), intstr.FromInt32(2), intstr.FromString("25%"), intstr.FromString("50%"))
		}
		lws.Spec.RolloutStrategy = lwsv1.RolloutStrategy{Type: lwsv1.RollingUpdateStrategyType,
			RollingUpdateConfiguration: &lwsv1.RollingUpdateConfiguration{Partition: ptr.To[int32](0), MaxSurge: limit(), MaxUnavailable: limit()}}
	}
	return lws
}

func requestsTPU(template *lwsv1.LeaderWorkerTemplate) bool {
	leader := template.LeaderTemplate
	if leader == nil {
		leader = &template.WorkerTemplate
	}
	_, is := leader.Spec.Containers[0].Resources.Limits["google.com/tpu"]
	return is
}

// earlierStates are the objects that an earlier version left, by the set as its user writes it.
func earlierStates() map[string][]json.RawMessage {
	found := map[string][]json.RawMessage{}
	file := os.Getenv("STATES")
	if file == "" {
		return found
	}
	text, err := os.ReadFile(file)
	must(err)
	var read struct{ Cases []upgradeCase }
	must(json.Unmarshal(text, &read))
	for _, one := range read.Cases {
		found[string(one.Input)] = one.State
	}
	return found
}

func upgradeCases() []any {
	r := rand.New(rand.NewPCG(43, 1))
	earlier := earlierStates()
	cases := []any{}
	for range recording.NumberOf("CASES", 400) {
		lws := anySet(r)
		one := upgradeCase{Input: asWritten(lws)}
		if err := webhookRefusal(lws); err != nil {
			one.Refused = err.Error()
			cases = append(cases, one)
			continue
		}
		if before := earlier[string(one.Input)]; before == nil {
			w := newGroupWorld()
			must(w.client.Create(context.Background(), lws))
			w.settle()
			one.State = w.state()
		} else {
			one.goOn(before)
		}
		cases = append(cases, one)
	}
	return cases
}

// webhookRefusal is what the webhook says against a set, whose defaults it fills in.
func webhookRefusal(lws *lwsv1.LeaderWorkerSet) error {
	hook := &webhooks.LeaderWorkerSetWebhook{}
	must(hook.Default(context.Background(), lws))
	_, err := hook.ValidateCreate(context.Background(), lws)
	return err
}

// goOn has this version reconcile the objects of an earlier one, and then create all pods again.
func (one *upgradeCase) goOn(state []json.RawMessage) {
	w := newGroupWorld()
	w.restore(state)
	before, pods := w.written(), w.pods()
	w.settle()
	one.Differences = recording.DifferencesByName(before, w.written())
	for name, pod := range w.pods() {
		if pods[name].UID != pod.UID {
			one.Replaced = append(one.Replaced, name)
		}
	}
	slices.Sort(one.Replaced)
	for _, pod := range w.pods() {
		if pod.Labels[lwsv1.WorkerIndexLabelKey] == "0" {
			w.remove(&pod)
		}
	}
	w.settle()
	one.Recreated = map[string][]string{}
	for name, pod := range w.pods() {
		role := "worker"
		if pod.Labels[lwsv1.WorkerIndexLabelKey] == "0" {
			role = "leader"
		}
		found := append(one.Recreated[role], recording.Differences(podShape(pods[name]), podShape(pod))...)
		slices.Sort(found)
		one.Recreated[role] = slices.Compact(found)
	}
	maps.DeleteFunc(one.Recreated, func(_ string, paths []string) bool { return len(paths) == 0 })
}

// podShape is a pod without what differs between any two revisions.
func podShape(pod corev1.Pod) any {
	labels := maps.Clone(pod.Labels)
	delete(labels, lwsv1.RevisionKey)
	delete(labels, appsv1.ControllerRevisionHashLabelKey)
	return map[string]any{"labels": labels, "annotations": pod.Annotations, "spec": pod.Spec}
}

// asWritten is the set as its user writes it, and as every version reads it: without the null creation times that only some versions write.
func asWritten(lws *lwsv1.LeaderWorkerSet) json.RawMessage {
	content, err := runtime.DefaultUnstructuredConverter.ToUnstructured(lws)
	must(err)
	delete(content, "status")
	withoutNulls(content)
	text, err := recording.Compact(content)
	must(err)
	return text
}

func withoutNulls(value any) {
	switch value := value.(type) {
	case map[string]any:
		for name, inner := range value {
			withoutNulls(inner)
			fields, isMap := inner.(map[string]any)
			if inner == nil || inner == "" || (isMap && len(fields) == 0 && (name == "metadata" || name == "rolloutStrategy")) {
				delete(value, name)
			}
		}
	case []any:
		for _, inner := range value {
			withoutNulls(inner)
		}
	}
}

func nameOf(kind, name string) string { return fmt.Sprintf("%s %s", kind, name) }
