package main

import (
	"context"
	"fmt"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	resourceapi "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes/fake"
	clienttesting "k8s.io/client-go/testing"
	"k8s.io/client-go/tools/events"
	"k8s.io/dynamic-resource-allocation/structured"
	"k8s.io/klog/v2"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/apis/config/latest"
	"k8s.io/kubernetes/pkg/scheduler/backend/cache"
	"k8s.io/kubernetes/pkg/scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins"
	frameworkruntime "k8s.io/kubernetes/pkg/scheduler/framework/runtime"
)

// preemptionRuns is how often a preemption is asked: of nodes that are equally good, upstream takes the first of a map in random order.
const preemptionRuns = 16

// lister shows the scheduler the snapshot of the state that is under question.
type lister struct{ current *cache.Snapshot }

func (l *lister) NodeInfos() nodeInfoLister   { return l.current.NodeInfos() }
func (l *lister) StorageInfos() storageLister { return l.current.StorageInfos() }

// nominator knows no nominated pods: a preemptor takes its place at once.
type nominator struct{}

func (nominator) AddNominatedPod(klog.Logger, fwk.PodInfo, *nominatingInfo) {}
func (nominator) DeleteNominatedPodIfExists(*corev1.Pod)                    {}
func (nominator) UpdateNominatedPod(klog.Logger, *corev1.Pod, fwk.PodInfo)  {}
func (nominator) NominatedPodsForNode(string) []fwk.PodInfo                 { return nil }

// devices show the scheduler classes, slices and the claims of the state that is under question, and keep what it allocates.
type devices struct {
	classes []*resourceapi.DeviceClass
	slices  []*resourceapi.ResourceSlice
	claims  []*resourceapi.ResourceClaim
	made    map[types.UID]*resourceapi.AllocationResult
}

type classes struct{ d *devices }
type resourceSlices struct{ d *devices }

func (d *devices) ResourceClaims() claimTracker { return d }
func (d *devices) ResourceSlices() sliceLister  { return resourceSlices{d} }
func (d *devices) DeviceClasses() classLister   { return classes{d} }

func (c classes) List() ([]*resourceapi.DeviceClass, error) { return c.d.classes, nil }

func (c classes) Get(name string) (*resourceapi.DeviceClass, error) {
	for _, class := range c.d.classes {
		if class.Name == name {
			return class, nil
		}
	}
	return nil, fmt.Errorf("no class %s", name)
}

func (s resourceSlices) ListWithDeviceTaintRules() ([]*resourceapi.ResourceSlice, error) {
	return s.d.slices, nil
}

func (d *devices) List() ([]*resourceapi.ResourceClaim, error) { return d.claims, nil }

func (d *devices) Get(namespace, name string) (*resourceapi.ResourceClaim, error) {
	for _, claim := range d.claims {
		if claim.Namespace == namespace && claim.Name == name {
			return claim, nil
		}
	}
	return nil, fmt.Errorf("no claim %s", name)
}

func (d *devices) ListAllAllocatedDevices() (sets.Set[structured.DeviceID], error) {
	allocated := sets.New[structured.DeviceID]()
	for _, claim := range d.claims {
		if claim.Status.Allocation == nil {
			continue
		}
		for _, result := range claim.Status.Allocation.Devices.Results {
			allocated.Insert(structured.MakeDeviceID(result.Driver, result.Pool, result.Device))
		}
	}
	return allocated, nil
}

func (d *devices) GatherAllocatedState() (*structured.AllocatedState, error) {
	allocated, err := d.ListAllAllocatedDevices()
	return &structured.AllocatedState{
		AllocatedDevices: allocated, AllocatedSharedDeviceIDs: sets.New[structured.SharedDeviceID](),
		AggregatedCapacity: structured.NewConsumedCapacityCollection(),
	}, err
}

func (d *devices) SignalClaimPendingAllocation(uid types.UID, claim *resourceapi.ResourceClaim) error {
	d.made[uid] = claim.Status.Allocation
	return nil
}

func (d *devices) AssumeClaimAfterAPICall(*resourceapi.ResourceClaim) error { return nil }
func (d *devices) AssumedClaimRestore(string, string)                       {}

// A scheduler is upstream's framework with all default plugins, over one small cluster.
type scheduler struct {
	framework framework.Framework
	lister    *lister
	devices   *devices
	informers informers.SharedInformerFactory
	nodes     []*corev1.Node
	victims   []string
	stop      context.CancelFunc
	// neverEvicts leaves preemption out.
	neverEvicts bool
}

func newScheduler(nodes []*corev1.Node, objects []runtime.Object) *scheduler {
	ctx, stop := context.WithCancel(context.Background())
	s := &scheduler{lister: &lister{current: cache.NewSnapshot(nil, nodes)}, devices: &devices{}, nodes: nodes, stop: stop}
	client := fake.NewSimpleClientset()
	var stored []runtime.Object
	for _, object := range objects {
		switch object := object.(type) {
		case *resourceapi.DeviceClass:
			s.devices.classes = append(s.devices.classes, object)
		case *resourceapi.ResourceSlice:
			s.devices.slices = append(s.devices.slices, object)
		case *resourceapi.ResourceClaim, *corev1.ResourceQuota, *corev1.Pod:
		default:
			stored = append(stored, object)
			must(client.Tracker().Add(object))
		}
	}
	client.PrependReactor("*", "pods", func(action clienttesting.Action) (bool, runtime.Object, error) {
		if deletion, is := action.(clienttesting.DeleteAction); is && action.GetVerb() == "delete" {
			s.victims = append(s.victims, deletion.GetName())
			return true, nil, nil
		}
		return action.GetVerb() == "patch", &corev1.Pod{}, nil
	})
	s.informers = informers.NewSharedInformerFactory(client, 0)
	defaults, err := latest.Default()
	must(err)
	options := append(versionOptions(s.informers),
		frameworkruntime.WithClientSet(client), frameworkruntime.WithInformerFactory(s.informers), frameworkruntime.WithSnapshotSharedLister(s.lister),
		frameworkruntime.WithSharedDRAManager(s.devices), frameworkruntime.WithPodNominator(nominator{}), frameworkruntime.WithEventRecorder(&events.FakeRecorder{}),
		frameworkruntime.WithWaitingPods(frameworkruntime.NewWaitingPodsMap()), frameworkruntime.WithParallelism(1))
	s.framework, err = frameworkruntime.NewFramework(ctx, plugins.NewInTreeRegistry(), &defaults.Profiles[0], options...)
	must(err)
	if len(stored) > 0 {
		s.startInformers(ctx)
	}
	return s
}

func (s *scheduler) startInformers(ctx context.Context) {
	s.informers.Start(ctx.Done())
	for {
		waiting, cancel := context.WithTimeout(ctx, time.Millisecond)
		synced := true
		for _, isSynced := range s.informers.WaitForCacheSync(waiting.Done()) {
			synced = synced && isSynced
		}
		cancel()
		if synced {
			break
		}
	}
	time.Sleep(2 * time.Millisecond) // until the handlers of the volume plugins have seen what is stored
}

// A choice is a node that a pod may go to, with what the scheduler does for that.
type choice struct {
	node       int
	allocation *resourceapi.AllocationResult
	victims    []string
}

// choices asks the filters about each node, and if none passes, what the scheduler would evict.
func (s *scheduler) choices(pod *corev1.Pod, there []*corev1.Pod, claims []*resourceapi.ResourceClaim) []choice {
	ctx := context.Background()
	s.lister.current = cache.NewSnapshot(there, s.nodes)
	s.devices.claims = claims
	infos, err := s.lister.NodeInfos().List()
	must(err)
	for _, plugin := range s.framework.PreEnqueuePlugins() {
		if status := plugin.PreEnqueue(ctx, pod); !status.IsSuccess() {
			return nil
		}
	}
	state := framework.NewCycleState()
	result, status, _ := s.framework.RunPreFilterPlugins(ctx, state, pod)
	if status.Code() == fwk.Error {
		panic(fmt.Sprint("pre-filter: ", status.Message()))
	}
	nodeToStatus := framework.NewDefaultNodeToStatus()
	var found []choice
	if !status.IsSuccess() {
		nodeToStatus.SetAbsentNodesStatus(status)
	} else {
		if !result.AllNodes() {
			nodeToStatus.SetAbsentNodesStatus(fwk.NewStatus(fwk.UnschedulableAndUnresolvable, "not among the nodes of a filter"))
		}
		for index, node := range s.nodes {
			if !result.AllNodes() && !result.NodeNames.Has(node.Name) {
				continue
			}
			info := infos[slices.IndexFunc(infos, func(info fwk.NodeInfo) bool { return info.Node().Name == node.Name })]
			status := s.framework.RunFilterPlugins(ctx, state, pod, info)
			if status.Code() == fwk.Error {
				panic(fmt.Sprint("filter: ", status.Message()))
			}
			if !status.IsSuccess() {
				nodeToStatus.Set(node.Name, status)
				continue
			}
			found = append(found, choice{node: index, allocation: s.allocationOn(ctx, pod, info)})
		}
	}
	if len(found) > 0 {
		return found
	}
	return s.preemptions(ctx, state, pod, nodeToStatus)
}

// allocationOn is what the scheduler allocates for the claim of a pod if it takes this node. It asks anew, because Reserve changes the state.
func (s *scheduler) allocationOn(ctx context.Context, pod *corev1.Pod, info fwk.NodeInfo) *resourceapi.AllocationResult {
	if len(pod.Status.ResourceClaimStatuses) == 0 {
		return nil
	}
	state := framework.NewCycleState()
	_, status, _ := s.framework.RunPreFilterPlugins(ctx, state, pod)
	for _, status := range []*fwk.Status{status, s.framework.RunFilterPlugins(ctx, state, pod, info)} {
		if !status.IsSuccess() {
			panic(fmt.Sprint("no longer feasible: ", status.Message()))
		}
	}
	s.devices.made = map[types.UID]*resourceapi.AllocationResult{}
	if status := s.framework.RunReservePluginsReserve(ctx, state, pod, info.Node().Name); !status.IsSuccess() {
		panic(fmt.Sprint("reserve: ", status.Message()))
	}
	for _, allocation := range s.devices.made {
		return allocation
	}
	return nil
}

func (s *scheduler) preemptions(ctx context.Context, state fwk.CycleState, pod *corev1.Pod, statuses *framework.NodeToStatus) []choice {
	if s.neverEvicts || pod.Spec.Priority == nil || *pod.Spec.Priority == 0 {
		return nil
	}
	must(s.informers.Core().V1().Pods().Informer().GetStore().Add(pod))
	var found []choice
	seen := map[string]bool{}
	for run := 0; run < preemptionRuns; run++ {
		s.victims = nil
		result, status := s.framework.RunPostFilterPlugins(ctx, state, pod, statuses)
		if !status.IsSuccess() || result == nil || result.NominatingInfo == nil || result.NominatedNodeName == "" {
			return nil
		}
		name := result.NominatedNodeName
		if seen[name] {
			continue
		}
		seen[name] = true
		slices.Sort(s.victims)
		node := slices.IndexFunc(s.nodes, func(node *corev1.Node) bool { return node.Name == name })
		found = append(found, choice{node: node, victims: s.victims})
	}
	slices.SortFunc(found, func(a, b choice) int { return a.node - b.node })
	return found
}
