// Command oracle runs KubeRay's own code over many inputs and records what it answers.
package main

import (
	"github.com/go-logr/logr"
	recording "rolloutkit-oracle-recording"
	ctrl "sigs.k8s.io/controller-runtime"
)

var recordings = []recording.Maker{
	recording.Of("kuberay-validation", aboutValidation, validationCases),
	recording.Of("kuberay-identity", aboutIdentity, identityCases),
	recording.Of("kuberay-edits", aboutEdits, editCases),
	recording.Of("kuberay-upgrades", aboutUpgrades, upgradeCases),
	recording.Of("kuberay-operator-upgrades", aboutOperatorUpgrades, operatorUpgradeCases),
}

func main() {
	ctrl.SetLogger(logr.Discard())
	turnGateOn()
	recording.Run(recordings, fileSuffix, "github.com/ray-project/kuberay/ray-operator")
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
