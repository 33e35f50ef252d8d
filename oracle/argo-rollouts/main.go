// Command argo-rollouts records what the controller of Argo Rollouts does. See ../README.md.
package main

import (
	"io"
	"strings"

	"github.com/sirupsen/logrus"
	"k8s.io/klog/v2"
	recording "rolloutkit-oracle-recording"
)

const module = "github.com/argoproj/argo-rollouts"

var recordings = []recording.Maker{
	recording.Of("argo-rollouts-steps", "the whole Controller.syncHandler on fake clients, synced until it has nothing left to do; then all pods get ready, a wait is over, or somebody promotes", stepCases),
	recording.Of("argo-rollouts-changes", "the same, where replicas and template change together", changeCases),
	recording.Of("argo-rollouts-room", "the same, some with other replicas, where no more than so many pods run at once; the last row may wait for pods that find no room", roomCases),
	recording.Of("argo-rollouts-routers", "the same canaries with Istio, SMI or ALB as the router", routerCases),
	recording.Of("argo-rollouts-more-routers", "the same canaries with Traefik or APISIX as the router", moreRouterCases),
	recording.Of("argo-rollouts-interrupted", "canaries that get a third version, or the stable one again, before their second is rolled out: what stands then, and the rows from there on", standingCases),
	recording.Of("argo-rollouts-interrupted-scaled", "the same where the change is of the replicas as well", scaledStandingCases),
	recording.Of("argo-rollouts-new-steps", "canaries that get other steps before their version is rolled out: what stands then, and the rows from there on", newStepsCases),
	recording.Of("argo-rollouts-new-steps-scaled", "the same where the change is of the replicas as well", scaledNewStepsCases),
	recording.Of("argo-rollouts-restarts", "the same on Rollouts at rest that get a restartAt: pods that are no older, those that are, and how many of both are ready; of some so many pods are younger", restartCases),
	recording.Of("argo-rollouts-validation", "ValidateRollout: the first error, which the controller stops at", validationCases),
}

// suffix tells the recordings of other versions than 1.9 apart: "-1.10" of v1.10.2.
func suffix(version string) string {
	minor := strings.TrimPrefix(version[:strings.LastIndex(version, ".")], "v")
	if minor == "1.9" {
		return ""
	}
	return "-" + minor
}

func main() {
	logrus.SetOutput(io.Discard)
	klog.SetOutput(io.Discard)
	klog.LogToStderr(false)
	recording.Run(recordings, suffix(recording.Versions(module)[module]), module)
}
