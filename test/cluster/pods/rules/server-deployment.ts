/** A Service of the Deployment below. */
export const SERVICE = `---
apiVersion: v1
kind: Service
metadata: { name: model }
spec: { selector: { app: model }, ports: [{ port: 80, targetPort: 8000 }] }
`;

/** Renders a Deployment of a container that serves requests, with further fields of it. Its image is not known unless one is given. */
export function deployment(container: string): string {
  return `apiVersion: apps/v1
kind: Deployment
metadata: { name: model }
spec:
  replicas: 2
  selector: { matchLabels: { app: model } }
  template:
    metadata: { labels: { app: model } }
    spec:
      containers: [{ name: server, ports: [{ containerPort: 8000 }], readinessProbe: { httpGet: { port: 8000 } }, ${container.includes('image:') ? '' : 'image: "model:1", '}${container} }]
`;
}
