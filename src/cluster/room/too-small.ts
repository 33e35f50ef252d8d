import { valueAt } from '../../core/manifest';
import type { Memory } from '../../core/memory';
import type { PodSet } from '../workload';
import type { NodePool } from './node-pools';
import { daemonUse } from './other-pods';
import { OverfullNodes } from './overfull-nodes';
import type { Refusing } from './overfull-nodes';
import { hasRoom } from './room-left';
import { needsOf } from './pod-needs';
import { written } from './pod-requests';

/** Nodes that a DaemonSet is to have a pod on, and which do not take it, whatever else is there or beside the pods of other DaemonSets. */
export interface TooSmall {
  readonly nodes: number;
  /** What one of them has too little of; of several resources the first by name. */
  readonly resource: string;
  /** What a pod asks for. */
  readonly needed: string;
  /** The most that one of these nodes has for it. */
  readonly available: string;
  /** Would some of them take the pod if there were no other DaemonSets? Absent where not. */
  readonly isShared?: true;
}

/** The classes of the cluster's own daemons, which every cluster has; source: k/k pkg/apis/scheduling/helpers.go, `SystemPriorityClasses`. */
const SYSTEM_CLASSES = ['system-cluster-critical', 'system-node-critical'];

function priority({ template }: PodSet): number {
  return SYSTEM_CLASSES.indexOf(valueAt(template, 'spec', 'priorityClassName') as string);
}

/** A pod that names its node is not scheduled. */
function isScheduled({ template, countOnly }: PodSet): boolean {
  return !countOnly && !valueAt(template, 'spec', 'nodeName');
}

function tooSmall(daemon: PodSet, { nodes, resource, most, isShared }: Refusing, memory: Memory): TooSmall {
  const needed = written(needsOf(daemon, memory).footprint.get(resource)!, resource);
  return { nodes, resource, needed, available: written(most, resource), ...(isShared && { isShared }) };
}

/**
 * The DaemonSets that do not find room for a pod on each of their nodes.
 *
 * Where they overfill a node together, one of them never runs there. Those of the cluster's own classes of priority have room first,
 * as preemption makes it; which of the others comes first is not defined: it is taken to be the first by name, as for all pods that run already.
 *
 * @param daemons by name
 * @param pools the nodes with nothing on them
 */
export function tooSmallNodes(daemons: readonly PodSet[], pools: readonly NodePool[], memory: Memory): ReadonlyMap<PodSet, TooSmall> {
  const scheduled = daemons.filter(isScheduled);
  const ordered = scheduled.toSorted((a, b) => priority(b) - priority(a));
  const use = daemonUse(scheduled, pools, memory);
  const overfull = new OverfullNodes(
    pools.filter((pool) => !hasRoom(pool.allocatable, use.get(pool)!)),
    memory,
  );
  const small = new Map<PodSet, TooSmall>();
  for (const daemon of ordered) {
    const refusing = overfull.add(daemon);
    if (refusing) small.set(daemon, tooSmall(daemon, refusing, memory));
  }
  return small;
}
