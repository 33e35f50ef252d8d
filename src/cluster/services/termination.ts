import { getListAt, getValueAt } from '../../core/manifest';
import type { RequestTermination } from '../../core/service-plan';
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
  return typeof seconds === 'number' && seconds >= 0 ? seconds : DEFAULT_GRACE_SECONDS;
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

/**
 * Returns how long a request that runs when its pod is deleted lives at most: the preStop hook, then the drain of the server, until the grace
 * period ends. Undefined unless exactly one server is known, with its hook and its drain.
 *
 * With a grace period of 60 s, a hook of 15 s and a drain of 40 s: 15 + 40 = 55 s. With a grace period of 30 s: 15 + 15 = 30 s.
 */
export function getRequestTermination(podSpec: unknown): RequestTermination | undefined {
  const [server, ...others] = listTerminatingServers(getGraceSeconds(podSpec), getListAt(podSpec, 'containers'));
  if (!server || others.length > 0) return undefined;
  const { drain, preStopSeconds, graceSeconds, secondsAfterSigterm } = server;
  if (drain.seconds === undefined || preStopSeconds === undefined || preStopSeconds > graceSeconds) return undefined;
  const drainSeconds = Math.min(drain.seconds, secondsAfterSigterm);
  return { requestSeconds: preStopSeconds + drainSeconds, preStopSeconds, drainSeconds, graceSeconds };
}
