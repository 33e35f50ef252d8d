import { valueAt } from '../../core/manifest';
import type { Memory } from '../../core/memory';
import type { PodSet } from '../workload';
import { candidates } from './candidates';
import { runsOn } from './node-affinity';
import { hasRoom, leftOf } from './placement';
import { needsOf } from './pod-needs';
import { written } from './pod-requests';
import type { NodePool } from './node-pools';

/** The nodes of a plan with nothing on them. */
interface EmptyNodes {
  readonly daemonPools: readonly NodePool[];
  readonly memory: Memory;
}

/** Nodes that a DaemonSet is to have a pod on, and of which not even an empty one takes it. */
export interface TooSmall {
  readonly nodes: number;
  /** What they have too little of; of several resources the first by name. */
  readonly resource: string;
  /** What a pod asks for. */
  readonly needed: string;
  /** The most that one of these nodes has for all of its pods. */
  readonly available: string;
}

/**
 * The nodes that are too small for a pod of a DaemonSet, whatever else is on them; undefined where there are none.
 *
 * Other daemons are not counted: which of them comes first to a node that has no room for all is not defined.
 */
export function tooSmallNodes(podSet: PodSet, { daemonPools, memory }: EmptyNodes): TooSmall | undefined {
  // A pod that names its node is not scheduled.
  if (!podSet.onePerNode || podSet.countOnly || valueAt(podSet.template, 'spec', 'nodeName')) return undefined;
  const { footprint } = needsOf(podSet, memory);
  const small = candidates(podSet, daemonPools, memory).filter(
    (pool) => runsOn(podSet, pool, 'new', memory) && !hasRoom(pool.allocatable, footprint),
  );
  const nodes = small.reduce((sum, { count }) => sum + count, 0);
  if (nodes === 0) return undefined;
  const lacking = [...footprint].flatMap(([resource, request]) => {
    const amounts = small.map(({ allocatable }) => leftOf(allocatable, resource)).filter((left) => left !== undefined && left < request);
    return amounts.length === 0 ? [] : { resource, request, most: amounts.reduce((most, left) => (left! > most! ? left : most))! };
  });
  const [first] = lacking.toSorted((a, b) => (a.resource < b.resource ? -1 : 1));
  const { resource, request, most } = first!;
  return { nodes, resource, needed: written(request, resource), available: written(most, resource) };
}
