/** Renders a Deployment `api` and a Service of the same name for the page of a rule. */
export function renderServiceExample(service: string, ports = '[{ name: http, containerPort: 8080 }]'): string {
  return `apiVersion: apps/v1
kind: Deployment
metadata:
  name: api
spec:
  replicas: 3
  selector:
    matchLabels:
      app: shop
      component: api
  template:
    metadata:
      labels:
        app: shop
        component: api
    spec:
      containers:
        - name: api
          image: api:1
          ports: ${ports}
          readinessProbe: { tcpSocket: { port: 8080 } }
---
apiVersion: v1
kind: Service
metadata:
  name: api
spec:
${service}
`;
}

/** Renders a field of a Service for the examples of this folder. */
export const SERVICE_SELECTOR = '  selector: { app: shop, component: api }';
