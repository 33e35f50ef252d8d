package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"
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
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/flowcontrol"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/controller/daemon"
	daemonutil "k8s.io/kubernetes/pkg/controller/daemon/util"
	testingclock "k8s.io/utils/clock/testing"
)

//go:linkname syncDaemonSet k8s.io/kubernetes/pkg/controller/daemon.(*DaemonSetsController).syncDaemonSet
func syncDaemonSet(dsc *daemon.DaemonSetsController, ctx context.Context, key string) error

//go:linkname daemonPodAdded k8s.io/kubernetes/pkg/controller/daemon.(*DaemonSetsController).addPod
func daemonPodAdded(dsc *daemon.DaemonSetsController, logger klog.Logger, pod any)

//go:linkname daemonPodDeleted k8s.io/kubernetes/pkg/controller/daemon.(*DaemonSetsController).deletePod
func daemonPodDeleted(dsc *daemon.DaemonSetsController, logger klog.Logger, pod any)

// quietRuns is how many syncs in a row must show nothing new: the controller goes through nodes in Go's random order.
const quietRuns = 24

// A daemonSetController runs upstream's on the pods by node.
type daemonSetController struct {
	set  *appsv1.DaemonSet
	old  corev1.PodTemplateSpec
	sync *daemonSync
}

func (dc *daemonSetController) start(pods []ownPod) state {
	return state{pods: pods, asked: [2]int{-1, -1}}.sorted()
}

func (dc *daemonSetController) finished(s state) bool {
	return s.count(func(pod ownPod) bool { return pod.ready && pod.isNew }) == len(s.pods)
}

// A daemonSync is upstream's controller on a fake API server.
type daemonSync struct {
	controller *daemon.DaemonSetsController
	pods       cache.Indexer
	hash       string
	after      []ownPod
	created    int
	admits     func(made int) bool
}

func (dc *daemonSetController) newSync(c *cluster) *daemonSync {
	ctx := context.Background()
	client := fake.NewSimpleClientset()
	factory := informers.NewSharedInformerFactory(client, 0)
	apps, core := factory.Apps().V1(), factory.Core().V1()
	clock := testingclock.NewFakeClock(time.Unix(1_000_000, 0))
	s := &daemonSync{pods: core.Pods().Informer().GetIndexer()}
	var err error
	s.controller, err = daemon.NewDaemonSetsController(ctx, apps.DaemonSets(), apps.ControllerRevisions(), core.Pods(), core.Nodes(), client, flowcontrol.NewFakeBackOff(time.Second, time.Minute, clock))
	must(err)
	must(apps.DaemonSets().Informer().GetIndexer().Add(dc.set.DeepCopy()))
	client.PrependReactor("*", "*", func(action clienttesting.Action) (bool, runtime.Object, error) {
		switch action.GetVerb() + " " + action.GetResource().Resource {
		case "create pods":
			return s.create(c, action.(clienttesting.CreateAction).GetObject().(*corev1.Pod))
		case "delete pods":
			s.delete(action.(clienttesting.DeleteAction).GetName())
		case "create controllerrevisions", "update controllerrevisions":
			revision := action.(clienttesting.CreateAction).GetObject().(*appsv1.ControllerRevision)
			s.hash = revision.Labels[appsv1.DefaultDaemonSetUniqueLabelKey]
			must(apps.ControllerRevisions().Informer().GetIndexer().Add(revision))
			return true, revision, nil
		case "update daemonsets":
			set := action.(clienttesting.UpdateAction).GetObject()
			must(apps.DaemonSets().Informer().GetIndexer().Update(set))
			return true, set, nil
		}
		return true, nil, nil
	})
	// A sync without nodes makes the revision whose hash the new pods have.
	must(syncDaemonSet(s.controller, ctx, namespace+"/web"))
	for _, node := range c.scheduler.nodes {
		must(core.Nodes().Informer().GetIndexer().Add(node))
	}
	return s
}

func (s *daemonSync) create(c *cluster, pod *corev1.Pod) (bool, runtime.Object, error) {
	if !s.admits(s.created) {
		return true, nil, apierrors.NewForbidden(corev1.Resource("pods"), "", errors.New("exceeded quota"))
	}
	s.created++
	target, err := daemonutil.GetTargetNodeName(pod)
	must(err)
	node := slices.IndexFunc(c.scheduler.nodes, func(node *corev1.Node) bool { return node.Name == target })
	s.after = append(s.after, ownPod{isNew: true, ordinal: node, node: -1})
	pod.Name, pod.Namespace = fmt.Sprint("made-", s.created), namespace
	daemonPodAdded(s.controller, klog.Logger{}, pod)
	return true, pod, nil
}

func (s *daemonSync) delete(name string) {
	found, _, err := s.pods.GetByKey(namespace + "/" + name)
	must(err)
	daemonPodDeleted(s.controller, klog.Logger{}, found)
	position := 0
	_, err = fmt.Sscanf(name, "web-%d", &position)
	must(err)
	s.after[position].ordinal = -1
}

// shown are the pods as the controller sees them.
func (dc *daemonSetController) shown(c *cluster, pods []ownPod) []any {
	var list []any
	for position, own := range pods {
		revision, spec := dc.sync.hash, dc.set.Spec.Template.Spec
		if !own.isNew {
			revision, spec = "old", dc.old.Spec
		}
		pod := &corev1.Pod{
			ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprint("web-", position), Namespace: namespace, UID: types.UID(fmt.Sprint("web-", position)), CreationTimestamp: metav1.Unix(int64(position), 0),
				Labels:          map[string]string{"app": "web", appsv1.DefaultDaemonSetUniqueLabelKey: revision},
				OwnerReferences: []metav1.OwnerReference{*metav1.NewControllerRef(dc.set, appsv1.SchemeGroupVersion.WithKind("DaemonSet"))}},
			Spec:   *spec.DeepCopy(),
			Status: corev1.PodStatus{Phase: corev1.PodPending},
		}
		pod.Spec.Affinity = daemonutil.ReplaceDaemonSetPodNodeNameNodeAffinity(pod.Spec.Affinity, c.scheduler.nodes[own.ordinal].Name)
		if own.node >= 0 {
			pod.Spec.NodeName = c.scheduler.nodes[own.node].Name
		}
		if own.ready {
			becomeReady(pod)
		}
		list = append(list, pod)
	}
	return list
}

// once runs one sync and returns the pods after it.
func (dc *daemonSetController) once(pods []ownPod, shown []any) []ownPod {
	s := dc.sync
	s.after, s.created = slices.Clone(pods), 0
	must(s.pods.Replace(shown, ""))
	if err := syncDaemonSet(s.controller, context.Background(), namespace+"/web"); err != nil && !apierrors.IsForbidden(err) && !isForbidden(err) {
		panic(err)
	}
	return slices.DeleteFunc(s.after, func(pod ownPod) bool { return pod.ordinal < 0 })
}

func (dc *daemonSetController) steps(c *cluster, s state) []state {
	if dc.sync == nil {
		dc.sync = dc.newSync(c)
	}
	dc.sync.admits = func(made int) bool { return len(c.quotas) == 0 || made == 0 && c.admits(s, true) }
	shown := dc.shown(c, s.pods)
	var found []state
	seen := map[string]bool{s.key(): true}
	for quiet := 0; quiet < quietRuns; quiet++ {
		pods := dc.once(s.pods, shown)
		next := s.with(func(s *state) { s.pods = pods })
		if key := next.key(); !seen[key] {
			seen[key] = true
			found = append(found, next)
			quiet = 0
		} else if len(found) == 0 && key == s.key() && quiet >= 2 {
			break // it has nothing to do, in any order
		}
	}
	return found
}

var daemonSetKind = kind{
	name: "DaemonSet", apiVersion: "apps/v1", revisionLabel: appsv1.DefaultDaemonSetUniqueLabelKey,
	spec: func(d *draft) fields {
		update := pick(d.dice, fields{"maxSurge": 0, "maxUnavailable": 1}, fields{"maxSurge": 0, "maxUnavailable": 1}, fields{"maxSurge": 0, "maxUnavailable": 2}, fields{"maxSurge": 1, "maxUnavailable": 0}, fields{"maxSurge": 1, "maxUnavailable": 0}, fields{"maxSurge": 0, "maxUnavailable": "50%"})
		return fields{"selector": copied(app), "updateStrategy": fields{"type": "RollingUpdate", "rollingUpdate": copied(update)}}
	},
	controller: func(d *draft, spec fields) controller {
		made := &daemonSetController{set: &appsv1.DaemonSet{}}
		must(json.Unmarshal(jsonOf(fields{"metadata": fields{"name": "web", "namespace": namespace, "uid": "web", "generation": 2},
			"spec": fields{"selector": app, "updateStrategy": spec["updateStrategy"], "revisionHistoryLimit": 10, "template": fields{"metadata": fields{"labels": d.newMeta}, "spec": d.new}}}), made.set))
		must(json.Unmarshal(jsonOf(fields{"metadata": fields{"labels": d.oldMeta}, "spec": d.old}), &made.old))
		return made
	},
	adjust: func(d *draft, spec fields) func(*corev1.Pod, ownPod) {
		names := map[int]string{}
		for i, node := range d.nodes {
			names[i] = node["metadata"].(fields)["name"].(string)
		}
		return func(pod *corev1.Pod, own ownPod) {
			pod.Spec.Affinity = daemonutil.ReplaceDaemonSetPodNodeNameNodeAffinity(pod.Spec.Affinity, names[own.ordinal])
			daemonutil.AddOrUpdateDaemonPodTolerations(&pod.Spec)
			pod.Name = fmt.Sprintf("web-%d-%s", index(own.isNew), names[own.ordinal])
			pod.UID = types.UID(pod.Name)
			if pod.Status.ResourceClaimStatuses != nil {
				pod.Status.ResourceClaimStatuses[0].ResourceClaimName = &pod.Name
			}
		}
	},
	ordinals: func(d *draft) []int {
		set := &appsv1.DaemonSet{}
		must(json.Unmarshal(jsonOf(fields{"spec": fields{"template": fields{"spec": d.old}}}), set))
		var ordinals []int
		for i, node := range d.nodes {
			if shouldRun(decoded(node).(*corev1.Node), set) {
				ordinals = append(ordinals, i)
			}
		}
		return ordinals
	},
}

func jsonOf(value any) []byte {
	body, err := json.Marshal(value)
	must(err)
	return body
}
