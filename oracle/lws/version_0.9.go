//go:build !lws0.8 && !lws0.7

package main

import (
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/client-go/tools/events"
	recording "rolloutkit-oracle-recording"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/lws/pkg/controllers"
)

const fileSuffix = ""

var recordings = []recording.Maker{
	recording.Of("lws-steps", aboutSteps, stepCases),
	recording.Of("lws-rollouts", aboutRollouts, rolloutCases),
	recording.Of("lws-changes", aboutChanges, changeCases),
	recording.Of("lws-long-rollouts", aboutLong, longCases),
	recording.Of("lws-broken-workers", aboutBroken, brokenCases),
	recording.Of("lws-refusals", aboutRefusals, refusalCases),
	recording.Of("lws-upgrades", aboutUpgrades, upgradeCases),
	recording.Of("lws-roles", aboutRoles, roleCases),
	recording.Of("lws-role-rollouts", aboutRoleRollouts, roleRolloutCases),
	recording.Of("lws-role-changes", aboutRoleChanges, roleChangeCases),
}

func reconciler(c client.Client) *controllers.LeaderWorkerSetReconciler {
	return controllers.NewLeaderWorkerSetReconciler(c, nil, &events.FakeRecorder{})
}

func groupReconcilers(c client.Client) (*controllers.LeaderWorkerSetReconciler, *controllers.PodReconciler) {
	return controllers.NewLeaderWorkerSetReconciler(c, groupScheme, &events.FakeRecorder{}), controllers.NewPodReconciler(c, groupScheme, &events.FakeRecorder{}, nil)
}

// leaderLimit is what the controller writes as maxUnavailable of the StatefulSet: both limits together, at least 1.
func leaderLimit(s set, _ int32) int {
	surge, err := intstr.GetScaledValueFromIntOrPercent(&s.maxSurge, int(s.replicas), true)
	must(err)
	down, err := intstr.GetScaledValueFromIntOrPercent(&s.maxUnavailable, int(s.replicas), false)
	must(err)
	return max(1, min(surge, int(s.replicas))+down)
}
