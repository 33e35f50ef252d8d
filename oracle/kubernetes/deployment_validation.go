package main

import (
	"math/rand"

	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/kubernetes/pkg/registry/apps/deployment"
)

const aboutDeploymentValidation = "What the API server makes of a Deployment that is created: `spec` is what was sent, beside a sound selector and template; " +
	"`undecodable` the decoder's refusal, `unknown` what fieldValidation=Strict refuses, `errors` the rules broken, `stored` what is kept (null when refused)."

// absent leaves a field out.
type absent struct{}

// number is a JSON number that Go's int can't hold, or a fraction, written as it is.
type number string

func (n number) MarshalJSON() ([]byte, error) { return []byte(n), nil }

var pods = []any{
	absent{}, nil, 0, 1, 3, 50, -1, 2147483647, number("2147483648"), number("-2147483649"), number("1.5"), true,
	"", "0", "1", "-1", "+1", "0%", "1%", "25%", "99%", "100%", "101%", "150%", "-5%", "+5%", "1.5%", "00%", "007%", "abc", "%", "%1", " 25%", "25% ", "25 %", "1e1%", "٣%",
	"99999999999%", "99999999999999999999%", fields{}, []any{}, []any{1},
}

// The values that meet each other in every pair.
var commonPods = []any{absent{}, 0, 1, "0%", "1%", "25%", "100%", "101%", "1", "abc", -1, "00%"}

var strategyTypes = []any{absent{}, nil, "RollingUpdate", "Recreate", "rollingUpdate", "recreate", "RECREATE", "", "OnDelete", "rolling_update", 1, true, fields{}}

var rollingUpdates = []any{
	absent{}, nil, fields{}, fields{"maxSurge": 1}, fields{"maxUnavailable": 0}, fields{"maxSurge": 0, "maxUnavailable": 0}, fields{"maxSurge": nil},
	fields{"maxSurge": "1"}, fields{"maxsurge": 1}, fields{"max_surge": 1, "maxUnavailable": 2}, fields{"partition": 1}, 5, "25%", []any{}, true,
}

var counts = []any{nil, 0, 1, 600, -1, 2147483647, number("2147483648"), number("1.5"), "", "3", "-1", "abc", "25%", true, fields{}, []any{}}

// object leaves out what is absent.
func object(pairs ...any) fields {
	made := fields{}
	for i := 0; i < len(pairs); i += 2 {
		if _, left := pairs[i+1].(absent); !left {
			made[pairs[i].(string)] = pairs[i+1]
		}
	}
	return made
}

func deploymentSpecs() []fields {
	var specs []fields
	rolling := func(kind, surge, unavailable any) fields {
		return fields{"strategy": object("type", kind, "rollingUpdate", object("maxSurge", surge, "maxUnavailable", unavailable))}
	}
	for _, value := range pods {
		for _, other := range []any{absent{}, 0, "25%"} {
			specs = append(specs, rolling("RollingUpdate", value, other), rolling("RollingUpdate", other, value))
		}
	}
	for _, surge := range commonPods {
		for _, unavailable := range commonPods {
			specs = append(specs, rolling(absent{}, surge, unavailable))
		}
	}
	for _, kind := range strategyTypes {
		for _, update := range rollingUpdates {
			specs = append(specs, fields{"strategy": object("type", kind, "rollingUpdate", update)})
		}
	}
	for _, strategy := range []any{nil, 5, "Recreate", []any{}, true, fields{"maxSurge": 1}, fields{"Type": "Recreate"}, fields{"rolling_update": fields{"max_surge": 1}}} {
		specs = append(specs, fields{"strategy": strategy})
	}
	for _, name := range []string{"replicas", "minReadySeconds", "progressDeadlineSeconds", "revisionHistoryLimit"} {
		for _, value := range counts {
			specs = append(specs, fields{name: value})
		}
	}
	for _, ready := range []any{absent{}, 0, 5, 10, 600, 601} {
		for _, deadline := range []any{absent{}, nil, 0, 5, 10, 600, 601, 2147483647} {
			specs = append(specs, object("minReadySeconds", ready, "progressDeadlineSeconds", deadline))
		}
	}
	for _, paused := range []any{nil, true, false, "true", 1} {
		specs = append(specs, fields{"paused": paused})
	}
	return append(specs, randomDeploymentSpecs(150)...)
}

// randomDeploymentSpecs breaks several rules at once.
func randomDeploymentSpecs(count int) []fields {
	random := rand.New(rand.NewSource(2))
	pick := func(values []any) any { return values[random.Intn(len(values))] }
	whole := []any{absent{}, absent{}, 0, 1, 3, 600, -1, -7}
	kinds := []any{absent{}, "RollingUpdate", "RollingUpdate", "Recreate", "recreate"}
	halves := []any{absent{}, 0, 1, -1, "0%", "1%", "25%", "101%", "150%", "1", "abc", "-5%"}
	var specs []fields
	for range count {
		specs = append(specs, object(
			"replicas", pick(whole), "minReadySeconds", pick(whole), "progressDeadlineSeconds", pick(whole), "revisionHistoryLimit", pick(whole),
			"strategy", object("type", pick(kinds), "rollingUpdate", pick([]any{absent{}, object("maxSurge", pick(halves), "maxUnavailable", pick(halves))})),
		))
	}
	return specs
}

func deploymentValidationCases() []any {
	kept := func(stored runtime.Object) fields {
		spec := stored.(*appsv1.Deployment).Spec
		return fields{
			"replicas": *spec.Replicas, "strategy": spec.Strategy, "minReadySeconds": spec.MinReadySeconds, "paused": spec.Paused,
			"progressDeadlineSeconds": *spec.ProgressDeadlineSeconds, "revisionHistoryLimit": *spec.RevisionHistoryLimit,
		}
	}
	var cases []any
	for _, spec := range unique(deploymentSpecs()) {
		cases = append(cases, create("Deployment", spec, deployment.Strategy, kept).withStored(spec, "strategy"))
	}
	return cases
}
