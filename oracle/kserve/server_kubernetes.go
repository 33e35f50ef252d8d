//go:build !plainserver

package main

import (
	"context"

	appsv1 "k8s.io/api/apps/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	"k8s.io/kubernetes/pkg/apis/apps"
	_ "k8s.io/kubernetes/pkg/apis/apps/install"
	_ "k8s.io/kubernetes/pkg/apis/core/install"
	registry "k8s.io/kubernetes/pkg/registry/apps/deployment"
)

func internalDeployment(deployment *appsv1.Deployment) *apps.Deployment {
	filled := deployment.DeepCopy()
	legacyscheme.Scheme.Default(filled)
	out := &apps.Deployment{}
	must(legacyscheme.Scheme.Convert(filled, out, nil))
	return out
}

// admitted is the Deployment as the server would keep it in the place of `old`, or what it says against it.
func admitted(deployment, old *appsv1.Deployment) (*appsv1.Deployment, error) {
	ctx := context.Background()
	next := internalDeployment(deployment)
	problems := registry.Strategy.Validate(ctx, next)
	if old != nil {
		before := internalDeployment(old)
		registry.Strategy.PrepareForUpdate(ctx, next, before)
		next.ResourceVersion = before.ResourceVersion
		problems = registry.Strategy.ValidateUpdate(ctx, next, before)
	}
	if len(problems) > 0 {
		return nil, apierrors.NewInvalid(schema.GroupKind{Group: "apps", Kind: "Deployment"}, deployment.Name, problems)
	}
	out := &appsv1.Deployment{}
	must(legacyscheme.Scheme.Convert(next, out, nil))
	return out, nil
}
