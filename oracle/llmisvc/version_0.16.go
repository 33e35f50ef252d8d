//go:build llm0.16

package main

import (
	"context"
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

func newConfig() *llmConfig {
	return &llmConfig{SystemNamespace: "kserve", IngressGatewayNamespace: "kserve", IngressGatewayName: "kserve-ingress-gateway"}
}
