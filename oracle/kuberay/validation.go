package main

import (
	"fmt"
	"strings"

	rayv1 "github.com/ray-project/kuberay/ray-operator/apis/ray/v1"
	"github.com/ray-project/kuberay/ray-operator/controllers/ray/utils"
)

const aboutValidation = "RayServices: the base with `set` changed (a JSON pointer, and the value that stands there from now on). " +
	"error is what ValidateRayServiceMetadata, ValidateRayServiceSpec and, of the RayCluster that the operator makes, " +
	"ValidateRayClusterUpgradeOptions say, with the gate of incremental upgrades on; empty where all accept it."

type validationCase struct {
	Name  string         `json:"name"`
	Base  map[string]any `json:"base,omitempty"`
	Set   []change       `json:"set"`
	Error string         `json:"error"`
}

func validationCases() []any {
	read := readInputs()
	var cases []any
	for i, document := range read.Documents {
		c := validationCase{Name: document.Name, Set: document.Set, Error: refusal(stored(changed(read.Base, document.Set)))}
		if i == 0 {
			c.Base = read.Base
		}
		cases = append(cases, c)
	}
	return cases
}

// refusal is the first line of why the operator refuses the service; empty where it does not.
func refusal(service *rayv1.RayService) (words string) {
	defer func() {
		if crash := recover(); crash != nil {
			words = fmt.Sprintf("panic: %v", crash)
		}
	}()
	if err := utils.ValidateRayServiceMetadata(service.ObjectMeta); err != nil {
		return firstLine(err)
	}
	if err := utils.ValidateRayServiceSpec(service); err != nil {
		return firstLine(err)
	}
	if err := clusterRefusal(service); err != nil {
		return "raycluster: " + firstLine(err)
	}
	return ""
}

func firstLine(err error) string {
	line, _, _ := strings.Cut(err.Error(), "\n")
	return line
}
