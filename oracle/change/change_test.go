//go:build !appliers

package change

import (
	"context"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/flowcontrol"
	"k8s.io/kubernetes/pkg/controller/daemon"
	"k8s.io/kubernetes/pkg/controller/deployment"
	"k8s.io/kubernetes/pkg/controller/statefulset"
	cluster "rolloutkit-cluster"
	recording "rolloutkit-oracle-recording"
)

// quiet is how long no workload may change before the controllers are taken to be at rest.
const quiet = 2 * time.Second

const aboutChanges = "What a second manifest makes of what a first one left on the server. `bases` are manifests, `lives` what the server holds of them by the way they came; " +
	"edits are [JSON pointer, value], or [JSON pointer] for what is removed. `old` edits the base into the first manifest, `new` that into the second, `live` the live object of the base into the one " +
	"before the second write, `stored` that into the one after it. `made` is how the first manifest came (create for mode replace, else as the mode), `touches` what others did to the live object. " +
	"`refused` has the server's words, `generation` says that it was raised, `revision` that there is a ReplicaSet or ControllerRevision more."

// TestChanges records every pair in FOLDER/kubernetes-changes.json.
func TestChanges(t *testing.T) {
	folder := os.Getenv("FOLDER")
	if folder == "" {
		t.Skip("FOLDER names no folder")
	}
	config := cluster.StartServer(t)
	u, err := newTools(config)
	must(t, err)
	client := controllersClient(config)
	watched := startControllers(t, client)

	bases := readBases()
	around := surroundings{rest: watched.rest, revisions: func() map[string]int { return revisions(t, client) }}
	lives := recordLives(t, u, around, bases, []string{"create", "client", "server", "helm"})
	record(t, u, around, chosen(allPairs(bases)), bases, lives, filepath.Join(folder, "kubernetes-changes.json"), recording.Recording{
		About:    aboutChanges,
		Upstream: recording.Versions("k8s.io/kubernetes", "k8s.io/kubectl", "helm.sh/helm/v3", "sigs.k8s.io/structured-merge-diff/v6"),
	})
}

// revisions counts ReplicaSets and ControllerRevisions by namespace.
func revisions(t *testing.T, client kubernetes.Interface) map[string]int {
	counts := map[string]int{}
	sets, err := client.AppsV1().ReplicaSets("").List(background, metav1.ListOptions{})
	must(t, err)
	for _, set := range sets.Items {
		counts[set.Namespace]++
	}
	history, err := client.AppsV1().ControllerRevisions("").List(background, metav1.ListOptions{})
	must(t, err)
	for _, revision := range history.Items {
		counts[revision.Namespace]++
	}
	return counts
}

func controllersClient(config *rest.Config) kubernetes.Interface {
	own := rest.CopyConfig(config)
	own.UserAgent = "kube-controller-manager"
	own.RateLimiter = flowcontrol.NewFakeAlwaysRateLimiter()
	return kubernetes.NewForConfigOrDie(own)
}

// watched tells when the workloads last changed.
type watched struct{ last atomic.Int64 }

func (w *watched) note(any)             { w.last.Store(time.Now().UnixNano()) }
func (w *watched) since() time.Duration { return time.Duration(time.Now().UnixNano() - w.last.Load()) }

// rest waits until the controllers have nothing left to do.
func (w *watched) rest() {
	w.note(nil)
	for w.since() < quiet {
		time.Sleep(quiet / 10)
	}
}

// startControllers runs those of Deployments, StatefulSets and DaemonSets. ReplicaSets get no pods: what is asked here is which revisions there are.
func startControllers(t *testing.T, client kubernetes.Interface) *watched {
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(cancel)
	factory := informers.NewSharedInformerFactory(client, 0)
	apps, core := factory.Apps().V1(), factory.Core().V1()
	deployments, err := deployment.NewDeploymentController(ctx, apps.Deployments(), apps.ReplicaSets(), core.Pods(), client)
	must(t, err)
	stateful := statefulset.NewStatefulSetController(ctx, core.Pods(), apps.StatefulSets(), core.PersistentVolumeClaims(), apps.ControllerRevisions(), client)
	daemons, err := daemon.NewDaemonSetsController(ctx, apps.DaemonSets(), apps.ControllerRevisions(), core.Pods(), core.Nodes(), client, flowcontrol.NewBackOff(time.Second, time.Minute))
	must(t, err)
	seen := &watched{}
	for _, informer := range []cache.SharedIndexInformer{
		apps.Deployments().Informer(), apps.ReplicaSets().Informer(), apps.StatefulSets().Informer(), apps.DaemonSets().Informer(), apps.ControllerRevisions().Informer(),
	} {
		_, err := informer.AddEventHandler(cache.ResourceEventHandlerFuncs{AddFunc: seen.note, UpdateFunc: func(_, now any) { seen.note(now) }, DeleteFunc: seen.note})
		must(t, err)
	}
	factory.Start(ctx.Done())
	go deployments.Run(ctx, 4)
	go stateful.Run(ctx, 4)
	go daemons.Run(ctx, 4)
	return seen
}
