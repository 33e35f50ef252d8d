package main

import (
	"context"
	"encoding/json"
	"math/rand/v2"
	"os"
	_ "unsafe"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/utils/ptr"
	recording "rolloutkit-oracle-recording"
	"sigs.k8s.io/controller-runtime/pkg/client"
	lwsv1 "sigs.k8s.io/lws/api/leaderworkerset/v1"
	"sigs.k8s.io/lws/pkg/controllers"
	revisions "sigs.k8s.io/lws/pkg/utils/revision"
	"sigs.k8s.io/lws/pkg/webhooks"
)

const aboutUpgrades = "The revision that one version makes of each set, and whether it replaces the one that an earlier version made of the same set. " +
	"REVISIONS names the recording of that version."

//go:linkname getUpdatedRevision sigs.k8s.io/lws/pkg/controllers.(*LeaderWorkerSetReconciler).getUpdatedRevision
func getUpdatedRevision(r *controllers.LeaderWorkerSetReconciler, ctx context.Context, sts *appsv1.StatefulSet, lws *lwsv1.LeaderWorkerSet, revision *appsv1.ControllerRevision) (*appsv1.ControllerRevision, error)

type upgradeCase struct {
	Spec     json.RawMessage `json:"spec"`
	Revision json.RawMessage `json:"revision"`
	// Renewed says whether this version makes another revision than the earlier one, whose pods it then replaces.
	Renewed *bool `json:"renewed,omitempty"`
}

// noRevisions is a server with no revision but the one that is compared.
type noRevisions struct{ client.Client }

func (noRevisions) List(context.Context, client.ObjectList, ...client.ListOption) error { return nil }

func anyPod(r *rand.Rand) corev1.PodTemplateSpec {
	template := corev1.PodTemplateSpec{Spec: corev1.PodSpec{Containers: []corev1.Container{{Name: "vllm", Image: pick(r, "vllm:1", "vllm:2")}}}}
	main := &template.Spec.Containers[0]
	if r.IntN(2) == 0 {
		template.Labels = map[string]string{"team": pick(r, "a", "b")}
	}
	if r.IntN(3) == 0 {
		template.Annotations = map[string]string{"note": "a"}
	}
	if r.IntN(2) == 0 {
		main.Resources.Limits = corev1.ResourceList{"nvidia.com/gpu": resource.MustParse(pick(r, "1", "8"))}
	}
	if r.IntN(3) == 0 {
		main.Env = []corev1.EnvVar{{Name: "SIZE", Value: "1"}}
	}
	if r.IntN(3) == 0 {
		main.Ports = []corev1.ContainerPort{{ContainerPort: 8080, Protocol: corev1.ProtocolTCP}}
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
	lws := &lwsv1.LeaderWorkerSet{}
	lws.Name, lws.Namespace = "set", "shop"
	lws.Spec.Replicas = ptr.To(pick[int32](r, 1, 2, 4))
	lws.Spec.LeaderWorkerTemplate.Size = ptr.To(pick[int32](r, 1, 2, 4))
	lws.Spec.LeaderWorkerTemplate.WorkerTemplate = anyPod(r)
	if r.IntN(2) == 0 {
		lws.Spec.LeaderWorkerTemplate.LeaderTemplate = ptr.To(anyPod(r))
	}
	if r.IntN(4) == 0 {
		lws.Spec.LeaderWorkerTemplate.SubGroupPolicy = &lwsv1.SubGroupPolicy{SubGroupSize: ptr.To[int32](1)}
	}
	if r.IntN(4) == 0 {
		lws.Spec.NetworkConfig = &lwsv1.NetworkConfig{SubdomainPolicy: ptr.To(pick(r, lwsv1.SubdomainShared, lwsv1.SubdomainUniquePerReplica))}
	}
	return lws
}

// earlierRevisions are those of the recording of an earlier version, by the spec of their set.
func earlierRevisions() map[string]json.RawMessage {
	found := map[string]json.RawMessage{}
	file := os.Getenv("REVISIONS")
	if file == "" {
		return found
	}
	text, err := os.ReadFile(file)
	must(err)
	var read struct{ Cases []upgradeCase }
	must(json.Unmarshal(text, &read))
	for _, one := range read.Cases {
		found[string(one.Spec)] = one.Revision
	}
	return found
}

func upgradeCases() []any {
	r := rand.New(rand.NewPCG(43, 1))
	earlier := earlierRevisions()
	c := noRevisions{}
	cases := []any{}
	for range recording.NumberOf("CASES", 400) {
		lws := anySet(r)
		// The set as its user writes it, and as every version reads it.
		spec, err := json.Marshal(lws.Spec)
		must(err)
		spec = withoutTimes(spec)
		must((&webhooks.LeaderWorkerSetWebhook{}).Default(context.Background(), lws))
		made, err := revisions.NewRevision(context.Background(), c, lws, "")
		must(err)
		one := upgradeCase{Spec: spec, Revision: made.Data.Raw}
		if before, is := earlier[string(spec)]; is {
			stored := made.DeepCopy()
			stored.Data.Raw = before
			stored.Labels = map[string]string{lwsv1.RevisionKey: "before", lwsv1.SetNameLabelKey: lws.Name}
			renewed, err := getUpdatedRevision(reconciler(c), context.Background(), &appsv1.StatefulSet{}, lws, stored)
			must(err)
			one.Renewed = ptr.To(renewed != nil)
		}
		cases = append(cases, one)
	}
	return cases
}

// withoutTimes drops the creation times of templates, which only some versions write.
func withoutTimes(text []byte) []byte {
	var value any
	must(json.Unmarshal(text, &value))
	var drop func(any)
	drop = func(value any) {
		switch value := value.(type) {
		case map[string]any:
			delete(value, "creationTimestamp")
			if metadata, is := value["metadata"].(map[string]any); is && len(metadata) == 0 {
				delete(value, "metadata")
			}
			for _, inner := range value {
				drop(inner)
			}
		case []any:
			for _, inner := range value {
				drop(inner)
			}
		}
	}
	drop(value)
	out, err := json.Marshal(value)
	must(err)
	return out
}
