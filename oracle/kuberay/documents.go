package main

import (
	_ "embed"
	"encoding/json"
	"strconv"
	"strings"

	rayv1 "github.com/ray-project/kuberay/ray-operator/apis/ray/v1"
)

//go:embed cases.json
var casesText []byte

// A change is a JSON pointer, and the value that stands there from now on; without one, nothing does.
type change []any

// inputs are what cases.json holds.
type inputs struct {
	Base        map[string]any `json:"base"`
	ServeConfig string         `json:"serveConfig"`
	Documents   []struct {
		Name string   `json:"name"`
		Set  []change `json:"set"`
	} `json:"documents"`
	Edits []edit `json:"edits"`
}

// An edit is made to the base after `From`, under each of the types.
type edit struct {
	Name  string   `json:"name"`
	Types []string `json:"types,omitempty"`
	From  []change `json:"from,omitempty"`
	Set   []change `json:"set"`
}

func readInputs() inputs {
	var read inputs
	must(json.Unmarshal(casesText, &read))
	return read
}

func copied(value any) any {
	text, err := json.Marshal(value)
	must(err)
	var out any
	must(json.Unmarshal(text, &out))
	return out
}

// changed is a copy of the object with all changes made, in order.
func changed(object map[string]any, changes []change) map[string]any {
	var out any = copied(object)
	for _, c := range changes {
		pointer := strings.Split(strings.TrimPrefix(c[0].(string), "/"), "/")
		if len(c) == 1 {
			out = put(out, pointer, nil, true)
		} else {
			out = put(out, pointer, copied(c[1]), false)
		}
	}
	return out.(map[string]any)
}

func put(holder any, pointer []string, value any, remove bool) any {
	if len(pointer) == 0 {
		return value
	}
	part := strings.ReplaceAll(strings.ReplaceAll(pointer[0], "~1", "/"), "~0", "~")
	if list, ok := holder.([]any); ok {
		index, err := strconv.Atoi(part)
		must(err)
		list[index] = put(list[index], pointer[1:], value, remove)
		return list
	}
	fields, ok := holder.(map[string]any)
	if !ok {
		fields = map[string]any{}
	}
	if len(pointer) == 1 && remove {
		delete(fields, part)
	} else {
		fields[part] = put(fields[part], pointer[1:], value, remove)
	}
	return fields
}

// withType is a copy of the object with this upgrade type; the options stand beside the incremental one alone.
func withType(object map[string]any, kind string) map[string]any {
	switch kind {
	case "unset":
		return changed(object, []change{{"/spec/upgradeStrategy"}})
	case "NewClusterWithIncrementalUpgrade":
		return changed(object, nil)
	}
	return changed(object, []change{{"/spec/upgradeStrategy", map[string]any{"type": kind}}})
}

// stored is the object as the operator reads it: what the CRD defaults is filled in, what the types lack is dropped.
func stored(object map[string]any) *rayv1.RayService {
	filled := copied(object).(map[string]any)
	if groups, ok := at(filled, "spec", "rayClusterConfig", "workerGroupSpecs").([]any); ok {
		for _, group := range groups {
			fill(group, map[string]any{"replicas": 0, "minReplicas": 0, "maxReplicas": 2147483647, "numOfHosts": 1})
			fillPorts(group)
		}
	}
	fillPorts(at(filled, "spec", "rayClusterConfig", "headGroupSpec"))
	fill(at(filled, "spec", "upgradeStrategy", "clusterUpgradeOptions"), map[string]any{"maxSurgePercent": 100})
	text, err := json.Marshal(filled)
	must(err)
	service := &rayv1.RayService{}
	must(json.Unmarshal(text, service))
	return service
}

func fillPorts(group any) {
	containers, _ := at(group, "template", "spec", "containers").([]any)
	for _, container := range containers {
		ports, _ := at(container, "ports").([]any)
		for _, port := range ports {
			fill(port, map[string]any{"protocol": "TCP"})
		}
	}
}

func at(value any, names ...string) any {
	for _, name := range names {
		fields, ok := value.(map[string]any)
		if !ok {
			return nil
		}
		value = fields[name]
	}
	return value
}

func fill(value any, defaults map[string]any) {
	fields, ok := value.(map[string]any)
	if !ok {
		return
	}
	for name, standard := range defaults {
		if fields[name] == nil {
			fields[name] = standard
		}
	}
}
