//go:build !lws0.8 && !lws0.7

package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/client-go/testing"
	"k8s.io/client-go/tools/events"
	"k8s.io/utils/ptr"
	recording "rolloutkit-oracle-recording"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"
	disaggv1 "sigs.k8s.io/lws/api/disaggregatedset/v1"
	lwsv1 "sigs.k8s.io/lws/api/leaderworkerset/v1"
	"sigs.k8s.io/lws/pkg/controllers/disaggregatedset"
	utils "sigs.k8s.io/lws/pkg/utils/disaggregatedset"
	"sigs.k8s.io/lws/pkg/webhooks"
)

const aboutRoleRollouts = "rollouts of DisaggregatedSets by their reconciler, LeaderWorkerSets under their webhook, all groups ready after each turn: " +
	"the roles before [name, groups], the roles wanted [name, groups, maxSurge, maxUnavailable], null where a role says nothing, " +
	"the turns that change something, [old, new] groups of each role wanted and then of each role that is gone, and who is refused in the end, null where nobody is"

// role is what the user writes of one.
type role struct {
	name     string
	replicas int32
	// Both or none.
	maxSurge, maxUnavailable *intstr.IntOrString
}

func (r role) seen() []any {
	if r.maxSurge == nil {
		return []any{r.name, r.replicas, nil, nil}
	}
	return []any{r.name, r.replicas, seenValue(*r.maxSurge), seenValue(*r.maxUnavailable)}
}

func (r role) spec(image string) disaggv1.DisaggregatedRoleSpec {
	made := disaggv1.DisaggregatedRoleSpec{Name: r.name}
	made.Spec.Replicas = ptr.To(r.replicas)
	made.Spec.LeaderWorkerTemplate = lwsv1.LeaderWorkerTemplate{
		Size:           ptr.To[int32](1),
		WorkerTemplate: corev1.PodTemplateSpec{Spec: corev1.PodSpec{Containers: []corev1.Container{{Name: "vllm", Image: image}}}},
	}
	if r.maxSurge != nil {
		made.Spec.RolloutStrategy = lwsv1.RolloutStrategy{
			Type:                       lwsv1.RollingUpdateStrategyType,
			RollingUpdateConfiguration: &lwsv1.RollingUpdateConfiguration{Partition: ptr.To[int32](0), MaxSurge: *r.maxSurge, MaxUnavailable: *r.maxUnavailable},
		}
	}
	return made
}

func disaggregated(image string, roles []role) *disaggv1.DisaggregatedSet {
	set := &disaggv1.DisaggregatedSet{ObjectMeta: metav1.ObjectMeta{Name: "chat", Namespace: "default", UID: "chat"}}
	for _, r := range roles {
		set.Spec.Roles = append(set.Spec.Roles, r.spec(image))
	}
	return set
}

// underWebhook is a client whose LeaderWorkerSets are defaulted and judged as by the API server.
func underWebhook(scheme *runtime.Scheme, objects ...client.Object) client.Client {
	hook := &webhooks.LeaderWorkerSetWebhook{}
	made := int64(0)
	judged := func(ctx context.Context, c client.Client, object client.Object) error {
		lws, is := object.(*lwsv1.LeaderWorkerSet)
		if !is {
			return nil
		}
		must(hook.Default(ctx, lws))
		old := &lwsv1.LeaderWorkerSet{}
		if err := c.Get(ctx, client.ObjectKeyFromObject(lws), old); err != nil {
			_, err := hook.ValidateCreate(ctx, lws)
			return err
		}
		_, err := hook.ValidateUpdate(ctx, old, lws)
		return err
	}
	// A tracker of one's own keeps no managed fields, which would take most of the time of a rollout.
	tracker := testing.NewObjectTracker(scheme, serializer.NewCodecFactory(scheme).UniversalDecoder())
	return fake.NewClientBuilder().WithScheme(scheme).WithObjectTracker(tracker).WithObjects(objects...).WithStatusSubresource(&lwsv1.LeaderWorkerSet{}).WithInterceptorFuncs(interceptor.Funcs{
		Create: func(ctx context.Context, c client.WithWatch, object client.Object, options ...client.CreateOption) error {
			if err := judged(ctx, c, object); err != nil {
				return err
			}
			// The controller goes by which revision is the newest.
			made++
			object.SetCreationTimestamp(metav1.Unix(made, 0))
			return c.Create(ctx, object, options...)
		},
		Patch: func(ctx context.Context, c client.WithWatch, object client.Object, patch client.Patch, options ...client.PatchOption) error {
			if err := judged(ctx, c, object.DeepCopyObject().(client.Object)); err != nil {
				return err
			}
			return c.Patch(ctx, object, patch, options...)
		},
	}).Build()
}

// roleWorld is a cluster with one DisaggregatedSet; we play the controller of LeaderWorkerSets.
type roleWorld struct {
	client     client.Client
	reconciler *disaggregatedset.DisaggregatedSetReconciler
}

func init() { ctrl.SetLogger(logr.Discard()) }

func newRoleWorld(set *disaggv1.DisaggregatedSet) *roleWorld {
	scheme := runtime.NewScheme()
	must(corev1.AddToScheme(scheme))
	must(lwsv1.AddToScheme(scheme))
	must(disaggv1.AddToScheme(scheme))
	c := underWebhook(scheme, set)
	return &roleWorld{client: c, reconciler: &disaggregatedset.DisaggregatedSetReconciler{
		Client: c, Scheme: scheme, Record: &events.FakeRecorder{},
		LWSManager:     disaggregatedset.NewLeaderWorkerSetManager(c),
		ServiceManager: disaggregatedset.NewServiceManager(c, scheme),
	}}
}

func (w *roleWorld) sets() []lwsv1.LeaderWorkerSet {
	list := &lwsv1.LeaderWorkerSetList{}
	must(w.client.List(context.Background(), list))
	return list.Items
}

func (w *roleWorld) becomeReady() {
	for _, set := range w.sets() {
		if set.Status.Replicas == *set.Spec.Replicas && set.Status.ReadyReplicas == *set.Spec.Replicas {
			continue
		}
		set.Status.Replicas, set.Status.ReadyReplicas = *set.Spec.Replicas, *set.Spec.Replicas
		must(w.client.Status().Update(context.Background(), &set))
	}
}

// turn reconciles once, has all groups ready, and says whether the groups are others than before.
func (w *roleWorld) turn() (bool, error) {
	groups := func() map[string]int32 {
		all := map[string]int32{}
		for _, set := range w.sets() {
			if *set.Spec.Replicas > 0 {
				all[set.Name] = *set.Spec.Replicas
			}
		}
		return all
	}
	before := groups()
	_, err := w.reconciler.Reconcile(context.Background(), ctrl.Request{NamespacedName: types.NamespacedName{Namespace: "default", Name: "chat"}})
	changed := !equality.Semantic.DeepEqual(before, groups())
	w.becomeReady()
	return changed, err
}

func (w *roleWorld) row(names []string, revision string) [][2]int32 {
	row := make([][2]int32, len(names))
	for _, set := range w.sets() {
		for i, name := range names {
			if set.Labels[disaggv1.RoleLabelKey] != name {
				continue
			}
			column := 0
			if set.Labels[disaggv1.RevisionLabelKey] == revision {
				column = 1
			}
			row[i][column] += *set.Spec.Replicas
		}
	}
	return row
}

// refusedOf is the role whose LeaderWorkerSet is refused.
func refusedOf(err error, names []string) any {
	for ; errors.Unwrap(err) != nil; err = errors.Unwrap(err) {
		for _, name := range names {
			if strings.Contains(err.Error(), fmt.Sprintf("-%s:", name)) {
				return name
			}
		}
	}
	return err.Error()
}

func roleRollout(before, wanted []role) []any {
	w := newRoleWorld(disaggregated("vllm:1", before))
	names, seenBefore, seenWanted := []string{}, []any{}, []any{}
	for _, r := range wanted {
		names, seenWanted = append(names, r.name), append(seenWanted, r.seen())
	}
	gone := []string{}
	for _, r := range before {
		seenBefore = append(seenBefore, []any{r.name, r.replicas})
		if !contains(names, r.name) {
			gone = append(gone, r.name)
		}
	}
	all := append(names, gone...)
	rows := [][][2]int32{}
	done := func(err error) []any {
		var refused any
		if err != nil {
			refused = refusedOf(err, all)
		}
		return []any{seenBefore, seenWanted, rows, refused}
	}
	for {
		changed, err := w.turn()
		must(err)
		if !changed {
			break
		}
	}
	live := &disaggv1.DisaggregatedSet{}
	must(w.client.Get(context.Background(), types.NamespacedName{Namespace: "default", Name: "chat"}, live))
	live.Spec = disaggregated("vllm:2", wanted).Spec
	must(w.client.Update(context.Background(), live))
	revision := utils.ComputeRevision(live.Spec.Roles)
	// A turn that makes empty sets, deletes them or fails is tried again.
	var refused error
	for still := 0; still < 4; {
		changed, err := w.turn()
		if changed {
			rows, still = append(rows, w.row(all, revision)), 0
		} else {
			still++
		}
		refused = err
	}
	return done(refused)
}

func contains(names []string, name string) bool {
	for _, one := range names {
		if one == name {
			return true
		}
	}
	return false
}

func roleLimit(r *rand.Rand, most int32) *intstr.IntOrString {
	if r.IntN(4) == 0 {
		return ptr.To(intstr.FromString(pick(r, "10%", "25%", "34%", "50%", "100%")))
	}
	return ptr.To(intstr.FromInt32(r.Int32N(most)))
}

func roleRolloutCases() []any {
	r := rand.New(rand.NewPCG(uint64(recording.NumberOf("SEED", 23)), 29))
	cases := []any{}
	for n := range recording.NumberOf("CASES", 400) {
		names := []string{"prefill", "decode", "encode", "route"}[:2+max(0, r.IntN(6)-3)]
		before, wanted := []role{}, []role{}
		for _, name := range names {
			one := role{name: name, replicas: 1 + r.Int32N(9)}
			before = append(before, role{name: name, replicas: one.replicas})
			if n%3 == 0 {
				one.replicas = 1 + r.Int32N(9)
			}
			if r.IntN(4) > 0 {
				one.maxSurge, one.maxUnavailable = roleLimit(r, 4), roleLimit(r, 3)
			}
			wanted = append(wanted, one)
		}
		if len(names) > 2 && n%4 == 1 {
			wanted = wanted[:2]
		} else if len(names) > 2 && n%4 == 2 {
			before = before[:2]
		}
		cases = append(cases, roleRollout(before, wanted))
	}
	return cases
}
