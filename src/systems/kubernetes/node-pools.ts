import { fieldsAt, isFields, valueAt } from '../../core/manifest';
import type { MoreNodes } from '../../core/rollout';
import type { Workload } from '../../core/workload';
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
  /** Workloads that have a pod on each of these nodes and take no second one there. */
  readonly closedTo: ReadonlySet<Workload>;
}

/** Pods of one workload to place. */
export interface Demand {
  readonly workload: Workload;
  readonly pods: number;
}

/** Where pods were placed, and the pods of each workload that found no room. */
export interface Placement {
  /** Nodes that may have room for one of the pods still. */
  readonly open: readonly NodeGroup[];
  /** Nodes too full for any of them. */
  readonly full: readonly NodeGroup[];
  readonly unplaced: readonly Demand[];
}

/** Every node has these, named or not. */
const BASIC_RESOURCES: ReadonlySet<string> = new Set(['cpu', 'memory', 'ephemeral-storage', 'pods']);

/** What one pod of a workload needs of its node. */
interface PodNeeds {
  readonly footprint: Amounts;
  readonly ownNode: boolean;
}

const NEEDS = new WeakMap<Workload, PodNeeds>();

/** Worked out once a workload, since every node is asked. */
function needsOf(workload: Workload): PodNeeds {
  const known = NEEDS.get(workload);
  if (known) return known;
  const needs = { footprint: podFootprint(workload.template.spec), ownNode: oneNodeEach(workload.template) !== undefined };
  NEEDS.set(workload, needs);
  return needs;
}

/**
 * The pools with those made one whose nodes no workload can tell apart: the same allocatable, and the same labels as far as a node selector
 * asks for them. A cluster's own Nodes come down to a few makes by it.
 */
export function mergedPools(pools: readonly NodePool[], workloads: readonly Workload[]): NodePool[] {
  const asked = new Set(workloads.flatMap(({ template }) => Object.keys(fieldsAt(template, 'spec', 'nodeSelector'))));
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

function runsOn(workload: Workload, { labels }: NodePool): boolean {
  const selector = valueAt(workload.template, 'spec', 'nodeSelector');
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

/** How many more pods of a workload fit on one node of a group. */
function podsPerNode(workload: Workload, group: NodeGroup): number {
  const { footprint, ownNode } = needsOf(workload);
  if (lacks(group, footprint) || group.closedTo.has(workload) || !runsOn(workload, group.pool)) return 0;
  let pods = ownNode ? 1 : Infinity;
  for (const [resource, request] of footprint) {
    const left = leftOf(group, resource);
    if (left !== undefined) pods = Math.min(pods, Number(left / request));
  }
  return pods;
}

function withPods(group: NodeGroup, nodes: number, workload: Workload, podsOnEach: number): NodeGroup {
  const { footprint, ownNode } = needsOf(workload);
  const free = new Map(group.free);
  for (const [resource, request] of footprint) {
    const left = free.get(resource);
    if (left !== undefined) free.set(resource, left - request * BigInt(podsOnEach));
  }
  return { ...group, nodes, free, closedTo: ownNode ? new Set([...group.closedTo, workload]) : group.closedTo };
}

/** Fills one group with up to `pods` pods: full nodes, one with the rest, and those left untouched. */
function fill(group: NodeGroup, workload: Workload, pods: number): { readonly groups: NodeGroup[]; readonly placed: number } {
  const perNode = Math.min(podsPerNode(workload, group), pods);
  if (perNode === 0 || group.nodes === 0) return { groups: [group], placed: 0 };
  const full = Math.min(group.nodes, Math.floor(pods / perNode));
  const rest = full < group.nodes ? pods - full * perNode : 0;
  const untouched = group.nodes - full - (rest > 0 ? 1 : 0);
  return {
    groups: [
      withPods(group, full, workload, perNode),
      ...(rest > 0 ? [withPods(group, 1, workload, rest)] : []),
      ...(untouched > 0 ? [{ ...group, nodes: untouched }] : []),
    ],
    placed: full * perNode + rest,
  };
}

function placeOne(groups: readonly NodeGroup[], { workload, pods }: Demand): { readonly groups: NodeGroup[]; readonly unplaced: number } {
  let unplaced = pods;
  const filled: NodeGroup[] = [];
  for (const group of groups) {
    const { groups: parts, placed } = unplaced > 0 ? fill(group, workload, unplaced) : { groups: [group], placed: 0 };
    filled.push(...parts);
    unplaced -= placed;
  }
  return { groups: filled, unplaced };
}

/** What every one of the pods needs at least. A node without it is full for all of them and is not looked at again. */
function leastNeeds(demands: readonly Demand[]): Amounts {
  const [first, ...others] = demands.map(({ workload }) => needsOf(workload).footprint);
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

/** Places pods on the first nodes that have room, one workload after another. */
export function place(groups: readonly NodeGroup[], demands: readonly Demand[]): Placement {
  const least = leastNeeds(demands);
  let open = groups;
  const full: NodeGroup[] = [];
  const unplaced: Demand[] = [];
  for (const demand of demands) {
    const { groups: filled, unplaced: pods } = placeOne(open, demand);
    const stillOpen: NodeGroup[] = [];
    for (const group of filled) (lacks(group, least) ? full : stillOpen).push(group);
    open = stillOpen;
    if (pods > 0) unplaced.push({ workload: demand.workload, pods });
  }
  return { open, full, unplaced };
}

/** How many of these pods find room, without placing them. */
export function roomFor(groups: readonly NodeGroup[], { workload, pods }: Demand): number {
  let placed = 0;
  for (const group of groups) {
    if (placed === pods) break;
    const perNode = podsPerNode(workload, group);
    if (perNode > 0) placed = Math.min(pods, placed + perNode * group.nodes);
  }
  return placed;
}

/** The most of a resource that any one node has left for a workload; undefined where a node has no limit on it. */
export function largestLeft(groups: readonly NodeGroup[], workload: Workload, resource: string): bigint | undefined {
  let largest = 0n;
  for (const group of groups) {
    if (group.nodes === 0 || !runsOn(workload, group.pool)) continue;
    const left = leftOf(group, resource);
    if (left === undefined) return undefined;
    if (left > largest) largest = left;
  }
  return largest;
}

/** The demands with those first whose pods need most of a node: first fit decreasing, which wastes few places. */
export function largestFirst(pools: readonly NodePool[], demands: readonly Demand[]): Demand[] {
  const nodes = emptyNodes(pools);
  const perNode = new Map(demands.map(({ workload }) => [workload, Math.max(0, ...nodes.map((group) => podsPerNode(workload, group)))]));
  return demands.toSorted((a, b) => perNode.get(a.workload)! - perNode.get(b.workload)! || 0);
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
