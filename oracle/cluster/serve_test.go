package cluster

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
	"k8s.io/client-go/util/flowcontrol"
	"k8s.io/kubernetes/pkg/controller/daemon"
	"k8s.io/kubernetes/pkg/controller/statefulset"
)

// TestServe runs a server with nodes, the controllers of apps/v1, a scheduler and a kubelet that we play, until the file STOP exists. It
// writes a kubeconfig to KUBECONFIG_OUT, for kubectl and rolloutkit.
//
// The scheduler binds a pod to the first node with enough CPU left, and says Unschedulable otherwise. The kubelet makes a pod ready after the
// seconds in its annotation play/ready (1 if there is none); an image that contains "broken" is never pulled. A deleted pod is gone after
// the seconds in play/stop (0 if there is none).
func TestServe(t *testing.T) {
	out, stop := os.Getenv("KUBECONFIG_OUT"), os.Getenv("STOP")
	if out == "" || stop == "" {
		t.Skip("KUBECONFIG_OUT or STOP names no file")
	}
	config := StartServer(t)
	client := kubernetes.NewForConfigOrDie(config)
	startControllers(t, client)
	startOtherControllers(t, client)
	makeNodes(t, client, envInt("NODES", 2), envInt("CPU", 10))
	go play(t, client)
	must(t, writeKubeconfig(config, out))
	for {
		if _, err := os.Stat(stop); err == nil {
			return
		}
		time.Sleep(200 * time.Millisecond)
	}
}

func envInt(name string, fallback int) int {
	if written, err := strconv.Atoi(os.Getenv(name)); err == nil {
		return written
	}
	return fallback
}

func startOtherControllers(t *testing.T, client kubernetes.Interface) {
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(cancel)
	factory := informers.NewSharedInformerFactory(client, 0)
	apps, core := factory.Apps().V1(), factory.Core().V1()
	sets := statefulset.NewStatefulSetController(ctx, core.Pods(), apps.StatefulSets(), core.PersistentVolumeClaims(), apps.ControllerRevisions(), client)
	daemons, err := daemon.NewDaemonSetsController(ctx, apps.DaemonSets(), apps.ControllerRevisions(), core.Pods(), core.Nodes(), client, flowcontrol.NewBackOff(time.Second, time.Minute))
	must(t, err)
	factory.Start(ctx.Done())
	go sets.Run(ctx, 2)
	go daemons.Run(ctx, 2)
}

func makeNodes(t *testing.T, client kubernetes.Interface, count, cpu int) {
	for index := 1; index <= count; index++ {
		name := fmt.Sprint("n", index)
		node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{"kubernetes.io/hostname": name}}}
		made, err := client.CoreV1().Nodes().Create(context.Background(), node, metav1.CreateOptions{})
		must(t, err)
		// Admission taints a new node until a controller sees that it is ready.
		made.Spec.Taints = nil
		made, err = client.CoreV1().Nodes().Update(context.Background(), made, metav1.UpdateOptions{})
		must(t, err)
		made.Status.Allocatable = corev1.ResourceList{"cpu": resource.MustParse(fmt.Sprint(cpu)), "memory": resource.MustParse("64Gi"), "pods": resource.MustParse("110")}
		made.Status.Capacity = made.Status.Allocatable
		made.Status.Conditions = []corev1.NodeCondition{{Type: corev1.NodeReady, Status: corev1.ConditionTrue}}
		_, err = client.CoreV1().Nodes().UpdateStatus(context.Background(), made, metav1.UpdateOptions{})
		must(t, err)
	}
}

func cpuOf(pod *corev1.Pod) int64 {
	var milli int64
	for _, container := range pod.Spec.Containers {
		milli += container.Resources.Requests.Cpu().MilliValue()
	}
	return milli
}

// play is one scheduler and one kubelet for all nodes.
func play(t *testing.T, client kubernetes.Interface) {
	ctx := context.Background()
	deletedAt := map[types.UID]time.Time{}
	for {
		time.Sleep(100 * time.Millisecond)
		list, err := client.CoreV1().Pods("").List(ctx, metav1.ListOptions{ResourceVersion: "0"})
		if err != nil {
			return
		}
		nodes, err := client.CoreV1().Nodes().List(ctx, metav1.ListOptions{ResourceVersion: "0"})
		if err != nil {
			return
		}
		countQuotas(ctx, client, list.Items)
		left := map[string]int64{}
		for _, node := range nodes.Items {
			left[node.Name] = node.Status.Allocatable.Cpu().MilliValue()
		}
		for _, pod := range list.Items {
			left[pod.Spec.NodeName] -= cpuOf(&pod)
		}
		for index := range list.Items {
			pod := &list.Items[index]
			switch {
			case pod.DeletionTimestamp != nil:
				if _, seen := deletedAt[pod.UID]; !seen {
					deletedAt[pod.UID] = time.Now()
				}
				if time.Since(deletedAt[pod.UID]) >= secondsOf(pod, "play/stop", 0) {
					zero := int64(0)
					_ = client.CoreV1().Pods(pod.Namespace).Delete(ctx, pod.Name, metav1.DeleteOptions{GracePeriodSeconds: &zero})
				}
			case pod.Spec.NodeName == "":
				schedule(ctx, client, pod, nodes.Items, left)
			default:
				run(ctx, client, pod)
			}
		}
	}
}

// countQuotas plays the controller of ResourceQuotas, for pods and requests.cpu: admission ignores a quota without a status.
func countQuotas(ctx context.Context, client kubernetes.Interface, pods []corev1.Pod) {
	quotas, err := client.CoreV1().ResourceQuotas("").List(ctx, metav1.ListOptions{})
	if err != nil {
		return
	}
	for index := range quotas.Items {
		quota := &quotas.Items[index]
		var count, milli int64
		for _, pod := range pods {
			if pod.Namespace == quota.Namespace {
				count++
				milli += cpuOf(&pod)
			}
		}
		used := corev1.ResourceList{}
		for name := range quota.Spec.Hard {
			if name == corev1.ResourcePods {
				used[name] = *resource.NewQuantity(count, resource.DecimalSI)
			} else {
				used[name] = *resource.NewMilliQuantity(milli, resource.DecimalSI)
			}
		}
		if !equality.Semantic.DeepEqual(quota.Status.Used, used) || !equality.Semantic.DeepEqual(quota.Status.Hard, quota.Spec.Hard) {
			quota.Status = corev1.ResourceQuotaStatus{Hard: quota.Spec.Hard, Used: used}
			_, _ = client.CoreV1().ResourceQuotas(quota.Namespace).UpdateStatus(ctx, quota, metav1.UpdateOptions{})
		}
	}
}

func schedule(ctx context.Context, client kubernetes.Interface, pod *corev1.Pod, nodes []corev1.Node, left map[string]int64) {
	for _, node := range nodes {
		if left[node.Name] >= cpuOf(pod) {
			left[node.Name] -= cpuOf(pod)
			binding := &corev1.Binding{ObjectMeta: metav1.ObjectMeta{Name: pod.Name}, Target: corev1.ObjectReference{Kind: "Node", Name: node.Name}}
			_ = client.CoreV1().Pods(pod.Namespace).Bind(ctx, binding, metav1.CreateOptions{})
			return
		}
	}
	for _, condition := range pod.Status.Conditions {
		if condition.Type == corev1.PodScheduled {
			return
		}
	}
	message := fmt.Sprintf("0/%d nodes are available: %d Insufficient cpu.", len(nodes), len(nodes))
	pod.Status.Conditions = append(pod.Status.Conditions, corev1.PodCondition{
		Type: corev1.PodScheduled, Status: corev1.ConditionFalse, Reason: "Unschedulable", Message: message, LastTransitionTime: metav1.Now(),
	})
	_, _ = client.CoreV1().Pods(pod.Namespace).UpdateStatus(ctx, pod, metav1.UpdateOptions{})
}

func secondsOf(pod *corev1.Pod, name string, fallback float64) time.Duration {
	if written, err := strconv.ParseFloat(pod.Annotations[name], 64); err == nil {
		fallback = written
	}
	return time.Duration(fallback * float64(time.Second))
}

func run(ctx context.Context, client kubernetes.Interface, pod *corev1.Pod) {
	if pod.Status.Phase == corev1.PodRunning || len(pod.Status.ContainerStatuses) > 0 {
		return
	}
	image := pod.Spec.Containers[0].Image
	if strings.Contains(image, "broken") {
		waiting := &corev1.ContainerStateWaiting{Reason: "ImagePullBackOff", Message: fmt.Sprintf("Back-off pulling image %q: ErrImagePull: %s: not found", image, image)}
		pod.Status.ContainerStatuses = []corev1.ContainerStatus{{Name: pod.Spec.Containers[0].Name, Image: image, State: corev1.ContainerState{Waiting: waiting}}}
		_, _ = client.CoreV1().Pods(pod.Namespace).UpdateStatus(ctx, pod, metav1.UpdateOptions{})
		return
	}
	if time.Since(pod.CreationTimestamp.Time) < secondsOf(pod, "play/ready", 1) {
		return
	}
	now := metav1.Now()
	pod.Status.Phase = corev1.PodRunning
	pod.Status.Conditions = []corev1.PodCondition{
		{Type: corev1.PodScheduled, Status: corev1.ConditionTrue, LastTransitionTime: pod.CreationTimestamp},
		{Type: corev1.PodReady, Status: corev1.ConditionTrue, LastTransitionTime: now},
	}
	_, _ = client.CoreV1().Pods(pod.Namespace).UpdateStatus(ctx, pod, metav1.UpdateOptions{})
}

func writeKubeconfig(config *rest.Config, path string) error {
	kubeconfig := clientcmdapi.NewConfig()
	kubeconfig.Clusters["played"] = &clientcmdapi.Cluster{Server: config.Host, InsecureSkipTLSVerify: true}
	kubeconfig.AuthInfos["admin"] = &clientcmdapi.AuthInfo{Token: config.BearerToken}
	kubeconfig.Contexts["played"] = &clientcmdapi.Context{Cluster: "played", AuthInfo: "admin", Namespace: "default"}
	kubeconfig.CurrentContext = "played"
	if text, err := json.Marshal(config.TLSClientConfig.CertData); err == nil && len(text) > 4 {
		kubeconfig.AuthInfos["admin"].ClientCertificateData = config.TLSClientConfig.CertData
		kubeconfig.AuthInfos["admin"].ClientKeyData = config.TLSClientConfig.KeyData
	}
	return clientcmd.WriteToFile(*kubeconfig, path)
}
