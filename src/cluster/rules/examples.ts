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
