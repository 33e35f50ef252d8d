import { isMetadataPath } from '../../core/manifest/field-path';
import type { ApplyEffect, FieldChange } from '../../core/document/change';
import { getFieldsAt } from '../../core/manifest/manifest';
import type { Manifest } from '../../core/manifest/manifest';
import type { RolloutKind } from '../../workloads/rollout-kind';
import type { WorkloadInitialState } from '../initial-state/workload-initial-state';

/** Effects that an apply has on an existing workload of apps/v1 that the server accepts. */
export type WorkloadEffect = Extract<
  ApplyEffect,
  'roll-and-scale' | 'roll' | 'held' | 'scale' | 'settings' | 'metadata' | 'none' | 'unknown'
>;

/** A workload of apps/v1 on both sides, as the server stores it. */
export interface ChangedWorkload {
  readonly kind: RolloutKind;
  readonly old: Manifest;
  readonly next: Manifest;
  /** Desired pods before and after the apply. */
  readonly replicas: { readonly old: number; readonly next: number };
  readonly initialState: WorkloadInitialState;
  /** Whether the old object was read from a cluster, so that `initialState` knows the templates of its pods. */
  readonly isLive: boolean;
  /** Whether the controller considers the new pod template the same as the current one. */
  readonly isSameTemplate: boolean;
  /** The nodes that its pods can be scheduled on; undefined if that is not known, or if the kind does not run one pod per node. */
  readonly nodes?: number;
}

/** Reports whether the new strategy releases pods that the old one kept from updating. */
function hasReleasedPods({ kind, old, next, replicas }: ChangedWorkload): boolean {
  const pinned = kind.countPinnedPods(next, replicas.next);
  return pinned !== Infinity && pinned < kind.countPinnedPods(old, replicas.old);
}

/** Reports whether the limits or the type of a rollout change. */
function isStrategyChanged(differences: readonly FieldChange[]): boolean {
  return differences.some(({ path }) => path.startsWith('spec.strategy') || path.startsWith('spec.updateStrategy'));
}

function determinePodEffect(changed: ChangedWorkload, differences: readonly FieldChange[]): WorkloadEffect | undefined {
  const { kind, old, next, replicas, initialState, isLive, isSameTemplate, nodes } = changed;
  const { onePerNode = false } = kind.traits;
  const scales = replicas.old !== replicas.next;
  const hasPods = onePerNode ? nodes !== 0 : replicas.old > 0 && replicas.next > 0;
  const runs = onePerNode ? initialState.rolloutState.replicas : replicas.old;
  const needsReplacement = !isSameTemplate && (initialState.oldPods > 0 || runs === 0);
  const pinsAllPods = kind.countPinnedPods(next, replicas.next) === Infinity;
  const isReleased = hasReleasedPods(changed);
  if ((needsReplacement && hasPods && !pinsAllPods) || (isReleased && initialState.oldPods > 0)) return scales ? 'roll-and-scale' : 'roll';
  // The rollout in progress continues with the new number of pods, or under the new strategy: Recreate deletes all old pods at once.
  if (isLive && isSameTemplate && hasPods && !pinsAllPods && initialState.oldPods > 0) {
    if (scales) return 'roll-and-scale';
    if (isStrategyChanged(differences) && initialState.oldPods > kind.countPinnedPods(next, replicas.next)) return 'roll';
  }
  // A manifest that kept pods from updating does not show which template they have.
  if (isReleased && hasPods && !isLive) return 'unknown';
  // A rollout in progress is stopped.
  if (pinsAllPods && initialState.oldPods > 0 && !scales && kind.countPinnedPods(old, replicas.old) !== Infinity) return 'held';
  // Scaling from or to no pods changes only their number. Without pods on both sides, the template waits.
  if (needsReplacement && !(scales && !hasPods)) return 'held';
  return scales ? 'scale' : undefined;
}

/** Determines what an apply does to a workload, from the fields that the server stores before and after. */
export function determineWorkloadEffect(changed: ChangedWorkload, differences: readonly FieldChange[]): WorkloadEffect {
  const pods = determinePodEffect(changed, differences);
  if (pods) return pods;
  if (differences.some(({ path }) => !isMetadataPath(path))) return 'settings';
  return differences.length > 0 ? 'metadata' : 'none';
}

/** Describes what must happen before a held workload replaces pods: it has no pods, its strategy replaces none, or both. */
export function describeBlockedUntil({
  kind,
  next,
  replicas,
  nodes,
}: Pick<ChangedWorkload, 'kind' | 'next' | 'replicas' | 'nodes'>): string {
  if (kind.countPinnedPods(next, replicas.next) === Infinity && (kind.traits.onePerNode || replicas.next > 0))
    return kind.resumeCondition(next);
  return kind.traits.onePerNode && nodes === 0 ? 'a node accepts its pods' : 'it has pods';
}

/** Sorts the changed fields so that the decisive ones come first: for a roll images, then the rest of the template; for a scale the replicas. */
export function sortDecisiveFirst(effect: ApplyEffect, differences: readonly FieldChange[]): FieldChange[] {
  const isImage = ({ path }: FieldChange) => path.endsWith('.image');
  const isTemplate = ({ path }: FieldChange) => path.startsWith('spec.template');
  const isReplicas = ({ path }: FieldChange) => path === 'spec.replicas';
  const rank = (field: FieldChange) => {
    if (effect === 'scale') return isReplicas(field) ? 0 : 1;
    if (isImage(field)) return 0;
    if (isTemplate(field)) return 1;
    if (isReplicas(field)) return 2;
    return isMetadataPath(field.path) ? 4 : 3;
  };
  return differences.toSorted((a, b) => rank(a) - rank(b));
}

/** Returns the desired pods of a stored workload; 1 if it does not set replicas. */
export function getStoredReplicas(workload: Manifest): number {
  const { replicas } = getFieldsAt(workload, 'spec');
  return typeof replicas === 'number' ? replicas : 1;
}
