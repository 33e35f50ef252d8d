package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	_ "unsafe"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/utils/ptr"
	recording "rolloutkit-oracle-recording"
	"sigs.k8s.io/controller-runtime/pkg/client"
	lwsv1 "sigs.k8s.io/lws/api/leaderworkerset/v1"
	"sigs.k8s.io/lws/pkg/controllers"
)

const aboutSteps = "one turn of the controller: [replicas, maxSurge, maxUnavailable, partition of the user] of the set, [replicas, partition, replicas before] " +
	"of its StatefulSet, its groups from 0 up (r ready, u updated, b both, - neither), is the revision new, and [partition, replicas] that it writes then, -1 where it panics"

const aboutRollouts = "whole rollouts: [replicas, maxSurge, maxUnavailable, partition of the user], replicas before, does the StatefulSet keep its maxUnavailable, " +
	"and the rows [new groups, old groups, ready groups] once both controllers have nothing left to do until a group becomes ready; we play the StatefulSet controller and the kubelet"

const aboutChanges = "whole rollouts from groups in any state: [replicas, maxSurge, maxUnavailable, partition of the user], the groups before from 0 up " +
	"(r ready, u of the revision that is wanted, b both, - neither), does the StatefulSet keep its maxUnavailable, and the rows as in lws-rollouts"

const aboutLong = "whole rollouts of more than 1,000 waves, without the gate: [replicas, maxSurge, maxUnavailable, partition of the user], how many waves, " +
	"and the first 50 and the last 50 of the rows [new groups, old groups, ready groups]"

const aboutBroken = "whole rollouts, none of whose new groups gets its workers: [replicas, maxSurge, maxUnavailable, partition of the user], replicas before, " +
	"does the StatefulSet keep its maxUnavailable, and the rows [new groups, old groups, ready groups] until nothing moves"

const revision = "next"

//go:linkname rollingUpdateParameters sigs.k8s.io/lws/pkg/controllers.(*LeaderWorkerSetReconciler).rollingUpdateParameters
func rollingUpdateParameters(r *controllers.LeaderWorkerSetReconciler, ctx context.Context, lws *lwsv1.LeaderWorkerSet, sts *appsv1.StatefulSet, revisionKey string, updated bool) (int32, int32, error)

// world is what the controller lists: the leader pods and the StatefulSets of their workers.
type world struct {
	client.Client
	groups []group
	// Are there no workers in any new group?
	leadersAlone bool
}

type group struct{ ready, updated bool }

func (w *world) List(_ context.Context, list client.ObjectList, _ ...client.ListOption) error {
	for index, group := range w.groups {
		labels := map[string]string{lwsv1.GroupIndexLabelKey: fmt.Sprint(index), lwsv1.RevisionKey: "before"}
		if group.updated {
			labels[lwsv1.RevisionKey] = revision
		}
		meta := metav1.ObjectMeta{Name: fmt.Sprintf("set-%d", index), Labels: labels}
		switch all := list.(type) {
		case *corev1.PodList:
			pod := corev1.Pod{ObjectMeta: meta, Status: corev1.PodStatus{Phase: corev1.PodRunning}}
			if group.ready {
				pod.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue}}
			}
			all.Items = append(all.Items, pod)
		case *appsv1.StatefulSetList:
			if w.leadersAlone && group.updated {
				continue
			}
			sts := appsv1.StatefulSet{ObjectMeta: meta, Spec: appsv1.StatefulSetSpec{Replicas: ptr.To[int32](1)}}
			if group.ready {
				// Up to 0.8 workers count once they are there, from 0.9 on once they are available.
				sts.Status.Replicas, sts.Status.AvailableReplicas = 1, 1
			}
			all.Items = append(all.Items, sts)
		}
	}
	return nil
}

// set is what the user writes of a LeaderWorkerSet that matters here.
type set struct {
	replicas, partition      int32
	maxSurge, maxUnavailable intstr.IntOrString
	// leadersAlone: the API server refuses the StatefulSet of the workers of every new group.
	leadersAlone bool
}

func (s set) object() *lwsv1.LeaderWorkerSet {
	return &lwsv1.LeaderWorkerSet{
		ObjectMeta: metav1.ObjectMeta{Name: "set", Namespace: "default"},
		Spec: lwsv1.LeaderWorkerSetSpec{
			Replicas:             ptr.To(s.replicas),
			LeaderWorkerTemplate: lwsv1.LeaderWorkerTemplate{Size: ptr.To[int32](2)},
			RolloutStrategy: lwsv1.RolloutStrategy{
				Type: lwsv1.RollingUpdateStrategyType,
				RollingUpdateConfiguration: &lwsv1.RollingUpdateConfiguration{
					Partition: ptr.To(s.partition), MaxSurge: s.maxSurge, MaxUnavailable: s.maxUnavailable,
				},
			},
		},
	}
}

func (s set) seen() []any {
	return []any{s.replicas, seenValue(s.maxSurge), seenValue(s.maxUnavailable), s.partition}
}

func seenValue(value intstr.IntOrString) any {
	if value.Type == intstr.String {
		return value.StrVal
	}
	return value.IntVal
}

// leader is what the controller knows of the StatefulSet of the leaders.
type leader struct{ replicas, partition, before int32 }

// turn asks the controller what it writes; -1 and -1 where it panics, as up to 0.8 with fewer groups than are wanted.
func turn(s set, l leader, groups []group, updated bool) (partition, replicas int32) {
	defer func() {
		if recover() != nil {
			partition, replicas = -1, -1
		}
	}()
	sts := &appsv1.StatefulSet{
		ObjectMeta: metav1.ObjectMeta{Annotations: map[string]string{lwsv1.ReplicasAnnotationKey: fmt.Sprint(l.before)}},
		Spec: appsv1.StatefulSetSpec{
			Replicas: ptr.To(l.replicas),
			UpdateStrategy: appsv1.StatefulSetUpdateStrategy{
				RollingUpdate: &appsv1.RollingUpdateStatefulSetStrategy{Partition: ptr.To(l.partition)},
			},
		},
	}
	var err error
	partition, replicas, err = rollingUpdateParameters(reconciler(&world{groups: groups, leadersAlone: s.leadersAlone}), context.Background(), s.object(), sts, revision, updated)
	must(err)
	return partition, replicas
}

func randomLimit(r *rand.Rand, replicas int32) intstr.IntOrString {
	if r.IntN(3) == 0 {
		return intstr.FromString(fmt.Sprintf("%d%%", r.IntN(101)))
	}
	return intstr.FromInt32(r.Int32N(replicas + 3))
}

// randomSet is one that the webhook takes.
func randomSet(r *rand.Rand) set {
	for {
		s := set{replicas: r.Int32N(9)}
		s.maxSurge, s.maxUnavailable = randomLimit(r, s.replicas), randomLimit(r, s.replicas)
		if r.IntN(4) == 0 {
			s.maxSurge = intstr.FromInt32(0)
		}
		if r.IntN(4) == 0 {
			s.partition = r.Int32N(s.replicas + 2)
		}
		if len(refusals(s.object())) == 0 {
			return s
		}
	}
}

func textOf(groups []group) string {
	text := ""
	for _, one := range groups {
		text += map[group]string{{true, true}: "b", {true, false}: "r", {false, true}: "u", {}: "-"}[one]
	}
	return text
}

func stepCases() []any {
	r := rand.New(rand.NewPCG(7, 14))
	cases := []any{}
	for range recording.NumberOf("CASES", 1500) {
		s := randomSet(r)
		l := leader{before: s.replicas}
		if r.IntN(4) == 0 {
			l.before = r.Int32N(9)
		}
		l.replicas = max(0, s.replicas+r.Int32N(6)-2)
		l.partition = r.Int32N(l.replicas + 2)
		groups := make([]group, l.replicas)
		for i := range groups {
			groups[i] = group{ready: r.IntN(3) > 0, updated: r.IntN(2) == 0}
		}
		updated := r.IntN(5) == 0
		partition, replicas := turn(s, l, groups, updated)
		cases = append(cases, []any{s.seen(), []int32{l.replicas, l.partition, l.before}, textOf(groups), updated, []int32{partition, replicas}})
	}
	return cases
}
