/** Returns a Deployment and its Canary. */
export function renderCanary(replicas: string): string {
  return `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
${replicas}  selector:
    matchLabels:
      app: web
  template:
    metadata:
      labels:
        app: web
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
  analysis: { interval: 30s, threshold: 5, maxWeight: 50, stepWeight: 10 }
`;
}
