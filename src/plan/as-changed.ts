import type { PlanContext } from '../cluster/context';
import { withPodSets } from '../cluster/workload';
import type { PodSet, RolloutPods, SystemRollout } from '../cluster/workload';
import type { Manifest } from '../core/manifest';

/** Pods that an apply leaves as they are: what runs goes on, and no second cluster comes up beside it. */
function resting(pods: RolloutPods, goOn?: readonly PodSet[]): RolloutPods {
  if (pods.of === 'workload') return pods;
  if (pods.of === 'groups') return { of: 'groups', groups: { ...pods.groups, rows: [] } };
  const podSets = goOn ?? pods.clusters.podSets;
  const row = podSets.map(({ replicas }) => replicas);
  const whole = { oldPercent: 100, newPercent: 0 };
  return {
    of: 'clusters',
    clusters: { ...pods.clusters, podSets, rows: [row], rowsWithDeleted: [row], capacities: [whole], roomFindings: [] },
  };
}

/** A rollout whose sets of pods know how many of them run before the apply. */
function counted(rollout: SystemRollout, running: readonly number[] | undefined): SystemRollout {
  if (running === undefined) return rollout;
  let index = 0;
  return withPodSets(rollout, (pods) => ({ ...pods, running: running[index++] ?? 0, isNew: running.length === 0 }));
}

/** A rollout as an apply leaves it: without a simulation where it replaces no pod. */
export function asChanged(written: SystemRollout, object: Manifest, { changedPods }: PlanContext): SystemRollout {
  const changed = changedPods?.(object, written.resource.component);
  if (!changed) return written;
  const running = counted(written, changed.running);
  const rollout = changed.raisesMaximum ? withPodSets(running, (pods) => ({ ...pods, isMaximumRaised: true })) : running;
  if (changed.rolls) return rollout;
  const { workers: _, groups: _groups, creates: __, documented: ___, ...rest } = rollout;
  return { ...rest, simulation: null, ...(rest.pods && { pods: resting(rest.pods, changed.goOn) }) };
}
