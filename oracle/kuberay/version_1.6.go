//go:build !kuberay1.5

package main

import (
	"context"

	rayv1 "github.com/ray-project/kuberay/ray-operator/apis/ray/v1"
	"github.com/ray-project/kuberay/ray-operator/controllers/ray/utils"
	"github.com/ray-project/kuberay/ray-operator/controllers/ray/utils/dashboardclient"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/manager"
)

const fileSuffix = ""

const canRollBack = true

// clusterRefusal is why the operator refuses the RayCluster that it makes of a service.
func clusterRefusal(service *rayv1.RayService) error {
	labels := map[string]string{utils.RayOriginatedFromCRDLabelKey: utils.RayOriginatedFromCRDLabelValue(utils.RayServiceCRD)}
	return utils.ValidateRayClusterUpgradeOptions(&rayv1.RayCluster{ObjectMeta: metav1.ObjectMeta{Labels: labels}, Spec: service.Spec.RayClusterSpec})
}

func clusterHash(spec rayv1.RayClusterSpec) (string, error) {
	return utils.GenerateHashWithoutReplicasAndWorkersToDelete(spec)
}

func (w *world) GetDashboardClient(context.Context, manager.Manager) func(*rayv1.RayCluster, string) (dashboardclient.RayDashboardClientInterface, error) {
	return w.dashboardOf
}
