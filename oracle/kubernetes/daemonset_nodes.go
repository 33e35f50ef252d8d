package main

import (
	"encoding/json"
	"reflect"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	"k8s.io/kubernetes/pkg/controller/daemon"
	"k8s.io/kubernetes/pkg/registry/apps/daemonset"
)

const aboutDaemonSetNodes = "Whether the DaemonSet controller wants a pod of this template on this node (its NodeShouldRunDaemonPod). The pod is the template's spec beside its containers; specs that the API server refuses are left out. " +
	"A case is [pod, node, shouldRun, shouldContinueRunning]: whether it makes one there and counts the node in desiredNumberScheduled, and whether it leaves one that is there; 1 is yes. `ready` is the node's condition."

type daemonNode struct {
	Name          string            `json:"name"`
	Labels        map[string]string `json:"labels,omitempty"`
	Taints        []corev1.Taint    `json:"taints,omitempty"`
	Unschedulable bool              `json:"unschedulable,omitempty"`
	Ready         *bool             `json:"ready,omitempty"`
}

type daemonNodeCase struct {
	pod  fields
	node daemonNode
	runs [2]bool
}

func (c daemonNodeCase) MarshalJSON() ([]byte, error) {
	bits := map[bool]int{true: 1}
	return json.Marshal([]any{c.pod, c.node, bits[c.runs[0]], bits[c.runs[1]]})
}

func (n daemonNode) node() *corev1.Node {
	node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: n.Name, Labels: n.Labels}, Spec: corev1.NodeSpec{Taints: n.Taints, Unschedulable: n.Unschedulable}}
	if n.Ready != nil {
		status := corev1.ConditionFalse
		if *n.Ready {
			status = corev1.ConditionTrue
		}
		node.Status.Conditions = []corev1.NodeCondition{{Type: corev1.NodeReady, Status: status}}
	}
	return node
}

// storedDaemonSet is one as the server keeps it; nil where it is refused.
func storedDaemonSet(podSpec fields) *appsv1.DaemonSet {
	whole := fields{"containers": []any{fields{"name": "web", "image": "web:1"}}}
	for name, value := range podSpec {
		whole[name] = value
	}
	spec := withTemplate(nil)
	spec["template"].(fields)["spec"] = whole
	body, err := json.Marshal(fields{"apiVersion": "apps/v1", "kind": "DaemonSet", "metadata": fields{"name": "web", "namespace": "default"}, "spec": spec})
	must(err)
	group := schema.GroupVersion{Group: "apps", Version: runtime.APIVersionInternal}
	internal, _, err := legacyscheme.Codecs.CodecForVersions(nil, legacyscheme.Codecs.UniversalDeserializer(), nil, group).Decode(body, nil, nil)
	must(err)
	if !isValid(internal, daemonset.Strategy) {
		return nil
	}
	stored, err := legacyscheme.Scheme.ConvertToVersion(internal, appsv1.SchemeGroupVersion)
	must(err)
	return stored.(*appsv1.DaemonSet)
}

// runsOn asks the controller; from 1.35 on its function takes a logger first.
func runsOn(node *corev1.Node, set *appsv1.DaemonSet) [2]bool {
	function := reflect.ValueOf(daemon.NodeShouldRunDaemonPod)
	given := []reflect.Value{reflect.ValueOf(node), reflect.ValueOf(set)}
	if function.Type().NumIn() > len(given) {
		given = append([]reflect.Value{reflect.ValueOf(klog.Logger{})}, given...)
	}
	answers := function.Call(given)
	return [2]bool{answers[0].Bool(), answers[1].Bool()}
}

var daemonTaints = []corev1.Taint{
	{Key: corev1.TaintNodeNotReady, Effect: corev1.TaintEffectNoSchedule}, {Key: corev1.TaintNodeNotReady, Effect: corev1.TaintEffectNoExecute},
	{Key: corev1.TaintNodeUnreachable, Effect: corev1.TaintEffectNoSchedule}, {Key: corev1.TaintNodeUnreachable, Effect: corev1.TaintEffectNoExecute},
	{Key: corev1.TaintNodeMemoryPressure, Effect: corev1.TaintEffectNoSchedule}, {Key: corev1.TaintNodeDiskPressure, Effect: corev1.TaintEffectNoSchedule},
	{Key: corev1.TaintNodePIDPressure, Effect: corev1.TaintEffectNoSchedule}, {Key: corev1.TaintNodeUnschedulable, Effect: corev1.TaintEffectNoSchedule},
	{Key: corev1.TaintNodeNetworkUnavailable, Effect: corev1.TaintEffectNoSchedule}, {Key: corev1.TaintNodeOutOfService, Value: "nodeshutdown", Effect: corev1.TaintEffectNoExecute},
	{Key: corev1.TaintNodeUnschedulable, Effect: corev1.TaintEffectNoExecute}, {Key: corev1.TaintNodeDiskPressure, Effect: corev1.TaintEffectNoExecute},
	{Key: "node.cloudprovider.kubernetes.io/uninitialized", Value: "true", Effect: corev1.TaintEffectNoSchedule}, {Key: "node-role.kubernetes.io/control-plane", Effect: corev1.TaintEffectNoSchedule},
	{Key: "dedicated", Value: "web", Effect: corev1.TaintEffectNoSchedule}, {Key: "dedicated", Effect: corev1.TaintEffectNoSchedule}, {Key: "dedicated", Value: "web", Effect: corev1.TaintEffectNoExecute},
	{Key: "dedicated", Value: "web", Effect: corev1.TaintEffectPreferNoSchedule}, {Key: "gpu", Value: "a100", Effect: corev1.TaintEffectNoExecute}, {Key: "gpu", Value: "a100", Effect: corev1.TaintEffectNoSchedule},
}

var daemonTolerations = []fields{
	{"operator": "Exists"}, {"operator": "Exists", "effect": "NoSchedule"}, {"operator": "Exists", "effect": "NoExecute"}, {"operator": "Exists", "effect": "PreferNoSchedule"},
	{"key": "dedicated", "operator": "Exists"}, {"key": "dedicated", "value": "web"}, {"key": "dedicated"}, {"key": "dedicated", "operator": "Equal", "value": "db"},
	{"key": "dedicated", "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": 60}, {"key": "dedicated", "value": "web", "effect": "NoSchedule"}, {"key": "gpu", "operator": "Exists"},
	{"key": "gpu", "value": "a100", "effect": "NoExecute", "tolerationSeconds": 0}, {"key": "gpu", "value": "h100"}, {"key": "node-role.kubernetes.io/control-plane", "operator": "Exists", "effect": "NoSchedule"},
	{"key": "node.kubernetes.io/not-ready", "operator": "Exists"}, {"key": "node.kubernetes.io/not-ready", "operator": "Exists", "effect": "NoSchedule"}, {"key": "node.kubernetes.io/unreachable", "operator": "Exists"},
	{"key": "node.kubernetes.io/not-ready", "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": 300}, {"key": "node.kubernetes.io/network-unavailable", "operator": "Exists"},
	{"key": "node.kubernetes.io/out-of-service", "operator": "Exists", "effect": "NoExecute"}, {"key": "node.cloudprovider.kubernetes.io/uninitialized", "value": "true", "effect": "NoSchedule"},
	{"key": "node.cloudprovider.kubernetes.io/uninitialized", "value": "false"},
}

func daemonExpressionOf(d dice) fields {
	key := pick(d, "gpu", "cores", "zone", "cores", "kubernetes.io/hostname")
	operator := pick(d, "In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt")
	expression := fields{"key": key, "operator": operator}
	switch operator {
	case "In", "NotIn":
		values := []any{pick(d, "a100", "16", "a", "node-1", "")}
		if d.percent(50) {
			values = append(values, pick(d, "l4", "32", "b", "node-2"))
		}
		expression["values"] = values
	case "Gt", "Lt":
		expression["key"] = pick(d, "cores", "cores", "cores", "gpu")
		expression["values"] = []any{pick(d, "8", "15", "16", "17", "32", "-1", "016", "+16", "1.5", "abc", "", "9223372036854775807", "9223372036854775808")}
	}
	return expression
}

func daemonTermOf(d dice) fields {
	term := fields{}
	if d.percent(85) {
		expressions := []any{daemonExpressionOf(d)}
		if d.percent(35) {
			expressions = append(expressions, daemonExpressionOf(d))
		}
		term["matchExpressions"] = expressions
	}
	if d.percent(20) {
		term["matchFields"] = []any{fields{"key": "metadata.name", "operator": pick(d, "In", "In", "NotIn"), "values": []any{pick(d, "node-1", "node-2")}}}
	}
	return term
}

func daemonPodOf(d dice) fields {
	spec := fields{}
	if d.percent(6) {
		spec["nodeName"] = pick(d, "node-1", "node-2")
	}
	if d.percent(18) {
		spec["nodeSelector"] = pick(d, fields{"gpu": "a100"}, fields{"zone": ""}, fields{"zone": "a"}, fields{"zone": "a", "gpu": "a100"}, fields{"cores": "16"})
	}
	if d.percent(45) {
		terms := []any{daemonTermOf(d)}
		if d.percent(35) {
			terms = append(terms, daemonTermOf(d))
		}
		spec["affinity"] = fields{"nodeAffinity": fields{"requiredDuringSchedulingIgnoredDuringExecution": fields{"nodeSelectorTerms": terms}}}
	} else if d.percent(8) {
		preferred := []any{fields{"weight": 50, "preference": daemonTermOf(d)}}
		spec["affinity"] = fields{"nodeAffinity": fields{"preferredDuringSchedulingIgnoredDuringExecution": preferred}}
	}
	if d.percent(55) {
		tolerations := []any{}
		for range 1 + d.Intn(3) {
			tolerations = append(tolerations, pick(d, daemonTolerations...))
		}
		spec["tolerations"] = tolerations
	}
	if d.percent(20) {
		spec["hostNetwork"] = true
	}
	return spec
}

func daemonNodeOf(d dice) daemonNode {
	node := daemonNode{Name: pick(d, "node-1", "node-1", "node-1", "node-2")}
	labels := map[string]string{}
	if d.percent(50) {
		labels["gpu"] = pick(d, "a100", "a100", "l4", "16")
	}
	if d.percent(70) {
		labels["cores"] = pick(d, "16", "16", "32", "8", "-4", "016", "many", "")
	}
	if d.percent(60) {
		labels["zone"] = pick(d, "a", "a", "b", "")
	}
	if d.percent(40) {
		labels["kubernetes.io/hostname"] = node.Name
	}
	if len(labels) > 0 {
		node.Labels = labels
	}
	if d.percent(60) {
		for range 1 + d.Intn(2) {
			node.Taints = append(node.Taints, pick(d, daemonTaints...))
		}
	}
	if d.percent(10) {
		node.Unschedulable = true
	}
	if d.percent(15) {
		node.Ready = ptr(d.percent(30))
	}
	return node
}

func daemonSetNodeCases() []any {
	d := newDice(23)
	var cases []any
	// Each taint meets each toleration, with and without the host's network.
	for _, taint := range daemonTaints {
		node := daemonNode{Name: "node-1", Taints: []corev1.Taint{taint}}
		specs := []fields{{}, {"hostNetwork": true}}
		for _, toleration := range daemonTolerations {
			specs = append(specs, fields{"tolerations": []any{toleration}})
		}
		for _, spec := range specs {
			cases = append(cases, daemonNodeCase{spec, node, runsOn(node.node(), storedDaemonSet(spec))})
		}
	}
	for len(cases) < 1300 {
		c := daemonNodeCase{pod: daemonPodOf(d), node: daemonNodeOf(d)}
		if set := storedDaemonSet(c.pod); set != nil {
			c.runs = runsOn(c.node.node(), set)
			cases = append(cases, c)
		}
	}
	return cases
}
