package main

import (
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/component-base/featuregate"
	_ "k8s.io/kubernetes/pkg/features" // registers the gates
)

const maxUnavailableGate = "MaxUnavailableStatefulSet"

func setGate(name string, on bool) {
	must(utilfeature.DefaultMutableFeatureGate.SetFromMap(map[string]bool{name: on}))
}

// ignoreStaleness: later controllers wait until their caches have the resource versions that they wrote; our fakes give none.
func ignoreStaleness() {
	for _, name := range []string{"StaleControllerConsistencyStatefulSet", "StaleControllerConsistencyDaemonSet"} {
		if _, known := utilfeature.DefaultMutableFeatureGate.GetAll()[featuregate.Feature(name)]; known {
			setGate(name, false)
		}
	}
}

// setPodLevelResources sets the gate, and to their defaults or off those that later versions let depend on it.
func setPodLevelResources(on bool) {
	gates := map[string]bool{"PodLevelResources": on}
	known := utilfeature.DefaultMutableFeatureGate.GetAll()
	for _, name := range []string{"PodLevelResourcesFixKubeletQOSClass", "PodLevelResourcesFixDefaulting", "InPlacePodLevelResourcesVerticalScaling"} {
		if spec, has := known[featuregate.Feature(name)]; has {
			gates[name] = on && spec.Default
		}
	}
	must(utilfeature.DefaultMutableFeatureGate.SetFromMap(gates))
}
