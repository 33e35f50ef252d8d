/** Builds a Deployment `api` with 3 pods, whose pods have these labels and ports. */
export function renderDeployment(
  labels = '{ app: shop, component: api }',
  ports = '[{ name: http, containerPort: 8080 }]',
  more = '',
): string {
  return `apiVersion: apps/v1
kind: Deployment
metadata: { name: api }
spec:
  replicas: 3
  selector: { matchLabels: ${labels} }
  template:
    metadata: { labels: ${labels}${more} }
    spec: { containers: [{ name: api, image: "api:1", ports: ${ports}, readinessProbe: { tcpSocket: { port: 8080 } } }] }
---
`;
}

/** Builds a Service with these fields of its spec. */
export function renderService(spec: string, name = 'api'): string {
  return `apiVersion: v1
kind: Service
metadata: { name: ${name} }
spec: { ${spec} }
---
`;
}
