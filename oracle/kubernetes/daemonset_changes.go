package main

import (
	"context"
	"fmt"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"
	recording "rolloutkit-oracle-recording"
)

const aboutDaemonSetChanges = "The real DaemonSet controller (its syncDaemonSet, driven by hand, as in kubernetes-daemonset-waves) where the set does not stand at rest: some nodes have pods of the template that is applied. " +
	"Cases are as in that recording; of the nodes, updated: a new pod that is available; starting: a new pod that becomes it after the first wave; surging: an old pod that is available and a new one that becomes it. " +
	"A run ends where neither the controller moves nor a pod becomes available."

// becomeReady makes the pods of some nodes available.
func (c *daemonCluster) becomeReady(kinds ...string) bool {
	moved := false
	for _, pod := range c.allPods() {
		kind := c.kinds[pod.Spec.NodeName]
		wanted := len(kinds) == 0
		for _, one := range kinds {
			wanted = wanted || one == kind
		}
		if !wanted || isReady(pod) || staysUnready(kind, isNewPod(pod)) {
			continue
		}
		ready := pod.DeepCopy()
		ready.Status.Phase = corev1.PodRunning
		ready.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue, LastTransitionTime: metav1.Time{Time: c.clock.Now()}}}
		must(c.pods.Update(ready))
		moved = true
	}
	c.clock.Step(time.Second)
	return moved
}

func (c *daemonCluster) changeSet(key string, change func(*appsv1.DaemonSet)) *appsv1.DaemonSet {
	found, _, err := c.sets.GetByKey(key)
	must(err)
	changed := found.(*appsv1.DaemonSet).DeepCopy()
	changed.Generation++
	change(changed)
	must(c.sets.Update(changed))
	return changed
}

// rolledFrom runs a case once, from a rollout that has come as far as its nodes say.
func (c *daemonCluster) rolledFrom(d *daemonCase, atOnce bool) daemonOutcome {
	c.client.ClearActions()
	c.made++
	set := d.daemonSet(fmt.Sprint("web-", c.made))
	key := "default/" + set.Name
	strategy := set.Spec.UpdateStrategy
	set.Spec.Template.Spec.Containers[0].Image = "web:2"
	all, kinds := d.nodesOf(true)
	var early, late []*corev1.Node
	for _, node := range all {
		switch kinds[node.Name] {
		case "updated", "starting", "surging":
			early = append(early, node)
		case "fresh":
			continue
		}
		late = append(late, node)
	}
	c.kinds, c.atOnce, c.delayed = kinds, atOnce, nil
	for store, items := range map[cache.Indexer][]any{c.sets: {set}, c.revisions: nil, c.pods: nil, c.nodes: anyOf(early)} {
		must(store.Replace(items, ""))
	}
	c.settle(key)
	c.becomeReady("updated")
	var surging []*corev1.Pod
	for _, pod := range c.allPods() {
		if kinds[pod.Spec.NodeName] == "surging" {
			surging = append(surging, pod)
			must(c.pods.Delete(pod))
		}
	}

	must(c.nodes.Replace(anyOf(late), ""))
	c.changeSet(key, func(set *appsv1.DaemonSet) {
		set.Spec.UpdateStrategy = appsv1.DaemonSetUpdateStrategy{Type: appsv1.OnDeleteDaemonSetStrategyType}
		set.Spec.Template.Spec.Containers[0].Image = "web:1"
	})
	c.settle(key)
	c.becomeReady("healthy", "surging", "updated")
	for _, pod := range surging {
		must(c.pods.Add(pod))
	}

	must(c.nodes.Replace(anyOf(all), ""))
	changed := c.changeSet(key, func(set *appsv1.DaemonSet) {
		set.Spec.UpdateStrategy = strategy
		set.Spec.Template.Spec.Containers[0].Image = "web:2"
	})
	surge, unavailable, desired, err := daemonLimits(c.controller, context.Background(), changed, all, map[string][]*corev1.Pod{})
	must(err)
	d.resolved = [3]int{desired, surge, unavailable}
	outcome := daemonOutcome{waves: []daemonRow{}}
	for {
		before := c.changes
		c.settle(key)
		moved := c.changes != before
		if moved {
			outcome.waves = append(outcome.waves, c.row())
		}
		if !c.becomeReady() && !moved {
			break
		}
	}
	if c.row()[1] > 0 {
		outcome.halted = ptr(len(outcome.waves))
	}
	return outcome
}

func daemonSetChangeCases() []any {
	ignoreStaleness()
	cluster := newDaemonCluster()
	d := newDice(22)
	var cases []any
	seen := map[string]bool{}
	for len(cases) < 900 {
		nodes := nodeCounts{}
		isSurge := d.percent(50)
		kinds := []string{"healthy", "updated", "starting", "broken", "sick", "fresh"}
		if isSurge {
			kinds = append(kinds, "surging")
		}
		for i, kind := range kinds {
			if d.percent(75 - 10*i%50) {
				nodes[kind] = 1 + d.Intn(6-i%4)
			}
		}
		limit := any(1 + d.Intn(6))
		if d.percent(40) {
			limit = fmt.Sprint(8+d.Intn(93), "%")
		}
		surge, unavailable := surgeOr(limit, isSurge)
		c := daemonRolling(nodes, false, surge, unavailable)
		text, err := recording.Compact(c)
		must(err)
		if seen[string(text)] {
			continue
		}
		seen[string(text)] = true
		found := map[string]daemonOutcome{}
		for i := range 4 {
			outcome := cluster.rolledFrom(&c, i%2 == 1)
			line, err := recording.Compact(outcome)
			must(err)
			found[string(line)] = outcome
		}
		for _, line := range sortedKeys(found) {
			c.outcomes = append(c.outcomes, found[line])
		}
		cases = append(cases, c)
	}
	return cases
}
