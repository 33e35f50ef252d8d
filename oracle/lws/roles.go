//go:build !lws0.8 && !lws0.7

package main

import (
	"math/rand/v2"

	recording "rolloutkit-oracle-recording"
	"sigs.k8s.io/lws/pkg/controllers/disaggregatedset"
)

const aboutRoles = "rollouts of DisaggregatedSets: [groups before, groups wanted, maxSurge, maxUnavailable] of each role, " +
	"and the steps, [old, new] of each role, the first of them before anything moves"

func roleCases() []any {
	r := rand.New(rand.NewPCG(17, 19))
	cases := []any{}
	for n := range recording.NumberOf("CASES", 1500) {
		roles := 2
		if r.IntN(4) == 0 {
			roles = 2 + r.IntN(4)
		}
		before, wanted := make([]int, roles), make([]int, roles)
		config := make([]disaggregatedset.RollingUpdateConfig, roles)
		seen := [][]int{}
		for i := range roles {
			wanted[i] = 1 + r.IntN(9)
			before[i] = wanted[i]
			if n%3 == 0 {
				before[i] = r.IntN(10)
			}
			config[i] = disaggregatedset.RollingUpdateConfig{MaxSurge: r.IntN(4), MaxUnavailable: r.IntN(3)}
			if config[i].MaxSurge+config[i].MaxUnavailable == 0 {
				config[i].MaxSurge = 1
			}
			seen = append(seen, []int{before[i], wanted[i], config[i].MaxSurge, config[i].MaxUnavailable})
		}
		steps := [][][2]int{}
		for _, step := range disaggregatedset.ComputeAllSteps(before, wanted, config) {
			row := [][2]int{}
			for i := range roles {
				row = append(row, [2]int{step.Past[i], step.New[i]})
			}
			steps = append(steps, row)
		}
		cases = append(cases, []any{seen, steps})
	}
	return cases
}
