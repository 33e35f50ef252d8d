import type { PlanCache } from '../../core/plan-cache';
import { pluralize } from '../../core/text-format';
import type { MoreNodes, CapacityResult, Shortage } from '../../core/capacity-result';
import { workloadOf } from '../workload';
import type { PodRollout, PodSet, CapacityDelay, SystemRollout, Workload } from '../workload';
import { findEquivalentPools } from './equivalent-node-pools';
import { findChangingPodSets, computeRemainingAfterReserved, computeMaxAllowedPods, countKeptPods } from './limits';
import type { ResourceLimit } from './limits';
import { formatAdmissionRejection } from './admission-rejection';
import type { AdmissionRejection } from './admission-rejection';
import { hasNoNodeConstraints, explainUnschedulable } from './node-eligibility';
import type { UnschedulableReason } from './node-eligibility';
import { hasConditionTaint, canRunOn } from './node-affinity';
import type { NodePool } from './node-pools';
import {
  createEmptyNodes,
  joinNodes,
  sortLargestFirst,
  findLargestFree,
  computeAdditionalNodes,
  countNodesWithCapacity,
  schedulePods,
  countPodsThatFit,
} from './placement';
import type { Demand, Nodes } from './placement';
import { computePodFootprint, formatResourceAmount } from './pod-requests';
import { findOwnNodeReason } from './scheduling';
import { ANY_ALLOWED_NODE, ANY_NODE, formatOutcome, NODE_POOLS, buildFittingResult } from './shortage';
import type { UndersizedNodes } from './undersized-nodes';
import { canMoveVolume, findUnmodelledConstraints } from './unmodelled-constraints';
import { findMin } from '../../core/min-max';

/** Where the pods stand while nothing rolls out. */
export interface SteadyPods {
  readonly nodes: Nodes;
  /** Pods of rollouts that find no node. */
  readonly unplacedBySet: ReadonlyMap<PodSet, number>;
  /** Pods on nodes that take no new ones, such as cordoned ones: their successors need other places. */
  readonly stranded: ReadonlyMap<PodSet, number>;
  /** The nodes with those pods alone that run before an apply and stay, and the pods that it adds to them. */
  readonly nodesBeforeAdding: Nodes;
  readonly added: readonly Demand[];
  /** Of the pods that it adds, those that find no node once all others have one. */
  readonly unplaced: readonly Demand[];
  /** The pods that it takes away, which hold their places until they are gone. */
  readonly removed: readonly Demand[];
}

/** All that limits the pods of a plan. */
export interface PlanLimits {
  readonly resources: readonly ResourceLimit[];
  /** Those of the resources that limit a set of pods. */
  resourcesOf(podSet: PodSet): readonly ResourceLimit[];
  readonly nodePools: readonly NodePool[];
  /** The DaemonSets that do not find room for a pod on each of their nodes. */
  readonly undersizedNodes: ReadonlyMap<PodSet, UndersizedNodes>;
  /** Where the plan keeps what it has worked out of pods and nodes. */
  readonly cache: PlanCache;
  /** Undefined without node pools. */
  readonly steady?: SteadyPods;
  /** The pods that use something of the nodes while nothing rolls out; daemons apart, which the node pools are without. */
  readonly podSetsOnNodes: readonly PodSet[];
  /** What the pods of other units leave of all that they share with these. @default - nothing is shared */
  readonly withOtherUnits?: PlanLimits;
}

/** The nodes of a plan. */
type PlanNodes = Pick<PlanLimits, 'nodePools' | 'cache'>;

/** A rollout whose pods are known, and of which something rolls out. */
export interface LimitedRollout {
  readonly workload: Workload;
  readonly rollout: PodRollout;
}

/** The pods of a rollout that is simulated pod by pod; undefined for any other. */
export function getLimitedRollout(planned: SystemRollout): LimitedRollout | undefined {
  const workload = workloadOf(planned);
  return workload?.rollout && { workload, rollout: workload.rollout };
}

/** The verdict on a rollout, and what it does to the time that the rollout takes. */
export interface CapacityEvaluation {
  readonly verdict: CapacityResult;
  readonly delay: CapacityDelay;
  /** Why new pods are refused outright, where that is what the rollout lacks. */
  readonly rejection?: AdmissionRejection;
  /** What else the apply adds pods to, where the rollout stands still only if that comes first. */
  readonly rivals?: readonly PodSet[];
}

/** How far one limit lets a rollout go. */
interface LimitAllowance {
  readonly pods: number;
  /** The same if the rollout comes before what else the apply adds. @default - as `pods` */
  readonly maxPods?: number;
  /** Are pods beyond it refused? */
  readonly refusesPods?: boolean;
  /** Why it lets no new pod in, whatever it has left. */
  readonly rejection?: AdmissionRejection;
  /** Nodes that do not take its pod at all; of one pod a node. */
  readonly nodesTooSmall?: number;
  /** Sets that the apply adds pods to and that want the same. */
  rivals?(): readonly PodSet[];
  shortage(): Shortage;
  moreNodes?(): MoreNodes | undefined;
}

/** A shortage of what pods ask of a quota, of a capacity or of all nodes together. */
export function buildResourceShortage({ kind, name, resource, rejection }: ResourceLimit, needed: bigint, available: bigint): Shortage {
  const amounts = { limit: name, needed: formatResourceAmount(needed, resource), available: formatResourceAmount(available, resource) };
  if (kind === 'capacity') return { kind, ...amounts, resource };
  if (kind === 'nodes') return { kind, ...amounts, resource: 'pods' };
  return { kind, ...amounts, resource, ...(rejection && { refusal: formatAdmissionRejection(rejection) }) };
}

/** What others get by the same apply they do not get from the pods that the rollout has at its worst moment. */
function computeResourceAllowance({ workload, rollout }: LimitedRollout, limit: ResourceLimit, cache: PlanCache): LimitAllowance {
  const { refusesPods, rejection } = limit;
  const use = limit.perPod.get(workload)!;
  const left = computeRemainingAfterReserved([workload], [Math.min(countKeptPods(workload), rollout.leastAvailable)], limit);
  return {
    pods: Number(left / use),
    maxPods: computeMaxAllowedPods(workload, limit),
    refusesPods,
    rejection,
    rivals: () => findChangingPodSets(limit, cache).growing,
    shortage: () => buildResourceShortage(limit, use * BigInt(rollout.peakPods), left),
  };
}

function buildUnschedulableShortage({ kind, details }: UnschedulableReason): Shortage {
  const shortageBase = { limit: ANY_NODE, needed: details, available: 'none' };
  return kind === 'labels' ? { kind, ...shortageBase, resource: kind } : { kind, ...shortageBase, resource: kind };
}

/** Too few places on all nodes together. */
export function buildPodSlotShortage(needed: number, available: number): Shortage {
  return { kind: 'nodes', limit: NODE_POOLS, resource: 'pods', needed: `${needed}`, available: `${available}` };
}

/** Too few nodes for pods that each want one of their own. */
export function buildOwnNodesShortage(needed: number, available: number): Shortage {
  return { kind: 'own-nodes', limit: NODE_POOLS, resource: 'nodes', needed: `${needed}`, available: `${available}` };
}

/**
 * What a new pod of a set finds on no node: labels, taints that it tolerates, enough of a resource,
 * of several the one with the smallest part of the request left; undefined where some node has all.
 */
export function findSingleNodeShortage(podSet: PodSet, nodes: Nodes, { nodePools, cache }: PlanNodes): Shortage | undefined {
  const unschedulable = explainUnschedulable(podSet, nodePools, cache);
  if (unschedulable) return buildUnschedulableShortage(unschedulable);
  const insufficient = [...computePodFootprint(podSet.template.spec)].flatMap(([resource, request]) => {
    const left = findLargestFree(nodes, podSet, resource, cache);
    return left === undefined || left >= request ? [] : { resource, request, left };
  });
  const [scarcest] = insufficient.toSorted((a, b) => Number(a.left * b.request - b.left * a.request));
  if (!scarcest) return undefined;
  const { resource, request, left } = scarcest;
  const hasConstraints = !hasNoNodeConstraints(podSet, nodePools, cache);
  const amounts = { needed: formatResourceAmount(request, resource), available: formatResourceAmount(left, resource) };
  return { kind: 'one-node', limit: hasConstraints ? ANY_ALLOWED_NODE : ANY_NODE, resource, ...amounts, excludesNodes: hasConstraints };
}

function resolveNodeShortage(
  { workload, rollout }: LimitedRollout,
  pods: number,
  extra: number,
  planNodes: PlanNodes,
  steady: SteadyPods,
): Shortage {
  const { nodePools, cache } = planNodes;
  if (findOwnNodeReason(workload) && !explainUnschedulable(workload, nodePools, cache))
    return buildOwnNodesShortage(rollout.peakPods, pods);
  const { nodes } = schedulePods(steady.nodes, [{ podSet: workload, pods: extra }], cache);
  return findSingleNodeShortage(workload, nodes, planNodes) ?? buildPodSlotShortage(rollout.peakPods, pods);
}

function computePlacementAllowance(limited: LimitedRollout, planNodes: PlanNodes, steady: SteadyPods): LimitAllowance {
  const { nodePools, cache } = planNodes;
  const { workload, rollout } = limited;
  const unplacedBySet = steady.unplacedBySet.get(workload) ?? 0;
  const strandedPods = steady.stranded.get(workload) ?? 0;
  // Those that are being deleted hold their places too, so there are never more than twice as many as at the peak.
  const extra = unplacedBySet > 0 ? 0 : countPodsThatFit(steady.nodes, workload, 2 * rollout.peakPods + strandedPods, cache);
  const pods = workload.replicas - unplacedBySet + (extra < strandedPods ? extra - strandedPods : extra);
  return {
    pods,
    shortage: () => resolveNodeShortage(limited, pods, extra, planNodes, steady),
    moreNodes: () => computeAdditionalNodes(nodePools, [{ podSet: workload, pods: rollout.peakPods - pods }], cache),
  };
}

/** Of a DaemonSet: the nodes that take its pod; undefined where all do, or nothing waits for its pods. */
function computeUndersizedNodesAllowance({ rollout }: LimitedRollout, nodesTooSmall: number): LimitAllowance | undefined {
  const { replicas } = rollout;
  const pods = Math.max(0, replicas - nodesTooSmall);
  // Nothing waits for pods that someone deletes by hand.
  if (pods === replicas || rollout.outcomeOnNodes?.(nodesTooSmall).verdict === 'fits') return undefined;
  return { pods, nodesTooSmall, shortage: () => buildOwnNodesShortage(replicas, pods) };
}

/**
 * Room on the nodes of a DaemonSet: for its pod, and for a second one where it surges.
 * A node with room for one keeps its old pod for good, and a place among those that may surge;
 * on one that takes none the old pod is not available either, so that its successor waits there beside those that may surge.
 */
function computeDaemonSetAllowance(limited: LimitedRollout, { steady, undersizedNodes, cache }: PlanLimits): LimitAllowance | undefined {
  const { workload, rollout } = limited;
  const { replicas, surge } = rollout;
  const { nodes: nodesTooSmall = 0 } = undersizedNodes.get(workload) ?? {};
  const nodesWithCapacity = surge > 0 && steady ? countNodesWithCapacity(steady.nodes, workload, cache) : undefined;
  if (nodesWithCapacity !== undefined && nodesWithCapacity < replicas - nodesTooSmall) {
    return { pods: replicas, shortage: () => buildOwnNodesShortage(replicas, nodesWithCapacity) };
  }
  const undersizedAllowance = computeUndersizedNodesAllowance(limited, nodesTooSmall);
  return (
    undersizedAllowance ??
    (nodesWithCapacity === undefined ? undefined : { pods: Infinity, shortage: () => buildOwnNodesShortage(replicas, nodesWithCapacity) })
  );
}

function computeNodeAllowance(limited: LimitedRollout, limits: PlanLimits): LimitAllowance | undefined {
  const { steady } = limits;
  const { countOnly, onePerNode } = limited.workload;
  if (countOnly) return undefined;
  if (onePerNode) return computeDaemonSetAllowance(limited, limits);
  return steady && computePlacementAllowance(limited, limits, steady);
}

/** Judges a rollout by itself while the pods of the others stay as they are; undefined where nothing limits it. */
export function evaluateRolloutCapacity(rollout: LimitedRollout, limits: PlanLimits): CapacityEvaluation | undefined {
  if (rollout.rollout.peakPods === 0) return undefined;
  const allowed = limits.resourcesOf(rollout.workload).map((limit) => computeResourceAllowance(rollout, limit, limits.cache));
  const byNodes = computeNodeAllowance(rollout, limits);
  if (byNodes) allowed.push(byNodes);
  return allowed.length === 0 ? undefined : evaluateAllowances(rollout, allowed, listUnmodelledConstraints(rollout, limits));
}

/** Pods of each set that stand on nodes which take no new ones of them: as many as find room there. */
function placeStrandedPods(
  podSets: readonly PodSet[],
  pools: readonly NodePool[],
  cache: PlanCache,
): Pick<SteadyPods, 'nodes' | 'stranded'> {
  const isStranded = (podSet: PodSet) =>
    findEquivalentPools(podSet, pools, cache).some(
      ({ pool }) => canRunOn(podSet, pool, 'old', cache) && !canRunOn(podSet, pool, 'new', cache),
    );
  const demands = podSets.filter(isStranded).map((podSet) => ({ podSet, pods: countKeptPods(podSet) }));
  const { nodes, unplaced } = schedulePods(createEmptyNodes(pools), sortLargestFirst(pools, demands, cache), cache, 'old');
  const unplacedStranded = new Map(unplaced.map(({ podSet, pods }) => [podSet, pods]));
  return { nodes, stranded: new Map(demands.map(({ podSet, pods }) => [podSet, pods - (unplacedStranded.get(podSet) ?? 0)])) };
}

/**
 * Where the pods stand while nothing rolls out. Nodes that take no new pods are taken to hold as many as they can.
 *
 * @param others pods that no rollout replaces: those without a node wait for one, and matter to nobody
 */
export function placeSteadyPods(
  rolloutPodSets: readonly PodSet[],
  otherPodSets: readonly PodSet[],
  pools: readonly NodePool[],
  cache: PlanCache,
): Pick<PlanLimits, 'steady' | 'podSetsOnNodes'> {
  if (pools.length === 0) return { podSetsOnNodes: [] };
  const all = [...rolloutPodSets, ...otherPodSets];
  const { nodes, stranded } = placeStrandedPods(all, pools.filter(hasConditionTaint), cache);
  const demands = all.map((podSet) => ({ podSet, pods: countKeptPods(podSet) - (stranded.get(podSet) ?? 0) }));
  const schedulableNodes = createEmptyNodes(pools.filter((pool) => !hasConditionTaint(pool)));
  const keptPlacement = schedulePods(joinNodes(nodes, schedulableNodes), sortLargestFirst(pools, demands, cache), cache, 'old');
  const growing = all.map((podSet) => ({ podSet, pods: podSet.replicas - countKeptPods(podSet) })).filter(({ pods }) => pods > 0);
  const removed = all.map((podSet) => ({ podSet, pods: (podSet.running ?? 0) - podSet.replicas })).filter(({ pods }) => pods > 0);
  const added = sortLargestFirst(pools, growing, cache);
  const placement = schedulePods(keptPlacement.nodes, added, cache);
  const unplacedBySet = new Map(keptPlacement.unplaced.map(({ podSet, pods }) => [podSet, pods]));
  for (const { podSet, pods } of placement.unplaced) unplacedBySet.set(podSet, (unplacedBySet.get(podSet) ?? 0) + pods);
  const placedOtherPodSets = otherPodSets.map((podSet) => {
    const unplacedPods = unplacedBySet.get(podSet);
    return unplacedPods === undefined ? podSet : { ...podSet, replicas: podSet.replicas - unplacedPods };
  });
  otherPodSets.forEach((podSet) => unplacedBySet.delete(podSet));
  return {
    steady: {
      nodes: placement.nodes,
      unplacedBySet,
      stranded,
      nodesBeforeAdding: keptPlacement.nodes,
      added,
      unplaced: placement.unplaced,
      removed,
    },
    podSetsOnNodes: [...rolloutPodSets, ...placedOtherPodSets],
  };
}

/** What keeps pods off nodes and is not looked at; volumes only where nodes are in view. */
function listUnmodelledConstraints({ workload, rollout }: LimitedRollout, { nodePools }: PlanLimits): string[] {
  const volumes = nodePools.length > 0 && canMoveVolume(workload, rollout.surge) ? ['volumes'] : [];
  return [...findUnmodelledConstraints([workload]), ...volumes];
}

function evaluateAllowances(
  limited: LimitedRollout,
  allowed: readonly LimitAllowance[],
  unmodelled: readonly string[],
): CapacityEvaluation {
  const tightest = allowed.reduce((fewest, next) => (next.pods < fewest.pods ? next : fewest));
  const verdict = computeVerdict(limited.rollout, allowed, tightest, unmodelled);
  const podsAdmitted = findMin(allowed.filter(({ refusesPods }) => refusesPods).map(({ pods }) => pods));
  const rejection = verdict.shortage === undefined ? undefined : tightest.rejection;
  const { iterations } = verdict;
  const delay = {
    deadlocks: verdict.verdict === 'deadlocks',
    podsWithRoom: tightest.pods,
    podsAdmitted,
    ...(iterations !== undefined && { iterations }),
    ...(tightest.nodesTooSmall !== undefined && { nodesTooSmall: tightest.nodesTooSmall }),
  };
  const rivals = verdict.mostPodsThatFit === undefined ? undefined : tightest.rivals?.();
  return { verdict, delay, ...(rejection && { rejection }), ...(rivals && { rivals }) };
}

/** Pods that find room if the rollout comes first, where it does not stand still then. */
function computeMaxPodsInTime(
  rollout: PodRollout,
  allowed: readonly LimitAllowance[],
  areRejected: boolean | undefined,
): number | undefined {
  const maxPods = findMin(allowed.map(({ pods, maxPods: atMost = pods }) => atMost));
  return rollout.outcome(maxPods, areRejected).verdict === 'deadlocks' ? undefined : Math.min(rollout.peakPods, maxPods);
}

function computeVerdict(
  rollout: PodRollout,
  allowed: readonly LimitAllowance[],
  tightest: LimitAllowance,
  unmodelled: readonly string[],
): CapacityResult {
  const { peakPods, unit } = rollout;
  const { nodesTooSmall } = tightest;
  const outcome =
    nodesTooSmall === undefined ? rollout.outcome(tightest.pods, tightest.refusesPods) : rollout.outcomeOnNodes!(nodesTooSmall);
  const fit = { peakPods, podsThatFit: Math.min(peakPods, tightest.pods) };
  if (outcome.verdict === 'fits') return buildFittingResult(peakPods, fit.podsThatFit, unmodelled);
  const shortage = tightest.shortage();
  // Nodes help only where they alone are lacking.
  const otherPodSets = allowed.filter((limit) => limit !== tightest);
  const moreNodes = otherPodSets.every(({ pods }) => pods >= peakPods) ? tightest.moreNodes?.() : undefined;
  const outcomeText =
    outcome.verdict === 'deadlocks'
      ? `deadlocks at ${unit} ${outcome.deadlockWave}`
      : `takes ${pluralize(outcome.iterations!, 'wave')} that start pods, with fewer pods at once`;
  const atMost =
    outcome.verdict === 'deadlocks' && nodesTooSmall === undefined
      ? computeMaxPodsInTime(rollout, allowed, tightest.refusesPods)
      : undefined;
  return {
    ...outcome,
    ...fit,
    ...(atMost !== undefined && { mostPodsThatFit: atMost }),
    shortage,
    ...(moreNodes && { moreNodes }),
    message: formatOutcome(outcomeText, shortage, moreNodes),
  };
}
