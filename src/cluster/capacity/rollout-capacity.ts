import type { PlanCache } from '../../core/plan-cache';
import { pluralize } from '../../core/text-format';
import type { MoreNodes, CapacityResult, CapacityVerdict, Shortage } from '../../core/capacity-result';
import type { PodRollout, PodSet, CapacityDelay, LimitedRollout } from '../workload';
import { findChangingPodSets, computeRemainingAfterReserved, computeMaxAllowedPods, countKeptPods } from './limits';
import type { ResourceLimit } from './limits';
import { formatAdmissionRejection } from './admission/admission-rejection';
import type { AdmissionRejection } from './admission/admission-rejection';
import { hasNoNodeConstraints, explainUnschedulable } from './nodes/node-eligibility';
import type { UnschedulableReason } from './nodes/node-eligibility';
import type { NodePool } from './nodes/node-pools';
import { findLargestFree, countNodesWithCapacity, schedulePods, countPodsThatFit } from './nodes/placement';
import { computeAdditionalNodes } from './nodes/additional-nodes';
import type { Nodes } from './nodes/placement';
import { computePodFootprint, formatResourceAmount } from './pod-requests';
import { isExclusiveWithOldPods, findOwnNodeReason } from './nodes/scheduling';
import { ANY_ALLOWED_NODE, ANY_NODE, formatOutcome, NODE_POOLS, buildFittingResult } from './shortage';
import type { UndersizedNodes } from './daemons/undersized-nodes';
import { canMoveVolume, findUnmodelledConstraints } from './nodes/unmodelled-constraints';
import { findMin } from '../../core/min-max';
import { areVolumesDecided, withVolumeNodes } from './exact/volume-nodes';
import type { DaemonSurroundings } from './daemons/daemon-surroundings';
import type { Surroundings } from './exact/surroundings';
import type { Simulation } from '../../core/simulations/simulation';
import type { SteadyPods } from './nodes/steady-pods';

/** All limits on the pods of a plan. */
export interface PlanLimits {
  readonly resources: readonly ResourceLimit[];
  /** Returns the resource limits that apply to a set of pods. */
  resourcesOf(podSet: PodSet): readonly ResourceLimit[];
  readonly nodePools: readonly NodePool[];
  /** The DaemonSets whose pod does not fit on each of their nodes. */
  readonly undersizedNodes: ReadonlyMap<PodSet, UndersizedNodes>;
  /** The DaemonSets whose pods fit on each of their nodes if pods of lower priority are evicted. */
  readonly mayEvict: ReadonlySet<PodSet>;
  /** Per-plan cache of values derived from pods and nodes. */
  readonly cache: PlanCache;
  /** The nodes with the pods that run on them. Undefined without nodes. */
  readonly surroundings?: Surroundings;
  /** Returns the nodes with all other pods, for a DaemonSet of the plan. Undefined without nodes. */
  surroundingsOf(daemon: PodSet): DaemonSurroundings | undefined;
  /** The steady placement. Undefined without node pools. */
  readonly steady?: SteadyPods;
  /** The pods that use nodes while nothing rolls out. Excludes daemons, whose use is already subtracted from the node pools. */
  readonly podSetsOnNodes: readonly PodSet[];
  /** The DaemonSets of the plan. */
  readonly daemons: readonly PodSet[];
  /** The limits minus what the pods of other units use of shared capacity and quotas. @default - nothing is shared */
  readonly withOtherUnits?: PlanLimits;
  /** Whether no rollout is decided by a search of its states, so that more of them are undecided. @default false */
  readonly skipsSearch?: boolean;
}

/** Returns the limits with which no rollout is decided by a search. */
export function skipSearches(limits: PlanLimits): PlanLimits {
  const { withOtherUnits } = limits;
  return { ...limits, ...(withOtherUnits && { withOtherUnits: skipSearches(withOtherUnits) }), skipsSearch: true };
}

/** The nodes of a plan. */
type PlanNodes = Pick<PlanLimits, 'nodePools' | 'cache'>;

/** The capacity verdict on a rollout, and its effect on the duration. */
export interface CapacityEvaluation {
  readonly verdict: CapacityResult;
  readonly delay: CapacityDelay;
  /** The verdict while no other rollout of the change runs. @default - the same */
  readonly verdictAlone?: CapacityVerdict;
  /** Why all new pods are refused, if that is what blocks the rollout. */
  readonly rejection?: AdmissionRejection;
  /** Other pod sets that the apply adds pods to, if the rollout deadlocks only when those are scheduled first. */
  readonly rivals?: readonly PodSet[];
  /** The verdict if those are scheduled first, while it depends on the order. */
  readonly verdictAfterRivals?: CapacityResult;
  /** The run under the limits, if it is known row by row. */
  readonly simulation?: Simulation;
  /** New pods of each set that quotas admit in the row at which a rollout of several sets deadlocks. Unset if no quota refuses any. */
  readonly admittedPods?: readonly number[];
}

/** What one limit allows a rollout. */
interface LimitAllowance {
  readonly pods: number;
  /** Pods if the rollout is scheduled before the other pods that the apply adds. @default - `pods` */
  readonly maxPods?: number;
  /** Whether pods beyond the limit are refused. */
  readonly refusesPods?: boolean;
  /** Why the limit refuses every new pod, regardless of what is left. */
  readonly rejection?: AdmissionRejection;
  /** Nodes that are too small for the pod. Set for workloads with one pod per node. */
  readonly nodesTooSmall?: number;
  /** Returns the pod sets that the apply adds pods to and that compete for the same limit. */
  rivals?(): readonly PodSet[];
  shortage(): Shortage;
  moreNodes?(): MoreNodes | undefined;
}

/** Builds a shortage of a quota, of a capacity or of all nodes together. */
export function buildResourceShortage({ kind, name, resource, rejection }: ResourceLimit, needed: bigint, available: bigint): Shortage {
  const amounts = { limit: name, needed: formatResourceAmount(needed, resource), available: formatResourceAmount(available, resource) };
  if (kind === 'capacity') return { kind, ...amounts, resource };
  if (kind === 'nodes') return { kind, ...amounts, resource: 'pods' };
  return { kind, ...amounts, resource, ...(rejection && { refusal: formatAdmissionRejection(rejection) }) };
}

/**
 * Returns what a limit allows a rollout. Pods that the apply adds to other objects cannot take the capacity of the pods that the rollout
 * keeps at its minimum.
 */
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

/** Builds a shortage of pod slots on all nodes together. */
export function buildPodSlotShortage(needed: number, available: number): Shortage {
  return { kind: 'nodes', limit: NODE_POOLS, resource: 'pods', needed: `${needed}`, available: `${available}` };
}

/** Builds a shortage of nodes for pods that each need their own. */
export function buildOwnNodesShortage(needed: number, available: number): Shortage {
  return { kind: 'own-nodes', limit: NODE_POOLS, resource: 'nodes', needed: `${needed}`, available: `${available}` };
}

/**
 * Returns what no node has for a new pod of a set: matching labels, tolerated taints or enough of a resource. If several resources are
 * short, it is the one with the smallest fraction of the request left. Returns undefined if some node has everything.
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
  // Pods that are being deleted still use capacity, so there are never more than twice as many as at the peak.
  const extra = unplacedBySet > 0 ? 0 : countPodsThatFit(steady.nodes, workload, 2 * rollout.peakPods + strandedPods, cache);
  const pods = workload.replicas - unplacedBySet + (extra < strandedPods ? extra - strandedPods : extra);
  return {
    pods,
    shortage: () => resolveNodeShortage(limited, pods, extra, planNodes, steady),
    moreNodes: () => computeAdditionalNodes(nodePools, [{ podSet: workload, pods: rollout.peakPods - pods }], cache),
  };
}

/** Returns the nodes that fit the pod of a DaemonSet. Returns undefined if all nodes do, or if nothing waits for its pods. */
function computeUndersizedNodesAllowance({ rollout }: LimitedRollout, nodesTooSmall: number): LimitAllowance | undefined {
  const { replicas } = rollout;
  const pods = Math.max(0, replicas - nodesTooSmall);
  // With OnDelete, nothing waits for pods that a user deletes by hand.
  if (pods === replicas || rollout.outcomeOnNodes?.(nodesTooSmall).verdict === 'fits') return undefined;
  return { pods, nodesTooSmall, shortage: () => buildOwnNodesShortage(replicas, pods) };
}

/**
 * Returns the nodes of a DaemonSet with capacity for its pod, and for a second one if it surges. A node with capacity for only one pod
 * keeps its old pod permanently, and counts towards the surge limit permanently. On a node with capacity for none, the old pod is not
 * available either, so its successor waits there without counting towards the surge limit.
 */
function computeDaemonSetAllowance(
  limited: LimitedRollout,
  { steady, undersizedNodes, surroundings, cache }: PlanLimits,
): LimitAllowance | undefined {
  const { workload, rollout } = limited;
  const { replicas, surge } = rollout;
  const { nodes: nodesTooSmall = 0 } = undersizedNodes.get(workload) ?? {};
  const countNodes = (nodes: Nodes) =>
    isExclusiveWithOldPods(workload)
      ? 0
      : countNodesWithCapacity(nodes, surroundings ? withVolumeNodes(workload, surroundings.context) : workload, cache);
  const nodesWithCapacity = surge > 0 && steady ? countNodes(steady.nodes) : undefined;
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

/** Reports whether something limits the pods of a rollout. */
export function hasCapacityLimits({ workload }: LimitedRollout, limits: PlanLimits): boolean {
  return limits.steady !== undefined || limits.resourcesOf(workload).length > 0;
}

/**
 * Evaluates a rollout by how many of its pods fit at once, as if old pods were like new ones. Returns undefined if nothing limits it.
 *
 * This says what is lacking and how many more nodes are needed, and decides rollouts whose state is not known.
 */
export function evaluateByPodCount(rollout: LimitedRollout, limits: PlanLimits): CapacityEvaluation | undefined {
  const allowed = limits.resourcesOf(rollout.workload).map((limit) => computeResourceAllowance(rollout, limit, limits.cache));
  const byNodes = computeNodeAllowance(rollout, limits);
  if (byNodes) allowed.push(byNodes);
  return allowed.length === 0 ? undefined : evaluateAllowances(rollout, allowed, listUnmodelledConstraints(rollout, limits));
}

/** Lists the constraints of pods on nodes that are not modelled. Volumes only matter if nodes are known. */
export function listUnmodelledConstraints({ workload, rollout }: LimitedRollout, { nodePools, surroundings }: PlanLimits): string[] {
  const isDecided = surroundings !== undefined && (workload.claims ?? []).length === 0 && areVolumesDecided(workload, surroundings.context);
  const volumes = nodePools.length > 0 && !isDecided && canMoveVolume(workload, rollout.surge) ? ['volumes'] : [];
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

/** Returns the pods that fit if the rollout is scheduled first. Returns undefined if it deadlocks even then. */
function computeMaxPodsInTime(
  rollout: PodRollout,
  allowed: readonly LimitAllowance[],
  areRejected: boolean | undefined,
): number | undefined {
  const maxPods = findMin(allowed.map(({ pods, maxPods: ownMaximum = pods }) => ownMaximum));
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
  // More nodes only help if nothing else is lacking.
  const otherAllowances = allowed.filter((limit) => limit !== tightest);
  const moreNodes = otherAllowances.every(({ pods }) => pods >= peakPods) ? tightest.moreNodes?.() : undefined;
  const outcomeText =
    outcome.verdict === 'deadlocks'
      ? `deadlocks at ${unit} ${outcome.deadlockWave}`
      : `takes ${pluralize(outcome.iterations!, 'wave')} that create pods, with fewer pods at once`;
  const mostPodsThatFit =
    outcome.verdict === 'deadlocks' && nodesTooSmall === undefined
      ? computeMaxPodsInTime(rollout, allowed, tightest.refusesPods)
      : undefined;
  return {
    ...outcome,
    ...fit,
    ...(mostPodsThatFit !== undefined && { mostPodsThatFit }),
    shortage,
    ...(moreNodes && { moreNodes }),
    message: formatOutcome(outcomeText, shortage, moreNodes),
  };
}
