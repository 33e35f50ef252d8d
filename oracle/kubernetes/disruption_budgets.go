//go:build !kubernetes1.30

package main

import (
	"context"
	"fmt"
	_ "unsafe" // for go:linkname

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/kubernetes/pkg/apis/policy"
	policyconversion "k8s.io/kubernetes/pkg/apis/policy/v1"
	"k8s.io/kubernetes/pkg/controller/disruption"
	"k8s.io/kubernetes/pkg/registry/policy/poddisruptionbudget"
)

const aboutDisruptionBudgets = "The status that the real disruption controller (its sync, driven by hand) gives a PodDisruptionBudget of this spec over StatefulSets whose pods are all ready. " +
	"Specs that the API server refuses are left out; `status` is [expectedPods, desiredHealthy, disruptionsAllowed]."

//go:linkname syncBudget k8s.io/kubernetes/pkg/controller/disruption.(*DisruptionController).sync
func syncBudget(dc *disruption.DisruptionController, ctx context.Context, key string) error

type budgetedSet struct {
	Labels   map[string]string `json:"labels"`
	Replicas int32             `json:"replicas"`
}

type budgetCase struct {
	Spec   policyv1.PodDisruptionBudgetSpec `json:"spec"`
	Sets   []budgetedSet                    `json:"sets"`
	Status [3]int32                         `json:"status"`
}

// isAccepted asks the server's validation.
func isAccepted(budget *policyv1.PodDisruptionBudget) bool {
	internal := &policy.PodDisruptionBudget{}
	must(policyconversion.Convert_v1_PodDisruptionBudget_To_policy_PodDisruptionBudget(budget, internal, nil))
	return isValid(internal, poddisruptionbudget.Strategy)
}

func readyPod(set *appsv1.StatefulSet, ordinal int32) *corev1.Pod {
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{
			Name: fmt.Sprint(set.Name, "-", ordinal), Namespace: "default", Labels: set.Spec.Template.Labels,
			OwnerReferences: []metav1.OwnerReference{*metav1.NewControllerRef(set, appsv1.SchemeGroupVersion.WithKind("StatefulSet"))},
		},
		Status: corev1.PodStatus{Phase: corev1.PodRunning, Conditions: []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue}}},
	}
}

// synced runs the controller once; nil where the server refuses the budget.
func (c budgetCase) synced() any {
	ctx := context.Background()
	budget := &policyv1.PodDisruptionBudget{ObjectMeta: metav1.ObjectMeta{Name: "budget", Namespace: "default", Generation: 1}, Spec: c.Spec}
	if !isAccepted(budget.DeepCopy()) {
		return nil
	}
	client := fake.NewClientset(budget)
	factory := informers.NewSharedInformerFactory(client, 0)
	core, apps, budgets := factory.Core().V1(), factory.Apps().V1(), factory.Policy().V1().PodDisruptionBudgets()
	controller := disruption.NewDisruptionController(ctx, core.Pods(), budgets, core.ReplicationControllers(), apps.ReplicaSets(),
		apps.Deployments(), apps.StatefulSets(), client, nil, nil, client.Discovery())
	must(budgets.Informer().GetStore().Add(budget))
	for i, set := range c.Sets {
		name := fmt.Sprint("set-", i)
		stored := &appsv1.StatefulSet{ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: "default", UID: types.UID(name)}}
		stored.Spec.Replicas, stored.Spec.Template.Labels = &set.Replicas, set.Labels
		must(apps.StatefulSets().Informer().GetStore().Add(stored))
		for ordinal := range set.Replicas {
			must(core.Pods().Informer().GetStore().Add(readyPod(stored, ordinal)))
		}
	}
	must(syncBudget(controller, ctx, "default/budget"))
	updated, err := client.PolicyV1().PodDisruptionBudgets("default").Get(ctx, "budget", metav1.GetOptions{})
	must(err)
	c.Status = [3]int32{updated.Status.ExpectedPods, updated.Status.DesiredHealthy, updated.Status.DisruptionsAllowed}
	return c
}

func budgetSelectorOf(d dice) *metav1.LabelSelector {
	expression := func(operator metav1.LabelSelectorOperator, values ...string) *metav1.LabelSelector {
		return &metav1.LabelSelector{MatchExpressions: []metav1.LabelSelectorRequirement{{Key: "app", Operator: operator, Values: values}}}
	}
	return pick(d,
		&metav1.LabelSelector{}, nil, &metav1.LabelSelector{MatchLabels: map[string]string{"app": "a"}}, &metav1.LabelSelector{MatchLabels: map[string]string{"tier": "web"}},
		&metav1.LabelSelector{MatchLabels: map[string]string{"app": "a", "tier": "web"}}, expression(metav1.LabelSelectorOpIn, "a", "b"),
		expression(metav1.LabelSelectorOpNotIn, "a"), expression(metav1.LabelSelectorOpExists), expression(metav1.LabelSelectorOpDoesNotExist),
	)
}

func budgetLimitOf(d dice) *intstr.IntOrString {
	limit := intstr.FromInt32(d.Int31n(12))
	if d.percent(60) {
		limit = intstr.FromString(fmt.Sprint(d.Intn(106), "%"))
	}
	return &limit
}

func disruptionBudgetCases() []any {
	d := newDice(14)
	var cases []any
	for len(cases) < 500 {
		c := budgetCase{Spec: policyv1.PodDisruptionBudgetSpec{Selector: budgetSelectorOf(d)}}
		if d.percent(50) {
			c.Spec.MinAvailable = budgetLimitOf(d)
		} else {
			c.Spec.MaxUnavailable = budgetLimitOf(d)
		}
		for range 1 + d.Intn(3) {
			labels := pick(d, map[string]string{"app": "a"}, map[string]string{"app": "b"}, map[string]string{"app": "a", "tier": "web"}, map[string]string{"tier": "web"})
			c.Sets = append(c.Sets, budgetedSet{Labels: labels, Replicas: d.Int31n(12)})
		}
		if synced := c.synced(); synced != nil {
			cases = append(cases, synced)
		}
	}
	return cases
}
