//go:build kuberay1.5

package main

import (
	_ "unsafe"

	rayv1 "github.com/ray-project/kuberay/ray-operator/apis/ray/v1"
	"github.com/ray-project/kuberay/ray-operator/controllers/ray/utils/dashboardclient"
	"sigs.k8s.io/controller-runtime/pkg/manager"
)

const fileSuffix = "-1.5"

const canRollBack = false

// clusterRefusal is nil: clusters of this version have no upgradeStrategy.
func clusterRefusal(*rayv1.RayService) error {
	return nil
}

//go:linkname clusterHash github.com/ray-project/kuberay/ray-operator/controllers/ray.generateHashWithoutReplicasAndWorkersToDelete
func clusterHash(spec rayv1.RayClusterSpec) (string, error)

func (w *world) GetDashboardClient(manager.Manager) func(*rayv1.RayCluster, string) (dashboardclient.RayDashboardClientInterface, error) {
	return w.dashboardOf
}
