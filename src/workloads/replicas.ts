import { isFieldKept } from '../appliers/kept-fields';
import { isInt32 } from '../core/values/int-or-percent';
import { toFieldPath } from '../core/manifest/field-path';
import { getFieldsAt, getValueAt } from '../core/manifest/manifest';
import type { Manifest } from '../core/manifest/manifest';
import { autoscalerOf } from '../cluster/autoscaling/autoscaler';
import type { Autoscaler } from '../cluster/autoscaling/autoscaler';
import type { PlanContext } from '../cluster/context/context';
import { DEPLOYMENT_DEFAULTS } from './deployment/strategy';
import type { DeclaredReplicas } from './rule-context';
import type { ObjectKind, PodCount } from './rollout-kind';

type Scalable = Pick<ObjectKind, 'hasScale'>;

/** Returns the pods that a workload runs: its replicas, or if they are not set the initial replicas of its autoscaler, or 1. */
export function replicasOf(workload: Manifest, autoscaler: Autoscaler | undefined): number {
  const replicas = getValueAt(workload, 'spec', 'replicas');
  if (isInt32(replicas)) return replicas;
  return autoscaler?.initial ?? DEPLOYMENT_DEFAULTS.replicas;
}

/** Finds the autoscaler of a workload. A kind without a scale subresource has none, even if an autoscaler targets it. */
export function findAutoscaler({ hasScale }: Scalable, workload: Manifest, context: PlanContext): Autoscaler | undefined {
  return hasScale ? autoscalerOf(workload, context) : undefined;
}

/** Resolves the desired replicas of a workload, including its autoscaler. */
export function resolveDesiredReplicas(kind: Scalable, workload: Manifest, context: PlanContext): number {
  return replicasOf(workload, findAutoscaler(kind, workload, context));
}

/** Returns the replicas to which an autoscaler brings a workload with this number of them. */
export function clampReplicas(replicas: number, { minimum, maximum, startsFromZero }: Autoscaler): number {
  return replicas === 0 && !startsFromZero ? 0 : Math.min(maximum, Math.max(minimum, replicas));
}

/** Autoscalers of an object before and after an apply. */
export interface AutoscalerChange {
  readonly old: Autoscaler | undefined;
  readonly next: Autoscaler | undefined;
}

/**
 * Returns the replicas after an apply that leaves the number of the object as it is. A new autoscaler, or one with other bounds, changes it:
 * 8 replicas and a new maximum of 3 are 3.
 */
export function clampToChangedAutoscaler(replicas: number, { old, next }: AutoscalerChange): number {
  if (!next || (old && old.minimum === next.minimum && old.maximum === next.maximum)) return replicas;
  return clampReplicas(replicas, next);
}

/** Counts the pods of a workload with replicas and a scale subresource. */
export function countPodsByReplicas(workload: Manifest, context: PlanContext): PodCount {
  const autoscaler = autoscalerOf(workload, context);
  const replicas = replicasOf(workload, autoscaler);
  return { steady: replicas, initialState: { replicas }, autoscaler };
}

const REPLICAS_PATH = toFieldPath`spec.replicas`;

/** Returns the tool that applies an object, and whether it keeps the live replicas. Returns undefined if the tool is not known. */
function findReplicasApplier(object: Manifest, context: PlanContext): DeclaredReplicas['applied'] {
  const applied = context.applierOf?.(object);
  if (!applied) return undefined;
  return { applier: applied.applier, keepsReplicas: isFieldKept(object, ['spec', 'replicas'], applied.source?.keptFields ?? []) };
}

/** Returns the replicas that every apply of the object resets, or undefined if the apply keeps the live ones. */
export function getDeclaredReplicas(
  object: Manifest,
  autoscaler: Autoscaler | undefined,
  context: PlanContext,
): DeclaredReplicas | undefined {
  const { replicas } = getFieldsAt(object, 'spec');
  if (!isInt32(replicas) || context.changedPods?.(object)?.keepsReplicas) return undefined;
  // Only autoscalers conflict with the tool that applies the replicas.
  return { path: REPLICAS_PATH, replicas, writer: 'apply', applied: autoscaler && findReplicasApplier(object, context) };
}
