package main

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apiserver/pkg/admission"
	resourcequotaadmission "k8s.io/apiserver/pkg/admission/plugin/resourcequota"
	core "k8s.io/kubernetes/pkg/apis/core"
	corev1conversion "k8s.io/kubernetes/pkg/apis/core/v1"
	"k8s.io/kubernetes/pkg/apis/core/validation"
	evaluators "k8s.io/kubernetes/pkg/quota/v1/evaluator/core"
	podregistry "k8s.io/kubernetes/pkg/registry/core/pod"
	"k8s.io/kubernetes/pkg/registry/core/resourcequota"
	"k8s.io/kubernetes/plugin/pkg/admission/limitranger"
	"k8s.io/utils/clock"
)

const aboutQuotaUsage = "What a quota makes of a pod that is created: `pod` is the spec that was sent, `limitRange` that of the namespace's LimitRange, `quota` that of its ResourceQuota, none of it used. " +
	"After the server's defaults and the LimitRanger's, `usage` is the pod evaluator's, of every resource; `charged` what the ResourceQuota admission adds to what is used; " +
	"`refused` the admission's text where it takes no such pod. Where `podLevelResources` is false that gate is off, as before 1.34."

type quotaCase struct {
	Pod               fields            `json:"pod"`
	PodLevelResources bool              `json:"podLevelResources"`
	LimitRange        fields            `json:"limitRange,omitempty"`
	Quota             fields            `json:"quota"`
	Usage             map[string]string `json:"usage,omitempty"`
	Charged           map[string]string `json:"charged"`
	Refused           string            `json:"refused,omitempty"`
}

var (
	podEvaluator = evaluators.NewPodEvaluator(nil, clock.RealClock{})
	limitRanger  = &limitranger.DefaultLimitRangerActions{}
)

// amountsOf are those above 0.
func amountsOf(list corev1.ResourceList) map[string]string {
	amounts := map[string]string{}
	for name, amount := range list {
		if !amount.IsZero() {
			amounts[string(name)] = amount.String()
		}
	}
	return amounts
}

// limitRangeWithDefaults is the namespace's; nil where the server refuses it.
func (c quotaCase) limitRangeWithDefaults() *corev1.LimitRange {
	internal := decoded("LimitRange", fields{"name": "range"}, c.LimitRange).(*core.LimitRange)
	if len(validation.ValidateLimitRange(internal)) > 0 {
		return nil
	}
	limitRange := &corev1.LimitRange{}
	must(corev1conversion.Convert_core_LimitRange_To_v1_LimitRange(internal, limitRange, nil))
	return limitRange
}

// judged asks the server; nil where it takes no such pod, quota or range, whatever there is besides.
func (c quotaCase) judged() any {
	limitRange := c.limitRangeWithDefaults()
	internalQuota := decoded("ResourceQuota", fields{"name": "quota"}, c.Quota).(*core.ResourceQuota)
	if limitRange == nil || !isValid(internalQuota, resourcequota.Strategy) {
		return nil
	}
	pod := decoded("Pod", fields{"name": "web-1"}, c.Pod).(*core.Pod)
	must(limitRanger.MutateLimit(limitRange, "pods", pod))
	if !isValid(pod, podregistry.Strategy) {
		return nil
	}
	attributes := admission.NewAttributesRecord(pod, nil, core.Kind("Pod").WithVersion("v1"), "default", pod.Name,
		core.Resource("pods").WithVersion("v1"), "", admission.Create, nil, false, nil)
	if err := limitRanger.ValidateLimit(limitRange, "pods", pod); err != nil {
		c.Refused = admission.NewForbidden(attributes, err).Error()
		return c
	}
	usage, err := podEvaluator.Usage(pod.DeepCopy()) // it adds the overhead to amounts that it shares with the pod
	must(err)
	c.Usage = amountsOf(usage)

	quota := corev1.ResourceQuota{}
	must(corev1conversion.Convert_core_ResourceQuota_To_v1_ResourceQuota(internalQuota, &quota, nil))
	quota.Status.Hard, quota.Status.Used = quota.Spec.Hard, corev1.ResourceList{}
	for name := range quota.Spec.Hard {
		quota.Status.Used[name] = resource.Quantity{}
	}
	charged, err := resourcequotaadmission.CheckRequest([]corev1.ResourceQuota{quota}, attributes, podEvaluator, nil)
	if err != nil {
		c.Refused = err.Error()
		return c
	}
	c.Charged = amountsOf(charged[0].Status.Used)
	return c
}

var podResources = []resourceChoice{
	{"cpu", 50, []any{"8", "9500m", 12}},
	{"memory", 50, []any{"16Gi", "20Gi", "32G"}},
	{"hugepages-2Mi", 10, []any{"128Mi", "1Gi"}},
}

var affinityTerms = []fields{
	{"topologyKey": "zone"},
	{"topologyKey": "zone", "namespaces": []any{"other"}},
	{"topologyKey": "zone", "namespaces": []any{}},
	{"topologyKey": "zone", "namespaceSelector": fields{}},
	{"topologyKey": "zone", "namespaceSelector": fields{"matchLabels": fields{"team": "web"}}},
}

func affinityOf(d dice) fields {
	term := fields{"labelSelector": fields{"matchLabels": fields{"app": "web"}}}
	for name, value := range pick(d, affinityTerms...) {
		term[name] = value
	}
	kind := pick(d, "podAffinity", "podAntiAffinity")
	if d.percent(50) {
		return fields{kind: fields{"requiredDuringSchedulingIgnoredDuringExecution": []any{term}}}
	}
	return fields{kind: fields{"preferredDuringSchedulingIgnoredDuringExecution": []any{fields{"weight": 1, "podAffinityTerm": term}}}}
}

// quotedPodOf adds to a pod what scopes ask for, and resources of its own.
func quotedPodOf(d dice) fields {
	spec := podSpecOf(d)
	if d.percent(30) {
		if made := resourcesOf(d, podResources); len(made) > 0 {
			spec["resources"] = made
		}
	}
	if d.percent(40) {
		spec["priorityClassName"] = pick(d, "high", "low", "")
	}
	if d.percent(20) {
		spec["activeDeadlineSeconds"] = 1 + d.Intn(100)
	}
	if d.percent(25) {
		spec["affinity"] = affinityOf(d)
	}
	return spec
}

// Names as quotas have them, and amounts: one that all pods fit in, and one that some don't.
var quotaResources = []resourceChoice{
	{"pods", 30, []any{1000, 0}}, {"count/pods", 15, []any{1000, 0}},
	{"cpu", 15, []any{1000, 1}}, {"requests.cpu", 20, []any{"1k", "2500m"}}, {"limits.cpu", 15, []any{1000, "2"}},
	{"memory", 15, []any{"1Ti", "1Gi"}}, {"requests.memory", 20, []any{"1Ti", "2G"}}, {"limits.memory", 15, []any{"1Ti", "3Gi"}},
	{"ephemeral-storage", 15, []any{"1Ti", "1Gi"}}, {"requests.ephemeral-storage", 15, []any{"1Ti", "1Gi"}}, {"limits.ephemeral-storage", 15, []any{"1Ti", "1Gi"}},
	{"hugepages-2Mi", 15, []any{"1Ti", "4Mi"}}, {"requests.hugepages-2Mi", 15, []any{"1Ti", "4Mi"}},
	{"requests.nvidia.com/gpu", 30, []any{1000, 1}}, {"requests.example.com/licence", 15, []any{1000, 1}},
	{"nvidia.com/gpu", 3, []any{1000, 1}}, {"limits.nvidia.com/gpu", 3, []any{1000, 1}},
	{"requests.storage", 5, []any{"1Ti"}}, {"services", 5, []any{5}}, {"count/replicasets.apps", 5, []any{5}},
}

var scopeNames = []string{"Terminating", "NotTerminating", "BestEffort", "NotBestEffort", "PriorityClass", "CrossNamespacePodAffinity"}

// scopesOf are often one, for several cover few pods.
func scopesOf(d dice) []any {
	if d.percent(70) {
		return []any{pick(d, scopeNames...)}
	}
	var scopes []any
	for _, name := range scopeNames {
		if d.percent(25) {
			scopes = append(scopes, name)
		}
	}
	return scopes
}

func scopeSelectorOf(d dice) fields {
	expressions := []any{}
	if d.percent(30) {
		for _, name := range scopesOf(d) {
			expressions = append(expressions, fields{"scopeName": name, "operator": "Exists"})
		}
	}
	if operator := pick(d, "In", "NotIn", "Exists", "DoesNotExist"); operator == "In" || operator == "NotIn" {
		values := pick(d, []any{"high"}, []any{"high", "low"}, []any{"medium", "low"})
		expressions = append(expressions, fields{"scopeName": "PriorityClass", "operator": operator, "values": values})
	} else {
		expressions = append(expressions, fields{"scopeName": "PriorityClass", "operator": operator})
	}
	return fields{"matchExpressions": expressions}
}

func quotaOf(d dice) fields {
	hard := fields{}
	for _, choice := range quotaResources {
		if d.percent(choice.chance) {
			hard[choice.name] = choice.amounts[0]
			if d.percent(8) {
				hard[choice.name] = choice.amounts[len(choice.amounts)-1]
			}
		}
	}
	quota := fields{"hard": hard}
	if d.percent(50) {
		if scopes := scopesOf(d); len(scopes) > 0 {
			quota["scopes"] = scopes
		}
	}
	if d.percent(25) {
		quota["scopeSelector"] = scopeSelectorOf(d)
	}
	return quota
}

// Amounts of a LimitRange, the smaller ones first: min, defaultRequest, default, max are drawn in this order.
var rangeResources = []resourceChoice{
	{"cpu", 75, []any{"10m", "200m", "1", "4"}},
	{"memory", 75, []any{"1Mi", "256Mi", "2Gi", "8Gi"}},
	{"ephemeral-storage", 20, []any{"1Mi", "1Gi", "2Gi", "20Gi"}},
	{"nvidia.com/gpu", 10, []any{1, 1, 1, 8}},
}

func limitRangeOf(d dice) fields {
	item := fields{"type": "Container"}
	for position, field := range []string{"min", "defaultRequest", "default", "max"} {
		amounts := fields{}
		for _, choice := range rangeResources {
			if d.percent(choice.chance * pick(d, 0, 1, 1, 1) * []int{30, 60, 60, 40}[position] / 60) {
				amounts[choice.name] = choice.amounts[position]
			}
		}
		if len(amounts) > 0 {
			item[field] = amounts
		}
	}
	return fields{"limits": []any{item}}
}

// scopedCases are pods on both sides of every scope.
func scopedCases() []any {
	with := func(resources fields, more fields) fields {
		spec := fields{"containers": []any{fields{"name": "c0", "image": "web:1", "resources": resources}}}
		for name, value := range more {
			spec[name] = value
		}
		return spec
	}
	starter := []any{fields{"name": "i0", "image": "web:1", "resources": fields{"requests": fields{"memory": "1Gi"}}}}
	term := func(of fields) fields {
		of["topologyKey"] = "zone"
		return fields{"affinity": fields{"podAntiAffinity": fields{"requiredDuringSchedulingIgnoredDuringExecution": []any{of}}}}
	}
	pods := []fields{
		with(fields{}, nil), with(fields{}, fields{"overhead": fields{"cpu": "250m", "memory": "120Mi"}}), with(fields{}, fields{"initContainers": starter}),
		with(fields{"requests": fields{"cpu": 0, "memory": "0"}}, nil), with(fields{"limits": fields{"cpu": "1"}}, nil),
		with(fields{"limits": fields{"nvidia.com/gpu": 1}}, nil), with(fields{"requests": fields{"ephemeral-storage": "1Gi"}}, nil),
		with(fields{}, fields{"resources": fields{"requests": fields{"cpu": 1}}}), with(fields{}, fields{"resources": fields{"limits": fields{"memory": "1Gi"}}}),
		with(fields{}, fields{"resources": fields{"requests": fields{"cpu": 0}}}),
		with(fields{}, fields{"activeDeadlineSeconds": 1}), with(fields{}, fields{"priorityClassName": "high"}), with(fields{}, fields{"priorityClassName": ""}),
		with(fields{}, term(fields{})), with(fields{}, term(fields{"namespaces": []any{"other"}})), with(fields{}, term(fields{"namespaceSelector": fields{}})),
	}
	var cases []any
	for _, pod := range pods {
		for _, scope := range scopeNames {
			quota := fields{"hard": fields{"pods": 10}, "scopes": []any{scope}}
			cases = append(cases, quotaCase{Pod: pod, PodLevelResources: true, Quota: quota}.judged())
		}
	}
	return cases
}

func quotaUsageCases() []any {
	d := newDice(11)
	cases := scopedCases()
	for len(cases) < 650 {
		c := quotaCase{Pod: quotedPodOf(d), Quota: quotaOf(d), PodLevelResources: !d.percent(15)}
		if _, hasOwn := c.Pod["resources"]; hasOwn || d.percent(30) {
			c.LimitRange = limitRangeOf(d)
		}
		setPodLevelResources(c.PodLevelResources)
		if judged := c.judged(); judged != nil {
			cases = append(cases, judged)
		}
	}
	setPodLevelResources(true)
	return cases
}
