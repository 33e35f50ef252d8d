/** A Deployment without findings. */
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

/** Returns the same Deployment with another strategy. */
export function withStrategy(strategy: string, name = 'web'): string {
  return WEB.replace(/ {2}strategy:\n(?: {4}.*\n)+/, `  strategy: ${strategy}\n`).replace('name: web\n', `name: ${name}\n`);
}

/** A number in quotes, as guides print it. The API server refuses it. */
export const QUOTED = withStrategy('{rollingUpdate: {maxSurge: "1"}}', 'quoted');
