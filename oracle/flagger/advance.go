package main

import (
	_ "unsafe" // for go:linkname

	"github.com/fluxcd/flagger/pkg/controller"
)

//go:linkname advanceCanary github.com/fluxcd/flagger/pkg/controller.(*Controller).advanceCanary
func advanceCanary(c *controller.Controller, name, namespace string)
