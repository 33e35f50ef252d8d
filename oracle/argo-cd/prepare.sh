#!/usr/bin/env bash
# Lays out Argo CD's module where Go can build it: the release points to gitops-engine in its own folder, which the module's archive leaves out.
# Everything comes from Go's module cache and goes into build/, of which nothing is committed.
set -euo pipefail
cd "$(dirname "$0")"
argo_cd=v3.5.1
gitops_engine=v0.7.1-0.20251217140045-5baed5604d2d
folder() { (cd / && go mod download -json "$1" | sed -n 's/^\t"Dir": "\(.*\)",$/\1/p'); }
rm -rf build && mkdir build
cp -r "$(folder "github.com/argoproj/argo-cd/v3@$argo_cd")" build/argo-cd
chmod -R u+w build
cp -r "$(folder "github.com/argoproj/gitops-engine@$gitops_engine")" build/argo-cd/gitops-engine
chmod -R u+w build
find build/argo-cd/gitops-engine -name '*.go' -o -name go.mod | xargs sed -i 's#github.com/argoproj/gitops-engine#github.com/argoproj/argo-cd/gitops-engine#g'
# Reads API versions that Kubernetes 0.36 does not have; no autoscaler is judged here.
cat > build/argo-cd/gitops-engine/pkg/health/health_hpa.go <<'GO'
package health

import "k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

func getHPAHealth(_ *unstructured.Unstructured) (*HealthStatus, error) { return nil, nil }
GO
# Calls what this release of gitops-engine does not have; nothing is applied here.
sed -i 's/return k.ManageServerSideDiffDryRuns(config)/_ = k\n\tpanic("not in this gitops-engine")/' build/argo-cd/util/kube/kubectl.go
