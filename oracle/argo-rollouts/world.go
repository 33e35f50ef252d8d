package main

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/argoproj/argo-rollouts/controller/metrics"
	"github.com/argoproj/argo-rollouts/pkg/apis/rollouts/v1alpha1"
	"github.com/argoproj/argo-rollouts/pkg/client/clientset/versioned/fake"
	informers "github.com/argoproj/argo-rollouts/pkg/client/informers/externalversions"
	"github.com/argoproj/argo-rollouts/rollout"
	"github.com/argoproj/argo-rollouts/utils/annotations"
	ingressutil "github.com/argoproj/argo-rollouts/utils/ingress"
	istioutil "github.com/argoproj/argo-rollouts/utils/istio"
	"github.com/argoproj/argo-rollouts/utils/record"
	timeutil "github.com/argoproj/argo-rollouts/utils/time"
	smifake "github.com/servicemeshinterface/smi-sdk-go/pkg/gen/client/split/clientset/versioned/fake"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic/dynamicinformer"
	dynamicfake "k8s.io/client-go/dynamic/fake"
	kubeinformers "k8s.io/client-go/informers"
	k8sfake "k8s.io/client-go/kubernetes/fake"
	"k8s.io/client-go/tools/cache"
	events "k8s.io/client-go/tools/record"
	"k8s.io/client-go/util/workqueue"
	recording "rolloutkit-oracle-recording"
)

const namespace, name = "ns", "web"

// noRef stands for the resolver of spec.workloadRef, which no case has.
type noRef struct{}

func (noRef) Resolve(*v1alpha1.Rollout) error { return nil }

// world is a cluster with one Rollout: we play the ReplicaSet controller, the kubelets and the clock.
type world struct {
	client     *fake.Clientset
	kube       *k8sfake.Clientset
	argo       informers.SharedInformerFactory
	informers  kubeinformers.SharedInformerFactory
	controller *rollout.Controller
	now        time.Time
	ready      map[string]int32
	// room is how many pods run at once at most; 0 where nothing says so.
	room int32
}

var server = metrics.NewMetricsServer(metrics.ServerConfig{Addr: "localhost:0", K8SRequestProvider: &metrics.K8sRequestsCountProvider{}})

// What is queued is never taken out: we turn the controller ourselves.
var queue = workqueue.NewRateLimitingQueue(workqueue.DefaultControllerRateLimiter())

// deaf takes events and forgets them: to make upstream's fake one waits a tenth of a second.
type deaf struct{}

func (deaf) Eventf(runtime.Object, record.EventOptions, string, ...any) {}
func (deaf) Warnf(runtime.Object, record.EventOptions, string, ...any)  {}
func (deaf) K8sRecorder() events.EventRecorder                          { return &events.FakeRecorder{} }

func service(name string) *corev1.Service {
	return &corev1.Service{
		ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: namespace},
		Spec:       corev1.ServiceSpec{Selector: map[string]string{"app": "web"}},
	}
}

func ingress(backend string) *networkingv1.Ingress {
	return &networkingv1.Ingress{
		ObjectMeta: metav1.ObjectMeta{Name: "ingress", Namespace: namespace},
		Spec: networkingv1.IngressSpec{Rules: []networkingv1.IngressRule{{
			IngressRuleValue: networkingv1.IngressRuleValue{HTTP: &networkingv1.HTTPIngressRuleValue{Paths: []networkingv1.HTTPIngressPath{{
				Backend: networkingv1.IngressBackend{Service: &networkingv1.IngressServiceBackend{Name: backend}},
			}}}},
		}}},
	}
}

// virtualService is Istio's, with a route to both services.
func virtualService() *unstructured.Unstructured {
	route := func(host string, weight int64) any {
		return map[string]any{"destination": map[string]any{"host": host}, "weight": weight}
	}
	return &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "networking.istio.io/v1alpha3",
		"kind":       "VirtualService",
		"metadata":   map[string]any{"name": "mesh", "namespace": namespace},
		"spec":       map[string]any{"http": []any{map[string]any{"name": "primary", "route": []any{route("one", 100), route("two", 0)}}}},
	}}
}

// traefikService is Traefik's, with both services.
func traefikService() *unstructured.Unstructured {
	return &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "traefik.io/v1alpha1",
		"kind":       "TraefikService",
		"metadata":   map[string]any{"name": "mesh", "namespace": namespace},
		"spec":       map[string]any{"weighted": map[string]any{"services": []any{map[string]any{"name": "one"}, map[string]any{"name": "two"}}}},
	}}
}

// apisixRoute is APISIX's, with a rule to both services.
func apisixRoute() *unstructured.Unstructured {
	backends := []any{map[string]any{"serviceName": "one"}, map[string]any{"serviceName": "two"}}
	return &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "apisix.apache.org/v2",
		"kind":       "ApisixRoute",
		"metadata":   map[string]any{"name": "mesh", "namespace": namespace},
		"spec":       map[string]any{"http": []any{map[string]any{"name": "mesh", "backends": backends}}},
	}}
}

func newWorld(ro *v1alpha1.Rollout) *world {
	w := &world{now: time.Unix(1_700_000_000, 0), ready: map[string]int32{}}
	timeutil.SetNowTimeFunc(func() time.Time { return w.now })
	services := []runtime.Object{service("one"), service("two"), ingress("one")}
	w.client = fake.NewSimpleClientset(ro)
	w.kube = k8sfake.NewSimpleClientset(services...)
	w.argo = informers.NewSharedInformerFactory(w.client, 0)
	w.informers = kubeinformers.NewSharedInformerFactory(w.kube, 0)
	virtualServices, destinationRules := istioutil.GetIstioVirtualServiceGVR(), istioutil.GetIstioDestinationRuleGVR()
	lists := map[schema.GroupVersionResource]string{virtualServices: "VirtualServiceList", destinationRules: "DestinationRuleList"}
	dynamic := dynamicfake.NewSimpleDynamicClientWithCustomListKinds(runtime.NewScheme(), lists, virtualService(), traefikService(), apisixRoute())
	dynamicInformers := dynamicinformer.NewDynamicSharedInformerFactory(dynamic, 0)
	wrapper, err := ingressutil.NewIngressWrapper(ingressutil.IngressModeNetworking, w.kube, w.informers)
	if err != nil {
		panic(err)
	}
	rollouts := w.argo.Argoproj().V1alpha1()
	w.controller = rollout.NewController(rollout.ControllerConfig{
		Namespace:                       metav1.NamespaceAll,
		KubeClientSet:                   w.kube,
		ArgoProjClientset:               w.client,
		DynamicClientSet:                dynamic,
		SmiClientSet:                    smifake.NewSimpleClientset(),
		RefResolver:                     noRef{},
		ExperimentInformer:              rollouts.Experiments(),
		AnalysisRunInformer:             rollouts.AnalysisRuns(),
		AnalysisTemplateInformer:        rollouts.AnalysisTemplates(),
		ClusterAnalysisTemplateInformer: rollouts.ClusterAnalysisTemplates(),
		ReplicaSetInformer:              w.informers.Apps().V1().ReplicaSets(),
		ServicesInformer:                w.informers.Core().V1().Services(),
		IngressWrapper:                  wrapper,
		RolloutsInformer:                rollouts.Rollouts(),
		IstioPrimaryDynamicClient:       dynamic,
		IstioVirtualServiceInformer:     dynamicInformers.ForResource(virtualServices).Informer(),
		IstioDestinationRuleInformer:    dynamicInformers.ForResource(destinationRules).Informer(),
		ResyncPeriod:                    15 * time.Minute,
		RolloutWorkQueue:                queue,
		ServiceWorkQueue:                queue,
		IngressWorkQueue:                queue,
		MetricsServer:                   server,
		Recorder:                        deaf{},
	})
	return w
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func (w *world) rollout() *v1alpha1.Rollout {
	return must(w.client.ArgoprojV1alpha1().Rollouts(namespace).Get(context.TODO(), name, metav1.GetOptions{}))
}

func (w *world) replicaSets() []appsv1.ReplicaSet {
	return must(w.kube.AppsV1().ReplicaSets(namespace).List(context.TODO(), metav1.ListOptions{})).Items
}

func (w *world) service(name string) *corev1.Service {
	return must(w.kube.CoreV1().Services(namespace).Get(context.TODO(), name, metav1.GetOptions{}))
}

func replace[T any](indexer cache.Indexer, objects ...T) {
	list := make([]any, len(objects))
	for i, object := range objects {
		list[i] = object
	}
	if err := indexer.Replace(list, ""); err != nil {
		panic(err)
	}
}

// pods makes every ReplicaSet have the pods that it asks for; those that are deleted are the ones that are not ready.
func (w *world) pods() {
	for _, set := range w.replicaSets() {
		size := *set.Spec.Replicas
		w.ready[set.Name] = min(w.ready[set.Name], size)
		ready := w.ready[set.Name]
		if set.UID == "" || set.Status.Replicas != size || set.Status.AvailableReplicas != ready {
			set.UID = types.UID(set.Name)
			set.Status.Replicas, set.Status.ReadyReplicas, set.Status.AvailableReplicas = size, ready, ready
			must(w.kube.AppsV1().ReplicaSets(namespace).Update(context.TODO(), &set, metav1.UpdateOptions{}))
		}
	}
}

func (w *world) allReady() bool {
	for _, set := range w.replicaSets() {
		if w.ready[set.Name] != *set.Spec.Replicas {
			return false
		}
	}
	return true
}

// becomeReady says whether any pod got ready: those that find room, of the oldest ReplicaSet first.
func (w *world) becomeReady() bool {
	sets := w.replicaSets()
	spare := int32(math.MaxInt32)
	if w.room > 0 {
		spare = w.room
		for _, set := range sets {
			spare -= w.ready[set.Name]
		}
	}
	slices.SortStableFunc(sets, func(a, b appsv1.ReplicaSet) int { return revision(a) - revision(b) })
	changed := false
	for _, set := range sets {
		if more := min(*set.Spec.Replicas-w.ready[set.Name], spare); more > 0 {
			w.ready[set.Name] += more
			spare -= more
			changed = true
		}
	}
	return changed
}

func revision(set appsv1.ReplicaSet) int {
	return must(strconv.Atoi(set.Annotations[annotations.RevisionAnnotation]))
}

func (w *world) cached() {
	w.pods()
	ro := w.rollout()
	replace(w.argo.Argoproj().V1alpha1().Rollouts().Informer().GetIndexer(), ro)
	sets := w.replicaSets()
	pointers := make([]*appsv1.ReplicaSet, len(sets))
	for i := range sets {
		pointers[i] = &sets[i]
	}
	replace(w.informers.Apps().V1().ReplicaSets().Informer().GetIndexer(), pointers...)
	replace(w.informers.Core().V1().Services().Informer().GetIndexer(), w.service("one"), w.service("two"))
	ingresses := must(w.kube.NetworkingV1().Ingresses(namespace).List(context.TODO(), metav1.ListOptions{})).Items
	list := make([]*networkingv1.Ingress, len(ingresses))
	for i := range ingresses {
		list[i] = &ingresses[i]
	}
	replace(w.informers.Networking().V1().Ingresses().Informer().GetIndexer(), list...)
}

// state is all that one turn of the controller can change.
func (w *world) state() string {
	ro := w.rollout()
	text := fmt.Sprint(string(must(recording.Compact(ro.Spec))), string(must(recording.Compact(ro.Status))), w.service("one").Spec, w.service("two").Spec)
	for _, set := range w.replicaSets() {
		text += fmt.Sprint(set.Name, *set.Spec.Replicas, set.Status, set.Annotations)
	}
	return text
}

// sync is one turn of the controller; where it panics, that is its error.
func (w *world) sync() (err error) {
	defer func() {
		if panicked := recover(); panicked != nil {
			err = fmt.Errorf("panic: %v", panicked)
		}
	}()
	return syncHandler(w.controller, context.TODO(), namespace+"/"+name)
}

// settle turns the controller until it changes nothing; the first error where it stops at one.
func (w *world) settle() error {
	for turn := 0; turn < 200; turn++ {
		w.cached()
		before := w.state()
		if err := w.sync(); err != nil {
			return err
		}
		w.pods()
		if w.state() == before {
			return nil
		}
	}
	return fmt.Errorf("never settles")
}
