import type { PlanDocument } from '../core/plan-document';
import type { PlannedRollout } from '../core/rollout';
import { joinWords, pluralize } from '../core/text-format';
import { formatUnreadResource } from './unread-consequences';
import type { SnapshotHeader } from './snapshot-file';

/** Types that decide whether pods fit, by plural name. */
const CAPACITY_TYPES: ReadonlySet<string> = new Set(['limitranges', 'nodes', 'pods', 'resourcequotas']);

/** Adds to a rollout that fits by what could be read that the rest is not known. */
function withUnknownCapacity(rollout: PlannedRollout, header: SnapshotHeader): PlannedRollout {
  const { capacity, resource } = rollout;
  if (capacity?.verdict !== 'fits') return rollout;
  const because = header.unread
    .filter(({ resource: type, namespace }) => CAPACITY_TYPES.has(type) && (namespace ?? resource.namespace) === resource.namespace)
    .map((unread) => formatUnreadResource(unread, header));
  if (because.length === 0) return rollout;
  const peak = pluralize(capacity.peakPods, 'pod');
  const message = `May not fit: what could be read has capacity for its peak of ${peak}, and the user may not read ${joinWords(because)}.`;
  return { ...rollout, capacity: { ...capacity, verdict: 'may-not-fit', because, message } };
}

/** Returns a plan in which no rollout fits for certain if the user may not read what decides about it. */
export function withUnreadCapacity(plan: PlanDocument, header: SnapshotHeader): PlanDocument {
  if (!header.unread.some(({ resource }) => CAPACITY_TYPES.has(resource))) return plan;
  return { ...plan, rollouts: plan.rollouts.map((rollout) => withUnknownCapacity(rollout, header)) };
}
