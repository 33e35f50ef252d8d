package cluster

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
)

// A kubelet is the one of all nodes. What it does with a pod depends on its annotations and its first image:
//   - play/ready: seconds until the pod is ready (1 if there is none)
//   - play/stop: seconds until a deleted pod is gone (0 if there is none)
//   - an image that contains "broken" is never pulled, one that contains "crash" ends at once, and one that contains "unready" runs and is
//     never ready
//
// A Node with the annotation play/cpu gets as many CPUs, and is ready.
type kubelet struct {
	client kubernetes.Interface
	pods   map[types.UID]*playedPod
}

// A playedPod remembers when something happened to a pod.
type playedPod struct {
	boundAt, deletedAt, nextAt time.Time
	attempts                   int32
}

func playKubelet(t *testing.T, client kubernetes.Interface) {
	ctx := context.Background()
	k := kubelet{client, map[types.UID]*playedPod{}}
	for {
		time.Sleep(100 * time.Millisecond)
		nodes, err := client.CoreV1().Nodes().List(ctx, metav1.ListOptions{ResourceVersion: "0"})
		if err != nil {
			return
		}
		for index := range nodes.Items {
			k.register(ctx, &nodes.Items[index])
		}
		pods, err := client.CoreV1().Pods("").List(ctx, metav1.ListOptions{ResourceVersion: "0"})
		if err != nil {
			return
		}
		for index := range pods.Items {
			k.sync(ctx, &pods.Items[index])
		}
	}
}

// register makes a new node ready.
func (k kubelet) register(ctx context.Context, node *corev1.Node) {
	cpu, written := node.Annotations["play/cpu"]
	if !written || len(node.Status.Allocatable) > 0 {
		return
	}
	node.Status.Allocatable = corev1.ResourceList{"cpu": resource.MustParse(cpu), "memory": resource.MustParse("64Gi"), "pods": resource.MustParse("110")}
	node.Status.Capacity = node.Status.Allocatable
	node.Status.Conditions = []corev1.NodeCondition{{Type: corev1.NodeReady, Status: corev1.ConditionTrue, LastTransitionTime: metav1.Now()}}
	_, _ = k.client.CoreV1().Nodes().UpdateStatus(ctx, node, metav1.UpdateOptions{})
}

func (k kubelet) sync(ctx context.Context, pod *corev1.Pod) {
	played, seen := k.pods[pod.UID]
	if !seen {
		played = &playedPod{}
		k.pods[pod.UID] = played
	}
	switch {
	case pod.DeletionTimestamp != nil:
		if played.deletedAt.IsZero() {
			played.deletedAt = time.Now()
		}
		if time.Since(played.deletedAt) >= secondsOf(pod, "play/stop", 0) {
			zero := int64(0)
			_ = k.client.CoreV1().Pods(pod.Namespace).Delete(ctx, pod.Name, metav1.DeleteOptions{GracePeriodSeconds: &zero})
		}
	case pod.Spec.NodeName != "":
		if played.boundAt.IsZero() {
			played.boundAt = time.Now()
		}
		k.run(ctx, pod, played)
	}
}

func (k kubelet) run(ctx context.Context, pod *corev1.Pod, played *playedPod) {
	image := pod.Spec.Containers[0].Image
	if time.Now().Before(played.nextAt) {
		return
	}
	switch {
	case strings.Contains(image, "broken"):
		k.failToPull(ctx, pod, played, image)
	case strings.Contains(image, "crash"):
		k.crash(ctx, pod, played)
	case time.Since(played.boundAt) < secondsOf(pod, "play/ready", 1):
	case strings.Contains(image, "unready"):
		k.failProbe(ctx, pod, played)
	case pod.Status.Phase != corev1.PodRunning:
		now := metav1.Now()
		state := corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: now}}
		k.update(ctx, pod, corev1.PodRunning, true, corev1.ContainerStatus{State: state, Ready: true})
	}
}

// failToPull pulls twice, as the kubelet does, and then backs off.
func (k kubelet) failToPull(ctx context.Context, pod *corev1.Pod, played *playedPod, image string) {
	if played.attempts >= 3 {
		return
	}
	played.attempts++
	played.nextAt = time.Now().Add(500 * time.Millisecond)
	failure := fmt.Sprintf("failed to pull and unpack image %q: failed to resolve reference %q: %s: not found", image, image, image)
	waiting := &corev1.ContainerStateWaiting{Reason: "ErrImagePull", Message: failure}
	if played.attempts > 1 {
		waiting = &corev1.ContainerStateWaiting{Reason: "ImagePullBackOff", Message: fmt.Sprintf("Back-off pulling image %q", image)}
	}
	k.emit(ctx, pod, corev1.EventTypeWarning, "Failed", fmt.Sprintf("Failed to pull image %q: %s", image, failure))
	k.update(ctx, pod, corev1.PodPending, false, corev1.ContainerStatus{State: corev1.ContainerState{Waiting: waiting}})
}

func (k kubelet) crash(ctx context.Context, pod *corev1.Pod, played *playedPod) {
	if played.attempts >= 6 {
		return
	}
	played.attempts++
	played.nextAt = time.Now().Add(500 * time.Millisecond)
	message := fmt.Sprintf("back-off 10s restarting failed container=%s pod=%s_%s(%s)", pod.Spec.Containers[0].Name, pod.Name, pod.Namespace, pod.UID)
	waiting := &corev1.ContainerStateWaiting{Reason: "CrashLoopBackOff", Message: message}
	k.emit(ctx, pod, corev1.EventTypeWarning, "BackOff", message)
	k.update(ctx, pod, corev1.PodRunning, false, corev1.ContainerStatus{State: corev1.ContainerState{Waiting: waiting}, RestartCount: played.attempts})
}

func (k kubelet) failProbe(ctx context.Context, pod *corev1.Pod, played *playedPod) {
	if played.attempts >= 10 {
		return
	}
	played.attempts++
	played.nextAt = time.Now().Add(2 * time.Second)
	k.emit(ctx, pod, corev1.EventTypeWarning, "Unhealthy", "Readiness probe failed: HTTP probe failed with statuscode: 503")
	running := corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: metav1.Now()}}
	if pod.Status.Phase != corev1.PodRunning {
		k.update(ctx, pod, corev1.PodRunning, false, corev1.ContainerStatus{State: running})
	}
}

// update writes the status of a pod and of its only container.
func (k kubelet) update(ctx context.Context, pod *corev1.Pod, phase corev1.PodPhase, isReady bool, container corev1.ContainerStatus) {
	ready := corev1.ConditionFalse
	if isReady {
		ready = corev1.ConditionTrue
	}
	scheduledAt := pod.CreationTimestamp
	for _, condition := range pod.Status.Conditions {
		if condition.Type == corev1.PodScheduled {
			scheduledAt = condition.LastTransitionTime
		}
	}
	container.Name, container.Image = pod.Spec.Containers[0].Name, pod.Spec.Containers[0].Image
	now := metav1.Now()
	pod.Status.Phase = phase
	pod.Status.StartTime = &scheduledAt
	pod.Status.PodIP = podIPOf(pod)
	pod.Status.PodIPs = []corev1.PodIP{{IP: pod.Status.PodIP}}
	pod.Status.ContainerStatuses = []corev1.ContainerStatus{container}
	pod.Status.Conditions = []corev1.PodCondition{
		{Type: corev1.PodScheduled, Status: corev1.ConditionTrue, LastTransitionTime: scheduledAt},
		{Type: corev1.ContainersReady, Status: ready, LastTransitionTime: now},
		{Type: corev1.PodReady, Status: ready, LastTransitionTime: now},
	}
	_, _ = k.client.CoreV1().Pods(pod.Namespace).UpdateStatus(ctx, pod, metav1.UpdateOptions{})
}

// podIPOf gives a pod an address that depends on its uid only. EndpointSlices contain no pod without one.
func podIPOf(pod *corev1.Pod) string {
	number, _ := strconv.ParseUint(string(pod.UID)[:6], 16, 32)
	return fmt.Sprintf("10.%d.%d.%d", number>>16, number>>8&255, number&255)
}

func (k kubelet) emit(ctx context.Context, pod *corev1.Pod, kind, reason, message string) {
	now := metav1.Now()
	event := &corev1.Event{
		ObjectMeta: metav1.ObjectMeta{GenerateName: pod.Name + ".", Namespace: pod.Namespace},
		InvolvedObject: corev1.ObjectReference{
			APIVersion: "v1", Kind: "Pod", Namespace: pod.Namespace, Name: pod.Name, UID: pod.UID, FieldPath: fmt.Sprintf("spec.containers{%s}", pod.Spec.Containers[0].Name),
		},
		Source: corev1.EventSource{Component: "kubelet", Host: pod.Spec.NodeName},
		Type:   kind, Reason: reason, Message: message, FirstTimestamp: now, LastTimestamp: now, Count: 1,
	}
	_, _ = k.client.CoreV1().Events(pod.Namespace).Create(ctx, event, metav1.CreateOptions{})
}

func cpuOf(pod *corev1.Pod) int64 {
	var milli int64
	for _, container := range pod.Spec.Containers {
		milli += container.Resources.Requests.Cpu().MilliValue()
	}
	return milli
}

func secondsOf(pod *corev1.Pod, name string, fallback float64) time.Duration {
	if written, err := strconv.ParseFloat(pod.Annotations[name], 64); err == nil {
		fallback = written
	}
	return time.Duration(fallback * float64(time.Second))
}
