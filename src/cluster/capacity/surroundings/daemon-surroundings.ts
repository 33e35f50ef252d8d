import type { PlanCache } from '../../../core/collections/plan-cache';
import type { PlanContext } from '../../context/context';
import type { PodSet } from '../../rollout/pod-set';
import type { NodePool } from '../../context/capacity';
import { subtractDaemonUse } from '../nodes/daemon-use';
import { collectSurroundings } from './surroundings';
import type { Surroundings } from './surroundings';

/** The nodes of a DaemonSet with all other pods, and its own pods as those of any workload. */
export interface DaemonSurroundings {
  /** The pods of the DaemonSet, as the surroundings know them. */
  readonly podSet: PodSet;
  readonly surroundings: Surroundings;
}

/**
 * Collects what surrounds the pods of a DaemonSet. The pods of another one count where they run. If none of them is known, its pods count on
 * each of its nodes.
 *
 * @param pools the empty nodes
 * @param all the surroundings of all other pods
 */
export function collectDaemonSurroundings(
  daemon: PodSet,
  pools: readonly NodePool[],
  podSets: readonly PodSet[],
  all: Surroundings,
  context: PlanContext,
  cache: PlanCache,
): DaemonSurroundings {
  const isOther = (podSet: PodSet) => podSet.onePerNode === true && podSet !== daemon;
  const podSet = { ...daemon, onePerNode: false };
  const assumed = podSets.filter((other) => isOther(other) && !all.allOwnPods.has(other));
  const rest = podSets.filter((other) => !isOther(other)).map((other) => (other === daemon ? podSet : other));
  return { podSet, surroundings: collectSurroundings(subtractDaemonUse(pools, assumed, cache), rest, context, cache) };
}
