// Command oracle runs the RollingSync of Argo CD's ApplicationSet controller over many inputs and records what it does.
package main

import recording "rolloutkit-oracle-recording"

func main() {
	recording.Run([]recording.Maker{recording.Of("argo-cd-rolling-sync", about, rollingSyncs)}, fileSuffix, "github.com/argoproj/argo-cd/v3")
}
