package main

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
	_ "unsafe" // for go:linkname

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes/fake"
	clienttesting "k8s.io/client-go/testing"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/flowcontrol"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/controller/daemon"
	testingclock "k8s.io/utils/clock/testing"
	recording "rolloutkit-oracle-recording"
)

const aboutDaemonSetWaves = "The real DaemonSet controller (its syncDaemonSet, driven by hand): one old pod on every node, then the template changes. " +
	"A wave: sync until nothing changes while no pod becomes ready; then all new pods become available. A wave that changes nothing ends the run and is no row. " +
	"A case is [nodes, tolerates, type, maxSurge, maxUnavailable, minReadySeconds, desired, surge, unavailable, outcomes], " +
	"desired, surge and unavailable as the controller resolves them; an outcome is [halted, waves], a wave [newPods, oldPods, total, available, terminating] without terminating pods in the first four, " +
	"and `halted` the number of waves after which old pods are left for good, else null. " +
	"The controller goes through nodes in Go's random order: more than one outcome where that makes a difference, all that many runs have shown. " +
	"Above 250 nodes an outcome has a third part, the rows after each sync that sees in its caches what stood before it. " +
	"`nodes` counts them by kind: healthy; cordoned; down: not ready or unreachable with the taints of that, old pod not ready, new ones never, deleted pods stay terminating; " +
	"downForced: the same, but deleted pods vanish at once as they do elsewhere; broken: old pod not ready; stuck: new pods never ready; sick: both; noSchedule, noExecute: a taint of that effect came after the old pod; " +
	"fresh: joined with the change, no pod yet; other: not selected. `tolerates`: 1 where the pods tolerate every taint. " +
	"The API server refuses both limits zero and both non-zero; the controller was asked all the same."

//go:linkname syncDaemonSet k8s.io/kubernetes/pkg/controller/daemon.(*DaemonSetsController).syncDaemonSet
func syncDaemonSet(dsc *daemon.DaemonSetsController, ctx context.Context, key string) error

//go:linkname daemonPodAdded k8s.io/kubernetes/pkg/controller/daemon.(*DaemonSetsController).addPod
func daemonPodAdded(dsc *daemon.DaemonSetsController, logger klog.Logger, pod any)

//go:linkname daemonPodDeleted k8s.io/kubernetes/pkg/controller/daemon.(*DaemonSetsController).deletePod
func daemonPodDeleted(dsc *daemon.DaemonSetsController, logger klog.Logger, pod any)

//go:linkname daemonLimits k8s.io/kubernetes/pkg/controller/daemon.(*DaemonSetsController).updatedDesiredNodeCounts
func daemonLimits(dsc *daemon.DaemonSetsController, ctx context.Context, ds *appsv1.DaemonSet, nodes []*corev1.Node, pods map[string][]*corev1.Pod) (surge, unavailable, desired int, err error)

// daemonNodeKinds, in the order in which nodes are made.
var daemonNodeKinds = []string{"healthy", "cordoned", "down", "downForced", "broken", "stuck", "sick", "noSchedule", "noExecute", "fresh", "other", "updated", "starting", "surging"}

type nodeCounts map[string]int

// A daemonCluster is the controller, what it sees in its caches, and the kubelets that we play. One DaemonSet after another lives in it.
type daemonCluster struct {
	controller                   *daemon.DaemonSetsController
	clock                        *testingclock.FakeClock
	sets, revisions, pods, nodes cache.Indexer
	client                       *fake.Clientset
	made                         int
	// kinds of the nodes by name.
	kinds map[string]string
	// changes of pods so far.
	changes int
	// atOnce lets the controller see its pods while it still syncs, as quick informers would; else each sync sees what stood before it.
	atOnce  bool
	delayed []func()
}

func newDaemonCluster() *daemonCluster {
	client := fake.NewSimpleClientset()
	factory := informers.NewSharedInformerFactory(client, 0)
	apps, core := factory.Apps().V1(), factory.Core().V1()
	c := &daemonCluster{client: client, clock: testingclock.NewFakeClock(time.Unix(1_000_000, 0))}
	controller, err := daemon.NewDaemonSetsController(context.Background(), apps.DaemonSets(), apps.ControllerRevisions(), core.Pods(), core.Nodes(), client,
		flowcontrol.NewFakeBackOff(time.Second, time.Minute, c.clock))
	must(err)
	c.controller = controller
	c.sets, c.revisions = apps.DaemonSets().Informer().GetIndexer(), apps.ControllerRevisions().Informer().GetIndexer()
	c.pods, c.nodes = core.Pods().Informer().GetIndexer(), core.Nodes().Informer().GetIndexer()
	client.PrependReactor("*", "*", func(action clienttesting.Action) (bool, runtime.Object, error) { return true, c.written(action), nil })
	return c
}

// written is the API server: it takes what the controller writes.
func (c *daemonCluster) written(action clienttesting.Action) runtime.Object {
	switch does := action.GetVerb() + " " + action.GetResource().Resource; does {
	case "create pods":
		return c.createPod(action.(clienttesting.CreateAction).GetObject().(*corev1.Pod).DeepCopy())
	case "delete pods":
		c.deletePod(action.(clienttesting.DeleteAction).GetName())
		return nil
	case "create controllerrevisions", "update controllerrevisions":
		revision := action.(clienttesting.CreateAction).GetObject()
		must(c.revisions.Add(revision))
		return revision
	case "delete controllerrevisions":
		must(c.revisions.Delete(&appsv1.ControllerRevision{ObjectMeta: metav1.ObjectMeta{Name: action.(clienttesting.DeleteAction).GetName(), Namespace: "default"}}))
		return nil
	case "update daemonsets":
		set := action.(clienttesting.UpdateAction).GetObject()
		must(c.sets.Update(set))
		return set
	default:
		panic(does)
	}
}

func (c *daemonCluster) show(change func()) {
	c.changes++
	if c.atOnce {
		change()
	} else {
		c.delayed = append(c.delayed, change)
	}
}

func nodeOf(pod *corev1.Pod) string {
	return pod.Spec.Affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution.NodeSelectorTerms[0].MatchFields[0].Values[0]
}

// createPod plays the scheduler too: the pod goes where it has to.
func (c *daemonCluster) createPod(pod *corev1.Pod) *corev1.Pod {
	c.made++
	pod.Namespace, pod.Name, pod.CreationTimestamp = "default", fmt.Sprint(pod.GenerateName, c.made), metav1.Unix(int64(c.made), 0)
	pod.UID, pod.Spec.NodeName, pod.Status.Phase = types.UID(pod.Name), nodeOf(pod), corev1.PodPending
	c.show(func() {
		must(c.pods.Add(pod))
		daemonPodAdded(c.controller, klog.Logger{}, pod)
	})
	return pod
}

func (c *daemonCluster) deletePod(name string) {
	found, has, err := c.pods.GetByKey("default/" + name)
	must(err)
	if !has {
		panic("no pod " + name)
	}
	pod := found.(*corev1.Pod).DeepCopy()
	c.show(func() {
		if c.kinds[pod.Spec.NodeName] == "down" {
			pod.DeletionTimestamp = &metav1.Time{Time: c.clock.Now()}
			must(c.pods.Update(pod))
		} else {
			must(c.pods.Delete(pod))
		}
		daemonPodDeleted(c.controller, klog.Logger{}, pod)
	})
}

func (c *daemonCluster) allPods() []*corev1.Pod {
	var pods []*corev1.Pod
	for _, pod := range c.pods.List() {
		pods = append(pods, pod.(*corev1.Pod))
	}
	return pods
}

func isNewPod(pod *corev1.Pod) bool { return pod.Spec.Containers[0].Image == "web:2" }

// staysUnready: of such a node, neither this pod nor one like it ever gets ready.
func staysUnready(kind string, isNew bool) bool {
	switch kind {
	case "down", "downForced", "sick":
		return true
	case "broken":
		return !isNew
	case "stuck":
		return isNew
	default:
		return false
	}
}

func (c *daemonCluster) allBecomeReady() {
	for _, pod := range c.allPods() {
		if isReady(pod) || staysUnready(c.kinds[pod.Spec.NodeName], isNewPod(pod)) {
			continue
		}
		ready := pod.DeepCopy()
		ready.Status.Phase = corev1.PodRunning
		ready.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue, LastTransitionTime: metav1.Time{Time: c.clock.Now()}}}
		must(c.pods.Update(ready))
	}
}

// daemonRow is [newPods, oldPods, total, available, terminating].
type daemonRow [5]int

func (c *daemonCluster) row() daemonRow {
	var row daemonRow
	for _, pod := range c.allPods() {
		if pod.DeletionTimestamp != nil {
			row[4]++
			continue
		}
		if isNewPod(pod) {
			row[0]++
		} else {
			row[1]++
		}
		row[2]++
		if isReady(pod) {
			row[3]++
		}
	}
	return row
}

// settle syncs to a fix point and returns a row for each sync that changed the pods.
func (c *daemonCluster) settle(key string) []daemonRow {
	var rows []daemonRow
	for quiet := 0; quiet < 2; {
		before := c.changes
		must(syncDaemonSet(c.controller, context.Background(), key))
		for _, change := range c.delayed {
			change()
		}
		c.delayed = nil
		if c.changes == before {
			quiet++
		} else {
			quiet = 0
			rows = append(rows, c.row())
		}
	}
	return rows
}

type daemonCase struct {
	nodes          nodeCounts
	tolerates      bool
	kind           string
	surge          *intstr.IntOrString
	unavailable    *intstr.IntOrString
	minReady       int32
	resolved       [3]int
	outcomes       []daemonOutcome
	withSyncs      bool
	mayHaveSeveral bool
}

type daemonOutcome struct {
	halted *int
	waves  []daemonRow
	syncs  []daemonRow
}

func (o daemonOutcome) MarshalJSON() ([]byte, error) {
	parts := []any{o.halted, o.waves}
	if o.syncs != nil {
		parts = append(parts, o.syncs)
	}
	return json.Marshal(parts)
}

func (c daemonCase) MarshalJSON() ([]byte, error) {
	tolerates := 0
	if c.tolerates {
		tolerates = 1
	}
	return json.Marshal([]any{c.nodes, tolerates, c.kind, c.surge, c.unavailable, c.minReady, c.resolved[0], c.resolved[1], c.resolved[2], c.outcomes})
}

func (c daemonCase) daemonSet(name string) *appsv1.DaemonSet {
	set := &appsv1.DaemonSet{
		ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: "default", UID: types.UID(name), Generation: 1},
		Spec: appsv1.DaemonSetSpec{
			Selector:             &metav1.LabelSelector{MatchLabels: map[string]string{"app": "web"}},
			MinReadySeconds:      c.minReady,
			RevisionHistoryLimit: ptr(int32(10)),
			UpdateStrategy:       appsv1.DaemonSetUpdateStrategy{Type: appsv1.DaemonSetUpdateStrategyType(c.kind)},
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{"app": "web"}},
				Spec:       corev1.PodSpec{NodeSelector: map[string]string{"pool": "web"}, Containers: []corev1.Container{{Name: "web", Image: "web:1"}}},
			},
		},
	}
	if c.surge != nil {
		set.Spec.UpdateStrategy.RollingUpdate = &appsv1.RollingUpdateDaemonSet{MaxSurge: c.surge, MaxUnavailable: c.unavailable}
	}
	if c.tolerates {
		set.Spec.Template.Spec.Tolerations = []corev1.Toleration{{Operator: corev1.TolerationOpExists}}
	}
	return set
}

// taintsOf are those that a node of this kind has once the template changes.
func taintsOf(kind string, ordinal int) []corev1.Taint {
	switch kind {
	case "cordoned":
		return []corev1.Taint{{Key: corev1.TaintNodeUnschedulable, Effect: corev1.TaintEffectNoSchedule}}
	case "down", "downForced":
		key := corev1.TaintNodeNotReady
		if ordinal%2 == 1 {
			key = corev1.TaintNodeUnreachable
		}
		return []corev1.Taint{{Key: key, Effect: corev1.TaintEffectNoSchedule}, {Key: key, Effect: corev1.TaintEffectNoExecute}}
	case "noSchedule":
		return []corev1.Taint{{Key: "dedicated", Effect: corev1.TaintEffectNoSchedule}}
	case "noExecute":
		return []corev1.Taint{{Key: "dedicated", Effect: corev1.TaintEffectNoExecute}}
	default:
		return nil
	}
}

// nodesOf are the nodes before the template changes, or from then on.
func (c daemonCase) nodesOf(changed bool) ([]*corev1.Node, map[string]string) {
	var nodes []*corev1.Node
	kinds := map[string]string{}
	for _, kind := range daemonNodeKinds {
		for i := range c.nodes[kind] {
			node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprint(strings.ToLower(kind), "-", i), Labels: map[string]string{"pool": "web"}}}
			if kind == "other" {
				node.Labels["pool"] = "db"
			}
			if changed {
				node.Spec.Taints = taintsOf(kind, i)
				node.Spec.Unschedulable = kind == "cordoned"
			}
			if changed || kind != "fresh" {
				nodes = append(nodes, node)
			}
			kinds[node.Name] = kind
		}
	}
	return nodes, kinds
}

func anyOf[T any](items []T) []any {
	var list []any
	for _, item := range items {
		list = append(list, item)
	}
	return list
}

// rolled runs a case once.
func (c *daemonCluster) rolled(d *daemonCase, atOnce bool) daemonOutcome {
	c.client.ClearActions()
	c.made++
	set := d.daemonSet(fmt.Sprint("web-", c.made))
	key := "default/" + set.Name
	nodes, kinds := d.nodesOf(false)
	c.kinds, c.atOnce, c.delayed = kinds, atOnce, nil
	for store, items := range map[cache.Indexer][]any{c.sets: {set}, c.revisions: nil, c.pods: nil, c.nodes: anyOf(nodes)} {
		must(store.Replace(items, ""))
	}
	c.settle(key)
	c.allBecomeReady()
	c.clock.Step(time.Duration(d.minReady+1) * time.Second)
	if start := c.row(); start[1] != len(nodes)-d.nodes["other"] || start[2] != start[1] {
		panic(fmt.Sprint("not at rest before the change: ", start))
	}

	nodes, _ = d.nodesOf(true)
	must(c.nodes.Replace(anyOf(nodes), ""))
	found, _, err := c.sets.GetByKey(key)
	must(err)
	changed := found.(*appsv1.DaemonSet).DeepCopy()
	changed.Generation++
	changed.Spec.Template.Spec.Containers[0].Image = "web:2"
	must(c.sets.Update(changed))
	surge, unavailable, desired, err := daemonLimits(c.controller, context.Background(), changed, nodes, map[string][]*corev1.Pod{})
	must(err)
	d.resolved = [3]int{desired, surge, unavailable}

	outcome := daemonOutcome{waves: []daemonRow{}}
	for {
		before := c.changes
		syncs := c.settle(key)
		if d.withSyncs {
			outcome.syncs = append(outcome.syncs, syncs...)
		}
		if c.changes == before {
			break
		}
		outcome.waves = append(outcome.waves, c.row())
		c.allBecomeReady()
		if d.minReady > 0 && c.settle(key) != nil {
			panic("moved before minReadySeconds were over")
		}
		c.clock.Step(time.Duration(d.minReady+1) * time.Second)
	}
	if c.row()[1] > 0 {
		outcome.halted = ptr(len(outcome.waves))
	}
	return outcome
}

// outcomesOf runs a case until many runs have shown nothing new; nil where there are too many outcomes to be sure of all.
func (c *daemonCluster) outcomesOf(d *daemonCase) []daemonOutcome {
	const tooMany = 8
	seen := map[string]daemonOutcome{}
	runs := 3
	if d.mayHaveSeveral {
		runs = 16
	}
	for i, last := 0, 0; i < last+runs; i++ {
		outcome := c.rolled(d, i%2 == 1)
		text, err := recording.Compact(daemonOutcome{halted: outcome.halted, waves: outcome.waves}) // syncs differ with what the first ones saw
		must(err)
		if _, has := seen[string(text)]; has {
			continue
		}
		seen[string(text)] = outcome
		last = i
		if len(seen) > 1 {
			runs = 150
		}
		if len(seen) > tooMany {
			return nil
		}
	}
	var outcomes []daemonOutcome
	for _, text := range sortedKeys(seen) {
		outcomes = append(outcomes, seen[text])
	}
	return outcomes
}

func sortedKeys[T any](m map[string]T) []string {
	var keys []string
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}

func daemonRolling(nodes nodeCounts, tolerates bool, surge, unavailable any) daemonCase {
	return daemonCase{nodes: nodes, tolerates: tolerates, kind: "RollingUpdate", surge: intOrString(surge), unavailable: intOrString(unavailable)}
}

// surgeOr draws one of the two limits, the other one is 0.
func surgeOr(limit any, isSurge bool) (surge, unavailable any) {
	if isSurge {
		return limit, 0
	}
	return 0, limit
}

// daemonSettings are every small one, those with nodes that are down or broken, percentages, thousands of nodes' ways in little, and random ones.
func daemonSettings() []daemonCase {
	var cases []daemonCase
	both := []bool{false, true}
	add := func(c daemonCase) { cases = append(cases, c) }
	for healthy := range 8 {
		for _, isSurge := range both {
			for limit := range healthy + 2 {
				surge, unavailable := surgeOr(limit, isSurge)
				if limit > 0 || isSurge {
					add(daemonRolling(nodeCounts{"healthy": healthy}, false, surge, unavailable))
				}
			}
		}
	}
	for _, kind := range []string{"down", "downForced", "broken", "sick"} {
		for healthy := range 6 {
			for hit := 1; hit <= 3; hit++ {
				for limit := 1; limit <= 4; limit++ {
					for _, isSurge := range both {
						surge, unavailable := surgeOr(limit, isSurge)
						for _, tolerates := range both {
							if !tolerates || kind == "down" || kind == "downForced" {
								add(daemonRolling(nodeCounts{"healthy": healthy, kind: hit}, tolerates, surge, unavailable))
							}
						}
					}
				}
			}
		}
	}
	for _, kind := range []string{"cordoned", "noSchedule", "noExecute", "stuck", "fresh", "other"} {
		for _, healthy := range []int{0, 1, 3} {
			for hit := 1; hit <= 2; hit++ {
				for limit := 1; limit <= 3; limit++ {
					for _, isSurge := range both {
						surge, unavailable := surgeOr(limit, isSurge)
						add(daemonRolling(nodeCounts{"healthy": healthy, kind: hit}, false, surge, unavailable))
						if kind == "noSchedule" || kind == "noExecute" {
							add(daemonRolling(nodeCounts{"healthy": healthy, kind: hit}, true, surge, unavailable))
						}
					}
				}
			}
		}
	}
	for _, healthy := range []int{0, 1, 2, 3, 7, 10, 15, 33, 60} {
		for _, percent := range []string{"1%", "10%", "25%", "30%", "34%", "50%", "67%", "99%", "100%"} {
			for _, isSurge := range both {
				if healthy > 15 && len(percent) == 2 {
					continue
				}
				surge, unavailable := surgeOr(percent, isSurge)
				add(daemonRolling(nodeCounts{"healthy": healthy}, false, surge, unavailable))
				add(daemonRolling(nodeCounts{"healthy": healthy, "down": 2, "cordoned": 1}, false, surge, unavailable))
			}
		}
	}
	for _, pair := range [][2]any{{0, 0}, {"0%", "0%"}, {"0%", 0}, {0, "0%"}, {1, 1}, {"50%", 1}, {1, "100%"}, {3, "10%"}} {
		for _, healthy := range []int{0, 1, 5} {
			add(daemonRolling(nodeCounts{"healthy": healthy}, false, pair[0], pair[1]))
			add(daemonRolling(nodeCounts{"healthy": healthy, "down": 1}, false, pair[0], pair[1]))
		}
	}
	for _, healthy := range []int{0, 1, 5} {
		for _, kind := range []string{"down", "noSchedule", "noExecute", "fresh", "broken"} {
			add(daemonCase{nodes: nodeCounts{"healthy": healthy, kind: 1}, kind: "OnDelete"})
		}
	}
	for _, healthy := range []int{251, 300, 600} {
		for _, limit := range []any{"100%", "50%", 249, 250, 251, 300} {
			for _, isSurge := range both {
				surge, unavailable := surgeOr(limit, isSurge)
				c := daemonRolling(nodeCounts{"healthy": healthy}, false, surge, unavailable)
				c.withSyncs = true
				add(c)
			}
		}
		add(daemonRolling(nodeCounts{"healthy": healthy, "down": 255}, false, 0, 300))
		add(daemonRolling(nodeCounts{"healthy": healthy, "downForced": 255}, true, 200, 0))
		add(daemonRolling(nodeCounts{"healthy": healthy, "broken": 255}, false, 0, 100))
	}
	return append(cases, randomDaemonSettings()...)
}

// randomDaemonSettings mix kinds of nodes: few of them where the order among them counts, up to 60 where it does not.
func randomDaemonSettings() []daemonCase {
	d := newDice(21)
	var cases []daemonCase
	for len(cases) < 1000 {
		nodes := nodeCounts{}
		few := d.percent(25)
		var kinds []string
		if few {
			nodes["healthy"] = d.Intn(4)
			kinds = []string{"cordoned", "down", "downForced", "broken", "stuck", "sick", "noSchedule", "noExecute", "fresh", "other"}
		} else {
			nodes["healthy"] = d.Intn(56)
			kinds = []string{"cordoned", "down", "downForced", "broken", "sick", "noExecute", "fresh", "other"}
		}
		for _, kind := range kinds {
			if d.percent(22) {
				nodes[kind] = 1 + d.Intn(3)
			}
		}
		c := daemonCase{nodes: nodes, tolerates: d.percent(35), kind: "RollingUpdate", minReady: pick(d, int32(0), 0, 5, 30)}
		limit := any(1 + d.Intn(8))
		switch {
		case nodes["healthy"] > 12 && d.percent(50):
			limit = 1 + nodes["healthy"]/12 + d.Intn(nodes["healthy"])
		case nodes["healthy"] > 12 || d.percent(50):
			limit = fmt.Sprint(8+d.Intn(93), "%")
		}
		surge, unavailable := surgeOr(limit, d.percent(45))
		c.surge, c.unavailable = intOrString(surge), intOrString(unavailable)
		if d.percent(2) {
			c.kind, c.surge, c.unavailable = "OnDelete", nil, nil
		}
		cases = append(cases, c)
	}
	return cases
}

func daemonSetWaveCases() []any {
	ignoreStaleness()
	cluster := newDaemonCluster()
	var cases []any
	seen := map[string]bool{}
	for _, c := range daemonSettings() {
		for kind, count := range c.nodes {
			if count == 0 {
				delete(c.nodes, kind)
			}
		}
		text, err := recording.Compact(c)
		must(err)
		if seen[string(text)] {
			continue
		}
		seen[string(text)] = true
		c.mayHaveSeveral = c.nodes["stuck"] > 0 || c.nodes["noSchedule"] > 0
		c.outcomes = cluster.outcomesOf(&c)
		if c.outcomes != nil {
			cases = append(cases, c)
		}
	}
	return cases
}
