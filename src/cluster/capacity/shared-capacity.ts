import type { MoreNodes, CapacityVerdict } from '../../core/document/capacity-result';
import { findMax } from '../../core/values/min-max';
import type { SharedLimit, SharedCapacityResult } from '../../core/document/plan-document';
import type { PlannedRollout } from '../../core/document/rollout';
import { formatReference } from '../../core/manifest/manifest';
import type { PodSet } from '../rollout/pod-set';
import { workloadOf } from '../rollout/system-rollout';
import type { SystemRollout } from '../rollout/system-rollout';
import { addAmounts } from './amounts';
import type { CapacityEvaluation } from './capacity-evaluation';
import { findPodSetsBlockedByFragmentation } from './fragmentation';
import { buildResourceLimit, computeResourceUse, computeSteadyUse, pickTightestLimits, computeUse } from './limits';
import type { ResourceLimit } from './limits';
import { computeAdditionalNodes } from './nodes/additional-nodes';
import type { NodePool } from '../context/capacity';
import { schedulePods } from './nodes/placement';
import type { Demand } from './nodes/placement';
import { sortLargestFirst } from './nodes/placement-order';
import type { PlanLimits } from './plan-limits';
import { computePodFootprint, formatResourceAmount } from './pod-requests';
import { findPeakRow } from './sets/row-shortages';
import { formatMoreNodes, NODE_POOLS } from './shortage';

const VERDICTS_WORST_FIRST: readonly CapacityVerdict[] = ['deadlocks', 'slower', 'may-not-fit', 'fits'];

function pickWorstVerdict(verdicts: readonly CapacityVerdict[]): CapacityVerdict {
  return VERDICTS_WORST_FIRST.find((verdict) => verdicts.includes(verdict)) ?? 'fits';
}

/** A rollout that shares limits with others: its pods over time, and its own verdict. */
interface SharingRollout {
  /** `Deployment models/llm`. */
  readonly name: string;
  readonly podSets: readonly PodSet[];
  /** Pods of each set at every row that may be the peak. */
  readonly rows: readonly (readonly number[])[];
  readonly verdict: CapacityVerdict;
  /** The verdict while the other rollouts do not run. */
  readonly alone: CapacityVerdict;
  /** Whether it uses capacity for some of its new pods while it waits for capacity for the others. */
  readonly holdsAndWaits: boolean;
}

function toSharingRollout(
  planned: SystemRollout,
  { verdict: { verdict }, verdictAlone = verdict }: CapacityEvaluation,
): SharingRollout | undefined {
  const { pods, resource } = planned;
  const workload = workloadOf(planned);
  // The object that a controller creates from a resource may have an unknown name.
  const name = formatReference(workload?.countOnly ? resource : (workload ?? resource));
  const known = { name, verdict, alone: verdictAlone };
  if (pods?.kind === 'clusters') return { ...known, podSets: pods.clusters.podSets, rows: pods.clusters.rows, holdsAndWaits: true };
  if (pods?.kind === 'groups') {
    const { podSets, rows } = pods.groups;
    return { ...known, podSets, rows, holdsAndWaits: true };
  }
  if (!workload?.rollout) return undefined;
  const rows = [[Math.max(workload.replicas, workload.rollout.peakPods)]];
  return { ...known, podSets: [workload], rows, holdsAndWaits: workload.rollout.waitsForAllNew ?? false };
}

/** Returns what a rollout uses of a limit at its peak in addition to its steady use. */
function computeExtraUse({ podSets, rows }: SharingRollout, limit: ResourceLimit): bigint {
  const steady = computeSteadyUse(podSets, limit);
  const uses = rows.map((row) => computeUse(podSets, row, limit));
  return uses.reduce((most, use) => (use - steady > most ? use - steady : most), 0n);
}

/** Lists the pods at the peak in addition to the running ones, if their node requirements are known. */
function listExtraPods(rollout: SharingRollout): Demand[] {
  const peak = findPeakRow(rollout.rows);
  const demands = rollout.podSets.map((podSet, index) => ({ podSet, pods: Math.max(0, peak[index]! - podSet.replicas) }));
  return demands.filter(({ podSet }) => !podSet.countOnly && !podSet.onePerNode);
}

/** Maximum number of rollouts or limits listed in a sentence. */
const MAX_NAMED = 3;

type ByPodSet = ReadonlyMap<PodSet, SharingRollout>;

/** Returns the rollouts that use a limit. */
function findUsers({ perPod }: ResourceLimit, rollouts: ByPodSet): ReadonlySet<SharingRollout> {
  return new Set([...perPod.keys()].flatMap((podSet) => rollouts.get(podSet) ?? []));
}

/** Memoizes by resource use, which is shared by all limits on the same use of the same pods, such as a thousand quotas on CPU. */
function memoizePerUse<T>(derive: (limit: ResourceLimit) => T): (limit: ResourceLimit) => T {
  const cacheByUse = new Map<ResourceLimit['perPod'], T>();
  return (limit) => {
    const known = cacheByUse.get(limit.perPod) ?? derive(limit);
    cacheByUse.set(limit.perPod, known);
    return known;
  };
}

/** What rollouts use of a limit in addition to their steady use: the largest of them, and the sum. */
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

function toSharedLimit({ limit, oneAfterAnother, allAtOnce }: SharedUse): SharedLimit {
  const { name, resource, total, steady } = limit;
  return {
    limit: name,
    resource,
    available: formatResourceAmount(total, resource),
    steady: formatResourceAmount(steady, resource),
    sequential: formatResourceAmount(oneAfterAnother, resource),
    concurrent: formatResourceAmount(allAtOnce, resource),
  };
}

/** Builds the limits of all node pools together, for the resources that pods request. */
function buildPoolLimits(pools: readonly NodePool[], podSets: readonly PodSet[]): ResourceLimit[] {
  const totals = new Map<string, bigint>();
  for (const { count, allocatable } of pools) {
    addAmounts(totals, allocatable, BigInt(count));
  }
  const use = (resource: string) => (podSet: PodSet) => computePodFootprint(podSet.template.spec).get(resource) ?? 0n;
  return [...totals].flatMap(
    ([resource, total]) =>
      buildResourceLimit({ kind: 'nodes', name: NODE_POOLS, resource }, { total }, computeResourceUse(podSets, use(resource))) ?? [],
  );
}

/** Returns the pods that do not fit on any node while everything rolls out at once. */
function findUnplacedAtOnce(rollouts: readonly SharingRollout[], { steady, nodePools, cache }: PlanLimits): readonly Demand[] {
  if (!steady) return [];
  const extra = rollouts.flatMap(listExtraPods);
  const unplacedDemands = [...steady.unplacedBySet].map(([podSet, pods]) => ({ podSet, pods }));
  return [...unplacedDemands, ...schedulePods(steady.nodes, sortLargestFirst(nodePools, extra, cache), cache).unplaced];
}

/**
 * Returns the rollouts that use capacity while waiting for more, if they do not all fit. Each may wait for capacity that another one uses.
 */
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

/** Returns the rollouts that may wait forever for a node with enough free capacity, if several rollouts run at once. */
function findStarvedRollouts(rollouts: ByPodSet, limits: PlanLimits): readonly SharingRollout[] {
  const { podSetsOnNodes, cache } = limits;
  if (new Set(rollouts.values()).size < 2) return [];
  const runningPods = podSetsOnNodes.map((podSet) => {
    const rollout = rollouts.get(podSet);
    const index = rollout?.podSets.indexOf(podSet) ?? -1;
    const peakPods = findMax(rollout?.rows.map((row) => row[index]!) ?? [], podSet.replicas);
    return { podSet, pods: Math.max(podSet.replicas, peakPods - 1), whileWaiting: Math.max(0, peakPods - 1) };
  });
  return [
    ...new Set(
      findPodSetsBlockedByFragmentation(runningPods, limits.poolsWithoutPlanned(), MAX_NAMED, cache).flatMap(
        (podSet) => rollouts.get(podSet) ?? [],
      ),
    ),
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
    'may-not-fit': 'may not fit, because the pods have constraints that plans do not model',
    slower: 'finishes, with fewer pods at once than planned',
    deadlocks: `deadlocks (${names(stuck)})`,
  };
  const mayDeadlock =
    conflicting.length > 0
      ? `${names(conflicting)} use capacity that the others wait for`
      : `other pods may leave no node with capacity for a pod of ${names(starved)}`;
  const shortageTexts = shortUses.map(({ limit, allAtOnce: use }) => {
    return `${formatResourceAmount(use, limit.resource)} of ${formatResourceAmount(limit.total, limit.resource)} ${limit.resource} (${limit.name})`;
  });
  const reason = shortageTexts.length > 0 ? `, because the peaks together need ${formatNames(shortageTexts)}` : '';
  const nodes = moreNodes ? `; fits with ${formatMoreNodes(moreNodes)} in pool "${moreNodes.pool}"` : '';
  const allAtOnceText =
    allAtOnceVerdict === 'deadlocks' && oneAfterAnotherVerdict !== 'deadlocks'
      ? `may deadlock (${mayDeadlock})`
      : verdictTexts[allAtOnceVerdict];
  return `One after another: ${verdictTexts[oneAfterAnotherVerdict]}. All at once: ${allAtOnceText}${reason}${nodes}.`;
}

/**
 * Evaluates the limits that the rollouts of a plan share, one after another and all at once.
 *
 * All at once needs more capacity. Rollouts that proceed pod by pod and finish on their own seldom deadlock together: a rollout whose surge
 * does not fit waits for another one to finish and free its capacity, and a rollout that deletes pods first waits for capacity that it
 * freed itself. They may deadlock if a smaller pod takes part of the capacity that a deleted pod frees. They may also deadlock if rollouts
 * need several pods before any of them counts, as RayService upgrades do, and each uses capacity that the other waits for.
 *
 * @returns undefined if no limit is shared
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
  const all = [...limits.resources, ...buildPoolLimits(limits.poolsWithoutPlanned(), limits.podSetsOnNodes)];
  const users = memoizePerUse((limit) => findUsers(limit, byPodSet));
  const shared = all.filter((limit) => users(limit).size > 1);
  if (shared.length === 0) return undefined;
  const sharing = new Set(pickTightestLimits(shared).flatMap((limit) => [...users(limit)]));
  const rollouts = limited.filter((rollout) => sharing.has(rollout));

  const extra = memoizePerUse((limit) => sumExtraUse(limit, users(limit)));
  const uses = shared.map((limit) => computeSharedUse(limit, extra(limit)));
  const shortUses = uses.filter(({ limit, allAtOnce }) => allAtOnce > limit.total);
  const unplacedDemands = findUnplacedAtOnce(rollouts, limits);
  const sequential = pickWorstVerdict(rollouts.map(({ alone }) => alone));
  const fitsTogether = shortUses.length === 0 && unplacedDemands.length === 0;
  const conflicting = findConflictingRollouts(rollouts, shared, limits);
  const starved = findStarvedRollouts(byPodSet, limits);
  const isSure = sequential === 'deadlocks' || (starved.length === 0 && (fitsTogether || conflicting.length === 0));
  const ends = pickWorstVerdict([sequential, ...(fitsTogether ? [] : ['slower' as const]), ...rollouts.map(({ verdict }) => verdict)]);
  const allAtOnceVerdict = isSure ? ends : 'deadlocks';
  const isShortOfNodesOnly = unplacedDemands.length > 0 && shortUses.every(({ limit }) => limit.kind === 'nodes');
  const moreNodes = isShortOfNodesOnly ? computeAdditionalNodes(limits.emptyPools(), unplacedDemands, limits.cache) : undefined;
  const stuck = rollouts.filter(({ verdict }) => verdict === 'deadlocks');
  const message = describeSharedCapacity(sequential, allAtOnceVerdict, stuck, conflicting, starved, shortUses, moreNodes);
  return { sequential, concurrent: allAtOnceVerdict, limits: uses.map(toSharedLimit), message };
}

/** Merges the results of several units, which are rendered and applied separately. */
export function mergeSharedCapacity(capacities: readonly SharedCapacityResult[]): SharedCapacityResult | undefined {
  if (capacities.length < 2) return capacities[0];
  return {
    sequential: pickWorstVerdict(capacities.map(({ sequential }) => sequential)),
    concurrent: pickWorstVerdict(capacities.map(({ concurrent }) => concurrent)),
    limits: capacities.flatMap(({ limits }) => limits),
    message: [...new Set(capacities.map(({ message }) => message))].join(' '),
  };
}
