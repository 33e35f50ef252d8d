import { getValueAt } from '../../../core/manifest';
import type { PodSet } from '../../workload';
import type { ResourceLimit } from '../limits';
import type { RunningPod } from './running-pods';
import type { Surroundings } from './surroundings';

/** The reason if the pods that are being deleted decide: they use what they have until they are gone. */
export const TERMINATING_PODS = 'pods that are being deleted';

/** Lists the pods on the nodes that are being deleted, except those of a set. */
export function listTerminatingPods({ podIndex, allOwnPods }: Surroundings, podSet: PodSet): readonly RunningPod[] {
  const own = new Set(allOwnPods.get(podSet));
  return podIndex().pods.filter((pod) => pod.isTerminating && !own.has(pod));
}

/** Computes what the pods that are being deleted use of a limit. */
export function computeTerminatingUse({ perPod }: ResourceLimit): bigint {
  let use = 0n;
  for (const [{ template }, amount] of perPod) {
    if (getValueAt(template, 'metadata', 'deletionTimestamp') !== undefined) use += amount;
  }
  return use;
}
