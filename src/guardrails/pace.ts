import { isIntOrPercent, isInt32, scaledDown, scaledUp } from '../core/int-or-percent';
import type { IntOrPercent } from '../core/int-or-percent';
import { fieldsAt, groupOf, valueAt } from '../core/manifest';
import type { Fields, Manifest } from '../core/manifest';

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

/** What is known of a workload before its kind is asked. */
interface Paced {
  readonly spec: Fields;
  /** Undefined where the object has none that a workload can have. */
  readonly replicas?: number;
  readonly type: string;
  readonly keepsMaxUnavailable: boolean;
}

/** Source: k/k pkg/controller/deployment/util, `ResolveFenceposts`. */
function deploymentPace({ spec, replicas, type }: Paced): Pace | undefined {
  const kind = 'Deployment';
  if (replicas === undefined) return undefined;
  if (type !== 'RollingUpdate') return { kind, type, replicas, surge: 0, unavailable: replicas, most: replicas };
  const { maxSurge = '25%', maxUnavailable = '25%' } = fieldsAt(spec, 'strategy', 'rollingUpdate');
  if (!isLimit(maxSurge) || !isLimit(maxUnavailable)) return undefined;
  const surge = scaledUp(maxSurge, replicas);
  const written = scaledDown(maxUnavailable, replicas);
  return { kind, type, replicas, surge, unavailable: surge === 0 && written === 0 ? 1 : written, most: replicas };
}

/** Source: k/k pkg/controller/statefulset/stateful_set_utils.go, `getStatefulSetMaxUnavailable`. */
function statefulSetPace({ spec, replicas, type, keepsMaxUnavailable }: Paced): Pace | undefined {
  const kind = 'StatefulSet';
  if (replicas === undefined) return undefined;
  const most = Math.max(0, replicas - 1);
  if (type !== 'RollingUpdate') return { kind, type, replicas, surge: 0, unavailable: 0, most };
  const { maxUnavailable = 1 } = keepsMaxUnavailable ? fieldsAt(spec, 'updateStrategy', 'rollingUpdate') : {};
  if (!isLimit(maxUnavailable)) return undefined;
  return { kind, type, replicas, surge: 0, unavailable: Math.max(1, scaledDown(maxUnavailable, replicas)), most };
}

function daemonSetPace({ spec, type }: Paced): Pace | undefined {
  const kind = 'DaemonSet';
  if (type !== 'RollingUpdate') return { kind, type, surge: 0, unavailable: 0, most: 0 };
  const { maxSurge = 0, maxUnavailable = 1 } = fieldsAt(spec, 'updateStrategy', 'rollingUpdate');
  return isLimit(maxSurge) && isLimit(maxUnavailable) ? { kind, type, surge: maxSurge, unavailable: maxUnavailable, most: 0 } : undefined;
}

/** What differs by kind: where its strategy stands, and what that comes to. */
interface GuardedTraits {
  readonly strategy: 'strategy' | 'updateStrategy';
  readonly paceOf: (paced: Paced) => Pace | undefined;
}

const TRAITS: Readonly<Record<GuardedKind, GuardedTraits>> = {
  Deployment: { strategy: 'strategy', paceOf: deploymentPace },
  StatefulSet: { strategy: 'updateStrategy', paceOf: statefulSetPace },
  DaemonSet: { strategy: 'updateStrategy', paceOf: daemonSetPace },
};

/** The field of the spec that has the strategy. */
export function strategyFieldOf(kind: GuardedKind): GuardedTraits['strategy'] {
  return TRAITS[kind].strategy;
}

/**
 * How a workload rolls out; undefined for one that the server refuses anyway.
 *
 * @param keepsMaxUnavailable - does the server keep the maxUnavailable of a StatefulSet?
 */
export function paceOf(workload: Manifest, kind: GuardedKind, keepsMaxUnavailable: boolean): Pace | undefined {
  const spec = fieldsAt(workload, 'spec');
  const replicas = spec.replicas ?? 1;
  const type = valueAt(spec, strategyFieldOf(kind), 'type') ?? 'RollingUpdate';
  if (typeof type !== 'string') return undefined;
  const isCount = isInt32(replicas) && replicas >= 0;
  return TRAITS[kind].paceOf({ spec, type, keepsMaxUnavailable, ...(isCount && { replicas }) });
}
