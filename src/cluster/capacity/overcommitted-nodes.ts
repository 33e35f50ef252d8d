import type { PlanCache } from '../../core/plan-cache';
import type { PodSet } from '../workload';
import { findEquivalentPools } from './equivalent-node-pools';
import type { EquivalentPools } from './equivalent-node-pools';
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
import { canRunOn } from './node-affinity';
import { groupNodesByClass } from './node-classes';
import type { NodeClass } from './node-classes';
import type { NodePool } from './node-pools';
import { podNeedsOf } from './pod-needs';
import type { Amounts } from './pod-requests';
import { subtractAmounts, hasCapacityFor } from './remaining-capacity';

/** Nodes that are to have a pod of a DaemonSet and do not take it beside those of the DaemonSets before it. */
export interface RejectingNodes {
  readonly nodes: number;
  /** The first resource by name of which one of them has too little. */
  readonly resource: string;
  /** The most of it that is left of one with too little. */
  readonly most: bigint;
  /** Would one of them take the pod if there were nothing on it? */
  readonly isShared: boolean;
}

/** Nodes that daemons fill one after another. Those of a make are halved by what they have, so that a daemon is placed without a look at each of them. */
export class OvercommittedNodes {
  private readonly byClass: ReadonlyMap<NodeClass, NodePartition>;
  private readonly byIndex: readonly NodePartition[];

  /** @param pools those of which not all daemons find room together */
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

  /** Puts a pod of a DaemonSet on each of its nodes that has room; which of them are to have one and have none. */
  add(daemon: PodSet): RejectingNodes | undefined {
    const { footprint } = podNeedsOf(daemon, this.cache);
    const equivalentPools = findEquivalentPools(daemon, this.pools, this.cache);
    const runnable = new Set(equivalentPools.filter(({ pool }) => canRunOn(daemon, pool, 'old', this.cache)));
    const isRejecting = ({ pool }: EquivalentPools) => canRunOn(daemon, pool, 'new', this.cache);
    const removed = equivalentPools
      .filter(({ nodeClass }) => !nodeClass)
      .map((equivalent) => ({ alike: equivalent, left: removePool(this.byIndex[equivalent.place]!) }));
    const rejecting: NodePartition[] = [];
    for (const equivalent of equivalentPools) {
      const refused =
        equivalent.nodeClass && runnable.has(equivalent) ? placeOnEachNode(this.byClass.get(equivalent.nodeClass)!, footprint) : [];
      if (isRejecting(equivalent)) for (const partition of refused) rejecting.push(partition);
    }
    const restored = removed.map(({ alike: equivalent, left }) => {
      const fits = runnable.has(equivalent) && hasCapacityFor(left.most, footprint);
      if (runnable.has(equivalent) && !fits && isRejecting(equivalent))
        rejecting.push({ ...createPoolPartition(equivalent.pool), remaining: left });
      return { alike: equivalent, left: fits ? subtractAmounts(left.most, footprint) : left.most };
    });
    const refused = findRejectingNodes(rejecting, footprint);
    for (const { alike: equivalent, left } of restored)
      restorePool(this.byIndex[equivalent.place]!, equivalent.count, { least: left, most: left });
    return refused;
  }
}

function findRejectingNodes(partitions: readonly NodePartition[], footprint: Amounts): RejectingNodes | undefined {
  const insufficient = findFirstInsufficient(partitions, footprint);
  if (!insufficient) return undefined;
  const nodes = partitions.reduce((sum, partition) => sum + partition.nodes, 0);
  return { ...insufficient, nodes, isShared: partitions.some((partition) => fitsWhenEmpty(partition, footprint)) };
}
