import { checkTimeNow } from '../../core/budget/deadline';
import { parseGoDuration } from '../../core/values/go-duration';
import { getFieldsAt, getListAt, getValueAt, isFields } from '../../core/manifest/manifest';
import { getPreStopSeconds } from './pre-stop';
import { toSafeText } from '../../core/text/value-text';
import { parseYamlText } from '../../core/values/yaml-text';

/** Name of the sidecar container of Istio. */
export const MESH_SIDECAR = 'istio-proxy';

/** Seconds after SIGTERM at which the sidecar exits by default. Source: istio 86c9f01, pkg/config/mesh/mesh.go, `TerminationDrainDuration`. */
const DEFAULT_DRAIN_SECONDS = 5;

const NANOS_PER_SECOND = 1e9;

/** The sidecar of a service mesh, through which all requests of a pod pass. */
export interface MeshSidecar {
  /** Whether it gets SIGTERM only after the containers have ended, as a native sidecar; undefined if the mesh decides it. */
  readonly isNative: boolean | undefined;
  /** Seconds of its own preStop hook; undefined if the manifest does not show them. */
  readonly preStopSeconds: number | undefined;
  /** Seconds after SIGTERM at which it exits although requests run; Infinity if it waits for them, undefined if the manifest does not show it. */
  readonly drainSeconds: number | undefined;
  /** Index among the containers, if it is one of them and not injected. */
  readonly index?: number;
}

function parseConfig(text: unknown): Record<string, unknown> | undefined {
  if (text === undefined || text === null || text === '') return {};
  if (typeof text !== 'string' || text.includes('$(')) return undefined;
  checkTimeNow();
  try {
    const config: unknown = parseYamlText(text);
    return isFields(config) ? config : undefined;
  } catch {
    return undefined;
  }
}

function parseDrainSeconds(config: Record<string, unknown>): number | undefined {
  const metadata = getFieldsAt(config, 'proxyMetadata');
  if (toSafeText(metadata.EXIT_ON_ZERO_ACTIVE_CONNECTIONS) === 'true') return Infinity;
  const { terminationDrainDuration: written } = config;
  if (written === undefined) return DEFAULT_DRAIN_SECONDS;
  const nanos = typeof written === 'string' ? parseGoDuration(written) : undefined;
  return nanos === undefined ? undefined : Number(nanos) / NANOS_PER_SECOND;
}

/** Returns the drain of a sidecar that the template has: its variables count, and the annotation of the pod only where it is injected. */
function readContainerDrain(container: unknown): number | undefined {
  const env = getListAt(container, 'env');
  const readText = (name: string) =>
    getValueAt(
      env.findLast((entry) => getValueAt(entry, 'name') === name),
      'value',
    );
  if (readText('EXIT_ON_ZERO_ACTIVE_CONNECTIONS') === 'true') return Infinity;
  const config = parseConfig(readText('PROXY_CONFIG'));
  return config && parseDrainSeconds(config);
}

const INJECT = 'sidecar.istio.io/inject';

function isInjected(metadata: unknown, namespaceLabels: unknown): boolean {
  const ofPod = getValueAt(metadata, 'labels', INJECT) ?? getValueAt(metadata, 'annotations', INJECT);
  if (ofPod !== undefined) return ofPod === 'true';
  return getValueAt(namespaceLabels, 'istio-injection') === 'enabled';
}

/** Finds the sidecar of Istio in the pods of a template, or where it is certainly injected. Undefined if there is none, or if that is not known. */
export function findMeshSidecar(template: unknown, namespaceLabels?: unknown): MeshSidecar | undefined {
  const spec = getValueAt(template, 'spec');
  const isSidecar = (container: unknown) => getValueAt(container, 'name') === MESH_SIDECAR;
  const containers = getListAt(spec, 'containers');
  const index = containers.findIndex(isSidecar);
  const container = containers[index] ?? getListAt(spec, 'initContainers').find(isSidecar);
  if (container !== undefined) {
    const isNative = index < 0;
    return {
      isNative,
      preStopSeconds: getPreStopSeconds(container),
      drainSeconds: readContainerDrain(container),
      ...(!isNative && { index }),
    };
  }
  const metadata = getValueAt(template, 'metadata');
  if (getValueAt(spec, 'hostNetwork') === true || !isInjected(metadata, namespaceLabels)) return undefined;
  const config = parseConfig(getValueAt(metadata, 'annotations', 'proxy.istio.io/config'));
  const native = getValueAt(metadata, 'annotations', 'sidecar.istio.io/nativeSidecar');
  return {
    isNative: native === 'true' ? true : native === 'false' ? false : undefined,
    preStopSeconds: 0,
    drainSeconds: config && parseDrainSeconds(config),
  };
}

/** Reports whether requests may reach the containers of a pod past its sidecar. */
export function hasSidecarBypass(template: unknown): boolean {
  const annotations = getFieldsAt(template, 'metadata', 'annotations');
  return Object.keys(annotations).some((name) => /^traffic\.sidecar\.istio\.io\/(?:exclude|include)Inbound/.test(name));
}
