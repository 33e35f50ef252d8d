package main

import (
	"context"
	"fmt"
	"math/rand"
	"slices"
	"strconv"
	"strings"
	_ "unsafe" // for go:linkname

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes/fake"
	clienttesting "k8s.io/client-go/testing"
	"k8s.io/kubernetes/pkg/controller/statefulset"
)

const aboutStatefulSetOrder = "The real StatefulSet controller (its sync, driven by hand): all pods available, then the template changes. " +
	"It syncs to a fix point while no pod becomes ready (deleted pods vanish at once), then all pods become ready, and again. `order`: ordinals as their pods were deleted; " +
	"`batches`: those deleted between two moments at which all pods were ready; `untouched`: ordinals still of the old revision; `minAvailable`: the fewest pods ready at a fix point. " +
	"`gate` is MaxUnavailableStatefulSet."

//go:linkname syncStatefulSet k8s.io/kubernetes/pkg/controller/statefulset.(*StatefulSetController).sync
func syncStatefulSet(ssc *statefulset.StatefulSetController, ctx context.Context, key string) error

type statefulRollout struct {
	client     *fake.Clientset
	controller *statefulset.StatefulSetController
	informers  informers.SharedInformerFactory
	deleted    []string
	// quota is how many pods the server takes; nil where it takes all.
	quota *podQuota
}

func newStatefulRollout(spec appsv1.StatefulSetSpec) *statefulRollout {
	client := fake.NewSimpleClientset()
	factory := informers.NewSharedInformerFactory(client, 0)
	apps, core := factory.Apps().V1(), factory.Core().V1()
	r := &statefulRollout{client: client, informers: factory}
	r.controller = statefulset.NewStatefulSetController(
		context.Background(), core.Pods(), apps.StatefulSets(), core.PersistentVolumeClaims(), apps.ControllerRevisions(), client)
	client.PrependReactor("create", "pods", func(action clienttesting.Action) (bool, runtime.Object, error) {
		pod := action.(clienttesting.CreateAction).GetObject().(*corev1.Pod)
		pod.Status.Phase = corev1.PodPending // as the server does
		return false, nil, nil
	})
	client.PrependReactor("create", "pods", r.refuse)
	client.PrependReactor("delete", "pods", func(action clienttesting.Action) (bool, runtime.Object, error) {
		r.deleted = append(r.deleted, action.(clienttesting.DeleteAction).GetName())
		if r.quota != nil {
			r.quota.held--
		}
		return false, nil, nil
	})
	_, err := client.AppsV1().StatefulSets("default").Create(context.Background(), &appsv1.StatefulSet{
		ObjectMeta: metav1.ObjectMeta{Name: "web", Namespace: "default", UID: "web", Generation: 1}, Spec: spec,
	}, metav1.CreateOptions{})
	must(err)
	return r
}

func (r *statefulRollout) set() *appsv1.StatefulSet {
	set, err := r.client.AppsV1().StatefulSets("default").Get(context.Background(), "web", metav1.GetOptions{})
	must(err)
	return set
}

func (r *statefulRollout) pods() []corev1.Pod {
	list, err := r.client.CoreV1().Pods("default").List(context.Background(), metav1.ListOptions{})
	must(err)
	return list.Items
}

func (r *statefulRollout) showCaches() {
	apps, core := r.informers.Apps().V1(), r.informers.Core().V1()
	must(apps.StatefulSets().Informer().GetStore().Replace([]any{r.set()}, ""))
	revisions, err := r.client.AppsV1().ControllerRevisions("default").List(context.Background(), metav1.ListOptions{})
	must(err)
	must(apps.ControllerRevisions().Informer().GetStore().Replace(pointers(revisions.Items), ""))
	must(core.Pods().Informer().GetStore().Replace(pointers(r.pods()), ""))
}

func pointers[T any](items []T) []any {
	var list []any
	for i := range items {
		list = append(list, &items[i])
	}
	return list
}

func isReady(pod *corev1.Pod) bool { return len(pod.Status.Conditions) > 0 }

// state is what a sync can change in the pods.
func (r *statefulRollout) state() string {
	var lines []string
	for _, pod := range r.pods() {
		lines = append(lines, fmt.Sprint(pod.Name, pod.Labels[appsv1.StatefulSetRevisionLabel], isReady(&pod)))
	}
	slices.Sort(lines)
	return strings.Join(lines, " ")
}

func (r *statefulRollout) settle() {
	for quiet := 0; quiet < quietSyncs; {
		before := r.state()
		r.showCaches()
		if err := syncStatefulSet(r.controller, context.Background(), "default/web"); err != nil && !isOfQuota(err) {
			panic(err)
		}
		if r.state() == before {
			quiet++
		} else {
			quiet = 0
		}
	}
}

func (r *statefulRollout) allBecomeReady() {
	for _, pod := range r.pods() {
		pod.Status.Phase = corev1.PodRunning
		pod.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue, LastTransitionTime: metav1.Unix(1000, 0)}}
		_, err := r.client.CoreV1().Pods("default").Update(context.Background(), &pod, metav1.UpdateOptions{})
		must(err)
	}
}

func (r *statefulRollout) ready() int32 {
	count := int32(0)
	for _, pod := range r.pods() {
		if isReady(&pod) {
			count++
		}
	}
	return count
}

// finish lets pods become ready at each fix point until nothing moves; at each it tells how many are.
func (r *statefulRollout) finish(atFixPoint func(ready, pods int32)) {
	for {
		before := r.state()
		r.settle()
		atFixPoint(r.ready(), int32(len(r.pods())))
		r.allBecomeReady()
		if r.state() == before {
			return
		}
	}
}

type orderCase struct {
	Gate           bool                `json:"gate"`
	Replicas       int32               `json:"replicas"`
	Policy         string              `json:"podManagementPolicy"`
	Type           string              `json:"type"`
	Partition      int32               `json:"partition"`
	MaxUnavailable *intstr.IntOrString `json:"maxUnavailable,omitempty"`
	Start          int32               `json:"start"`
	Order          []int               `json:"order"`
	Batches        [][]int             `json:"batches"`
	Untouched      []int               `json:"untouched"`
	MinAvailable   int32               `json:"minAvailable"`
}

func ordinal(name string) int {
	number, err := strconv.Atoi(name[strings.LastIndex(name, "-")+1:])
	must(err)
	return number
}

func recordOrder(c orderCase) orderCase {
	setGate(maxUnavailableGate, c.Gate)
	spec := appsv1.StatefulSetSpec{
		Replicas: &c.Replicas, ServiceName: "web", RevisionHistoryLimit: ptr(int32(10)),
		Selector:            &metav1.LabelSelector{MatchLabels: map[string]string{"app": "web"}},
		PodManagementPolicy: appsv1.PodManagementPolicyType(c.Policy),
		UpdateStrategy:      appsv1.StatefulSetUpdateStrategy{Type: appsv1.StatefulSetUpdateStrategyType(c.Type)},
		Ordinals:            &appsv1.StatefulSetOrdinals{Start: c.Start},
		Template: corev1.PodTemplateSpec{
			ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{"app": "web"}},
			Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "web", Image: "web:1"}}},
		},
	}
	if c.Type == "RollingUpdate" {
		spec.UpdateStrategy.RollingUpdate = &appsv1.RollingUpdateStatefulSetStrategy{Partition: &c.Partition, MaxUnavailable: c.MaxUnavailable}
	}
	r := newStatefulRollout(spec)
	r.finish(func(_, _ int32) {})
	if r.ready() != c.Replicas {
		panic("not at rest before the change")
	}

	set := r.set()
	set.Generation++
	set.Spec.Template.Spec.Containers[0].Image = "web:2"
	_, err := r.client.AppsV1().StatefulSets("default").Update(context.Background(), set, metav1.UpdateOptions{})
	must(err)

	c.Order, c.Batches, c.Untouched, c.MinAvailable = []int{}, [][]int{}, []int{}, c.Replicas
	var batch []int
	r.deleted = nil
	r.finish(func(ready, pods int32) {
		for _, name := range r.deleted {
			batch = append(batch, ordinal(name))
		}
		r.deleted = nil
		c.MinAvailable = min(c.MinAvailable, ready)
		// All pods are there, so all become ready now: what was deleted since the last such moment was down together.
		if pods == c.Replicas && batch != nil {
			c.Order = append(c.Order, batch...)
			c.Batches = append(c.Batches, batch)
			batch = nil
		}
	})
	for _, pod := range r.pods() {
		if pod.Spec.Containers[0].Image == "web:1" {
			c.Untouched = append(c.Untouched, ordinal(pod.Name))
		}
	}
	slices.Sort(c.Untouched)
	if r.ready() != c.Replicas {
		panic("not at rest after the change")
	}
	return c
}

func statefulSetOrderCases() []any {
	ignoreStaleness()
	var cases []any
	add := func(c orderCase) {
		for _, gate := range []bool{false, true} {
			c.Gate = gate
			cases = append(cases, recordOrder(c))
		}
	}
	policies := []string{"OrderedReady", "Parallel"}
	for _, policy := range policies {
		for _, replicas := range []int32{0, 1, 2, 5} {
			for _, unavailable := range []any{nil, 1, 2, 3, "10%", "50%", "100%", 9} {
				for _, partition := range []int32{0, 2} {
					add(orderCase{Replicas: replicas, Policy: policy, Type: "RollingUpdate", Partition: partition, MaxUnavailable: intOrString(unavailable)})
				}
			}
			add(orderCase{Replicas: replicas, Policy: policy, Type: "OnDelete"})
		}
		for _, partition := range []int32{0, 1, 4, 5, 6, 10, 12} {
			add(orderCase{Replicas: 5, Policy: policy, Type: "RollingUpdate", Partition: partition, Start: 10, MaxUnavailable: intOrString(2)})
		}
	}
	random := rand.New(rand.NewSource(5))
	for range 60 {
		replicas := 1 + random.Int31n(16)
		unavailable := any(1 + random.Intn(int(replicas)+2))
		if random.Intn(2) == 0 {
			unavailable = fmt.Sprint(1+random.Intn(100), "%")
		}
		add(orderCase{
			Replicas: replicas, Policy: policies[random.Intn(2)], Type: "RollingUpdate", Start: random.Int31n(4),
			Partition: max(0, random.Int31n(replicas+6)-4), MaxUnavailable: intOrString(unavailable),
		})
	}
	return cases
}

func intOrString(value any) *intstr.IntOrString {
	switch v := value.(type) {
	case int:
		return ptr(intstr.FromInt32(int32(v)))
	case string:
		return ptr(intstr.FromString(v))
	default:
		return nil
	}
}
