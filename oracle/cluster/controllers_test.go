package cluster

import (
	"context"
	"testing"
	"time"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apiserver/pkg/quota/v1/generic"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/restmapper"
	"k8s.io/client-go/scale"
	"k8s.io/client-go/tools/events"
	"k8s.io/client-go/util/flowcontrol"
	"k8s.io/kubernetes/pkg/controller"
	"k8s.io/kubernetes/pkg/controller/daemon"
	"k8s.io/kubernetes/pkg/controller/disruption"
	"k8s.io/kubernetes/pkg/controller/endpointslice"
	"k8s.io/kubernetes/pkg/controller/podautoscaler"
	"k8s.io/kubernetes/pkg/controller/podautoscaler/metrics"
	"k8s.io/kubernetes/pkg/controller/resourcequota"
	"k8s.io/kubernetes/pkg/controller/statefulset"
	quotainstall "k8s.io/kubernetes/pkg/quota/v1/install"
	"k8s.io/kubernetes/pkg/scheduler"
	"k8s.io/kubernetes/pkg/scheduler/profile"
)

// startOtherControllers runs the controllers of StatefulSets, DaemonSets, EndpointSlices, quotas, budgets and autoscalers.
func startOtherControllers(t *testing.T, config *rest.Config, client kubernetes.Interface) {
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(cancel)
	factory := informers.NewSharedInformerFactory(client, 0)
	apps, core := factory.Apps().V1(), factory.Core().V1()
	mapper := restmapper.NewDeferredDiscoveryRESTMapper(memory.NewMemCacheClient(client.Discovery()))
	scales := newScales(t, config, client, mapper)

	sets := statefulset.NewStatefulSetController(ctx, core.Pods(), apps.StatefulSets(), core.PersistentVolumeClaims(), apps.ControllerRevisions(), client)
	daemons, err := daemon.NewDaemonSetsController(ctx, apps.DaemonSets(), apps.ControllerRevisions(), core.Pods(), core.Nodes(), client, flowcontrol.NewBackOff(time.Second, time.Minute))
	must(t, err)
	slices := endpointslice.NewController(ctx, core.Pods(), core.Services(), core.Nodes(), factory.Discovery().V1().EndpointSlices(), 100, client, 0)
	budgets := disruption.NewDisruptionController(ctx, core.Pods(), factory.Policy().V1().PodDisruptionBudgets(), core.ReplicationControllers(),
		apps.ReplicaSets(), apps.Deployments(), apps.StatefulSets(), client, mapper, scales, client.Discovery())
	autoscalers := podautoscaler.NewHorizontalController(ctx, client.CoreV1(), scales, client.AutoscalingV2(), mapper, metricsAtTarget{client},
		factory.Autoscaling().V2().HorizontalPodAutoscalers(), core.Pods(), 2*time.Second, time.Minute, 0.1, time.Minute, time.Second)
	started := make(chan struct{})
	quotas := newQuotas(ctx, t, client, factory, started)

	factory.Start(ctx.Done())
	close(started)
	go sets.Run(ctx, 2)
	go daemons.Run(ctx, 2)
	go slices.Run(ctx, 2)
	go budgets.Run(ctx)
	go autoscalers.Run(ctx, 1)
	go quotas.Run(ctx, 2)
}

func newScales(t *testing.T, config *rest.Config, client kubernetes.Interface, mapper meta.RESTMapper) scale.ScalesGetter {
	scales, err := scale.NewForConfig(config, mapper, dynamic.LegacyAPIPathResolverFunc, scale.NewDiscoveryScaleKindResolver(client.Discovery()))
	must(t, err)
	return scales
}

func newQuotas(ctx context.Context, t *testing.T, client kubernetes.Interface, factory informers.SharedInformerFactory, started chan struct{}) *resourcequota.Controller {
	configuration := quotainstall.NewQuotaConfigurationForControllers(generic.ListerFuncForResourceFunc(factory.ForResource))
	quotas, err := resourcequota.NewController(ctx, &resourcequota.ControllerOptions{
		QuotaClient:               client.CoreV1(),
		ResourceQuotaInformer:     factory.Core().V1().ResourceQuotas(),
		ResyncPeriod:              controller.StaticResyncPeriodFunc(5 * time.Minute),
		InformerFactory:           factory,
		ReplenishmentResyncPeriod: controller.StaticResyncPeriodFunc(5 * time.Minute),
		DiscoveryFunc:             client.Discovery().ServerPreferredNamespacedResources,
		IgnoredResourcesFunc:      configuration.IgnoredResources,
		InformersStarted:          started,
		Registry:                  generic.NewRegistry(configuration.Evaluators()),
		UpdateFilter:              quotainstall.DefaultUpdateFilter(),
	})
	must(t, err)
	return quotas
}

// startScheduler runs the scheduler with its default plugins.
func startScheduler(t *testing.T, config *rest.Config, client kubernetes.Interface) {
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(cancel)
	factory := scheduler.NewInformerFactory(client, 0)
	broadcaster := events.NewBroadcaster(&events.EventSinkImpl{Interface: client.EventsV1()})
	must(t, broadcaster.StartRecordingToSinkWithContext(ctx))
	created, err := scheduler.New(ctx, client, factory, nil, profile.NewRecorderFactory(broadcaster), scheduler.WithKubeConfig(config))
	must(t, err)
	factory.Start(ctx.Done())
	factory.WaitForCacheSync(ctx.Done())
	must(t, created.WaitForHandlersSync(ctx))
	go created.Run(ctx)
}

// metricsAtTarget reports that each pod uses half of the CPU that it requests. An autoscaler with a target of 50 % keeps its replicas then,
// within its limits.
type metricsAtTarget struct{ client kubernetes.Interface }

func (m metricsAtTarget) GetResourceMetric(ctx context.Context, _ corev1.ResourceName, namespace string, selector labels.Selector, _ string) (metrics.PodMetricsInfo, time.Time, error) {
	pods, err := m.client.CoreV1().Pods(namespace).List(ctx, metav1.ListOptions{LabelSelector: selector.String()})
	if err != nil {
		return nil, time.Time{}, err
	}
	used := metrics.PodMetricsInfo{}
	for _, pod := range pods.Items {
		used[pod.Name] = metrics.PodMetric{Timestamp: time.Now(), Window: time.Second, Value: cpuOf(&pod) / 2}
	}
	return used, time.Now(), nil
}

func (metricsAtTarget) GetRawMetric(string, string, labels.Selector, labels.Selector) (metrics.PodMetricsInfo, time.Time, error) {
	return metrics.PodMetricsInfo{}, time.Now(), nil
}

func (metricsAtTarget) GetObjectMetric(string, string, *autoscalingv2.CrossVersionObjectReference, labels.Selector) (int64, time.Time, error) {
	return 0, time.Now(), nil
}

func (metricsAtTarget) GetExternalMetric(string, string, labels.Selector) ([]int64, time.Time, error) {
	return nil, time.Now(), nil
}
