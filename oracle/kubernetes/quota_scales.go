package main

import (
	"context"
	"errors"
	"math/rand"
	"slices"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
	clienttesting "k8s.io/client-go/testing"
)

const aboutQuotaScales = "Scales, with another template or without, by the real controllers of Deployments, ReplicaSets and StatefulSets (their syncs, driven by hand): all `from` pods available, then at most `room` pods get in " +
	"and `to` replicas are applied, with another image where it `rolls`. Where `refused`, the server refuses a pod beyond the room, as under a quota; else the pod exists, has no node and is never ready. " +
	"`waves` rows are [newPods, oldPods, total, available] at each fix point that differs from the one before, after which pods with a place become ready; `end` is the last of them with all of that done. " +
	"Without maxSurge a Deployment is of type Recreate; of a StatefulSet `deleted` are the ordinals as their pods were deleted."

type scaleCase struct {
	Kind           string     `json:"kind"`
	MaxSurge       *int32     `json:"maxSurge,omitempty"`
	MaxUnavailable *int32     `json:"maxUnavailable,omitempty"`
	Paused         bool       `json:"paused,omitempty"`
	Policy         string     `json:"podManagementPolicy,omitempty"`
	Partition      *int32     `json:"partition,omitempty"`
	Gate           bool       `json:"gate,omitempty"`
	From           int32      `json:"from"`
	To             int32      `json:"to"`
	Rolls          bool       `json:"rolls"`
	Room           int        `json:"room"`
	Refused        bool       `json:"refused"`
	Waves          [][4]int32 `json:"waves"`
	End            [4]int32   `json:"end"`
	Deleted        []int      `json:"deleted,omitempty"`
}

// placed are pods that have a node: the oldest ones get one while there is room.
func placed(pods []corev1.Pod, room int) []corev1.Pod {
	slices.SortStableFunc(pods, func(a, b corev1.Pod) int {
		if (a.Spec.NodeName == "") != (b.Spec.NodeName == "") {
			return len(b.Spec.NodeName) - len(a.Spec.NodeName)
		}
		return a.CreationTimestamp.Compare(b.CreationTimestamp.Time)
	})
	held := 0
	for i := range pods {
		if pods[i].Spec.NodeName != "" {
			held++
		}
	}
	for i := range pods {
		if pods[i].Spec.NodeName == "" && held < room {
			pods[i].Spec.NodeName = "node"
			held++
		}
	}
	return slices.DeleteFunc(pods, func(pod corev1.Pod) bool { return pod.Spec.NodeName == "" })
}

func rowOf(pods []corev1.Pod, image string) [4]int32 {
	var row [4]int32
	for _, pod := range pods {
		if pod.Spec.Containers[0].Image == image {
			row[0]++
		} else {
			row[1]++
		}
		row[2]++
		if isReady(&pod) {
			row[3]++
		}
	}
	return row
}

func ready(pod corev1.Pod) *corev1.Pod {
	pod.Status.Phase = corev1.PodRunning
	pod.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue, LastTransitionTime: metav1.Unix(1000, 0)}}
	return &pod
}

func (c scaleCase) limitOf(refused, others int) int {
	if c.Refused {
		return refused
	}
	return others
}

// rows settles until nothing moves any more; between two fix points the pods with a place become ready.
func (c *scaleCase) rows(settle func(), row func() [4]int32, becomeReady func()) {
	c.Waves = [][4]int32{}
	for {
		before := row()
		settle()
		if now := row(); now != before {
			c.Waves = append(c.Waves, now)
		}
		becomeReady()
		settle()
		if c.End = row(); c.End == before {
			return
		}
	}
}

func (c scaleCase) image() string {
	if c.Rolls {
		return "web:2"
	}
	return "web:1"
}

func (c scaleCase) ofDeployment() scaleCase {
	strategy := appsv1.DeploymentStrategy{Type: appsv1.RecreateDeploymentStrategyType}
	if c.MaxSurge != nil {
		strategy = rolling(c.From, intstr.FromInt32(*c.MaxSurge), intstr.FromInt32(*c.MaxUnavailable)).strategy()
	}
	r := newLimitedRollout(webDeployment(c.From, strategy))
	r.settle()
	becomeReady := func() {
		for _, pod := range placed(r.storedPods(), c.limitOf(noQuota, c.Room)) {
			_, err := r.client.CoreV1().Pods("default").Update(context.Background(), ready(pod), metav1.UpdateOptions{})
			must(err)
		}
	}
	room := c.Room
	c.Room = noQuota
	becomeReady()
	c.Room = room
	r.settle()
	r.quota = c.limitOf(c.Room, noQuota)
	d := r.deployment()
	d.Generation++
	d.Spec.Replicas, d.Spec.Paused, d.Spec.Template.Spec.Containers[0].Image = &c.To, c.Paused, c.image()
	_, err := r.client.AppsV1().Deployments("default").Update(context.Background(), d, metav1.UpdateOptions{})
	must(err)
	c.rows(r.settle, func() [4]int32 { return rowOf(r.storedPods(), c.image()) }, becomeReady)
	return c
}

func (c scaleCase) ofStatefulSet() scaleCase {
	setGate(maxUnavailableGate, c.Gate)
	spec := appsv1.StatefulSetSpec{
		Replicas: &c.From, ServiceName: "web", RevisionHistoryLimit: ptr(int32(10)),
		Selector:            &metav1.LabelSelector{MatchLabels: map[string]string{"app": "web"}},
		PodManagementPolicy: appsv1.PodManagementPolicyType(c.Policy),
		UpdateStrategy: appsv1.StatefulSetUpdateStrategy{
			Type: appsv1.RollingUpdateStatefulSetStrategyType, RollingUpdate: &appsv1.RollingUpdateStatefulSetStrategy{Partition: c.Partition},
		},
		Template: corev1.PodTemplateSpec{
			ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{"app": "web"}},
			Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "web", Image: "web:1"}}},
		},
	}
	if c.Gate && c.MaxUnavailable != nil {
		spec.UpdateStrategy.RollingUpdate.MaxUnavailable = ptr(intstr.FromInt32(*c.MaxUnavailable))
	}
	r := newStatefulRollout(spec)
	r.finish(func(_, _ int32) {})
	for _, pod := range r.pods() {
		pod.Spec.NodeName = "node"
		_, err := r.client.CoreV1().Pods("default").Update(context.Background(), &pod, metav1.UpdateOptions{})
		must(err)
	}
	if c.Refused {
		r.quota = &podQuota{held: len(r.pods()), hard: c.Room}
	}
	becomeReady := func() {
		for _, pod := range placed(r.pods(), c.limitOf(noQuota, c.Room)) {
			_, err := r.client.CoreV1().Pods("default").Update(context.Background(), ready(pod), metav1.UpdateOptions{})
			must(err)
		}
	}
	r.deleted = nil
	r.take(statefulStep{replicas: &c.To, image: c.image()})
	c.rows(r.settle, func() [4]int32 { return rowOf(r.pods(), c.image()) }, becomeReady)
	for _, name := range r.deleted {
		c.Deleted = append(c.Deleted, ordinal(name))
	}
	return c
}

// isOfQuota says whether a quota refused what a sync was to create; of several pods the errors come together.
func isOfQuota(err error) bool { return strings.Contains(err.Error(), "exceeded quota") }

var errQuota = apierrors.NewForbidden(corev1.Resource("pods"), "", errors.New("exceeded quota"))

// quotaScaleCases go up and down, with room for none, some or all.
func quotaScaleCases() []any {
	ignoreStaleness()
	random := rand.New(rand.NewSource(31))
	var cases []any
	for range 500 {
		c := scaleCase{Kind: "Deployment", From: random.Int31n(9), To: random.Int31n(12), Rolls: random.Intn(3) == 0, Refused: random.Intn(2) == 0}
		c.Room = random.Intn(int(max(c.From, c.To)) + 4)
		if random.Intn(6) > 0 {
			surge, unavailable := random.Int31n(4), random.Int31n(4)
			if surge+unavailable == 0 {
				surge = 1
			}
			c.MaxSurge, c.MaxUnavailable = &surge, &unavailable
		}
		c.Paused = !c.Rolls && random.Intn(4) == 0
		cases = append(cases, c.ofDeployment())
	}
	for range 300 {
		c := scaleCase{Kind: "StatefulSet", Policy: "OrderedReady", From: random.Int31n(7), To: random.Int31n(10), Rolls: random.Intn(3) == 0, Refused: random.Intn(2) == 0}
		c.Room = random.Intn(int(max(c.From, c.To)) + 2)
		c.Partition = ptr(max(0, random.Int31n(14)-6))
		if random.Intn(2) == 0 {
			c.Policy = "Parallel"
		}
		if random.Intn(2) == 0 {
			c.Gate, c.MaxUnavailable = true, ptr(1+random.Int31n(3))
		}
		cases = append(cases, c.ofStatefulSet())
	}
	return cases
}

// A podQuota lets so many pods exist; the fake clientset asks it under its own lock.
type podQuota struct{ held, hard int }

func (r *statefulRollout) refuse(clienttesting.Action) (bool, runtime.Object, error) {
	if r.quota == nil {
		return false, nil, nil
	}
	if r.quota.held >= r.quota.hard {
		return true, nil, errQuota
	}
	r.quota.held++
	return false, nil, nil
}
