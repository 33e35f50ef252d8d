//go:build !kubernetes1.36

package main

import (
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	quota "k8s.io/apiserver/pkg/quota/v1"
	"k8s.io/client-go/informers"
	"k8s.io/kubernetes/pkg/controller/daemon"
	evaluators "k8s.io/kubernetes/pkg/quota/v1/evaluator/core"
	"k8s.io/kubernetes/pkg/scheduler/framework"
	frameworkruntime "k8s.io/kubernetes/pkg/scheduler/framework/runtime"
)

const kubernetesVersion = "1.34"

type (
	sharedLister    = framework.SharedLister
	nodeInfoLister  = framework.NodeInfoLister
	storageLister   = framework.StorageInfoLister
	nominatingInfo  = framework.NominatingInfo
	claimTracker    = framework.ResourceClaimTracker
	sliceLister     = framework.ResourceSliceLister
	classLister     = framework.DeviceClassLister
	preFilterResult = framework.PreFilterResult
)

func versionOptions(informers.SharedInformerFactory) []frameworkruntime.Option { return nil }

func (d *devices) ClaimHasPendingAllocation(types.UID) bool    { return false }
func (d *devices) RemoveClaimPendingAllocation(types.UID) bool { return false }

func newClaimEvaluator() quota.Evaluator { return evaluators.NewResourceClaimEvaluator(nil) }

func shouldRun(node *corev1.Node, set *appsv1.DaemonSet) bool {
	runs, _ := daemon.NodeShouldRunDaemonPod(node, set)
	return runs
}
