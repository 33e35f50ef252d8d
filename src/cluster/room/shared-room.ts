import type { SharedLimit, SharedRoom } from '../../core/plan-document';
import type { PlannedRollout } from '../../core/rollout';
import type { MoreNodes, RoomVerdict } from '../../core/room';
import { workloadIn } from '../workload';
import type { PodSet, SystemRollout } from '../workload';
import { peakRow } from './cluster-room';
import { fragmented } from './fragmentation';
import { resourceLimit, resourceUse, steadyUseOf, tightestOf, useOf } from './limits';
import type { ResourceLimit } from './limits';
import type { NodePool } from './node-pools';
import { largestFirst, moreNodesFor, place } from './placement';
import type { Demand } from './placement';
import { podFootprint, written } from './pod-requests';
import type { JudgedRoom, Limits } from './rollout-room';
import { moreNodesText, NODE_POOLS } from './shortage';
import { greatest } from '../../core/extremes';

const WORST_FIRST: readonly RoomVerdict[] = ['deadlocks', 'slower', 'may-not-fit', 'fits'];

function worst(verdicts: readonly RoomVerdict[]): RoomVerdict {
  return WORST_FIRST.find((verdict) => verdicts.includes(verdict)) ?? 'fits';
}

/** A rollout among others: the pods that it has at once, and what becomes of it alone. */
interface SharingRollout {
  /** `Deployment models/llm`. */
  readonly name: string;
  readonly podSets: readonly PodSet[];
  /** Pods of each set at every moment that may ask for most. */
  readonly rows: readonly (readonly number[])[];
  readonly verdict: RoomVerdict;
  /** Does it hold the room that some of its pods have found, while it waits for room for the others? */
  readonly holdsAndWaits: boolean;
}

function sharingRollout(planned: SystemRollout, { verdict: { verdict } }: JudgedRoom): SharingRollout | undefined {
  const { pods, resource } = planned;
  const workload = workloadIn(planned);
  // The object that a controller makes of a resource may have a name that is not known.
  const { kind, namespace, name } = workload?.countOnly ? resource : (workload ?? resource);
  const known = { name: `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`, verdict };
  if (pods?.of === 'clusters') return { ...known, podSets: pods.clusters.podSets, rows: pods.clusters.rows, holdsAndWaits: true };
  if (pods?.of === 'groups') {
    const { podSets, rows } = pods.groups;
    return { ...known, podSets, rows, holdsAndWaits: true };
  }
  if (!workload?.rollout) return undefined;
  const rows = [[Math.max(workload.replicas, workload.rollout.peakPods)]];
  return { ...known, podSets: [workload], rows, holdsAndWaits: workload.rollout.waitsForAllNew ?? false };
}

/** What a rollout asks of a limit above what it uses anyway. */
function extraUse({ podSets, rows }: SharingRollout, limit: ResourceLimit): bigint {
  const steady = steadyUseOf(podSets, limit);
  const uses = rows.map((row) => useOf(podSets, row, limit));
  return uses.reduce((most, use) => (use - steady > most ? use - steady : most), 0n);
}

/** The pods of its peak above those that run anyway, as far as it is known what a node needs for them. */
function extraPods(rollout: SharingRollout): Demand[] {
  const peak = peakRow(rollout);
  const demands = rollout.podSets.map((podSet, index) => ({ podSet, pods: Math.max(0, peak[index]! - podSet.replicas) }));
  return demands.filter(({ podSet }) => !podSet.countOnly && !podSet.onePerNode);
}

/** Rollouts or limits that a sentence names. */
const MOST_NAMED = 3;

type ByPodSet = ReadonlyMap<PodSet, SharingRollout>;

/** The rollouts that use something of a limit. */
function usersOf({ perPod }: ResourceLimit, rollouts: ByPodSet): ReadonlySet<SharingRollout> {
  return new Set([...perPod.keys()].flatMap((podSet) => rollouts.get(podSet) ?? []));
}

/** Remembers what is the same for all limits on the same use of the same pods, such as those of a thousand quotas on CPU. */
function oncePerUse<T>(derive: (limit: ResourceLimit) => T): (limit: ResourceLimit) => T {
  const made = new Map<ResourceLimit['perPod'], T>();
  return (limit) => {
    const known = made.get(limit.perPod) ?? derive(limit);
    made.set(limit.perPod, known);
    return known;
  };
}

/** What rollouts use of a limit above what they use anyway: the most of them, and all of them. */
interface ExtraUse {
  readonly largest: bigint;
  readonly sum: bigint;
}

interface SharedUse {
  readonly limit: ResourceLimit;
  readonly oneAfterAnother: bigint;
  readonly together: bigint;
}

function extraUseOfAll(limit: ResourceLimit, users: Iterable<SharingRollout>): ExtraUse {
  let largest = 0n;
  let sum = 0n;
  for (const rollout of users) {
    const extra = extraUse(rollout, limit);
    sum += extra;
    if (extra > largest) largest = extra;
  }
  return { largest, sum };
}

function sharedUse(limit: ResourceLimit, { largest, sum }: ExtraUse): SharedUse {
  return { limit, oneAfterAnother: limit.steady + largest, together: limit.steady + sum };
}

function sharedLimit({ limit, oneAfterAnother, together }: SharedUse): SharedLimit {
  const { name, resource, total, steady } = limit;
  return {
    limit: name,
    resource,
    available: written(total, resource),
    steady: written(steady, resource),
    oneAfterAnother: written(oneAfterAnother, resource),
    together: written(together, resource),
  };
}

/** What the nodes of all pools have of each resource, as far as pods ask for it. */
function poolTotals(pools: readonly NodePool[], podSets: readonly PodSet[]): ResourceLimit[] {
  const totals = new Map<string, bigint>();
  for (const { count, allocatable } of pools) {
    for (const [resource, amount] of allocatable) totals.set(resource, (totals.get(resource) ?? 0n) + amount * BigInt(count));
  }
  const use = (resource: string) => (podSet: PodSet) => podFootprint(podSet.template.spec).get(resource) ?? 0n;
  return [...totals].flatMap(
    ([resource, total]) =>
      resourceLimit({ kind: 'nodes', name: NODE_POOLS, resource }, { total }, resourceUse(podSets, use(resource))) ?? [],
  );
}

/** The pods that find no node while all roll out at once. */
function homelessTogether(rollouts: readonly SharingRollout[], { steady, nodePools, memory }: Limits): readonly Demand[] {
  if (!steady) return [];
  const extra = rollouts.flatMap(extraPods);
  const homeless = [...steady.homeless].map(([podSet, pods]) => ({ podSet, pods }));
  return [...homeless, ...place(steady.nodes, largestFirst(nodePools, extra, memory), memory).unplaced];
}

/** The rollouts that hold room and wait for more, if they can't all have what they wait for: each may wait for what another one holds. */
function clashing(rollouts: readonly SharingRollout[], shared: readonly ResourceLimit[], limits: Limits): readonly SharingRollout[] {
  const holders = rollouts.filter(({ holdsAndWaits }) => holdsAndWaits);
  if (holders.length < 2) return [];
  const lacks = tightestOf(shared).some((limit) => sharedUse(limit, extraUseOfAll(limit, holders)).together > limit.total);
  return lacks || homelessTogether(holders, limits).length > 0 ? holders : [];
}

/** The rollouts that may wait for ever for a node with enough room in one place, if more than one is under way. */
function keptWaiting(rollouts: ByPodSet, { nodePools, onNodes, memory }: Limits): readonly SharingRollout[] {
  if (new Set(rollouts.values()).size < 2) return [];
  const standing = onNodes.map((podSet) => {
    const rollout = rollouts.get(podSet);
    const index = rollout?.podSets.indexOf(podSet) ?? -1;
    const most = greatest(rollout?.rows.map((row) => row[index]!) ?? [], podSet.replicas);
    return { podSet, pods: Math.max(podSet.replicas, most - 1), whileWaiting: Math.max(0, most - 1) };
  });
  return [...new Set(fragmented(standing, nodePools, MOST_NAMED, memory).flatMap((podSet) => rollouts.get(podSet) ?? []))];
}

function named(names: readonly string[]): string {
  const rest = names.length > MOST_NAMED ? ` and ${names.length - MOST_NAMED} more` : '';
  return `${names.slice(0, MOST_NAMED).join(', ')}${rest}`;
}

function describe(
  alone: RoomVerdict,
  together: RoomVerdict,
  stuck: readonly SharingRollout[],
  clash: readonly SharingRollout[],
  waiting: readonly SharingRollout[],
  short: readonly SharedUse[],
  moreNodes?: MoreNodes,
): string {
  const names = (rollouts: readonly SharingRollout[]) => named(rollouts.map(({ name }) => name));
  const words: Readonly<Record<RoomVerdict, string>> = {
    fits: 'fits',
    'may-not-fit': 'may not fit, by constraints of the pods that are not looked at',
    slower: 'ends, with fewer pods at once than planned',
    deadlocks: `deadlocks (${names(stuck)})`,
  };
  const mayDeadlock =
    clash.length > 0
      ? `${names(clash)} hold room that the others wait for`
      : `other pods may leave no one node with room for a pod of ${names(waiting)}`;
  const lacking = short.map(({ limit, together: use }) => {
    return `${written(use, limit.resource)} of ${written(limit.total, limit.resource)} ${limit.resource} (${limit.name})`;
  });
  const because = lacking.length > 0 ? `, since the peaks together need ${named(lacking)}` : '';
  const nodes = moreNodes ? `; fits with ${moreNodesText(moreNodes)} of pool "${moreNodes.pool}"` : '';
  const allAtOnce = together === 'deadlocks' && alone !== 'deadlocks' ? `may deadlock (${mayDeadlock})` : words[together];
  return `One after another: ${words[alone]}. All at once: ${allAtOnce}${because}${nodes}.`;
}

/**
 * What the rollouts of a plan ask of the limits that they share, one after another and all at once.
 *
 * All at once needs more room, but pod by pod seldom deadlocks where each would end alone:
 * a rollout without room for its surge waits for one that ends and gives its own back,
 * and one that deletes pods first waits for places that it made itself.
 * It may deadlock where a place that a pod left is taken in part by a smaller one,
 * and where rollouts need several pods before any of them counts, as RayService upgrades do, and each holds what the other waits for.
 *
 * @returns undefined where no limit is shared
 */
export function sharedRoom(
  planned: readonly SystemRollout[],
  rooms: ReadonlyMap<PlannedRollout, JudgedRoom>,
  limits: Limits,
): SharedRoom | undefined {
  const limited = planned.flatMap((rollout) => {
    const room = rooms.get(rollout);
    return (room && sharingRollout(rollout, room)) ?? [];
  });
  const byPodSet: ByPodSet = new Map(limited.flatMap((rollout) => rollout.podSets.map((podSet) => [podSet, rollout] as const)));
  const all = [...limits.resources, ...poolTotals(limits.nodePools, limits.onNodes)];
  const users = oncePerUse((limit) => usersOf(limit, byPodSet));
  const shared = all.filter((limit) => users(limit).size > 1);
  if (shared.length === 0) return undefined;
  const sharing = new Set(tightestOf(shared).flatMap((limit) => [...users(limit)]));
  const rollouts = limited.filter((rollout) => sharing.has(rollout));

  const extra = oncePerUse((limit) => extraUseOfAll(limit, users(limit)));
  const uses = shared.map((limit) => sharedUse(limit, extra(limit)));
  const short = uses.filter(({ limit, together }) => together > limit.total);
  const homeless = homelessTogether(rollouts, limits);
  const oneAfterAnother = worst(rollouts.map(({ verdict }) => verdict));
  const fitsTogether = short.length === 0 && homeless.length === 0;
  const clash = clashing(rollouts, shared, limits);
  const waiting = keptWaiting(byPodSet, limits);
  const isSure = oneAfterAnother === 'deadlocks' || (waiting.length === 0 && (fitsTogether || clash.length === 0));
  const ends = fitsTogether ? oneAfterAnother : worst([oneAfterAnother, 'slower']);
  const together = isSure ? ends : 'deadlocks';
  const onlyNodesLack = homeless.length > 0 && short.every(({ limit }) => limit.kind === 'nodes');
  const moreNodes = onlyNodesLack ? moreNodesFor(limits.nodePools, homeless, limits.memory) : undefined;
  const stuck = rollouts.filter(({ verdict }) => verdict === 'deadlocks');
  const message = describe(oneAfterAnother, together, stuck, clash, waiting, short, moreNodes);
  return { oneAfterAnother, together, limits: uses.map(sharedLimit), message };
}

/** What the rollouts of several units share, unit by unit: units are rendered and applied each by itself. */
export function sharedByAll(rooms: readonly SharedRoom[]): SharedRoom | undefined {
  if (rooms.length < 2) return rooms[0];
  return {
    oneAfterAnother: worst(rooms.map(({ oneAfterAnother }) => oneAfterAnother)),
    together: worst(rooms.map(({ together }) => together)),
    limits: rooms.flatMap(({ limits }) => limits),
    message: [...new Set(rooms.map(({ message }) => message))].join(' '),
  };
}
