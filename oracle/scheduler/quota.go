package main

import (
	corev1 "k8s.io/api/core/v1"
	resourceapi "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/admission"
	resourcequotaadmission "k8s.io/apiserver/pkg/admission/plugin/resourcequota"
	quota "k8s.io/apiserver/pkg/quota/v1"
	core "k8s.io/kubernetes/pkg/apis/core"
	corev1conversion "k8s.io/kubernetes/pkg/apis/core/v1"
	evaluators "k8s.io/kubernetes/pkg/quota/v1/evaluator/core"
	"k8s.io/utils/clock"
)

var (
	podEvaluator   = evaluators.NewPodEvaluator(nil, clock.RealClock{})
	claimEvaluator = newClaimEvaluator()
)

// quotas are those of the namespace, with what is used in the state that is under question.
type quotas []*corev1.ResourceQuota

// used sums what the evaluators charge for pods and claims that exist.
func used(of *corev1.ResourceQuota, pods []*corev1.Pod, claims []*resourceapi.ResourceClaim) corev1.ResourceList {
	of = of.DeepCopy()
	of.Status.Hard = of.Spec.Hard // the evaluators match by the status
	total := corev1.ResourceList{}
	for name := range of.Spec.Hard {
		total[name] = resource.Quantity{}
	}
	add := func(evaluator quota.Evaluator, object runtime.Object) {
		matches, err := evaluator.Matches(of, object)
		must(err)
		if !matches {
			return
		}
		usage, err := evaluator.Usage(object)
		must(err)
		total = quota.Mask(quota.Add(total, usage), quota.ResourceNames(of.Spec.Hard))
	}
	for _, pod := range pods {
		if pod.Namespace == of.Namespace {
			add(podEvaluator, pod.DeepCopy())
		}
	}
	for _, claim := range claims {
		if claim.Namespace == of.Namespace {
			add(claimEvaluator, claim)
		}
	}
	return total
}

func (q quotas) withUse(pods []*corev1.Pod, claims []*resourceapi.ResourceClaim) []corev1.ResourceQuota {
	var current []corev1.ResourceQuota
	for _, one := range q {
		copied := *one.DeepCopy()
		copied.Status = corev1.ResourceQuotaStatus{Hard: copied.Spec.Hard, Used: used(one, pods, claims)}
		current = append(current, copied)
	}
	return current
}

// admitsPod asks the admission of ResourceQuotas about a pod.
func (q quotas) admitsPod(pod *corev1.Pod, pods []*corev1.Pod, claims []*resourceapi.ResourceClaim) bool {
	if len(q) == 0 {
		return true
	}
	internal := &core.Pod{}
	must(corev1conversion.Convert_v1_Pod_To_core_Pod(pod.DeepCopy(), internal, nil))
	attributes := admission.NewAttributesRecord(internal, nil, core.Kind("Pod").WithVersion("v1"), pod.Namespace, pod.Name,
		core.Resource("pods").WithVersion("v1"), "", admission.Create, nil, false, nil)
	_, err := resourcequotaadmission.CheckRequest(q.withUse(pods, claims), attributes, podEvaluator, nil)
	return err == nil
}

// admitsClaim holds what the evaluator charges against what is left.
func (q quotas) admitsClaim(claim *resourceapi.ResourceClaim, pods []*corev1.Pod, claims []*resourceapi.ResourceClaim) bool {
	for _, current := range q.withUse(pods, claims) {
		usage, err := claimEvaluator.Usage(claim)
		must(err)
		asked := quota.Mask(quota.RemoveZeros(usage), quota.ResourceNames(current.Spec.Hard))
		total := quota.Mask(quota.Add(current.Status.Used, asked), quota.ResourceNames(asked))
		if fits, _ := quota.LessThanOrEqual(total, current.Spec.Hard); !fits {
			return false
		}
	}
	return true
}
