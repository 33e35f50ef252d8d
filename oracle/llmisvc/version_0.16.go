//go:build llm0.16

package main

import (
	"context"
	"encoding/json"
	_ "unsafe" // for go:linkname

	"github.com/kserve/kserve/pkg/apis/serving/v1alpha1"
	"github.com/kserve/kserve/pkg/controller/v1alpha1/llmisvc"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/record"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type (
	llmService    = v1alpha1.LLMInferenceService
	llmPreset     = v1alpha1.LLMInferenceServiceConfig
	llmStatus     = v1alpha1.LLMInferenceServiceStatus
	llmReconciler = llmisvc.LLMISVCReconciler
	llmConfig     = llmisvc.Config
)

var addToScheme = v1alpha1.AddToScheme

//go:linkname reconcileMultiNode github.com/kserve/kserve/pkg/controller/v1alpha1/llmisvc.(*LLMISVCReconciler).reconcileMultiNodeWorkload
func reconcileMultiNode(r *llmReconciler, ctx context.Context, service *llmService, config *llmConfig) error

//go:linkname reconcileSingleNode github.com/kserve/kserve/pkg/controller/v1alpha1/llmisvc.(*LLMISVCReconciler).reconcileSingleNodeWorkload
func reconcileSingleNode(r *llmReconciler, ctx context.Context, service *llmService, config *llmConfig) error

//go:linkname reconcileScheduler github.com/kserve/kserve/pkg/controller/v1alpha1/llmisvc.(*LLMISVCReconciler).reconcileSchedulerDeployment
func reconcileScheduler(r *llmReconciler, ctx context.Context, service *llmService) error

//go:linkname mergePresets github.com/kserve/kserve/pkg/controller/v1alpha1/llmisvc.(*LLMISVCReconciler).combineBaseRefsConfig
func mergePresets(r *llmReconciler, ctx context.Context, service *llmService, config *llmConfig) (*llmPreset, error)

func newReconciler(c client.Client, clientset kubernetes.Interface) *llmReconciler {
	return &llmReconciler{Client: c, EventRecorder: &record.FakeRecorder{}, Clientset: clientset}
}

func newConfig(clientset kubernetes.Interface) *llmConfig {
	config, err := llmisvc.LoadConfig(context.Background(), clientset)
	must(err)
	return config
}

// stored is an object as the API server stores it: without the fields that the CRD of 0.16 does not have.
func stored(input json.RawMessage) json.RawMessage {
	service := &llmService{}
	must(json.Unmarshal(input, service))
	return text(fields{"apiVersion": "serving.kserve.io/v1alpha1", "kind": "LLMInferenceService", "metadata": fields{"name": "chat", "namespace": "models", "uid": "chat"}, "spec": service.Spec})
}
