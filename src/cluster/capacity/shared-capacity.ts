import type { SharedLimit, SharedCapacityResult } from '../../core/plan-document';
import type { PlannedRollout } from '../../core/rollout';
import type { MoreNodes, CapacityVerdict } from '../../core/capacity-result';
import { workloadOf } from '../workload';
import type { PodSet, SystemRollout } from '../workload';
import { findPeakRow } from './second-cluster-capacity';
import { findPodSetsBlockedByFragmentation } from './fragmentation';
import { buildResourceLimit, computeResourceUse, computeSteadyUse, pickTightestLimits, computeUse } from './limits';
import type { ResourceLimit } from './limits';
import type { NodePool } from './node-pools';
import { sortLargestFirst, computeAdditionalNodes, schedulePods } from './placement';
import type { Demand } from './placement';
import { computePodFootprint, formatResourceAmount } from './pod-requests';
import type { CapacityEvaluation, PlanLimits } from './rollout-capacity';
import { formatMoreNodes, NODE_POOLS } from './shortage';
import { findMax } from '../../core/min-max';

const VERDICTS_WORST_FIRST: readonly CapacityVerdict[] = ['deadlocks', 'slower', 'may-not-fit', 'fits'];

function pickWorstVerdict(verdicts: readonly CapacityVerdict[]): CapacityVerdict {
  return VERDICTS_WORST_FIRST.find((verdict) => verdicts.includes(verdict)) ?? 'fits';
}

/** A rollout among others: the pods that it has at once, and what becomes of it alone. */
interface SharingRollout {
  /** `Deployment models/llm`. */
  readonly name: string;
  readonly podSets: readonly PodSet[];
  /** Pods of each set at every moment that may ask for most. */
  readonly rows: readonly (readonly number[])[];
  readonly verdict: CapacityVerdict;
  /** Does it hold the room that some of its pods have found, while it waits for room for the others? */
  readonly holdsAndWaits: boolean;
}

function toSharingRollout(planned: SystemRollout, { verdict: { verdict } }: CapacityEvaluation): SharingRollout | undefined {
  const { pods, resource } = planned;
  const workload = workloadOf(planned);
  // The object that a controller makes of a resource may have a name that is not known.
  const { kind, namespace, name } = workload?.countOnly ? resource : (workload ?? resource);
  const known = { name: `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`, verdict };
  if (pods?.kind === 'clusters') return { ...known, podSets: pods.clusters.podSets, rows: pods.clusters.rows, holdsAndWaits: true };
  if (pods?.kind === 'groups') {
    const { podSets, rows } = pods.groups;
    return { ...known, podSets, rows, holdsAndWaits: true };
  }
  if (!workload?.rollout) return undefined;
  const rows = [[Math.max(workload.replicas, workload.rollout.peakPods)]];
  return { ...known, podSets: [workload], rows, holdsAndWaits: workload.rollout.waitsForAllNew ?? false };
}

/** What a rollout asks of a limit above what it uses anyway. */
function computeExtraUse({ podSets, rows }: SharingRollout, limit: ResourceLimit): bigint {
  const steady = computeSteadyUse(podSets, limit);
  const uses = rows.map((row) => computeUse(podSets, row, limit));
  return uses.reduce((most, use) => (use - steady > most ? use - steady : most), 0n);
}

/** The pods of its peak above those that run anyway, as far as it is known what a node needs for them. */
function listExtraPods(rollout: SharingRollout): Demand[] {
  const peak = findPeakRow(rollout);
  const demands = rollout.podSets.map((podSet, index) => ({ podSet, pods: Math.max(0, peak[index]! - podSet.replicas) }));
  return demands.filter(({ podSet }) => !podSet.countOnly && !podSet.onePerNode);
}

/** Rollouts or limits that a sentence names. */
const MAX_NAMED = 3;

type ByPodSet = ReadonlyMap<PodSet, SharingRollout>;

/** The rollouts that use something of a limit. */
function findUsers({ perPod }: ResourceLimit, rollouts: ByPodSet): ReadonlySet<SharingRollout> {
  return new Set([...perPod.keys()].flatMap((podSet) => rollouts.get(podSet) ?? []));
}

/** Remembers what is the same for all limits on the same use of the same pods, such as those of a thousand quotas on CPU. */
function memoizePerUse<T>(derive: (limit: ResourceLimit) => T): (limit: ResourceLimit) => T {
  const cacheByUse = new Map<ResourceLimit['perPod'], T>();
  return (limit) => {
    const known = cacheByUse.get(limit.perPod) ?? derive(limit);
    cacheByUse.set(limit.perPod, known);
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
  readonly allAtOnce: bigint;
}

function sumExtraUse(limit: ResourceLimit, users: Iterable<SharingRollout>): ExtraUse {
  let largest = 0n;
  let sum = 0n;
  for (const rollout of users) {
    const extra = computeExtraUse(rollout, limit);
    sum += extra;
    if (extra > largest) largest = extra;
  }
  return { largest, sum };
}

function computeSharedUse(limit: ResourceLimit, { largest, sum }: ExtraUse): SharedUse {
  return { limit, oneAfterAnother: limit.steady + largest, allAtOnce: limit.steady + sum };
}

function toSharedLimit({ limit, oneAfterAnother: sequential, allAtOnce: allAtOnceVerdict }: SharedUse): SharedLimit {
  const { name, resource, total, steady } = limit;
  return {
    limit: name,
    resource,
    available: formatResourceAmount(total, resource),
    steady: formatResourceAmount(steady, resource),
    sequential: formatResourceAmount(sequential, resource),
    concurrent: formatResourceAmount(allAtOnceVerdict, resource),
  };
}

/** What the nodes of all pools have of each resource, as far as pods ask for it. */
function buildPoolLimits(pools: readonly NodePool[], podSets: readonly PodSet[]): ResourceLimit[] {
  const totals = new Map<string, bigint>();
  for (const { count, allocatable } of pools) {
    for (const [resource, amount] of allocatable) totals.set(resource, (totals.get(resource) ?? 0n) + amount * BigInt(count));
  }
  const use = (resource: string) => (podSet: PodSet) => computePodFootprint(podSet.template.spec).get(resource) ?? 0n;
  return [...totals].flatMap(
    ([resource, total]) =>
      buildResourceLimit({ kind: 'nodes', name: NODE_POOLS, resource }, { total }, computeResourceUse(podSets, use(resource))) ?? [],
  );
}

/** The pods that find no node while all roll out at once. */
function findUnplacedAtOnce(rollouts: readonly SharingRollout[], { steady, nodePools, cache }: PlanLimits): readonly Demand[] {
  if (!steady) return [];
  const extra = rollouts.flatMap(listExtraPods);
  const unplacedDemands = [...steady.unplacedBySet].map(([podSet, pods]) => ({ podSet, pods }));
  return [...unplacedDemands, ...schedulePods(steady.nodes, sortLargestFirst(nodePools, extra, cache), cache).unplaced];
}

/** The rollouts that hold room and wait for more, if they can't all have what they wait for: each may wait for what another one holds. */
function findConflictingRollouts(
  rollouts: readonly SharingRollout[],
  shared: readonly ResourceLimit[],
  limits: PlanLimits,
): readonly SharingRollout[] {
  const holders = rollouts.filter(({ holdsAndWaits }) => holdsAndWaits);
  if (holders.length < 2) return [];
  const isShort = pickTightestLimits(shared).some((limit) => computeSharedUse(limit, sumExtraUse(limit, holders)).allAtOnce > limit.total);
  return isShort || findUnplacedAtOnce(holders, limits).length > 0 ? holders : [];
}

/** The rollouts that may wait for ever for a node with enough room in one place, if more than one is under way. */
function findStarvedRollouts(rollouts: ByPodSet, { nodePools, podSetsOnNodes, cache }: PlanLimits): readonly SharingRollout[] {
  if (new Set(rollouts.values()).size < 2) return [];
  const runningPods = podSetsOnNodes.map((podSet) => {
    const rollout = rollouts.get(podSet);
    const index = rollout?.podSets.indexOf(podSet) ?? -1;
    const most = findMax(rollout?.rows.map((row) => row[index]!) ?? [], podSet.replicas);
    return { podSet, pods: Math.max(podSet.replicas, most - 1), whileWaiting: Math.max(0, most - 1) };
  });
  return [
    ...new Set(findPodSetsBlockedByFragmentation(runningPods, nodePools, MAX_NAMED, cache).flatMap((podSet) => rollouts.get(podSet) ?? [])),
  ];
}

function formatNames(names: readonly string[]): string {
  const rest = names.length > MAX_NAMED ? ` and ${names.length - MAX_NAMED} more` : '';
  return `${names.slice(0, MAX_NAMED).join(', ')}${rest}`;
}

function describeSharedCapacity(
  oneAfterAnotherVerdict: CapacityVerdict,
  allAtOnceVerdict: CapacityVerdict,
  stuck: readonly SharingRollout[],
  conflicting: readonly SharingRollout[],
  starved: readonly SharingRollout[],
  shortUses: readonly SharedUse[],
  moreNodes?: MoreNodes,
): string {
  const names = (rollouts: readonly SharingRollout[]) => formatNames(rollouts.map(({ name }) => name));
  const verdictTexts: Readonly<Record<CapacityVerdict, string>> = {
    fits: 'fits',
    'may-not-fit': 'may not fit, by constraints of the pods that are not looked at',
    slower: 'ends, with fewer pods at once than planned',
    deadlocks: `deadlocks (${names(stuck)})`,
  };
  const mayDeadlock =
    conflicting.length > 0
      ? `${names(conflicting)} hold room that the others wait for`
      : `other pods may leave no one node with room for a pod of ${names(starved)}`;
  const shortageTexts = shortUses.map(({ limit, allAtOnce: use }) => {
    return `${formatResourceAmount(use, limit.resource)} of ${formatResourceAmount(limit.total, limit.resource)} ${limit.resource} (${limit.name})`;
  });
  const reason = shortageTexts.length > 0 ? `, since the peaks together need ${formatNames(shortageTexts)}` : '';
  const nodes = moreNodes ? `; fits with ${formatMoreNodes(moreNodes)} of pool "${moreNodes.pool}"` : '';
  const allAtOnceText =
    allAtOnceVerdict === 'deadlocks' && oneAfterAnotherVerdict !== 'deadlocks'
      ? `may deadlock (${mayDeadlock})`
      : verdictTexts[allAtOnceVerdict];
  return `One after another: ${verdictTexts[oneAfterAnotherVerdict]}. All at once: ${allAtOnceText}${reason}${nodes}.`;
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
export function evaluateSharedCapacity(
  planned: readonly SystemRollout[],
  capacities: ReadonlyMap<PlannedRollout, CapacityEvaluation>,
  limits: PlanLimits,
): SharedCapacityResult | undefined {
  const limited = planned.flatMap((rollout) => {
    const evaluation = capacities.get(rollout);
    return (evaluation && toSharingRollout(rollout, evaluation)) ?? [];
  });
  const byPodSet: ByPodSet = new Map(limited.flatMap((rollout) => rollout.podSets.map((podSet) => [podSet, rollout] as const)));
  const all = [...limits.resources, ...buildPoolLimits(limits.nodePools, limits.podSetsOnNodes)];
  const users = memoizePerUse((limit) => findUsers(limit, byPodSet));
  const shared = all.filter((limit) => users(limit).size > 1);
  if (shared.length === 0) return undefined;
  const sharing = new Set(pickTightestLimits(shared).flatMap((limit) => [...users(limit)]));
  const rollouts = limited.filter((rollout) => sharing.has(rollout));

  const extra = memoizePerUse((limit) => sumExtraUse(limit, users(limit)));
  const uses = shared.map((limit) => computeSharedUse(limit, extra(limit)));
  const shortUses = uses.filter(({ limit, allAtOnce: allAtOnceVerdict }) => allAtOnceVerdict > limit.total);
  const unplacedDemands = findUnplacedAtOnce(rollouts, limits);
  const sequential = pickWorstVerdict(rollouts.map(({ verdict }) => verdict));
  const fitsTogether = shortUses.length === 0 && unplacedDemands.length === 0;
  const conflicting = findConflictingRollouts(rollouts, shared, limits);
  const starved = findStarvedRollouts(byPodSet, limits);
  const isSure = sequential === 'deadlocks' || (starved.length === 0 && (fitsTogether || conflicting.length === 0));
  const ends = fitsTogether ? sequential : pickWorstVerdict([sequential, 'slower']);
  const allAtOnceVerdict = isSure ? ends : 'deadlocks';
  const isShortOfNodesOnly = unplacedDemands.length > 0 && shortUses.every(({ limit }) => limit.kind === 'nodes');
  const moreNodes = isShortOfNodesOnly ? computeAdditionalNodes(limits.nodePools, unplacedDemands, limits.cache) : undefined;
  const stuck = rollouts.filter(({ verdict }) => verdict === 'deadlocks');
  const message = describeSharedCapacity(sequential, allAtOnceVerdict, stuck, conflicting, starved, shortUses, moreNodes);
  return { sequential, concurrent: allAtOnceVerdict, limits: uses.map(toSharedLimit), message };
}

/** What the rollouts of several units share, unit by unit: units are rendered and applied each by itself. */
export function mergeSharedCapacity(capacities: readonly SharedCapacityResult[]): SharedCapacityResult | undefined {
  if (capacities.length < 2) return capacities[0];
  return {
    sequential: pickWorstVerdict(capacities.map(({ sequential }) => sequential)),
    concurrent: pickWorstVerdict(capacities.map(({ concurrent: allAtOnceVerdict }) => allAtOnceVerdict)),
    limits: capacities.flatMap(({ limits }) => limits),
    message: [...new Set(capacities.map(({ message }) => message))].join(' '),
  };
}
