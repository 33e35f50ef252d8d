/** Returns a Deployment with a container of a server, and the Service that sends requests to it. */
export function renderServer(container: string, grace = 30): string {
  return `apiVersion: apps/v1
kind: Deployment
metadata:
  name: model
spec:
  replicas: 4
  selector:
    matchLabels:
      app: model
  template:
    metadata:
      labels:
        app: model
    spec:
      terminationGracePeriodSeconds: ${grace}
      containers:
        - name: server
          ${container}
          ports: [{ containerPort: 8000 }]
          readinessProbe: { httpGet: { path: /health, port: 8000 } }
---
apiVersion: v1
kind: Service
metadata:
  name: model
spec:
  selector: { app: model }
  ports: [{ port: 80, targetPort: 8000 }]
`;
}
