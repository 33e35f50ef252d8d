/** A Deployment that nothing is to be said of. */
export const WEB = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  namespace: shop
spec:
  replicas: 10
  selector: {matchLabels: {app: web}}
  strategy:
    rollingUpdate:
      maxSurge: 3
      maxUnavailable: 2
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
        - name: web
          image: web:1
          readinessProbe: {httpGet: {path: /, port: 80}}
`;

/** The same with a strategy of its own. */
export function withStrategy(strategy: string, name = 'web'): string {
  return WEB.replace(/ {2}strategy:\n(?: {4}.*\n)+/, `  strategy: ${strategy}\n`).replace('name: web\n', `name: ${name}\n`);
}

/** What the API server refuses, and the guides print: a number in quotes. */
export const QUOTED = withStrategy('{rollingUpdate: {maxSurge: "1"}}', 'quoted');
