import { findMax, findMin } from '../../../core/values/min-max';
import type { RolloutOutcomes } from './rollout-model';

/** A DaemonSet that only quotas limit. */
interface DaemonInQuotas {
  readonly replicas: number;
  readonly surge: number;
  readonly unavailable: number;
  /** New pods that quotas admit next to a number of old ones, by that number. */
  readonly newPodsAdmitted: readonly number[];
}

/** Numbers of pods while the controller waits for new ones. */
interface DaemonState {
  readonly old: number;
  readonly ready: number;
  readonly unready: number;
}

/** Maximum number of nodes. The number of states grows with its square. */
const MAX_NODES = 100;

/**
 * Returns the state once the controller has nothing to do. It creates the pods of nodes without one, and deletes no old pod if one of those is
 * refused. With a surge, an old pod is deleted once the new one next to it is ready.
 *
 * Source: k/k pkg/controller/daemon/daemon_controller.go (`syncDaemonSet` returns the error of `manage`), update.go (`rollingUpdate`).
 */
function act({ replicas, surge, unavailable, newPodsAdmitted }: DaemonInQuotas, state: DaemonState): DaemonState {
  const { old, ready, unready } = state;
  const admitted = Math.max(0, newPodsAdmitted[old]! - ready - unready);
  if (surge > 0) return { old, ready, unready: unready + Math.min(surge - unready, old - unready, admitted) };
  const missing = replicas - old - ready - unready;
  const created = { old, ready, unready: unready + Math.min(missing, admitted) };
  const deleted = admitted < missing ? 0 : Math.min(old, Math.max(0, unavailable - created.unready));
  return deleted > 0 ? act({ replicas, surge, unavailable, newPodsAdmitted }, { ...created, old: old - deleted }) : created;
}

/** Decides a DaemonSet under quotas, in whichever order its new pods become ready. Returns undefined if it has too many nodes. */
export function searchDaemonSetInQuotas(daemon: DaemonInQuotas): RolloutOutcomes | undefined {
  const { replicas, surge } = daemon;
  if (replicas > MAX_NODES) return undefined;
  const start = act(daemon, { old: replicas, ready: 0, unready: 0 });
  const reached = new Map([[JSON.stringify(start), start]]);
  const ends: number[] = [];
  for (const { old, ready, unready } of reached.values()) {
    if (unready === 0) ends.push(ready);
    for (let more = 1; more <= unready; more++) {
      const next = act(daemon, { old: surge > 0 ? old - more : old, ready: ready + more, unready: unready - more });
      reached.set(JSON.stringify(next), next);
    }
  }
  const [newAtLeast, newAtMost] = [findMin(ends), findMax(ends)];
  return { outcome: newAtLeast === replicas ? 'every' : newAtMost === replicas ? 'some' : 'none', newAtLeast, newAtMost };
}
