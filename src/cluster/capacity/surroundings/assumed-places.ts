import type { Amounts } from '../amounts';
import type { NodePool } from '../nodes/node-pools';
import { createEmptyNodes, schedulePods } from '../nodes/placement';
import type { Placement } from '../nodes/placement';
import { sortLargestFirst } from '../nodes/placement-order';
import { toRunningPods } from './surroundings';
import type { Surroundings, UnlocatedPods } from './surroundings';

/**
 * Places old pods on unknown nodes, as they run before an apply, next to the running pods.
 *
 * @param freeOf returns what each node has left. @default - what the running pods leave
 */
export function assumePlaces(
  { pools, free, cache }: Surroundings,
  demands: readonly UnlocatedPods[],
  freeOf: (pool: NodePool) => Amounts = (pool) => free.get(pool)!,
): Placement {
  const nodes = pools.map((pool) => ({ ...pool, allocatable: freeOf(pool) }));
  return schedulePods(createEmptyNodes(nodes), sortLargestFirst(nodes, demands.map(toRunningPods), cache), cache, 'old');
}
