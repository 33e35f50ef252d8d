import type { Memory } from '../../core/memory';
import type { PodSet } from '../workload';
import { alikePools } from './alike-nodes';
import type { AlikePools } from './alike-nodes';
import { candidates } from './candidates';
import { rulesOf, runsOn } from './node-affinity';
import type { NodePool } from './node-pools';
import { fitsOn, largestFirst } from './placement';
import { hasRoom } from './room-left';
import type { Demand } from './placement';
import { needsOf } from './pod-needs';
import type { Amounts } from './pod-requests';

/** The pods of a set that stand on nodes at most while others wait for one, wherever that is. */
export interface StandingPods extends Demand {
  /** The same while one more of the set waits itself. */
  readonly whileWaiting: number;
}

/** What pods use of a resource, in billionths: together, the least that one of them uses, and the step in which their use goes up. */
interface Use {
  readonly sum: bigint;
  readonly least: bigint;
  readonly step: bigint;
}

/** Pools whose nodes have room for a pod. */
type Fitting = readonly Pick<AlikePools, 'pool' | 'count'>[];

function greatestCommonDivisor(a: bigint, b: bigint): bigint {
  return b === 0n ? a : greatestCommonDivisor(b, a % b);
}

function both(a: Use, b: Use): Use {
  return { sum: a.sum + b.sum, least: a.least < b.least ? a.least : b.least, step: greatestCommonDivisor(a.step, b.step) };
}

/** What keeps another pod off a node. */
interface Rivals {
  readonly uses: Map<string, Use>;
  /** Pods that leave a mark on their node. */
  readonly marks: Map<unknown, number>;
}

/** Pods with the same rules of where they may go. */
interface Crowd extends Rivals {
  readonly member: PodSet;
  readonly shapes: Set<unknown>;
  /** The most that any of them requests of each resource. */
  readonly largest: Map<string, bigint>;
}

function addUse(uses: Map<string, Use>, resource: string, use: Use): void {
  const known = uses.get(resource);
  uses.set(resource, known ? both(known, use) : use);
}

function addMarks(marks: Map<unknown, number>, mark: unknown, pods: number): void {
  marks.set(mark, (marks.get(mark) ?? 0) + pods);
}

function add(crowd: Crowd, { podSet, pods }: StandingPods, memory: Memory): void {
  const { footprint, marks, shape } = needsOf(podSet, memory);
  crowd.shapes.add(shape);
  for (const [resource, request] of footprint) {
    if (request === 0n) continue;
    addUse(crowd.uses, resource, { sum: request * BigInt(pods), least: request, step: request });
    if ((crowd.largest.get(resource) ?? 0n) < request) crowd.largest.set(resource, request);
  }
  for (const mark of new Set([...marks.old.leaves, ...marks.new.leaves])) addMarks(crowd.marks, mark, pods);
}

/** All crowds as one, wherever they may go. */
function together(crowds: Iterable<Crowd>): Rivals {
  const all: Rivals = { uses: new Map(), marks: new Map() };
  for (const { uses, marks } of crowds) {
    for (const [resource, use] of uses) addUse(all.uses, resource, use);
    for (const [mark, pods] of marks) addMarks(all.marks, mark, pods);
  }
  return all;
}

function crowdsOf(sets: readonly StandingPods[], memory: Memory): ReadonlyMap<string, Crowd> {
  const crowds = new Map<string, Crowd>();
  for (const standing of sets) {
    const { key } = rulesOf(standing.podSet, memory);
    const crowd = crowds.get(key) ?? { member: standing.podSet, shapes: new Set(), uses: new Map(), largest: new Map(), marks: new Map() };
    crowds.set(key, crowd);
    add(crowd, standing, memory);
  }
  return crowds;
}

/**
 * How many nodes so much use of a resource leaves without room for a request, if it is spread as badly as can be.
 *
 * Where use goes up by `step`, the least that keeps a request of r off a node with c is the first step above c - r: of 4 GPUs,
 * used by pods of 1, all 4 for a request of 1, and 1 for a request of 4.
 */
function blockedBy({ sum, least, step }: Use, request: bigint, resource: string, fitting: Fitting): number {
  const costs = fitting.flatMap(({ pool, count }) => {
    const limit = pool.allocatable.get(resource);
    if (limit === undefined) return [];
    const toFill = ((limit - request) / step + 1n) * step;
    return { count, cost: toFill > least ? toFill : least };
  });
  let blocked = 0;
  let rest = sum;
  for (const { count, cost } of costs.toSorted((a, b) => Number(a.cost - b.cost))) {
    const nodes = Math.min(count, Number(rest / cost));
    blocked += nodes;
    rest -= BigInt(nodes) * cost;
  }
  return blocked;
}

function nodesOf(fitting: Fitting): number {
  return fitting.reduce((nodes, { count }) => nodes + count, 0);
}

/** Nodes that the use of all resources may leave without room for a request. */
function blockedNodes(request: Amounts, own: (amount: bigint) => bigint, rivals: readonly Rivals[], fitting: Fitting): number {
  let blocked = 0;
  for (const [resource, amount] of request) {
    const uses = rivals.flatMap((rival) => rival.uses.get(resource) ?? []);
    if (amount === 0n || uses.length === 0) continue;
    const use = uses.reduce(both);
    blocked += blockedBy({ ...use, sum: use.sum - own(amount) }, amount, resource, fitting);
  }
  return blocked;
}

/** The crowds that may stand on a node: those that a label leads to few nodes are found by node. */
class Crowds {
  private readonly byPool = new Map<NodePool, Crowd[]>();
  private readonly anywhere: Crowd[] = [];

  constructor(
    all: Iterable<Crowd>,
    pools: readonly NodePool[],
    private readonly memory: Memory,
  ) {
    for (const crowd of all) {
      const few = candidates(crowd.member, pools, memory);
      if (few === pools) this.anywhere.push(crowd);
      else for (const pool of few) this.note(crowd, pool);
    }
  }

  private note(crowd: Crowd, pool: NodePool): void {
    if (!runsOn(crowd.member, pool, 'old', this.memory)) return;
    const known = this.byPool.get(pool);
    if (known) known.push(crowd);
    else this.byPool.set(pool, [crowd]);
  }

  /** Those that may stand on one of some nodes. */
  on(pools: readonly NodePool[]): Crowd[] {
    const found = new Set<Crowd>(pools.flatMap((pool) => this.byPool.get(pool) ?? []));
    for (const crowd of this.anywhere) if (pools.some((pool) => runsOn(crowd.member, pool, 'old', this.memory))) found.add(crowd);
    return [...found];
  }
}

/** Pods that others share nodes with. */
interface Sharing {
  readonly crowds: Crowds;
  /** All crowds as one. */
  readonly all: Rivals;
  readonly pools: readonly NodePool[];
  readonly memory: Memory;
}

/** Can these rivals stand so that no node takes one more of a set, though none of its own pods has to go? */
function canKeepOff({ podSet, whileWaiting, pods }: StandingPods, rivals: readonly Rivals[], fitting: Fitting, memory: Memory): boolean {
  const { footprint, marks } = needsOf(podSet, memory);
  const { avoids } = marks.new;
  const left = [...marks.old.leaves, ...marks.new.leaves];
  let blocked = avoids.some((mark) => left.includes(mark)) ? whileWaiting : 0;
  for (const mark of avoids) {
    const all = rivals.reduce((sum, rival) => sum + (rival.marks.get(mark) ?? 0), 0);
    blocked += left.includes(mark) ? all - pods : all;
  }
  blocked += blockedNodes(footprint, (amount) => amount * BigInt(pods - whileWaiting), rivals, fitting);
  return blocked >= nodesOf(fitting);
}

/**
 * Can the pods of all stand so that no node takes one more of a set, though none of its own pods has to go?
 *
 * What all crowds together could not do, wherever they may go, those on its own nodes can't either: these are gone through only where that is open.
 */
function canBeKeptOff(standing: StandingPods, { crowds, all, pools, memory }: Sharing): boolean {
  const { podSet } = standing;
  const alike = alikePools(podSet, pools, memory, { byRoom: true }).filter(({ pool }) => fitsOn(pool, podSet, memory));
  if (!canKeepOff(standing, [all], alike, memory)) return false;
  const fitting = candidates(podSet, pools, memory).filter((pool) => fitsOn(pool, podSet, memory));
  const rivals = crowds.on(fitting);
  const { shape } = needsOf(podSet, memory);
  return !rivals.every(({ shapes }) => shapes.size === 1 && shapes.has(shape)) && canKeepOff(standing, rivals, alike, memory);
}

/** Is there always a node for a pod that asks for as much as any of a crowd, and so for each of them? */
function isRoomy({ member, largest }: Crowd, { all, pools, memory }: Sharing): boolean {
  const near = alikePools(member, pools, memory, { byRoom: true });
  const fitting = near.filter(({ pool }) => runsOn(member, pool, 'new', memory) && hasRoom(pool.allocatable, largest));
  return blockedNodes(largest, () => 0n, [all], fitting) < nodesOf(fitting);
}

function isWithin(footprint: Amounts, larger: Amounts): boolean {
  return [...footprint].every(([resource, request]) => request <= (larger.get(resource) ?? 0n));
}

/**
 * The first sets that may wait for ever for a node while several rollouts are under way, each of which ends alone; the largest first.
 *
 * Pods of other sizes may come to stand so that every node has some room and none has enough, however much there is in all:
 * of two nodes with 4 GPUs each, one pod on either keeps off a pod that needs 4. A set for which that can't be always finds a node:
 * to keep it off a node of capacity c, more than c - r has to be used there of some resource of which it requests r,
 * and there is only so much use. Pods that are all alike never keep each other off, for each takes the place that another one left.
 *
 * @param sets all pods on the nodes
 * @param most sets to name
 */
export function fragmented(sets: readonly StandingPods[], pools: readonly NodePool[], most: number, memory: Memory): PodSet[] {
  const crowds = crowdsOf(sets, memory);
  const sharing = { crowds: new Crowds(crowds.values(), pools, memory), all: together(crowds.values()), pools, memory };
  const roomy = new Map([...crowds].map(([key, crowd]): [string, Amounts[]] => [key, isRoomy(crowd, sharing) ? [crowd.largest] : []]));
  const found: PodSet[] = [];
  for (const standing of largestFirst(pools, sets, memory)) {
    const { footprint, marks } = needsOf(standing.podSet, memory);
    const findRoom = roomy.get(rulesOf(standing.podSet, memory).key)!;
    const isPlain = marks.new.avoids.length === 0;
    if (isPlain && findRoom.some((larger) => isWithin(footprint, larger))) continue;
    if (canBeKeptOff(standing, sharing)) found.push(standing.podSet);
    else if (isPlain) findRoom.push(footprint);
    if (found.length === most) break;
  }
  return found;
}
