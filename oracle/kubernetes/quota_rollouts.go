package main

import (
	"context"
	"errors"
	"fmt"
	_ "unsafe" // for go:linkname

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"
	clienttesting "k8s.io/client-go/testing"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/controller/replicaset"
)

const aboutQuotaRollouts = "Rollouts by the real Deployment and ReplicaSet controllers (their syncs, driven by hand) in a namespace that lets no more than `quota` pods exist: all pods available, then the quota is set and the template changes. " +
	"A wave: both sync until nothing changes while no pod becomes ready (deleted ones vanish at once); then all pods become ready. `waves` rows are [newPods, oldPods, total, available], " +
	"without the last wave that changes nothing; `completes` says whether that stands at full strength with new pods alone."

//go:linkname syncReplicaSet k8s.io/kubernetes/pkg/controller/replicaset.(*ReplicaSetController).syncReplicaSet
func syncReplicaSet(rsc *replicaset.ReplicaSetController, ctx context.Context, key string) error

// observeCreation and observeDeletion are what the pods' watch calls: a ReplicaSet waits for the pods that it made and deleted.
//
//go:linkname observeCreation k8s.io/kubernetes/pkg/controller/replicaset.(*ReplicaSetController).addPod
func observeCreation(rsc *replicaset.ReplicaSetController, logger klog.Logger, pod any)

//go:linkname observeDeletion k8s.io/kubernetes/pkg/controller/replicaset.(*ReplicaSetController).deletePod
func observeDeletion(rsc *replicaset.ReplicaSetController, logger klog.Logger, pod any)

// A limitedRollout has both controllers, and pods of its own.
type limitedRollout struct {
	*rollout
	replicaSetController *replicaset.ReplicaSetController
	shown                map[string]*corev1.Pod
	quota, held, named   int
}

// noQuota lets every pod in.
const noQuota = 1 << 20

func newLimitedRollout(spec appsv1.DeploymentSpec) *limitedRollout {
	r := &limitedRollout{rollout: newRollout(spec), quota: noQuota}
	factory := r.informers
	r.replicaSetController = replicaset.NewReplicaSetController(
		context.Background(), factory.Apps().V1().ReplicaSets(), factory.Core().V1().Pods(), r.client, replicaset.BurstReplicas)
	r.client.PrependReactor("create", "replicasets", func(action clienttesting.Action) (bool, runtime.Object, error) {
		set := action.(clienttesting.CreateAction).GetObject().(*appsv1.ReplicaSet)
		r.made++
		set.UID = types.UID(fmt.Sprint("set-", r.made))
		set.CreationTimestamp = metav1.Unix(int64(1000*r.made), 0)
		return false, nil, nil
	})
	r.client.PrependReactor("create", "pods", func(action clienttesting.Action) (bool, runtime.Object, error) {
		if r.held >= r.quota {
			return true, nil, apierrors.NewForbidden(corev1.Resource("pods"), "", errors.New("exceeded quota"))
		}
		r.held++
		r.named++
		pod := action.(clienttesting.CreateAction).GetObject().(*corev1.Pod)
		pod.Name = fmt.Sprint(pod.GenerateName, r.named)
		pod.UID = types.UID(pod.Name)
		pod.CreationTimestamp = metav1.Unix(int64(1000*r.named), 0)
		pod.Status.Phase = corev1.PodPending
		return false, nil, nil
	})
	r.client.PrependReactor("delete", "pods", func(clienttesting.Action) (bool, runtime.Object, error) {
		r.held--
		return false, nil, nil
	})
	return r
}

func (r *limitedRollout) storedPods() []corev1.Pod {
	list, err := r.client.CoreV1().Pods("default").List(context.Background(), metav1.ListOptions{})
	must(err)
	return list.Items
}

// showCaches puts what is stored into the caches and tells the ReplicaSet controller of the pods that came and went.
func (r *limitedRollout) showCaches() {
	apps := r.informers.Apps().V1()
	must(apps.Deployments().Informer().GetStore().Replace([]any{r.deployment()}, ""))
	must(apps.ReplicaSets().Informer().GetStore().Replace(pointers(r.replicaSets()), ""))
	must(r.informers.Core().V1().Pods().Informer().GetStore().Replace(pointers(r.storedPods()), ""))

	now := map[string]*corev1.Pod{}
	for _, pod := range r.storedPods() {
		now[pod.Name] = &pod
		if r.shown[pod.Name] == nil {
			observeCreation(r.replicaSetController, klog.Background(), &pod)
		}
	}
	for name, pod := range r.shown {
		if now[name] == nil {
			observeDeletion(r.replicaSetController, klog.Background(), pod)
		}
	}
	r.shown = now
}

func (r *limitedRollout) allBecomeReady() {
	for _, pod := range r.storedPods() {
		r.becomesReady(pod)
	}
}

func (r *limitedRollout) becomesReady(pod corev1.Pod) {
	pod.Status.Phase = corev1.PodRunning
	pod.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue, LastTransitionTime: metav1.Unix(1, 0)}}
	_, err := r.client.CoreV1().Pods("default").UpdateStatus(context.Background(), &pod, metav1.UpdateOptions{})
	must(err)
}

// row is what stands: pods of the new template, of the old, of both, and those available.
func (r *limitedRollout) row() [4]int32 {
	var row [4]int32
	template := r.deployment().Spec.Template.Spec.Containers[0].Image
	for _, pod := range r.storedPods() {
		if pod.Spec.Containers[0].Image == template {
			row[0]++
		} else {
			row[1]++
		}
		row[2]++
		if pod.Status.Phase == corev1.PodRunning {
			row[3]++
		}
	}
	return row
}

// settle syncs both controllers to a fix point.
func (r *limitedRollout) settle() {
	for quiet := 0; quiet < quietSyncs; {
		before := r.row()
		r.showCaches()
		must(syncDeployment(r.controller, context.Background(), "default/web"))
		for _, set := range r.replicaSets() {
			r.showCaches()
			if err := syncReplicaSet(r.replicaSetController, context.Background(), "default/"+set.Name); err != nil && !apierrors.IsForbidden(err) {
				panic(err)
			}
		}
		if r.row() == before {
			quiet++
		} else {
			quiet = 0
		}
	}
}

type quotaRolloutCase struct {
	Replicas       int32      `json:"replicas"`
	MaxSurge       *int32     `json:"maxSurge,omitempty"`
	MaxUnavailable *int32     `json:"maxUnavailable,omitempty"`
	Quota          int        `json:"quota"`
	Completes      bool       `json:"completes"`
	Waves          [][4]int32 `json:"waves"`
}

func (c quotaRolloutCase) strategy() appsv1.DeploymentStrategy {
	if c.MaxSurge == nil {
		return appsv1.DeploymentStrategy{Type: appsv1.RecreateDeploymentStrategyType}
	}
	return rolling(c.Replicas, intstr.FromInt32(*c.MaxSurge), intstr.FromInt32(*c.MaxUnavailable)).strategy()
}

func (c quotaRolloutCase) recorded() quotaRolloutCase {
	r := newLimitedRollout(webDeployment(c.Replicas, c.strategy()))
	full := [4]int32{c.Replicas, 0, c.Replicas, c.Replicas}
	r.settle()
	r.allBecomeReady()
	r.settle()
	if start := r.row(); start != full {
		panic(fmt.Sprint("not at rest before the change: ", start))
	}
	r.quota = c.Quota
	r.changeTemplate()

	c.Waves = [][4]int32{}
	for {
		before := r.row()
		r.settle()
		if r.row() == before {
			break
		}
		c.Waves = append(c.Waves, r.row())
		r.allBecomeReady()
	}
	c.Completes = r.row() == full
	return c
}

func quotaRolloutCases() []any {
	d := newDice(12)
	var cases []any
	for replicas := range int32(4) {
		for quota := range int(replicas) + 4 {
			cases = append(cases, quotaRolloutCase{Replicas: replicas + 1, Quota: quota}.recorded())
		}
	}
	for len(cases) < 500 {
		replicas, surge, unavailable := 1+d.Int31n(8), d.Int31n(5), d.Int31n(5)
		c := quotaRolloutCase{Replicas: replicas, MaxSurge: &surge, MaxUnavailable: &unavailable, Quota: d.Intn(int(replicas) + 6)}
		if surge+unavailable > 0 {
			cases = append(cases, c.recorded())
		}
	}
	return cases
}
