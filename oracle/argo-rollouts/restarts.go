package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand"
	"time"

	"github.com/argoproj/argo-rollouts/pkg/apis/rollouts/v1alpha1"
	corev1 "k8s.io/api/core/v1"
	policy "k8s.io/api/policy/v1beta1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	core "k8s.io/client-go/testing"
	recording "rolloutkit-oracle-recording"
)

type restartCase struct {
	Spec json.RawMessage `json:"spec"`
	// Before is spec.replicas before the same change; nil where it leaves them.
	Before *int32 `json:"before,omitempty"`
	// StepsChange says that the same change writes other steps.
	StepsChange bool `json:"stepsChange,omitempty"`
	// Young is how many pods are younger than restartAt.
	Young int   `json:"young,omitempty"`
	Rows  []row `json:"rows"`
	// Error is where the controller stops.
	Error string `json:"error,omitempty"`
}

// restarting is a world with pods, which the restarter goes by.
type restarting struct {
	*world
	made int
}

func (r *restarting) list() []corev1.Pod {
	return must(r.kube.CoreV1().Pods(namespace).List(context.TODO(), metav1.ListOptions{})).Items
}

func isReady(pod corev1.Pod) bool {
	return pod.Status.Conditions[0].Status == corev1.ConditionTrue
}

// replaced makes each ReplicaSet have as many pods as it asks for, and its status what they are.
func (r *restarting) replaced() {
	for _, set := range r.replicaSets() {
		have, ready := int32(0), int32(0)
		for _, pod := range r.list() {
			if string(pod.OwnerReferences[0].UID) != set.Name {
				continue
			}
			if have == *set.Spec.Replicas {
				must(0, r.kube.CoreV1().Pods(namespace).Delete(context.TODO(), pod.Name, metav1.DeleteOptions{}))
				continue
			}
			have++
			if isReady(pod) {
				ready++
			}
		}
		for ; have < *set.Spec.Replicas; have++ {
			r.made++
			pod := &corev1.Pod{
				ObjectMeta: metav1.ObjectMeta{
					Name: fmt.Sprintf("pod-%05d", r.made), Namespace: namespace, Labels: map[string]string{"app": "web"},
					CreationTimestamp: metav1.NewTime(r.now),
					OwnerReferences:   []metav1.OwnerReference{{Kind: "ReplicaSet", Name: set.Name, UID: types.UID(set.Name)}},
				},
				Status: corev1.PodStatus{Conditions: []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionFalse}}},
			}
			must(r.kube.CoreV1().Pods(namespace).Create(context.TODO(), pod, metav1.CreateOptions{}))
		}
		r.ready[set.Name] = ready
	}
	r.pods()
}

func (r *restarting) start() {
	for _, pod := range r.list() {
		pod.Status.Conditions[0].Status = corev1.ConditionTrue
		pod.Status.Conditions[0].LastTransitionTime = metav1.NewTime(r.now)
		must(r.kube.CoreV1().Pods(namespace).Update(context.TODO(), &pod, metav1.UpdateOptions{}))
	}
	r.replaced()
}

func (r *restarting) settleWithPods() error {
	for turn := 0; turn < 200; turn++ {
		r.replaced()
		r.cached()
		before := r.state()
		made := r.made
		if err := r.sync(); err != nil {
			return err
		}
		r.replaced()
		if r.state() == before && made == r.made {
			return nil
		}
	}
	return fmt.Errorf("never settles")
}

func (r *restarting) podRow(at time.Time) row {
	made := row{}
	for _, pod := range r.list() {
		if pod.CreationTimestamp.Time.Before(at) {
			made.Old++
		} else {
			made.New++
		}
		if isReady(pod) {
			made.Available++
		}
	}
	if made.Available < made.New+made.Old {
		made.Until = "ready"
	}
	return made
}

func runRestart(spec json.RawMessage, before *int32, stepsChange bool, young int) restartCase {
	made := restartCase{Spec: spec, Before: before, StepsChange: stepsChange}
	ro, err := rolloutOf(spec)
	if err != nil {
		made.Error = err.Error()
		return made
	}
	replicas := ro.Spec.Replicas
	if before != nil {
		ro.Spec.Replicas = before
	}
	paused := ro.Spec.Paused
	ro.Spec.Paused = false
	r := &restarting{world: newWorld(ro)}
	if err := rest(r.world); err != nil {
		made.Error = "at rest: " + err.Error()
		return made
	}
	r.kube.PrependReactor("create", "pods", func(action core.Action) (bool, runtime.Object, error) {
		if action.GetSubresource() != "eviction" {
			return false, nil, nil
		}
		evicted := action.(core.CreateAction).GetObject().(*policy.Eviction)
		return true, nil, r.kube.Tracker().Delete(corev1.SchemeGroupVersion.WithResource("pods"), namespace, evicted.Name)
	})
	r.replaced()
	r.start()
	r.now = r.now.Add(time.Hour)
	at := r.now.Add(-time.Second)
	for _, pod := range r.list()[:min(young, len(r.list()))] {
		must(0, r.kube.CoreV1().Pods(namespace).Delete(context.TODO(), pod.Name, metav1.DeleteOptions{}))
		made.Young++
	}
	r.replaced()
	r.start()
	r.patch(func(ro *v1alpha1.Rollout) {
		ro.Spec.RestartAt = &metav1.Time{Time: at}
		ro.Spec.Replicas, ro.Spec.Paused = replicas, paused
		if stepsChange {
			weight := int32(7)
			ro.Spec.Strategy.Canary.Steps = append(ro.Spec.Strategy.Canary.Steps, v1alpha1.CanaryStep{SetWeight: &weight})
		}
	})
	for turn := 0; turn < 200; turn++ {
		if err := r.settleWithPods(); err != nil {
			made.Error = err.Error()
			return made
		}
		next := r.podRow(at)
		made.Rows = append(made.Rows, next)
		if next.Until == "" {
			return made
		}
		r.start()
	}
	made.Error = "never ends"
	return made
}

// restartCases are random Rollouts at rest that get a restartAt, some of them with other replicas or other steps beside it.
func restartCases() []any {
	random := rand.New(rand.NewSource(int64(recording.NumberOf("SEED", 3))))
	cases := []any{}
	for count := recording.NumberOf("CASES", 600); count > 0; count-- {
		var spec fields
		if err := json.Unmarshal(randomSpec(random), &spec); err != nil {
			panic(err)
		}
		if blueGreen, ok := spec["strategy"].(fields)["blueGreen"].(fields); ok && random.Intn(2) == 0 {
			blueGreen["maxUnavailable"] = limit(random)
		}
		var before *int32
		switch random.Intn(4) {
		case 0:
			was := int32(replicas(random))
			before = &was
		case 1:
			spec["paused"] = true
		}
		_, isCanary := spec["strategy"].(fields)["canary"]
		stepsChange := isCanary && random.Intn(6) == 0
		young := 0
		if random.Intn(3) == 0 && before == nil {
			young = random.Intn(6)
		}
		cases = append(cases, runRestart(must(recording.Compact(spec)), before, stepsChange, young))
	}
	return cases
}
