package main

import (
	"context"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/tools/record"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	gwv1 "sigs.k8s.io/gateway-api/apis/v1"

	rayv1 "github.com/ray-project/kuberay/ray-operator/apis/ray/v1"
	"github.com/ray-project/kuberay/ray-operator/controllers/ray"
	"github.com/ray-project/kuberay/ray-operator/controllers/ray/utils"
	"github.com/ray-project/kuberay/ray-operator/controllers/ray/utils/dashboardclient"
	utiltypes "github.com/ray-project/kuberay/ray-operator/controllers/ray/utils/types"
)

// A world is an API server of maps with a RayService, in which the operator reconciles and we play all others:
// head pods and their Services are there at once and ready a reconcile later, so that the HTTPRoute lists their cluster before;
// applications run at once, Gateway and HTTPRoute are accepted at once.
type world struct {
	manager.Manager
	client   client.Client
	operator *ray.RayServiceReconciler
	key      types.NamespacedName
	posts    int
}

func newScheme() *runtime.Scheme {
	scheme := runtime.NewScheme()
	must(clientgoscheme.AddToScheme(scheme))
	must(rayv1.AddToScheme(scheme))
	must(gwv1.Install(scheme))
	return scheme
}

var scheme = newScheme()

func newWorld(service *rayv1.RayService) *world {
	w := &world{key: types.NamespacedName{Namespace: service.Namespace, Name: service.Name}}
	w.client = fake.NewClientBuilder().WithScheme(scheme).
		WithStatusSubresource(&rayv1.RayService{}, &rayv1.RayCluster{}, &gwv1.Gateway{}, &gwv1.HTTPRoute{}).
		WithObjects(service).Build()
	w.operator = ray.NewRayServiceReconciler(context.Background(), w, w)
	return w
}

func (w *world) GetClient() client.Client                        { return w.client }
func (w *world) GetScheme() *runtime.Scheme                      { return scheme }
func (w *world) GetEventRecorderFor(string) record.EventRecorder { return &record.FakeRecorder{} }

// dashboard is Ray's own: every application that was posted runs.
type dashboard struct {
	dashboardclient.RayDashboardClientInterface
	world *world
}

func (w *world) dashboardOf(*rayv1.RayCluster, string) (dashboardclient.RayDashboardClientInterface, error) {
	return &dashboard{world: w}, nil
}

func (d *dashboard) UpdateDeployments(context.Context, []byte) error {
	d.world.posts++
	return nil
}

func (d *dashboard) GetMultiApplicationStatus(context.Context) (map[string]*utiltypes.ServeApplicationStatus, error) {
	return map[string]*utiltypes.ServeApplicationStatus{"app": {Name: "app", Status: "RUNNING"}}, nil
}

type healthyProxy struct {
	utils.RayHttpProxyClientInterface
}

func (healthyProxy) CheckProxyActorHealth(context.Context) error { return nil }

func (w *world) GetHttpProxyClient(manager.Manager) func(string, string, string, int) utils.RayHttpProxyClientInterface {
	return func(string, string, string, int) utils.RayHttpProxyClientInterface { return healthyProxy{} }
}

// reconcile runs the operator once, and then all others; a crash of the operator is an error.
func (w *world) reconcile() (err error) {
	defer func() {
		if crash := recover(); crash != nil {
			err = fmt.Errorf("panic: %v", crash)
		}
	}()
	_, err = w.operator.Reconcile(context.Background(), ctrl.Request{NamespacedName: w.key})
	w.playOthers()
	return err
}

func (w *world) playOthers() {
	ctx := context.Background()
	for _, cluster := range w.clusters() {
		w.bringUp(ctx, cluster)
	}
	gateways := &gwv1.GatewayList{}
	must(w.client.List(ctx, gateways))
	for _, gateway := range gateways.Items {
		if len(gateway.Status.Conditions) > 0 {
			continue
		}
		gateway.Status.Conditions = trueConditions(string(gwv1.GatewayConditionAccepted), string(gwv1.GatewayConditionProgrammed))
		must(w.client.Status().Update(ctx, &gateway))
	}
	routes := &gwv1.HTTPRouteList{}
	must(w.client.List(ctx, routes))
	for _, route := range routes.Items {
		if len(route.Status.Parents) > 0 || len(route.Spec.ParentRefs) == 0 {
			continue
		}
		route.Status.Parents = []gwv1.RouteParentStatus{{
			ParentRef:  route.Spec.ParentRefs[0],
			Conditions: trueConditions(string(gwv1.RouteConditionAccepted), string(gwv1.RouteConditionResolvedRefs)),
		}}
		must(w.client.Status().Update(ctx, &route))
	}
}

// bringUp makes the head pod of a cluster and its Service, and the next time reports that the pod is ready.
func (w *world) bringUp(ctx context.Context, cluster rayv1.RayCluster) {
	name := cluster.Name + "-head"
	if w.client.Get(ctx, types.NamespacedName{Namespace: cluster.Namespace, Name: name}, &corev1.Pod{}) == nil {
		if len(cluster.Status.Conditions) == 0 {
			cluster.Status.State = rayv1.Ready
			cluster.Status.Conditions = trueConditions(string(rayv1.HeadPodReady))
			must(w.client.Status().Update(ctx, &cluster))
		}
		return
	}
	labels := map[string]string{utils.RayClusterLabelKey: cluster.Name, utils.RayNodeTypeLabelKey: string(rayv1.HeadNode)}
	pod := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Namespace: cluster.Namespace, Name: name, Labels: labels},
		Spec:       cluster.Spec.HeadGroupSpec.Template.Spec,
		Status: corev1.PodStatus{Phase: corev1.PodRunning, PodIP: "10.0.0.1",
			Conditions: []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue}}},
	}
	must(w.client.Create(ctx, pod))
	must(w.client.Create(ctx, &corev1.Service{
		ObjectMeta: metav1.ObjectMeta{Namespace: cluster.Namespace, Name: cluster.Name + "-head-svc"},
		Spec:       corev1.ServiceSpec{Ports: []corev1.ServicePort{{Name: utils.DashboardPortName, Port: 8265}}},
	}))
}

func trueConditions(kinds ...string) []metav1.Condition {
	conditions := []metav1.Condition{}
	for _, kind := range kinds {
		meta.SetStatusCondition(&conditions, metav1.Condition{Type: kind, Status: metav1.ConditionTrue, Reason: "Ready"})
	}
	return conditions
}

func (w *world) service() *rayv1.RayService {
	service := &rayv1.RayService{}
	must(w.client.Get(context.Background(), w.key, service))
	return service
}

func (w *world) clusters() []rayv1.RayCluster {
	list := &rayv1.RayClusterList{}
	must(w.client.List(context.Background(), list))
	return list.Items
}

// apply replaces the spec and what the operator copies of the metadata.
func (w *world) apply(next *rayv1.RayService) {
	service := w.service()
	service.Labels = next.Labels
	service.Annotations = next.Annotations
	service.Spec = next.Spec
	service.Generation++
	must(w.client.Update(context.Background(), service))
}

// settle reconciles so many times; the error is the last one's, since a cluster that was just made has no head pod yet.
func (w *world) settle(times int) (err error) {
	for range times {
		err = w.reconcile()
	}
	return err
}

// age lets seconds go by since traffic last moved.
func (w *world) age(seconds int) {
	service := w.service()
	for _, status := range []*rayv1.RayServiceStatus{&service.Status.ActiveServiceStatus, &service.Status.PendingServiceStatus} {
		if status.LastTrafficMigratedTime != nil {
			status.LastTrafficMigratedTime = &metav1.Time{Time: status.LastTrafficMigratedTime.Add(-time.Duration(seconds) * time.Second)}
		}
	}
	must(w.client.Status().Update(context.Background(), service))
}
