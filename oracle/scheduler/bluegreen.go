package main

// A blueGreenController re-states Argo Rollouts' strategy blueGreen: all new pods are created next to the old ones, which go when all new ones are
// available.
type blueGreenController struct{ replicas int }

func (b *blueGreenController) start(pods []ownPod) state {
	return state{pods: pods, asked: [2]int{-1, -1}}.sorted()
}

func (b *blueGreenController) finished(s state) bool {
	ready := s.count(func(pod ownPod) bool { return pod.isNew && pod.ready })
	return ready == b.replicas && len(s.pods) == ready
}

func (b *blueGreenController) steps(c *cluster, s state) []state {
	created := s.count(func(pod ownPod) bool { return pod.isNew })
	ready := s.count(func(pod ownPod) bool { return pod.isNew && pod.ready })
	switch {
	case created < b.replicas && c.admits(s, true):
		return []state{s.with(func(s *state) { s.pods = append(s.pods, ownPod{isNew: true, ordinal: -1, node: -1}) })}
	case ready == b.replicas && len(s.pods) > ready:
		return []state{s.with(func(s *state) {
			var pods []ownPod
			for _, pod := range s.pods {
				if pod.isNew {
					pods = append(pods, pod)
				}
			}
			s.pods = pods
		})}
	}
	return nil
}

var blueGreenKind = kind{
	name: "Rollout", apiVersion: "argoproj.io/v1alpha1", revisionLabel: "rollouts-pod-template-hash",
	spec: func(d *draft) fields {
		return fields{"replicas": d.replicas, "selector": copied(app), "strategy": fields{"blueGreen": fields{"activeService": "web", "scaleDownDelaySeconds": 0}}}
	},
	ordinals:   anonymous,
	controller: func(d *draft, _ fields) controller { return &blueGreenController{d.replicas} },
}
