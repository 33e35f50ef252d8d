package main

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"

	utilerrors "k8s.io/apimachinery/pkg/util/errors"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/utils/ptr"
	recording "rolloutkit-oracle-recording"
	lwsv1 "sigs.k8s.io/lws/api/leaderworkerset/v1"
	"sigs.k8s.io/lws/pkg/webhooks"
)

const aboutRefusals = "sets under the defaulting and the validating webhook: name, [replicas, size, subGroupSize or null, type of subgroups or null], " +
	"[maxSurge, maxUnavailable, partition], and the paths that are refused"

func refusals(lws *lwsv1.LeaderWorkerSet) []string {
	hook := &webhooks.LeaderWorkerSetWebhook{}
	must(hook.Default(context.Background(), lws))
	_, err := hook.ValidateCreate(context.Background(), lws)
	if err == nil {
		return nil
	}
	paths := []string{}
	var all utilerrors.Aggregate
	if !errors.As(err, &all) {
		panic(err)
	}
	for _, one := range all.Errors() {
		var refused *field.Error
		if errors.As(one, &refused) && !slices.Contains(paths, refused.Field) {
			paths = append(paths, refused.Field)
		}
	}
	return paths
}

func pick[T any](r *rand.Rand, values ...T) T { return values[r.IntN(len(values))] }

func anyLimit(r *rand.Rand) intstr.IntOrString {
	if r.IntN(2) == 0 {
		return intstr.FromInt32(pick[int32](r, -1, 0, 0, 1, 2, 5, 100))
	}
	return intstr.FromString(pick(r, "0%", "1%", "10%", "25%", "50%", "100%", "101%", "1", "a%", "-5%", "%", "", "5 %", "007%", "1.5%"))
}

func refusalCases() []any {
	r := rand.New(rand.NewPCG(11, 13))
	cases := []any{}
	for range recording.NumberOf("CASES", 1500) {
		s := set{replicas: pick[int32](r, 0, 1, 1, 2, 5, 10, -1), maxSurge: anyLimit(r), maxUnavailable: anyLimit(r), partition: pick[int32](r, 0, 0, 3, -1)}
		if s.replicas == 10 {
			s.replicas = pick[int32](r, 10, 1<<20)
		}
		lws := s.object()
		lws.Name = pick(r, "set", "set", "set-a", "1set", "a.b", "Set")
		size := pick[int32](r, 1, 2, 4, 5, 0, -2, 1<<12)
		lws.Spec.LeaderWorkerTemplate.Size = ptr.To(size)
		var subGroup, subType any
		if r.IntN(3) == 0 {
			of := pick[int32](r, 1, 2, 3, 4, 5, -1)
			kind := pick(r, lwsv1.SubGroupPolicyTypeLeaderWorker, lwsv1.SubGroupPolicyTypeLeaderExcluded)
			lws.Spec.LeaderWorkerTemplate.SubGroupPolicy = &lwsv1.SubGroupPolicy{SubGroupSize: ptr.To(of), Type: ptr.To(kind)}
			subGroup, subType = of, kind
		}
		paths := refusals(lws)
		if paths == nil {
			paths = []string{}
		}
		cases = append(cases, []any{lws.Name, []any{s.replicas, size, subGroup, subType}, []any{seenValue(s.maxSurge), seenValue(s.maxUnavailable), s.partition}, paths})
	}
	return cases
}
