/** Renders a Rollout with this strategy for rule examples; `extra` contains further lines of its spec. */
export function renderArgoRollout(strategy: string, extra = ''): string {
  const lines = strategy
    .trimEnd()
    .split('\n')
    .map((line) => `    ${line}`);
  return `apiVersion: argoproj.io/v1alpha1
kind: Rollout
metadata:
  name: web
spec:
  replicas: 4
${extra}  selector:
    matchLabels:
      app: web
  template:
    metadata:
      labels:
        app: web
    spec:
      containers:
        - name: app
          image: app:1
          readinessProbe:
            tcpSocket:
              port: 8080
  strategy:
${lines.join('\n')}
`;
}

/** Renders a Rollout with a routed canary that contains these lines. */
export function renderRoutedRollout(lines: string): string {
  return renderArgoRollout(`canary:
  stableService: web
  canaryService: web-canary
  trafficRouting:
    nginx:
      stableIngress: web
${lines
  .trimEnd()
  .split('\n')
  .map((line) => `  ${line}`)
  .join('\n')}`);
}
