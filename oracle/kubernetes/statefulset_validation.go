package main

import (
	"math/rand"

	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/kubernetes/pkg/registry/apps/statefulset"
)

const aboutStatefulSetValidation = "What the API server makes of a StatefulSet that is created, with the gate MaxUnavailableStatefulSet on and off " +
	"(`gate`); the rest as for Deployments."

type gatedVerdict struct {
	Gate bool `json:"gate"`
	verdict
}

var updateTypes = []any{absent{}, nil, "RollingUpdate", "OnDelete", "Recreate", "onDelete", "rollingupdate", "", 1}

var statefulUpdates = []any{
	absent{}, nil, fields{}, fields{"partition": 0}, fields{"partition": 2}, fields{"maxUnavailable": 2}, fields{"partition": 1, "maxUnavailable": "50%"},
	fields{"maxSurge": 1}, 5, []any{},
}

var partitions = []any{nil, 0, 1, 7, -1, 2147483647, number("2147483648"), number("1.5"), "1", "abc", "25%", true, fields{}}

func statefulSetSpecs() []fields {
	var specs []fields
	rolling := func(update any) fields {
		return fields{"updateStrategy": fields{"type": "RollingUpdate", "rollingUpdate": update}}
	}
	for _, kind := range updateTypes {
		for _, update := range statefulUpdates {
			specs = append(specs, fields{"updateStrategy": object("type", kind, "rollingUpdate", update)})
		}
	}
	for _, strategy := range []any{nil, 5, "OnDelete", []any{}, fields{"partition": 1}} {
		specs = append(specs, fields{"updateStrategy": strategy})
	}
	for _, value := range partitions {
		specs = append(specs, rolling(fields{"partition": value}))
	}
	for _, value := range pods {
		specs = append(specs, rolling(object("maxUnavailable", value)), rolling(object("partition", 1, "maxUnavailable", value)))
	}
	for _, value := range []any{nil, "OrderedReady", "Parallel", "parallel", "", 1} {
		specs = append(specs, fields{"podManagementPolicy": value})
	}
	for _, value := range []any{nil, fields{}, fields{"start": 0}, fields{"start": 5}, fields{"start": -1}, fields{"start": "1"}, fields{"start": number("1.5")}, 3} {
		specs = append(specs, fields{"ordinals": value})
	}
	for _, name := range []string{"replicas", "minReadySeconds", "revisionHistoryLimit"} {
		for _, value := range counts {
			specs = append(specs, fields{name: value})
		}
	}
	return append(specs, randomStatefulSetSpecs(60)...)
}

func randomStatefulSetSpecs(count int) []fields {
	random := rand.New(rand.NewSource(3))
	pick := func(values []any) any { return values[random.Intn(len(values))] }
	whole := []any{absent{}, absent{}, 0, 1, 3, -1}
	var specs []fields
	for range count {
		update := object("partition", pick([]any{absent{}, 0, 2, -1}), "maxUnavailable", pick([]any{absent{}, 0, 1, -1, "0%", "10%", "101%", "1", "abc"}))
		specs = append(specs, object(
			"replicas", pick(whole), "minReadySeconds", pick(whole), "revisionHistoryLimit", pick(whole),
			"podManagementPolicy", pick([]any{absent{}, "OrderedReady", "Parallel", "Sideways"}),
			"updateStrategy", object("type", pick([]any{absent{}, "RollingUpdate", "RollingUpdate", "OnDelete", "Recreate"}), "rollingUpdate", pick([]any{absent{}, update})),
		))
	}
	return specs
}

func statefulSetValidationCases() []any {
	kept := func(stored runtime.Object) fields {
		spec := stored.(*appsv1.StatefulSet).Spec
		return fields{
			"replicas": *spec.Replicas, "updateStrategy": spec.UpdateStrategy, "podManagementPolicy": spec.PodManagementPolicy,
			"minReadySeconds": spec.MinReadySeconds, "revisionHistoryLimit": *spec.RevisionHistoryLimit, "ordinals": spec.Ordinals,
		}
	}
	var cases []any
	for _, spec := range unique(statefulSetSpecs()) {
		sent := fields{"serviceName": "web"}
		for name, value := range spec {
			sent[name] = value
		}
		for _, gate := range []bool{false, true} {
			setGate(maxUnavailableGate, gate)
			result := create("StatefulSet", sent, statefulset.Strategy, kept).withStored(spec, "updateStrategy")
			result.Spec = spec
			cases = append(cases, gatedVerdict{gate, result})
		}
	}
	return cases
}
