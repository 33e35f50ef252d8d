import type { PlanCache } from '../../core/collections/plan-cache';
import type { PodSet } from '../rollout/pod-set';
import type { DaemonSurroundings } from './surroundings/daemon-surroundings';
import type { UndersizedNodes } from './nodes/daemon-use';
import type { CapacityEvaluation } from './capacity-evaluation';
import type { ResourceLimit } from './limits';
import { OTHER_UNITS, buildFittingResult } from './shortage';
import type { NodePool } from '../context/capacity';
import type { SteadyPods } from './nodes/steady-pods';
import type { Surroundings } from './surroundings/surroundings';

/** All limits on the pods of a plan. */
export interface PlanLimits {
  readonly resources: readonly ResourceLimit[];
  /** Returns the resource limits that apply to a set of pods. */
  resourcesOf(podSet: PodSet): readonly ResourceLimit[];
  /** The nodes without what running pods on known nodes use. */
  readonly nodePools: readonly NodePool[];
  /** Returns the nodes without any pods except those of DaemonSets, as another node of a pool would be. */
  emptyPools(): readonly NodePool[];
  /** Returns the nodes without what running pods of owners that are not planned use. */
  poolsWithoutPlanned(): readonly NodePool[];
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

/** Returns how many pods of a set the nodes have while nothing rolls out: the desired ones, or more that run there and are deleted first. */
export function countPlacedPods(podSet: PodSet, { surroundings }: PlanLimits): number {
  return Math.max(podSet.replicas, surroundings?.ownPods.get(podSet)?.length ?? 0);
}

/** Returns the limits with which no rollout is decided by a search. */
export function skipSearches(limits: PlanLimits): PlanLimits {
  const { withOtherUnits } = limits;
  return { ...limits, ...(withOtherUnits && { withOtherUnits: skipSearches(withOtherUnits) }), skipsSearch: true };
}

/**
 * Evaluates a rollout, and reports that it may not fit if it only fits without the pods of other units that share a capacity or a quota
 * with it.
 *
 * Other units may or may not run in the same cluster, so their use is never an error.
 */
export function evaluateWithOtherUnits<Rollout, Evaluation extends Pick<CapacityEvaluation, 'verdict'>>(
  evaluate: (rollout: Rollout, limits: PlanLimits) => Evaluation | undefined,
  rollout: Rollout,
  limits: PlanLimits,
): Evaluation | undefined {
  const evaluation = evaluate(rollout, limits);
  if (evaluation?.verdict.verdict !== 'fits' || limits.withOtherUnits === undefined) return evaluation;
  const isShort = evaluate(rollout, limits.withOtherUnits)?.verdict.shortage !== undefined;
  const { peakPods, podsThatFit } = evaluation.verdict;
  return isShort ? { ...evaluation, verdict: buildFittingResult(peakPods, podsThatFit, [OTHER_UNITS]) } : evaluation;
}
