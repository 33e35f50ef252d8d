package main

import (
	"context"
	_ "unsafe" // for go:linkname

	"github.com/argoproj/argo-rollouts/rollout"
)

//go:linkname syncHandler github.com/argoproj/argo-rollouts/rollout.(*Controller).syncHandler
func syncHandler(c *rollout.Controller, ctx context.Context, key string) error
