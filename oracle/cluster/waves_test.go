package cluster

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/kubernetes/pkg/controller/deployment"
	"k8s.io/kubernetes/pkg/controller/replicaset"
)

// A rollout as recorded in kubernetes-deployment-waves.json.
type rollout struct {
	Replicas       int32               `json:"replicas"`
	Type           string              `json:"type"`
	MaxSurge       *intstr.IntOrString `json:"maxSurge"`
	MaxUnavailable *intstr.IntOrString `json:"maxUnavailable"`
	Waves          []counts            `json:"waves"`
}

// counts are pods of the new template, of the old, of both, and those ready.
type counts [4]int

// quiet is how long nothing may change before a wave is taken to be over; QUIET=3s makes it longer on a busy machine.
var quiet = quietTime()

func quietTime() time.Duration {
	if written, err := time.ParseDuration(os.Getenv("QUIET")); err == nil {
		return written
	}
	return 1200 * time.Millisecond
}

// everyNth keeps the run to some minutes: a wave takes at least the quiet time.
const everyNth = 17

// TestWaves rolls out recorded Deployments with the Deployment and ReplicaSet controllers against the server. We play the kubelet, which
// makes pods ready; a pod that is on no node goes at once when it is deleted.
func TestWaves(t *testing.T) {
	path := os.Getenv("WAVES")
	if path == "" {
		t.Skip("WAVES names no recording")
	}
	text, err := os.ReadFile(path)
	must(t, err)
	var recording struct{ Cases []rollout }
	must(t, json.Unmarshal(text, &recording))

	client := kubernetes.NewForConfigOrDie(StartServer(t))
	startControllers(t, client)
	rolled := 0
	for index, recorded := range recording.Cases {
		if index%everyNth != 0 || len(recorded.Waves) > 8 || recorded.Replicas > 30 {
			continue
		}
		rolled++
		live := deploy(t, client, fmt.Sprint("web", index), recorded).roll(recorded.Replicas)
		if !reflect.DeepEqual(live, recorded.Waves) {
			t.Errorf("%+v: live %v", recorded, live)
		}
	}
	t.Log("rolled out:", rolled)
}

func startControllers(t *testing.T, client kubernetes.Interface) {
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(cancel)
	factory := informers.NewSharedInformerFactory(client, 0)
	apps, core := factory.Apps().V1(), factory.Core().V1()
	deployments, err := deployment.NewDeploymentController(ctx, apps.Deployments(), apps.ReplicaSets(), core.Pods(), client)
	must(t, err)
	replicaSets := replicaset.NewReplicaSetController(ctx, apps.ReplicaSets(), core.Pods(), client, replicaset.BurstReplicas)
	factory.Start(ctx.Done())
	go deployments.Run(ctx, 2)
	go replicaSets.Run(ctx, 2)
}

// A deployed workload and its pods.
type deployed struct {
	t      *testing.T
	client kubernetes.Interface
	name   string
}

func deploy(t *testing.T, client kubernetes.Interface, name string, r rollout) deployed {
	labels := map[string]string{"app": name}
	strategy := appsv1.DeploymentStrategy{Type: appsv1.DeploymentStrategyType(r.Type)}
	if r.MaxSurge != nil {
		strategy.RollingUpdate = &appsv1.RollingUpdateDeployment{MaxSurge: r.MaxSurge, MaxUnavailable: r.MaxUnavailable}
	}
	_, err := client.AppsV1().Deployments("default").Create(context.Background(), &appsv1.Deployment{
		ObjectMeta: metav1.ObjectMeta{Name: name},
		Spec: appsv1.DeploymentSpec{
			Replicas: &r.Replicas, Strategy: strategy, Selector: &metav1.LabelSelector{MatchLabels: labels},
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: labels},
				Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "web", Image: "web:1"}}},
			},
		},
	}, metav1.CreateOptions{})
	must(t, err)
	return deployed{t, client, name}
}

// roll changes the template of the workload at rest and returns its waves.
func (d deployed) roll(replicas int32) []counts {
	d.settle()
	d.allBecomeReady()
	d.settle()
	d.changeTemplate()
	waves := []counts{}
	before := counts{0, int(replicas), int(replicas), int(replicas)}
	for now := d.settle(); now != before; now = d.settle() {
		waves = append(waves, now)
		d.allBecomeReady()
		before = counts{now[0], now[1], now[2], now[2]}
	}
	return waves
}

func (d deployed) changeTemplate() {
	patch := []byte(`{"spec":{"template":{"spec":{"containers":[{"name":"web","image":"web:2"}]}}}}`)
	_, err := d.client.AppsV1().Deployments("default").Patch(context.Background(), d.name, types.StrategicMergePatchType, patch, metav1.PatchOptions{})
	must(d.t, err)
}

func (d deployed) pods() []corev1.Pod {
	list, err := d.client.CoreV1().Pods("default").List(context.Background(), metav1.ListOptions{LabelSelector: "app=" + d.name})
	must(d.t, err)
	return list.Items
}

func isReady(pod *corev1.Pod) bool { return pod.Status.Phase == corev1.PodRunning }

func (d deployed) counts() counts {
	var c counts
	for _, pod := range d.pods() {
		if pod.Spec.Containers[0].Image == "web:2" {
			c[0]++
		} else {
			c[1]++
		}
		c[2]++
		if isReady(&pod) {
			c[3]++
		}
	}
	return c
}

// isObserved says whether both controllers have seen the last change of what they control.
func (d deployed) isObserved() bool {
	apps := d.client.AppsV1()
	workload, err := apps.Deployments("default").Get(context.Background(), d.name, metav1.GetOptions{})
	must(d.t, err)
	sets, err := apps.ReplicaSets("default").List(context.Background(), metav1.ListOptions{LabelSelector: "app=" + d.name})
	must(d.t, err)
	for _, set := range sets.Items {
		if set.Status.ObservedGeneration < set.Generation {
			return false
		}
	}
	return workload.Status.ObservedGeneration >= workload.Generation
}

// settle waits until the controllers have seen everything, and the counts have kept still.
func (d deployed) settle() counts {
	last, since := d.counts(), time.Now()
	for time.Since(since) < quiet {
		time.Sleep(quiet / 20)
		if now := d.counts(); now != last || !d.isObserved() {
			last, since = now, time.Now()
		}
	}
	return last
}

func (d deployed) allBecomeReady() {
	for _, pod := range d.pods() {
		if isReady(&pod) {
			continue
		}
		pod.Status.Phase = corev1.PodRunning
		pod.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue, LastTransitionTime: metav1.Now()}}
		_, err := d.client.CoreV1().Pods("default").UpdateStatus(context.Background(), &pod, metav1.UpdateOptions{})
		if !apierrors.IsNotFound(err) {
			must(d.t, err)
		}
	}
}
