import { getValueAt } from '../../../core/manifest';
import type { PlanCache } from '../../../core/plan-cache';
import type { PodSet } from '../../pod-set';
import { hasCapacityFor, subtractPods } from '../amounts';
import type { Amounts } from '../amounts';
import { findEquivalentPools } from '../nodes/equivalent-node-pools';
import type { EquivalentPools } from '../nodes/equivalent-node-pools';
import { canRunOn } from '../nodes/node-affinity';
import { groupNodesByClass } from '../nodes/node-classes';
import type { NodeClass } from '../nodes/node-classes';
import type { NodePool } from '../nodes/node-pools';
import { podNeedsOf } from '../nodes/pod-needs';
import { computeDaemonUse } from '../other-pods';
import { formatResourceAmount } from '../pod-requests';
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

/** Nodes on which a DaemonSet must run a pod that does not fit, either at all or next to the pods of other DaemonSets. */
export interface UndersizedNodes {
  readonly nodes: number;
  /** The resource that one of them has too little of. If there are several, the first by name. */
  readonly resource: string;
  /** The request of a pod. */
  readonly needed: string;
  /** The maximum available on any of these nodes. */
  readonly available: string;
  /** Whether the pod would fit on some of them without the other DaemonSets. Unset if not. */
  readonly isShared?: true;
}

/**
 * The priority classes of the cluster's own daemons, in ascending order. Every cluster has them. Source: k/k
 * pkg/apis/scheduling/helpers.go, `SystemPriorityClasses`.
 */
const SYSTEM_PRIORITY_CLASSES = ['system-cluster-critical', 'system-node-critical'];

function getSystemPriority({ template }: PodSet): number {
  return SYSTEM_PRIORITY_CLASSES.indexOf(getValueAt(template, 'spec', 'priorityClassName') as string);
}

/** Reports whether the scheduler places the pods. A pod with nodeName is not scheduled. */
function isScheduled({ template, countOnly }: PodSet): boolean {
  return !countOnly && !getValueAt(template, 'spec', 'nodeName');
}

function toUndersizedNodes(daemon: PodSet, { nodes, resource, most, isShared }: RejectingNodes, cache: PlanCache): UndersizedNodes {
  const needed = formatResourceAmount(podNeedsOf(daemon, cache).footprint.get(resource)!, resource);
  return { nodes, resource, needed, available: formatResourceAmount(most, resource), ...(isShared && { isShared }) };
}

/**
 * Returns the DaemonSets whose pod does not fit on each of their nodes.
 *
 * If their pods do not fit on a node together, one of them never runs there. DaemonSets with a system priority class are placed first,
 * because preemption makes room for them. The order of the others is not defined. They are assumed to be placed by name, as all running
 * pods are.
 *
 * @param daemons DaemonSets sorted by name
 * @param pools the empty nodes
 */
export function findUndersizedNodes(
  daemons: readonly PodSet[],
  pools: readonly NodePool[],
  cache: PlanCache,
): ReadonlyMap<PodSet, UndersizedNodes> {
  const scheduled = daemons.filter(isScheduled);
  const ordered = scheduled.toSorted((a, b) => getSystemPriority(b) - getSystemPriority(a));
  const use = computeDaemonUse(scheduled, pools, cache);
  const overcommitted = new OvercommittedNodes(
    pools.filter((pool) => !hasCapacityFor(pool.allocatable, use.get(pool)!)),
    cache,
  );
  const undersized = new Map<PodSet, UndersizedNodes>();
  for (const daemon of ordered) {
    const rejecting = overcommitted.add(daemon);
    if (rejecting) undersized.set(daemon, toUndersizedNodes(daemon, rejecting, cache));
  }
  return undersized;
}

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
