import type { ApplyEffect, FieldChange } from '../core/change';
import { getFieldsAt } from '../core/manifest';
import type { Manifest } from '../core/manifest';
import type { RolloutKind } from '../workloads/rollout-kind';
import type { WorkloadInitialState } from './workload-initial-state';

/** Effects that an apply has on a workload of apps/v1 that is there and that the server takes. */
export type WorkloadEffect = Extract<
  ApplyEffect,
  'roll-and-scale' | 'roll' | 'held' | 'scale' | 'settings' | 'metadata' | 'none' | 'unknown'
>;

/** A workload of apps/v1 on both sides, as the server holds it. */
export interface ChangedWorkload {
  readonly kind: RolloutKind;
  readonly old: Manifest;
  readonly next: Manifest;
  /** Pods that are wanted before the apply and after it. */
  readonly replicas: { readonly old: number; readonly next: number };
  readonly initialState: WorkloadInitialState;
  /** Was the old one read from a cluster, so that `start` knows the templates of its pods? */
  readonly isLive: boolean;
  /** Is the new pod template to its controller the one that it has? */
  readonly isSameTemplate: boolean;
  /** Nodes that its pods may go to; undefined where that is not known, or where it has not one on each. */
  readonly nodes?: number;
}

/** Does the new strategy let pods go that the old one held back? */
function hasReleasedPods({ kind, old, next, replicas }: ChangedWorkload): boolean {
  const held = kind.countPinnedPods(next, replicas.next);
  return held !== Infinity && held < kind.countPinnedPods(old, replicas.old);
}

function determinePodEffect(changed: ChangedWorkload): WorkloadEffect | undefined {
  const { kind, old, next, replicas, initialState, isLive, isSameTemplate, nodes } = changed;
  const { onePerNode = false } = kind.traits;
  const scales = replicas.old !== replicas.next;
  const hasPods = onePerNode ? nodes !== 0 : replicas.old > 0 && replicas.next > 0;
  const runs = onePerNode ? initialState.rolloutState.replicas : replicas.old;
  const needsReplacement = !isSameTemplate && (initialState.oldPods > 0 || runs === 0);
  const isHeld = kind.countPinnedPods(next, replicas.next) === Infinity;
  const isReleased = hasReleasedPods(changed);
  if ((needsReplacement && hasPods && !isHeld) || (isReleased && initialState.oldPods > 0)) return scales ? 'roll-and-scale' : 'roll';
  // A manifest that held pods back does not tell of which template they are.
  if (isReleased && hasPods && !isLive) return 'unknown';
  // A rollout under way is stopped where it stands.
  if (isHeld && initialState.oldPods > 0 && !scales && kind.countPinnedPods(old, replicas.old) !== Infinity) return 'held';
  // From no pods or to none, only their number changes; with none on both sides the template waits.
  if (needsReplacement && !(scales && !hasPods)) return 'held';
  return scales ? 'scale' : undefined;
}

/** What an apply does to a workload, by the fields that the server holds before and after. */
export function determineWorkloadEffect(changed: ChangedWorkload, differences: readonly FieldChange[]): WorkloadEffect {
  const pods = determinePodEffect(changed);
  if (pods) return pods;
  if (differences.some(({ path }) => !path.startsWith('metadata'))) return 'settings';
  return differences.length > 0 ? 'metadata' : 'none';
}

/** What has to happen before a workload that is held replaces pods; there are none, its strategy replaces none, or both. */
export function describeBlockedUntil({
  kind,
  next,
  replicas,
  nodes,
}: Pick<ChangedWorkload, 'kind' | 'next' | 'replicas' | 'nodes'>): string {
  if (kind.countPinnedPods(next, replicas.next) === Infinity && (kind.traits.onePerNode || replicas.next > 0))
    return kind.resumeCondition(next);
  return kind.traits.onePerNode && nodes === 0 ? 'a node takes its pods' : 'it has pods';
}

/** The fields of `because` in the order in which they decide: of a roll the images, then the rest of the template, of a scale the replicas. */
export function sortDecisiveFirst(effect: ApplyEffect, differences: readonly FieldChange[]): FieldChange[] {
  const isImage = ({ path }: FieldChange) => path.endsWith('.image');
  const isTemplate = ({ path }: FieldChange) => path.startsWith('spec.template');
  const isReplicas = ({ path }: FieldChange) => path === 'spec.replicas';
  const rank = (field: FieldChange) => {
    if (effect === 'scale') return isReplicas(field) ? 0 : 1;
    if (isImage(field)) return 0;
    if (isTemplate(field)) return 1;
    if (isReplicas(field)) return 2;
    return field.path.startsWith('metadata') ? 4 : 3;
  };
  return differences.toSorted((a, b) => rank(a) - rank(b));
}

/** How many pods of a stored workload are wanted, where it says so itself. */
export function getStoredReplicas(workload: Manifest): number {
  const { replicas } = getFieldsAt(workload, 'spec');
  return typeof replicas === 'number' ? replicas : 1;
}
