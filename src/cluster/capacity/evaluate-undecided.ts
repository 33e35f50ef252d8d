import type { CapacityResult, Shortage } from '../../core/document/capacity-result';
import { getFieldsAt } from '../../core/manifest/manifest';
import { joinWords } from '../../core/text/text-format';
import { getDeadlockWave } from '../rollout/limited-run';
import type { LimitedRollout, Workload } from '../rollout/workload';
import { countPods, isOvercommitted } from './amounts';
import { buildUncertainEvaluation } from './capacity-evaluation';
import type { CapacityEvaluation } from './capacity-evaluation';
import type { PlanLimits } from './plan-limits';
import { computePodFootprint } from './pod-requests';
import { evaluateCountNextToOthers } from './sets/sets-next-to-others';
import { formatShortage } from './shortage';
import { canPreemptFor, PREEMPTION, listTerminatingPods, TERMINATING_PODS } from './surroundings/evictions';
import { listNodeProvisioners } from './surroundings/node-providers';
import { computeOtherUseChange, isDecidedByOthers } from './exact/other-rollouts';
import type { NodeInventory } from './surroundings/node-inventory';
import type { Surroundings } from './surroundings/surroundings';
import { listUncountedConstraints } from './surroundings/uncounted-constraints';
import { countAllowedPods, resolveOwnLimit } from './exact/admitted-pods';
import { evaluateByPodCount, listUnmodelledConstraints } from './exact/count-pods';
import { PLACEMENT, CHANGED_NODES } from './exact/format-uncertainty';
import { withUndecidedOldPods } from './exact/old-pods';
import { readProcess } from './exact/rollout-process';
import { countPodsInQuotas } from './exact/run-limits';

/** Reports whether the new pods alone exceed a limit, while other rollouts use as little as possible. */
export function exceedsLimit({ workload }: LimitedRollout, limits: PlanLimits): boolean {
  const oldSpec = workload.oldTemplate && getFieldsAt(workload.oldTemplate, 'spec');
  return limits.resourcesOf(workload).some((limit) => {
    const ownLimit = resolveOwnLimit(limit, workload, oldSpec);
    const { decrease } = computeOtherUseChange(limit, [workload]);
    return countAllowedPods({ ...ownLimit, left: ownLimit.left + decrease }, 0) < workload.replicas;
  });
}

/** Reports whether as many nodes as that have capacity for a new pod, while no old pod is on them. */
function hasNodesForNewPods(workload: Workload, inventory: NodeInventory, enough: number): boolean {
  const footprint = computePodFootprint(workload.template.spec);
  let nodes = 0;
  for (const index of inventory.eligibleNodes(workload, 'new').indexes) {
    const { free, count } = inventory.nodes[index]!;
    if (countPods(free, footprint, 1) > 0 && (nodes += count) >= enough) return true;
  }
  return false;
}

/**
 * Reports whether old pods on unknown nodes may be on one that accepts them no longer, because of a taint or because it has less than its pods use.
 * If no node has capacity for a new pod, it does not matter where the old ones are.
 */
function mayBeOnChangedNode(workload: Workload, { allOwnPods, inventory }: Surroundings): boolean {
  if (workload.isNew || allOwnPods.has(workload) || !hasNodesForNewPods(workload, inventory(), 1)) return false;
  const { template, oldTemplate = template } = workload;
  const footprint = computePodFootprint(oldTemplate.spec);
  const old = { ...workload, template: oldTemplate };
  const all = inventory();
  const freeOf = (index: number) => all.nodes[index]!.free;
  return (
    [...all.listTaintedLater(old)].some((index) => countPods(freeOf(index), footprint, 1) > 0) ||
    [...all.eligibleNodes(old, 'old').indexes].some((index) => isOvercommitted(freeOf(index), footprint))
  );
}

/** Lists what may change the verdict that a rollout deadlocks by numbers of pods. */
function listReasonsAgainstDeadlock(workload: Workload, { kind }: Partial<Shortage>, { surroundings, cache }: PlanLimits): string[] {
  if (!surroundings || kind === 'quota' || kind === 'capacity') return [];
  return [
    ...(mayBeOnChangedNode(workload, surroundings) ? [CHANGED_NODES] : []),
    ...(canPreemptFor(workload, surroundings) ? [PREEMPTION] : []),
    ...(listTerminatingPods(surroundings, workload).length > 0 ? [TERMINATING_PODS] : []),
    ...listNodeProvisioners(workload, surroundings.context, cache),
  ];
}

/** Lists what decides whether a rollout gets nodes, and is not part of the numbers of pods that were compared. */
function listUncomparedReasons(limited: LimitedRollout, limits: PlanLimits, { verdict, shortage }: CapacityResult): string[] {
  const { workload } = limited;
  const { surroundings } = limits;
  if (workload.countOnly || verdict === 'may-not-fit') return [];
  if (verdict === 'deadlocks') return listReasonsAgainstDeadlock(workload, shortage ?? {}, limits);
  const unmodelled = listUnmodelledConstraints(limited, limits);
  return [...new Set([...unmodelled, ...(surroundings ? listUncountedConstraints([workload], surroundings) : [])])];
}

/**
 * Reports whether pods of others on unknown nodes decide how many nodes are left for a pod each: without them, enough nodes have capacity.
 *
 * 5 Deployments of 4 pods, each pod on a node of its own, fill 10 nodes with room for 2. If the first four fill 8 of them, the last one has 2 left.
 */
function dependsOnAssumedNodes({ workload }: LimitedRollout, { surroundings }: PlanLimits, { verdict }: CapacityEvaluation): boolean {
  if (!surroundings || verdict.verdict !== 'deadlocks' || verdict.shortage?.kind !== 'own-nodes') return false;
  if (!surroundings.demands.some(({ podSet, pods }) => podSet !== workload && pods > 0)) return false;
  return hasNodesForNewPods(workload, surroundings.inventory(), workload.replicas);
}

/** Returns an evaluation that depends on the nodes of others as uncertain. */
function toPossibleDeadlock({ verdict }: CapacityEvaluation): CapacityEvaluation {
  const { peakPods, podsThatFit, shortage } = verdict;
  const reason = formatShortage(shortage!, 'it peaks at');
  const message = `May not fit: ${reason} if the other pods are where they are assumed to be, and their nodes are not known.`;
  return buildUncertainEvaluation({ peakPods, podsThatFit, because: [PLACEMENT], message });
}

/** Returns the evaluation of a deadlock that depends on the nodes of others. Returns undefined for any other. */
export function findPossibleDeadlock(
  limited: LimitedRollout,
  limits: PlanLimits,
  counted: CapacityEvaluation,
): CapacityEvaluation | undefined {
  return dependsOnAssumedNodes(limited, limits, counted) ? toPossibleDeadlock(counted) : undefined;
}

/** Returns an evaluation by numbers of pods with the rows that happen: pods that quotas refuse do not exist. */
function withAdmittedRows(base: CapacityEvaluation, limited: LimitedRollout, limits: PlanLimits): CapacityEvaluation {
  const { workload, rollout } = limited;
  const { verdict, because = [], deadlockWave } = base.verdict;
  const process = readProcess(limited);
  const isOpen = verdict === 'may-not-fit' && !isDecidedByOthers(because);
  if (base.simulation || !process || !(isOpen || verdict === 'deadlocks')) return base;
  const kept = process.kind === 'ordered' ? workload.replicas - process.replicas : 0;
  const admitted = countPodsInQuotas(workload, limits, process.replicas, kept);
  const run = rollout.runWithin?.({
    admitted: (old) => admitted[old] ?? 0,
    placed: isOpen ? () => Infinity : (old) => Math.max(0, base.delay.podsWithRoom - kept - old),
  });
  if (!run || run.isUnlimited || run.isFinished !== isOpen) return base;
  if (isOpen) return { ...base, delay: { ...base.delay, iterations: run.startingRows }, simulation: run.simulation };
  return getDeadlockWave(run) === deadlockWave ? { ...base, simulation: run.simulation } : base;
}

/** Returns the evaluation by numbers of pods. It is uncertain if old pods differ from new ones in what decides, or if something else does. */
export function evaluateUndecided(limited: LimitedRollout, limits: PlanLimits): CapacityEvaluation | undefined {
  const counted = evaluateByPodCount(limited, limits);
  const possible = counted && findPossibleDeadlock(limited, limits, counted);
  if (possible) return possible;
  const alone = counted && withUndecidedOldPods(limited.workload, counted, () => exceedsLimit(limited, limits));
  const base = alone && evaluateCountNextToOthers(limited, alone, limits);
  const because = base ? listUncomparedReasons(limited, limits, base.verdict) : [];
  if (!base) return undefined;
  if (because.length === 0) return withAdmittedRows(base, limited, limits);
  const { peakPods, podsThatFit } = base.verdict;
  return buildUncertainEvaluation({ peakPods, podsThatFit, because, message: `May not fit: this depends on ${joinWords(because)}.` });
}
