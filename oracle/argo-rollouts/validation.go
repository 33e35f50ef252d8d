package main

import (
	"encoding/json"
	"math/rand"

	"github.com/argoproj/argo-rollouts/pkg/apis/rollouts/validation"
	recording "rolloutkit-oracle-recording"
)

type validationCase struct {
	Spec json.RawMessage `json:"spec"`
	// Refused is the first error, at which the controller stops.
	Refused string `json:"refused,omitempty"`
}

func pick(random *rand.Rand, values ...any) any { return values[random.Intn(len(values))] }

// oddStep is a step of any kind, or of several, or of none.
func oddStep(random *rand.Rand) fields {
	step := fields{}
	for count := 1 + random.Intn(5)/4; count > 0; count-- {
		switch random.Intn(9) {
		case 0:
			step["setWeight"] = pick(random, -1, 0, 50, 100, 101, 150)
		case 1:
			step["pause"] = pick(random, fields{}, fields{"duration": 5}, fields{"duration": -1}, fields{"duration": "1m30s"}, fields{"duration": "soon"}, fields{"duration": ""})
		case 2:
			step["setCanaryScale"] = fields{"replicas": 1}
		case 3:
			step["analysis"] = fields{"templates": []any{fields{"templateName": "ok"}}}
		case 4:
			step["experiment"] = fields{"templates": []any{pick(random, fields{"name": "a", "specRef": "canary"}, fields{"name": "a", "specRef": "canary", "weight": 5})}}
		case 5:
			step["setHeaderRoute"] = fields{"name": pick(random, "route", "other")}
		case 6:
			step["setMirrorRoute"] = fields{"name": pick(random, "route", "other")}
		case 7:
			step["plugin"] = fields{"name": "a/b"}
		}
	}
	return step
}

func oddRouting(random *rand.Rand) fields {
	made := fields{}
	for count := random.Intn(3); count > 0; count-- {
		switch random.Intn(6) {
		case 0:
			made["nginx"] = fields{"stableIngress": "ingress"}
		case 1:
			made["istio"] = pick(random, fields{"virtualService": fields{"name": "web"}}, fields{"destinationRule": fields{"name": "web", "canarySubsetName": "c", "stableSubsetName": "s"}})
		case 2:
			made["alb"] = pick(random, fields{"ingress": "i", "servicePort": 80}, fields{"ingress": "i", "servicePort": 80, "rootService": "root"})
		case 3:
			made["smi"] = fields{}
		case 4:
			made["plugins"] = fields{"a/b": fields{}}
		case 5:
			made["apisix"] = fields{}
		}
	}
	if random.Intn(4) == 0 {
		made["maxTrafficWeight"] = 150
	}
	if random.Intn(2) == 0 {
		made["managedRoutes"] = []any{fields{"name": "route"}}
	}
	return made
}

func oddCanary(random *rand.Rand) fields {
	made := fields{}
	set := func(name string, odds int, values ...any) {
		if random.Intn(odds) == 0 {
			made[name] = pick(random, values...)
		}
	}
	set("maxSurge", 2, 0, 1, "0", "0%", "5", "25%", "x")
	set("maxUnavailable", 2, 0, 1, "0", "0%", "5", "25%", "x")
	set("canaryService", 2, "one", "two")
	set("stableService", 2, "one")
	set("scaleDownDelaySeconds", 6, 0, 30)
	set("dynamicStableScale", 6, true, false)
	set("pingPong", 6, fields{"pingService": "a", "pongService": "b"}, fields{"pingService": "a", "pongService": "a"}, fields{"pingService": "a"})
	set("antiAffinity", 8, fields{}, fields{"requiredDuringSchedulingIgnoredDuringExecution": fields{}}, fields{"preferredDuringSchedulingIgnoredDuringExecution": fields{"weight": 0}}, fields{"preferredDuringSchedulingIgnoredDuringExecution": fields{"weight": 50}})
	if random.Intn(2) == 0 {
		made["trafficRouting"] = oddRouting(random)
	}
	if random.Intn(2) == 0 {
		steps := []any{}
		for count := random.Intn(3); count > 0; count-- {
			steps = append(steps, oddStep(random))
		}
		made["steps"] = steps
	}
	return made
}

func oddBlueGreen(random *rand.Rand) fields {
	made := fields{"activeService": pick(random, "one", "")}
	if random.Intn(2) == 0 {
		made["previewService"] = pick(random, "one", "two", "")
	}
	if random.Intn(3) == 0 {
		made["scaleDownDelayRevisionLimit"] = pick(random, 0, 5, 20)
	}
	return made
}

// validationCases are random specs, most of them with something odd.
func validationCases() []any {
	random := rand.New(rand.NewSource(int64(recording.NumberOf("SEED", 1))))
	cases := []any{}
	for count := recording.NumberOf("CASES", 1500); count > 0; count-- {
		strategy := fields{}
		if random.Intn(10) > 0 {
			strategy["canary"] = oddCanary(random)
		}
		if random.Intn(6) == 0 {
			strategy["blueGreen"] = oddBlueGreen(random)
		}
		spec := fields{"strategy": strategy}
		for _, name := range []string{"replicas", "minReadySeconds", "revisionHistoryLimit", "progressDeadlineSeconds"} {
			if random.Intn(10) == 0 {
				spec[name] = pick(random, -1, 0, 5, 700)
			}
		}
		made := validationCase{Spec: must(recording.Compact(spec))}
		ro, err := rolloutOf(made.Spec)
		if err != nil {
			panic(err)
		}
		if found := validation.ValidateRollout(ro); len(found) > 0 {
			made.Refused = found[0].Error()
		}
		cases = append(cases, made)
	}
	return cases
}
