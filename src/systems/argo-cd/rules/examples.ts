/** Renders an ApplicationSet with two environments and these lines as its steps. The controller's flag is on. */
export function renderApplicationSet(...steps: readonly string[]): string {
  return renderApplicationSetOver(['dev', 'prod'], ...steps);
}

/** Renders an ApplicationSet with these environments and these lines as its steps. The controller's flag is on. */
export function renderApplicationSetOver(environments: readonly string[], ...steps: readonly string[]): string {
  return `${FLAG_CONFIG_MAP}---
apiVersion: argoproj.io/v1alpha1
kind: ApplicationSet
metadata:
  name: shop
  namespace: argocd
spec:
  generators:
    - list:
        elements:
${environments.map((env) => `          - env: ${env}\n`).join('')}  template:
    metadata:
      name: shop-{{env}}
      labels:
        env: "{{env}}"
    spec:
      project: default
      source:
        repoURL: https://example.com/shop.git
        path: envs/{{env}}
      destination:
        server: https://kubernetes.default.svc
  strategy:
    type: RollingSync
    rollingSync:
      steps:${steps.length === 0 ? ' []' : ''}
${steps.map((line) => `        ${line}\n`).join('')}`;
}

const FLAG_CONFIG_MAP = `apiVersion: v1
kind: ConfigMap
metadata:
  name: argocd-cmd-params-cm
  namespace: argocd
data:
  applicationsetcontroller.enable.progressive.syncs: "true"
`;

/** Renders the lines of a step that selects one environment. */
export function renderStep(env: string, ...more: readonly string[]): string[] {
  return ['- matchExpressions:', `    - { key: env, operator: In, values: [${env}] }`, ...more.map((line) => `  ${line}`)];
}
