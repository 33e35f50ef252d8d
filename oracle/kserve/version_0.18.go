//go:build kserve0.18

package main

import "github.com/kserve/kserve/pkg/apis/serving/v1beta1"

func setDefaults(service *v1beta1.InferenceService, config *v1beta1.InferenceServicesConfig, deploy *v1beta1.DeployConfig, security *v1beta1.SecurityConfig) {
	service.DefaultInferenceService(config, deploy, security, nil, nil)
}
