// Command flagger records what the controller of Flagger does with the target of a Canary. See ../README.md.
package main

import (
	"io"

	"k8s.io/klog/v2"
	recording "rolloutkit-oracle-recording"
)

const module = "github.com/fluxcd/flagger"

var recordings = []recording.Maker{
	recording.Of("flagger-canaries", "Controller.advanceCanary on fake clients, once an interval: what a new Canary makes of its target, and what a change of the target leads to; we play the Deployment controller and the webhooks", canaryCases),
}

func main() {
	klog.SetOutput(io.Discard)
	klog.LogToStderr(false)
	recording.Run(recordings, "", module)
}
