//go:build !kubernetes1.30

package main

import (
	"slices"

	utilerrors "k8s.io/apimachinery/pkg/util/errors"
	core "k8s.io/kubernetes/pkg/apis/core"
	podregistry "k8s.io/kubernetes/pkg/registry/core/pod"
)

const aboutLimitRanges = "Why a LimitRange refuses a pod that is created: `pod` is the spec that was sent, `limitRange` that of the namespace's LimitRange, " +
	"and `refused` all that the LimitRanger says once it has filled in what is missing; none of it where it takes the pod. " +
	"Where `podLevelResources` is false that gate is off, as before 1.34."

type limitRangeCase struct {
	Pod               fields   `json:"pod"`
	PodLevelResources bool     `json:"podLevelResources"`
	LimitRange        fields   `json:"limitRange"`
	Refused           []string `json:"refused,omitempty"`
}

func (c limitRangeCase) judged() any {
	limitRange := quotaCase{LimitRange: c.LimitRange}.limitRangeWithDefaults()
	if limitRange == nil {
		return nil
	}
	pod := decoded("Pod", fields{"name": "web-1"}, c.Pod).(*core.Pod)
	must(limitRanger.MutateLimit(limitRange, "pods", pod))
	if !isValid(pod, podregistry.Strategy) {
		return nil
	}
	if err := limitRanger.ValidateLimit(limitRange, "pods", pod); err != nil {
		for _, each := range err.(utilerrors.Aggregate).Errors() {
			c.Refused = append(c.Refused, each.Error())
		}
		slices.Sort(c.Refused) // maps are walked in any order
		c.Refused = slices.Compact(c.Refused)
	}
	return c
}

// Around the amounts that pods have, so that about half of them are refused.
var boundResources = []resourceChoice{
	{"cpu", 60, []any{"50m", "250m", "1", "2", "4", "8"}},
	{"memory", 60, []any{"64Mi", "512Mi", "1Gi", "2G", "4Gi", "16Gi"}},
	{"ephemeral-storage", 10, []any{"1Mi", "1Gi", "2Gi", "20Gi"}},
	{"nvidia.com/gpu", 10, []any{1, 2, 8}},
}

// boundsOf draws what of an item bounds amounts; a pod's defaults nobody gives.
func boundsOf(d dice, limitType string) fields {
	item := fields{"type": limitType}
	for _, choice := range boundResources {
		if !d.percent(choice.chance) {
			continue
		}
		low, high := d.pickIndexes(len(choice.amounts))
		set := func(field string, amount any) {
			of, _ := item[field].(fields)
			if of == nil {
				of = fields{}
				item[field] = of
			}
			of[choice.name] = amount
		}
		if d.percent(40) {
			set("min", choice.amounts[low])
		}
		if d.percent(50) {
			set("max", choice.amounts[high])
		}
		if d.percent(20) {
			set("maxLimitRequestRatio", pick(d, any("1"), any("1500m"), any("2"), any("10")))
		}
		if limitType == "Container" && d.percent(40) {
			set("default", choice.amounts[high])
		}
		if limitType == "Container" && d.percent(30) {
			set("defaultRequest", choice.amounts[low])
		}
	}
	return item
}

func limitRangeCases() []any {
	d := newDice(17)
	var cases []any
	for len(cases) < 1200 {
		limits := []any{}
		if d.percent(70) {
			limits = append(limits, boundsOf(d, "Container"))
		}
		if d.percent(50) {
			limits = append(limits, boundsOf(d, "Pod"))
		}
		c := limitRangeCase{Pod: podSpecOf(d), PodLevelResources: !d.percent(15), LimitRange: fields{"limits": limits}}
		if d.percent(20) {
			if made := resourcesOf(d, podResources); len(made) > 0 {
				c.Pod["resources"] = made
			}
		}
		setPodLevelResources(c.PodLevelResources)
		if judged := c.judged(); judged != nil {
			cases = append(cases, judged)
		}
	}
	setPodLevelResources(true)
	return cases
}
