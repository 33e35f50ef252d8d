package main

import (
	"context"
	"fmt"
	"math/rand"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

const aboutDeploymentChanges = "What the real Deployment controller (its syncDeployment, driven by hand, as in kubernetes-deployment-waves) makes of changes one after the other: another number of pods together with another " +
	"template, a template that overtakes an unfinished rollout, a way back, a number changed in the middle or while paused. `start` is at rest on web:1 with all pods available. " +
	"A step applies something (`replicas`, `image`, `paused`), then syncs until nothing changes, or makes pods `ready`: all of an image, or so many of it. " +
	"After each step the ReplicaSets stand in `sets`, oldest first: [image, pods, available]; `waves` at the end has them after each wave until nothing changes, all pods becoming ready between two."

// A changeStep is one thing that happens.
type changeStep struct {
	Replicas *int32 `json:"replicas,omitempty"`
	Image    string `json:"image,omitempty"`
	Paused   *bool  `json:"paused,omitempty"`
	// Ready is the image whose pods become ready, Count how many of them; 0 is all.
	Ready string   `json:"ready,omitempty"`
	Count int32    `json:"count,omitempty"`
	Sets  [][3]any `json:"sets"`
}

type changeCase struct {
	Start waveCase     `json:"start"`
	Steps []changeStep `json:"steps"`
	Waves [][][3]any   `json:"waves"`
}

func (r *rollout) sets() [][3]any {
	list := r.replicaSets()
	slices.SortFunc(list, func(a, b appsv1.ReplicaSet) int { return a.CreationTimestamp.Compare(b.CreationTimestamp.Time) })
	sets := [][3]any{}
	for _, set := range list {
		pods := r.pods[set.Name]
		sets = append(sets, [3]any{set.Spec.Template.Spec.Containers[0].Image, pods.total, pods.ready})
	}
	return sets
}

func (r *rollout) apply(step changeStep) {
	d := r.deployment()
	d.Generation++
	if step.Replicas != nil {
		d.Spec.Replicas = step.Replicas
	}
	if step.Paused != nil {
		d.Spec.Paused = *step.Paused
	}
	if step.Image != "" {
		d.Spec.Template.Spec.Containers[0].Image = step.Image
	}
	_, err := r.client.AppsV1().Deployments("default").Update(context.Background(), d, metav1.UpdateOptions{})
	must(err)
}

func (r *rollout) becomeReady(image string, count int32) {
	for _, set := range r.replicaSets() {
		if pods := r.pods[set.Name]; set.Spec.Template.Spec.Containers[0].Image == image {
			if count == 0 {
				count = pods.total
			}
			pods.ready = min(pods.total, pods.ready+count)
		}
	}
	r.followReplicaSets()
}

func recordChange(start waveCase, steps ...changeStep) changeCase {
	r := newRollout(webDeployment(start.Replicas, start.strategy()))
	r.settle()
	r.allBecomeReady()
	r.settle()
	c := changeCase{Start: start, Waves: [][][3]any{}}
	for _, step := range steps {
		if step.Ready != "" {
			r.becomeReady(step.Ready, step.Count)
		} else {
			r.apply(step)
		}
		r.settle()
		step.Sets = r.sets()
		c.Steps = append(c.Steps, step)
	}
	for last := ""; ; {
		r.allBecomeReady()
		r.settle()
		now := fmt.Sprint(r.sets())
		if now == last || now == fmt.Sprint(c.Steps[len(c.Steps)-1].Sets) && len(c.Waves) == 0 {
			break
		}
		last = now
		c.Waves = append(c.Waves, r.sets())
	}
	return c
}

func strategies() []waveCase {
	cases := []waveCase{{Type: "Recreate"}}
	for _, pair := range [][2]string{{"25%", "25%"}, {"1", "0"}, {"0", "1"}, {"2", "1"}, {"50%", "0%"}, {"0%", "50%"}, {"100%", "100%"}} {
		cases = append(cases, rolling(0, intstr.Parse(pair[0]), intstr.Parse(pair[1])))
	}
	return cases
}

// deploymentChangeCases are scale with roll, rollover, ways back, and scaling in the middle of a rollout.
func deploymentChangeCases() []any {
	var cases []any
	add := func(start waveCase, steps ...changeStep) { cases = append(cases, recordChange(start, steps...)) }
	for _, start := range strategies() {
		for _, from := range []int32{0, 1, 3, 4, 8} {
			for _, to := range []int32{0, 1, 2, 3, 5, 10} {
				start.Replicas = from
				add(start, changeStep{Replicas: &to, Image: "web:2"})
			}
		}
	}
	random := rand.New(rand.NewSource(17))
	for range 400 {
		start := strategies()[random.Intn(8)]
		start.Replicas = 1 + random.Int31n(12)
		steps := []changeStep{{Image: "web:2"}}
		for range 1 + random.Intn(4) {
			steps = append(steps, randomStep(random))
		}
		add(start, steps...)
	}
	return cases
}

func randomStep(random *rand.Rand) changeStep {
	images := []string{"web:1", "web:2", "web:3", "web:4"}
	switch random.Intn(6) {
	case 0:
		return changeStep{Replicas: ptr(random.Int31n(15))}
	case 1:
		return changeStep{Replicas: ptr(random.Int31n(15)), Image: images[random.Intn(4)]}
	case 2:
		return changeStep{Paused: ptr(random.Intn(2) == 0)}
	case 3:
		return changeStep{Image: images[random.Intn(4)]}
	default:
		return changeStep{Ready: images[1+random.Intn(3)], Count: random.Int31n(4)}
	}
}
