package main

import (
	"fmt"
	"io"
	"math/rand/v2"
	"time"

	"github.com/argoproj/argo-cd/v3/pkg/apis/application/v1alpha1"
	log "github.com/sirupsen/logrus"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	recording "rolloutkit-oracle-recording"
)

const about = "whole rollouts of a RollingSync: the steps, the labels of app-0, app-1, … and the Applications of each wave: what was made Pending until nothing moved; " +
	"then we let those sync, and become Synced and Healthy. At the start all are Healthy on the old commit, and OutOfSync on the new one"

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func (w *world) statusOf(name string) string {
	for _, status := range w.set.Status.ApplicationStatus {
		if status.Application == name {
			return string(status.Status)
		}
	}
	return ""
}

func (w *world) states(apps []v1alpha1.Application) string {
	all := ""
	for _, app := range apps {
		all += w.statusOf(app.Name) + " "
	}
	return all
}

// settle lets the controller reconcile until the status of no Application changes.
func (w *world) settle(apps []v1alpha1.Application, logger *log.Entry) {
	for {
		before := w.states(apps)
		w.reconciled(apps, logger)
		if w.states(apps) == before {
			return
		}
	}
}

func rollout(steps []v1alpha1.ApplicationSetRolloutStep, labels []map[string]string) [][]string {
	silent := log.New()
	silent.SetOutput(io.Discard)
	logger := log.NewEntry(silent)
	set := &v1alpha1.ApplicationSet{
		ObjectMeta: metav1.ObjectMeta{Name: "set", Namespace: "argocd"},
		Spec: v1alpha1.ApplicationSetSpec{Strategy: &v1alpha1.ApplicationSetStrategy{
			Type: "RollingSync", RollingSync: &v1alpha1.ApplicationSetRolloutStrategy{Steps: steps},
		}},
	}
	w := newWorld(set)
	apps := []v1alpha1.Application{}
	for index, of := range labels {
		app := v1alpha1.Application{ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprintf("app-%d", index), Namespace: "argocd", Labels: of}}
		app.Status.Sync.Revision, app.Status.Sync.Status = "old", v1alpha1.SyncStatusCodeSynced
		app.Status.Health.Status = "Healthy"
		apps = append(apps, app)
	}
	w.settle(apps, logger)
	for index := range apps {
		apps[index].Status.Sync.Revision, apps[index].Status.Sync.Status = "new", v1alpha1.SyncStatusCodeOutOfSync
	}
	waves := [][]string{}
	for {
		w.settle(apps, logger)
		wave := []string{}
		for index := range apps {
			app := &apps[index]
			if w.statusOf(app.Name) != "Pending" {
				continue
			}
			wave = append(wave, app.Name)
			later := metav1.NewTime(time.Now().Add(time.Millisecond))
			app.Status.OperationState = &v1alpha1.OperationState{Phase: "Succeeded", StartedAt: later}
			app.Status.ReconciledAt = &later
			app.Status.Sync.Status = v1alpha1.SyncStatusCodeSynced
		}
		if len(wave) == 0 {
			return waves
		}
		waves = append(waves, wave)
	}
}

func pick[T any](r *rand.Rand, values ...T) T { return values[r.IntN(len(values))] }

func randomStep(r *rand.Rand) v1alpha1.ApplicationSetRolloutStep {
	step := v1alpha1.ApplicationSetRolloutStep{}
	for range r.IntN(3) {
		values := []string{}
		for range r.IntN(3) {
			values = append(values, pick(r, "a", "b", "c"))
		}
		step.MatchExpressions = append(step.MatchExpressions, v1alpha1.ApplicationMatchExpression{
			Key: pick(r, "env", "tier"), Operator: pick(r, "In", "In", "In", "NotIn", "NotIn", "Exists", ""), Values: values,
		})
	}
	switch r.IntN(3) {
	case 0:
		limit := intstr.FromInt32(pick[int32](r, 0, 1, 1, 2, 3, 10, -1))
		step.MaxUpdate = &limit
	case 1:
		limit := intstr.FromString(pick(r, "0%", "00%", "1%", "25%", "33%", "50%", "100%", "150%", "-10%", "1", "5", "0", "a", "%", "5 %", "1.5%", "+50%", ""))
		step.MaxUpdate = &limit
	}
	return step
}

type seenStep struct {
	MatchExpressions []v1alpha1.ApplicationMatchExpression `json:"matchExpressions,omitempty"`
	MaxUpdate        any                                   `json:"maxUpdate,omitempty"`
}

func seen(steps []v1alpha1.ApplicationSetRolloutStep) []seenStep {
	all := []seenStep{}
	for _, step := range steps {
		one := seenStep{MatchExpressions: step.MatchExpressions}
		if step.MaxUpdate != nil && step.MaxUpdate.Type == intstr.String {
			one.MaxUpdate = step.MaxUpdate.StrVal
		} else if step.MaxUpdate != nil {
			one.MaxUpdate = step.MaxUpdate.IntVal
		}
		all = append(all, one)
	}
	return all
}

func rollingSyncs() []any {
	r := rand.New(rand.NewPCG(17, uint64(recording.NumberOf("SEED", 1))))
	cases := []any{}
	for range recording.NumberOf("CASES", 500) {
		steps := []v1alpha1.ApplicationSetRolloutStep{}
		for range 1 + r.IntN(4) {
			steps = append(steps, randomStep(r))
		}
		labels := []map[string]string{}
		for range r.IntN(9) {
			of := map[string]string{}
			if r.IntN(5) > 0 {
				of["env"] = pick(r, "a", "b", "c")
			}
			if r.IntN(2) == 0 {
				of["tier"] = pick(r, "a", "b")
			}
			labels = append(labels, of)
		}
		cases = append(cases, []any{seen(steps), labels, rollout(steps, labels)})
	}
	return cases
}
