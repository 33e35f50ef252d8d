package main

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/testing"
	"k8s.io/utils/ptr"
	recording "rolloutkit-oracle-recording"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"
	gwv1 "sigs.k8s.io/gateway-api/apis/v1"

	rayv1 "github.com/ray-project/kuberay/ray-operator/apis/ray/v1"
	"github.com/ray-project/kuberay/ray-operator/controllers/ray"
	"github.com/ray-project/kuberay/ray-operator/controllers/ray/utils"
)

const aboutOperatorUpgrades = "RayClusters and RayServices, by both reconcilers of one version on an API server of maps, with all pods ready. " +
	"STATES names the recording of an earlier version: then this version goes on from the objects that the earlier one left. " +
	"`differences`: what it writes differently, by object. `replaced`: the pods that it deletes. `recreated`: in what its pods differ from those before once they are all created again."

type upgradeOfOperator struct {
	Input       json.RawMessage     `json:"input"`
	Refused     string              `json:"refused,omitempty"`
	State       []json.RawMessage   `json:"state,omitempty"`
	Differences map[string][]string `json:"differences,omitempty"`
	Replaced    []string            `json:"replaced,omitempty"`
	Recreated   map[string][]string `json:"recreated,omitempty"`
}

func oneOf[T any](r *rand.Rand, values ...T) T { return values[r.IntN(len(values))] }

func anyParams(r *rand.Rand) map[string]string {
	params := map[string]string{}
	for _, one := range []struct{ name, value string }{{"num-cpus", "2"}, {"plasma-directory", "/tmp"}, {"dashboard-agent-listen-port", "52366"}, {"dashboard-port", "9265"}} {
		if r.IntN(5) == 0 {
			params[one.name] = one.value
		}
	}
	return params
}

func anyTemplate(r *rand.Rand) corev1.PodTemplateSpec {
	container := corev1.Container{Name: "ray", Image: "ray:1"}
	probe := &corev1.Probe{ProbeHandler: corev1.ProbeHandler{Exec: &corev1.ExecAction{Command: []string{"true"}}}}
	if r.IntN(4) == 0 {
		container.ReadinessProbe = probe
	}
	if r.IntN(4) == 0 {
		container.LivenessProbe = probe.DeepCopy()
	}
	if r.IntN(3) == 0 {
		container.Env = []corev1.EnvVar{{Name: oneOf(r, "SIZE", "RAY_CLUSTER_NAMESPACE"), Value: "1"}}
	}
	template := corev1.PodTemplateSpec{Spec: corev1.PodSpec{Containers: []corev1.Container{container}}}
	if r.IntN(4) == 0 {
		template.Spec.Volumes = []corev1.Volume{{Name: "memory", VolumeSource: corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{Medium: corev1.StorageMediumMemory}}}}
		template.Spec.Containers[0].VolumeMounts = []corev1.VolumeMount{{Name: "memory", MountPath: "/dev/shm"}}
	}
	if r.IntN(4) == 0 {
		template.Spec.Containers = append(template.Spec.Containers, corev1.Container{Name: "side", Image: "side:1"})
	}
	if r.IntN(4) == 0 {
		template.Labels = map[string]string{"team": "ml"}
	}
	return template
}

func anyClusterSpec(r *rand.Rand) rayv1.RayClusterSpec {
	spec := rayv1.RayClusterSpec{RayVersion: oneOf(r, "2.9.0", "2.46.0", "2.52.0", "2.53.0", "2.54.1", "2.53", "2.55.0-py311", "")}
	spec.HeadGroupSpec = rayv1.HeadGroupSpec{RayStartParams: anyParams(r), Template: anyTemplate(r)}
	if r.IntN(3) == 0 {
		spec.EnableInTreeAutoscaling = ptr.To(true)
	}
	if r.IntN(4) == 0 {
		spec.AuthOptions = &rayv1.AuthOptions{Mode: rayv1.AuthModeToken}
	}
	for i := range r.IntN(3) {
		replicas := oneOf[int32](r, 1, 2)
		spec.WorkerGroupSpecs = append(spec.WorkerGroupSpecs, rayv1.WorkerGroupSpec{GroupName: fmt.Sprintf("group-%d", i), Replicas: ptr.To(replicas), MinReplicas: ptr.To[int32](1),
			MaxReplicas: ptr.To[int32](3), NumOfHosts: oneOf[int32](r, 1, 1, 2), RayStartParams: anyParams(r), Template: anyTemplate(r)})
	}
	return spec
}

// anyOfRay is a RayCluster or a RayService.
func anyOfRay(r *rand.Rand) client.Object {
	meta := metav1.ObjectMeta{Name: "ray", Namespace: "shop", UID: "ray", Generation: 1}
	spec := anyClusterSpec(r)
	if r.IntN(2) == 0 {
		return &rayv1.RayCluster{TypeMeta: metav1.TypeMeta{APIVersion: "ray.io/v1", Kind: "RayCluster"}, ObjectMeta: meta, Spec: spec}
	}
	service := &rayv1.RayService{TypeMeta: metav1.TypeMeta{APIVersion: "ray.io/v1", Kind: "RayService"}, ObjectMeta: meta}
	service.Spec.RayClusterSpec = spec
	service.Spec.ServeConfigV2 = "applications:\n- name: app\n  import_path: a:b\n"
	if r.IntN(2) == 0 {
		service.Spec.UpgradeStrategy = &rayv1.RayServiceUpgradeStrategy{Type: ptr.To(oneOf[rayv1.RayServiceUpgradeType](r, "NewCluster", "None"))}
	}
	return service
}

// clusterWorld is an API server of maps with a RayCluster or a RayService, and both reconcilers.
type clusterWorld struct {
	*world
	clusterOperator *ray.RayClusterReconciler
	created         int
	run             string
}

type noIndexer struct{}

func (noIndexer) IndexField(context.Context, client.Object, string, client.IndexerFunc) error {
	return nil
}

func (w *clusterWorld) GetFieldIndexer() client.FieldIndexer { return noIndexer{} }

func newClusterWorld(run string) *clusterWorld {
	w := &clusterWorld{world: &world{key: types.NamespacedName{Namespace: "shop", Name: "ray"}}, run: run}
	tracker := testing.NewObjectTracker(scheme, serializer.NewCodecFactory(scheme).UniversalDecoder())
	w.client = fake.NewClientBuilder().WithScheme(scheme).WithObjectTracker(tracker).
		WithStatusSubresource(&rayv1.RayService{}, &rayv1.RayCluster{}, &gwv1.Gateway{}, &gwv1.HTTPRoute{}).
		WithIndex(&corev1.Pod{}, "metadata.uid", func(pod client.Object) []string { return []string{string(pod.GetUID())} }).
		WithInterceptorFuncs(interceptor.Funcs{Create: w.create}).Build()
	w.operator = ray.NewRayServiceReconciler(context.Background(), w, w)
	w.clusterOperator = ray.NewReconciler(context.Background(), w, ray.RayClusterReconcilerOptions{})
	return w
}

func (w *clusterWorld) create(ctx context.Context, inner client.WithWatch, object client.Object, options ...client.CreateOption) error {
	w.created++
	if object.GetUID() == "" {
		object.SetUID(types.UID(fmt.Sprintf("%s-%d", w.run, w.created)))
	}
	if object.GetName() == "" {
		object.SetName(fmt.Sprintf("%s%s%d", object.GetGenerateName(), w.run, w.created))
	}
	return inner.Create(ctx, object, options...)
}

func (w *clusterWorld) pods() []corev1.Pod {
	list := &corev1.PodList{}
	must(w.client.List(context.Background(), list))
	return list.Items
}

// settleAll lets both reconcilers work until nothing is written any more, with all pods ready in between.
func (w *clusterWorld) settleAll() error {
	ctx := context.Background()
	before := ""
	var last error
	// A cluster is promoted a few reconciles after its pods are ready, and nothing but statuses changes in between.
	for turn := range 40 {
		last = nil
		if w.client.Get(ctx, w.key, &rayv1.RayService{}) == nil {
			if _, err := w.operator.Reconcile(ctx, ctrl.Request{NamespacedName: w.key}); err != nil {
				last = err
			}
		}
		for _, cluster := range w.clusters() {
			if _, err := w.clusterOperator.Reconcile(ctx, ctrl.Request{NamespacedName: client.ObjectKeyFromObject(&cluster)}); err != nil {
				last = err
			}
		}
		for _, pod := range w.pods() {
			if pod.Status.Phase == corev1.PodRunning {
				continue
			}
			pod.Status = corev1.PodStatus{Phase: corev1.PodRunning, PodIP: "10.0.0.1", Conditions: []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue}}}
			must(w.client.Status().Update(ctx, &pod))
		}
		after := text(w.written()) + fmt.Sprint(len(w.pods()))
		for _, pod := range w.pods() {
			after += string(pod.UID)
		}
		if turn >= 12 && after == before && last == nil {
			return nil
		}
		before = after
	}
	return last
}

var kindsOfState = []struct {
	kind, apiVersion string
	list             func() client.ObjectList
}{
	{"RayService", "ray.io/v1", func() client.ObjectList { return &rayv1.RayServiceList{} }},
	{"RayCluster", "ray.io/v1", func() client.ObjectList { return &rayv1.RayClusterList{} }},
	{"Pod", "v1", func() client.ObjectList { return &corev1.PodList{} }},
	{"Service", "v1", func() client.ObjectList { return &corev1.ServiceList{} }},
	{"Secret", "v1", func() client.ObjectList { return &corev1.SecretList{} }},
	{"ServiceAccount", "v1", func() client.ObjectList { return &corev1.ServiceAccountList{} }},
	{"Role", "rbac.authorization.k8s.io/v1", func() client.ObjectList { return &rbacv1.RoleList{} }},
	{"RoleBinding", "rbac.authorization.k8s.io/v1", func() client.ObjectList { return &rbacv1.RoleBindingList{} }},
}

// objects are all objects by kind and name, as fields.
func (w *clusterWorld) objects() map[string]map[string]any {
	out := map[string]map[string]any{}
	for _, kind := range kindsOfState {
		list := kind.list()
		must(w.client.List(context.Background(), list))
		var items struct{ Items []map[string]any }
		must(json.Unmarshal([]byte(text(list)), &items))
		for _, one := range items.Items {
			one["apiVersion"], one["kind"] = kind.apiVersion, kind.kind
			out[fmt.Sprintf("%s %s", kind.kind, one["metadata"].(map[string]any)["name"])] = one
		}
	}
	return out
}

// written is what the operator writes besides pods and statuses.
func (w *clusterWorld) written() map[string]any {
	out := map[string]any{}
	for name, one := range w.objects() {
		if strings.HasPrefix(name, "Pod ") || strings.HasPrefix(name, "Secret ") {
			continue
		}
		metadata := one["metadata"].(map[string]any)
		content := map[string]any{"labels": metadata["labels"], "annotations": metadata["annotations"]}
		for field, value := range one {
			if field != "metadata" && field != "status" {
				content[field] = value
			}
		}
		out[name] = content
	}
	return out
}

func (w *clusterWorld) state() []json.RawMessage {
	objects := w.objects()
	out := []json.RawMessage{}
	for _, name := range slices.Sorted(maps.Keys(objects)) {
		out = append(out, json.RawMessage(text(objects[name])))
	}
	return out
}

func (w *clusterWorld) restore(state []json.RawMessage) {
	ctx := context.Background()
	decoder := serializer.NewCodecFactory(scheme).UniversalDeserializer()
	for _, one := range state {
		decoded, _, err := decoder.Decode(one, nil, nil)
		must(err)
		object := decoded.(client.Object)
		object.SetResourceVersion("")
		stored := object.DeepCopyObject().(client.Object)
		must(w.client.Create(ctx, object))
		switch object.(type) {
		case *rayv1.RayCluster, *rayv1.RayService, *corev1.Pod:
			stored.SetResourceVersion(object.GetResourceVersion())
			must(w.client.Status().Update(ctx, stored))
		}
	}
}

// podsByRole are the pods by the group that they are of, whose names contain what is drawn.
func podsByRole(pods []corev1.Pod) map[string][]corev1.Pod {
	out := map[string][]corev1.Pod{}
	for _, pod := range pods {
		role := pod.Labels[utils.RayNodeTypeLabelKey]
		if role != string(rayv1.HeadNode) {
			role = pod.Labels[utils.RayNodeGroupLabelKey]
		}
		out[role] = append(out[role], pod)
	}
	return out
}

func podShape(pod corev1.Pod) any {
	return map[string]any{"labels": pod.Labels, "annotations": pod.Annotations, "spec": pod.Spec}
}

func operatorUpgradeCases() []any {
	r := rand.New(rand.NewPCG(43, 7))
	earlier := map[string][]json.RawMessage{}
	if file := os.Getenv("STATES"); file != "" {
		content, err := os.ReadFile(file)
		must(err)
		var read struct{ Cases []upgradeOfOperator }
		must(json.Unmarshal(content, &read))
		for _, one := range read.Cases {
			earlier[string(one.Input)] = one.State
		}
	}
	cases := []any{}
	for range recording.NumberOf("CASES", 400) {
		object := anyOfRay(r)
		one := upgradeOfOperator{Input: asWritten(object)}
		if before := earlier[string(one.Input)]; before != nil {
			one.goOn(before)
		} else {
			w := newClusterWorld("first")
			must(w.client.Create(context.Background(), object))
			if err := w.settleAll(); err != nil {
				one.Refused = firstLine(err)
			} else {
				one.State = w.state()
			}
		}
		cases = append(cases, one)
	}
	return cases
}

// goOn has this version reconcile the objects of an earlier one, and then create all pods again.
func (one *upgradeOfOperator) goOn(state []json.RawMessage) {
	w := newClusterWorld("next")
	w.restore(state)
	before, pods := w.written(), w.pods()
	if len(pods) == 0 {
		one.Refused = "the earlier version created no pod"
		return
	}
	if err := w.settleAll(); err != nil {
		one.Refused = firstLine(err)
		return
	}
	one.Differences = recording.DifferencesByName(before, w.written())
	kept := map[types.UID]bool{}
	for _, pod := range w.pods() {
		kept[pod.UID] = true
	}
	for _, pod := range pods {
		if !kept[pod.UID] {
			one.Replaced = append(one.Replaced, pod.Name)
		}
	}
	for _, pod := range w.pods() {
		must(w.client.Delete(context.Background(), &pod))
	}
	if err := w.settleAll(); err != nil {
		one.Refused = firstLine(err)
		return
	}
	one.Recreated = map[string][]string{}
	again := podsByRole(w.pods())
	for role, was := range podsByRole(pods) {
		if is := again[role]; len(is) > 0 {
			if found := recording.Differences(podShape(was[0]), podShape(is[0])); len(found) > 0 {
				one.Recreated[role] = found
			}
		}
	}
}

// asWritten is an object as its user writes it, and as every version reads it.
func asWritten(object client.Object) json.RawMessage {
	content, err := runtime.DefaultUnstructuredConverter.ToUnstructured(object)
	must(err)
	delete(content, "status")
	withoutNulls(content)
	out, err := recording.Compact(content)
	must(err)
	return out
}

func withoutNulls(value any) {
	switch value := value.(type) {
	case map[string]any:
		for name, inner := range value {
			withoutNulls(inner)
			fields, isMap := inner.(map[string]any)
			if inner == nil || (isMap && len(fields) == 0 && name == "metadata") {
				delete(value, name)
			}
		}
	case []any:
		for _, inner := range value {
			withoutNulls(inner)
		}
	}
}
