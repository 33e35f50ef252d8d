package main

import (
	"math/rand/v2"

	"k8s.io/apimachinery/pkg/util/intstr"
	recording "rolloutkit-oracle-recording"
)

// cluster is a set in the middle of a rollout: what the controller wrote last, and the groups.
type cluster struct {
	set
	leader
	groups []group
	// Does the API server keep the maxUnavailable of the StatefulSet?
	gate bool
}

// scale makes and takes away groups as the StatefulSet controller does; a new group below the partition is of the old revision.
func (c *cluster) scale() {
	for len(c.groups) > int(c.leader.replicas) {
		c.groups = c.groups[:len(c.groups)-1]
	}
	for len(c.groups) < int(c.leader.replicas) {
		c.groups = append(c.groups, group{updated: len(c.groups) >= int(c.leader.partition)})
	}
}

// replace deletes groups of the old revision down to the partition, which come again at once and not ready.
func (c *cluster) replace() {
	down := 0
	for _, g := range c.groups {
		if !g.ready {
			down++
		}
	}
	if !c.gate {
		for i := len(c.groups) - 1; i >= int(c.leader.partition); i-- {
			if !c.groups[i].updated {
				c.groups[i] = group{updated: true}
				return
			}
			if !c.groups[i].ready {
				return
			}
		}
		return
	}
	limit := leaderLimit(c.set, c.leader.replicas)
	for i := len(c.groups) - 1; i >= int(c.leader.partition) && down < limit; i-- {
		if !c.groups[i].updated {
			c.groups[i] = group{updated: true}
			down++
		}
	}
}

func (c *cluster) counts() [3]int {
	row := [3]int{}
	for _, g := range c.groups {
		if g.updated && c.leadersAlone {
			row[0]++
			continue
		}
		if g.updated {
			row[0]++
		} else {
			row[1]++
		}
		if g.ready {
			row[2]++
		}
	}
	return row
}

// settle lets both controllers work until nothing changes; did anything?
func (c *cluster) settle(updated bool) bool {
	changed := false
	for {
		before, groups := c.leader, append([]group{}, c.groups...)
		c.leader.partition, c.leader.replicas = turn(c.set, c.leader, c.groups, updated)
		c.leader.before = c.set.replicas
		updated = false
		c.scale()
		c.replace()
		if same := before == c.leader && equal(groups, c.groups); same {
			return changed
		}
		changed = true
	}
}

func equal(a, b []group) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// mostWaves is beyond what any recorded rollout needs: 2,000 groups one at a time, and the surge on top.
const mostWaves = 5000

func rolloutOf(s set, before int32, gate bool) [][3]int {
	groups := []group{}
	for range before {
		groups = append(groups, group{ready: true})
	}
	return rolloutFrom(s, groups, gate)
}

// rolloutFrom is the rollout of a new revision, whatever state the groups are in; those of an older revision that comes again are updated already.
func rolloutFrom(s set, groups []group, gate bool) [][3]int {
	before := int32(len(groups))
	c := cluster{set: s, leader: leader{replicas: before, before: before}, gate: gate, groups: groups}
	rows := [][3]int{}
	previous := c.counts()
	for wave := 0; wave < mostWaves; wave++ {
		c.settle(wave == 0)
		row := c.counts()
		if row == previous && wave > 0 {
			break
		}
		rows = append(rows, row)
		for i := range c.groups {
			c.groups[i].ready = true
		}
		previous = c.counts()
	}
	return rows
}

func rolloutCases() []any {
	r := rand.New(rand.NewPCG(3, 5))
	cases := []any{}
	add := func(s set, before int32, gate bool) {
		cases = append(cases, []any{s.seen(), before, gate, rolloutOf(s, before, gate)})
	}
	for replicas := int32(1); replicas < 6; replicas++ {
		for surge := int32(0); surge < 3; surge++ {
			for down := int32(0); down < 3; down++ {
				if surge+down == 0 {
					continue
				}
				s := set{replicas: replicas, maxSurge: intstr.FromInt32(surge), maxUnavailable: intstr.FromInt32(down)}
				add(s, replicas, false)
				add(s, replicas, true)
			}
		}
	}
	for range recording.NumberOf("CASES", 600) {
		s := randomSet(r)
		before := s.replicas
		if r.IntN(3) == 0 {
			before = r.Int32N(9)
		}
		add(s, before, r.IntN(2) == 0)
	}
	return cases
}

// changeCases are rollouts that overtake another, or go back: groups of both revisions, ready or not, from 0 up.
func changeCases() []any {
	r := rand.New(rand.NewPCG(41, 43))
	cases := []any{}
	for range recording.NumberOf("CASES", 800) {
		s, gate := randomSet(r), r.IntN(2) == 0
		groups := make([]group, max(0, s.replicas+r.Int32N(5)-1))
		if r.IntN(4) == 0 {
			groups = make([]group, r.Int32N(9))
		}
		goesBack := r.IntN(2) == 0
		for i := range groups {
			groups[i] = group{ready: r.IntN(3) > 0, updated: goesBack && r.IntN(2) == 0}
		}
		text := textOf(groups)
		cases = append(cases, []any{s.seen(), text, gate, rolloutFrom(s, groups, gate)})
	}
	return cases
}

// brokenCases are rollouts in which no new group gets its workers: until its leaders are all that there will be.
func brokenCases() []any {
	r := rand.New(rand.NewPCG(31, 37))
	cases := []any{}
	for range recording.NumberOf("CASES", 300) {
		s, gate := randomSet(r), r.IntN(2) == 0
		s.leadersAlone = true
		cases = append(cases, []any{s.seen(), s.replicas, gate, rolloutOf(s, s.replicas, gate)})
	}
	return cases
}

// longCases are rollouts of more than 1,000 waves, of which we go through a part alone: how many waves, the first 50 and the last 50.
func longCases() []any {
	cases := []any{}
	for _, s := range []set{
		{replicas: 1060, maxSurge: intstr.FromInt32(64), maxUnavailable: intstr.FromInt32(62)},
		{replicas: 1100, maxSurge: intstr.FromInt32(0), maxUnavailable: intstr.FromInt32(1)},
		{replicas: 1100, maxSurge: intstr.FromInt32(1), maxUnavailable: intstr.FromInt32(0)},
		{replicas: 1200, maxSurge: intstr.FromInt32(190), maxUnavailable: intstr.FromInt32(2), partition: 9},
		{replicas: 1200, maxSurge: intstr.FromInt32(2), maxUnavailable: intstr.FromInt32(190)},
		{replicas: 1300, maxSurge: intstr.FromString("20%"), maxUnavailable: intstr.FromString("0%"), partition: 40},
		{replicas: 1300, maxSurge: intstr.FromString("50%"), maxUnavailable: intstr.FromString("10%")},
	} {
		rows := rolloutOf(s, s.replicas, false)
		cases = append(cases, []any{s.seen(), len(rows), rows[:50], rows[len(rows)-50:]})
	}
	return cases
}
