//go:build kubernetes1.30

package main

import recording "rolloutkit-oracle-recording"

// The recording where 1.30 does something else; other files don't compile with it.
var recordings = []recording.Maker{
	recording.Of("kubernetes-daemonset-waves-1.30", aboutDaemonSetWaves, daemonSetWaveCases),
}
