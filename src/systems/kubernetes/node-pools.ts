import { fieldsAt, isFields, valueAt } from '../../core/manifest';
import type { MoreNodes } from '../../core/rollout';
import type { PodSet } from '../../core/workload';
import { podFootprint } from './pod-requests';
import type { Amounts } from './pod-requests';
import { oneNodeEach } from './scheduling';

/** Nodes of one make. */
export interface NodePool {
  readonly name: string;
  /** Nodes, from 0. */
  readonly count: number;
  /** What one node has for pods. CPU, memory, storage and pods that are not named are not limited; any other resource is then not there. */
  readonly allocatable: Amounts;
  /** Labels of its nodes, for node selectors; undefined where they are not known and every pod may go there. */
  readonly labels?: Readonly<Record<string, string>>;
}

/** Nodes that are equally full. */
export interface NodeGroup {
  readonly pool: NodePool;
  readonly nodes: number;
  readonly free: Amounts;
  /** Sets that have a pod on each of these nodes and take no second one there. */
  readonly closedTo: ReadonlySet<PodSet>;
}

/** Pods of one set to place. */
export interface Demand {
  readonly podSet: PodSet;
  readonly pods: number;
}

/** Where pods were placed, and the pods of each set that found no room. */
export interface Placement {
  /** Nodes that may have room for one of the pods still. */
  readonly open: readonly NodeGroup[];
  /** Nodes too full for any of them. */
  readonly full: readonly NodeGroup[];
  readonly unplaced: readonly Demand[];
}

/** Every node has these, named or not. */
const BASIC_RESOURCES: ReadonlySet<string> = new Set(['cpu', 'memory', 'ephemeral-storage', 'pods']);

/** What one pod of a set needs of its node. */
interface PodNeeds {
  readonly footprint: Amounts;
  readonly ownNode: boolean;
  /** The same for pods that any empty node suits equally. */
  readonly shape: string;
}

const NEEDS = new WeakMap<PodSet, PodNeeds>();

/** Worked out once a set, since every node is asked. */
function needsOf(podSet: PodSet): PodNeeds {
  const known = NEEDS.get(podSet);
  if (known) return known;
  const footprint = podFootprint(podSet.template.spec);
  const amounts = [...footprint].map(([resource, amount]) => `${resource}=${amount}`);
  const selector = fieldsAt(podSet.template, 'spec', 'nodeSelector');
  const ownNode = oneNodeEach(podSet.template) !== undefined;
  const needs = { footprint, ownNode, shape: JSON.stringify([ownNode, amounts.toSorted(), selector]) };
  NEEDS.set(podSet, needs);
  return needs;
}

/**
 * The pools with those made one whose nodes no pod can tell apart: the same allocatable, and the same labels as far as a node selector
 * asks for them. A cluster's own Nodes come down to a few makes by it.
 */
export function mergedPools(pools: readonly NodePool[], podSets: readonly PodSet[]): NodePool[] {
  const asked = new Set(podSets.flatMap(({ template }) => Object.keys(fieldsAt(template, 'spec', 'nodeSelector'))));
  const byMake = new Map<string, NodePool>();
  for (const pool of pools) {
    const resources = [...pool.allocatable].map(([resource, amount]) => `${resource}=${amount}`).toSorted();
    const labels = pool.labels && [...asked].map((key) => pool.labels?.[key] ?? null);
    const make = JSON.stringify([resources, labels]);
    const known = byMake.get(make);
    byMake.set(make, known ? { ...known, count: known.count + pool.count } : pool);
  }
  return [...byMake.values()];
}

/** The nodes of the pools before any pod is on them. */
export function emptyNodes(pools: readonly NodePool[]): NodeGroup[] {
  return pools.map((pool) => ({ pool, nodes: pool.count, free: pool.allocatable, closedTo: new Set() }));
}

/** May pods of a set go on the nodes of a pool? */
export function runsOn(podSet: PodSet, { labels }: NodePool): boolean {
  const selector = valueAt(podSet.template, 'spec', 'nodeSelector');
  if (labels === undefined || !isFields(selector)) return true;
  return Object.entries(selector).every(([key, value]) => Object.hasOwn(labels, key) && labels[key] === value);
}

/** What is left of a resource on a node; undefined where it is not limited. */
function leftOf({ free }: NodeGroup, resource: string): bigint | undefined {
  return free.get(resource) ?? (BASIC_RESOURCES.has(resource) ? undefined : 0n);
}

function lacks(group: NodeGroup, needs: Amounts): boolean {
  for (const [resource, request] of needs) {
    const left = leftOf(group, resource);
    if (left !== undefined && left < request) return true;
  }
  return false;
}

/** How many more pods of a set fit on one node of a group. */
function podsPerNode(podSet: PodSet, group: NodeGroup): number {
  const { footprint, ownNode } = needsOf(podSet);
  if (lacks(group, footprint) || group.closedTo.has(podSet) || !runsOn(podSet, group.pool)) return 0;
  let pods = ownNode ? 1 : Infinity;
  for (const [resource, request] of footprint) {
    const left = leftOf(group, resource);
    if (left !== undefined) pods = Math.min(pods, Number(left / request));
  }
  return pods;
}

function withPods(group: NodeGroup, nodes: number, podSet: PodSet, podsOnEach: number): NodeGroup {
  const { footprint, ownNode } = needsOf(podSet);
  const free = new Map(group.free);
  for (const [resource, request] of footprint) {
    const left = free.get(resource);
    if (left !== undefined) free.set(resource, left - request * BigInt(podsOnEach));
  }
  return { ...group, nodes, free, closedTo: ownNode ? new Set([...group.closedTo, podSet]) : group.closedTo };
}

/** Fills one group with up to `pods` pods: full nodes, one with the rest, and those left untouched. */
function fill(group: NodeGroup, podSet: PodSet, pods: number): { readonly groups: NodeGroup[]; readonly placed: number } {
  const perNode = Math.min(podsPerNode(podSet, group), pods);
  if (perNode === 0 || group.nodes === 0) return { groups: [group], placed: 0 };
  const full = Math.min(group.nodes, Math.floor(pods / perNode));
  const rest = full < group.nodes ? pods - full * perNode : 0;
  const untouched = group.nodes - full - (rest > 0 ? 1 : 0);
  return {
    groups: [
      withPods(group, full, podSet, perNode),
      ...(rest > 0 ? [withPods(group, 1, podSet, rest)] : []),
      ...(untouched > 0 ? [{ ...group, nodes: untouched }] : []),
    ],
    placed: full * perNode + rest,
  };
}

function placeOne(groups: readonly NodeGroup[], { podSet, pods }: Demand): { readonly groups: NodeGroup[]; readonly unplaced: number } {
  let unplaced = pods;
  const filled: NodeGroup[] = [];
  for (const group of groups) {
    const { groups: parts, placed } = unplaced > 0 ? fill(group, podSet, unplaced) : { groups: [group], placed: 0 };
    filled.push(...parts);
    unplaced -= placed;
  }
  return { groups: filled, unplaced };
}

/** What every one of the pods needs at least. A node without it is full for all of them and is not looked at again. */
function leastNeeds(demands: readonly Demand[]): Amounts {
  const [first, ...others] = demands.map(({ podSet }) => needsOf(podSet).footprint);
  const least = new Map(first);
  for (const footprint of others) {
    for (const [resource, amount] of least) {
      const request = footprint.get(resource);
      if (request === undefined) least.delete(resource);
      else if (request < amount) least.set(resource, request);
    }
  }
  return least;
}

/** Neighbours whose pods are alike, as runs: placed one after another they end where they end together. */
function runsOfOneShape(demands: readonly Demand[]): Demand[][] {
  const runs: Demand[][] = [];
  let shape: string | undefined;
  for (const demand of demands) {
    const needs = needsOf(demand.podSet);
    if (needs.shape === shape) runs.at(-1)!.push(demand);
    else runs.push([demand]);
    // A set that wants nodes of its own shares with nothing but itself.
    shape = needs.ownNode ? undefined : needs.shape;
  }
  return runs;
}

/** Those of a run that are left over when so many of its pods find no room: the last ones. */
function leftOver(run: readonly Demand[], unplaced: number): Demand[] {
  const left: Demand[] = [];
  let rest = unplaced;
  for (let index = run.length - 1; rest > 0; index--) {
    const { podSet, pods } = run[index]!;
    left.unshift({ podSet, pods: Math.min(rest, pods) });
    rest -= Math.min(rest, pods);
  }
  return left;
}

/** Places pods on the first nodes that have room, one set after another. */
export function place(groups: readonly NodeGroup[], demands: readonly Demand[]): Placement {
  const least = leastNeeds(demands);
  let open = groups;
  const full: NodeGroup[] = [];
  const unplaced: Demand[] = [];
  for (const run of runsOfOneShape(demands)) {
    const pods = run.reduce((sum, demand) => sum + demand.pods, 0);
    const { groups: filled, unplaced: homeless } = placeOne(open, { podSet: run[0]!.podSet, pods });
    const stillOpen: NodeGroup[] = [];
    for (const group of filled) (lacks(group, least) ? full : stillOpen).push(group);
    open = stillOpen;
    unplaced.push(...leftOver(run, homeless));
  }
  return { open, full, unplaced };
}

/** Room on the same nodes for the same pods is asked for by many rollouts. */
const ROOM = new WeakMap<readonly NodeGroup[], Map<string, number>>();

/** How many pods of a set find room, without placing them. */
export function roomFor(groups: readonly NodeGroup[], podSet: PodSet): number {
  const { ownNode, shape } = needsOf(podSet);
  const count = () => groups.reduce((room, group) => room + (group.nodes > 0 ? podsPerNode(podSet, group) * group.nodes : 0), 0);
  if (ownNode) return count();
  const known = ROOM.get(groups) ?? new Map<string, number>();
  ROOM.set(groups, known);
  const room = known.get(shape) ?? count();
  known.set(shape, room);
  return room;
}

/** The most of a resource that any one node has left for pods of a set; undefined where a node has no limit on it. */
export function largestLeft(groups: readonly NodeGroup[], podSet: PodSet, resource: string): bigint | undefined {
  let largest = 0n;
  for (const group of groups) {
    if (group.nodes === 0 || !runsOn(podSet, group.pool)) continue;
    const left = leftOf(group, resource);
    if (left === undefined) return undefined;
    if (left > largest) largest = left;
  }
  return largest;
}

/** The demands with those first whose pods need most of a node, and like beside like: first fit decreasing, which wastes few places. */
export function largestFirst(pools: readonly NodePool[], demands: readonly Demand[]): Demand[] {
  const nodes = emptyNodes(pools);
  const shapes = new Map<string, { readonly perNode: number; readonly rank: number }>();
  for (const { podSet } of demands) {
    const { shape } = needsOf(podSet);
    if (shapes.has(shape)) continue;
    const perNode = nodes.reduce((most, group) => Math.max(most, podsPerNode(podSet, group)), 0);
    shapes.set(shape, { perNode, rank: shapes.size });
  }
  return demands.toSorted((a, b) => {
    const [left, right] = [shapes.get(needsOf(a.podSet).shape)!, shapes.get(needsOf(b.podSet).shape)!];
    return left.perNode === right.perNode ? left.rank - right.rank : left.perNode - right.perNode;
  });
}

/**
 * Nodes that would have to be added to one pool for these pods, the first pool that could hold them all; undefined where none could.
 */
export function moreNodesFor(pools: readonly NodePool[], demands: readonly Demand[]): MoreNodes | undefined {
  const enough = demands.reduce((sum, { pods }) => sum + pods, 0);
  for (const pool of pools) {
    const { open, unplaced } = place(emptyNodes([{ ...pool, count: enough }]), demands);
    if (unplaced.length > 0) continue;
    const untouched = open.filter(({ free }) => free === pool.allocatable).reduce((sum, { nodes }) => sum + nodes, 0);
    return { pool: pool.name, nodes: enough - untouched };
  }
  return undefined;
}
