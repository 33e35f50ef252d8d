import { suggestManualFix, setField } from '../../core/suggested-fix';
import type { Edit } from '../../core/suggested-fix';
import { appendToPath } from '../../core/field-path';
import type { FieldPath } from '../../core/field-path';
import type { Finding } from '../../core/finding';
import { defineMessage, defineRule } from '../../core/finding';
import { isFields, getListAt, getValueAt } from '../../core/manifest';
import { toDisplayValue, formatDisplayValue } from '../../core/display-value';
import type { DisplayValue } from '../../core/display-value';
import type { RuleContext, ContainerAtPath } from '../rule-context';

/** Pods that nobody probes, and who relies on their being ready. */
interface ProbeData {
  /** The container that is to have it: its name, or its place among the containers where it has none. */
  readonly container: DisplayValue;
  /** A port that it declares. */
  readonly port?: DisplayValue;
  /** A Service that sends requests to the pods. */
  readonly service?: string;
}

/** Who relies on the pods being ready. */
function formatProbeReason({ container, port, service }: ProbeData): string {
  return service === undefined
    ? `container ${formatDisplayValue(container)} listens on port ${formatDisplayValue(port!)}`
    : `Service "${service}" sends requests to them`;
}

/** The same with the path of the probe that is missing. */
export interface UnprobedContainer extends ProbeData {
  readonly path: FieldPath;
}

/** A probe of the port, the least that tells an application that listens from one that starts; none where no port is known. */
export function buildProbeEdits({ port }: ProbeData, path: FieldPath): Edit[] {
  return typeof port === 'number' ? [setField(path, { tcpSocket: { port } })] : [];
}

/** Pods whose readiness nobody checks although somebody goes by it. */
export const noReadinessProbe = defineRule({
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
  fixedExample: `apiVersion: apps/v1
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
    none: defineMessage<ProbeData>({
      text: (data) =>
        `No container of the pods has a readiness probe, and ${formatProbeReason(data)}: a pod counts as ready as soon as its containers run, ` +
        'so the rollout goes on before the application can serve.',
      help: ({ container }) =>
        `Give container ${formatDisplayValue(container)} a readinessProbe that succeeds only when the application can serve.`,
      suggestedFix: (data, path) => suggestManualFix(...buildProbeEdits(data, path)),
      deduplicationKey: ({ container, port }) => [container, port ?? null],
      sample: { container: 'web', port: 8080 },
      variants: [
        { container: 2, service: 'web' },
        { container: 'web', port: 8080, service: 'web' },
      ],
    }),
  },
});

/** A container that stays, as far as it makes its pod wait to be ready. */
function hasProbe(container: unknown): boolean {
  return isFields(container) && (isFields(container.readinessProbe) || isFields(container.startupProbe));
}

/** Init containers that stay beside the others have probes as those have. */
function listSidecars(podSpec: unknown): readonly unknown[] {
  return getListAt(podSpec, 'initContainers').filter((container) => getValueAt(container, 'restartPolicy') === 'Always');
}

function hasPort({ value }: ContainerAtPath): boolean {
  return getListAt(value, 'ports').length > 0;
}

/**
 * Says that nothing tells when a pod is ready, once a workload. A readiness gate tells it, too.
 *
 * Source: k/k pkg/kubelet/prober/prober_manager.go, `UpdatePodStatus`.
 */
export function checkNoReadinessProbe(ruleContext: RuleContext): Finding[] {
  return isOnlyPodReplaced(ruleContext) ? [] : checkPodProbes(ruleContext);
}

/** Is there no pod, or one that goes before its successor comes and can be replaced no better? Then no later step waits for any pod. */
function isOnlyPodReplaced({ rollout, capacity, workload }: RuleContext): boolean {
  if (!rollout || rollout.replicas > 1) return false;
  return rollout.replicas === 0 || (rollout.leastAvailable === 0 && (!workload.hasSurge || capacity.obstacle !== undefined));
}

/** Pods of one template, and who relies on their being ready. */
type ProbedPods = Pick<RuleContext, 'containers' | 'service'> & { readonly workload: Pick<RuleContext['workload'], 'template'> };

/** Says that nothing tells when a pod of these is ready, whatever their number. */
export function checkPodProbes(pods: ProbedPods): Finding[] {
  const unprobed = findUnprobedContainer(pods);
  if (!unprobed) return [];
  const { path, ...data } = unprobed;
  return [noReadinessProbe.createFinding('none', { path, data })];
}

/** The container that is to have a probe, where none has one and somebody relies on it; with the path of the probe. */
export function findUnprobedContainer({ containers, workload, service }: ProbedPods): UnprobedContainer | undefined {
  const podSpec = workload.template.spec;
  const hasAnyProbe = containers.some(({ value, getsProbe }) => getsProbe || hasProbe(value));
  if (hasAnyProbe || listSidecars(podSpec).some(hasProbe) || getListAt(podSpec, 'readinessGates').length > 0) return undefined;
  const index = Math.max(0, containers.findIndex(hasPort));
  const container = containers[index];
  if (!container) return undefined;
  const port = getValueAt(container.value, 'ports', 0, 'containerPort');
  if (port === undefined && service === undefined) return undefined;
  return {
    path: appendToPath(container.path, 'readinessProbe'),
    container: toDisplayValue(getValueAt(container.value, 'name') ?? index),
    ...(port !== undefined && { port: toDisplayValue(port) }),
    ...(service !== undefined && { service }),
  };
}
