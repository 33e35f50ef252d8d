import { isIntOrPercent, isInt32, scaledDown, scaledUp } from '../core/int-or-percent';
import type { IntOrPercent } from '../core/int-or-percent';
import { fieldsAt, groupOf, valueAt } from '../core/manifest';
import type { Manifest } from '../core/manifest';

/** The kinds of apps/v1 that guardrails judge. */
export const GUARDED_KINDS = ['Deployment', 'StatefulSet', 'DaemonSet'] as const;

/** One of them. */
export type GuardedKind = (typeof GUARDED_KINDS)[number];

/** What guardrails judge an object as. */
export function guardedKind(object: Manifest): GuardedKind | undefined {
  return groupOf(object) === 'apps' ? GUARDED_KINDS.find((kind) => kind === object.kind) : undefined;
}

/** How a workload rolls out, from what stands in it and the server's defaults. */
export interface Pace {
  readonly kind: GuardedKind;
  readonly type: string;
  /** Undefined for a DaemonSet, which has a pod a node. */
  readonly replicas?: number;
  /** Pods beyond the replicas; of a DaemonSet a percentage is one of its nodes. */
  readonly surge: IntOrPercent;
  /** Pods that may be down; of a DaemonSet a percentage is one of its nodes. */
  readonly unavailable: IntOrPercent;
  /** The most that may be asked to stay available: the controller of a StatefulSet always takes a pod down, however it is written. */
  readonly most: number;
}

function isLimit(value: unknown): value is IntOrPercent {
  return isIntOrPercent(value) && (typeof value === 'string' || value >= 0);
}

/** Source: k/k pkg/controller/deployment/util, `ResolveFenceposts`. */
function deploymentPace(spec: ReturnType<typeof fieldsAt>, replicas: number, type: string): Pace | undefined {
  const kind = 'Deployment';
  if (type !== 'RollingUpdate') return { kind, type, replicas, surge: 0, unavailable: replicas, most: replicas };
  const { maxSurge = '25%', maxUnavailable = '25%' } = fieldsAt(spec, 'strategy', 'rollingUpdate');
  if (!isLimit(maxSurge) || !isLimit(maxUnavailable)) return undefined;
  const surge = scaledUp(maxSurge, replicas);
  const written = scaledDown(maxUnavailable, replicas);
  return { kind, type, replicas, surge, unavailable: surge === 0 && written === 0 ? 1 : written, most: replicas };
}

/** Source: k/k pkg/controller/statefulset/stateful_set_utils.go, `getStatefulSetMaxUnavailable`. */
function statefulSetPace(
  spec: ReturnType<typeof fieldsAt>,
  replicas: number,
  type: string,
  keepsMaxUnavailable: boolean,
): Pace | undefined {
  const kind = 'StatefulSet';
  const most = Math.max(0, replicas - 1);
  if (type !== 'RollingUpdate') return { kind, type, replicas, surge: 0, unavailable: 0, most };
  const { maxUnavailable = 1 } = keepsMaxUnavailable ? fieldsAt(spec, 'updateStrategy', 'rollingUpdate') : {};
  if (!isLimit(maxUnavailable)) return undefined;
  return { kind, type, replicas, surge: 0, unavailable: Math.max(1, scaledDown(maxUnavailable, replicas)), most };
}

function daemonSetPace(spec: ReturnType<typeof fieldsAt>, type: string): Pace | undefined {
  const kind = 'DaemonSet';
  if (type !== 'RollingUpdate') return { kind, type, surge: 0, unavailable: 0, most: 0 };
  const { maxSurge = 0, maxUnavailable = 1 } = fieldsAt(spec, 'updateStrategy', 'rollingUpdate');
  return isLimit(maxSurge) && isLimit(maxUnavailable) ? { kind, type, surge: maxSurge, unavailable: maxUnavailable, most: 0 } : undefined;
}

/**
 * How a workload rolls out; undefined for one that the server refuses anyway.
 *
 * @param keepsMaxUnavailable - does the server keep the maxUnavailable of a StatefulSet?
 */
export function paceOf(workload: Manifest, kind: GuardedKind, keepsMaxUnavailable: boolean): Pace | undefined {
  const spec = fieldsAt(workload, 'spec');
  const replicas = spec.replicas ?? 1;
  const type = valueAt(spec, kind === 'Deployment' ? 'strategy' : 'updateStrategy', 'type') ?? 'RollingUpdate';
  if (typeof type !== 'string') return undefined;
  if (kind === 'DaemonSet') return daemonSetPace(spec, type);
  if (!isInt32(replicas) || replicas < 0) return undefined;
  return kind === 'Deployment' ? deploymentPace(spec, replicas, type) : statefulSetPace(spec, replicas, type, keepsMaxUnavailable);
}
