// Command oracle runs KServe's own code over many inputs and records what it answers.
package main

import (
	"github.com/go-logr/logr"
	recording "rolloutkit-oracle-recording"
	ctrl "sigs.k8s.io/controller-runtime"
)

var recordings = []recording.Maker{
	recording.Of("kserve-deploy-config", aboutDeployConfig, deployConfigCases),
	recording.Of("kserve-strategies", aboutStrategies, strategyCases),
	recording.Of("kserve-nodes", aboutNodes, nodeCases),
	recording.Of("kserve-upgrades", aboutUpgrades, upgradeCases).With(upgradeSections()...),
	recording.Of("kserve-changes", aboutChanges, changeCases).With(changeSections()...),
}

func main() {
	ctrl.SetLogger(logr.Discard())
	recording.Run(recordings, "", "github.com/kserve/kserve")
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
