package main

import (
	corev1 "k8s.io/api/core/v1"
)

// A leaderWorkerSetController re-states how a LeaderWorkerSet without maxSurge replaces groups: from the last one on, with at most maxUnavailable
// groups that are not ready. A group is deleted with all its pods. Its leader is created first, then its workers.
type leaderWorkerSetController struct{ groups, size, unavailable int }

func (l *leaderWorkerSetController) start(pods []ownPod) state {
	return state{pods: pods, asked: [2]int{-1, -1}}.sorted()
}

func (l *leaderWorkerSetController) finished(s state) bool {
	ready := s.count(func(pod ownPod) bool { return pod.isNew && pod.ready })
	return ready == l.groups*l.size && len(s.pods) == ready
}

func (l *leaderWorkerSetController) steps(c *cluster, s state) []state {
	broken := 0
	for group := range l.groups {
		member := func(pod ownPod) bool { return pod.ordinal/l.size == group }
		if s.count(func(pod ownPod) bool { return member(pod) && pod.ready }) < l.size {
			broken++
		}
		hasOld := s.count(func(pod ownPod) bool { return member(pod) && !pod.isNew }) > 0
		if hasOld {
			continue
		}
		for index := range l.size {
			ordinal := group*l.size + index
			if s.count(func(pod ownPod) bool { return pod.ordinal == ordinal }) > 0 {
				continue
			}
			if !c.admits(s, true) {
				break
			}
			return []state{s.with(func(s *state) { s.pods = append(s.pods, ownPod{isNew: true, ordinal: ordinal, node: -1}) })}
		}
	}
	for group := l.groups - 1; group >= 0; group-- {
		if s.count(func(pod ownPod) bool { return pod.ordinal/l.size == group && !pod.isNew }) == 0 {
			continue
		}
		if broken >= l.unavailable {
			return nil
		}
		return []state{s.with(func(s *state) {
			var pods []ownPod
			for _, pod := range s.pods {
				if pod.ordinal/l.size != group {
					pods = append(pods, pod)
				}
			}
			s.pods = pods
		})}
	}
	return nil
}

var leaderWorkerSetKind = kind{
	name: "LeaderWorkerSet", apiVersion: "leaderworkerset.x-k8s.io/v1", revisionLabel: "leaderworkerset.sigs.k8s.io/template-revision-hash",
	themes: []string{"size", "selector", "taints", "gpu", "quota"},
	spec: func(d *draft) fields {
		groups := 1 + d.Intn(2)
		size := 2
		if groups == 1 && d.percent(40) {
			size = 3
		}
		d.replicas = groups * size
		unavailable := 1 + d.Intn(groups)
		return fields{"replicas": groups, "rolloutStrategy": fields{"type": "RollingUpdate", "rollingUpdateConfiguration": fields{"maxUnavailable": unavailable, "maxSurge": 0}}, "leaderWorkerTemplate": fields{"size": size}}
	},
	ordinals: func(d *draft) []int { return statefulSetKind.ordinals(d) },
	controller: func(d *draft, spec fields) controller {
		number := func(value any) int {
			if whole, is := value.(int); is {
				return whole
			}
			return int(value.(float64))
		}
		strategy := spec["rolloutStrategy"].(fields)["rollingUpdateConfiguration"].(fields)
		return &leaderWorkerSetController{groups: number(spec["replicas"]), size: number(spec["leaderWorkerTemplate"].(fields)["size"]), unavailable: number(strategy["maxUnavailable"])}
	},
	adjust: func(d *draft, spec fields) func(*corev1.Pod, ownPod) {
		return func(pod *corev1.Pod, own ownPod) { pod.Labels["leaderworkerset.sigs.k8s.io/name"] = "web" }
	},
	place: func(whole, template fields) {
		leaderWorker := copied(whole["leaderWorkerTemplate"]).(fields)
		leaderWorker["workerTemplate"] = template
		whole["leaderWorkerTemplate"] = leaderWorker
	},
	templateOf: func(spec fields) fields { return spec["leaderWorkerTemplate"].(fields)["workerTemplate"].(fields) },
}
