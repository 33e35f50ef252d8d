import type { PlanDocument } from '../core/document/plan-document';
import type { PlannedRollout } from '../core/document/rollout';
import { joinWords, pluralize } from '../core/text/text-format';
import type { RolloutTrial } from '../cluster/rollout/rollout-trial';
import type { RolloutWithObject } from '../plan/plan-input';
import { formatUnreadResource } from './unread-consequences';
import type { SnapshotHeader } from './snapshot-file';

/** Types that decide whether pods fit, by plural name. */
const CAPACITY_TYPES: ReadonlySet<string> = new Set(['limitranges', 'nodes', 'pods', 'resourcequotas']);

/** Lists the types that decide whether the pods of a namespace fit and that the user may not read, formatted for a message. */
function listUnreadTypes(header: SnapshotHeader, podNamespace: string | undefined): string[] {
  return header.unread
    .filter(({ resource, namespace }) => CAPACITY_TYPES.has(resource) && (namespace ?? podNamespace) === podNamespace)
    .map((unread) => formatUnreadResource(unread, header));
}

/** Lists what is not read of a namespace beyond the maximum, formatted for a message. */
function listUnasked({ unasked = [] }: SnapshotHeader, podNamespace: string | undefined): string[] {
  return podNamespace !== undefined && unasked.includes(podNamespace) ? [`the objects of namespace ${podNamespace}`] : [];
}

/** Adds to a rollout that fits by what could be read that the rest is not known. */
function withUnknownCapacity(rollout: PlannedRollout, header: SnapshotHeader): PlannedRollout {
  const { capacity, resource } = rollout;
  if (capacity?.verdict !== 'fits') return rollout;
  const unread = listUnreadTypes(header, resource.namespace);
  const unasked = listUnasked(header, resource.namespace);
  const because = [...unread, ...unasked];
  if (because.length === 0) return rollout;
  const peak = pluralize(capacity.peakPods, 'pod');
  const reason = unread.length > 0 ? `the user may not read ${joinWords(unread)}` : `${joinWords(unasked)} are not read`;
  const message = `May not fit: what could be read has capacity for its peak of ${peak}, and ${reason}.`;
  return { ...rollout, capacity: { ...capacity, verdict: 'may-not-fit', because, message } };
}

/** Returns a plan in which no rollout fits for certain if the user may not read what decides about it. */
export function withUnreadCapacity(plan: PlanDocument, header: SnapshotHeader): PlanDocument {
  if (!header.unasked && !header.unread.some(({ resource }) => CAPACITY_TYPES.has(resource))) return plan;
  return { ...plan, rollouts: plan.rollouts.map((rollout) => withUnknownCapacity(rollout, header)) };
}

/** Returns a trial without a run that fits for certain, because what decides about it was not read. */
function createUncertainTrial(trial: RolloutTrial, unread: readonly string[], unasked: readonly string[]): RolloutTrial {
  return {
    ...trial,
    isLimited: true,
    isUncertain: true,
    ...(unread.length > 0 && { unread }),
    ...(unasked.length > 0 && { unasked }),
    run: (strategy, replicas) => {
      const { capacity, ...run } = trial.run(strategy, replicas);
      return { ...run, ...(capacity && { capacity: capacity.verdict === 'fits' ? { ...capacity, verdict: 'may-not-fit' } : capacity }) };
    },
  };
}

/** Returns a rollout whose trials know what the user may not read. */
export function withUnreadTrial(evaluated: RolloutWithObject, header: SnapshotHeader): RolloutWithObject {
  const { rollout, trial: createTrial } = evaluated;
  const { namespace } = rollout.resource;
  const unread = listUnreadTypes(header, namespace);
  const unasked = listUnasked(header, namespace);
  if (unread.length + unasked.length === 0 || !createTrial) return evaluated;
  const trial = () => {
    const created = createTrial();
    return created && createUncertainTrial(created, unread, unasked);
  };
  return { ...evaluated, trial };
}
