//go:build plainserver

package main

import (
	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/utils/ptr"
)

// admitted is the Deployment with its replicas. Two versions of KServe that are compared under this server differ only by what they write.
func admitted(deployment, _ *appsv1.Deployment) (*appsv1.Deployment, error) {
	out := deployment.DeepCopy()
	if out.Spec.Replicas == nil {
		out.Spec.Replicas = ptr.To[int32](1)
	}
	return out, nil
}
