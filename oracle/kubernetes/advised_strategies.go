package main

import (
	"sort"

	corev1 "k8s.io/api/core/v1"
)

const aboutAdvisedStrategies = "Every strategy of a Deployment, run by the real Deployment and ReplicaSet controllers as in kubernetes-quota-rollouts, in a namespace that lets no more than `quota` pods exist, " +
	"or on nodes with room for `slots` pods, or both: pods beyond them exist and wait, and get a slot in the order of their creation. `runs` rows are [maxSurge, maxUnavailable, completes, waves, peak pods, least available]; " +
	"maxSurge -1 is Recreate. `waves` counts those that change something, without a last one that only deletes pods."

// An advisedCase is one Deployment in one namespace, with all its strategies.
type advisedCase struct {
	Replicas int32      `json:"replicas"`
	Quota    int        `json:"quota,omitempty"`
	Slots    int        `json:"slots,omitempty"`
	Runs     [][6]int32 `json:"runs"`
}

// someBecomeReady gives slots to pods in the order of their creation; those with a slot become ready.
func (r *limitedRollout) someBecomeReady(slots int) {
	pods := r.storedPods()
	sort.Slice(pods, func(i, j int) bool { return pods[i].CreationTimestamp.Before(&pods[j].CreationTimestamp) })
	taken := 0
	for _, pod := range pods {
		if pod.Status.Phase == corev1.PodRunning {
			taken++
		}
	}
	for _, pod := range pods {
		if pod.Status.Phase == corev1.PodRunning || taken >= slots {
			continue
		}
		taken++
		r.becomesReady(pod)
	}
}

// advisedRun runs one strategy and returns its row.
func advisedRun(c advisedCase, surge, unavailable int32) [6]int32 {
	strategy := quotaRolloutCase{Replicas: c.Replicas, MaxSurge: &surge, MaxUnavailable: &unavailable}
	if surge < 0 {
		strategy = quotaRolloutCase{Replicas: c.Replicas}
	}
	r := newLimitedRollout(webDeployment(c.Replicas, strategy.strategy()))
	r.settle()
	r.allBecomeReady()
	r.settle()
	if c.Quota > 0 {
		r.quota = c.Quota
	}
	slots := noQuota
	if c.Slots > 0 {
		slots = c.Slots
	}
	r.changeTemplate()
	waves, peak, least := int32(0), c.Replicas, c.Replicas
	for {
		before := r.row()
		r.settle()
		row := r.row()
		if row == before {
			break
		}
		if row[0] > before[0] || row[3] < row[2] {
			waves++
		}
		peak = max(peak, row[2])
		least = min(least, row[3])
		r.someBecomeReady(slots)
	}
	completes := int32(0)
	if r.row() == [4]int32{c.Replicas, 0, c.Replicas, c.Replicas} {
		completes = 1
	}
	return [6]int32{surge, unavailable, completes, waves, peak, least}
}

func advisedStrategyCases() []any {
	var cases []any
	add := func(c advisedCase) {
		for surge := range c.Replicas + 1 {
			for unavailable := range c.Replicas + 1 {
				if surge+unavailable > 0 {
					c.Runs = append(c.Runs, advisedRun(c, surge, unavailable))
				}
			}
		}
		c.Runs = append(c.Runs, advisedRun(c, -1, 0))
		cases = append(cases, c)
	}
	for replicas := int32(1); replicas <= 8; replicas++ {
		for extra := range int(replicas) + 1 {
			add(advisedCase{Replicas: replicas, Quota: int(replicas) + extra})
		}
	}
	for replicas := int32(1); replicas <= 6; replicas++ {
		for extra := range int(replicas) {
			add(advisedCase{Replicas: replicas, Slots: int(replicas) + extra})
		}
	}
	for replicas := int32(2); replicas <= 6; replicas++ {
		for quota := range int(replicas) + 1 {
			for slots := range int(replicas) + 1 {
				if quota != slots && quota+slots <= int(replicas) {
					add(advisedCase{Replicas: replicas, Quota: int(replicas) + quota, Slots: int(replicas) + slots})
				}
			}
		}
	}
	return cases
}
