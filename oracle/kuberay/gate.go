package main

import (
	utilfeature "k8s.io/apiserver/pkg/util/feature"
)

// turnGateOn turns incremental upgrades on, as the plan assumes of versions in which they are off.
func turnGateOn() {
	must(utilfeature.DefaultMutableFeatureGate.Set("RayServiceIncrementalUpgrade=true"))
}
