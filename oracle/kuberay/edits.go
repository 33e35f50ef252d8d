package main

import (
	"context"
	"encoding/json"
	"slices"
	"sort"

	corev1 "k8s.io/api/core/v1"
	gwv1 "sigs.k8s.io/gateway-api/apis/v1"

	rayv1 "github.com/ray-project/kuberay/ray-operator/apis/ray/v1"
	"github.com/ray-project/kuberay/ray-operator/controllers/ray/utils"
	"k8s.io/apimachinery/pkg/api/meta"
)

const aboutEdits = "Edits of a RayService at rest, made by the whole Reconcile of the operator on an API server of maps, with the gate on: " +
	"the base with `from` changed, then with `set` (a JSON pointer, and the value that stands there from now on), under each upgrade type. " +
	"answers has what came of it: new-cluster, changed-cluster, serve-post, changed-pod, new-gateway, changed-gateway, new-service, " +
	"or what the operator says when it refuses. upgraded: what an upgrade of the operator itself then does. " +
	"Cases with `middle` are made in the middle of an incremental upgrade from `from` to `middle`: rollback says whether the operator goes back, " +
	"pending has the image of the head of the pending cluster afterwards, and a plus for each of its worker groups."

type editCase struct {
	Name     string            `json:"name"`
	Base     map[string]any    `json:"base,omitempty"`
	Serve    string            `json:"serveConfig,omitempty"`
	From     []change          `json:"from,omitempty"`
	Set      []change          `json:"set"`
	Answers  map[string]string `json:"answers,omitempty"`
	Upgraded map[string]string `json:"upgraded,omitempty"`
	Middle   []change          `json:"middle,omitempty"`
	Rollback *bool             `json:"rollback,omitempty"`
	Pending  string            `json:"pending,omitempty"`
}

var upgradeTypes = []string{"NewCluster", "NewClusterWithIncrementalUpgrade", "None", "unset"}

func editCases() []any {
	read := readInputs()
	base := changed(read.Base, []change{{"/spec/serveConfigV2", read.ServeConfig}})
	cases := []any{}
	for i, made := range read.Edits {
		types := made.Types
		if len(types) == 0 {
			types = upgradeTypes
		}
		c := editCase{Name: made.Name, From: made.From, Set: made.Set, Answers: map[string]string{}, Upgraded: map[string]string{}}
		if i == 0 {
			c.Base, c.Serve = read.Base, read.ServeConfig
		}
		for _, kind := range types {
			before := changed(withType(base, kind), made.From)
			c.Answers[kind], c.Upgraded[kind] = answerTo(before, changed(before, made.Set))
		}
		cases = append(cases, c)
	}
	for _, c := range middleCases(base) {
		cases = append(cases, c)
	}
	return cases
}

// answerTo is what the operator makes of an edit, and what an upgrade of the operator then changes in the cluster.
func answerTo(before, after map[string]any) (string, string) {
	w := newWorld(stored(before))
	if err := w.settle(10); err != nil {
		return firstLine(err), ""
	}
	next := stored(after)
	was := w.look()
	w.posts = 0
	w.apply(next)
	err := w.settle(3)
	if words := refusal(next); words != "" {
		return words, ""
	}
	if err != nil {
		return firstLine(err), ""
	}
	effects := difference(was, w.look())
	if w.posts > 0 && !slices.Contains(effects, "new-cluster") {
		effects = append(effects, "serve-post")
	}
	sort.Strings(effects)
	return joined(effects), w.afterOperatorUpgrade()
}

func joined(effects []string) string {
	out := ""
	for _, effect := range effects {
		if out != "" {
			out += " "
		}
		out += effect
	}
	return out
}

// afterOperatorUpgrade marks the running cluster as made by an older operator, reconciles, and says whether its spec changed.
func (w *world) afterOperatorUpgrade() string {
	ctx := context.Background()
	active := w.service().Status.ActiveServiceStatus.RayClusterName
	find := func() *rayv1.RayCluster {
		for _, cluster := range w.clusters() {
			if cluster.Name == active {
				return &cluster
			}
		}
		return nil
	}
	cluster := find()
	if cluster == nil || w.service().Status.PendingServiceStatus.RayClusterName != "" {
		return ""
	}
	was := text(cluster.Spec)
	cluster.Annotations[utils.KubeRayVersion] = "v0"
	must(w.client.Update(ctx, cluster))
	if w.reconcile() != nil {
		return "error"
	}
	if text(find().Spec) != was {
		return "changed-cluster"
	}
	return ""
}

func text(value any) string {
	out, err := json.Marshal(value)
	must(err)
	return string(out)
}

// look has every object of the world by its kind and name, as text.
func (w *world) look() map[string]map[string]string {
	ctx := context.Background()
	seen := map[string]map[string]string{"cluster": {}, "pod": {}, "gateway": {}, "service": {}}
	for _, cluster := range w.clusters() {
		seen["cluster"][cluster.Name] = text(cluster.Spec)
	}
	pods := &corev1.PodList{}
	must(w.client.List(ctx, pods))
	for _, pod := range pods.Items {
		seen["pod"][pod.Name] = text(pod.Labels)
	}
	gateways := &gwv1.GatewayList{}
	must(w.client.List(ctx, gateways))
	for _, gateway := range gateways.Items {
		seen["gateway"][gateway.Name] = text(gateway.Spec)
	}
	services := &corev1.ServiceList{}
	must(w.client.List(ctx, services))
	for _, service := range services.Items {
		seen["service"][service.Name] = text(service.Spec)
	}
	return seen
}

// difference names what is new and what changed; pods and Services that go with a new cluster are not named.
func difference(before, after map[string]map[string]string) []string {
	effects := []string{}
	add := func(effect string) {
		if !slices.Contains(effects, effect) {
			effects = append(effects, effect)
		}
	}
	isNewCluster := len(after["cluster"]) > len(before["cluster"])
	for _, kind := range []string{"cluster", "pod", "gateway", "service"} {
		for name, now := range after[kind] {
			was, known := before[kind][name]
			switch {
			case !known && (kind == "cluster" || !isNewCluster) && kind != "pod":
				add("new-" + kind)
			case known && was != now && !(isNewCluster && kind == "service"):
				add("changed-" + kind)
			}
		}
	}
	return effects
}

// middleCases are edits in the middle of an upgrade, most of them from image a to image b of the head.
func middleCases(base map[string]any) []editCase {
	head := headPod + "/spec/containers/0/image"
	b := change{head, "b"}
	appended := appendGroup(base, nil)
	named := []editCase{
		{Name: "revert", Set: []change{}},
		{Name: "the same again", Set: []change{b}},
		{Name: "third image", Set: []change{{head, "c"}}},
		{Name: "group appended", Set: []change{b, appended}},
		{Name: "group appended and a third image", Set: []change{{head, "c"}, appended}},
		{Name: "revert and group appended", Set: []change{appended}},
		{Name: "replicas", Set: []change{b, {group + "/replicas", 3}}},
		{Name: "tolerations", Set: []change{b, {headPod + "/spec/tolerations", l{m{"operator": "Exists"}}}}},
		{Name: "empty node selector", Set: []change{b, {headPod + "/spec/nodeSelector", m{}}}},
		{Name: "env", Set: []change{b, {container + "/env", l{m{"name": "A", "value": "1"}}}}},
		{Name: "Serve config", Set: []change{b, {"/spec/serveConfigV2", "applications:\n- name: app\n  import_path: c:d\n"}}},
		{Name: "the group that the old cluster has", From: []change{appended}, Set: []change{b, appended}},
		{Name: "the group that was removed comes back", From: []change{appended}, Middle: []change{{group + "/groupName", "w"}}, Set: []change{appended}},
	}
	for i := range named {
		c := &named[i]
		before := changed(base, c.From)
		w := newWorld(stored(before))
		must(w.settle(10))
		if c.Middle == nil {
			c.Middle = []change{b}
		}
		w.apply(stored(changed(base, c.Middle)))
		_ = w.settle(6)
		w.age(60)
		_ = w.settle(1)
		w.apply(stored(changed(base, c.Set)))
		_ = w.settle(1)
		status := w.service().Status
		rollback := meta.IsStatusConditionTrue(status.Conditions, "RollbackInProgress")
		c.Rollback = &rollback
		for _, cluster := range w.clusters() {
			if cluster.Name == status.PendingServiceStatus.RayClusterName {
				c.Pending = cluster.Spec.HeadGroupSpec.Template.Spec.Containers[0].Image
				for range cluster.Spec.WorkerGroupSpecs {
					c.Pending += "+"
				}
			}
		}
	}
	return named
}
