//go:build kubernetes1.36

package main

import (
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	resourceapi "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/types"
	quota "k8s.io/apiserver/pkg/quota/v1"
	"k8s.io/client-go/informers"
	"k8s.io/klog/v2"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/controller/daemon"
	evaluators "k8s.io/kubernetes/pkg/quota/v1/evaluator/core"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/nodevolumelimits"
	frameworkruntime "k8s.io/kubernetes/pkg/scheduler/framework/runtime"
)

const kubernetesVersion = "1.36"

type (
	sharedLister    = fwk.SharedLister
	nodeInfoLister  = fwk.NodeInfoLister
	storageLister   = fwk.StorageInfoLister
	nominatingInfo  = fwk.NominatingInfo
	claimTracker    = fwk.ResourceClaimTracker
	sliceLister     = fwk.ResourceSliceLister
	classLister     = fwk.DeviceClassLister
	preFilterResult = fwk.PreFilterResult
)

func (l *lister) PodGroupStates() fwk.PodGroupStateLister { return l.current.PodGroupStates() }

func (d *devices) PodGroups() fwk.PodGroupLister                { return nil }
func (d *devices) DeviceClassResolver() fwk.DeviceClassResolver { return noResolver{} }

type noResolver struct{}

func (noResolver) GetDeviceClass(corev1.ResourceName) *resourceapi.DeviceClass { return nil }

func (d *devices) GetPendingAllocation(types.UID) *resourceapi.AllocationResult { return nil }
func (d *devices) MaybeRemoveClaimPendingAllocation(types.UID, bool) bool       { return false }

func versionOptions(factory informers.SharedInformerFactory) []frameworkruntime.Option {
	return []frameworkruntime.Option{
		frameworkruntime.WithSharedCSIManager(nodevolumelimits.NewCSIManager(factory.Storage().V1().CSINodes().Lister())),
		frameworkruntime.WithPodsInPreBind(frameworkruntime.NewPodsInPreBindMap()),
	}
}

func newClaimEvaluator() quota.Evaluator {
	return evaluators.NewResourceClaimEvaluator(nil, nil, nil, nil)
}

func shouldRun(node *corev1.Node, set *appsv1.DaemonSet) bool {
	runs, _ := daemon.NodeShouldRunDaemonPod(klog.Logger{}, node, set)
	return runs
}
