package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"maps"
	"slices"

	"github.com/go-logr/logr"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apimachinery/pkg/types"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/testing"
	recording "rolloutkit-oracle-recording"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"
	lwsv1 "sigs.k8s.io/lws/api/leaderworkerset/v1"
	"sigs.k8s.io/lws/pkg/controllers"
	"sigs.k8s.io/lws/pkg/webhooks"
)

// groupWorld is an API server of maps with one LeaderWorkerSet, both of its controllers and its webhook of pods.
// We play the controller of StatefulSets, the garbage collector and the kubelet: each pod is ready as soon as it is created.
type groupWorld struct {
	client  client.Client
	sets    *controllers.LeaderWorkerSetReconciler
	leaders *controllers.PodReconciler
	hook    *webhooks.PodWebhook
	// Objects that were created, which become UIDs.
	created int
	run     string
}

func newGroupScheme() *runtime.Scheme {
	scheme := runtime.NewScheme()
	must(clientgoscheme.AddToScheme(scheme))
	must(lwsv1.AddToScheme(scheme))
	return scheme
}

var groupScheme = newGroupScheme()

func newGroupWorld() *groupWorld {
	ctrl.SetLogger(logr.Discard())
	w := &groupWorld{hook: webhooks.NewPodWebhook(nil), run: "first"}
	tracker := testing.NewObjectTracker(groupScheme, serializer.NewCodecFactory(groupScheme).UniversalDecoder())
	w.client = fake.NewClientBuilder().WithScheme(groupScheme).WithObjectTracker(tracker).WithStatusSubresource(&lwsv1.LeaderWorkerSet{}).
		WithInterceptorFuncs(interceptor.Funcs{Create: w.create, Patch: w.patch}).Build()
	w.sets, w.leaders = groupReconcilers(w.client)
	node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "node", Labels: map[string]string{"rack": "a"}}}
	must(w.client.Create(context.Background(), node))
	return w
}

func (w *groupWorld) create(ctx context.Context, inner client.WithWatch, object client.Object, options ...client.CreateOption) error {
	if object.GetUID() == "" {
		w.created++
		object.SetUID(types.UID(fmt.Sprintf("%s-%d", w.run, w.created)))
		object.SetCreationTimestamp(metav1.Unix(int64(w.created), 0))
	}
	return inner.Create(ctx, object, options...)
}

// patch applies a StatefulSet on the server, whose spec belongs to the controller as a whole.
func (w *groupWorld) patch(ctx context.Context, inner client.WithWatch, object client.Object, patch client.Patch, options ...client.PatchOption) error {
	content, is := object.(*unstructured.Unstructured)
	if !is || patch.Type() != types.ApplyPatchType || content.GetKind() != "StatefulSet" {
		return errors.New("LeaderWorkerSet patches otherwise")
	}
	next, live := &appsv1.StatefulSet{}, &appsv1.StatefulSet{}
	must(runtime.DefaultUnstructuredConverter.FromUnstructured(content.Object, next))
	if err := inner.Get(ctx, client.ObjectKeyFromObject(next), live); err != nil {
		return w.create(ctx, inner, next)
	}
	live.Labels, live.Annotations, live.Spec = next.Labels, next.Annotations, next.Spec
	return inner.Update(ctx, live)
}

func listOf[T any, L client.ObjectList](w *groupWorld, list L, items func(L) []T) []T {
	must(w.client.List(context.Background(), list))
	return items(list)
}

func (w *groupWorld) statefulSets() []appsv1.StatefulSet {
	return listOf(w, &appsv1.StatefulSetList{}, func(l *appsv1.StatefulSetList) []appsv1.StatefulSet { return l.Items })
}

func (w *groupWorld) pods() map[string]corev1.Pod {
	out := map[string]corev1.Pod{}
	for _, pod := range listOf(w, &corev1.PodList{}, func(l *corev1.PodList) []corev1.Pod { return l.Items }) {
		out[pod.Name] = pod
	}
	return out
}

// state has all objects.
func (w *groupWorld) state() []json.RawMessage {
	objects := []any{}
	for _, one := range listOf(w, &lwsv1.LeaderWorkerSetList{}, func(l *lwsv1.LeaderWorkerSetList) []lwsv1.LeaderWorkerSet { return l.Items }) {
		one.TypeMeta = metav1.TypeMeta{APIVersion: lwsv1.GroupVersion.String(), Kind: "LeaderWorkerSet"}
		objects = append(objects, one)
	}
	for _, one := range w.statefulSets() {
		one.TypeMeta = metav1.TypeMeta{APIVersion: "apps/v1", Kind: "StatefulSet"}
		objects = append(objects, one)
	}
	for _, one := range listOf(w, &appsv1.ControllerRevisionList{}, func(l *appsv1.ControllerRevisionList) []appsv1.ControllerRevision { return l.Items }) {
		one.TypeMeta = metav1.TypeMeta{APIVersion: "apps/v1", Kind: "ControllerRevision"}
		objects = append(objects, one)
	}
	for _, one := range listOf(w, &corev1.ServiceList{}, func(l *corev1.ServiceList) []corev1.Service { return l.Items }) {
		one.TypeMeta = metav1.TypeMeta{APIVersion: "v1", Kind: "Service"}
		objects = append(objects, one)
	}
	pods := w.pods()
	for _, name := range slices.Sorted(maps.Keys(pods)) {
		one := pods[name]
		one.TypeMeta = metav1.TypeMeta{APIVersion: "v1", Kind: "Pod"}
		objects = append(objects, one)
	}
	out := []json.RawMessage{}
	for _, object := range objects {
		text, err := recording.Compact(object)
		must(err)
		out = append(out, text)
	}
	return out
}

// restore brings the objects of another run to the server as they are.
func (w *groupWorld) restore(state []json.RawMessage) {
	w.run = "next"
	decoder := serializer.NewCodecFactory(groupScheme).UniversalDeserializer()
	for _, text := range state {
		decoded, _, err := decoder.Decode(text, nil, nil)
		must(err)
		object := decoded.(client.Object)
		object.SetResourceVersion("")
		stored := object.DeepCopyObject().(client.Object)
		must(w.client.Create(context.Background(), object))
		switch object.(type) {
		case *lwsv1.LeaderWorkerSet, *appsv1.StatefulSet, *corev1.Pod:
			stored.SetResourceVersion(object.GetResourceVersion())
			must(w.client.Status().Update(context.Background(), stored))
		}
	}
}

// written is what the controllers write: StatefulSets and Services, each without what the server adds.
func (w *groupWorld) written() map[string]any {
	out := map[string]any{}
	for _, one := range w.statefulSets() {
		out[nameOf("StatefulSet", one.Name)] = map[string]any{"labels": one.Labels, "annotations": one.Annotations, "spec": one.Spec}
	}
	for _, one := range listOf(w, &corev1.ServiceList{}, func(l *corev1.ServiceList) []corev1.Service { return l.Items }) {
		out[nameOf("Service", one.Name)] = map[string]any{"labels": one.Labels, "spec": one.Spec}
	}
	return out
}

// settle lets all controllers work until nothing is written any more.
func (w *groupWorld) settle() {
	ctx := context.Background()
	before := ""
	for range 200 {
		// The fake server sees a removed leader before its group is gone, as the real one does not.
		_, err := w.sets.Reconcile(ctx, ctrl.Request{NamespacedName: types.NamespacedName{Namespace: "shop", Name: "set"}})
		must(err)
		w.playStatefulSets()
		for name, pod := range w.pods() {
			if pod.Labels[lwsv1.WorkerIndexLabelKey] == "0" {
				_, err := w.leaders.Reconcile(ctx, ctrl.Request{NamespacedName: types.NamespacedName{Namespace: "shop", Name: name}})
				must(err)
			}
		}
		after := fmt.Sprint(len(w.pods()), recordingOf(w.written()), uidsOf(w.pods()))
		if after == before {
			return
		}
		before = after
	}
	panic("the controllers do not settle")
}

func recordingOf(value any) string {
	text, err := recording.Compact(value)
	must(err)
	return string(text)
}

func uidsOf(pods map[string]corev1.Pod) string {
	text := ""
	for _, name := range slices.Sorted(maps.Keys(pods)) {
		text += string(pods[name].UID) + " "
	}
	return text
}

func hashOf(template corev1.PodTemplateSpec) string {
	hash := fnv.New64a()
	// Its bytes must not depend on the version of the Go types.
	_, err := hash.Write([]byte(withoutTimes(template)))
	must(err)
	return fmt.Sprintf("%x", hash.Sum64())
}

func withoutTimes(template corev1.PodTemplateSpec) string {
	content, err := runtime.DefaultUnstructuredConverter.ToUnstructured(&template)
	must(err)
	withoutNulls(content)
	return recordingOf(content)
}

// playStatefulSets creates and deletes pods as their controller does, without the gate of maxUnavailable.
func (w *groupWorld) playStatefulSets() {
	for _, sts := range w.statefulSets() {
		if owner := metav1.GetControllerOf(&sts); owner != nil && owner.Kind == "Pod" && w.pods()[owner.Name].UID != owner.UID {
			w.remove(&sts)
			continue
		}
		w.playStatefulSet(sts)
	}
	for _, pod := range w.pods() {
		owner := metav1.GetControllerOf(&pod)
		sts := &appsv1.StatefulSet{}
		err := w.client.Get(context.Background(), types.NamespacedName{Namespace: pod.Namespace, Name: owner.Name}, sts)
		if apierrors.IsNotFound(err) || sts.UID != owner.UID {
			w.remove(&pod)
		}
	}
}

func (w *groupWorld) remove(object client.Object) {
	must(client.IgnoreNotFound(w.client.Delete(context.Background(), object)))
}

func (w *groupWorld) playStatefulSet(sts appsv1.StatefulSet) {
	ctx := context.Background()
	start, partition, hash := 0, 0, hashOf(sts.Spec.Template)
	if sts.Spec.Ordinals != nil {
		start = int(sts.Spec.Ordinals.Start)
	}
	if rolling := sts.Spec.UpdateStrategy.RollingUpdate; rolling != nil && rolling.Partition != nil {
		partition = int(*rolling.Partition)
	}
	pods := w.pods()
	end := start + int(*sts.Spec.Replicas)
	for ordinal := end; ; ordinal++ {
		pod, is := pods[fmt.Sprintf("%s-%d", sts.Name, ordinal)]
		if !is {
			break
		}
		w.remove(&pod)
	}
	created := false
	for ordinal := start; ordinal < end; ordinal++ {
		if _, is := pods[fmt.Sprintf("%s-%d", sts.Name, ordinal)]; !is {
			w.createPod(sts, ordinal, hash)
			created = true
		}
	}
	for ordinal := end - 1; ordinal >= max(start, partition) && !created; ordinal-- {
		pod := pods[fmt.Sprintf("%s-%d", sts.Name, ordinal)]
		if pod.Labels[appsv1.ControllerRevisionHashLabelKey] != hash {
			w.remove(&pod)
			break
		}
	}
	sts.Status = appsv1.StatefulSetStatus{Replicas: *sts.Spec.Replicas, ReadyReplicas: *sts.Spec.Replicas, AvailableReplicas: *sts.Spec.Replicas}
	must(w.client.Status().Update(ctx, &sts))
}

func (w *groupWorld) createPod(sts appsv1.StatefulSet, ordinal int, hash string) {
	ctx := context.Background()
	template := sts.Spec.Template.DeepCopy()
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: sts.Namespace, Name: fmt.Sprintf("%s-%d", sts.Name, ordinal),
		Labels: map[string]string{}, Annotations: map[string]string{},
		OwnerReferences: []metav1.OwnerReference{*metav1.NewControllerRef(&sts, appsv1.SchemeGroupVersion.WithKind("StatefulSet"))}}, Spec: template.Spec}
	maps.Copy(pod.Labels, template.Labels)
	maps.Copy(pod.Annotations, template.Annotations)
	pod.Labels[appsv1.ControllerRevisionHashLabelKey] = hash
	pod.Spec.Hostname, pod.Spec.Subdomain, pod.Spec.NodeName = pod.Name, sts.Spec.ServiceName, "node"
	must(w.hook.Default(ctx, pod))
	must(w.client.Create(ctx, pod))
	pod.Status = corev1.PodStatus{Phase: corev1.PodRunning, Conditions: []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue}}}
	must(w.client.Status().Update(ctx, pod))
}
