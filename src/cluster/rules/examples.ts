/** Returns a Deployment with these fields of its only container, and of its metadata. */
export function renderDeployment(container: string, metadata = ''): string {
  return `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
${metadata}spec:
  replicas: 4
  selector:
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
${container}`;
}
