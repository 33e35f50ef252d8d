// Command oracle runs Kubernetes' own code over many inputs and records what it answers.
package main

import (
	"k8s.io/klog/v2"
	recording "rolloutkit-oracle-recording"
)

func main() {
	klog.SetLogger(klog.Logger{}) // says nothing: quotas refuse pods on purpose
	recording.Run(recordings, "", "k8s.io/kubernetes", "sigs.k8s.io/yaml")
}
