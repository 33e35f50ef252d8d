import type { PlanContext } from '../cluster/context/context';
import { withPodSets } from '../cluster/rollout/system-rollout';
import type { PodSet } from '../cluster/rollout/pod-set';
import type { RolloutPods, SystemRollout } from '../cluster/rollout/system-rollout';
import type { Manifest } from '../core/manifest/manifest';
import type { PodChangeInput } from '../cluster/rollout/initial-state';

/** Returns the pods of a rollout that an apply does not replace: running pods stay, and no second cluster starts next to them. */
function toUnchangedPods(pods: RolloutPods, remaining?: readonly PodSet[]): RolloutPods {
  if (pods.kind === 'workload') return pods;
  if (pods.kind === 'groups') return { kind: 'groups', groups: { ...pods.groups, rows: [], oldRows: [] } };
  const podSets = remaining ?? pods.clusters.podSets;
  const row = podSets.map(({ replicas }) => replicas);
  const allOld = { oldPercent: 100, newPercent: 0 };
  return {
    kind: 'clusters',
    clusters: {
      ...pods.clusters,
      podSets,
      rows: [row],
      oldRows: [row],
      rowsWithDeleted: [row],
      capacities: [allOld],
      capacityFindings: [],
    },
  };
}

/** Adds the number of pods that run before the apply to each pod set of a rollout. */
function withRunningPods(rollout: SystemRollout, running: readonly number[] | undefined): SystemRollout {
  if (running === undefined) return rollout;
  let index = 0;
  return withPodSets(rollout, (pods) => ({ ...pods, running: running[index++] ?? 0, isNew: running.length === 0 }));
}

/** Adds the template of the running pods to each pod set of a rollout. */
function withOldTemplates(rollout: SystemRollout, oldTemplates: PodChangeInput['oldTemplates']): SystemRollout {
  if (oldTemplates === undefined) return rollout;
  let index = 0;
  return withPodSets(rollout, (pods) => {
    const oldTemplate = oldTemplates[index++];
    // A system that pairs old and new pods by name knows more than their order.
    return oldTemplate && !pods.oldTemplate ? { ...pods, oldTemplate } : pods;
  });
}

/**
 * Adds the template of the running pods to each pod set of a rollout that is held. A held LeaderWorkerSet adds groups of the old templates, since
 * all are below its partition. Two clusters are not counted by template.
 */
function withKeptPods(rollout: SystemRollout, { oldTemplates = [], addsNewPods = false }: PodChangeInput): SystemRollout {
  if (rollout.pods?.kind === 'clusters') return rollout;
  let index = 0;
  return withPodSets(rollout, (pods) => {
    const template = oldTemplates[index++];
    return template ? { ...pods, kept: { template, addsNewPods } } : pods;
  });
}

/** Adjusts a rollout to what an apply does to its pods. It has no simulation if no pod is replaced. */
export function applyPodChange(planned: SystemRollout, object: Manifest, { changedPods }: PlanContext): SystemRollout {
  const change = changedPods?.(object, planned.resource.component);
  if (!change) return planned;
  const running = withRunningPods(planned, change.running);
  const rollout = change.raisesMaximum ? withPodSets(running, (pods) => ({ ...pods, isMaximumRaised: true })) : running;
  if (change.rolls) return withOldTemplates(rollout, change.oldTemplates);
  const { workers: _, groups: _groups, creates: __, documented: ___, ...rest } = withKeptPods(rollout, change);
  return { ...rest, simulation: null, ...(rest.pods && { pods: toUnchangedPods(rest.pods, change.goOn) }) };
}
