package main

import (
	"context"
	"fmt"
	"slices"
	"time"
	_ "unsafe" // for go:linkname

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes/fake"
	podutil "k8s.io/kubernetes/pkg/api/v1/pod"
	"k8s.io/kubernetes/pkg/controller/deployment"
	_ "k8s.io/kubernetes/pkg/controller/replicaset"
)

// syncDeployment is one turn of the controller's loop.
//
//go:linkname syncDeployment k8s.io/kubernetes/pkg/controller/deployment.(*DeploymentController).syncDeployment
func syncDeployment(dc *deployment.DeploymentController, ctx context.Context, key string) error

// getPodsToDelete ranks the pods of a ReplicaSet and returns those that it deletes.
//
//go:linkname getPodsToDelete k8s.io/kubernetes/pkg/controller/replicaset.getPodsToDelete
func getPodsToDelete(pods, related []*corev1.Pod, diff int) []*corev1.Pod

// A deploymentController runs upstream's on counts of pods. The ReplicaSet controller creates as many pods as quotas admit, and deletes those that
// upstream ranks first, in each order of pods that are alike.
type deploymentController struct {
	replicas int32
	strategy appsv1.DeploymentStrategy
}

// setCounts is what the Deployment controller sees of a ReplicaSet: its replicas (-1 without it), and its pods.
type setCounts struct{ asked, pods, ready int }

// deploymentTurns remembers what a sync does, for all cases.
var deploymentTurns = map[string][2]int{}

func (d *deploymentController) start(pods []ownPod) state {
	return state{pods: pods, asked: [2]int{int(d.replicas), -1}}.sorted()
}

func (d *deploymentController) finished(s state) bool {
	ready := s.count(func(pod ownPod) bool { return pod.isNew && pod.ready })
	return ready == int(d.replicas) && len(s.pods) == ready
}

func template(revision int) corev1.PodTemplateSpec {
	return corev1.PodTemplateSpec{
		ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{"app": "web"}},
		Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "web", Image: fmt.Sprint("web:", revision)}}},
	}
}

func pointers[T any](items []T) []any {
	var list []any
	for i := range items {
		list = append(list, &items[i])
	}
	return list
}

func toPointer[T any](value T) *T { return &value }

// turn runs syncDeployment until the replicas of a ReplicaSet change, or nothing does: it may spend a sync on annotations, conditions or status.
func (d *deploymentController) turn(old, next setCounts) [2]int {
	key := fmt.Sprint(d.replicas, d.strategy.Type, d.strategy.RollingUpdate, old, next)
	if d.strategy.RollingUpdate != nil {
		key += d.strategy.RollingUpdate.MaxSurge.String() + "/" + d.strategy.RollingUpdate.MaxUnavailable.String()
	}
	if known, has := deploymentTurns[key]; has {
		return known
	}
	ctx := context.Background()
	client := fake.NewSimpleClientset()
	factory := informers.NewSharedInformerFactory(client, 0)
	apps, podStore := factory.Apps().V1(), factory.Core().V1().Pods()
	controller, err := deployment.NewDeploymentController(ctx, apps.Deployments(), apps.ReplicaSets(), podStore, client)
	must(err)
	labels := map[string]string{"app": "web"}
	d1 := &appsv1.Deployment{
		ObjectMeta: metav1.ObjectMeta{Name: "web", Namespace: namespace, UID: "web", Generation: 2, Annotations: map[string]string{"deployment.kubernetes.io/revision": "1"}},
		Spec:       appsv1.DeploymentSpec{Replicas: &d.replicas, Selector: &metav1.LabelSelector{MatchLabels: labels}, Template: template(2), Strategy: d.strategy, RevisionHistoryLimit: toPointer(int32(10))},
	}
	must(client.Tracker().Add(d1))
	for revision, counts := range [2]setCounts{old, next} {
		if counts.asked < 0 {
			continue
		}
		name := fmt.Sprint("web-", revision)
		set := &appsv1.ReplicaSet{
			ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: namespace, UID: types.UID(name), Labels: labels, CreationTimestamp: metav1.Unix(int64(1000*revision+1000), 0),
				Annotations:     map[string]string{"deployment.kubernetes.io/revision": fmt.Sprint(revision + 1)},
				OwnerReferences: []metav1.OwnerReference{*metav1.NewControllerRef(d1, appsv1.SchemeGroupVersion.WithKind("Deployment"))}},
			Spec: appsv1.ReplicaSetSpec{Replicas: toPointer(int32(counts.asked)), Selector: &metav1.LabelSelector{MatchLabels: labels}, Template: template(revision + 1)},
		}
		ready := int32(counts.ready)
		set.Status = appsv1.ReplicaSetStatus{Replicas: int32(counts.pods), FullyLabeledReplicas: int32(counts.pods), ReadyReplicas: ready, AvailableReplicas: ready}
		must(client.Tracker().Add(set))
		for i := range counts.pods {
			must(podStore.Informer().GetStore().Add(&corev1.Pod{
				ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprint(name, "-", i), Namespace: namespace, Labels: labels,
					OwnerReferences: []metav1.OwnerReference{*metav1.NewControllerRef(set, appsv1.SchemeGroupVersion.WithKind("ReplicaSet"))}},
				Status: corev1.PodStatus{Phase: corev1.PodRunning},
			}))
		}
	}
	result := [2]int{old.asked, next.asked}
	for range 5 {
		sets, err := client.AppsV1().ReplicaSets(namespace).List(ctx, metav1.ListOptions{})
		must(err)
		stored, err := client.AppsV1().Deployments(namespace).Get(ctx, "web", metav1.GetOptions{})
		must(err)
		must(apps.Deployments().Informer().GetStore().Replace([]any{stored}, ""))
		must(apps.ReplicaSets().Informer().GetStore().Replace(pointers(sets.Items), ""))
		must(syncDeployment(controller, ctx, namespace+"/web"))
		sets, err = client.AppsV1().ReplicaSets(namespace).List(ctx, metav1.ListOptions{})
		must(err)
		for _, set := range sets.Items {
			if set.Spec.Template.Spec.Containers[0].Image == "web:2" {
				result[1] = int(*set.Spec.Replicas)
			} else {
				result[0] = int(*set.Spec.Replicas)
			}
		}
		if result != [2]int{old.asked, next.asked} {
			break
		}
	}
	deploymentTurns[key] = result
	return result
}

// steps are, in this order: the controller scales ReplicaSets; a ReplicaSet creates a pod; a ReplicaSet deletes its surplus.
func (d *deploymentController) steps(c *cluster, s state) []state {
	var counts [2]setCounts
	for revision := range counts {
		counts[revision].asked = s.asked[revision]
		counts[revision].pods = s.count(func(pod ownPod) bool { return index(pod.isNew) == revision })
		counts[revision].ready = s.count(func(pod ownPod) bool { return index(pod.isNew) == revision && pod.ready })
	}
	if asked := d.turn(counts[0], counts[1]); asked != s.asked {
		return []state{s.with(func(s *state) { s.asked = asked })}
	}
	var found []state
	for revision, of := range counts {
		isNew := revision == 1
		switch {
		case of.asked > of.pods && c.admits(s, isNew):
			found = append(found, s.with(func(s *state) { s.pods = append(s.pods, ownPod{isNew: isNew, ordinal: -1, node: -1}) }))
		case of.asked >= 0 && of.asked < of.pods:
			found = append(found, c.deletions(s, isNew, of.pods-of.asked)...)
		}
	}
	return found
}

// deletions are the states after a ReplicaSet has deleted a number of pods: each choice that upstream makes for some UIDs of its pods.
func (c *cluster) deletions(s state, isNew bool, count int) []state {
	var positions []int
	for position, pod := range s.pods {
		if pod.isNew == isNew {
			positions = append(positions, position)
		}
	}
	var found []state
	seen := map[string]bool{}
	for _, gone := range subsets(positions, count) {
		left := s.with(func(s *state) {
			var pods []ownPod
			for position, pod := range s.pods {
				if !slices.Contains(gone, position) {
					pods = append(pods, pod)
				}
			}
			s.pods = pods
		})
		if key := left.key(); !seen[key] && c.deletes(s, positions, gone) {
			seen[key] = true
			found = append(found, left)
		}
	}
	return found
}

// deletes asks upstream whether it deletes these pods if their UIDs are the least.
func (c *cluster) deletes(s state, own, gone []int) bool {
	objects, _ := c.objects(s)
	since := metav1.NewTime(time.Now().Add(-time.Hour))
	var pods []*corev1.Pod
	for position, pod := range objects[:len(s.pods)] {
		first := "b"
		if slices.Contains(gone, position) {
			first = "a"
		}
		pod.UID = types.UID(fmt.Sprint(first, position))
		// Pods that became ready in the same moments of a logarithmic scale are told apart by UID alone; without that, by their order.
		pod.CreationTimestamp = metav1.NewTime(since.Add(time.Duration(position) * time.Millisecond))
		if podutil.IsPodReady(pod) {
			pod.Status.Conditions[0].LastTransitionTime = pod.CreationTimestamp
		}
		if slices.Contains(own, position) {
			pods = append(pods, pod)
		}
	}
	related := slices.Clone(objects[:len(s.pods)])
	for _, pod := range getPodsToDelete(pods, related, len(gone)) {
		if pod.UID[0] != 'a' {
			return false
		}
	}
	return true
}

func subsets(of []int, size int) [][]int {
	if size == 0 {
		return [][]int{nil}
	}
	var found [][]int
	for first := 0; first+size <= len(of); first++ {
		for _, rest := range subsets(of[first+1:], size-1) {
			found = append(found, append([]int{of[first]}, rest...))
		}
	}
	return found
}
