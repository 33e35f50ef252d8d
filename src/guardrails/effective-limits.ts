import { isIntOrPercent, isInt32, scaleRoundedDown, scaleRoundedUp } from '../core/values/int-or-percent';
import type { IntOrPercent } from '../core/values/int-or-percent';
import { getFieldsAt, groupOf, getValueAt } from '../core/manifest/manifest';
import type { Fields, Manifest } from '../core/manifest/manifest';

/** Kinds of apps/v1 that guardrails apply to. */
export const GUARDED_KINDS = ['Deployment', 'StatefulSet', 'DaemonSet'] as const;

/** A kind that guardrails apply to. */
export type GuardedKind = (typeof GUARDED_KINDS)[number];

/** Returns the kind by which guardrails evaluate an object; undefined if they do not apply to it. */
export function findGuardedKind(object: Manifest): GuardedKind | undefined {
  return groupOf(object) === 'apps' ? GUARDED_KINDS.find((kind) => kind === object.kind) : undefined;
}

/** The rollout limits of a workload, from its own fields and the server's defaults. */
export interface EffectiveLimits {
  readonly kind: GuardedKind;
  readonly type: string;
  /** Desired pods; undefined for a DaemonSet, which has one pod per node. */
  readonly replicas?: number;
  /** Extra pods beyond the replicas. For a DaemonSet a percentage is relative to its nodes. */
  readonly surge: IntOrPercent;
  /** Pods that may be unavailable. For a DaemonSet a percentage is relative to its nodes. */
  readonly unavailable: IntOrPercent;
  /** The most pods that a policy can require to stay available. The controller of a StatefulSet always takes one pod down. */
  readonly maxAvailable: number;
}

function isLimit(value: unknown): value is IntOrPercent {
  return isIntOrPercent(value) && (typeof value === 'string' || value >= 0);
}

/** Reads a limit of a rolling update. To the API server, null is the same as no value. */
function readLimit(rollingUpdate: Fields, field: 'maxSurge' | 'maxUnavailable', serverDefault: IntOrPercent): unknown {
  return rollingUpdate[field] ?? serverDefault;
}

/** Fields of a workload that every kind needs. */
interface LimitInputs {
  readonly spec: Fields;
  /** Desired pods; undefined if the object has no valid number. */
  readonly replicas?: number;
  readonly type: string;
  readonly keepsMaxUnavailable: boolean;
}

/** Source: k/k pkg/controller/deployment/util, `ResolveFenceposts`. */
function resolveDeploymentLimits({ spec, replicas, type }: LimitInputs): EffectiveLimits | undefined {
  const kind = 'Deployment';
  if (replicas === undefined) return undefined;
  if (type !== 'RollingUpdate') return { kind, type, replicas, surge: 0, unavailable: replicas, maxAvailable: replicas };
  const rollingUpdate = getFieldsAt(spec, 'strategy', 'rollingUpdate');
  const maxSurge = readLimit(rollingUpdate, 'maxSurge', '25%');
  const maxUnavailable = readLimit(rollingUpdate, 'maxUnavailable', '25%');
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
  const maxUnavailable = keepsMaxUnavailable ? readLimit(getFieldsAt(spec, 'updateStrategy', 'rollingUpdate'), 'maxUnavailable', 1) : 1;
  if (!isLimit(maxUnavailable)) return undefined;
  return { kind, type, replicas, surge: 0, unavailable: Math.max(1, scaleRoundedDown(maxUnavailable, replicas)), maxAvailable };
}

function resolveDaemonSetLimits({ spec, type }: LimitInputs): EffectiveLimits | undefined {
  const kind = 'DaemonSet';
  if (type !== 'RollingUpdate') return { kind, type, surge: 0, unavailable: 0, maxAvailable: 0 };
  const rollingUpdate = getFieldsAt(spec, 'updateStrategy', 'rollingUpdate');
  const maxSurge = readLimit(rollingUpdate, 'maxSurge', 0);
  const maxUnavailable = readLimit(rollingUpdate, 'maxUnavailable', 1);
  return isLimit(maxSurge) && isLimit(maxUnavailable)
    ? { kind, type, surge: maxSurge, unavailable: maxUnavailable, maxAvailable: 0 }
    : undefined;
}

/** Differences between kinds: the field of the strategy, and how its limits are resolved. */
interface KindTraits {
  readonly strategy: 'strategy' | 'updateStrategy';
  readonly resolveLimits: (inputs: LimitInputs) => EffectiveLimits | undefined;
}

const KIND_TRAITS: Readonly<Record<GuardedKind, KindTraits>> = {
  Deployment: { strategy: 'strategy', resolveLimits: resolveDeploymentLimits },
  StatefulSet: { strategy: 'updateStrategy', resolveLimits: resolveStatefulSetLimits },
  DaemonSet: { strategy: 'updateStrategy', resolveLimits: resolveDaemonSetLimits },
};

/** Returns the field of the spec that contains the strategy. */
export function strategyFieldOf(kind: GuardedKind): KindTraits['strategy'] {
  return KIND_TRAITS[kind].strategy;
}

/**
 * Resolves the rollout limits of a workload; undefined for one that the server refuses anyway.
 *
 * @param keepsMaxUnavailable - whether the server keeps the maxUnavailable of a StatefulSet
 */
export function resolveEffectiveLimits(workload: Manifest, kind: GuardedKind, keepsMaxUnavailable: boolean): EffectiveLimits | undefined {
  const spec = getFieldsAt(workload, 'spec');
  const replicas = spec.replicas ?? 1;
  // The API server replaces null and an empty text by the default.
  const type = (getValueAt(spec, strategyFieldOf(kind), 'type') ?? '') || 'RollingUpdate';
  if (typeof type !== 'string') return undefined;
  const isCount = isInt32(replicas) && replicas >= 0;
  return KIND_TRAITS[kind].resolveLimits({ spec, type, keepsMaxUnavailable, ...(isCount && { replicas }) });
}
