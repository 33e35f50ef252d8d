//go:build lws0.8 || lws0.7

package main

import (
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/client-go/tools/record"
	recording "rolloutkit-oracle-recording"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/lws/pkg/controllers"
)

var recordings = []recording.Maker{
	recording.Of("lws-steps", aboutSteps, stepCases),
	recording.Of("lws-rollouts", aboutRollouts, rolloutCases),
	recording.Of("lws-changes", aboutChanges, changeCases),
	recording.Of("lws-long-rollouts", aboutLong, longCases),
	recording.Of("lws-broken-workers", aboutBroken, brokenCases),
	recording.Of("lws-refusals", aboutRefusals, refusalCases),
	recording.Of("lws-upgrades", aboutUpgrades, upgradeCases),
}

func reconciler(c client.Client) *controllers.LeaderWorkerSetReconciler {
	return controllers.NewLeaderWorkerSetReconciler(c, nil, &record.FakeRecorder{})
}

func groupReconcilers(c client.Client) (*controllers.LeaderWorkerSetReconciler, *controllers.PodReconciler) {
	return controllers.NewLeaderWorkerSetReconciler(c, groupScheme, &record.FakeRecorder{}), controllers.NewPodReconciler(c, groupScheme, &record.FakeRecorder{}, nil)
}

// leaderLimit is the maxUnavailable of the set, which the controller writes into the StatefulSet as it is, as its controller resolves it, surge included.
func leaderLimit(s set, replicas int32) int {
	down, err := intstr.GetScaledValueFromIntOrPercent(&s.maxUnavailable, int(replicas), false)
	must(err)
	return max(1, down)
}
