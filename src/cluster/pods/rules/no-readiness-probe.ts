import { suggestManualFix, setField } from '../../../core/findings/suggested-fix';
import type { Edit } from '../../../core/findings/suggested-fix';
import { appendToPath } from '../../../core/manifest/field-path';
import type { FieldPath } from '../../../core/manifest/field-path';
import type { Finding } from '../../../core/findings/finding';
import { defineMessage, defineRule } from '../../../core/findings/finding';
import { isFields, getListAt, getValueAt } from '../../../core/manifest/manifest';
import { toDisplayValue, formatDisplayValue } from '../../../core/text/display-value';
import type { DisplayValue } from '../../../core/text/display-value';
import { listSidecars } from '../../rollout/sidecars';
import { renderDeployment } from './examples';
import type { ContainerAtPath, LocatedTemplate } from '../../rollout/located-template';

/** A container without a probe, and what relies on its readiness. */
interface ProbeData {
  /** The container that needs a probe: its name, or its index in the list if it has no name. */
  readonly container: DisplayValue;
  /** A port that the container declares. */
  readonly port?: DisplayValue;
  /** A Service that sends requests to the pods. */
  readonly service?: string;
}

/** Formats what relies on the readiness of the pods. */
function formatProbeReason({ container, port, service }: ProbeData): string {
  return service === undefined
    ? `container ${formatDisplayValue(container)} listens on port ${formatDisplayValue(port!)}`
    : `Service "${service}" sends requests to them`;
}

/** A container without a probe, with the path of the missing probe. */
export interface UnprobedContainer extends ProbeData {
  readonly path: FieldPath;
}

/**
 * Builds edits that add a TCP probe of the port: the simplest probe that distinguishes a listening application from a starting one.
 * Returns none if no port is known.
 */
export function buildProbeEdits({ port }: ProbeData, path: FieldPath): Edit[] {
  return typeof port === 'number' ? [setField(path, { tcpSocket: { port } })] : [];
}

const PORTS = '          ports: [{ containerPort: 8080 }]\n';

/** Reports pods whose readiness is not checked although a Service or a port relies on it. */
export const noReadinessProbe = defineRule({
  code: 'kubernetes/no-readiness-probe',
  since: '0.1.0',
  severity: 'warning',
  fires: 'A workload with a rolling update exposes a port or is selected by a Service, but no container has a readiness or startup probe.',
  why:
    'A pod without any probe counts as ready as soon as its containers run: it receives requests before the application can serve, ' +
    'and the rollout deletes the old pods too early. The rule does not fire if there is no Service and no port, since nothing then depends on readiness. ' +
    'One container with a probe is enough for the rollout to wait, and a rollout that replaces a single pod in place waits for none. ' +
    'For an InferenceService, the probes that KServe adds count.',
  fix: 'Give the container a `readinessProbe` that succeeds only when it can serve.',
  example: renderDeployment(PORTS),
  fixedExample: renderDeployment(`${PORTS}          readinessProbe: { httpGet: { path: /ready, port: 8080 } }
`),
  messages: {
    none: defineMessage<ProbeData>({
      text: (data) =>
        `No container of the pods has a readiness probe, but ${formatProbeReason(data)}: a pod counts as ready as soon as its containers run, ` +
        'so the rollout continues before the application can serve.',
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

/** Reports whether a container has a probe that its pod must pass before it is ready. */
function hasProbe(container: unknown): boolean {
  return isFields(container) && (isFields(container.readinessProbe) || isFields(container.startupProbe));
}

function hasPort({ value }: ContainerAtPath): boolean {
  return getListAt(value, 'ports').length > 0;
}

/**
 * Reports once per template that nothing determines when a pod is ready. A readiness gate counts like a probe.
 *
 * Source: k/k pkg/kubelet/prober/prober_manager.go, `UpdatePodStatus`.
 */
export function checkNoReadinessProbe(template: LocatedTemplate): Finding[] {
  const unprobed = template.awaitsReadiness ? findUnprobedContainer(template) : undefined;
  if (!unprobed) return [];
  const { path, ...data } = unprobed;
  return [noReadinessProbe.createFinding('none', { path, data })];
}

/** Finds the container that needs a probe: no container has one, and a port or a Service relies on it. */
export function findUnprobedContainer({ containers, template, service }: LocatedTemplate): UnprobedContainer | undefined {
  const podSpec = template.spec;
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
