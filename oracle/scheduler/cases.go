package main

import (
	"encoding/json"
	"fmt"
	"math/rand"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	resourceapi "k8s.io/api/resource/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
)

// maxStates bounds the search of a case; a case with more is not recorded.
const maxStates = 6000

// A placementCase is a rollout in a small cluster, and how it ends.
type placementCase struct {
	ID    string   `json:"id"`
	Theme string   `json:"theme"`
	Nodes []fields `json:"nodes"`
	// Others are pods of others, Objects what else is in the cluster.
	Others  []fields `json:"others,omitempty"`
	Objects []fields `json:"objects,omitempty"`
	Quota   fields   `json:"quota,omitempty"`
	// OldPods are the nodes of the pods at the start.
	OldPods []string `json:"oldPods"`
	// OldDevices are the devices of their claims.
	OldDevices [][]string `json:"oldDevices,omitempty"`
	Old        fields     `json:"old"`
	New        fields     `json:"new"`
	ends
	// Raced are the ends if controller, scheduler and kubelet act in any order, where they differ.
	Raced *ends `json:"raced,omitempty"`
	// Unevicted are the ends if the scheduler evicts nothing, where it does.
	Unevicted *ends `json:"unevicted,omitempty"`
}

type ends struct {
	Outcome    string `json:"outcome"`
	NewAtLeast int    `json:"newAtLeast"`
	NewAtMost  int    `json:"newAtMost"`
	OldAtLeast int    `json:"oldAtLeast"`
	Evicts     bool   `json:"evicts,omitempty"`
}

func (e ending) ends() ends {
	return ends{e.outcome(), e.newAtLeast, e.newAtMost, e.oldAtLeast, e.evicts}
}

func decodedAll(of ...[]fields) []runtime.Object {
	var objects []runtime.Object
	for _, list := range of {
		for _, object := range list {
			objects = append(objects, decoded(object))
		}
	}
	return objects
}

// prepared gives a template's pod the priority of its class, as admission does.
func prepared(pod *corev1.Pod, objects []runtime.Object) *corev1.Pod {
	if pod == nil {
		return nil
	}
	priority := int32(0)
	for _, class := range objectsOf[*schedulingv1.PriorityClass](objects) {
		if class.Name == pod.Spec.PriorityClassName {
			priority, pod.Spec.PreemptionPolicy = class.Value, class.PreemptionPolicy
		}
	}
	pod.Spec.Priority = &priority
	return pod
}

// templatePod is the pod of a revision before it has a node.
func templatePod(kind kind, revision int, meta, spec fields, objects []runtime.Object) *corev1.Pod {
	labels := fields{}
	for key, value := range meta {
		labels[key] = value
	}
	labels[kind.revisionLabel] = []string{"old", "new"}[revision]
	return prepared(serverPod(fmt.Sprint("web-", revision), fields{"labels": labels}, spec), objects)
}

func claimSpecOf(pod *corev1.Pod, objects []runtime.Object) *resourceapi.ResourceClaimSpec {
	for _, claim := range pod.Spec.ResourceClaims {
		for _, template := range objectsOf[*resourceapi.ResourceClaimTemplate](objects) {
			if claim.ResourceClaimTemplateName != nil && template.Name == *claim.ResourceClaimTemplateName {
				return &template.Spec.Spec
			}
		}
	}
	return nil
}

// clusterOf is a draft as upstream's code sees it. It drops pods of others that do not fit.
func (d *draft) clusterOf(kind kind) *cluster {
	objects := decodedAll(d.objects)
	var nodes []*corev1.Node
	for _, node := range d.nodes {
		nodes = append(nodes, decoded(node).(*corev1.Node))
	}
	made := &cluster{scheduler: newScheduler(nodes, objects), known: map[string][]choice{}, stepped: map[string][]state{}, limit: maxStates, claims: objectsOf[*resourceapi.ResourceClaim](objects)}
	for revision, spec := range []fields{d.old, d.new} {
		made.templates[revision] = templatePod(kind, revision, []fields{d.oldMeta, d.newMeta}[revision], spec, objects)
		if made.templates[revision] == nil {
			made.scheduler.stop()
			return nil
		}
		made.claimSpecs[revision] = claimSpecOf(made.templates[revision], objects)
	}
	for _, other := range d.others {
		made.others = append(made.others, otherPod(other))
	}
	return made
}

func otherPod(other fields) *corev1.Pod {
	metadata := other["metadata"].(fields)
	stored := serverPod(metadata["name"].(string), metadata, other["spec"].(fields))
	if stored == nil {
		panic(fmt.Sprint("refused: ", other))
	}
	if owners, has := metadata["ownerReferences"].([]any); has && len(owners) > 0 {
		owner := owners[0].(fields)
		stored.OwnerReferences = []metav1.OwnerReference{{APIVersion: owner["apiVersion"].(string), Kind: owner["kind"].(string), Name: owner["name"].(string), UID: types.UID(owner["uid"].(string)), Controller: toPointer(true)}}
	}
	if number, has := other["spec"].(fields)["priority"].(int); has {
		stored.Spec.Priority = toPointer(int32(number))
	} else {
		stored.Spec.Priority = toPointer(int32(0))
	}
	stored.Spec.NodeName = other["spec"].(fields)["nodeName"].(string)
	stored.Status.Phase = corev1.PodRunning
	stored.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue}}
	return stored
}

// keepOthersThatFit drops pods of others that their nodes do not take, with their claims.
func (d *draft) keepOthersThatFit() {
	objects := decodedAll(d.objects)
	var nodes []*corev1.Node
	for _, node := range d.nodes {
		nodes = append(nodes, decoded(node).(*corev1.Node))
	}
	s := newScheduler(nodes, objects)
	defer s.stop()
	claims := objectsOf[*resourceapi.ResourceClaim](objects)
	var kept []fields
	var there []*corev1.Pod
	for _, other := range d.others {
		pod := otherPod(other)
		asked := pod.DeepCopy()
		asked.Spec.NodeName, asked.Spec.Priority = "", toPointer(int32(0))
		fits := false
		for _, chosen := range s.choices(asked, there, claims) {
			fits = fits || nodes[chosen.node].Name == pod.Spec.NodeName
		}
		if fits {
			kept, there = append(kept, other), append(there, pod)
			continue
		}
		var left []fields
		for _, object := range d.objects {
			if object["kind"] != "ResourceClaim" || object["metadata"].(fields)["name"] != pod.Name+"-gpu" {
				left = append(left, object)
			}
		}
		d.objects = left
	}
	d.others = kept
}

// placeOld lets the scheduler place the pods at the start, by the dice among the nodes that pass.
func (d *draft) placeOld(c *cluster, ordinals []int) []ownPod {
	s := state{}
	for _, ordinal := range ordinals {
		own := ownPod{ordinal: ordinal, node: -1, hasClaim: c.claimOf(0) != ""}
		s.pods = append(s.pods, own)
		found := c.choicesOf(s, len(s.pods)-1)
		if len(found) == 0 {
			return nil
		}
		chosen := pick(d.dice, found...)
		if chosen.victims != nil {
			return nil
		}
		last := &s.pods[len(s.pods)-1]
		last.node, last.allocation, last.ready = chosen.node, chosen.allocation, true
	}
	return s.pods
}

// drift changes a node after the pods at the start have been placed.
func (d *draft) drift() {
	node := d.anyNode()
	spec, labels := node["spec"].(fields), node["metadata"].(fields)["labels"].(fields)
	switch d.Intn(4) {
	case 0:
		spec["unschedulable"] = true
		taints, _ := spec["taints"].([]any)
		spec["taints"] = append(taints, fields{"key": "node.kubernetes.io/unschedulable", "effect": "NoSchedule"})
	case 1:
		taints, _ := spec["taints"].([]any)
		spec["taints"] = append(taints, fields{"key": "late", "effect": "NoSchedule"})
	case 2:
		labels["pool"] = pick(d.dice, "x", "y")
	case 3:
		node["status"].(fields)["allocatable"].(fields)["cpu"] = "8"
	}
}

func (d *draft) quotaOf(c *cluster, s state) fields {
	all := &corev1.ResourceQuota{ObjectMeta: metav1.ObjectMeta{Namespace: namespace}, Spec: corev1.ResourceQuotaSpec{Hard: corev1.ResourceList{}}}
	names := []string{"requests.cpu", "cpu", "requests.memory", "pods", "requests.nvidia.com/gpu", "gpu.example.com.deviceclass.resource.k8s.io/devices"}
	for _, name := range names {
		all.Spec.Hard[corev1.ResourceName(name)] = *quantity("0")
	}
	pods, claims := c.objects(s)
	amounts := map[string]int64{}
	for name, amount := range used(all, pods, claims) {
		amounts[string(name)] = amount.MilliValue()
	}
	hard := d.quota(d, amounts)
	made := fields{"apiVersion": "v1", "kind": "ResourceQuota", "metadata": fields{"name": "quota", "namespace": namespace}, "spec": fields{"hard": hard}}
	current := quotas{decoded(made).(*corev1.ResourceQuota)}.withUse(pods, claims)[0]
	use := fields{}
	for name, amount := range current.Status.Used {
		use[string(name)] = amount.String()
	}
	made["status"] = fields{"hard": hard, "used": use}
	return made
}

var strategies = []fields{
	{"maxSurge": 1, "maxUnavailable": 0}, {"maxSurge": 1, "maxUnavailable": 0}, {"maxSurge": 1, "maxUnavailable": 0}, {"maxSurge": 0, "maxUnavailable": 1}, {"maxSurge": 1, "maxUnavailable": 1},
	{"maxSurge": "25%", "maxUnavailable": "25%"}, {"maxSurge": 2, "maxUnavailable": 0}, {"maxSurge": 0, "maxUnavailable": 2}, {"maxSurge": "100%", "maxUnavailable": 0}, {"maxSurge": "50%", "maxUnavailable": "25%"},
}

// A kind is a kind of workload: how its manifests look, and its controller.
type kind struct {
	name, apiVersion, revisionLabel string
	// spec draws the spec without the template; both revisions share it.
	spec func(d *draft) fields
	// ordinals of the pods at the start, or -1 for each.
	ordinals   func(d *draft) []int
	controller func(d *draft, spec fields) controller
	// themes are those that are drawn; all if unset.
	themes []string
	// place puts the template into the spec, and templateOf reads it; by default it is the field template.
	place      func(whole, template fields)
	templateOf func(spec fields) fields
	// adjust returns what gives a pod what its controller gives it beyond the template.
	adjust func(d *draft, spec fields) func(*corev1.Pod, ownPod)
}

var deploymentKind = kind{
	name: "Deployment", apiVersion: "apps/v1", revisionLabel: appsv1.DefaultDeploymentUniqueLabelKey,
	spec: func(d *draft) fields {
		strategy := fields{"type": "RollingUpdate", "rollingUpdate": copied(pick(d.dice, strategies...))}
		if d.percent(8) {
			strategy = fields{"type": "Recreate"}
		}
		return fields{"replicas": d.replicas, "selector": copied(app), "strategy": strategy}
	},
	ordinals: anonymous,
	controller: func(d *draft, spec fields) controller {
		made := appsv1.DeploymentStrategy{}
		body, err := json.Marshal(spec["strategy"])
		must(err)
		must(json.Unmarshal(body, &made))
		return &deploymentController{replicas: int32(d.replicas), strategy: made}
	},
}

func anonymous(d *draft) []int {
	ordinals := make([]int, d.replicas)
	for i := range ordinals {
		ordinals[i] = -1
	}
	return ordinals
}

// manifest is one side of the change.
func (k kind) manifest(spec, meta, template fields) fields {
	whole := copied(spec).(fields)
	pod := fields{"metadata": fields{"labels": meta}, "spec": template}
	if k.place == nil {
		whole["template"] = pod
	} else {
		k.place(whole, pod)
	}
	return fields{"apiVersion": k.apiVersion, "kind": k.name, "metadata": fields{"name": "web", "namespace": namespace}, "spec": whole}
}

// draw makes the case of a seed; nil if its pods at the start have no place, or its search is too long.
func draw(k kind, theme int, seed int64) *placementCase {
	d := newDraft(dice{rand.New(rand.NewSource(seed))})
	used := []int{theme}
	if theme == len(themes) { // several at once
		used = d.Perm(len(themes) - 1)[:pick(d.dice, 2, 2, 3)]
	}
	for _, one := range used {
		if themes[one].before != nil {
			themes[one].before(d)
		}
	}
	d.finish()
	for _, one := range used {
		themes[one].after(d)
	}
	spec := k.spec(d)
	d.keepOthersThatFit()
	first := d.clusterOf(k)
	if first == nil {
		return nil
	}
	if k.adjust != nil {
		first.adjust = k.adjust(d, spec)
	}
	pods := d.placeOld(first, k.ordinals(d))
	first.scheduler.stop()
	if len(pods) == 0 {
		return nil
	}
	if d.percent(10) {
		d.drift()
	}
	c := d.clusterOf(k)
	defer c.scheduler.stop()
	c.adjust = first.adjust
	made := &placementCase{Nodes: d.nodes, Others: d.others, Objects: d.objects, Old: k.manifest(spec, d.oldMeta, d.old), New: k.manifest(spec, d.newMeta, d.new)}
	for _, pod := range pods {
		made.OldPods = append(made.OldPods, c.scheduler.nodes[pod.node].Name)
		if pod.allocation != nil {
			var names []string
			for _, result := range pod.allocation.Devices.Results {
				names = append(names, result.Device)
			}
			made.OldDevices = append(made.OldDevices, names)
		}
	}
	if d.quota != nil {
		made.Quota = d.quotaOf(c, state{pods: pods})
		c.quotas = quotas{decoded(made.Quota).(*corev1.ResourceQuota)}
	}
	c.controller = k.controller(d, spec)
	if !made.run(c, pods) {
		return nil
	}
	return made
}

// run explores the case and reports whether the search came to an end.
func (made *placementCase) run(c *cluster, pods []ownPod) bool {
	start := c.controller.start(pods)
	inTurns := c.explore(start, false)
	if inTurns.tooMany {
		return false
	}
	made.ends = inTurns.ends()
	raced := c.explore(start, true)
	if raced.tooMany {
		return false
	}
	if raced.ends() != made.ends {
		made.Raced = toPointer(raced.ends())
	}
	return true
}
