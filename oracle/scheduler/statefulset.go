package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	_ "unsafe" // for go:linkname

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes/fake"
	clienttesting "k8s.io/client-go/testing"
	"k8s.io/kubernetes/pkg/controller/statefulset"
)

//go:linkname syncStatefulSet k8s.io/kubernetes/pkg/controller/statefulset.(*StatefulSetController).sync
func syncStatefulSet(ssc *statefulset.StatefulSetController, ctx context.Context, key string) error

// A statefulSetController runs upstream's on the revisions and the readiness of the pods by ordinal.
type statefulSetController struct {
	replicas, partition int32
	policy              appsv1.PodManagementPolicyType
}

// statefulTurns remembers what a sync does, for all cases.
var statefulTurns = map[string][]ownPod{}

// A statefulWorld is a StatefulSet in the middle of a rollout, with a pod of each revision and ordinal to show to the controller.
type statefulWorld struct {
	set       *appsv1.StatefulSet
	revisions []appsv1.ControllerRevision
	pods      [2]map[int]*corev1.Pod
}

var statefulWorlds = map[statefulSetController]*statefulWorld{}

func (sc *statefulSetController) start(pods []ownPod) state {
	return state{pods: pods, asked: [2]int{-1, -1}}.sorted()
}

func (sc *statefulSetController) finished(s state) bool {
	done := s.count(func(pod ownPod) bool { return pod.ready && pod.isNew == (pod.ordinal >= int(sc.partition)) })
	return done == int(sc.replicas) && len(s.pods) == done
}

// A statefulSync is upstream's controller on a fake API server.
type statefulSync struct {
	client     *fake.Clientset
	controller *statefulset.StatefulSetController
	informers  informers.SharedInformerFactory
	// admits says whether a pod with this image may be created.
	admits func(image string) bool
}

func newStatefulSync(objects ...runtime.Object) *statefulSync {
	s := &statefulSync{client: fake.NewSimpleClientset(objects...), admits: func(string) bool { return true }}
	s.informers = informers.NewSharedInformerFactory(s.client, 0)
	apps, core := s.informers.Apps().V1(), s.informers.Core().V1()
	s.controller = statefulset.NewStatefulSetController(context.Background(), core.Pods(), apps.StatefulSets(), core.PersistentVolumeClaims(), apps.ControllerRevisions(), s.client)
	s.client.PrependReactor("create", "pods", func(action clienttesting.Action) (bool, runtime.Object, error) {
		pod := action.(clienttesting.CreateAction).GetObject().(*corev1.Pod)
		if !s.admits(pod.Spec.Containers[0].Image) {
			return true, nil, apierrors.NewForbidden(corev1.Resource("pods"), pod.Name, errors.New("exceeded quota"))
		}
		pod.Status.Phase = corev1.PodPending
		return false, nil, nil
	})
	return s
}

func (s *statefulSync) run() {
	ctx := context.Background()
	apps, core := s.informers.Apps().V1(), s.informers.Core().V1()
	sets, err := s.client.AppsV1().StatefulSets(namespace).List(ctx, metav1.ListOptions{})
	must(err)
	revisions, err := s.client.AppsV1().ControllerRevisions(namespace).List(ctx, metav1.ListOptions{})
	must(err)
	must(apps.StatefulSets().Informer().GetStore().Replace(pointers(sets.Items), ""))
	must(apps.ControllerRevisions().Informer().GetStore().Replace(pointers(revisions.Items), ""))
	must(core.Pods().Informer().GetStore().Replace(pointers(s.pods()), ""))
	if err := syncStatefulSet(s.controller, ctx, namespace+"/web"); err != nil && !apierrors.IsForbidden(errors.Unwrap(err)) && !apierrors.IsForbidden(err) && !isForbidden(err) {
		panic(err)
	}
}

// isForbidden looks into an aggregate.
func isForbidden(err error) bool {
	var several interface{ Errors() []error }
	return errors.As(err, &several) && slices.ContainsFunc(several.Errors(), func(one error) bool { return apierrors.IsForbidden(one) })
}

func (s *statefulSync) pods() []corev1.Pod {
	list, err := s.client.CoreV1().Pods(namespace).List(context.Background(), metav1.ListOptions{})
	must(err)
	return list.Items
}

func becomeReady(pod *corev1.Pod) {
	pod.Status.Phase = corev1.PodRunning
	pod.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue, LastTransitionTime: metav1.Unix(1000, 0)}}
}

func (s *statefulSync) allBecomeReady() {
	for _, pod := range s.pods() {
		becomeReady(&pod)
		_, err := s.client.CoreV1().Pods(namespace).Update(context.Background(), &pod, metav1.UpdateOptions{})
		must(err)
	}
}

func ordinalOf(pod *corev1.Pod) int {
	ordinal := 0
	_, err := fmt.Sscanf(pod.Name, "web-%d", &ordinal)
	must(err)
	return ordinal
}

func (sc *statefulSetController) world() *statefulWorld {
	if known, has := statefulWorlds[*sc]; has {
		return known
	}
	ctx := context.Background()
	labels := map[string]string{"app": "web"}
	set := &appsv1.StatefulSet{
		ObjectMeta: metav1.ObjectMeta{Name: "web", Namespace: namespace, UID: "web", Generation: 1},
		Spec: appsv1.StatefulSetSpec{Replicas: &sc.replicas, ServiceName: "web", Selector: &metav1.LabelSelector{MatchLabels: labels}, Template: template(1),
			PodManagementPolicy: sc.policy, RevisionHistoryLimit: toPointer(int32(10)),
			UpdateStrategy: appsv1.StatefulSetUpdateStrategy{Type: appsv1.RollingUpdateStatefulSetStrategyType, RollingUpdate: &appsv1.RollingUpdateStatefulSetStrategy{Partition: &sc.partition}}},
	}
	sync := newStatefulSync(set)
	for range 3 * (int(sc.replicas) + 1) {
		sync.run()
		sync.allBecomeReady()
	}
	made := &statefulWorld{}
	keep := func() {
		for _, pod := range sync.pods() {
			revision := 0
			if pod.Spec.Containers[0].Image == "web:2" {
				revision = 1
			}
			if made.pods[revision] == nil {
				made.pods[revision] = map[int]*corev1.Pod{}
			}
			made.pods[revision][ordinalOf(&pod)] = pod.DeepCopy()
		}
	}
	keep()
	stored, err := sync.client.AppsV1().StatefulSets(namespace).Get(ctx, "web", metav1.GetOptions{})
	must(err)
	stored.Generation++
	stored.Spec.Template = template(2)
	_, err = sync.client.AppsV1().StatefulSets(namespace).Update(ctx, stored, metav1.UpdateOptions{})
	must(err)
	sync.run()
	made.set, err = sync.client.AppsV1().StatefulSets(namespace).Get(ctx, "web", metav1.GetOptions{})
	must(err)
	revisions, err := sync.client.AppsV1().ControllerRevisions(namespace).List(ctx, metav1.ListOptions{})
	must(err)
	made.revisions = revisions.Items
	for range 4 * (int(sc.replicas) + 1) {
		keep()
		sync.allBecomeReady()
		sync.run()
	}
	keep()
	statefulWorlds[*sc] = made
	return made
}

// turn is what a sync makes of the pods, the old ones before the new ones; a pod that it creates has no node.
func (sc *statefulSetController) turn(pods []ownPod, admits [2]bool) []ownPod {
	key := fmt.Sprint(*sc, admits)
	for _, pod := range pods {
		key += fmt.Sprint("|", pod.ordinal, pod.isNew, pod.ready)
	}
	if known, has := statefulTurns[key]; has {
		return known
	}
	world := sc.world()
	objects := []runtime.Object{world.set.DeepCopy()}
	for _, revision := range world.revisions {
		objects = append(objects, revision.DeepCopy())
	}
	uids := map[types.UID]bool{}
	for _, pod := range pods {
		shown := world.pods[index(pod.isNew)][pod.ordinal].DeepCopy()
		shown.UID = types.UID(fmt.Sprint("shown-", pod.ordinal))
		uids[shown.UID] = true
		shown.Status = corev1.PodStatus{Phase: corev1.PodPending}
		if pod.ready {
			becomeReady(shown)
		}
		objects = append(objects, shown)
	}
	sync := newStatefulSync(objects...)
	created := false
	sync.admits = func(image string) bool {
		if created || !admits[index(image == "web:2")] {
			return false
		}
		created = true
		return true
	}
	var after []ownPod
	for range 3 {
		sync.run()
		after = []ownPod{}
		changed := len(sync.pods()) != len(pods)
		for _, pod := range sync.pods() {
			own := ownPod{isNew: pod.Spec.Containers[0].Image == "web:2", ordinal: ordinalOf(&pod), node: -1}
			if uids[pod.UID] {
				own.node = 0
			}
			changed = changed || own.node < 0
			after = append(after, own)
		}
		if changed {
			break
		}
		after = nil
	}
	statefulTurns[key] = after
	return after
}

func (sc *statefulSetController) steps(c *cluster, s state) []state {
	after := sc.turn(s.pods, [2]bool{c.admits(s, false), c.admits(s, true)})
	if after == nil {
		return nil
	}
	return []state{s.with(func(s *state) {
		var pods []ownPod
		for _, pod := range after {
			if pod.node < 0 {
				pods = append(pods, pod)
				continue
			}
			pods = append(pods, s.pods[slices.IndexFunc(s.pods, func(own ownPod) bool { return own.ordinal == pod.ordinal })])
		}
		s.pods = pods
	})}
}

var statefulSetKind = kind{
	name: "StatefulSet", apiVersion: "apps/v1", revisionLabel: appsv1.StatefulSetRevisionLabel,
	spec: func(d *draft) fields {
		update := fields{"type": "RollingUpdate"}
		if d.percent(12) && d.replicas > 1 {
			update["rollingUpdate"] = fields{"partition": 1}
		}
		spec := fields{"replicas": d.replicas, "serviceName": "web", "selector": copied(app), "updateStrategy": update, "podManagementPolicy": pick(d.dice, "OrderedReady", "Parallel")}
		if d.percent(25) {
			d.claimEach(spec)
		}
		return spec
	},
	ordinals: func(d *draft) []int {
		ordinals := make([]int, d.replicas)
		for i := range ordinals {
			ordinals[i] = i
		}
		return ordinals
	},
	controller: func(d *draft, spec fields) controller {
		made := &statefulSetController{replicas: int32(d.replicas), policy: appsv1.PodManagementPolicyType(spec["podManagementPolicy"].(string))}
		if update, has := spec["updateStrategy"].(fields)["rollingUpdate"].(fields); has {
			made.partition = int32(update["partition"].(int))
		}
		return made
	},
	adjust: func(d *draft, spec fields) func(*corev1.Pod, ownPod) {
		return func(pod *corev1.Pod, own ownPod) {
			pod.Labels["statefulset.kubernetes.io/pod-name"] = pod.Name
			pod.Labels["apps.kubernetes.io/pod-index"] = fmt.Sprint(own.ordinal)
			if spec["volumeClaimTemplates"] != nil {
				claim := fmt.Sprint("disk-web-", own.ordinal)
				pod.Spec.Volumes = append(pod.Spec.Volumes, corev1.Volume{Name: "disk", VolumeSource: corev1.VolumeSource{PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: claim}}})
			}
		}
	},
}

// claimEach gives each pod a volume of its own, bound to one in a zone or on a node.
func (d *draft) claimEach(spec fields) {
	mode := pick(d.dice, "ReadWriteOnce", "ReadWriteOnce", "ReadWriteOncePod")
	for ordinal := range d.replicas {
		d.addVolume(fmt.Sprint("disk-web-", ordinal), mode)
	}
	spec["volumeClaimTemplates"] = []any{fields{"metadata": fields{"name": "disk"}, "spec": fields{"accessModes": []any{mode}, "storageClassName": "fast", "resources": fields{"requests": fields{"storage": "1Gi"}}}}}
}
