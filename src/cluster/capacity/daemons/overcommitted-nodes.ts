import type { PlanCache } from '../../../core/plan-cache';
import type { PodSet } from '../../workload';
import { findEquivalentPools } from '../nodes/equivalent-node-pools';
import type { EquivalentPools } from '../nodes/equivalent-node-pools';
import {
  placeOnEachNode,
  findFirstInsufficient,
  bisectPools,
  createPoolPartition,
  restorePool,
  removePool,
  fitsWhenEmpty,
} from './node-bisection';
import type { NodePartition } from './node-bisection';
import { canRunOn } from '../nodes/node-affinity';
import { groupNodesByClass } from '../nodes/node-classes';
import type { NodeClass } from '../nodes/node-classes';
import type { NodePool } from '../nodes/node-pools';
import { podNeedsOf } from '../nodes/pod-needs';
import { hasCapacityFor, subtractPods } from '../amounts';
import type { Amounts } from '../amounts';

/** Nodes on which a DaemonSet must run a pod that does not fit next to the pods of earlier DaemonSets. */
export interface RejectingNodes {
  readonly nodes: number;
  /** The first resource by name that one of them has too little of. */
  readonly resource: string;
  /** The maximum that is left of it on any node with too little. */
  readonly most: bigint;
  /** Whether the pod would fit on one of them if it were empty. */
  readonly isShared: boolean;
}

/**
 * Nodes that daemons fill one after another. The nodes of a class are bisected by their resources, so that placing a daemon does not visit
 * each node.
 */
export class OvercommittedNodes {
  private readonly byClass: ReadonlyMap<NodeClass, NodePartition>;
  private readonly byIndex: readonly NodePartition[];

  /** the nodes on which not all daemons fit together */
  constructor(
    private readonly pools: readonly NodePool[],
    private readonly cache: PlanCache,
  ) {
    this.byIndex = pools.map((pool) => createPoolPartition(pool));
    this.byClass = new Map(
      groupNodesByClass(pools, cache).all.map((nodeClass) => [
        nodeClass,
        bisectPools(nodeClass.places.map((index) => this.byIndex[index]!)),
      ]),
    );
  }

  /** Places a pod of a DaemonSet on each of its nodes with capacity. Returns the nodes that must run one but have no capacity. */
  add(daemon: PodSet): RejectingNodes | undefined {
    const { footprint } = podNeedsOf(daemon, this.cache);
    const equivalentPools = findEquivalentPools(daemon, this.pools, this.cache);
    const runnable = new Set(equivalentPools.filter(({ pool }) => canRunOn(daemon, pool, 'old', this.cache)));
    const isRejecting = ({ pool }: EquivalentPools) => canRunOn(daemon, pool, 'new', this.cache);
    const removed = equivalentPools
      .filter(({ nodeClass }) => !nodeClass)
      .map((equivalent) => ({ equivalent, left: removePool(this.byIndex[equivalent.place]!) }));
    const rejecting: NodePartition[] = [];
    for (const equivalent of equivalentPools) {
      const rejectingPartitions =
        equivalent.nodeClass && runnable.has(equivalent) ? placeOnEachNode(this.byClass.get(equivalent.nodeClass)!, footprint) : [];
      if (isRejecting(equivalent)) for (const partition of rejectingPartitions) rejecting.push(partition);
    }
    const restored = removed.map(({ equivalent, left }) => {
      const fits = runnable.has(equivalent) && hasCapacityFor(left.most, footprint);
      if (runnable.has(equivalent) && !fits && isRejecting(equivalent))
        rejecting.push({ ...createPoolPartition(equivalent.pool), remaining: left });
      return { equivalent, left: fits ? subtractPods(left.most, footprint, 1) : left.most };
    });
    const rejectingNodes = findRejectingNodes(rejecting, footprint);
    for (const { equivalent, left } of restored)
      restorePool(this.byIndex[equivalent.place]!, equivalent.count, { least: left, most: left });
    return rejectingNodes;
  }
}

function findRejectingNodes(partitions: readonly NodePartition[], footprint: Amounts): RejectingNodes | undefined {
  const insufficient = findFirstInsufficient(partitions, footprint);
  if (!insufficient) return undefined;
  const nodes = partitions.reduce((sum, partition) => sum + partition.nodes, 0);
  return { ...insufficient, nodes, isShared: partitions.some((partition) => fitsWhenEmpty(partition, footprint)) };
}
