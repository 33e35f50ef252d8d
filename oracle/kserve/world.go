package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/go-logr/logr"
	kedav1alpha1 "github.com/kedacore/keda/v2/apis/keda/v1alpha1"
	"github.com/kserve/kserve/pkg/apis/serving/v1alpha1"
	"github.com/kserve/kserve/pkg/apis/serving/v1beta1"
	"github.com/kserve/kserve/pkg/constants"
	controller "github.com/kserve/kserve/pkg/controller/v1beta1/inferenceservice"
	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	appsv1 "k8s.io/api/apps/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/jsonmergepatch"
	kubernetesfake "k8s.io/client-go/kubernetes/fake"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/tools/record"
	knservingv1 "knative.dev/serving/pkg/apis/serving/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
)

func newScheme() *runtime.Scheme {
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{clientgoscheme.AddToScheme, v1alpha1.AddToScheme, v1beta1.AddToScheme, knservingv1.AddToScheme, kedav1alpha1.AddToScheme} {
		must(add(scheme))
	}
	return scheme
}

var scheme, kinds = newScheme(), discovery()

// A world is an API server of maps with one InferenceService, which KServe reconciles while we play its webhooks and the controllers of pods.
type world struct {
	client    client.Client
	clientset *kubernetesfake.Clientset
	operator  *controller.InferenceServiceReconciler
	key       types.NamespacedName
}

func decoded[T any](document any) *T {
	text, err := json.Marshal(document)
	must(err)
	out := new(T)
	must(json.Unmarshal(spelled(text), out))
	return out
}

func newWorld() *world {
	w := &world{clientset: kubernetesfake.NewClientset()}
	w.client = fake.NewClientBuilder().WithScheme(scheme).WithStatusSubresource(&v1beta1.InferenceService{}).WithInterceptorFuncs(asServer).Build()
	w.operator = &controller.InferenceServiceReconciler{
		Client: w.client, ClientConfig: kinds, Clientset: w.clientset, Log: logr.Discard(), Scheme: scheme, Recorder: &record.FakeRecorder{},
	}
	autoscaler := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: constants.AutoscalerConfigmapNamespace, Name: constants.AutoscalerConfigmapName}}
	_, err := w.clientset.CoreV1().ConfigMaps(autoscaler.Namespace).Create(context.Background(), autoscaler, metav1.CreateOptions{})
	must(err)
	return w
}

// platform is KServe's ConfigMap as the webhook reads it.
func (w *world) platform() *corev1.ConfigMap {
	configMap, err := v1beta1.GetInferenceServiceConfigMap(context.Background(), w.clientset)
	must(err)
	return configMap
}

// apply brings the objects of a side to the server, the service last, over those of the side before. It returns what the webhooks say against the service.
func (w *world) apply(old, next []any) error {
	w.configure(next)
	if old == nil {
		return w.create(next[0])
	}
	return w.patch(old[0], next[0])
}

// configure brings the ConfigMap and the runtimes to the server.
func (w *world) configure(next []any) {
	ctx := context.Background()
	for _, document := range next {
		switch document.(object)["kind"] {
		case "ConfigMap":
			configMap := withModelcar(decoded[corev1.ConfigMap](document))
			maps := w.clientset.CoreV1().ConfigMaps(configMap.Namespace)
			if _, err := maps.Create(ctx, configMap, metav1.CreateOptions{}); err != nil {
				_, err = maps.Update(ctx, configMap, metav1.UpdateOptions{})
				must(err)
			}
		case "ServingRuntime":
			put(w, decoded[v1alpha1.ServingRuntime](document), &v1alpha1.ServingRuntime{})
		case "ClusterServingRuntime":
			put(w, decoded[v1alpha1.ClusterServingRuntime](document), &v1alpha1.ClusterServingRuntime{})
		}
	}
}

// withModelcar gives the resources of a modelcar as each version's chart does, because 0.16 does not start without them.
func withModelcar(configMap *corev1.ConfigMap) *corev1.ConfigMap {
	storage := configMap.Data["storageInitializer"]
	configMap.Data["storageInitializer"] = strings.Replace(storage, `"cpuLimit":"1"}`, `"cpuLimit":"1","cpuModelcar":"10m","memoryModelcar":"15Mi"}`, 1)
	return configMap
}

func put[T client.Object](w *world, next, live T) {
	ctx := context.Background()
	if err := w.client.Get(ctx, client.ObjectKeyFromObject(next), live); err != nil {
		must(w.client.Create(ctx, next))
		return
	}
	next.SetResourceVersion(live.GetResourceVersion())
	must(w.client.Update(ctx, next))
}

// mutated is the service as the mutating webhook leaves it.
func (w *world) mutated(service *v1beta1.InferenceService) error {
	config, err := v1beta1.NewInferenceServicesConfig(w.platform())
	if err != nil {
		return err
	}
	deploy, err := v1beta1.NewDeployConfig(w.platform())
	if err != nil {
		return err
	}
	security, err := v1beta1.NewSecurityConfig(w.platform())
	if err != nil {
		return err
	}
	setDefaults(service, config, deploy, security)
	return nil
}

func (w *world) create(document any) error {
	service := decoded[v1beta1.InferenceService](document)
	w.key = client.ObjectKeyFromObject(service)
	if err := w.mutated(service); err != nil {
		return err
	}
	if _, err := (&v1beta1.InferenceServiceValidator{}).ValidateCreate(context.Background(), service); err != nil {
		return err
	}
	service.UID, service.Generation = "service", 1
	return w.client.Create(context.Background(), service)
}

func (w *world) service() *v1beta1.InferenceService {
	service := &v1beta1.InferenceService{}
	must(w.client.Get(context.Background(), w.key, service))
	return service
}

// patch applies the second manifest as kubectl does, with the first as what it applied last.
func (w *world) patch(old, next any) error {
	live := w.service()
	texts := make([][]byte, 3)
	for i, value := range []any{old, next, live} {
		text, err := json.Marshal(value)
		must(err)
		texts[i] = text
	}
	change, err := jsonmergepatch.CreateThreeWayJSONMergePatch(texts[0], texts[1], texts[2])
	must(err)
	text, err := jsonpatch.MergePatch(texts[2], change)
	must(err)
	service := &v1beta1.InferenceService{}
	must(json.Unmarshal(text, service))
	if equality.Semantic.DeepEqual(service, live) {
		return nil // kubectl writes nothing
	}
	if err := w.mutated(service); err != nil {
		return err
	}
	if _, err := (&v1beta1.InferenceServiceValidator{}).ValidateUpdate(context.Background(), live, service); err != nil {
		return err
	}
	if !equality.Semantic.DeepEqual(service.Spec, live.Spec) {
		service.Generation++
	}
	return w.client.Update(context.Background(), service)
}

// settle reconciles until nothing is written any more, with all pods ready in between.
func (w *world) settle() error {
	var err error
	for range 4 {
		_, err = w.operator.Reconcile(context.Background(), ctrl.Request{NamespacedName: w.key})
		w.ready()
	}
	return err
}

// ready makes every Deployment available.
func (w *world) ready() {
	ctx := context.Background()
	for _, deployment := range w.deployments() {
		deployment.Status.Conditions = []appsv1.DeploymentCondition{{Type: appsv1.DeploymentAvailable, Status: corev1.ConditionTrue}}
		must(w.client.Update(ctx, &deployment))
	}
}

func (w *world) deployments() map[string]appsv1.Deployment {
	list := &appsv1.DeploymentList{}
	must(w.client.List(context.Background(), list))
	return named(list.Items, func(one appsv1.Deployment) string { return one.Name })
}

func (w *world) knativeServices() map[string]knservingv1.Service {
	list := &knservingv1.ServiceList{}
	must(w.client.List(context.Background(), list))
	return named(list.Items, func(one knservingv1.Service) string { return one.Name })
}

func named[T any](list []T, nameOf func(T) string) map[string]T {
	out := map[string]T{}
	for _, one := range list {
		out[nameOf(one)] = one
	}
	return out
}

// replicas are those that KServe asks for by itself: in a Deployment, or as the fewest of its autoscaler.
func (w *world) replicas(deployment appsv1.Deployment) string {
	ctx, key := context.Background(), types.NamespacedName{Namespace: deployment.Namespace, Name: deployment.Name}
	hpa := &autoscalingv2.HorizontalPodAutoscaler{}
	if w.client.Get(ctx, key, hpa) == nil {
		return fmt.Sprintf("hpa %d-%d", *hpa.Spec.MinReplicas, hpa.Spec.MaxReplicas)
	}
	scaled := &kedav1alpha1.ScaledObject{}
	if w.client.Get(ctx, key, scaled) == nil {
		return fmt.Sprintf("keda %d-%d", *scaled.Spec.MinReplicaCount, *scaled.Spec.MaxReplicaCount)
	}
	return fmt.Sprint(*deployment.Spec.Replicas)
}
