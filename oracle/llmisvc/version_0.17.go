//go:build llm0.17

package main

import (
	"context"
	"encoding/json"
	_ "unsafe" // for go:linkname

	"github.com/kserve/kserve/pkg/apis/serving/v1alpha2"
	"github.com/kserve/kserve/pkg/controller/v1alpha2/llmisvc"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/record"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type (
	llmService    = v1alpha2.LLMInferenceService
	llmPreset     = v1alpha2.LLMInferenceServiceConfig
	llmStatus     = v1alpha2.LLMInferenceServiceStatus
	llmReconciler = llmisvc.LLMISVCReconciler
	llmConfig     = llmisvc.Config
)

var addToScheme = v1alpha2.AddToScheme

//go:linkname reconcileMultiNode github.com/kserve/kserve/pkg/controller/v1alpha2/llmisvc.(*LLMISVCReconciler).reconcileMultiNodeWorkload
func reconcileMultiNode(r *llmReconciler, ctx context.Context, service *llmService, config *llmConfig) error

//go:linkname reconcileSingleNode github.com/kserve/kserve/pkg/controller/v1alpha2/llmisvc.(*LLMISVCReconciler).reconcileSingleNodeWorkload
func reconcileSingleNode(r *llmReconciler, ctx context.Context, service *llmService, config *llmConfig) error

//go:linkname reconcileSchedulerDeployment github.com/kserve/kserve/pkg/controller/v1alpha2/llmisvc.(*LLMISVCReconciler).reconcileSchedulerDeployment
func reconcileSchedulerDeployment(r *llmReconciler, ctx context.Context, service *llmService, config *llmisvc.SchedulerConfig) error

func reconcileScheduler(r *llmReconciler, ctx context.Context, service *llmService) error {
	return reconcileSchedulerDeployment(r, ctx, service, &llmisvc.SchedulerConfig{})
}

//go:linkname mergePresets github.com/kserve/kserve/pkg/controller/v1alpha2/llmisvc.(*LLMISVCReconciler).combineBaseRefsConfig
func mergePresets(r *llmReconciler, ctx context.Context, service *llmService, config *llmConfig, options ...llmisvc.CombineOption) (*llmPreset, error)

func newReconciler(c client.Client, clientset kubernetes.Interface) *llmReconciler {
	return &llmReconciler{Client: c, EventRecorder: &record.FakeRecorder{}, Clientset: clientset, Validator: func(context.Context, *llmService) error { return nil }}
}

func newConfig(clientset kubernetes.Interface) *llmConfig {
	config, err := llmisvc.LoadConfig(context.Background(), clientset)
	must(err)
	return config
}

// stored is an object as the API server stores it.
func stored(input json.RawMessage) json.RawMessage { return input }
