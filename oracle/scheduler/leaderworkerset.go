package main

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
)

// A leaderWorkerSetController re-states how a LeaderWorkerSet without maxSurge replaces groups: from the last one on, with at most maxUnavailable
// groups that are not ready. A group is deleted with all its pods. Its leader is created first, then its workers. The StatefulSets of the workers
// of several groups create pods at the same time, so that any group may be the next to get one. The StatefulSet of the leaders waits for those
// above, because the API server drops its maxUnavailable in both versions of Kubernetes.
type leaderWorkerSetController struct{ groups, size, unavailable int }

func (l *leaderWorkerSetController) start(pods []ownPod) state {
	return state{pods: pods, asked: [2]int{-1, -1}}.sorted()
}

func (l *leaderWorkerSetController) finished(s state) bool {
	ready := s.count(func(pod ownPod) bool { return pod.isNew && pod.ready })
	return ready == l.groups*l.size && len(s.pods) == ready
}

func (l *leaderWorkerSetController) steps(c *cluster, s state) []state {
	isOf := func(group int) func(ownPod) bool {
		return func(pod ownPod) bool { return pod.ordinal/l.size == group }
	}
	broken := 0
	var created []state
	for group := range l.groups {
		member := isOf(group)
		if s.count(func(pod ownPod) bool { return member(pod) && pod.ready }) < l.size {
			broken++
		}
		hasOld := s.count(func(pod ownPod) bool { return member(pod) && !pod.isNew }) > 0
		if hasOld || !c.admits(s, true) {
			continue
		}
		for index := range l.size {
			ordinal := group*l.size + index
			if s.count(func(pod ownPod) bool { return pod.ordinal == ordinal }) > 0 {
				continue
			}
			created = append(created, s.with(func(s *state) { s.pods = append(s.pods, ownPod{isNew: true, ordinal: ordinal, node: -1}) }))
			break
		}
	}
	if len(created) > 0 {
		return created
	}
	for group := l.groups - 1; group >= 0; group-- {
		member := isOf(group)
		if s.count(func(pod ownPod) bool { return member(pod) && !pod.isNew }) == 0 {
			if s.count(func(pod ownPod) bool { return pod.ordinal == group*l.size && pod.ready }) == 0 {
				return nil
			}
			continue
		}
		if broken >= l.unavailable {
			return nil
		}
		return []state{s.with(func(s *state) {
			s.pods = slices.DeleteFunc(s.pods, member)
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
