package main

import (
	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/kubernetes/pkg/registry/apps/daemonset"
)

const aboutDaemonSetValidation = "What the API server makes of a DaemonSet that is created; the fields are those of kubernetes-deployment-validation."

// commonDaemonLimits meet each other in every pair.
var commonDaemonLimits = []any{absent{}, nil, 0, 1, 2, "0%", "1%", "25%", "100%", "101%", "1", "0", "abc", -1, "-5%", "00%"}

func daemonSetSpecs() []fields {
	var specs []fields
	rolling := func(kind, surge, unavailable any) fields {
		return fields{"updateStrategy": object("type", kind, "rollingUpdate", object("maxSurge", surge, "maxUnavailable", unavailable))}
	}
	for _, value := range pods {
		for _, other := range []any{absent{}, 0, "25%"} {
			specs = append(specs, rolling("RollingUpdate", value, other), rolling("RollingUpdate", other, value))
		}
	}
	for _, surge := range commonDaemonLimits {
		for _, unavailable := range commonDaemonLimits {
			specs = append(specs, rolling(absent{}, surge, unavailable))
		}
	}
	for _, kind := range strategyTypes {
		for _, update := range rollingUpdates {
			specs = append(specs, fields{"updateStrategy": object("type", kind, "rollingUpdate", update)})
		}
	}
	for _, update := range []any{fields{"maxSurge": 1, "maxUnavailable": 1}, fields{"maxSurge": "200%"}, fields{"maxSurge": 0, "maxUnavailable": "x"}} {
		specs = append(specs, fields{"updateStrategy": fields{"type": "OnDelete", "rollingUpdate": update}})
	}
	for _, strategy := range []any{nil, 5, "OnDelete", []any{}, true, fields{}, fields{"maxUnavailable": 1}, fields{"Type": "OnDelete"}, fields{"rolling_update": fields{"max_surge": 1}}} {
		specs = append(specs, fields{"updateStrategy": strategy})
	}
	for _, name := range []string{"minReadySeconds", "revisionHistoryLimit"} {
		for _, value := range counts {
			specs = append(specs, fields{name: value})
		}
	}
	for _, spec := range []fields{
		{"strategy": fields{"type": "RollingUpdate"}}, {"replicas": 3}, {"paused": true}, {"progressDeadlineSeconds": 600}, {"templateGeneration": 2},
		{"podManagementPolicy": "Parallel"}, {"update_strategy": fields{"type": "OnDelete"}},
	} {
		specs = append(specs, spec)
	}
	return append(specs, randomDaemonSetSpecs(120)...)
}

// randomDaemonSetSpecs break several rules at once.
func randomDaemonSetSpecs(count int) []fields {
	d := newDice(22)
	whole := []any{absent{}, absent{}, 0, 1, 30, -1, -7}
	limits := []any{absent{}, 0, 1, -1, "0%", "1%", "25%", "101%", "150%", "1", "abc", "-5%"}
	var specs []fields
	for range count {
		specs = append(specs, object(
			"minReadySeconds", pick(d, whole...), "revisionHistoryLimit", pick(d, whole...),
			"updateStrategy", object("type", pick[any](d, absent{}, "RollingUpdate", "RollingUpdate", "OnDelete", "Recreate"),
				"rollingUpdate", pick[any](d, absent{}, object("maxSurge", pick(d, limits...), "maxUnavailable", pick(d, limits...)))),
		))
	}
	return specs
}

func daemonSetValidationCases() []any {
	kept := func(stored runtime.Object) fields {
		spec := stored.(*appsv1.DaemonSet).Spec
		return fields{"updateStrategy": spec.UpdateStrategy, "minReadySeconds": spec.MinReadySeconds, "revisionHistoryLimit": *spec.RevisionHistoryLimit}
	}
	var cases []any
	for _, spec := range unique(daemonSetSpecs()) {
		cases = append(cases, create("DaemonSet", spec, daemonset.Strategy, kept).withStored(spec, "updateStrategy"))
	}
	return cases
}
