import type { PodSet } from '../../rollout/pod-set';
import { computePodFootprint } from '../pod-requests';
import { canPreemptFor, PREEMPTION } from './evictions';
import { listExtendedResourceClasses, listNodeProvisioners } from './node-providers';
import type { Surroundings } from './surroundings';

/** Lists what may make room for pods that lack nodes. */
export function listHelp(podSets: readonly PodSet[], surroundings: Surroundings | undefined): string[] {
  if (!surroundings) return [];
  const { context, cache } = surroundings;
  const help = [
    ...(podSets.some((podSet) => canPreemptFor(podSet, surroundings)) ? [PREEMPTION] : []),
    ...podSets.flatMap((podSet) => listNodeProvisioners(podSet, context, cache)),
    ...podSets.flatMap((podSet) => listExtendedResourceClasses(computePodFootprint(podSet.template.spec), context)),
  ];
  return [...new Set(help)];
}
