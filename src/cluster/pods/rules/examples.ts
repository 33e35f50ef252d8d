/** What differs between the Deployments of examples. */
interface ExampleDeployment {
  /** @default web */
  readonly name?: string;
  /** Fields of the metadata after the name, each line indented by 2. @default - none */
  readonly metadata?: string;
  /** @default 4 */
  readonly replicas?: number;
  /** Fields of the spec before the selector, each line indented by 2. @default - none */
  readonly spec?: string;
  /** The items of `containers`, each line indented by 8. */
  readonly containers: string;
  /** Fields of the pods after the containers, each line indented by 6. @default - none */
  readonly podSpec?: string;
}

/** A container that is ready as soon as it listens. */
export const READY_APP = `        - name: app
          image: app:1
          readinessProbe:
            tcpSocket:
              port: 8080
`;

/** A container of the examples in fewer lines. */
export const READY_WEB = `        - name: web
          image: web:1
          readinessProbe: { tcpSocket: { port: 8080 } }
`;

/** Returns a Deployment with these fields. */
export function renderDeploymentOf({
  name = 'web',
  metadata = '',
  replicas = 4,
  spec = '',
  containers,
  podSpec = '',
}: ExampleDeployment): string {
  return `apiVersion: apps/v1
kind: Deployment
metadata:
  name: ${name}
${metadata}spec:
  replicas: ${replicas}
${spec}  selector:
    matchLabels:
      app: ${name}
  template:
    metadata:
      labels:
        app: ${name}
    spec:
      containers:
${containers}${podSpec}`;
}

/** Returns a Deployment with these fields of its only container, and of its metadata. */
export function renderDeployment(container: string, metadata = ''): string {
  return renderDeploymentOf({ metadata, containers: `        - name: web\n          image: web:2\n${container}` });
}

/** Returns a Deployment with these limits of its rolling update. */
export function renderLimits(maxSurge: string, maxUnavailable: string): string {
  const spec = `  strategy:
    rollingUpdate:
      maxSurge: ${maxSurge}
      maxUnavailable: ${maxUnavailable}
`;
  return renderDeploymentOf({ spec, containers: READY_APP });
}

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
