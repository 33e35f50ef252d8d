import type { PlanCache } from '../../core/plan-cache';
import { findMin } from '../../core/min-max';
import type { MoreNodes, CapacityResult, Shortage } from '../../core/capacity-result';
import { pluralize } from '../../core/text-format';
import type { PodSet } from '../workload';
import { explainUnschedulable } from './node-eligibility';
import {
  findChangingPodSets,
  isGrowing,
  computeRemainingAfterReserved,
  computeRemaining,
  computeAllowedPods,
  countKeptPods,
  computeUse,
} from './limits';
import type { ResourceLimit } from './limits';
import { computeAdditionalNodes, schedulePods, countPodsThatFit } from './placement';
import type { Demand, Nodes } from './placement';
import type { AdmissionRejection } from './admission-rejection';
import { findSingleNodeShortage, buildOwnNodesShortage, buildPodSlotShortage, buildResourceShortage } from './rollout-capacity';
import type { PlanLimits, SteadyPods } from './rollout-capacity';
import { findOwnNodeReason } from './scheduling';
import { buildFittingResult, formatShortage } from './shortage';
import { findUnmodelledConstraints } from './unmodelled-constraints';

/** Pods of one object that no rollout replaces, and of which an apply adds some. */
export interface AddedPods {
  readonly podSets: readonly PodSet[];
  /** Of each set the pods that have their places: those that run before the apply and stay. */
  readonly staying: readonly number[];
}

/** What becomes of pods that an apply adds. */
export interface ScaleUpEvaluation {
  readonly verdict: CapacityResult;
  /** Are pods beyond it refused, and not only left Pending? */
  readonly isRejected: boolean;
  /** The sets that the apply adds pods to and that want the same room, its own among them, or those whose pods give it back. */
  readonly others: readonly PodSet[];
  /** Why a quota lets no new pod in, whatever it has left. */
  readonly rejection?: AdmissionRejection;
}

/** How many pods of each set one limit lets run. */
interface LimitAllowance {
  /** With what else the apply adds. */
  readonly bySet: readonly number[];
  readonly maxPods: number;
  readonly podsAtOnce: number;
  readonly isRejected: boolean;
  readonly rejection?: AdmissionRejection;
  readonly rivals: () => readonly PodSet[];
  readonly shrinking: () => readonly PodSet[];
  /** What is lacking in the end. */
  shortage(): Shortage;
  /** What is lacking until the pods that others give up are gone. */
  shortageAtOnce(): Shortage;
  moreNodes?(): MoreNodes | undefined;
}

const NO_POD_SETS: readonly PodSet[] = [];

function sumPods(pods: readonly number[]): number {
  return pods.reduce((all, count) => all + count, 0);
}

function getDesiredReplicas({ podSets }: AddedPods): number[] {
  return podSets.map(({ replicas }) => replicas);
}

/** Pods of each set with so much left for them together: those that are there, and then as many more as find room, one set after another. */
function assignRemaining({ podSets, staying: keptPods }: AddedPods, left: bigint, { perPod }: ResourceLimit): number[] {
  let rest = left - computeUse(podSets, keptPods, { perPod });
  return podSets.map((podSet, index) => {
    const use = perPod.get(podSet) ?? 0n;
    const more = podSet.replicas - keptPods[index]!;
    const fittingPods = rest > 0n && use > 0n ? Number(rest / use) : 0;
    const added = use === 0n ? more : Math.min(more, fittingPods);
    rest -= use * BigInt(added);
    return keptPods[index]! + added;
  });
}

/** Sets of pods, worked out once however many ask for them: of a thousand objects that want the same room each names the others. */
const podSetsByDemands = () => new WeakMap<readonly Demand[], readonly PodSet[]>();

function listPodSets(demands: readonly Demand[], cache: PlanCache): readonly PodSet[] {
  const known = cache.getOrCreate(podSetsByDemands);
  const sets = known.get(demands) ?? demands.map(({ podSet }) => podSet);
  known.set(demands, sets);
  return sets;
}

/**
 * How many of the pods a quota or a capacity lets run.
 *
 * In the end the others have what they want, so that what they leave is sure; where these pods come first, what others want more is left as well;
 * and until pods that others give up are gone, they hold their places.
 */
function computeResourceAllowance(added: AddedPods, limit: ResourceLimit, cache: PlanCache): LimitAllowance {
  const { podSets } = added;
  const others = (all: bigint, own: (podSet: PodSet) => number) => all - computeUse(podSets, podSets.map(own), limit);
  const fit = (use: bigint) => (limit.rejection ? [...added.staying] : assignRemaining(added, limit.total - use, limit));
  const finalOtherUse = others(limit.steady, ({ replicas }) => replicas);
  const initialOtherUse = others(limit.maxUse, ({ replicas, running = replicas }) => Math.max(running, replicas));
  const shortage = (left: bigint) => buildResourceShortage(limit, computeUse(podSets, getDesiredReplicas(added), limit), left);
  return {
    bySet: fit(finalOtherUse),
    maxPods: sumPods(fit(others(limit.minUse, countKeptPods))),
    podsAtOnce: sumPods(fit(initialOtherUse)),
    isRejected: limit.refusesPods ?? false,
    ...(limit.rejection && { rejection: limit.rejection }),
    rivals: () => findChangingPodSets(limit, cache).growing,
    shrinking: () => findChangingPodSets(limit, cache).shrinking,
    shortage: () => shortage(computeRemainingAfterReserved(podSets, added.staying, limit)),
    shortageAtOnce: () => shortage(limit.total > initialOtherUse ? limit.total - initialOtherUse : 0n),
  };
}

function resolveNodeShortage(added: AddedPods, pods: number, nodes: Nodes, unplaced: readonly Demand[], limits: PlanLimits): Shortage {
  const { podSet } = unplaced[0]!;
  const all = sumPods(getDesiredReplicas(added));
  if (findOwnNodeReason(podSet) && !explainUnschedulable(podSet, limits.nodePools, limits.cache)) return buildOwnNodesShortage(all, pods);
  return findSingleNodeShortage(podSet, nodes, limits) ?? buildPodSlotShortage(all, pods);
}

/** Objects that an apply adds pods to, of which each is placed before all others and behind them to see what it is sure of; of more, the order of placing alone tells. */
const MAX_COMPARED_OBJECTS = 100;

function countPods(demands: readonly Demand[]): number {
  return demands.reduce((pods, demand) => pods + demand.pods, 0);
}

/** How many of the pods find nodes. */
function computeNodeAllowance(added: AddedPods, limits: PlanLimits, steady: SteadyPods): LimitAllowance {
  const { podSets } = added;
  const { cache, nodePools } = limits;
  const { nodesBeforeAdding, added: growing, removed, nodes: full, unplacedBySet } = steady;
  const isOwn = ({ podSet }: Demand) => podSets.includes(podSet);
  const all = sumPods(getDesiredReplicas(added));
  const isCompared = podSets.some(isGrowing) && growing.length <= MAX_COMPARED_OBJECTS;
  const [own, rivals] = isCompared ? [growing.filter(isOwn), growing.filter((demand) => !isOwn(demand))] : [[], []];
  const placeAfter = (demands: readonly Demand[]) =>
    schedulePods(schedulePods(nodesBeforeAdding, demands, cache, 'old').nodes, own, cache).unplaced;
  const placedTogether = podSets.some(isGrowing)
    ? steady.unplaced.filter(isOwn)
    : podSets.flatMap((podSet) => (unplacedBySet.has(podSet) ? { podSet, pods: unplacedBySet.get(podSet)! } : []));
  // Where all are placed together, none of them wants the place of another.
  const isSure = !isCompared || steady.unplaced.length === 0;
  const unplaced = isSure ? placedTogether : placeAfter(rivals);
  const pods = all - countPods(unplaced);
  const atOnce = isCompared && removed.length > 0 ? all - countPods(placeAfter([...removed, ...rivals])) : pods;
  return {
    bySet: podSets.map((podSet) => podSet.replicas - countPods(unplaced.filter((demand) => demand.podSet === podSet))),
    maxPods: isSure ? pods : all - countPods(placeAfter([])),
    podsAtOnce: atOnce,
    isRejected: false,
    rivals: () => listPodSets(growing, cache),
    shrinking: () => listPodSets(removed, cache),
    shortage: () => resolveNodeShortage(added, pods, full, unplaced, limits),
    shortageAtOnce: () => buildPodSlotShortage(all, atOnce),
    moreNodes: () => computeAdditionalNodes(nodePools, unplaced, cache),
  };
}

function computeAllowances(added: AddedPods, limits: PlanLimits): LimitAllowance[] {
  const { podSets } = added;
  const resources = new Set(podSets.flatMap((podSet) => limits.resourcesOf(podSet)));
  const allowed = [...resources].map((limit) => computeResourceAllowance(added, limit, limits.cache));
  const isPlaced = podSets.every(({ countOnly, onePerNode }) => !countOnly && !onePerNode);
  return limits.steady && isPlaced ? [...allowed, computeNodeAllowance(added, limits, limits.steady)] : allowed;
}

type CapacityShortfall = Omit<CapacityResult, 'message'> & { readonly shortage: Shortage };

/** `10 of 14 pods find room`. */
function formatShortfall({ peakPods, podsThatFit, mostPodsThatFit }: CapacityShortfall): string {
  if (podsThatFit === 0 && mostPodsThatFit === undefined) return `None of ${pluralize(peakPods, 'pod')} finds room`;
  const shortfall = mostPodsThatFit === undefined ? `${podsThatFit}` : `${podsThatFit} to ${mostPodsThatFit}`;
  return `${shortfall} of ${pluralize(peakPods, 'pod')} ${shortfall === '1' ? 'finds' : 'find'} room`;
}

/** The verdict, with what becomes of the pods in a sentence. */
function describeShortfall(shortfall: CapacityShortfall): CapacityResult {
  const { verdict, shortage, moreNodes } = shortfall;
  const reason = formatShortage(shortage, 'it asks for');
  const nodes = moreNodes ? `; with ${pluralize(moreNodes.nodes, 'node')} more of pool "${moreNodes.pool}" all do` : '';
  const when = verdict === 'slower' ? ' at once, and the others when pods that other workloads give up are gone' : '';
  return { ...shortfall, message: `${formatShortfall(shortfall)}${when}: ${reason}${nodes}.` };
}

/**
 * Judges pods that an apply adds without replacing any; undefined where nothing limits them.
 *
 * A quota refuses those beyond it and their controller tries again, a scheduler leaves them Pending: either way those that run go on.
 * What the others have once the apply is done is taken from the room first, then it is asked who else of the apply wants the same,
 * and who gives some back. Sources: k/k pkg/controller/replicaset/replica_set.go (`manageReplicas`), statefulset/stateful_set_control.go.
 */
export function evaluateScaleUp(added: AddedPods, limits: PlanLimits): ScaleUpEvaluation | undefined {
  const allowed = computeAllowances(added, limits);
  if (allowed.length === 0) return undefined;
  const all = sumPods(getDesiredReplicas(added));
  const tightest = allowed.reduce((fewest, next) => (sumPods(next.bySet) < sumPods(fewest.bySet) ? next : fewest));
  const slowest = allowed.reduce((fewest, next) => (next.podsAtOnce < fewest.podsAtOnce ? next : fewest));
  const pods = sumPods(tightest.bySet);
  const isShort = pods < all;
  const most = findMin(allowed.map((candidate) => candidate.maxPods));
  const atOnce = slowest.podsAtOnce;
  if (!isShort && atOnce >= all) {
    const verdict = buildFittingResult(all, all, findUnmodelledConstraints(added.podSets), 'wanted');
    return { verdict, isRejected: false, others: NO_POD_SETS };
  }
  const bindingAllowance = isShort ? tightest : slowest;
  const shortage = isShort ? bindingAllowance.shortage() : bindingAllowance.shortageAtOnce();
  const isOnlyLimit = allowed.every((candidate) => candidate === bindingAllowance || sumPods(candidate.bySet) >= all);
  const moreNodes = isShort && isOnlyLimit ? bindingAllowance.moreNodes?.() : undefined;
  const shortfall: CapacityShortfall = {
    verdict: isShort ? 'deadlocks' : 'slower',
    peakPods: all,
    podsThatFit: isShort ? pods : atOnce,
    ...(isShort && most > pods && { mostPodsThatFit: most }),
    shortage,
    ...(moreNodes && { moreNodes }),
  };
  return {
    verdict: describeShortfall(shortfall),
    isRejected: bindingAllowance.isRejected,
    others: isShort ? (most > pods ? bindingAllowance.rivals() : NO_POD_SETS) : bindingAllowance.shrinking(),
    ...(isShort && bindingAllowance.rejection && { rejection: bindingAllowance.rejection }),
  };
}

/**
 * How many pods of a workload find room where it wants more than it has, while the others stay as they are, and what is lacking;
 * undefined where as many as it wants do.
 */
export function computeMaxRunningPods(
  workload: PodSet,
  desired: number,
  limits: PlanLimits,
): { readonly pods: number; readonly shortage: Shortage } | undefined {
  const { steady, cache } = limits;
  const byResource = limits.resourcesOf(workload).map((limit) => {
    const left = computeRemaining([workload], limit);
    const pods = limit.rejection ? workload.replicas : computeAllowedPods(workload, limit);
    return { pods, shortage: () => buildResourceShortage(limit, limit.perPod.get(workload)! * BigInt(desired), left) };
  });
  const more = desired - workload.replicas;
  const isPlaced = steady && more > 0 && !workload.countOnly && !workload.onePerNode;
  const podsOnNodes = isPlaced ? workload.replicas + Math.min(more, countPodsThatFit(steady.nodes, workload, more, cache)) : Infinity;
  const allowed = [...byResource, { pods: podsOnNodes, shortage: () => buildPodSlotShortage(desired, podsOnNodes) }];
  const tightest = allowed.reduce((fewest, next) => (next.pods < fewest.pods ? next : fewest));
  return tightest.pods < desired ? { pods: tightest.pods, shortage: tightest.shortage() } : undefined;
}
