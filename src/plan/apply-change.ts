import type { PlanContext } from '../cluster/context';
import { withPodSets } from '../cluster/workload';
import type { PodSet, RolloutPods, SystemRollout } from '../cluster/workload';
import type { Manifest } from '../core/manifest';

/** Pods that an apply leaves as they are: what runs goes on, and no second cluster comes up beside it. */
function toRestingPods(pods: RolloutPods, remaining?: readonly PodSet[]): RolloutPods {
  if (pods.kind === 'workload') return pods;
  if (pods.kind === 'groups') return { kind: 'groups', groups: { ...pods.groups, rows: [] } };
  const podSets = remaining ?? pods.clusters.podSets;
  const row = podSets.map(({ replicas }) => replicas);
  const allOld = { oldPercent: 100, newPercent: 0 };
  return {
    kind: 'clusters',
    clusters: { ...pods.clusters, podSets, rows: [row], rowsWithDeleted: [row], capacities: [allOld], capacityFindings: [] },
  };
}

/** A rollout whose sets of pods know how many of them run before the apply. */
function withRunningPods(rollout: SystemRollout, running: readonly number[] | undefined): SystemRollout {
  if (running === undefined) return rollout;
  let index = 0;
  return withPodSets(rollout, (pods) => ({ ...pods, running: running[index++] ?? 0, isNew: running.length === 0 }));
}

/** A rollout as an apply leaves it: without a simulation where it replaces no pod. */
export function applyPodChange(planned: SystemRollout, object: Manifest, { changedPods }: PlanContext): SystemRollout {
  const changed = changedPods?.(object, planned.resource.component);
  if (!changed) return planned;
  const running = withRunningPods(planned, changed.running);
  const rollout = changed.raisesMaximum ? withPodSets(running, (pods) => ({ ...pods, isMaximumRaised: true })) : running;
  if (changed.rolls) return rollout;
  const { workers: _, groups: _groups, creates: __, documented: ___, ...rest } = rollout;
  return { ...rest, simulation: null, ...(rest.pods && { pods: toRestingPods(rest.pods, changed.goOn) }) };
}
