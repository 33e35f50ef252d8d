//go:build appliers

package change

import (
	"os"
	"path/filepath"
	"testing"

	"k8s.io/client-go/tools/clientcmd"
	recording "rolloutkit-oracle-recording"
)

const aboutAppliers = "What other tools than kubectl and Helm 3 make of a second manifest, in the form of kubernetes-changes. `mode` is the tool, `made` the one that wrote the first manifest. " +
	"helm4-migrates is Helm 4 over a release that was applied client-side, helm4-client Helm 4 with --server-side=false, flux the kustomize-controller, flux-force the same with force, " +
	"flux-helm the helm-controller, argo and argo-server Argo CD without and with ServerSideApply. `recreated` says that the object was deleted and created."

// TestAppliers records the pairs of applierPairs in FOLDER/kubernetes-appliers.json. The server of KUBECONFIG runs without controllers: these
// tools need other versions of its modules.
func TestAppliers(t *testing.T) {
	folder := os.Getenv("FOLDER")
	if folder == "" {
		t.Skip("FOLDER names no folder")
	}
	config, err := clientcmd.BuildConfigFromFlags("", os.Getenv("KUBECONFIG"))
	must(t, err)
	config.QPS, config.Burst = 1000, 1000
	u, err := newTools(config)
	must(t, err)
	cleanup, err := u.startAppliers()
	must(t, err)
	t.Cleanup(cleanup)

	bases := readBases()
	ways := []string{"create", "client", "server", "helm", "helm4", "helm4-client", "flux", "flux-helm", "argo", "argo-server"}
	alone := surroundings{rest: func() {}, revisions: func() map[string]int { return nil }}
	lives := recordLives(t, u, alone, bases, ways)
	record(t, u, alone, chosen(applierPairs(bases)), bases, lives, filepath.Join(folder, "kubernetes-appliers.json"), recording.Recording{
		About:    aboutAppliers,
		Upstream: recording.Versions("helm.sh/helm/v4", "github.com/fluxcd/pkg/ssa", "github.com/argoproj/gitops-engine"),
	})
}
