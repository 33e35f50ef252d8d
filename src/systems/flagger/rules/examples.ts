const ANALYSIS = 'interval: 30s, threshold: 5, maxWeight: 50, stepWeight: 10';

/** Returns a Deployment and its Canary. */
export function renderCanary(replicas: string, { analysis = ANALYSIS, label = 'app' } = {}): string {
  return `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
${replicas}  selector:
    matchLabels:
      ${label}: web
  template:
    metadata:
      labels:
        ${label}: web
    spec:
      containers:
        - name: web
          image: web:2
          readinessProbe: { httpGet: { path: /, port: 8080 } }
---
apiVersion: flagger.app/v1beta1
kind: Canary
metadata:
  name: web
spec:
  targetRef: { apiVersion: apps/v1, kind: Deployment, name: web }
  service: { port: 8080 }
  analysis: { ${analysis} }
`;
}
