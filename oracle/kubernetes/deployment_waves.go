package main

import (
	"context"
	"fmt"
	"math/rand"
	_ "unsafe" // for go:linkname

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/kubernetes/pkg/controller/deployment"
	deploymentutil "k8s.io/kubernetes/pkg/controller/deployment/util"
)

const aboutDeploymentWaves = "Waves of the real Deployment controller (its syncDeployment, driven by hand): one ReplicaSet with all pods available, then the template changes. " +
	"A wave: sync until nothing changes while no pod becomes ready (each sync is followed by the ReplicaSets' pods, deleted ones vanish at once, not-ready ones first); " +
	"`waves` rows are [newReplicas, oldReplicas, total, available]; then all pods become ready. `resolved` is [surge, unavailable] of deploymentutil, with the fencepost, before the clamp. " +
	"`syncs` counts the controller's syncs that changed something, a row each."

// syncDeployment is one turn of the controller's loop; the package has no public way in that runs once and returns.
//
//go:linkname syncDeployment k8s.io/kubernetes/pkg/controller/deployment.(*DeploymentController).syncDeployment
func syncDeployment(dc *deployment.DeploymentController, ctx context.Context, key string) error

// A rollout is a Deployment, its controller, and the pods that we play.
type rollout struct {
	client     *fake.Clientset
	controller *deployment.DeploymentController
	informers  informers.SharedInformerFactory
	pods       map[string]*replicaSetPods
	made       int
}

// replicaSetPods is all that the Deployment controller can see of a ReplicaSet's pods.
type replicaSetPods struct{ total, ready int32 }

func newRollout(spec appsv1.DeploymentSpec) *rollout {
	client := fake.NewSimpleClientset()
	factory := informers.NewSharedInformerFactory(client, 0)
	apps := factory.Apps().V1()
	controller, err := deployment.NewDeploymentController(context.Background(), apps.Deployments(), apps.ReplicaSets(), factory.Core().V1().Pods(), client)
	must(err)
	_, err = client.AppsV1().Deployments("default").Create(context.Background(), &appsv1.Deployment{
		ObjectMeta: metav1.ObjectMeta{Name: "web", Namespace: "default", UID: "web", Generation: 1}, Spec: spec,
	}, metav1.CreateOptions{})
	must(err)
	return &rollout{client: client, controller: controller, informers: factory, pods: map[string]*replicaSetPods{}}
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func (r *rollout) deployment() *appsv1.Deployment {
	d, err := r.client.AppsV1().Deployments("default").Get(context.Background(), "web", metav1.GetOptions{})
	must(err)
	return d
}

func (r *rollout) replicaSets() []appsv1.ReplicaSet {
	list, err := r.client.AppsV1().ReplicaSets("default").List(context.Background(), metav1.ListOptions{})
	must(err)
	return list.Items
}

// showCaches puts what is stored into the informers' caches, as a watch would.
func (r *rollout) showCaches() {
	apps := r.informers.Apps().V1()
	must(apps.Deployments().Informer().GetStore().Replace([]any{r.deployment()}, ""))
	var sets, pods []any
	for _, set := range r.replicaSets() {
		sets = append(sets, &set)
		for i := range r.pods[set.Name].total {
			pods = append(pods, &corev1.Pod{
				ObjectMeta: metav1.ObjectMeta{
					Name: fmt.Sprintf("%s-%d", set.Name, i), Namespace: "default", Labels: set.Spec.Template.Labels,
					OwnerReferences: []metav1.OwnerReference{*metav1.NewControllerRef(&set, appsv1.SchemeGroupVersion.WithKind("ReplicaSet"))},
				},
				Status: corev1.PodStatus{Phase: corev1.PodRunning},
			})
		}
	}
	must(apps.ReplicaSets().Informer().GetStore().Replace(sets, ""))
	must(r.informers.Core().V1().Pods().Informer().GetStore().Replace(pods, ""))
}

// followReplicaSets plays the ReplicaSet controller: pods as many as asked for, new ones not ready, not-ready ones deleted first.
func (r *rollout) followReplicaSets() {
	for _, set := range r.replicaSets() {
		if set.UID == "" { // the server gives each object its UID and age
			r.made++
			set.UID = types.UID(fmt.Sprint("set-", r.made))
			set.CreationTimestamp = metav1.Unix(int64(1000*r.made), 0)
			r.pods[set.Name] = &replicaSetPods{}
		}
		pods := r.pods[set.Name]
		pods.total = *set.Spec.Replicas
		pods.ready = min(pods.ready, pods.total)
		set.Status = appsv1.ReplicaSetStatus{Replicas: pods.total, FullyLabeledReplicas: pods.total, ReadyReplicas: pods.ready, AvailableReplicas: pods.ready, ObservedGeneration: set.Generation}
		_, err := r.client.AppsV1().ReplicaSets("default").Update(context.Background(), &set, metav1.UpdateOptions{})
		must(err)
	}
}

func (r *rollout) allBecomeReady() {
	for _, pods := range r.pods {
		pods.ready = pods.total
	}
	r.followReplicaSets()
}

// row is what stands: pods of the new template, of the old, of both, and those available.
func (r *rollout) row() [4]int32 {
	var row [4]int32
	template := r.deployment().Spec.Template.Spec.Containers[0].Image
	for _, set := range r.replicaSets() {
		pods := r.pods[set.Name]
		if set.Spec.Template.Spec.Containers[0].Image == template {
			row[0] += pods.total
		} else {
			row[1] += pods.total
		}
		row[2] += pods.total
		row[3] += pods.ready
	}
	return row
}

// quietSyncs in a row without a change make a fix point: a sync may spend itself on annotations, conditions or status.
const quietSyncs = 4

// settle syncs to a fix point and returns a row for each sync that changed the pods.
func (r *rollout) settle() [][4]int32 {
	var rows [][4]int32
	for quiet := 0; quiet < quietSyncs; {
		before := r.row()
		r.showCaches()
		must(syncDeployment(r.controller, context.Background(), "default/web"))
		r.followReplicaSets()
		if after := r.row(); after == before {
			quiet++
		} else {
			quiet = 0
			rows = append(rows, after)
		}
	}
	return rows
}

// changeTemplate asks for another image.
func (r *rollout) changeTemplate() {
	d := r.deployment()
	d.Generation++
	d.Spec.Template.Spec.Containers[0].Image = "web:2"
	_, err := r.client.AppsV1().Deployments("default").Update(context.Background(), d, metav1.UpdateOptions{})
	must(err)
}

type waveCase struct {
	Replicas       int32               `json:"replicas"`
	Type           string              `json:"type"`
	MaxSurge       *intstr.IntOrString `json:"maxSurge,omitempty"`
	MaxUnavailable *intstr.IntOrString `json:"maxUnavailable,omitempty"`
	Resolved       *[2]int32           `json:"resolved,omitempty"`
	Waves          [][4]int32          `json:"waves"`
	Syncs          [][4]int32          `json:"syncs,omitempty"`
}

func webDeployment(replicas int32, strategy appsv1.DeploymentStrategy) appsv1.DeploymentSpec {
	return appsv1.DeploymentSpec{
		Replicas: &replicas,
		Selector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": "web"}},
		Strategy: strategy,
		Template: corev1.PodTemplateSpec{
			ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{"app": "web"}},
			Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "web", Image: "web:1"}}},
		},
		RevisionHistoryLimit: ptr(int32(10)), ProgressDeadlineSeconds: ptr(int32(600)),
	}
}

func recordWaves(c waveCase, withSyncs bool) waveCase {
	r := newRollout(webDeployment(c.Replicas, c.strategy()))
	r.settle()
	r.allBecomeReady()
	r.settle()
	if start := r.row(); start != [4]int32{c.Replicas, 0, c.Replicas, c.Replicas} {
		panic(fmt.Sprint("not at rest before the change: ", start))
	}
	r.changeTemplate()

	c.Waves = [][4]int32{}
	for {
		before := r.row()
		syncs := r.settle()
		if withSyncs {
			c.Syncs = append(c.Syncs, syncs...)
		}
		if r.row() == before {
			break
		}
		c.Waves = append(c.Waves, r.row())
		r.allBecomeReady()
	}
	if end := r.row(); end != [4]int32{c.Replicas, 0, c.Replicas, c.Replicas} {
		panic(fmt.Sprint("not at rest after the change: ", end))
	}
	if c.MaxSurge != nil {
		surge, unavailable, err := deploymentutil.ResolveFenceposts(c.MaxSurge, c.MaxUnavailable, c.Replicas)
		must(err)
		c.Resolved = &[2]int32{surge, unavailable}
	}
	return c
}

func (c waveCase) strategy() appsv1.DeploymentStrategy {
	if c.MaxSurge == nil {
		return appsv1.DeploymentStrategy{Type: appsv1.RecreateDeploymentStrategyType}
	}
	return appsv1.DeploymentStrategy{
		Type:          appsv1.RollingUpdateDeploymentStrategyType,
		RollingUpdate: &appsv1.RollingUpdateDeployment{MaxSurge: c.MaxSurge, MaxUnavailable: c.MaxUnavailable},
	}
}

func ptr[T any](value T) *T { return &value }

func rolling(replicas int32, surge, unavailable intstr.IntOrString) waveCase {
	return waveCase{Replicas: replicas, Type: "RollingUpdate", MaxSurge: &surge, MaxUnavailable: &unavailable}
}

// deploymentWaveCases are every small setting, the guides' ones, percentages, and random larger ones.
func deploymentWaveCases() []any {
	var cases []any
	add := func(c waveCase, withSyncs bool) { cases = append(cases, recordWaves(c, withSyncs)) }
	for replicas := range int32(6) {
		for surge := range replicas + 2 {
			for unavailable := range replicas + 2 {
				if surge+unavailable > 0 {
					add(rolling(replicas, intstr.FromInt32(surge), intstr.FromInt32(unavailable)), replicas >= 4)
				}
			}
		}
	}
	for _, replicas := range []int32{1, 2, 3, 4, 5, 8, 10, 15, 100} {
		for _, pair := range [][2]string{{"25%", "25%"}, {"0%", "25%"}, {"25%", "0%"}, {"1%", "1%"}, {"0%", "1%"}, {"100%", "0%"}, {"0%", "100%"}, {"100%", "100%"}, {"150%", "33%"}, {"250%", "0%"}} {
			add(rolling(replicas, intstr.FromString(pair[0]), intstr.FromString(pair[1])), false)
		}
	}
	for _, replicas := range []int32{0, 1, 2, 3, 10, 100} {
		add(waveCase{Replicas: replicas, Type: "Recreate"}, true)
	}
	random := rand.New(rand.NewSource(4))
	some := func(replicas int32) intstr.IntOrString {
		if random.Intn(2) == 0 {
			return intstr.FromInt32(random.Int31n(replicas + 4))
		}
		return intstr.FromString(fmt.Sprint(random.Intn(101), "%"))
	}
	for len(cases) < 420 {
		replicas := 1 + random.Int31n(60)
		surge, unavailable := some(replicas), some(replicas)
		if bothZero := isZero(surge) && isZero(unavailable); !bothZero {
			add(rolling(replicas, surge, unavailable), false)
		}
	}
	return cases
}

// isZero: the API server refuses a Deployment whose two values are both a literal 0.
func isZero(value intstr.IntOrString) bool {
	return value.IntVal == 0 && (value.Type == intstr.Int || value.StrVal == "0%")
}
