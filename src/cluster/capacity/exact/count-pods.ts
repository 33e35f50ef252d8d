import type { MoreNodes, CapacityResult, Shortage } from '../../../core/document/capacity-result';
import { findMin } from '../../../core/values/min-max';
import type { PlanCache } from '../../../core/collections/plan-cache';
import { pluralize } from '../../../core/text/text-format';
import type { PodRollout } from '../../rollout/pod-rollout';
import type { PodSet } from '../../rollout/pod-set';
import type { LimitedRollout, Workload } from '../../rollout/workload';
import type { AdmissionRejection } from '../../rejections/admission-rejection';
import type { CapacityEvaluation } from '../capacity-evaluation';
import { findChangingPodSets, computeRemainingAfterReserved, computeMaxAllowedPods, countKeptPods } from '../limits';
import type { ResourceLimit } from '../limits';
import { computeAdditionalNodes } from '../nodes/additional-nodes';
import { buildOwnNodesShortage, findNodeShortage } from '../nodes/node-shortage';
import { countNodesWithCapacity, schedulePods, countPodsThatFit } from '../nodes/placement';
import type { Nodes } from '../nodes/placement';
import { isExclusiveWithOldPods } from '../nodes/scheduling';
import type { SteadyPods } from '../nodes/steady-pods';
import { canMoveVolume, findUnmodelledConstraints } from '../nodes/unmodelled-constraints';
import { countPlacedPods } from '../plan-limits';
import type { PlanLimits } from '../plan-limits';
import { buildFittingResult, buildResourceShortage, formatOutcome } from '../shortage';
import { maySplitVolumes } from '../surroundings/shared-volumes';
import { findUnmetDomains } from '../surroundings/unmet-domains';
import { areVolumesDecided, withVolumeNodes } from '../surroundings/volume-nodes';

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

function computePlacementAllowance({ workload, rollout }: LimitedRollout, limits: PlanLimits, steady: SteadyPods): LimitAllowance {
  const { cache } = limits;
  const unplacedBySet = steady.unplacedBySet.get(workload) ?? 0;
  const strandedPods = steady.stranded.get(workload) ?? 0;
  // Pods that are being deleted still use capacity, so there are never more than twice as many as at the peak.
  const extra = unplacedBySet > 0 ? 0 : countPodsThatFit(steady.nodes, workload, 2 * rollout.peakPods + strandedPods, cache);
  const pods = countPlacedPods(workload, limits) - unplacedBySet + (extra < strandedPods ? extra - strandedPods : extra);
  return {
    pods,
    shortage: () => {
      const { nodes } = schedulePods(steady.nodes, [{ podSet: workload, pods: extra }], cache);
      return findNodeShortage(workload, nodes, rollout.peakPods, pods, limits);
    },
    moreNodes: () => computeAdditionalNodes(limits.emptyPools(), [{ podSet: workload, pods: rollout.peakPods - pods }], cache),
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

/** Lists what a spread constraint allows that has too few domains for the new pods, wherever the old ones are. */
function listDomainAllowances(workload: Workload, { surroundings, steady }: PlanLimits): LimitAllowance[] {
  const hasNodes = surroundings !== undefined && steady !== undefined && surroundings.pools.length > 0 && !workload.onePerNode;
  const unmet = hasNodes ? findUnmetDomains(workload, surroundings.inventory()) : undefined;
  return unmet && unmet.pods < workload.replicas ? [{ pods: unmet.pods, shortage: () => unmet.shortage }] : [];
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
  const byResource = limits.resourcesOf(rollout.workload).map((limit) => computeResourceAllowance(rollout, limit, limits.cache));
  const byNodes = computeNodeAllowance(rollout, limits);
  const allowed = [...byResource, ...(byNodes ? [byNodes] : []), ...listDomainAllowances(rollout.workload, limits)];
  return allowed.length === 0 ? undefined : evaluateAllowances(rollout, allowed, listUnmodelledConstraints(rollout, limits));
}

/** Lists the constraints of pods on nodes that are not modelled. Volumes only matter if nodes are known. */
export function listUnmodelledConstraints({ workload, rollout }: LimitedRollout, { nodePools, surroundings }: PlanLimits): string[] {
  const isDecided = surroundings !== undefined && (workload.claims ?? []).length === 0 && areVolumesDecided(workload, surroundings.context);
  const mayMove = nodePools.length > 0 && !isDecided && canMoveVolume(workload, rollout.surge);
  const isOpen = mayMove || (surroundings !== undefined && maySplitVolumes([workload], surroundings));
  return [...findUnmodelledConstraints([workload]), ...(isOpen ? ['volumes'] : [])];
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
