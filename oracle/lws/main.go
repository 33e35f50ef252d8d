// Command oracle runs LeaderWorkerSet's own code over many inputs and records what it answers.
package main

import recording "rolloutkit-oracle-recording"

func main() {
	recording.Run(recordings, fileSuffix, "sigs.k8s.io/lws")
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
