import type { MoreNodes, CapacityResult, Shortage } from '../../core/document/capacity-result';
import { findMin } from '../../core/values/min-max';
import type { PlanCache } from '../../core/collections/plan-cache';
import { pluralize } from '../../core/text/text-format';
import type { PodSet } from '../rollout/pod-set';
import type { AdmissionRejection } from '../rejections/admission-rejection';
import { formatReasons, PLACEMENT } from './exact/format-uncertainty';
import { placeUnreplacedPods, findUnreplacedSets } from './moving/unreplaced-pods';
import {
  findChangingPodSets,
  isGrowing,
  computeRemainingAfterReserved,
  computeRemaining,
  computeAllowedPods,
  countKeptPods,
  computeSteadyUse,
  computeUse,
} from './limits';
import type { ResourceLimit } from './limits';
import { podNeedsOf } from './nodes/pod-needs';
import { computeAdditionalNodes } from './nodes/additional-nodes';
import { buildPodSlotShortage, findNodeShortage } from './nodes/node-shortage';
import { schedulePods, countPodsThatFit } from './nodes/placement';
import type { Demand, Nodes } from './nodes/placement';
import type { SteadyPods } from './nodes/steady-pods';
import type { PlanLimits } from './plan-limits';
import { countPodsWithin } from './sets/row-shortages';
import { sum } from './sets/set-rollout';
import { buildResourceShortage, buildFittingResult, formatMoreNodes, formatRequestSubject, formatShortage } from './shortage';
import { evaluateNextToLowered, listTerminatingPods, TERMINATING_PODS } from './surroundings/evictions';
import { listHelp } from './surroundings/node-help';
import { assumeOthersLeaving, countPlacesTaken } from './surroundings/places-of-others';
import { listConstraintsBeyondNumbers } from './surroundings/uncounted-constraints';
import { hasUnknownVolume } from './surroundings/shared-volumes';
import type { Surroundings } from './surroundings/surroundings';
import { findUnmetDomains } from './surroundings/unmet-domains';
import { withVolumeNodes } from './surroundings/volume-nodes';
import { findReshapedSets } from './moving/moving-pods';

/** Pods of one object that no rollout replaces, and that an apply adds to. */
export interface AddedPods {
  readonly podSets: readonly PodSet[];
  /** Pods of each set that run both before and after the apply. */
  readonly staying: readonly number[];
  /** Pods of rollouts of the same change that may never finish, so that their old pods may stay. @default - all finish */
  readonly unfinished?: ReadonlySet<PodSet>;
}

/** The evaluation of pods that an apply adds. */
export interface ScaleUpEvaluation {
  readonly verdict: CapacityResult;
  /** Whether pods beyond the limit are refused rather than left Pending. */
  readonly isRejected: boolean;
  /**
   * Pod sets, including its own, whose use the apply changes and that compete for the same capacity; or pod sets whose deleted pods free
   * it.
   */
  readonly others: readonly PodSet[];
  /** Why a quota refuses every new pod, regardless of what is left. */
  readonly rejection?: AdmissionRejection;
}

/** How many pods one limit allows. */
interface LimitAllowance {
  /** Pods if all other added pods are scheduled first. */
  readonly pods: number;
  /** Pods if these are scheduled before all other added pods. */
  readonly maxPods: number;
  /** Pods before the pods that the apply deletes are gone. */
  readonly podsAtOnce: number;
  readonly isRejected: boolean;
  readonly rejection?: AdmissionRejection;
  readonly rivals: () => readonly PodSet[];
  readonly shrinking: () => readonly PodSet[];
  /** Returns what is lacking after the apply. */
  shortage(): Shortage;
  /** Returns what is lacking until the deleted pods are gone. */
  shortageAtOnce(): Shortage;
  moreNodes?(): MoreNodes | undefined;
}

const NO_POD_SETS: readonly PodSet[] = [];

function countDesiredPods({ podSets }: AddedPods): number {
  return sum(podSets.map(({ replicas }) => replicas));
}

/** Counts the pods that what is left of a limit allows: those that stay, and then as many added pods as fit, one set after another. */
function countAllowedAddedPods({ podSets, staying }: AddedPods, left: bigint, limit: ResourceLimit): number {
  const added = podSets.map(({ replicas }, index) => replicas - staying[index]!);
  return sum(staying) + countPodsWithin(podSets, added, left - computeUse(podSets, staying, limit), limit);
}

/** Lists the pod sets of demands. The same list is requested by every object that competes for the same capacity. */
function listPodSets(demands: readonly Demand[]): readonly PodSet[] {
  return demands.map(({ podSet }) => podSet);
}

/** Returns what the old pods of rollouts that may never finish use of a limit in addition to the new ones. */
function computeUnfinishedUse({ changes }: ResourceLimit, unfinished: ReadonlySet<PodSet>): bigint {
  let use = 0n;
  for (const [podSet, { now, after }] of changes) if (now > after && unfinished.has(podSet)) use += now - after;
  return use;
}

const NO_UNFINISHED: ReadonlySet<PodSet> = new Set();

/**
 * Computes how many of the pods a quota or a capacity allows.
 *
 * After the apply the other objects have their desired pods, so only what they leave is certain. If these pods are scheduled first, the
 * growth of others is also available. Until the deleted pods of others are gone, they use their capacity.
 */
function computeResourceAllowance(added: AddedPods, limit: ResourceLimit, cache: PlanCache): LimitAllowance {
  const { podSets, unfinished = NO_UNFINISHED } = added;
  const others = (all: bigint, own: (podSet: PodSet) => number) => all - computeUse(podSets, podSets.map(own), limit);
  const count = (use: bigint) => (limit.rejection ? sum(added.staying) : countAllowedAddedPods(added, limit.total - use, limit));
  const unfinishedUse = computeUnfinishedUse(limit, unfinished);
  const finalOtherUse = others(limit.steady, ({ replicas }) => replicas) + unfinishedUse;
  const initialOtherUse = others(limit.maxUse, ({ replicas, running = replicas }) => Math.max(running, replicas));
  const shortage = (left: bigint) => buildResourceShortage(limit, computeSteadyUse(podSets, limit), left);
  return {
    pods: count(finalOtherUse),
    maxPods: count(others(limit.minUse, countKeptPods)),
    podsAtOnce: count(initialOtherUse),
    isRejected: limit.refusesPods ?? false,
    ...(limit.rejection && { rejection: limit.rejection }),
    rivals: () => findRivals(limit, unfinished, cache),
    shrinking: () => findChangingPodSets(limit, cache).shrinking,
    shortage: () => {
      const left = computeRemainingAfterReserved(podSets, added.staying, limit);
      return shortage(left > unfinishedUse ? left - unfinishedUse : 0n);
    },
    shortageAtOnce: () => shortage(limit.total > initialOtherUse ? limit.total - initialOtherUse : 0n),
  };
}

/** Returns the pod sets that compete for a limit: those whose use the apply raises, and those that may keep what it lowers. */
function findRivals(limit: ResourceLimit, unfinished: ReadonlySet<PodSet>, cache: PlanCache): readonly PodSet[] {
  const { growing, shrinking } = findChangingPodSets(limit, cache);
  const kept = shrinking.filter((podSet) => unfinished.has(podSet));
  return kept.length === 0 ? growing : [...growing, ...kept];
}

/**
 * Maximum number of growing objects to compare. Each is placed before and after all others to find out how many pods certainly fit. With
 * more objects, only the placement order decides.
 */
const MAX_COMPARED_OBJECTS = 100;

function countPods(demands: readonly Demand[]): number {
  return sum(demands.map(({ pods }) => pods));
}

/** Computes how many of the pods fit on nodes. */
function computeNodeAllowance(added: AddedPods, limits: PlanLimits, steady: SteadyPods): LimitAllowance {
  const { podSets, unfinished = NO_UNFINISHED } = added;
  const { cache } = limits;
  const { nodesBeforeAdding, added: growing, removed, nodes: full, unplacedBySet } = steady;
  const isOwn = ({ podSet }: Demand) => podSets.includes(podSet);
  const all = countDesiredPods(added);
  const rolling = findReshapedSets(podSets, limits);
  const isCompared = podSets.some(isGrowing) && growing.length <= MAX_COMPARED_OBJECTS;
  const [own, rivals] = isCompared ? [growing.filter(isOwn), growing.filter((demand) => !isOwn(demand))] : [[], []];
  const placeAfter = (demands: readonly Demand[]) =>
    schedulePods(schedulePods(nodesBeforeAdding, demands, cache, 'old').nodes, own, cache).unplaced;
  const placedTogether = podSets.some(isGrowing)
    ? steady.unplaced.filter(isOwn)
    : podSets.flatMap((podSet) => (unplacedBySet.has(podSet) ? { podSet, pods: unplacedBySet.get(podSet)! } : []));
  // If all pods can be placed together, they do not compete.
  const isSure = !isCompared || steady.unplaced.length === 0;
  const unlocated = isCompared ? findUnreplacedSets(podSets, limits) : [];
  const reshaped = [...new Set([...rolling, ...unlocated])];
  const unreplaced = unlocated.filter((podSet) => unfinished.has(podSet));
  const placeNextToOld = (nodes: Nodes, demands: readonly Demand[]) =>
    schedulePods(schedulePods(nodes, demands, cache, 'old').nodes, own, cache).unplaced;
  const afterRollouts = isSure ? placedTogether : placeAfter(rivals);
  const nextToUnreplaced =
    unreplaced.length > 0 ? placeNextToOld(placeUnreplacedPods(unreplaced, 'kept', limits), isSure ? [] : rivals) : [];
  const unplaced = countPods(nextToUnreplaced) > countPods(afterRollouts) ? nextToUnreplaced : afterRollouts;
  const pods = all - countPods(unplaced);
  const atFirst = isCompared && removed.length > 0 ? all - countPods(placeAfter([...removed, ...rivals])) : pods;
  const atOnce =
    unlocated.length > 0
      ? Math.min(atFirst, all - countPods(placeNextToOld(placeUnreplacedPods(unlocated, 'all', limits), [...removed, ...rivals])))
      : atFirst;
  return {
    pods,
    maxPods: reshaped.length > 0 ? all : isSure ? pods : all - countPods(placeAfter([])),
    podsAtOnce: atOnce,
    isRejected: false,
    rivals: () => (reshaped.length > 0 ? [...cache.derive(growing, listPodSets), ...reshaped] : cache.derive(growing, listPodSets)),
    shrinking: () => (unlocated.length > 0 ? [...cache.derive(removed, listPodSets), ...unlocated] : cache.derive(removed, listPodSets)),
    shortage: () => findNodeShortage(unplaced[0]!.podSet, full, all, pods, limits),
    shortageAtOnce: () => buildPodSlotShortage(all, atOnce),
    moreNodes: () => computeAdditionalNodes(limits.emptyPools(), unplaced, cache),
  };
}

/** Lists how many of the pods a spread constraint allows that has too few domains. */
function listDomainAllowances([podSet, ...others]: readonly PodSet[], { surroundings }: PlanLimits): LimitAllowance[] {
  const hasNodes = surroundings !== undefined && surroundings.pools.length > 0 && others.length === 0;
  const unmet = hasNodes && podSet ? findUnmetDomains(podSet, surroundings.inventory()) : undefined;
  if (!unmet) return [];
  const { pods, shortage } = unmet;
  return [
    {
      pods,
      maxPods: pods,
      podsAtOnce: pods,
      isRejected: false,
      rivals: () => NO_POD_SETS,
      shrinking: () => NO_POD_SETS,
      shortage: () => shortage,
      shortageAtOnce: () => shortage,
      moreNodes: () => undefined,
    },
  ];
}

function computeAllowances(added: AddedPods, limits: PlanLimits): LimitAllowance[] {
  const { podSets } = added;
  const resources = new Set(podSets.flatMap((podSet) => limits.resourcesOf(podSet)));
  const allowed = [...resources].map((limit) => computeResourceAllowance(added, limit, limits.cache));
  const isPlaced = podSets.every(({ countOnly, onePerNode }) => !countOnly && !onePerNode);
  if (!limits.steady || !isPlaced) return allowed;
  return [...allowed, computeNodeAllowance(added, limits, limits.steady), ...listDomainAllowances(podSets, limits)];
}

type CapacityShortfall = Omit<CapacityResult, 'message'> & { readonly shortage: Shortage };

/** Formats how many pods fit: `Only 10 of 14 pods fit`. */
function formatShortfall({ peakPods, podsThatFit, mostPodsThatFit }: CapacityShortfall): string {
  if (podsThatFit === 0 && mostPodsThatFit === undefined)
    return peakPods === 1 ? 'The only pod does not fit' : `None of the ${peakPods} pods fit`;
  if (mostPodsThatFit !== undefined) return `Between ${podsThatFit} and ${mostPodsThatFit} of ${pluralize(peakPods, 'pod')} fit`;
  return `Only ${podsThatFit} of ${pluralize(peakPods, 'pod')} ${podsThatFit === 1 ? 'fits' : 'fit'}`;
}

/** Adds a message in one sentence or two to the verdict. */
function describeShortfall(shortfall: CapacityShortfall): CapacityResult {
  const { verdict, shortage, moreNodes } = shortfall;
  const reason = formatShortage(shortage, formatRequestSubject(shortfall.peakPods));
  const nodes = moreNodes ? ` All of them fit with ${formatMoreNodes(moreNodes)} in pool "${moreNodes.pool}".` : '';
  const when = verdict === 'slower' ? ' at once, and the others fit once the apply has deleted pods of other workloads' : '';
  return { ...shortfall, message: `${formatShortfall(shortfall)}${when}: ${reason}.${nodes}` };
}

/** Returns the limits with other places of the pods of others. Returns undefined if these leave none for the pods that stay. */
function withPlacesOfOthers(nodes: Nodes, { podSets, staying }: AddedPods, limits: PlanLimits, steady: SteadyPods): PlanLimits | undefined {
  const { surroundings, cache } = limits;
  const unlocated = podSets.map((podSet, index) => {
    const pods = podSets.some(isGrowing) ? staying[index]! : podSet.replicas;
    return { podSet, pods: Math.max(0, pods - (surroundings!.ownPods.get(podSet)?.length ?? 0)) };
  });
  const kept = schedulePods(nodes, unlocated, cache, 'old');
  if (podSets.some(isGrowing) && kept.unplaced.length > 0) return undefined;
  const { nodes: full, unplaced } = schedulePods(kept.nodes, steady.added, cache);
  const unplacedBySet = new Map(kept.unplaced.map(({ podSet, pods }) => [podSet, pods]));
  return { ...limits, steady: { ...steady, nodesBeforeAdding: kept.nodes, nodes: full, unplaced, unplacedBySet } };
}

/** Reports whether pods of others on unknown nodes may be on other nodes than assumed, so that the verdict on added pods is another one. */
function dependsOnPlacesOfOthers(added: AddedPods, { verdict }: CapacityResult, limits: PlanLimits): boolean {
  const { surroundings, steady } = limits;
  if (!surroundings || !steady || added.podSets.some(({ onePerNode }) => onePerNode)) return false;
  return added.podSets.some((podSet) => {
    const places = verdict === 'deadlocks' ? 'most' : 'fewest';
    const onVolumes = withVolumeNodes(podSet, surroundings.context);
    const own = added.podSets.map((set) => ({ podSet: set, pods: set.replicas }));
    const enough = countPlacesTaken(podNeedsOf(podSet, limits.cache).footprint, own, limits.cache);
    const nodes = assumeOthersLeaving(places, onVolumes, added.podSets, surroundings, enough);
    const elsewhere = nodes && withPlacesOfOthers(nodes, added, limits, steady);
    const evaluation = elsewhere && evaluateOnAssumedNodes(added, elsewhere);
    return evaluation !== undefined && evaluation.verdict.verdict !== verdict;
  });
}

/** Evaluates pods that an apply adds without replacing any, on the nodes that other pods may use. Returns undefined if nothing limits them. */
export function evaluateScaleUp(added: AddedPods, limits: PlanLimits): ScaleUpEvaluation | undefined {
  const evaluation = evaluateOnAssumedNodes(added, limits);
  const { verdict } = evaluation ?? {};
  const isOpen = verdict?.verdict === 'may-not-fit' || evaluation?.rejection !== undefined;
  if (!verdict || isOpen || !dependsOnPlacesOfOthers(added, verdict, limits)) return evaluation;
  return buildOpenEvaluation(verdict.peakPods, verdict.podsThatFit, [PLACEMENT]);
}

/** Builds the evaluation of added pods for which something else decides how many of them fit. */
function buildOpenEvaluation(peakPods: number, podsThatFit: number, because: readonly string[]): ScaleUpEvaluation {
  const message = `May not fit: there is capacity for ${podsThatFit} of ${pluralize(peakPods, 'pod')} now. This depends on ${formatReasons(because)}.`;
  return { verdict: { verdict: 'may-not-fit', peakPods, podsThatFit, because, message }, isRejected: false, others: NO_POD_SETS };
}

/** Lists the constraints with which it is never said that added pods fit. New pods of a claim have no old ones that show its nodes. */
function listOpenConstraints(podSets: readonly PodSet[], surroundings: Surroundings | undefined): string[] {
  const constraints = listConstraintsBeyondNumbers(podSets, surroundings);
  const isUnknown = surroundings !== undefined && podSets.some((podSet) => hasUnknownVolume(podSet, surroundings));
  return isUnknown ? [...new Set([...constraints, 'volumes'])] : constraints;
}

/** Lists what may make room on the nodes: evictions, new nodes, and the end of pods that are being deleted. */
function listNodeHelp(podSets: readonly PodSet[], surroundings: Surroundings | undefined): string[] {
  if (!surroundings) return [];
  const { inventory } = surroundings;
  const isTerminating = podSets.some((podSet) => {
    const nodes = inventory().eligibleNodes(podSet, 'new').indexes;
    return listTerminatingPods(surroundings, podSet).some(({ nodeName = '' }) => nodes.has(inventory().indexOf(nodeName) ?? -1));
  });
  return [...listHelp(podSets, surroundings), ...(isTerminating ? [TERMINATING_PODS] : [])];
}

/**
 * Evaluates added pods on the nodes that are assumed for other pods.
 *
 * A quota refuses pods beyond it and their controller retries; a scheduler leaves them Pending. Running pods are not affected either way.
 * The pods of other objects after the apply are subtracted first. Then it is evaluated which objects of the apply compete for the rest, and
 * which free some. Sources: k/k pkg/controller/replicaset/replica_set.go (`manageReplicas`), statefulset/stateful_set_control.go.
 */
function evaluateOnAssumedNodes(added: AddedPods, limits: PlanLimits): ScaleUpEvaluation | undefined {
  const allowed = computeAllowances(added, limits);
  if (allowed.length === 0) return undefined;
  const all = countDesiredPods(added);
  const tightest = allowed.reduce((fewest, next) => (next.pods < fewest.pods ? next : fewest));
  const slowest = allowed.reduce((fewest, next) => (next.podsAtOnce < fewest.podsAtOnce ? next : fewest));
  const { pods } = tightest;
  const isShort = pods < all;
  const maxPods = findMin(allowed.map((candidate) => candidate.maxPods));
  const atOnce = slowest.podsAtOnce;
  const constraints = isShort ? [] : listOpenConstraints(added.podSets, limits.surroundings);
  if (!isShort && (atOnce >= all || constraints.length > 0)) {
    return { verdict: buildFittingResult(all, all, constraints, 'wanted'), isRejected: false, others: NO_POD_SETS };
  }
  const bindingAllowance = isShort ? tightest : slowest;
  const shortage = isShort ? bindingAllowance.shortage() : bindingAllowance.shortageAtOnce();
  const isOnlyLimit = allowed.every((candidate) => candidate === bindingAllowance || candidate.pods >= all);
  const moreNodes = isShort && isOnlyLimit ? bindingAllowance.moreNodes?.() : undefined;
  const shortfall: CapacityShortfall = {
    verdict: isShort ? 'deadlocks' : 'slower',
    peakPods: all,
    podsThatFit: isShort ? pods : atOnce,
    ...(isShort && maxPods > pods && { mostPodsThatFit: maxPods }),
    shortage,
    ...(moreNodes && { moreNodes }),
  };
  const evaluation = {
    verdict: describeShortfall(shortfall),
    isRejected: bindingAllowance.isRejected,
    others: isShort ? (maxPods > pods ? bindingAllowance.rivals() : NO_POD_SETS) : bindingAllowance.shrinking(),
    ...(isShort && bindingAllowance.rejection && { rejection: bindingAllowance.rejection }),
  };
  const help = isShort && isOnlyLimit && bindingAllowance.moreNodes ? listNodeHelp(added.podSets, limits.surroundings) : [];
  if (help.length > 0) return buildOpenEvaluation(all, pods, help);
  const open = evaluateNextToLowered(evaluation, added.podSets, limits.surroundings);
  return open ? { verdict: open.verdict, isRejected: false, others: NO_POD_SETS } : evaluation;
}

/**
 * Returns how many pods of a workload fit if it scales up while other workloads stay as they are, and what is lacking. Returns undefined if
 * all desired pods fit.
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
