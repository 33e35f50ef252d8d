import { getListAt, getValueAt } from '../../core/manifest/manifest';
import type { RequestTermination } from '../../core/document/request-termination';
import { hasSidecarBypass, findMeshSidecar, MESH_SIDECAR } from './mesh-sidecar';
import type { MeshSidecar } from './mesh-sidecar';
import { getPreStopSeconds } from './pre-stop';
import { getServerDrain } from './servers';
import type { ServerDrain } from './servers';

/** The grace period that the API server fills in. */
const DEFAULT_GRACE_SECONDS = 30;

/** Seconds that the kubelet leaves after SIGTERM at least. Source: k/k 1.34 pkg/kubelet/kuberuntime, `minimumGracePeriodInSeconds`. */
const MIN_SECONDS_AFTER_SIGTERM = 2;

/** Returns the grace period of pods in seconds. */
export function getGraceSeconds(podSpec: unknown): number {
  const seconds = getValueAt(podSpec, 'terminationGracePeriodSeconds');
  if (typeof seconds !== 'number') return DEFAULT_GRACE_SECONDS;
  // The API server stores 1 for a negative number. Source: k/k 1.34 pkg/apis/core/v1/defaults.go.
  return seconds < 0 ? 1 : seconds;
}

/** A container that serves requests, and what it does when its pod is deleted. */
export interface TerminatingServer {
  readonly index: number;
  readonly drain: ServerDrain;
  /** Seconds of its preStop hook; undefined if the manifest does not show them. */
  readonly preStopSeconds: number | undefined;
  readonly graceSeconds: number;
  /** Seconds between SIGTERM and SIGKILL, at most: if the preStop hook is not known, as if it took no time. */
  readonly secondsAfterSigterm: number;
}

/** Lists the containers whose server is known, in pods with a grace period. */
export function listTerminatingServers(graceSeconds: number, containers: readonly unknown[]): TerminatingServer[] {
  return containers.flatMap((container, index) => {
    const drain = getServerDrain(container);
    if (!drain) return [];
    const preStopSeconds = getPreStopSeconds(container);
    const secondsAfterSigterm = Math.max(MIN_SECONDS_AFTER_SIGTERM, graceSeconds - (preStopSeconds ?? 0));
    return [{ index, drain, preStopSeconds, graceSeconds, secondsAfterSigterm }];
  });
}

/** The end of a request in the containers of a pod: of its server, or of the sidecar that all requests pass. */
type RequestEnd = Pick<RequestTermination, 'preStopSeconds' | 'drainSeconds' | 'container'>;

/** Returns when the only known server of a pod ends a request; undefined if that is not known. */
function endAtServer(servers: readonly TerminatingServer[]): RequestEnd | undefined {
  const [server, ...others] = servers;
  if (!server || others.length > 0) return undefined;
  const { drain, preStopSeconds, graceSeconds, secondsAfterSigterm } = server;
  if (drain.seconds === undefined || preStopSeconds === undefined || preStopSeconds > graceSeconds) return undefined;
  return { preStopSeconds, drainSeconds: Math.min(drain.seconds, secondsAfterSigterm) };
}

/** Returns when the sidecar ends a request; undefined if that is not known, or if it outlasts the server. */
function endAtSidecar({ preStopSeconds, drainSeconds }: MeshSidecar, graceSeconds: number): RequestEnd | undefined {
  if (preStopSeconds === undefined || preStopSeconds > graceSeconds || drainSeconds === undefined || !Number.isFinite(drainSeconds))
    return undefined;
  const left = Math.max(MIN_SECONDS_AFTER_SIGTERM, graceSeconds - preStopSeconds);
  return { preStopSeconds, drainSeconds: Math.min(drainSeconds, left), container: MESH_SIDECAR };
}

function sumSeconds({ preStopSeconds, drainSeconds }: RequestEnd): number {
  return preStopSeconds + drainSeconds;
}

/** Returns the end that comes first; undefined if that is not known. */
function findEnd(template: unknown, namespaceLabels: unknown, graceSeconds: number): RequestEnd | undefined {
  const containers = getListAt(template, 'spec', 'containers');
  const server = endAtServer(listTerminatingServers(graceSeconds, containers));
  const sidecar = findMeshSidecar(template, namespaceLabels);
  if (!sidecar || sidecar.isNative === true || hasSidecarBypass(template)) return server;
  const end = endAtSidecar(sidecar, graceSeconds);
  if (!end) return sidecar.drainSeconds === Infinity ? server : undefined;
  const isFirst = !server || sumSeconds(end) < sumSeconds(server);
  if (!isFirst) return server;
  // The mesh decides whether an injected sidecar is a native one, which ends after the server.
  return sidecar.isNative === false ? end : undefined;
}

/**
 * Returns how long a request that runs when its pod is deleted lives at most: the preStop hook, then the drain of the server, until the grace
 * period ends. A sidecar that all requests pass may end them first. Undefined unless exactly one server is known, with its hook and its drain,
 * or such a sidecar.
 *
 * With a grace period of 60 s, a hook of 15 s and a drain of 40 s: 15 + 40 = 55 s. With a grace period of 30 s: 15 + 15 = 30 s.
 *
 * @param namespaceLabels - labels of the namespace, if it is in the input
 */
export function getRequestTermination(template: unknown, namespaceLabels?: unknown): RequestTermination | undefined {
  const graceSeconds = getGraceSeconds(getValueAt(template, 'spec'));
  const end = graceSeconds > 0 ? findEnd(template, namespaceLabels, graceSeconds) : undefined;
  if (!end) return undefined;
  const { preStopSeconds, drainSeconds, container } = end;
  return { requestSeconds: sumSeconds(end), preStopSeconds, drainSeconds, graceSeconds, ...(container !== undefined && { container }) };
}
