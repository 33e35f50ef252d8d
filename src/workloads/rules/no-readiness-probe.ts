import { byChoice, set } from '../../core/advice';
import type { Edit } from '../../core/advice';
import { childPath } from '../../core/field-path';
import type { FieldPath } from '../../core/field-path';
import type { Finding } from '../../core/finding';
import { message, rule } from '../../core/finding';
import { isFields, listAt, valueAt } from '../../core/manifest';
import { seen, show } from '../../core/seen';
import type { Seen } from '../../core/seen';
import type { Review, ReviewedContainer } from '../review';

/** Pods that nobody probes, and who relies on their being ready. */
interface ProbeData {
  /** The container that is to have it: its name, or its place among the containers where it has none. */
  readonly container: Seen;
  /** A port that it declares. */
  readonly port?: Seen;
  /** A Service that sends requests to the pods. */
  readonly service?: string;
}

/** Who relies on the pods being ready. */
function askedBy({ container, port, service }: ProbeData): string {
  return service === undefined
    ? `container ${show(container)} listens on port ${show(port!)}`
    : `Service "${service}" sends requests to them`;
}

/** The same with the path of the probe that is missing. */
export interface UnprobedContainer extends ProbeData {
  readonly path: FieldPath;
}

/** A probe of the port, the least that tells an application that listens from one that starts; none where no port is known. */
export function probeEdits({ port }: ProbeData, path: FieldPath): Edit[] {
  return typeof port === 'number' ? [set(path, { tcpSocket: { port } })] : [];
}

/** Pods whose readiness nobody checks although somebody goes by it. */
export const noReadinessProbe = rule({
  code: 'kubernetes/no-readiness-probe',
  since: '0.1.0',
  severity: 'warning',
  fires:
    'A workload that updates by rolling declares a port, or a Service selects its pods, and no container has a readiness or startup probe.',
  why:
    'A pod without any probe counts as ready as soon as its containers run: it gets requests before the application can serve, ' +
    'and the rollout takes the old pods away too early. Where no Service and no port is in view nobody asks whether a pod is ready, ' +
    'one container with a probe is enough for the rollout to wait, and one that replaces a single pod in place waits for none. Of an InferenceService the probes count that KServe adds.',
  fix: 'Give the container a `readinessProbe` that succeeds only when it can serve.',
  example: `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
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
          ports: [{ containerPort: 8080 }]
`,
  fixed: `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
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
          ports: [{ containerPort: 8080 }]
          readinessProbe: { httpGet: { path: /ready, port: 8080 } }
`,
  messages: {
    none: message<ProbeData>({
      text: (data) =>
        `No container of the pods has a readiness probe, and ${askedBy(data)}: a pod counts as ready as soon as its containers run, ` +
        'so the rollout goes on before the application can serve.',
      help: ({ container }) => `Give container ${show(container)} a readinessProbe that succeeds only when the application can serve.`,
      advice: (data, path) => byChoice(...probeEdits(data, path)),
      sameThing: ({ container, port }) => [container, port ?? null],
      sample: { container: 'web', port: 8080 },
      variants: [
        { container: 2, service: 'web' },
        { container: 'web', port: 8080, service: 'web' },
      ],
    }),
  },
});

/** A container that stays, as far as it makes its pod wait to be ready. */
function isProbed(container: unknown): boolean {
  return isFields(container) && (isFields(container.readinessProbe) || isFields(container.startupProbe));
}

/** Init containers that stay beside the others have probes as those have. */
function stayingInitContainers(podSpec: unknown): readonly unknown[] {
  return listAt(podSpec, 'initContainers').filter((container) => valueAt(container, 'restartPolicy') === 'Always');
}

function declaresPort({ value }: ReviewedContainer): boolean {
  return listAt(value, 'ports').length > 0;
}

/**
 * Says that nothing tells when a pod is ready, once a workload. A readiness gate tells it, too.
 *
 * Source: k/k pkg/kubelet/prober/prober_manager.go, `UpdatePodStatus`.
 */
export function readinessFindings(review: Review): Finding[] {
  return replacesOnlyPod(review) ? [] : unprobedFindings(review);
}

/** Is there no pod, or one that goes before its successor comes and can be replaced no better? Then no later step waits for any pod. */
function replacesOnlyPod({ rollout, room, workload }: Review): boolean {
  if (!rollout || rollout.replicas > 1) return false;
  return rollout.replicas === 0 || (rollout.leastAvailable === 0 && (!workload.hasSurge || room.obstacle !== undefined));
}

/** Pods of one template, and who relies on their being ready. */
type ProbedPods = Pick<Review, 'containers' | 'service'> & { readonly workload: Pick<Review['workload'], 'template'> };

/** Says that nothing tells when a pod of these is ready, whatever their number. */
export function unprobedFindings(pods: ProbedPods): Finding[] {
  const unprobed = unprobedIn(pods);
  if (!unprobed) return [];
  const { path, ...data } = unprobed;
  return [noReadinessProbe.finding('none', { path, data })];
}

/** The container that is to have a probe, where none has one and somebody relies on it; with the path of the probe. */
export function unprobedIn({ containers, workload, service }: ProbedPods): UnprobedContainer | undefined {
  const podSpec = workload.template.spec;
  const waits = containers.some(({ value, getsProbe }) => getsProbe || isProbed(value));
  if (waits || stayingInitContainers(podSpec).some(isProbed) || listAt(podSpec, 'readinessGates').length > 0) return undefined;
  const index = Math.max(0, containers.findIndex(declaresPort));
  const container = containers[index];
  if (!container) return undefined;
  const port = valueAt(container.value, 'ports', 0, 'containerPort');
  if (port === undefined && service === undefined) return undefined;
  return {
    path: childPath(container.path, 'readinessProbe'),
    container: seen(valueAt(container.value, 'name') ?? index),
    ...(port !== undefined && { port: seen(port) }),
    ...(service !== undefined && { service }),
  };
}
