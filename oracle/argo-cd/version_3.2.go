//go:build argocd3.2

package main

import (
	"context"
	_ "unsafe"

	"github.com/argoproj/argo-cd/v3/applicationset/controllers"
	"github.com/argoproj/argo-cd/v3/pkg/apis/application/v1alpha1"
	log "github.com/sirupsen/logrus"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
)

const fileSuffix = "-3.2"

// world is the ApplicationSet as the controller leaves it.
type world struct {
	set    *v1alpha1.ApplicationSet
	client client.Client
}

func newWorld(set *v1alpha1.ApplicationSet) *world {
	scheme := runtime.NewScheme()
	must(v1alpha1.AddToScheme(scheme))
	object := set.DeepCopy()
	return &world{set, fake.NewClientBuilder().WithScheme(scheme).WithObjects(object).WithStatusSubresource(object).Build()}
}

//go:linkname performProgressiveSyncs github.com/argoproj/argo-cd/v3/applicationset/controllers.(*ApplicationSetReconciler).performProgressiveSyncs
func performProgressiveSyncs(r *controllers.ApplicationSetReconciler, ctx context.Context, logCtx *log.Entry, appset v1alpha1.ApplicationSet, applications []v1alpha1.Application, desired []v1alpha1.Application, appMap map[string]v1alpha1.Application) (map[string]bool, error)

// reconciled lets the controller reconcile once; its client keeps the status.
func (w *world) reconciled(apps []v1alpha1.Application, logger *log.Entry) {
	key := client.ObjectKeyFromObject(w.set)
	must(w.client.Get(context.Background(), key, w.set))
	byName := map[string]v1alpha1.Application{}
	for _, app := range apps {
		byName[app.Name] = app
	}
	reconciler := &controllers.ApplicationSetReconciler{Client: w.client}
	_, err := performProgressiveSyncs(reconciler, context.Background(), logger, *w.set.DeepCopy(), apps, apps, byName)
	must(err)
	must(w.client.Get(context.Background(), key, w.set))
}
