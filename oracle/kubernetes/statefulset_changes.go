package main

import (
	"context"
	"encoding/json"
	"math/rand"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

const aboutStatefulSetChanges = "What the real StatefulSet controller (its sync, driven by hand, as in kubernetes-statefulset-order) makes of a change, wherever it stands. " +
	"`before` are the pods before the change: [ordinal, image, 1 if it is ready], `current` the image of the revision that status.currentRevision names, `currentReplicas` as the status has it; `replicas`, `image`, `type` and `partition` " +
	"(null where there is no rollingUpdate) are applied, `from` are the replicas before. Between two fix points all pods become ready but those of other images that were not before the change. " +
	"`removed`: ordinals beyond the replicas as they were deleted; `order`, `batches`, `untouched`, `minAvailable` as in that recording; `unready`: ordinals that are not ready at the end; `gate` is MaxUnavailableStatefulSet."

type statefulChange struct {
	Gate            bool     `json:"gate"`
	Policy          string   `json:"podManagementPolicy"`
	Type            string   `json:"type"`
	Partition       *int32   `json:"partition"`
	MaxUnavailable  any      `json:"maxUnavailable,omitempty"`
	Start           int32    `json:"start"`
	From            int32    `json:"from"`
	Before          [][3]any `json:"before"`
	Current         string   `json:"current"`
	CurrentReplicas int32    `json:"currentReplicas"`
	Replicas        int32    `json:"replicas"`
	Image           string   `json:"image"`
	Removed         []int    `json:"removed"`
	Order           []int    `json:"order"`
	Batches         [][]int  `json:"batches"`
	Untouched       []int    `json:"untouched"`
	MinAvailable    int32    `json:"minAvailable"`
	Unready         []int    `json:"unready"`
}

// A statefulStep is one thing that happens on the way to the change.
type statefulStep struct {
	replicas, partition *int32
	image               string
	onDelete            bool
	// ready pods, lowest ordinals first, become so; broken and gone are places of pods from the lowest that cease to be ready or vanish.
	ready        int
	broken, gone []int
}

func (r *statefulRollout) byOrdinal() []corev1.Pod {
	pods := r.pods()
	slices.SortFunc(pods, func(a, b corev1.Pod) int { return ordinal(a.Name) - ordinal(b.Name) })
	return pods
}

func (r *statefulRollout) setReady(pod corev1.Pod, ready bool) {
	pod.Status.Phase = corev1.PodRunning
	pod.Status.Conditions = nil
	if ready {
		pod.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue, LastTransitionTime: metav1.Unix(1000, 0)}}
	}
	_, err := r.client.CoreV1().Pods("default").Update(context.Background(), &pod, metav1.UpdateOptions{})
	must(err)
}

func (r *statefulRollout) take(step statefulStep) {
	for _, pod := range r.byOrdinal() {
		if !isReady(&pod) && step.ready > 0 {
			r.setReady(pod, true)
			step.ready--
		}
	}
	for i, pod := range r.byOrdinal() {
		switch {
		case slices.Contains(step.gone, i):
			must(r.client.CoreV1().Pods("default").Delete(context.Background(), pod.Name, metav1.DeleteOptions{}))
		case slices.Contains(step.broken, i):
			r.setReady(pod, false)
		}
	}
	set := r.set()
	before := set.Spec.DeepCopy()
	if step.replicas != nil {
		set.Spec.Replicas = step.replicas
	}
	if step.image != "" {
		set.Spec.Template.Spec.Containers[0].Image = step.image
	}
	if step.partition != nil && set.Spec.UpdateStrategy.RollingUpdate != nil {
		set.Spec.UpdateStrategy.RollingUpdate.Partition = step.partition
	}
	if step.onDelete {
		set.Spec.UpdateStrategy = appsv1.StatefulSetUpdateStrategy{Type: appsv1.OnDeleteStatefulSetStrategyType}
	}
	if before.String() != set.Spec.String() {
		set.Generation++
		_, err := r.client.AppsV1().StatefulSets("default").Update(context.Background(), set, metav1.UpdateOptions{})
		must(err)
	}
}

// imageOf is that of a revision's template.
func (r *statefulRollout) imageOf(revision string) string {
	found, err := r.client.AppsV1().ControllerRevisions("default").Get(context.Background(), revision, metav1.GetOptions{})
	must(err)
	var data struct {
		Spec struct{ Template corev1.PodTemplateSpec }
	}
	must(json.Unmarshal(found.Data.Raw, &data))
	return data.Spec.Template.Spec.Containers[0].Image
}

func recordStatefulChange(c statefulChange, steps []statefulStep) statefulChange {
	setGate(maxUnavailableGate, c.Gate)
	spec := appsv1.StatefulSetSpec{
		Replicas: &c.From, ServiceName: "web", RevisionHistoryLimit: ptr(int32(10)),
		Selector:            &metav1.LabelSelector{MatchLabels: map[string]string{"app": "web"}},
		PodManagementPolicy: appsv1.PodManagementPolicyType(c.Policy),
		UpdateStrategy:      appsv1.StatefulSetUpdateStrategy{Type: appsv1.StatefulSetUpdateStrategyType(c.Type)},
		Ordinals:            &appsv1.StatefulSetOrdinals{Start: c.Start},
		Template: corev1.PodTemplateSpec{
			ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{"app": "web"}},
			Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "web", Image: "web:1"}}},
		},
	}
	if c.Partition != nil {
		spec.UpdateStrategy.RollingUpdate = &appsv1.RollingUpdateStatefulSetStrategy{Partition: c.Partition, MaxUnavailable: intOrString(c.MaxUnavailable)}
	}
	r := newStatefulRollout(spec)
	r.finish(func(_, _ int32) {})
	for i, step := range steps {
		if i < len(steps)-1 {
			r.take(step)
			if step.broken == nil && step.gone == nil {
				r.settle()
			}
			continue
		}
		r.take(statefulStep{ready: step.ready, broken: step.broken, gone: step.gone})
		c.Before = [][3]any{}
		for _, pod := range r.byOrdinal() {
			ready := 0
			if isReady(&pod) {
				ready = 1
			}
			c.Before = append(c.Before, [3]any{ordinal(pod.Name), pod.Spec.Containers[0].Image, ready})
		}
		status := r.set().Status
		c.From, c.Current, c.CurrentReplicas = *r.set().Spec.Replicas, r.imageOf(status.CurrentRevision), status.CurrentReplicas
		r.take(statefulStep{replicas: step.replicas, image: step.image, partition: step.partition, onDelete: step.onDelete})
	}
	now := r.set().Spec
	c.Replicas, c.Image, c.Type, c.Partition = *now.Replicas, now.Template.Spec.Containers[0].Image, string(now.UpdateStrategy.Type), nil
	if now.UpdateStrategy.RollingUpdate != nil {
		c.Partition = now.UpdateStrategy.RollingUpdate.Partition
	}
	c.MinAvailable = min(c.Replicas, r.ready())
	r.record(&c)
	return c
}

func (r *statefulRollout) record(c *statefulChange) {
	broken := map[string]bool{}
	for _, pod := range r.pods() {
		broken[pod.Name] = !isReady(&pod) && pod.Spec.Containers[0].Image != c.Image
	}
	c.Removed, c.Order, c.Batches, c.Untouched, c.Unready = []int{}, []int{}, [][]int{}, []int{}, []int{}
	var batch []int
	for {
		before := r.state()
		r.deleted = nil
		r.settle()
		for _, name := range r.deleted {
			broken[name] = false
			if number := ordinal(name); number < int(c.Start+c.Replicas) {
				batch = append(batch, number)
			} else {
				c.Removed = append(c.Removed, number)
			}
		}
		c.MinAvailable = min(c.MinAvailable, r.ready())
		if int32(len(r.pods())) == c.Replicas && batch != nil {
			c.Order = append(c.Order, batch...)
			c.Batches = append(c.Batches, batch)
			batch = nil
		}
		for _, pod := range r.pods() {
			if !isReady(&pod) && !broken[pod.Name] {
				r.setReady(pod, true)
			}
		}
		if r.state() == before {
			break
		}
	}
	for _, pod := range r.byOrdinal() {
		if pod.Spec.Containers[0].Image != c.Image {
			c.Untouched = append(c.Untouched, ordinal(pod.Name))
		}
		if !isReady(&pod) {
			c.Unready = append(c.Unready, ordinal(pod.Name))
		}
	}
}

// statefulChangeCases are rollouts that are overtaken, reverted, scaled, resumed by their partition or met by pods that broke or vanished.
func statefulChangeCases() []any {
	ignoreStaleness()
	var cases []any
	random := rand.New(rand.NewSource(23))
	for range 900 {
		from := 1 + random.Int31n(8)
		c := statefulChange{Gate: random.Intn(2) == 0, Policy: "OrderedReady", Type: "RollingUpdate", From: from, Start: random.Int31n(2) * 3}
		if random.Intn(2) == 0 {
			c.Policy = "Parallel"
		}
		if random.Intn(5) > 0 {
			c.Partition = ptr(max(0, random.Int31n(2*from)-from))
			if random.Intn(2) == 0 {
				c.MaxUnavailable = 1 + random.Intn(4)
			}
		}
		steps := []statefulStep{}
		for range random.Intn(5) {
			steps = append(steps, randomStatefulStep(random, int(from)))
		}
		steps = append(steps, randomStatefulChange(random, int(from)))
		cases = append(cases, recordStatefulChange(c, steps))
	}
	return cases
}

var statefulImages = []string{"web:1", "web:2", "web:3"}

func randomStatefulStep(random *rand.Rand, pods int) statefulStep {
	switch random.Intn(8) {
	case 0:
		return statefulStep{broken: []int{random.Intn(pods)}}
	case 1:
		return statefulStep{gone: []int{random.Intn(pods)}}
	case 2:
		return statefulStep{replicas: ptr(random.Int31n(int32(pods) + 3))}
	case 3, 4:
		return statefulStep{image: statefulImages[random.Intn(3)]}
	default:
		return statefulStep{ready: 1 + random.Intn(3)}
	}
}

func randomStatefulChange(random *rand.Rand, pods int) statefulStep {
	step := statefulStep{image: statefulImages[random.Intn(3)]}
	if random.Intn(4) == 0 {
		step.replicas = ptr(random.Int31n(int32(pods) + 4))
	}
	if random.Intn(5) == 0 {
		step.partition = ptr(random.Int31n(int32(pods) + 1))
	}
	if random.Intn(5) == 0 {
		step.broken = []int{random.Intn(pods), random.Intn(pods)}
	}
	if random.Intn(8) == 0 {
		step.gone = []int{random.Intn(pods)}
	}
	step.onDelete = random.Intn(15) == 0
	return step
}
