package main

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	resourceapi "k8s.io/api/resource/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
)

// An ownPod is a pod of the rollout.
type ownPod struct {
	isNew bool
	// ordinal of a StatefulSet, node of a DaemonSet, or -1.
	ordinal int
	// node by index, or -1 if the pod waits for one.
	node  int
	ready bool
	// hasClaim says that the claim of its template exists.
	hasClaim   bool
	allocation *resourceapi.AllocationResult
}

// A state is the pods of the rollout, what the controller asks for, and the pods of others that were evicted.
type state struct {
	pods    []ownPod
	asked   [2]int // replicas of the old and the new ReplicaSet; -1 without it
	evicted []string
}

func (p ownPod) key() string {
	key := fmt.Sprintf("%t,%d,%d,%t,%t", p.isNew, p.ordinal, p.node, p.ready, p.hasClaim)
	if p.allocation != nil {
		for _, result := range p.allocation.Devices.Results {
			key += "," + result.Device
		}
	}
	return key
}

func (s state) sorted() state {
	slices.SortFunc(s.pods, func(a, b ownPod) int { return strings.Compare(a.key(), b.key()) })
	return s
}

func (s state) key() string {
	var key strings.Builder
	fmt.Fprint(&key, s.asked, s.evicted)
	for _, pod := range s.pods {
		key.WriteString("|" + pod.key())
	}
	return key.String()
}

func (s state) with(change func(*state)) state {
	s.pods, s.evicted = slices.Clone(s.pods), slices.Clone(s.evicted)
	change(&s)
	return s.sorted()
}

func (s state) count(matches func(ownPod) bool) int {
	count := 0
	for _, pod := range s.pods {
		if matches(pod) {
			count++
		}
	}
	return count
}

// A controller changes the pods of a state.
type controller interface {
	// start is the state before the change, with these pods.
	start(pods []ownPod) state
	// steps are the states that one step may lead to; none if it changes nothing.
	steps(c *cluster, s state) []state
	// finished says whether the rollout is done.
	finished(s state) bool
}

// A cluster is a rollout in its surroundings.
type cluster struct {
	scheduler *scheduler
	others    []*corev1.Pod
	claims    []*resourceapi.ResourceClaim
	quotas    quotas
	// template pods of both revisions, as the server stores them.
	templates  [2]*corev1.Pod
	claimSpecs [2]*resourceapi.ResourceClaimSpec
	controller controller
	known      map[string][]choice
	stepped    map[string][]state
	limit      int
	// adjust gives a pod what its controller gives it beyond the template.
	adjust func(*corev1.Pod, ownPod)
}

func index(isNew bool) int {
	if isNew {
		return 1
	}
	return 0
}

func (c *cluster) claimOf(revision int) string {
	for _, claim := range c.templates[revision].Spec.ResourceClaims {
		if claim.ResourceClaimTemplateName != nil {
			return claim.Name
		}
	}
	return ""
}

// pod is one pod of the rollout as an object.
func (c *cluster) pod(own ownPod, position int) *corev1.Pod {
	made := c.templates[index(own.isNew)].DeepCopy()
	name := fmt.Sprintf("web-%d-%d", index(own.isNew), position)
	if own.ordinal >= 0 {
		name = fmt.Sprintf("web-%d", own.ordinal)
	}
	made.Name, made.UID = name, types.UID(fmt.Sprintf("%s-%d", name, index(own.isNew)))
	if own.node >= 0 {
		made.Spec.NodeName = c.scheduler.nodes[own.node].Name
	}
	made.Status.Phase = corev1.PodPending
	if own.ready {
		made.Status.Phase = corev1.PodRunning
		made.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue}}
	}
	if claim := c.claimOf(index(own.isNew)); claim != "" && own.hasClaim {
		made.Status.ResourceClaimStatuses = []corev1.PodResourceClaimStatus{{Name: claim, ResourceClaimName: &made.Name}}
	}
	if c.adjust != nil {
		c.adjust(made, own)
	}
	return made
}

func (c *cluster) claim(own ownPod, pod *corev1.Pod) *resourceapi.ResourceClaim {
	claim := &resourceapi.ResourceClaim{
		ObjectMeta: metav1.ObjectMeta{
			Name: pod.Name, Namespace: namespace, UID: "claim-" + pod.UID,
			OwnerReferences: []metav1.OwnerReference{{APIVersion: "v1", Kind: "Pod", Name: pod.Name, UID: pod.UID, Controller: new(bool)}},
		},
		Spec: *c.claimSpecs[index(own.isNew)],
	}
	*claim.OwnerReferences[0].Controller = true
	if own.allocation != nil {
		claim.Status.Allocation = own.allocation
		claim.Status.ReservedFor = []resourceapi.ResourceClaimConsumerReference{{Resource: "pods", Name: pod.Name, UID: pod.UID}}
	}
	return claim
}

// objects are all pods and claims of a state; the first pods are those of the rollout, in its order.
func (c *cluster) objects(s state) ([]*corev1.Pod, []*resourceapi.ResourceClaim) {
	var pods []*corev1.Pod
	claims := slices.Clone(c.claims)
	for position, own := range s.pods {
		pod := c.pod(own, position)
		pods = append(pods, pod)
		if own.hasClaim {
			claims = append(claims, c.claim(own, pod))
		}
	}
	for _, other := range c.others {
		if !slices.Contains(s.evicted, other.Name) {
			pods = append(pods, other)
		}
	}
	return pods, claims
}

// admits asks the quotas about another pod.
func (c *cluster) admits(s state, isNew bool) bool {
	if len(c.quotas) == 0 {
		return true
	}
	pods, claims := c.objects(s)
	return c.quotas.admitsPod(c.templates[index(isNew)], pods, claims)
}

// withClaims makes the claims of pods that wait for them, as far as quotas let.
func (c *cluster) withClaims(s state) (state, bool) {
	for position, own := range s.pods {
		if own.hasClaim || c.claimOf(index(own.isNew)) == "" {
			continue
		}
		pods, claims := c.objects(s)
		if c.quotas.admitsClaim(c.claim(own, c.pod(own, position)), pods, claims) {
			return s.with(func(s *state) { s.pods[position].hasClaim = true }), true
		}
	}
	return s, false
}

// placementKey is what the filters see of a state.
func (s state) placementKey(pod ownPod) string {
	var keys []string
	for _, own := range s.pods {
		if own.node >= 0 {
			own.ready = true
			keys = append(keys, own.key())
		}
	}
	slices.Sort(keys)
	return pod.key() + fmt.Sprint(s.evicted) + strings.Join(keys, "|")
}

func (c *cluster) choicesOf(s state, position int) []choice {
	own := s.pods[position]
	key := s.placementKey(own)
	if known, has := c.known[key]; has {
		return known
	}
	pods, claims := c.objects(s)
	var there []*corev1.Pod
	for _, pod := range pods {
		if pod.Spec.NodeName != "" {
			there = append(there, pod)
		}
	}
	found := c.scheduler.choices(pods[position], there, claims)
	c.known[key] = found
	return found
}

// placed is the state after the scheduler has chosen.
func (c *cluster) placed(s state, position int, chosen choice) state {
	evictedOwn := map[int]bool{}
	evicted := slices.Clone(s.evicted)
	pods, _ := c.objects(s)
	for _, victim := range chosen.victims {
		own := slices.IndexFunc(pods[:len(s.pods)], func(pod *corev1.Pod) bool { return pod.Name == victim })
		if own >= 0 {
			evictedOwn[own] = true
		} else {
			evicted = append(evicted, victim)
		}
	}
	slices.Sort(evicted)
	return s.with(func(s *state) {
		s.evicted = evicted
		s.pods[position].node, s.pods[position].allocation = chosen.node, chosen.allocation
		var left []ownPod
		for index, pod := range s.pods {
			if !evictedOwn[index] {
				left = append(left, pod)
			}
		}
		s.pods = left
	})
}

// placements are the states after the scheduler has placed one pod that waits, of each kind.
func (c *cluster) placements(s state) []state {
	var found []state
	seen := map[string]bool{}
	for position, own := range s.pods {
		if own.node >= 0 || seen[own.key()] {
			continue
		}
		seen[own.key()] = true
		for _, chosen := range c.choicesOf(s, position) {
			found = append(found, c.placed(s, position, chosen))
		}
	}
	return found
}

// readinesses are the states after all pods with a node have become ready, or one of each kind.
func readinesses(s state) []state {
	starting := func(pod ownPod) bool { return pod.node >= 0 && !pod.ready }
	if s.count(starting) == 0 {
		return nil
	}
	found := []state{s.with(func(s *state) {
		for position := range s.pods {
			s.pods[position].ready = s.pods[position].ready || s.pods[position].node >= 0
		}
	})}
	if s.count(starting) == 1 {
		return found
	}
	seen := map[string]bool{}
	for position, own := range s.pods {
		if starting(own) && !seen[own.key()] {
			seen[own.key()] = true
			found = append(found, s.with(func(s *state) { s.pods[position].ready = true }))
		}
	}
	return found
}

// An ending is what the ends of a rollout have in common.
type ending struct {
	finishes, stops bool
	newAtLeast      int
	newAtMost       int
	oldAtLeast      int
	evicts          bool
	states          int
	tooMany         bool
}

func (e ending) outcome() string {
	switch {
	case e.finishes && e.stops:
		return "some"
	case e.finishes:
		return "every"
	default:
		return "none"
	}
}

// explore visits each state that a rollout can reach. In turns: the controller acts until it has nothing to do, then the scheduler places every
// pod that it can, then pods become ready. Raced: any of the three may act at any time.
func (c *cluster) explore(start state, raced bool) ending {
	visited := map[string]bool{}
	result := ending{newAtLeast: 1 << 20, newAtMost: -1, oldAtLeast: 1 << 20}
	pending := []state{start}
	for len(pending) > 0 {
		s := pending[len(pending)-1]
		pending = pending[:len(pending)-1]
		if key := s.key(); visited[key] {
			continue
		} else {
			visited[key] = true
		}
		if len(visited) > c.limit {
			result.tooMany = true
			return result
		}
		next := c.next(s, raced)
		if len(next) > 0 {
			pending = append(pending, next...)
			continue
		}
		running := s.count(func(pod ownPod) bool { return pod.isNew && pod.ready })
		old := s.count(func(pod ownPod) bool { return !pod.isNew && pod.ready })
		result.newAtLeast, result.newAtMost = min(result.newAtLeast, running), max(result.newAtMost, running)
		result.oldAtLeast = min(result.oldAtLeast, old)
		if c.controller.finished(s) {
			result.finishes = true
		} else {
			result.stops = true
		}
		result.evicts = result.evicts || len(s.evicted) > 0
	}
	result.states = len(visited)
	if result.newAtMost < 0 {
		result.tooMany = true // the scheduler and the controller go round in circles
	}
	return result
}

func (c *cluster) next(s state, raced bool) []state {
	var found []state
	key := s.key()
	stepped, known := c.stepped[key]
	if !known {
		stepped = c.controller.steps(c, s)
		c.stepped[key] = stepped
	}
	found = append(found, stepped...)
	if withClaims, changed := c.withClaims(s); changed {
		found = append(found, withClaims)
	}
	if len(found) > 0 && !raced {
		return found
	}
	found = append(found, c.placements(s)...)
	if len(found) > 0 && !raced {
		return found
	}
	return append(found, readinesses(s)...)
}

func objectsOf[T runtime.Object](objects []runtime.Object) []T {
	var found []T
	for _, object := range objects {
		if one, is := object.(T); is {
			found = append(found, one)
		}
	}
	return found
}
