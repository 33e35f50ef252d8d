//go:build !kubernetes1.30

package main

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes/fake"
	corev1conversion "k8s.io/kubernetes/pkg/apis/core/v1"
	"k8s.io/kubernetes/pkg/scheduler/apis/config"
	"k8s.io/kubernetes/pkg/scheduler/apis/config/latest"
	"k8s.io/kubernetes/pkg/scheduler/backend/cache"
	"k8s.io/kubernetes/pkg/scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins"
	frameworkruntime "k8s.io/kubernetes/pkg/scheduler/framework/runtime"
	"k8s.io/kubernetes/pkg/scheduler/metrics"
)

const aboutPlacement = "How many pods of a Deployment the scheduler's filters let onto one node, one after another: 2 of the old revision, then up to 2 of the new one, with the label pod-template-hash of theirs; `fits` is their number. " +
	"Filters: NodeUnschedulable, NodeAffinity, TaintToleration, NodePorts, NodeResourcesFit, InterPodAffinity. `cordoned` says that the node was cordoned between the two. " +
	"`others` are specs of pods with the label app: db that are there from the beginning. The namespace is default, with the label team: web."

const placedRevision = 2

type placementNode struct {
	Labels      map[string]string `json:"labels"`
	Taints      []corev1.Taint    `json:"taints,omitempty"`
	Allocatable map[string]string `json:"allocatable"`
}

type placementCase struct {
	Node     placementNode `json:"node"`
	Cordoned bool          `json:"cordoned,omitempty"`
	Others   []fields      `json:"others,omitempty"`
	Pod      fields        `json:"pod"`
	Fits     int           `json:"fits"`
}

func (n placementNode) node() *corev1.Node {
	allocatable := corev1.ResourceList{}
	for name, amount := range n.Allocatable {
		allocatable[corev1.ResourceName(name)] = resource.MustParse(amount)
	}
	return &corev1.Node{
		ObjectMeta: metav1.ObjectMeta{Name: n.Labels[corev1.LabelHostname], Labels: n.Labels},
		Spec:       corev1.NodeSpec{Taints: n.Taints},
		Status:     corev1.NodeStatus{Allocatable: allocatable},
	}
}

func cordoned(node *corev1.Node) *corev1.Node {
	node = node.DeepCopy()
	node.Spec.Unschedulable = true
	node.Spec.Taints = append(node.Spec.Taints, corev1.Taint{Key: corev1.TaintNodeUnschedulable, Effect: corev1.TaintEffectNoSchedule})
	return node
}

// labelledPod is a pod as the server keeps it; nil where it is refused.
func labelledPod(name string, labels, spec fields) *corev1.Pod {
	internal := decodedPod(fields{"name": name, "labels": labels}, spec)
	if internal == nil {
		return nil
	}
	pod := &corev1.Pod{}
	must(corev1conversion.Convert_core_Pod_To_v1_Pod(internal, pod, nil))
	return pod
}

// schedulerProfile is the default one with those filters that look at pods and nodes alone.
func schedulerProfile() *config.KubeSchedulerProfile {
	defaults, err := latest.Default()
	must(err)
	profile := defaults.Profiles[0]
	profile.Plugins = &config.Plugins{MultiPoint: config.PluginSet{Enabled: []config.Plugin{
		{Name: "PrioritySort"}, {Name: "NodeUnschedulable"}, {Name: "NodeAffinity"}, {Name: "TaintToleration"}, {Name: "NodePorts"},
		{Name: "NodeResourcesFit"}, {Name: "InterPodAffinity"}, {Name: "DefaultBinder"},
	}}}
	return &profile
}

// schedulerInformers know the namespaces, for the selectors of terms.
func schedulerInformers() informers.SharedInformerFactory {
	factory := informers.NewSharedInformerFactory(fake.NewClientset(), 0)
	namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "default", Labels: map[string]string{"team": "web", corev1.LabelMetadataName: "default"}}}
	must(factory.Core().V1().Namespaces().Informer().GetStore().Add(namespace))
	return factory
}

// takes asks the filters whether a pod may go to a node with these pods.
func takes(node *corev1.Node, there []*corev1.Pod, pod *corev1.Pod) bool {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	snapshot := cache.NewSnapshot(there, []*corev1.Node{node})
	scheduler, err := frameworkruntime.NewFramework(ctx, plugins.NewInTreeRegistry(), schedulerProfile(),
		frameworkruntime.WithSnapshotSharedLister(snapshot), frameworkruntime.WithInformerFactory(schedulerInformers()))
	must(err)
	nodes, err := snapshot.NodeInfos().List()
	must(err)
	state := framework.NewCycleState()
	result, status, _ := scheduler.RunPreFilterPlugins(ctx, state, pod)
	if !status.IsSuccess() || (!result.AllNodes() && !result.NodeNames.Has(node.Name)) {
		return false
	}
	return scheduler.RunFilterPlugins(ctx, state, pod, nodes[0]).IsSuccess()
}

// put adds a pod to those on a node, if the filters let it.
func put(on *corev1.Node, there []*corev1.Pod, pod *corev1.Pod) ([]*corev1.Pod, bool) {
	if !takes(on, there, pod) {
		return there, false
	}
	pod.Spec.NodeName = on.Name
	return append(there, pod), true
}

// putRevision adds as many pods of one revision as the filters let, and returns their number.
func (c placementCase) putRevision(revision string, on *corev1.Node, there []*corev1.Pod) ([]*corev1.Pod, int) {
	for i := range placedRevision {
		pod := labelledPod(fmt.Sprint("web-", revision, "-", i), fields{"app": "web", "pod-template-hash": revision}, c.Pod)
		with, isPut := put(on, there, pod)
		if !isPut {
			return there, i
		}
		there = with
	}
	return there, placedRevision
}

// placed puts the pods on the node; nil where the server refuses one, or where the others take places from the old revision, for then
// these pods never all ran, and where they make no difference.
func (c placementCase) placed() any {
	node := c.Node.node()
	if labelledPod("web", fields{"app": "web"}, c.Pod) == nil {
		return nil
	}
	_, alone := c.putRevision("old", node, nil)
	var there []*corev1.Pod
	for i, spec := range c.Others {
		pod := labelledPod(fmt.Sprint("db-", i), fields{"app": "db"}, spec)
		if pod == nil {
			return nil
		}
		with, isPut := put(node, there, pod)
		if !isPut {
			return nil
		}
		there = with
	}
	there, old := c.putRevision("old", node, there)
	if old < alone || old == 0 && len(c.Others) > 0 {
		return nil
	}
	c.Fits = old
	if old == placedRevision {
		on := node
		if c.Cordoned {
			on = cordoned(node)
		}
		_, fresh := c.putRevision("new", on, there)
		c.Fits += fresh
	}
	return c
}

func placementNodeOf(d dice) placementNode {
	node := placementNode{
		Labels: map[string]string{corev1.LabelHostname: "node-1", corev1.LabelOSStable: "linux", corev1.LabelTopologyZone: "a"},
		Allocatable: map[string]string{
			"cpu": pick(d, "3900m", "12", "24", "64"), "memory": pick(d, "8Gi", "15Gi", "32Gi", "128Gi"),
			"ephemeral-storage": pick(d, "20Gi", "100Gi"), "pods": pick(d, "2", "3", "5", "10", "110"),
		},
	}
	for _, device := range [][3]string{{"nvidia.com/gpu", "4", "16"}, {"hugepages-2Mi", "64Mi", "1Gi"}, {"example.com/licence", "0", "12"}} {
		if d.percent(70) {
			node.Allocatable[device[0]] = device[1+d.Intn(2)]
		}
	}
	for _, label := range [][3]string{{"gpu", "a100", "h100"}, {"cores", "16", "32"}, {"team", "web", ""}} {
		if d.percent(60) {
			node.Labels[label[0]] = label[1+d.Intn(2)]
		}
	}
	for _, taint := range []corev1.Taint{
		{Key: "dedicated", Value: "web", Effect: corev1.TaintEffectNoSchedule}, {Key: "dedicated", Effect: corev1.TaintEffectNoExecute},
		{Key: "spot", Value: "true", Effect: corev1.TaintEffectPreferNoSchedule}, {Key: "gpu", Value: "a100", Effect: corev1.TaintEffectNoSchedule},
	} {
		if d.percent(8) {
			node.Taints = append(node.Taints, taint)
		}
	}
	return node
}

var nodeExpressions = []fields{
	{"key": "gpu", "operator": "In", "values": []any{"a100", "l4"}}, {"key": "gpu", "operator": "NotIn", "values": []any{"h100"}},
	{"key": "gpu", "operator": "Exists"}, {"key": "gpu", "operator": "DoesNotExist"}, {"key": "team", "operator": "In", "values": []any{"web", ""}},
	{"key": "cores", "operator": "Gt", "values": []any{"16"}}, {"key": "cores", "operator": "Lt", "values": []any{"32"}},
	{"key": "kubernetes.io/hostname", "operator": "NotIn", "values": []any{"node-2"}}, {"key": "topology.kubernetes.io/zone", "operator": "In", "values": []any{"a", "b"}},
}

var nodeFields = []fields{
	{"key": "metadata.name", "operator": "In", "values": []any{"node-1"}}, {"key": "metadata.name", "operator": "NotIn", "values": []any{"node-1"}},
	{"key": "metadata.name", "operator": "In", "values": []any{"node-2"}},
}

func nodeTermOf(d dice) fields {
	term := fields{}
	if d.percent(85) {
		expressions := []any{pick(d, nodeExpressions...)}
		if d.percent(40) {
			expressions = append(expressions, pick(d, nodeExpressions...))
		}
		term["matchExpressions"] = expressions
	}
	if d.percent(15) {
		term["matchFields"] = []any{pick(d, nodeFields...)}
	}
	return term
}

var tolerations = []fields{
	{"operator": "Exists"}, {"key": "dedicated", "operator": "Exists"}, {"key": "dedicated", "value": "web"}, {"key": "dedicated", "operator": "Equal"},
	{"key": "dedicated", "operator": "Exists", "effect": "NoExecute"}, {"key": "gpu", "operator": "Equal", "value": "a100", "effect": "NoSchedule"},
	{"key": "gpu", "operator": "Equal", "value": "h100"}, {"key": "node.kubernetes.io/unschedulable", "operator": "Exists", "effect": "NoSchedule"},
}

// antiAffinityOf keeps pods of the Deployment apart, or looks as if.
func antiAffinityOf(d dice) fields {
	term := fields{
		"topologyKey":   pick(d, "kubernetes.io/hostname", "kubernetes.io/hostname", "kubernetes.io/hostname", "rack"),
		"labelSelector": pick(d, fields{"matchLabels": fields{"app": "web"}}, fields{"matchLabels": fields{"app": "api"}}, fields{"matchExpressions": []any{fields{"key": "app", "operator": "In", "values": []any{"api", "web"}}}}),
	}
	switch d.Intn(8) {
	case 0:
		term["namespaces"] = pick(d, []any{"default"}, []any{"other"}, []any{"other", "default"})
	case 1:
		term["namespaceSelector"] = pick(d, fields{}, fields{"matchLabels": fields{"team": "web"}}, fields{"matchLabels": fields{"team": "ops"}}, fields{"matchLabels": fields{"kubernetes.io/metadata.name": "default"}})
	case 2:
		term["matchLabelKeys"] = []any{"pod-template-hash"}
	case 3:
		term["mismatchLabelKeys"] = []any{"pod-template-hash"}
	}
	return term
}

func hostPortOf(d dice) fields {
	port := fields{"containerPort": pick(d, 80, 8080), "hostPort": pick(d, 80, 8080)}
	if d.percent(30) {
		port["protocol"] = pick(d, "TCP", "UDP")
	}
	if d.percent(60) {
		port["hostIP"] = pick(d, "10.0.0.1", "10.0.0.2", "0.0.0.0")
	}
	return port
}

// withPort gives a container or sidecar of a pod a port of its node.
func withPort(d dice, spec fields) {
	containers := spec["containers"].([]any)
	if inits, has := spec["initContainers"].([]any); has && d.percent(40) {
		containers = inits
	}
	containers[d.Intn(len(containers))].(fields)["ports"] = []any{hostPortOf(d)}
}

func scheduledPodOf(d dice) fields {
	spec := podSpecOf(d)
	affinity := fields{}
	if d.percent(12) {
		spec["nodeSelector"] = pick(d, fields{"gpu": "a100"}, fields{"team": ""}, fields{"kubernetes.io/os": "linux"}, fields{"team": "web", "gpu": "h100"})
	}
	if d.percent(30) {
		terms := []any{nodeTermOf(d)}
		if d.percent(40) {
			terms = append(terms, nodeTermOf(d))
		}
		affinity["nodeAffinity"] = fields{"requiredDuringSchedulingIgnoredDuringExecution": fields{"nodeSelectorTerms": terms}}
	}
	if d.percent(25) {
		terms := []any{antiAffinityOf(d)}
		if d.percent(30) {
			terms = append(terms, antiAffinityOf(d))
		}
		affinity["podAntiAffinity"] = fields{"requiredDuringSchedulingIgnoredDuringExecution": terms}
	}
	if len(affinity) > 0 {
		spec["affinity"] = affinity
	}
	if d.percent(40) {
		spec["tolerations"] = []any{pick(d, tolerations...)}
		if d.percent(40) {
			spec["tolerations"] = []any{pick(d, tolerations...), pick(d, tolerations...)}
		}
	}
	if d.percent(25) {
		withPort(d, spec)
	}
	if d.percent(6) {
		spec["hostNetwork"] = true
		spec["containers"].([]any)[0].(fields)["ports"] = []any{fields{"containerPort": pick(d, 80, 8080)}}
	}
	return spec
}

// otherPodOf is a pod that goes anywhere.
func otherPodOf(d dice) fields {
	spec := podSpecOf(d)
	spec["tolerations"] = []any{fields{"operator": "Exists"}}
	if d.percent(70) {
		withPort(d, spec)
	}
	return spec
}

func placementCases() []any {
	metrics.Register()
	d := newDice(13)
	var cases []any
	for len(cases) < 600 {
		c := placementCase{Node: placementNodeOf(d), Pod: scheduledPodOf(d), Cordoned: d.percent(10)}
		if d.percent(65) {
			for range 1 + d.Intn(2) {
				c.Others = append(c.Others, otherPodOf(d))
			}
		}
		if placed := c.placed(); placed != nil {
			cases = append(cases, placed)
		}
	}
	return cases
}
