package main

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand"
	"strconv"
	"time"

	"github.com/argoproj/argo-rollouts/pkg/apis/rollouts/v1alpha1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	recording "rolloutkit-oracle-recording"
)

// row is what stands once the controller has nothing left to do until a pod becomes ready, a wait is over, or somebody acts.
type row struct {
	// Step is status.currentStepIndex.
	Step      *int32 `json:"step,omitempty"`
	New       int32  `json:"new"`
	Old       int32  `json:"old"`
	Available int32  `json:"available"`
	// Weight that the new pods get of the traffic, where a router splits it or a Service is switched.
	Weight *int32 `json:"weight,omitempty"`
	// Until is what ends the row: ready, seconds or promotion; none at the end.
	Until   string `json:"until,omitempty"`
	Seconds int    `json:"seconds,omitempty"`
}

type stepCase struct {
	Spec json.RawMessage `json:"spec"`
	// Before is spec.replicas before the change; nil where the change leaves it.
	Before *int32 `json:"before,omitempty"`
	// Abort is the row, from 1, after which somebody aborts; 0 where nobody does.
	Abort int `json:"abort,omitempty"`
	// Room is how many pods run at once at most; 0 where nothing says so.
	Room int32 `json:"room,omitempty"`
	Rows []row `json:"rows"`
	// Error is where the controller stops.
	Error string `json:"error,omitempty"`
}

func rolloutOf(spec json.RawMessage) (*v1alpha1.Rollout, error) {
	ro := &v1alpha1.Rollout{ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: namespace, UID: "rollout"}}
	if err := json.Unmarshal(spec, &ro.Spec); err != nil {
		return nil, err
	}
	labels := map[string]string{"app": "web"}
	ro.Spec.Selector = &metav1.LabelSelector{MatchLabels: labels}
	ro.Spec.Template = corev1.PodTemplateSpec{
		ObjectMeta: metav1.ObjectMeta{Labels: labels},
		Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "web", Image: "web:1"}}},
	}
	return ro, nil
}

// isOther are all versions but one.
func isOther(hash string) func(string) bool {
	return func(other string) bool { return other != hash }
}

// isThis is one version.
func isThis(hash string) func(string) bool {
	return func(other string) bool { return other == hash }
}

// row is what stands; stable is the hash of the version that was stable before the change.
func (w *world) row(stable string, isNew func(hash string) bool) row {
	ro := w.rollout()
	made := row{Step: ro.Status.CurrentStepIndex}
	for _, set := range w.replicaSets() {
		if isNew(set.Labels[v1alpha1.DefaultRolloutUniqueLabelKey]) {
			made.New += *set.Spec.Replicas
		} else {
			made.Old += *set.Spec.Replicas
		}
		made.Available += w.ready[set.Name]
	}
	if weights := ro.Status.Canary.Weights; weights != nil {
		weight := weights.Canary.Weight
		// Once it is promoted both are the new version.
		if ro.Status.StableRS != stable {
			weight = weights.Canary.Weight + weights.Stable.Weight
		}
		made.Weight = &weight
	}
	if ro.Spec.Strategy.BlueGreen != nil {
		weight := int32(100)
		if w.service("one").Spec.Selector[v1alpha1.DefaultRolloutUniqueLabelKey] == stable {
			weight = 0
		}
		made.Weight = &weight
	}
	return made
}

// wait is the seconds to the next thing that the clock decides, 0 for none; endless where somebody has to promote.
func (w *world) wait() (seconds int, endless bool) {
	ro := w.rollout()
	for _, condition := range ro.Status.PauseConditions {
		endless = true
		if bg := ro.Spec.Strategy.BlueGreen; bg != nil && (bg.AutoPromotionEnabled == nil || *bg.AutoPromotionEnabled) && bg.AutoPromotionSeconds > 0 {
			return int(bg.AutoPromotionSeconds) - int(w.now.Sub(condition.StartTime.Time).Seconds()), false
		}
		if canary := ro.Spec.Strategy.Canary; canary != nil {
			if pause := canary.Steps[*ro.Status.CurrentStepIndex].Pause; pause != nil && pause.Duration != nil {
				return int(pause.DurationSeconds()) - int(w.now.Sub(condition.StartTime.Time).Seconds()), false
			}
		}
	}
	for _, set := range w.replicaSets() {
		if at := set.Annotations[v1alpha1.DefaultReplicaSetScaleDownDeadlineAnnotationKey]; at != "" {
			left := int(must(time.Parse(time.RFC3339, at)).Sub(w.now).Seconds())
			if left >= 0 && (seconds == 0 || left < seconds) {
				seconds = left
			}
		}
	}
	return seconds, endless
}

func (w *world) patch(change func(ro *v1alpha1.Rollout)) {
	ro := w.rollout()
	change(ro)
	must(w.client.ArgoprojV1alpha1().Rollouts(namespace).Update(context.TODO(), ro, metav1.UpdateOptions{}))
}

func rest(w *world) error {
	for turn := 0; turn < 60; turn++ {
		if err := w.settle(); err != nil {
			return err
		}
		seconds, endless := w.wait()
		switch {
		case !w.allReady():
			w.becomeReady()
		case endless:
			w.patch(func(ro *v1alpha1.Rollout) { ro.Status.PauseConditions = nil })
		case seconds > 0:
			w.now = w.now.Add(time.Duration(seconds+1) * time.Second)
		default:
			return nil
		}
	}
	return fmt.Errorf("never rests")
}

func runSteps(spec json.RawMessage, before *int32, abort int, room int32) stepCase {
	made := stepCase{Spec: spec, Before: before, Abort: abort, Room: room}
	ro, err := rolloutOf(spec)
	if err != nil {
		made.Error = err.Error()
		return made
	}
	replicas := ro.Spec.Replicas
	if before != nil {
		ro.Spec.Replicas = before
	}
	w := newWorld(ro)
	if err := rest(w); err != nil {
		made.Error = "at rest: " + err.Error()
		return made
	}
	stable := w.rollout().Status.StableRS
	if stable == "" {
		made.Error = "never starts"
		return made
	}
	w.patch(func(ro *v1alpha1.Rollout) { ro.Spec.Replicas = replicas })
	w.setImage("web:2")
	w.room = room
	walked := w.roll(stable, isOther(stable), abort, 1200)
	made.Rows = walked.rows
	if walked.err != nil {
		made.Error = walked.err.Error()
	}
	return made
}

func (w *world) setImage(image string) {
	w.patch(func(ro *v1alpha1.Rollout) { ro.Spec.Template.Spec.Containers[0].Image = image })
}

// walked is a rollout as far as it was gone through.
type walked struct {
	rows []row
	// cut says that it goes on.
	cut bool
	err error
}

// roll goes through at most so many rows of a rollout; somebody aborts after the row abort, from 1, nobody where that is 0.
func (w *world) roll(stable string, isNew func(hash string) bool, abort, most int) walked {
	made := walked{}
	for turn := 0; turn < 1200; turn++ {
		if err := w.settle(); err != nil {
			made.err = err
			return made
		}
		next := w.row(stable, isNew)
		seconds, endless := w.wait()
		switch {
		case !w.allReady():
			next.Until = "ready"
		case endless:
			next.Until = "promotion"
		case seconds > 0:
			next.Until, next.Seconds = "seconds", seconds
		}
		made.rows = append(made.rows, next)
		if abort == len(made.rows) && next.Until != "" {
			w.patch(func(ro *v1alpha1.Rollout) { ro.Status.Abort = true })
			continue
		}
		if next.Until == "" {
			return made
		}
		if len(made.rows) == most {
			made.cut = true
			return made
		}
		switch next.Until {
		case "ready":
			if !w.becomeReady() {
				return made
			}
		case "promotion":
			w.patch(func(ro *v1alpha1.Rollout) { ro.Status.PauseConditions = nil })
		case "seconds":
			w.now = w.now.Add(time.Duration(seconds+1) * time.Second)
		}
	}
	made.err = fmt.Errorf("never ends")
	return made
}

func limit(random *rand.Rand) any {
	switch random.Intn(6) {
	case 0:
		return random.Intn(4)
	case 1:
		return 1 + random.Intn(12)
	case 2:
		return strconv.Itoa(random.Intn(60)) + "%"
	case 3:
		return strconv.Itoa(1 + random.Intn(99))
	default:
		return []any{0, 1, "25%", "100%", "0%"}[random.Intn(5)]
	}
}

func replicas(random *rand.Rand) int {
	if random.Intn(10) == 0 {
		return random.Intn(60)
	}
	return random.Intn(12)
}

type fields = map[string]any

func steps(random *rand.Rand, routed bool, most int) []any {
	made := []any{}
	for count := random.Intn(6); count > 0; count-- {
		switch kind := random.Intn(8); {
		case kind < 4:
			made = append(made, fields{"setWeight": random.Intn(most + 1)})
		case kind < 5:
			made = append(made, fields{"pause": fields{}})
		case kind < 7 || !routed:
			made = append(made, fields{"pause": fields{"duration": []any{5, "30", "1m"}[random.Intn(3)]}})
		default:
			scale := []fields{{"replicas": random.Intn(8)}, {"weight": random.Intn(101)}, {"matchTrafficWeight": true}}
			made = append(made, fields{"setCanaryScale": scale[random.Intn(3)]})
		}
	}
	return made
}

func canary(random *rand.Rand) fields {
	made := fields{}
	if random.Intn(3) > 0 {
		made["maxSurge"] = limit(random)
	}
	if random.Intn(3) > 0 {
		made["maxUnavailable"] = limit(random)
	}
	routed := random.Intn(2) == 0
	most := 100
	if routed {
		routing := fields{"nginx": fields{"stableIngress": "ingress"}}
		if random.Intn(8) == 0 {
			most = 50 + random.Intn(200)
			routing["maxTrafficWeight"] = most
		}
		made["trafficRouting"], made["stableService"], made["canaryService"] = routing, "one", "two"
		switch random.Intn(4) {
		case 0:
			made["dynamicStableScale"] = true
		case 1:
			made["scaleDownDelaySeconds"] = []int{0, 10, 60}[random.Intn(3)]
		}
		if random.Intn(4) == 0 {
			made["minPodsPerReplicaSet"] = 1 + random.Intn(4)
		}
		if random.Intn(4) == 0 {
			made["abortScaleDownDelaySeconds"] = []int{0, 10}[random.Intn(2)]
		}
	}
	if random.Intn(6) > 0 {
		made["steps"] = steps(random, routed, most)
	}
	return made
}

func blueGreen(random *rand.Rand) fields {
	made := fields{"activeService": "one"}
	if random.Intn(2) == 0 {
		made["previewService"] = "two"
	}
	if random.Intn(3) == 0 {
		made["previewReplicaCount"] = 1 + random.Intn(6)
	}
	if random.Intn(3) == 0 {
		made["autoPromotionEnabled"] = random.Intn(2) == 0
	}
	if random.Intn(3) == 0 {
		made["autoPromotionSeconds"] = 10 * random.Intn(3)
	}
	if random.Intn(3) == 0 {
		made["scaleDownDelaySeconds"] = []int{0, 10, 60}[random.Intn(3)]
	}
	if random.Intn(4) == 0 {
		made["abortScaleDownDelaySeconds"] = []int{0, 10}[random.Intn(2)]
	}
	return made
}

func randomSpec(random *rand.Rand) json.RawMessage {
	spec := fields{"replicas": replicas(random)}
	if random.Intn(4) == 0 {
		spec["strategy"] = fields{"blueGreen": blueGreen(random)}
	} else {
		spec["strategy"] = fields{"canary": canary(random)}
	}
	return must(recording.Compact(spec))
}

func randomAbort(random *rand.Rand) int {
	if random.Intn(2) == 0 {
		return 1 + random.Intn(5)
	}
	return 0
}

// stepCases are random Rollouts at rest whose image changes; of half of them somebody aborts on the way.
func stepCases() []any {
	random := rand.New(rand.NewSource(int64(recording.NumberOf("SEED", 1))))
	cases := []any{}
	for count := recording.NumberOf("CASES", 1500); count > 0; count-- {
		spec := randomSpec(random)
		cases = append(cases, runSteps(spec, nil, randomAbort(random), 0))
	}
	return cases
}

// routers are those that run on fakes, besides nginx; each reads the ingress, or the VirtualService, of our world, or makes what it needs.
var routers = []fields{
	{"istio": fields{"virtualService": fields{"name": "mesh", "routes": []string{"primary"}}}},
	{"smi": fields{}},
	{"alb": fields{"ingress": "ingress", "servicePort": 80}},
}

// moreRouters run on fakes as well.
var moreRouters = []fields{
	{"traefik": fields{"weightedTraefikServiceName": "mesh"}},
	{"apisix": fields{"route": fields{"name": "mesh"}}},
}

func routerCases() []any { return casesWith(routers) }

func moreRouterCases() []any { return casesWith(moreRouters) }

// casesWith are the canaries with a router among such Rollouts, each with another router than nginx.
func casesWith(routers []fields) []any {
	random := rand.New(rand.NewSource(int64(recording.NumberOf("SEED", 4))))
	cases := []any{}
	for count := recording.NumberOf("CASES", 600); len(cases) < count; {
		made := canary(random)
		pods, abort := replicas(random), randomAbort(random)
		routing, isRouted := made["trafficRouting"].(fields)
		if !isRouted {
			continue
		}
		other := fields{}
		maps.Copy(other, routing)
		delete(other, "nginx")
		maps.Copy(other, routers[len(cases)%len(routers)])
		made["trafficRouting"] = other
		spec := must(recording.Compact(fields{"replicas": pods, "strategy": fields{"canary": made}}))
		cases = append(cases, runSteps(spec, nil, abort, 0))
	}
	return cases
}

// changeCases are the same where the change is of the replicas too.
func changeCases() []any {
	random := rand.New(rand.NewSource(int64(recording.NumberOf("SEED", 2))))
	cases := []any{}
	for count := recording.NumberOf("CASES", 1500); count > 0; count-- {
		spec := randomSpec(random)
		before := int32(1 + replicas(random))
		cases = append(cases, runSteps(spec, &before, randomAbort(random), 0))
	}
	return cases
}

// roomCases are the same where some of the pods find no room; many end at a row that waits for them.
func roomCases() []any {
	random := rand.New(rand.NewSource(int64(recording.NumberOf("SEED", 8))))
	cases := []any{}
	for count := recording.NumberOf("CASES", 1500); count > 0; count-- {
		spec := randomSpec(random)
		var before *int32
		if random.Intn(3) > 0 {
			was := int32(1 + replicas(random))
			before = &was
		}
		cases = append(cases, runSteps(spec, before, 0, int32(1+random.Intn(16))))
	}
	return cases
}
