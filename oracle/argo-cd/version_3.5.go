//go:build !argocd3.2

package main

import (
	"context"

	"github.com/argoproj/argo-cd/v3/applicationset/progressivesync"
	"github.com/argoproj/argo-cd/v3/pkg/apis/application/v1alpha1"
	log "github.com/sirupsen/logrus"
)

const fileSuffix = ""

// world keeps what the controller writes into the ApplicationSet's status.
type world struct{ set *v1alpha1.ApplicationSet }

func newWorld(set *v1alpha1.ApplicationSet) *world { return &world{set} }

func (w *world) SetAppSetApplicationStatus(_ context.Context, _ *log.Entry, set *v1alpha1.ApplicationSet, statuses []v1alpha1.ApplicationSetApplicationStatus) error {
	set.Status.ApplicationStatus = statuses
	w.set.Status.ApplicationStatus = statuses
	return nil
}

func (w *world) SetApplicationSetStatusCondition(context.Context, *v1alpha1.ApplicationSet, v1alpha1.ApplicationSetCondition, bool) error {
	return nil
}

// reconciled lets the controller reconcile once.
func (w *world) reconciled(apps []v1alpha1.Application, logger *log.Entry) {
	_, err := progressivesync.NewManager(nil, nil, w).PerformProgressiveSyncs(context.Background(), logger, *w.set.DeepCopy(), apps, apps)
	must(err)
}
