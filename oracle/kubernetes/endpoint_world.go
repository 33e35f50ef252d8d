//go:build !kubernetes1.30

package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	_ "unsafe" // for go:linkname

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes/fake"
	clienttesting "k8s.io/client-go/testing"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/controller/deployment"
	"k8s.io/kubernetes/pkg/controller/endpointslice"
	"k8s.io/kubernetes/pkg/controller/statefulset"
	"k8s.io/kubernetes/pkg/proxy"
)

//go:linkname syncEndpoints k8s.io/kubernetes/pkg/controller/endpointslice.(*Controller).syncService
func syncEndpoints(c *endpointslice.Controller, logger klog.Logger, key string) error

const shopNode = "n1"

// A world is a cluster with Deployments, StatefulSets and Services, their controllers, and the pods that we play.
type world struct {
	client       *fake.Clientset
	informers    informers.SharedInformerFactory
	deployments  *deployment.DeploymentController
	statefulSets *statefulset.StatefulSetController
	endpoints    *endpointslice.Controller
	// sets are the pods of each ReplicaSet: they need no objects, since the ReplicaSet controller is played.
	sets map[string]*shopPods
	made int
	// ending are pods that this wave deleted, as they were.
	ending []*corev1.Pod
}

type shopPods struct {
	pods  []*corev1.Pod
	owner string
}

func newWorld() *world {
	client := fake.NewSimpleClientset()
	factory := informers.NewSharedInformerFactory(client, 0)
	apps, core := factory.Apps().V1(), factory.Core().V1()
	w := &world{client: client, informers: factory, sets: map[string]*shopPods{}}
	var err error
	w.deployments, err = deployment.NewDeploymentController(context.Background(), apps.Deployments(), apps.ReplicaSets(), core.Pods(), client)
	must(err)
	w.statefulSets = statefulset.NewStatefulSetController(
		context.Background(), core.Pods(), apps.StatefulSets(), core.PersistentVolumeClaims(), apps.ControllerRevisions(), client)
	w.endpoints = endpointslice.NewController(
		context.Background(), core.Pods(), core.Services(), core.Nodes(), factory.Discovery().V1().EndpointSlices(), 100, client, 0)
	must(core.Nodes().Informer().GetStore().Add(&corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: shopNode}}))
	client.PrependReactor("create", "pods", func(action clienttesting.Action) (bool, runtime.Object, error) {
		w.start(action.(clienttesting.CreateAction).GetObject().(*corev1.Pod))
		return false, nil, nil
	})
	client.PrependReactor("delete", "pods", func(action clienttesting.Action) (bool, runtime.Object, error) {
		pod, err := client.Tracker().Get(corev1.SchemeGroupVersion.WithResource("pods"), "default", action.(clienttesting.DeleteAction).GetName())
		must(err)
		w.end(pod.(*corev1.Pod))
		return false, nil, nil
	})
	client.PrependReactor("create", "endpointslices", func(action clienttesting.Action) (bool, runtime.Object, error) {
		slice := action.(clienttesting.CreateAction).GetObject().(*discoveryv1.EndpointSlice)
		w.made++
		slice.Name = fmt.Sprint(slice.GenerateName, w.made) // the server gives names, UIDs and generations
		slice.UID, slice.Generation = types.UID(slice.Name), 1
		return false, nil, nil
	})
	client.PrependReactor("update", "endpointslices", func(action clienttesting.Action) (bool, runtime.Object, error) {
		slice := action.(clienttesting.UpdateAction).GetObject().(*discoveryv1.EndpointSlice)
		w.made++
		slice.UID, slice.Generation = types.UID(slice.Name), int64(w.made) // a slice that is used again has neither
		return false, nil, nil
	})
	return w
}

// start gives a pod what the scheduler and the kubelet give it before it is ready.
func (w *world) start(pod *corev1.Pod) {
	w.made++
	ip := fmt.Sprintf("10.0.%d.%d", w.made/250, 1+w.made%250)
	pod.UID = types.UID(ip)
	pod.Spec.NodeName = shopNode
	pod.Status.Phase = corev1.PodPending
	pod.Status.PodIP = ip
	pod.Status.PodIPs = []corev1.PodIP{{IP: ip}}
}

func becomesReady(pod *corev1.Pod) {
	pod.Status.Phase = corev1.PodRunning
	pod.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue, LastTransitionTime: metav1.Unix(1000, 0)}}
}

// end keeps a deleted pod for the rest of the wave: it terminates, and stays as ready as it was.
func (w *world) end(pod *corev1.Pod) {
	ending := pod.DeepCopy()
	ending.Name = "ending-" + ending.Name + "-" + string(ending.UID) // a StatefulSet may have another of that name
	ending.DeletionTimestamp = ptr(metav1.Unix(2000, 0))
	w.ending = append(w.ending, ending)
}

func (w *world) listDeployments() []appsv1.Deployment {
	list, err := w.client.AppsV1().Deployments("default").List(context.Background(), metav1.ListOptions{})
	must(err)
	return list.Items
}

func (w *world) listStatefulSets() []appsv1.StatefulSet {
	list, err := w.client.AppsV1().StatefulSets("default").List(context.Background(), metav1.ListOptions{})
	must(err)
	return list.Items
}

func (w *world) listSets() []appsv1.ReplicaSet {
	list, err := w.client.AppsV1().ReplicaSets("default").List(context.Background(), metav1.ListOptions{})
	must(err)
	return list.Items
}

func (w *world) listStored() []corev1.Pod {
	list, err := w.client.CoreV1().Pods("default").List(context.Background(), metav1.ListOptions{})
	must(err)
	return list.Items
}

func (w *world) listServices() []corev1.Service {
	list, err := w.client.CoreV1().Services("default").List(context.Background(), metav1.ListOptions{})
	must(err)
	return list.Items
}

func (w *world) listSlices() []discoveryv1.EndpointSlice {
	list, err := w.client.DiscoveryV1().EndpointSlices("default").List(context.Background(), metav1.ListOptions{})
	must(err)
	return list.Items
}

// livePods are all pods that do not terminate.
func (w *world) livePods() []any {
	pods := pointers(w.listStored())
	for _, set := range w.sets {
		for _, pod := range set.pods {
			pods = append(pods, pod)
		}
	}
	return pods
}

func (w *world) showCaches() {
	apps, core := w.informers.Apps().V1(), w.informers.Core().V1()
	must(apps.Deployments().Informer().GetStore().Replace(pointers(w.listDeployments()), ""))
	must(apps.ReplicaSets().Informer().GetStore().Replace(pointers(w.listSets()), ""))
	must(apps.StatefulSets().Informer().GetStore().Replace(pointers(w.listStatefulSets()), ""))
	revisions, err := w.client.AppsV1().ControllerRevisions("default").List(context.Background(), metav1.ListOptions{})
	must(err)
	must(apps.ControllerRevisions().Informer().GetStore().Replace(pointers(revisions.Items), ""))
	// A Recreate waits for pods that terminate. Those of a StatefulSet vanish at once: their places are filled in the same wave.
	pods := w.livePods()
	for _, pod := range w.ending {
		if metav1.GetControllerOf(pod).Kind == "ReplicaSet" {
			pods = append(pods, pod)
		}
	}
	must(core.Pods().Informer().GetStore().Replace(pods, ""))
}

// followSets plays the ReplicaSet controller: pods as many as asked for, those that are not ready are deleted first.
func (w *world) followSets() {
	for _, set := range w.listSets() {
		if set.UID == "" { // the server gives each object its UID and age
			w.made++
			set.UID = types.UID(fmt.Sprint("set-", w.made))
			set.CreationTimestamp = metav1.Unix(int64(1000*w.made), 0)
			w.sets[set.Name] = &shopPods{owner: metav1.GetControllerOf(&set).Name}
		}
		own := w.sets[set.Name]
		slices.SortStableFunc(own.pods, func(a, b *corev1.Pod) int { return len(b.Status.Conditions) - len(a.Status.Conditions) })
		for len(own.pods) > int(*set.Spec.Replicas) {
			w.end(own.pods[len(own.pods)-1])
			own.pods = own.pods[:len(own.pods)-1]
		}
		for len(own.pods) < int(*set.Spec.Replicas) {
			pod := &corev1.Pod{
				ObjectMeta: metav1.ObjectMeta{
					Name: fmt.Sprintf("%s-%d", set.Name, w.made), Namespace: "default", Labels: set.Spec.Template.Labels,
					OwnerReferences: []metav1.OwnerReference{*metav1.NewControllerRef(&set, appsv1.SchemeGroupVersion.WithKind("ReplicaSet"))},
				},
				Spec: *set.Spec.Template.Spec.DeepCopy(),
			}
			w.start(pod)
			own.pods = append(own.pods, pod)
		}
		total, ready := int32(len(own.pods)), int32(0)
		for _, pod := range own.pods {
			if isReady(pod) {
				ready++
			}
		}
		set.Status = appsv1.ReplicaSetStatus{Replicas: total, FullyLabeledReplicas: total, ReadyReplicas: ready, AvailableReplicas: ready, ObservedGeneration: set.Generation}
		_, err := w.client.AppsV1().ReplicaSets("default").Update(context.Background(), &set, metav1.UpdateOptions{})
		must(err)
	}
}

// state is what a sync can change in the pods.
func (w *world) state() string {
	var lines []string
	for _, one := range w.livePods() {
		pod := one.(*corev1.Pod)
		lines = append(lines, fmt.Sprint(pod.Name, pod.UID, isReady(pod)))
	}
	slices.Sort(lines)
	return strings.Join(lines, " ")
}

// settle syncs all controllers to a fix point.
func (w *world) settle() {
	for quiet := 0; quiet < quietSyncs; {
		before := w.state()
		for _, one := range w.listDeployments() {
			w.showCaches()
			must(syncDeployment(w.deployments, context.Background(), "default/"+one.Name))
			w.followSets()
		}
		for _, one := range w.listStatefulSets() {
			w.showCaches()
			must(syncStatefulSet(w.statefulSets, context.Background(), "default/"+one.Name))
		}
		if w.state() == before {
			quiet++
		} else {
			quiet = 0
		}
	}
}

// becomeReady ends a wave: what terminated is gone, and all pods are ready.
func (w *world) becomeReady() {
	w.ending = nil
	for _, set := range w.sets {
		for _, pod := range set.pods {
			becomesReady(pod)
		}
	}
	w.followSets()
	for _, pod := range w.listStored() {
		becomesReady(&pod)
		_, err := w.client.CoreV1().Pods("default").Update(context.Background(), &pod, metav1.UpdateOptions{})
		must(err)
	}
}

func (w *world) template(one shopWorkload) corev1.PodTemplateSpec {
	container := corev1.Container{Name: "shop", Image: one.image}
	for _, port := range one.ports {
		container.Ports = append(container.Ports, corev1.ContainerPort{
			Name: port[0].(string), ContainerPort: int32(port[1].(int)), Protocol: corev1.Protocol(port[2].(string)),
		})
	}
	return corev1.PodTemplateSpec{ObjectMeta: metav1.ObjectMeta{Labels: one.labels}, Spec: corev1.PodSpec{Containers: []corev1.Container{container}}}
}

func (w *world) applyWorkload(one shopWorkload) {
	ctx, replicas := context.Background(), one.replicas
	selector := &metav1.LabelSelector{MatchLabels: map[string]string{"w": one.name}}
	meta := metav1.ObjectMeta{Name: one.name, Namespace: "default", UID: types.UID(one.kind + one.name), Generation: 1}
	if one.kind == "D" {
		d := &appsv1.Deployment{ObjectMeta: meta, Spec: appsv1.DeploymentSpec{
			Replicas: &replicas, Selector: selector, Template: w.template(one),
			Strategy:             appsv1.DeploymentStrategy{Type: appsv1.RecreateDeploymentStrategyType},
			RevisionHistoryLimit: ptr(int32(10)), ProgressDeadlineSeconds: ptr(int32(600)),
		}}
		if len(one.strategy) == 2 {
			d.Spec.Strategy = appsv1.DeploymentStrategy{
				Type:          appsv1.RollingUpdateDeploymentStrategyType,
				RollingUpdate: &appsv1.RollingUpdateDeployment{MaxSurge: intOrString(one.strategy[0]), MaxUnavailable: intOrString(one.strategy[1])},
			}
		}
		if stored, err := w.client.AppsV1().Deployments("default").Get(ctx, one.name, metav1.GetOptions{}); err == nil {
			stored.Spec, stored.Generation = d.Spec, stored.Generation+1
			_, err = w.client.AppsV1().Deployments("default").Update(ctx, stored, metav1.UpdateOptions{})
			must(err)
			return
		}
		_, err := w.client.AppsV1().Deployments("default").Create(ctx, d, metav1.CreateOptions{})
		must(err)
		return
	}
	s := &appsv1.StatefulSet{ObjectMeta: meta, Spec: appsv1.StatefulSetSpec{
		Replicas: &replicas, ServiceName: "s1", RevisionHistoryLimit: ptr(int32(10)), Selector: selector, Template: w.template(one),
		PodManagementPolicy: appsv1.PodManagementPolicyType(one.strategy[0].(string)),
		UpdateStrategy: appsv1.StatefulSetUpdateStrategy{
			Type: appsv1.RollingUpdateStatefulSetStrategyType, RollingUpdate: &appsv1.RollingUpdateStatefulSetStrategy{Partition: ptr(int32(0))},
		},
		Ordinals: &appsv1.StatefulSetOrdinals{},
	}}
	if stored, err := w.client.AppsV1().StatefulSets("default").Get(ctx, one.name, metav1.GetOptions{}); err == nil {
		stored.Spec, stored.Generation = s.Spec, stored.Generation+1
		_, err = w.client.AppsV1().StatefulSets("default").Update(ctx, stored, metav1.UpdateOptions{})
		must(err)
		return
	}
	_, err := w.client.AppsV1().StatefulSets("default").Create(ctx, s, metav1.CreateOptions{})
	must(err)
}

// deleteWorkload plays the garbage collector too: all pods terminate at once.
func (w *world) deleteWorkload(one shopWorkload) {
	ctx := context.Background()
	if one.kind == "D" {
		must(w.client.AppsV1().Deployments("default").Delete(ctx, one.name, metav1.DeleteOptions{}))
		for name, set := range w.sets {
			if set.owner == one.name {
				for _, pod := range set.pods {
					w.end(pod)
				}
				delete(w.sets, name)
				must(w.client.AppsV1().ReplicaSets("default").Delete(ctx, name, metav1.DeleteOptions{}))
			}
		}
		return
	}
	must(w.client.AppsV1().StatefulSets("default").Delete(ctx, one.name, metav1.DeleteOptions{}))
	for _, pod := range w.listStored() {
		if metav1.GetControllerOf(&pod).Name == one.name {
			must(w.client.CoreV1().Pods("default").Delete(ctx, pod.Name, metav1.DeleteOptions{}))
		}
	}
}

func (w *world) applyService(one shopService) {
	ctx := context.Background()
	s := &corev1.Service{
		ObjectMeta: metav1.ObjectMeta{Name: one.name, Namespace: "default", UID: types.UID(one.name)},
		Spec: corev1.ServiceSpec{
			Type: corev1.ServiceTypeClusterIP, Selector: one.selector, PublishNotReadyAddresses: one.publish, IPFamilies: []corev1.IPFamily{corev1.IPv4Protocol},
			ClusterIP: "10.1.0.1", ClusterIPs: []string{"10.1.0.1"}, InternalTrafficPolicy: ptr(corev1.ServiceInternalTrafficPolicyCluster),
		},
	}
	if one.headless {
		s.Spec.ClusterIP, s.Spec.ClusterIPs = corev1.ClusterIPNone, []string{corev1.ClusterIPNone}
	}
	for _, port := range one.ports {
		target := intstr.FromInt32(0)
		if number, is := port[2].(int); is {
			target = intstr.FromInt32(int32(number))
		} else {
			target = intstr.FromString(port[2].(string))
		}
		s.Spec.Ports = append(s.Spec.Ports, corev1.ServicePort{
			Name: port[0].(string), Port: int32(port[1].(int)), TargetPort: target, Protocol: corev1.Protocol(port[3].(string)),
		})
	}
	if _, err := w.client.CoreV1().Services("default").Get(ctx, one.name, metav1.GetOptions{}); err == nil {
		_, err = w.client.CoreV1().Services("default").Update(ctx, s, metav1.UpdateOptions{})
		must(err)
		return
	}
	_, err := w.client.CoreV1().Services("default").Create(ctx, s, metav1.CreateOptions{})
	must(err)
}

// syncSlices lets the EndpointSlice controller see the pods, and also those that terminate.
func (w *world) syncSlices(ending []*corev1.Pod) {
	core := w.informers.Core().V1()
	pods := w.livePods()
	for _, pod := range ending {
		pods = append(pods, pod)
	}
	must(core.Pods().Informer().GetStore().Replace(pods, ""))
	must(core.Services().Informer().GetStore().Replace(pointers(w.listServices()), ""))
	for _, service := range w.listServices() {
		for range 2 {
			must(w.informers.Discovery().V1().EndpointSlices().Informer().GetStore().Replace(pointers(w.listSlices()), ""))
			must(syncEndpoints(w.endpoints, klog.Logger{}, "default/"+service.Name))
		}
	}
}

// row is what clients of a Service see: ready endpoints of the port with fewest, those of the new version, and what a proxy does. The numbers are
// without pods that terminate, which count for publishNotReadyAddresses until they are gone; the proxy sees them.
func (w *world) row(service *corev1.Service, isNew func(uid types.UID) bool) [3]any {
	w.syncSlices(nil)
	ready, fresh, least := w.count(service, isNew)
	w.syncSlices(w.ending)
	return [3]any{ready, fresh, w.answer(service, least)}
}

func (w *world) count(service *corev1.Service, isNew func(uid types.UID) bool) (int, int, string) {
	ready, fresh := map[string]int{}, map[string]int{}
	for _, slice := range w.listSlices() {
		if slice.Labels[discoveryv1.LabelServiceName] != service.Name {
			continue
		}
		for _, port := range slice.Ports {
			for _, endpoint := range slice.Endpoints {
				if *endpoint.Conditions.Ready {
					ready[*port.Name]++
					if isNew(endpoint.TargetRef.UID) {
						fresh[*port.Name]++
					}
				}
			}
		}
	}
	least := service.Spec.Ports[0]
	for _, port := range service.Spec.Ports {
		if ready[port.Name] < ready[least.Name] {
			least = port
		}
	}
	return ready[least.Name], fresh[least.Name], least.Name
}

// answer is what kube-proxy does with a connection to a port.
func (w *world) answer(service *corev1.Service, port string) string {
	if service.Spec.ClusterIP == corev1.ClusterIPNone {
		return "-"
	}
	endpointTracker := proxy.NewEndpointsChangeTracker(corev1.IPv4Protocol, shopNode, nil, nil)
	for _, slice := range w.listSlices() {
		if slice.Labels[discoveryv1.LabelServiceName] == service.Name {
			endpointTracker.EndpointSliceUpdate(&slice, false)
		}
	}
	serviceTracker := proxy.NewServiceChangeTracker(corev1.IPv4Protocol, nil, nil)
	serviceTracker.Update(nil, service)
	services, endpoints := make(proxy.ServicePortMap), make(proxy.EndpointsMap)
	services.Update(serviceTracker)
	endpoints.Update(endpointTracker)
	for name, one := range services {
		if name.Port != port {
			continue
		}
		cluster, _, _, _ := proxy.CategorizeEndpoints(endpoints[name], one, shopNode, nil)
		if len(cluster) == 0 {
			return "r"
		}
		if cluster[0].IsReady() {
			return "p"
		}
		return "t"
	}
	return "?"
}

// playShop applies a change and tells what clients of each Service see.
func playShop(old, next shop, prune string, refused []string) map[string]any {
	w := newWorld()
	for _, one := range old.workloads {
		w.applyWorkload(one)
	}
	for _, one := range old.services {
		w.applyService(one)
	}
	for {
		w.settle()
		before := w.state()
		w.becomeReady()
		if w.state() == before {
			break
		}
	}
	w.settle()
	w.ending = nil
	existing := map[types.UID]bool{}
	for _, one := range w.livePods() {
		existing[one.(*corev1.Pod).UID] = true
	}
	// A pod is of the new version if the change gives its workload another template, or creates it; a scale adds pods of the old one.
	rolled := map[string]bool{}
	for _, one := range next.workloads {
		rolled[one.kind+one.name] = true
		for _, was := range old.workloads {
			if was.kind == one.kind && was.name == one.name && fmt.Sprint(was.labels, was.ports, was.image) == fmt.Sprint(one.labels, one.ports, one.image) {
				rolled[one.kind+one.name] = false
			}
		}
	}
	isNew := func(uid types.UID) bool {
		if existing[uid] {
			return false
		}
		for _, one := range w.livePods() {
			if pod := one.(*corev1.Pod); pod.UID == uid {
				for _, workload := range next.workloads {
					if pod.Labels["w"] == workload.name && rolled[workload.kind+workload.name] {
						return pod.Spec.Containers[0].Image == workload.image && samePorts(pod, w.template(workload)) && sameLabels(pod.Labels, workload.labels)
					}
				}
			}
		}
		return false
	}
	before, rows := map[string]any{}, map[string][][3]any{}
	services := w.listServices()
	for _, service := range services {
		before[service.Name] = w.row(&service, isNew)[0]
	}

	for _, one := range next.services {
		w.applyService(one)
	}
	kept := map[string]bool{}
	for _, one := range next.workloads {
		kept[one.kind+one.name] = true
		if !slices.Contains(refused, one.name) {
			w.applyWorkload(one)
		}
	}
	deleteOld := func() {
		for _, one := range old.workloads {
			if !kept[one.kind+one.name] {
				w.deleteWorkload(one)
			}
		}
	}
	if prune == "now" {
		deleteOld()
	}
	record := func() {
		for _, service := range w.listServices() {
			rows[service.Name] = append(rows[service.Name], w.row(&service, isNew))
		}
	}
	for {
		start := w.state()
		w.settle()
		record()
		deleted := len(w.ending) > 0
		w.becomeReady()
		if w.state() == start && !deleted {
			break
		}
	}
	if prune == "last" {
		deleteOld()
		if len(w.ending) > 0 {
			w.settle()
			record()
		}
	}
	w.ending = nil
	w.settle()
	seen := map[string]any{}
	for _, service := range w.listServices() {
		seen[service.Name] = []any{before[service.Name], rows[service.Name], w.row(&service, isNew)[0]}
	}
	return seen
}

func sameLabels(pod, template map[string]string) bool {
	for _, key := range []string{"w", "app", "version", "tier"} {
		if pod[key] != template[key] {
			return false
		}
	}
	return true
}

func samePorts(pod *corev1.Pod, template corev1.PodTemplateSpec) bool {
	return fmt.Sprint(pod.Spec.Containers[0].Ports) == fmt.Sprint(template.Spec.Containers[0].Ports)
}
