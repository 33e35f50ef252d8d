package main

import (
	"context"
	"math/rand"
	"slices"
	"strconv"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	deploymentutil "k8s.io/kubernetes/pkg/controller/deployment/util"
)

const aboutDeploymentChanges = "What the real Deployment controller (its syncDeployment, driven by hand, as in kubernetes-deployment-waves) makes of a change, wherever it stands: another number of pods together with " +
	"another template, a template that overtakes an unfinished rollout, a way back, a rollout that was paused and goes on. `strategy` is what it has throughout; `before` are the ReplicaSets before the change, oldest first: " +
	"[image, pods, available, desired-replicas, max-replicas], the annotations null where there is none; `replicas` and `image` are applied; `waves` rows are [newReplicas, oldReplicas, total, available] " +
	"after each wave that changes something, all pods becoming ready between two but those of other images that were not before the change."

// A changeStep is one thing that happens on the way to the change.
type changeStep struct {
	replicas *int32
	image    string
	// paused is spec.paused from here on; nil leaves it.
	paused *bool
	// ready is the image whose pods become ready, count how many of them; 0 is all.
	ready string
	count int32
}

type changeCase struct {
	Strategy waveCase   `json:"strategy"`
	Before   [][5]any   `json:"before"`
	Replicas int32      `json:"replicas"`
	Image    string     `json:"image"`
	Waves    [][4]int32 `json:"waves"`
}

func (r *rollout) sets() [][5]any {
	list := r.replicaSets()
	slices.SortFunc(list, func(a, b appsv1.ReplicaSet) int { return a.CreationTimestamp.Compare(b.CreationTimestamp.Time) })
	sets := [][5]any{}
	for _, set := range list {
		pods := r.pods[set.Name]
		number := func(name string) any {
			if text, has := set.Annotations[name]; has {
				value, err := strconv.Atoi(text)
				must(err)
				return value
			}
			return nil
		}
		sets = append(sets, [5]any{set.Spec.Template.Spec.Containers[0].Image, pods.total, pods.ready, number(deploymentutil.DesiredReplicasAnnotation), number(deploymentutil.MaxReplicasAnnotation)})
	}
	return sets
}

func (r *rollout) apply(step changeStep) {
	d := r.deployment()
	d.Generation++
	if step.replicas != nil {
		d.Spec.Replicas = step.replicas
	}
	if step.paused != nil {
		d.Spec.Paused = *step.paused
	}
	if step.image != "" {
		d.Spec.Template.Spec.Containers[0].Image = step.image
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

// recordChange goes through the steps; the last is the change whose waves are recorded.
func recordChange(start waveCase, steps ...changeStep) changeCase {
	r := newRollout(webDeployment(start.Replicas, start.strategy()))
	r.settle()
	r.allBecomeReady()
	r.settle()
	c := changeCase{Strategy: start, Waves: [][4]int32{}}
	c.Strategy.Replicas = 0
	for i, step := range steps {
		last := i == len(steps)-1
		if step.ready != "" {
			r.becomeReady(step.ready, step.count)
		}
		if last {
			c.Before = r.sets()
		}
		if step.ready == "" {
			r.apply(step)
		}
		if !last {
			r.settle()
		}
	}
	c.Replicas, c.Image = *r.deployment().Spec.Replicas, r.deployment().Spec.Template.Spec.Containers[0].Image
	broken := r.broken(c.Image)
	for before := r.row(); ; before = r.row() {
		sizes := r.sizes()
		r.settle()
		now := r.row()
		if now != before {
			c.Waves = append(c.Waves, now)
		}
		for name, count := range broken {
			broken[name] = max(0, count-max(0, sizes[name]-r.pods[name].total))
		}
		for name, pods := range r.pods {
			pods.ready = max(pods.ready, pods.total-broken[name])
		}
		r.followReplicaSets()
		if now == before && r.row() == now {
			return c
		}
	}
}

func (r *rollout) sizes() map[string]int32 {
	sizes := map[string]int32{}
	for name, pods := range r.pods {
		sizes[name] = pods.total
	}
	return sizes
}

// broken are the pods of other images that are not available: they stay so, and are deleted first.
func (r *rollout) broken(image string) map[string]int32 {
	counts := map[string]int32{}
	for _, set := range r.replicaSets() {
		if pods := r.pods[set.Name]; set.Spec.Template.Spec.Containers[0].Image != image {
			counts[set.Name] = pods.total - pods.ready
		}
	}
	return counts
}

func strategies() []waveCase {
	cases := []waveCase{{Type: "Recreate"}}
	for _, pair := range [][2]string{{"25%", "25%"}, {"1", "0"}, {"0", "1"}, {"2", "1"}, {"50%", "0%"}, {"0%", "50%"}, {"100%", "100%"}} {
		cases = append(cases, rolling(0, intstr.Parse(pair[0]), intstr.Parse(pair[1])))
	}
	return cases
}

// deploymentChangeCases are scale with roll, rollover, ways back, and scaling, pausing and resuming in the middle of a rollout.
func deploymentChangeCases() []any {
	var cases []any
	add := func(start waveCase, steps ...changeStep) { cases = append(cases, recordChange(start, steps...)) }
	for _, start := range strategies() {
		for _, from := range []int32{0, 1, 3, 4, 8} {
			for _, to := range []int32{0, 1, 2, 3, 5, 10} {
				start.Replicas = from
				add(start, changeStep{replicas: &to, image: "web:2"})
			}
		}
	}
	random := rand.New(rand.NewSource(17))
	for range 400 {
		start := strategies()[random.Intn(8)]
		start.Replicas = 1 + random.Int31n(12)
		steps := []changeStep{{image: "web:2"}}
		for range 1 + random.Intn(4) {
			steps = append(steps, randomStep(random))
		}
		add(start, steps...)
	}
	for range 200 {
		start := strategies()[random.Intn(8)]
		start.Replicas = 1 + random.Int31n(12)
		add(start, pausedOnTheWay(random)...)
	}
	return cases
}

// pausedOnTheWay is a rollout that is paused before it is done, scaled or given another template meanwhile, and resumed: the change that is recorded.
func pausedOnTheWay(random *rand.Rand) []changeStep {
	steps := []changeStep{{image: "web:2"}}
	for range random.Intn(3) {
		steps = append(steps, randomStep(random))
	}
	steps = append(steps, changeStep{paused: ptr(true)})
	for range 1 + random.Intn(3) {
		steps = append(steps, randomStep(random))
	}
	last := changeStep{paused: ptr(false)}
	if random.Intn(3) == 0 {
		last.replicas = ptr(random.Int31n(15))
	}
	return append(steps, last)
}

func randomStep(random *rand.Rand) changeStep {
	images := []string{"web:1", "web:2", "web:3", "web:4"}
	switch random.Intn(6) {
	case 0:
		return changeStep{replicas: ptr(random.Int31n(15))}
	case 1:
		return changeStep{replicas: ptr(random.Int31n(15)), image: images[random.Intn(4)]}
	case 2, 3:
		return changeStep{image: images[random.Intn(4)]}
	default:
		return changeStep{ready: images[1+random.Intn(3)], count: random.Int31n(4)}
	}
}
