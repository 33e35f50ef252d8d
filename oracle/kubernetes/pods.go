package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	genericapirequest "k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	core "k8s.io/kubernetes/pkg/apis/core"
	"k8s.io/kubernetes/pkg/registry/core/pod"
)

// dice draws from lists, so that a seed gives the same cases again.
type dice struct{ *rand.Rand }

func newDice(seed int64) dice { return dice{rand.New(rand.NewSource(seed))} }

func (d dice) percent(chance int) bool { return d.Intn(100) < chance }

func pick[T any](d dice, values ...T) T { return values[d.Intn(len(values))] }

// pickIndexes draws two positions of a list, the smaller first.
func (d dice) pickIndexes(length int) (int, int) {
	a, b := d.Intn(length), d.Intn(length)
	return min(a, b), max(a, b)
}

var serverContext = genericapirequest.WithNamespace(context.Background(), "default")

// decoded sends a v1 object down the server's own way as far as its defaults.
func decoded(kind string, metadata, spec fields) runtime.Object {
	metadata["namespace"] = "default"
	body, err := json.Marshal(fields{"apiVersion": "v1", "kind": kind, "metadata": metadata, "spec": spec})
	must(err)
	internal := schema.GroupVersion{Version: runtime.APIVersionInternal}
	object, _, err := legacyscheme.Codecs.CodecForVersions(nil, legacyscheme.Codecs.UniversalDeserializer(), nil, internal).Decode(body, nil, nil)
	if err != nil {
		panic(fmt.Sprintf("%s: %v", body, err))
	}
	return object
}

// isValid prepares an object for its creation and asks its validation.
func isValid(object runtime.Object, strategy rest.RESTCreateStrategy) bool {
	strategy.PrepareForCreate(serverContext, object)
	return len(strategy.Validate(serverContext, object)) == 0
}

// decodedPod is a pod with the server's defaults; nil where its validation refuses it.
func decodedPod(metadata, spec fields) *core.Pod {
	made := decoded("Pod", metadata, spec).(*core.Pod)
	if !isValid(made, pod.Strategy) {
		return nil
	}
	return made
}

// A resourceChoice is a resource that a container may name, and amounts to name, the smaller ones first.
type resourceChoice struct {
	name    string
	chance  int
	amounts []any
}

var containerResources = []resourceChoice{
	{"cpu", 60, []any{"0", "1m", "100m", 0.5, "0.75", 1, "1500m", "2", "3.25"}},
	{"memory", 60, []any{0, "64Mi", "100M", "0.5Gi", "1e9", "1Gi", "1.5Gi", "4G"}},
	{"ephemeral-storage", 15, []any{"0", "1Gi", "2Gi", "10G"}},
	{"hugepages-2Mi", 8, []any{"2Mi", "4Mi", "64Mi"}},
	{"nvidia.com/gpu", 15, []any{0, 1, "2", 4}},
	{"example.com/licence", 5, []any{1, 3}},
}

// resourcesOf draws requests and limits: both, or one of them.
func resourcesOf(d dice, choices []resourceChoice) fields {
	requests, limits := fields{}, fields{}
	for _, choice := range choices {
		if !d.percent(choice.chance) {
			continue
		}
		low, high := d.pickIndexes(len(choice.amounts))
		if choice.name != "cpu" && choice.name != "memory" && choice.name != "ephemeral-storage" {
			low = high // no overcommitment: any other pair is refused
		}
		kinds := d.Intn(3)
		if kinds != 0 {
			limits[choice.name] = choice.amounts[high]
		}
		if kinds != 1 {
			requests[choice.name] = choice.amounts[low]
		}
	}
	made := fields{}
	if len(requests) > 0 {
		made["requests"] = requests
	}
	if len(limits) > 0 {
		made["limits"] = limits
	}
	return made
}

func containerOf(d dice, name string) fields {
	container := fields{"name": name, "image": "web:1"}
	if made := resourcesOf(d, containerResources); len(made) > 0 {
		container["resources"] = made
	}
	return container
}

// podSpecOf draws containers, init containers and sidecars.
func podSpecOf(d dice) fields {
	containers := []any{}
	for i := range 1 + d.Intn(3) {
		containers = append(containers, containerOf(d, fmt.Sprint("c", 9-i)))
	}
	spec := fields{"containers": containers}
	if d.percent(50) {
		inits := []any{}
		for i := range 1 + d.Intn(3) {
			container := containerOf(d, fmt.Sprint("i", i))
			if d.percent(40) {
				container["restartPolicy"] = "Always"
			}
			inits = append(inits, container)
		}
		spec["initContainers"] = inits
	}
	if d.percent(15) {
		spec["overhead"] = pick(d, fields{"cpu": "250m"}, fields{"memory": "120Mi"}, fields{"cpu": "50m", "memory": "64Mi"}, fields{"ephemeral-storage": "1Gi"})
	}
	return spec
}
