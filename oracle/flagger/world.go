package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"time"

	flaggerv1 "github.com/fluxcd/flagger/pkg/apis/flagger/v1beta1"
	"github.com/fluxcd/flagger/pkg/canary"
	"github.com/fluxcd/flagger/pkg/client/clientset/versioned/fake"
	informers "github.com/fluxcd/flagger/pkg/client/informers/externalversions"
	"github.com/fluxcd/flagger/pkg/controller"
	"github.com/fluxcd/flagger/pkg/metrics/observers"
	"github.com/fluxcd/flagger/pkg/notifier"
	"github.com/fluxcd/flagger/pkg/router"
	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
	appsv1 "k8s.io/api/apps/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	k8sfake "k8s.io/client-go/kubernetes/fake"
)

const name, primaryName = "web", "web-primary"

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func decode[T any](value any) T {
	var decoded T
	if err := json.Unmarshal(must(json.Marshal(value)), &decoded); err != nil {
		panic(err)
	}
	return decoded
}

// messages keeps the errors that the controller logs; whatever else it says is dropped.
type messages struct {
	mutex sync.Mutex
	texts []string
}

func (m *messages) Enabled(zapcore.Level) bool        { return true }
func (m *messages) With([]zapcore.Field) zapcore.Core { return m }
func (m *messages) Sync() error                       { return nil }
func (m *messages) Check(e zapcore.Entry, c *zapcore.CheckedEntry) *zapcore.CheckedEntry {
	return c.AddCore(e, m)
}
func (m *messages) Write(e zapcore.Entry, _ []zapcore.Field) error {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	m.texts = append(m.texts, e.Message)
	return nil
}
func (m *messages) take() []string {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	taken := m.texts
	m.texts = nil
	return taken
}

// gates answers the webhooks: a path is closed as long as its number is above 0.
type gates struct {
	mutex  sync.Mutex
	closed map[string]int
}

func (g *gates) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	if g.closed[r.URL.Path] > 0 {
		g.closed[r.URL.Path]--
		w.WriteHeader(http.StatusForbidden)
	}
}

func (g *gates) close(path string, times int) {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	g.closed[path] = times
}

// One controller serves all cases, a namespace each: its metrics can be registered only once.
var (
	kube       = k8sfake.NewSimpleClientset()
	flagger    = fake.NewSimpleClientset()
	log        = &messages{}
	hooks      = &gates{closed: map[string]int{}}
	server     = httptest.NewServer(hooks)
	routers    *router.Factory
	controlled = newController()
)

func newController() *controller.Controller {
	logger := zap.New(log).Sugar()
	factory := informers.NewSharedInformerFactory(flagger, 0).Flagger().V1beta1()
	tracker := &canary.ConfigTracker{Logger: logger, KubeClient: kube, FlaggerClient: flagger}
	labels := []string{"app", "name", "app.kubernetes.io/name"}
	routers = router.NewFactory(nil, kube, flagger, nil, "nginx.ingress.kubernetes.io", "", logger, flagger, true)
	return controller.NewController(
		kube, nil, flagger,
		controller.Informers{CanaryInformer: factory.Canaries(), MetricInformer: factory.MetricTemplates(), AlertInformer: factory.AlertProviders()},
		10*time.Second, logger, &notifier.NopNotifier{},
		canary.NewFactory(kube, flagger, nil, tracker, labels, []string{""}, logger),
		routers, must(observers.NewFactory("http://127.0.0.1:1")), "istio", "test", "", "", false, nil,
	)
}

// world is the namespace of one case.
type world struct {
	namespace string
	// delay is the number of turns until the pods of a changed Deployment are ready.
	delay int
	// stuck names the Deployment whose new pods never get ready.
	stuck   string
	rolled  map[string]string
	pending map[string]int
}

func (w *world) deployment(name string) *appsv1.Deployment {
	found, err := kube.AppsV1().Deployments(w.namespace).Get(context.TODO(), name, metav1.GetOptions{})
	if err != nil {
		return nil
	}
	return found
}

func (w *world) canary() *flaggerv1.Canary {
	return must(flagger.FlaggerV1beta1().Canaries(w.namespace).Get(context.TODO(), name, metav1.GetOptions{}))
}

// roll plays the Deployment controller: a Deployment that changed is not rolled out for some turns.
func (w *world) roll() {
	for _, name := range []string{name, primaryName} {
		deployment := w.deployment(name)
		if deployment == nil {
			continue
		}
		spec := string(must(json.Marshal([]any{deployment.Spec.Replicas, deployment.Spec.Template})))
		if w.rolled[name] != spec {
			w.rolled[name], w.pending[name] = spec, w.delay
		} else if w.pending[name] > 0 {
			w.pending[name]--
		}
		replicas := *deployment.Spec.Replicas
		isStuck := w.stuck == name && replicas > 0
		deployment.Status = appsv1.DeploymentStatus{Replicas: replicas, UpdatedReplicas: replicas, ReadyReplicas: replicas, AvailableReplicas: replicas}
		if w.pending[name] > 0 || isStuck {
			deployment.Status.AvailableReplicas, deployment.Status.ReadyReplicas = 0, 0
		}
		if isStuck && w.pending[name] == 0 {
			deployment.Status.Conditions = []appsv1.DeploymentCondition{{Type: appsv1.DeploymentProgressing, Status: corev1.ConditionFalse, Reason: "ProgressDeadlineExceeded"}}
		}
		must(kube.AppsV1().Deployments(w.namespace).Update(context.TODO(), deployment, metav1.UpdateOptions{}))
	}
}

// Row is what stands after one turn of the controller.
type Row struct {
	Phase   string `json:"phase"`
	Target  int32  `json:"target"`
	Primary int32  `json:"primary"`
	// Promoted says that the primary has the pods of the target.
	Promoted bool `json:"promoted,omitempty"`
	// Weight is the share of the requests for the target; Mirror says that it gets copies.
	Weight int  `json:"weight"`
	Mirror bool `json:"mirror,omitempty"`
	Checks int  `json:"iterations,omitempty"`
	Failed int  `json:"failed,omitempty"`
}

func (w *world) row() Row {
	cd := w.canary()
	row := Row{Phase: string(cd.Status.Phase), Checks: cd.Status.Iterations, Failed: cd.Status.FailedChecks}
	target, primary := w.deployment(name), w.deployment(primaryName)
	row.Target = *target.Spec.Replicas
	if primary != nil {
		row.Primary = *primary.Spec.Replicas
		row.Promoted = primary.Spec.Template.Spec.Containers[0].Image == target.Spec.Template.Spec.Containers[0].Image
	}
	provider := cd.Spec.Provider
	if provider == "" {
		provider = "istio"
	}
	if _, weight, mirror, err := routers.MeshRouter(provider, "app").GetRoutes(cd); err == nil {
		row.Weight, row.Mirror = weight, mirror
	}
	return row
}

// turn is one interval of the analysis. An error is what the controller logs where it stops.
func (w *world) turn() (Row, []string) {
	w.roll()
	log.take()
	advanceCanary(controlled, name, w.namespace)
	var warnings []string
	for _, text := range log.take() {
		// The event of a message is logged a second time, at any moment.
		if strings.HasPrefix(text, "Event(") {
			continue
		}
		text = strings.ReplaceAll(text, "."+w.namespace, "")
		if strings.Contains(text, "must contain one of") || strings.Contains(text, "not supported when using the kubernetes provider") || strings.Contains(text, "get query error") {
			if !slices.Contains(warnings, text) {
				warnings = append(warnings, text)
			}
		}
	}
	return w.row(), warnings
}

// Rows are the rows until nothing changes any more for some turns, and whether the controller is done.
func (w *world) rows(most int) ([]Row, []string) {
	var rows []Row
	var warnings []string
	same := 0
	for len(rows) < most {
		row, said := w.turn()
		for _, text := range said {
			if !slices.Contains(warnings, text) {
				warnings = append(warnings, text)
			}
		}
		if len(rows) > 0 && rows[len(rows)-1] == row {
			same++
		} else {
			same = 0
		}
		rows = append(rows, row)
		if same >= 12 {
			return rows[:len(rows)-12], warnings
		}
	}
	return rows, warnings
}

func (w *world) createDeployment(spec appsv1.DeploymentSpec) {
	deployment := &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: w.namespace}, Spec: spec}
	must(kube.AppsV1().Deployments(w.namespace).Create(context.TODO(), deployment, metav1.CreateOptions{}))
}

func (w *world) createAutoscaler(minimum *int32, maximum int32) {
	must(kube.AutoscalingV2().HorizontalPodAutoscalers(w.namespace).Create(context.TODO(), &autoscalingv2.HorizontalPodAutoscaler{
		ObjectMeta: metav1.ObjectMeta{Name: "load", Namespace: w.namespace},
		Spec: autoscalingv2.HorizontalPodAutoscalerSpec{
			ScaleTargetRef: autoscalingv2.CrossVersionObjectReference{APIVersion: "apps/v1", Kind: "Deployment", Name: name},
			MinReplicas:    minimum, MaxReplicas: maximum,
		},
	}, metav1.CreateOptions{}))
}

func namespaceOf(index int) string { return fmt.Sprintf("case-%d", index) }
