//go:build kubernetes1.30

package main

// The recording where 1.30 does something else; other files don't compile with it.
var recordings = []recording{
	{"kubernetes-daemonset-waves-1.30", aboutDaemonSetWaves, daemonSetWaveCases},
}
