import type { PlanCache } from '../../core/plan-cache';
import type { PodSet } from '../workload';
import { findCandidateIndexes } from './candidate-nodes';
import { canRunOn } from './node-affinity';
import type { NodePool } from './node-pools';
import { podNeedsOf } from './pod-needs';
import type { Amounts } from './pod-requests';
import { subtractAmounts, hasCapacityFor, remainingOf } from './remaining-capacity';

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

/** Nodes that daemons fill one after another. */
export class OvercommittedNodes {
  /** What is left of each pool's nodes. */
  private readonly left: Amounts[];

  /** @param pools the nodes on which not all daemons fit together */
  constructor(
    private readonly pools: readonly NodePool[],
    private readonly cache: PlanCache,
  ) {
    this.left = pools.map(({ allocatable }) => allocatable);
  }

  /** Places a pod of a DaemonSet on each of its nodes with capacity. Returns the nodes that must run one but have no capacity. */
  add(daemon: PodSet): RejectingNodes | undefined {
    const { pools, cache, left } = this;
    const { footprint } = podNeedsOf(daemon, cache);
    const rejecting: number[] = [];
    for (const index of findCandidateIndexes(daemon, pools, cache) ?? pools.keys()) {
      if (!canRunOn(daemon, pools[index]!, 'old', cache)) continue;
      if (hasCapacityFor(left[index]!, footprint)) left[index] = subtractAmounts(left[index]!, footprint);
      else if (canRunOn(daemon, pools[index]!, 'new', cache)) rejecting.push(index);
    }
    return this.describe(rejecting, footprint);
  }

  private describe(rejecting: readonly number[], footprint: Amounts): RejectingNodes | undefined {
    for (const [resource, request] of [...footprint].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
      const amounts = rejecting.flatMap((index) => remainingOf(this.left[index]!, resource) ?? []).filter((amount) => amount < request);
      if (amounts.length === 0) continue;
      return {
        nodes: rejecting.reduce((nodes, index) => nodes + this.pools[index]!.count, 0),
        resource,
        most: amounts.reduce((most, amount) => (amount > most ? amount : most)),
        isShared: rejecting.some((index) => hasCapacityFor(this.pools[index]!.allocatable, footprint)),
      };
    }
    return undefined;
  }
}
