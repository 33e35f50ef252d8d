//go:build appliers

package change

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"time"

	"github.com/argoproj/gitops-engine/pkg/utils/kube"
	"github.com/argoproj/gitops-engine/pkg/utils/tracing"
	"github.com/fluxcd/pkg/ssa"
	"github.com/fluxcd/pkg/ssa/normalize"
	"github.com/go-logr/logr"
	helm4 "helm.sh/helm/v4/pkg/kube"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/rest"
	cmdutil "k8s.io/kubectl/pkg/cmd/util"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// startAppliers adds to the tools those that are neither kubectl nor Helm 3. The result removes their files.
func (u *tools) startAppliers() (func(), error) {
	helm := helm4.New(u)
	reader, err := client.New(u.config, client.Options{Mapper: u.mapper})
	if err != nil {
		return nil, err
	}
	flux := ssa.NewResourceManager(reader, nil, ssa.Owner{Field: "kustomize-controller", Group: "kustomize.toolkit.fluxcd.io"})
	// The refusals of the namespaces of Argo CD are none of its objects.
	unwatched := rest.CopyConfig(u.config)
	unwatched.WrapTransport = nil
	namespaces, err := client.New(unwatched, client.Options{})
	if err != nil {
		return nil, err
	}
	kubectl := &kube.KubectlCmd{Log: logr.Discard(), Tracer: tracing.NopTracer{}}
	argo, cleanup, err := kubectl.ManageResources(rest.CopyConfig(u.config), nil)
	if err != nil {
		return nil, err
	}
	u.appliers = map[string]applier{
		"helm4":          helmWriter{helm, "helm", true, false, false}.write,
		"helm4-migrates": helmWriter{helm, "helm", true, false, true}.write,
		"helm4-client":   helmWriter{helm, "helm", false, false, false}.write,
		"flux-helm":      helmWriter{helm, "helm-controller", true, true, false}.write,
		"flux":           fluxWriter{flux, false}.write,
		"flux-force":     fluxWriter{flux, true}.write,
		"argo":           argoWriter{argo, namespaces, false}.write,
		"argo-server":    argoWriter{argo, namespaces, true}.write,
	}
	return cleanup, nil
}

func unstructuredOf(o object) *unstructured.Unstructured {
	return &unstructured.Unstructured{Object: clone(o).(object)}
}

// helmWriter does what an installation and an upgrade of Helm 4 do with one object.
type helmWriter struct {
	helm                           *helm4.Client
	manager                        string
	serverSide, forces, migrateOld bool
}

func (w helmWriter) write(old, next object) error {
	helm4.ManagedFieldsManager = w.manager
	target, err := w.list(next)
	if err != nil {
		return err
	}
	if old == nil {
		_, err = w.helm.Create(target, helm4.ClientCreateOptionServerSideApply(w.serverSide, w.forces))
		return err
	}
	original, err := w.list(old)
	if err != nil {
		return err
	}
	_, err = w.helm.Update(original, target,
		helm4.ClientUpdateOptionServerSideApply(w.serverSide, w.forces),
		helm4.ClientUpdateOptionUpgradeClientSideFieldManager(w.migrateOld))
	return err
}

func (w helmWriter) list(o object) (helm4.ResourceList, error) {
	text, err := json.Marshal(o)
	if err != nil {
		return nil, err
	}
	w.helm.Namespace = o["metadata"].(object)["namespace"].(string)
	return w.helm.Build(bytes.NewReader(text), false)
}

// fluxWriter does what the kustomize-controller does with one object.
type fluxWriter struct {
	manager *ssa.ResourceManager
	force   bool
}

func (w fluxWriter) write(_, next object) error {
	objects := []*unstructured.Unstructured{unstructuredOf(next)}
	if err := normalize.UnstructuredList(objects); err != nil {
		return err
	}
	// A claim is deleted once the controller of the cluster removes its finalizer. None runs here.
	limited, cancel := context.WithTimeout(context.Background(), 3*time.Second)
	defer cancel()
	_, err := w.manager.ApplyAll(limited, objects, fluxOptions(w.force))
	return err
}

// fluxOptions are those of the kustomize-controller 1.9 for a Kustomization.
func fluxOptions(force bool) ssa.ApplyOptions {
	options := ssa.DefaultApplyOptions()
	options.Force = force
	options.Cleanup = ssa.ApplyCleanupOptions{
		Annotations: []string{lastApplied},
		FieldManagers: []ssa.FieldManager{
			{Name: "kubectl", OperationType: metav1.ManagedFieldsOperationApply},
			{Name: "kubectl", OperationType: metav1.ManagedFieldsOperationUpdate},
			{Name: "before-first-apply", OperationType: metav1.ManagedFieldsOperationUpdate},
			{Name: "kustomize-controller", OperationType: metav1.ManagedFieldsOperationUpdate},
		},
		Exclusions: map[string]string{"kustomize.toolkit.fluxcd.io/ssa": "Merge"},
	}
	return options
}

// argoWriter does what a sync of Argo CD does with one object.
type argoWriter struct {
	operations kube.ResourceOperations
	namespaces client.Client
	serverSide bool
}

func (w argoWriter) write(_, next object) error {
	// For RBAC it runs `kubectl auth reconcile`, which reads the namespace. The server of the recording accepts objects without one.
	namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: unstructuredOf(next).GetNamespace()}}
	if err := w.namespaces.Create(context.Background(), namespace); err != nil && !apierrors.IsAlreadyExists(err) {
		return err
	}
	_, err := w.operations.ApplyResource(context.Background(), unstructuredOf(next), cmdutil.DryRunNone, false, true, w.serverSide, "argocd-controller")
	return err
}

// An applierWay is how the first and the second manifest reach the server.
type applierWay struct{ made, mode string }

// ownWays are those of each tool over its own object, takeovers those over the object of another.
var (
	ownWays = []applierWay{
		{"helm4", "helm4"}, {"flux", "flux"}, {"argo", "argo"}, {"helm4", "helm4"}, {"argo-server", "argo-server"}, {"helm4-client", "helm4-client"},
		{"helm4", "helm4"}, {"flux", "flux"}, {"flux-helm", "flux-helm"}, {"flux", "flux-force"},
	}
	takeovers = []applierWay{
		{"client", "flux"}, {"helm", "helm4-migrates"}, {"argo", "argo-server"}, {"helm4", "flux-helm"}, {"server", "flux"}, {"helm4-client", "helm4-migrates"},
		{"create", "flux"}, {"client", "argo-server"},
	}
)

// applierPairs are the pairs of the other recording without their modes, each in two ways of ownWays and those of live objects in one of takeovers.
func applierPairs(bases map[string]object) []pair {
	var pairs []pair
	seen := map[string]bool{}
	for _, p := range allPairs(bases) {
		text, err := json.Marshal([]any{p.Base, p.Old, p.New, p.Touches})
		if err != nil {
			panic(err)
		}
		if seen[string(text)] {
			continue
		}
		seen[string(text)] = true
		nth := len(seen)
		add := func(way applierWay) {
			// Argo CD runs `kubectl auth reconcile` for a binding, which panics for one without a role (kubectl 0.36.3).
			if p.Base == "rolebinding" && strings.HasPrefix(way.mode, "argo") {
				return
			}
			p.Made, p.Mode = way.made, way.mode
			pairs = append(pairs, p)
		}
		add(ownWays[nth%len(ownWays)])
		switch p.Topic {
		case "row", "live", "kind":
			add(ownWays[(nth+3)%len(ownWays)])
		}
		if p.Topic == "live" {
			add(takeovers[nth%len(takeovers)])
		}
	}
	return pairs
}
