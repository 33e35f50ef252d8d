import { isIntOrPercent, isInt32, scaleRoundedDown, scaleRoundedUp } from '../core/int-or-percent';
import type { IntOrPercent } from '../core/int-or-percent';
import { getFieldsAt, groupOf, getValueAt } from '../core/manifest';
import type { Fields, Manifest } from '../core/manifest';

/** The kinds of apps/v1 that guardrails judge. */
export const GUARDED_KINDS = ['Deployment', 'StatefulSet', 'DaemonSet'] as const;

/** One of them. */
export type GuardedKind = (typeof GUARDED_KINDS)[number];

/** What guardrails judge an object as. */
export function guardedKindOf(object: Manifest): GuardedKind | undefined {
  return groupOf(object) === 'apps' ? GUARDED_KINDS.find((kind) => kind === object.kind) : undefined;
}

/** How a workload rolls out, from what stands in it and the server's defaults. */
export interface EffectiveLimits {
  readonly kind: GuardedKind;
  readonly type: string;
  /** Undefined for a DaemonSet, which has a pod a node. */
  readonly replicas?: number;
  /** Pods beyond the replicas; of a DaemonSet a percentage is one of its nodes. */
  readonly surge: IntOrPercent;
  /** Pods that may be down; of a DaemonSet a percentage is one of its nodes. */
  readonly unavailable: IntOrPercent;
  /** The most that may be asked to stay available: the controller of a StatefulSet always takes a pod down, however it is written. */
  readonly maxAvailable: number;
}

function isLimit(value: unknown): value is IntOrPercent {
  return isIntOrPercent(value) && (typeof value === 'string' || value >= 0);
}

/** What is known of a workload before its kind is asked. */
interface LimitInputs {
  readonly spec: Fields;
  /** Undefined where the object has none that a workload can have. */
  readonly replicas?: number;
  readonly type: string;
  readonly keepsMaxUnavailable: boolean;
}

/** Source: k/k pkg/controller/deployment/util, `ResolveFenceposts`. */
function resolveDeploymentLimits({ spec, replicas, type }: LimitInputs): EffectiveLimits | undefined {
  const kind = 'Deployment';
  if (replicas === undefined) return undefined;
  if (type !== 'RollingUpdate') return { kind, type, replicas, surge: 0, unavailable: replicas, maxAvailable: replicas };
  const { maxSurge = '25%', maxUnavailable = '25%' } = getFieldsAt(spec, 'strategy', 'rollingUpdate');
  if (!isLimit(maxSurge) || !isLimit(maxUnavailable)) return undefined;
  const surge = scaleRoundedUp(maxSurge, replicas);
  const configured = scaleRoundedDown(maxUnavailable, replicas);
  return { kind, type, replicas, surge, unavailable: surge === 0 && configured === 0 ? 1 : configured, maxAvailable: replicas };
}

/** Source: k/k pkg/controller/statefulset/stateful_set_utils.go, `getStatefulSetMaxUnavailable`. */
function resolveStatefulSetLimits({ spec, replicas, type, keepsMaxUnavailable }: LimitInputs): EffectiveLimits | undefined {
  const kind = 'StatefulSet';
  if (replicas === undefined) return undefined;
  const maxAvailable = Math.max(0, replicas - 1);
  if (type !== 'RollingUpdate') return { kind, type, replicas, surge: 0, unavailable: 0, maxAvailable };
  const { maxUnavailable = 1 } = keepsMaxUnavailable ? getFieldsAt(spec, 'updateStrategy', 'rollingUpdate') : {};
  if (!isLimit(maxUnavailable)) return undefined;
  return { kind, type, replicas, surge: 0, unavailable: Math.max(1, scaleRoundedDown(maxUnavailable, replicas)), maxAvailable };
}

function resolveDaemonSetLimits({ spec, type }: LimitInputs): EffectiveLimits | undefined {
  const kind = 'DaemonSet';
  if (type !== 'RollingUpdate') return { kind, type, surge: 0, unavailable: 0, maxAvailable: 0 };
  const { maxSurge = 0, maxUnavailable = 1 } = getFieldsAt(spec, 'updateStrategy', 'rollingUpdate');
  return isLimit(maxSurge) && isLimit(maxUnavailable)
    ? { kind, type, surge: maxSurge, unavailable: maxUnavailable, maxAvailable: 0 }
    : undefined;
}

/** What differs by kind: where its strategy stands, and what that comes to. */
interface KindTraits {
  readonly strategy: 'strategy' | 'updateStrategy';
  readonly resolveLimits: (paced: LimitInputs) => EffectiveLimits | undefined;
}

const KIND_TRAITS: Readonly<Record<GuardedKind, KindTraits>> = {
  Deployment: { strategy: 'strategy', resolveLimits: resolveDeploymentLimits },
  StatefulSet: { strategy: 'updateStrategy', resolveLimits: resolveStatefulSetLimits },
  DaemonSet: { strategy: 'updateStrategy', resolveLimits: resolveDaemonSetLimits },
};

/** The field of the spec that has the strategy. */
export function strategyFieldOf(kind: GuardedKind): KindTraits['strategy'] {
  return KIND_TRAITS[kind].strategy;
}

/**
 * How a workload rolls out; undefined for one that the server refuses anyway.
 *
 * @param keepsMaxUnavailable - does the server keep the maxUnavailable of a StatefulSet?
 */
export function resolveEffectiveLimits(workload: Manifest, kind: GuardedKind, keepsMaxUnavailable: boolean): EffectiveLimits | undefined {
  const spec = getFieldsAt(workload, 'spec');
  const replicas = spec.replicas ?? 1;
  const type = getValueAt(spec, strategyFieldOf(kind), 'type') ?? 'RollingUpdate';
  if (typeof type !== 'string') return undefined;
  const isCount = isInt32(replicas) && replicas >= 0;
  return KIND_TRAITS[kind].resolveLimits({ spec, type, keepsMaxUnavailable, ...(isCount && { replicas }) });
}
