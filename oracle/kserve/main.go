// Command oracle runs KServe's own code over many inputs and records what it answers.
package main

import recording "rolloutkit-oracle-recording"

var recordings = []recording.Maker{
	recording.Of("kserve-deploy-config", aboutDeployConfig, deployConfigCases),
	recording.Of("kserve-strategies", aboutStrategies, strategyCases),
	recording.Of("kserve-nodes", aboutNodes, nodeCases),
}

func main() {
	recording.Run(recordings, "", "github.com/kserve/kserve")
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
