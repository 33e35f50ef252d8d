/** Returns the YAML of a typical Deployment. */
export function deployment(index: number): string {
  return `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web-${index}
  namespace: shop-${index % 50}
  labels:
    app.kubernetes.io/name: web-${index}
spec:
  replicas: 3
  selector:
    matchLabels:
      app: web-${index}
  strategy:
    type: RollingUpdate
    rollingUpdate:
      maxSurge: 25%
      maxUnavailable: 0
  template:
    metadata:
      labels:
        app: web-${index}
    spec:
      containers:
        - name: web
          image: registry.example.com/shop/web:1.${index}.0
          ports:
            - name: http
              containerPort: 8080
          resources:
            requests: { cpu: 100m, memory: 128Mi }
            limits: { memory: 256Mi }
          readinessProbe:
            httpGet:
              path: /healthz
              port: http
`;
}

/** Returns a YAML file of `count` documents. */
export function buildYamlFile(document: (index: number) => string, count: number): string {
  return Array.from({ length: count }, (_, index) => document(index)).join('---\n');
}
