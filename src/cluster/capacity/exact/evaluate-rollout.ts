import { getFieldsAt } from '../../../core/manifest';
import type { Fields } from '../../../core/manifest';
import { findMax } from '../../../core/min-max';
import { REFUSED } from '../../limited-run';
import type { LimitedRollout } from '../../workload';
import type { CapacityEvaluation } from '../capacity-evaluation';
import { evaluateDaemonSet } from '../daemons/evaluate-daemon-set';
import { countPodsThatFit } from '../nodes/placement';
import { MODELLED } from '../nodes/unmodelled-constraints';
import type { PlanLimits } from '../plan-limits';
import { computePodFootprint } from '../pod-requests';
import { canPreemptFor, PREEMPTION, toPossibleEviction, computeTerminatingUse, TERMINATING_PODS } from '../surroundings/evictions';
import { countDisplacedByOne, countDisplacedPods, hasOtherMovingPods, isConstrainedByMovingPods } from '../moving/moving-pods';
import { listExtendedResourceClasses, withExtendedResourceClasses, listNodeProvisioners } from '../surroundings/node-providers';
import { computeMomentaryDecrease, computeOtherUseChange, OTHER_ROLLOUTS } from './other-rollouts';
import type { OtherUseChange } from './other-rollouts';
import { getUnplannedOwners } from '../surroundings/pod-owners';
import { withVolumeNodes } from '../surroundings/volume-nodes';
import { resolveOwnLimit } from './admitted-pods';
import type { OwnLimit } from './admitted-pods';
import { buildEvaluation, formatRange } from './build-evaluation';
import { evaluateByPodCount, hasCapacityLimits, listUnmodelledConstraints } from './count-pods';
import { mayMoveClaims } from './claim-moves';
import { decideRollout, withSchedulingGates } from './decide-rollout';
import type { DecidedOutcomes } from './decide-rollout';
import { evaluateUndecided, exceedsLimit } from './evaluate-undecided';
import { formatUncompared, PLACEMENT, TAINTS_SINCE } from './format-uncertainty';
import { buildModelledRollout, withAmpleNodes } from './modelled-rollout';
import type { ModelledRollout } from './modelled-rollout';
import { formatFootprint, resolveOldPods, formatNodeRules, withUndecidedOldPods } from './old-pods';
import type { OldPods } from './old-pods';
import { computeSlack } from './rollout-bounds';
import { dropTaintedLater } from './rollout-model';
import type { RolloutOutcomes } from './rollout-model';
import { readProcess } from './rollout-process';
import type { RolloutProcess } from './rollout-process';
import { countAdmittedPods, countPodsInQuotas, resolveRunLimits, findShownRun } from './run-limits';

/** A rollout with everything that its outcome follows from. */
interface ExactRollout {
  readonly limited: LimitedRollout;
  readonly limits: PlanLimits;
  readonly process: RolloutProcess;
  readonly old: OldPods;
  readonly ownLimits: readonly OwnLimit[];
  /** How the use of other rollouts may differ from what each limit counts. */
  readonly otherUse: readonly OtherUseChange[];
  /** Old pods that no new one replaces. */
  readonly kept: number;
  readonly admitted: readonly number[];
  readonly modelled: ModelledRollout;
  readonly outcomes: DecidedOutcomes;
}

/** Resolves what the outcome of a rollout follows from. Returns undefined if it does not start from a steady state that is known. */
function resolveExactRollout(limited: LimitedRollout, limits: PlanLimits): ExactRollout | undefined {
  const { workload, rollout } = limited;
  const process = readProcess(limited);
  const isScaled = workload.running !== undefined && workload.running !== workload.replicas;
  if (!process || isScaled) return undefined;
  const { replicas } = process;
  const hasLivePods = (limits.surroundings?.allOwnPods.get(workload)?.length ?? 0) > 0;
  const kept = process.kind === 'ordered' ? workload.replicas - replicas : 0;
  if (replicas + kept !== workload.replicas && hasLivePods) return undefined;
  const old = resolveOldPods(workload, process, limits.surroundings);
  // Live pods that are kept may differ from those that are replaced.
  if (!old || (kept > 0 && hasLivePods && !old.located)) return undefined;
  const ownLimitSources = limits.resourcesOf(workload);
  const otherUse = ownLimitSources.map((limit) => computeOtherUseChange(limit, [workload]));
  const ownLimits = ownLimitSources.map((limit) => resolveOwnLimit(limit, workload, old.spec));
  const admitted = countAdmittedPods(ownLimits, replicas, kept);
  const modelled = buildModelledRollout(workload, process, old, admitted, kept, limits);
  const decided = modelled && decideRollout(modelled.model, process, rollout);
  if (!modelled || !decided) return undefined;
  const outcomes = withSchedulingGates(decided, workload.template.spec);
  return { limited, limits, process, old, ownLimits, otherUse, kept, admitted, modelled, outcomes };
}

/** Returns the most new pods of outcomes. Returns undefined if none of them finishes. */
function findMostIfPossible(outcomes: RolloutOutcomes | undefined, { replicas }: RolloutProcess): number | undefined {
  return outcomes?.outcome === 'none' ? undefined : (outcomes?.newAtMost ?? replicas);
}

/** Returns how many pods more than those of the rollout find a place on the nodes in every placement, up to a number. */
function countSpareSlots({ limited, limits, process, old, kept, modelled }: ExactRollout, enough: number): number {
  const { steady, surroundings, cache } = limits;
  const slack = process.kind === 'rows' ? 0 : Math.max(0, computeSlack(modelled.model));
  if (slack >= enough || !modelled.isCountedBySlots || !steady || !surroundings) return slack;
  const footprint = computePodFootprint(limited.workload.template.spec);
  // Old pods on unknown nodes may be on other nodes than those that are assumed.
  const misplaced =
    old.located || !old.spec ? 0 : (process.replicas + kept) * countDisplacedByOne(footprint, computePodFootprint(old.spec));
  const needed = process.replicas + misplaced;
  const podSet = withVolumeNodes(limited.workload, surroundings.context);
  return Math.max(slack, countPodsThatFit(steady.nodes, podSet, needed + enough, cache) - needed);
}

/**
 * Returns the most new pods that run if pods of others take or leave places on the nodes meanwhile. Returns undefined if that does not change
 * the outcome.
 */
function findMostWithMovingPods(exact: ExactRollout): number | undefined {
  const { limited, limits, process, admitted, modelled, outcomes } = exact;
  const { workload, rollout } = limited;
  if (!modelled.hasNodes || outcomes.outcome === 'some' || !hasOtherMovingPods(workload, limits)) return undefined;
  const isNone = outcomes.outcome === 'none';
  if (isNone && decideRollout(withAmpleNodes(process, admitted), process, rollout)?.outcome === 'none') return undefined;
  if (isConstrainedByMovingPods(workload, limits)) return process.replicas;
  if (isNone) return findMostIfPossible(modelled.withoutMoving && decideRollout(modelled.withoutMoving(), process, rollout), process);
  const displaced = countDisplacedPods(workload, limits);
  return displaced > 0 && displaced > countSpareSlots(exact, displaced) ? process.replicas : undefined;
}

/**
 * Returns the most new pods that run if other rollouts of the same change use more or less of a quota. Returns undefined if that does not change
 * the outcome.
 */
function findMostWithUseOfOthers({
  limited,
  limits,
  process,
  ownLimits,
  otherUse,
  kept,
  modelled,
  outcomes,
}: ExactRollout): number | undefined {
  const decideWithOthers = (leftOf: (limit: OwnLimit, change: OtherUseChange, index: number) => bigint) => {
    const changed = ownLimits.map((limit, index) => ({ ...limit, left: leftOf(limit, otherUse[index]!, index) }));
    const newPodsAdmitted = countAdmittedPods(changed, process.replicas, kept);
    return decideRollout({ ...modelled.model, newPodsAdmitted }, process, limited.rollout);
  };
  const { workload } = limited;
  const momentary =
    outcomes.outcome === 'none' ? ownLimits.map(({ limit }) => computeMomentaryDecrease(limit, [workload], limits.cache)) : [];
  const isUseKnown = otherUse.every(({ increase, decrease }) => increase === 0n && decrease === 0n);
  if (isUseKnown && momentary.every((decrease) => decrease === 0n)) return undefined;
  if (outcomes.outcome === 'none') {
    return findMostIfPossible(
      decideWithOthers(({ left }, { decrease }, index) => left + decrease + momentary[index]!),
      process,
    );
  }
  const atWorst = decideWithOthers(({ left }, { increase }) => (left > increase ? left - increase : 0n));
  return atWorst?.outcome === 'every' ? undefined : process.replicas;
}

/** Returns the outcomes once the pods that are being deleted are gone. Returns undefined if the rollout does not finish then either. */
function decideWithoutTerminating({
  limited,
  limits,
  process,
  ownLimits,
  kept,
  admitted,
  modelled,
  outcomes,
}: ExactRollout): RolloutOutcomes | undefined {
  if (outcomes.outcome !== 'none') return undefined;
  const uses = ownLimits.map(({ limit }) => limits.cache.derive(limit, computeTerminatingUse));
  const isQuotaUsed = uses.some((use) => use > 0n);
  if (!isQuotaUsed && !modelled.withoutTerminating) return undefined;
  const later = ownLimits.map((limit, index) => ({ ...limit, left: limit.left + uses[index]! }));
  const newPodsAdmitted = isQuotaUsed ? countAdmittedPods(later, process.replicas, kept) : admitted;
  const model = modelled.withoutTerminating?.() ?? modelled.model;
  const afterwards = decideRollout({ ...model, newPodsAdmitted }, process, limited.rollout);
  return afterwards?.outcome === 'none' ? undefined : afterwards;
}

/** Why the outcome of a rollout is not certain, and the owners of pods that it may evict. */
interface Uncertainty {
  readonly because: readonly string[];
  readonly evicts: readonly string[];
  /** The most new pods that may run in the end. */
  readonly newAtMost: number;
  /** The outcomes once the pods that are being deleted are gone, if they decide. */
  readonly afterTermination?: RolloutOutcomes;
}

/** Lists the constraints of the pods that the input does not decide. */
function listUndecidedConstraints({ limited, limits, process, old, modelled }: ExactRollout): ReadonlySet<string> {
  const { model, hasNodes } = modelled;
  const context = hasNodes ? limits.surroundings?.context : undefined;
  const isUndecided = (name: string) => !hasNodes || !MODELLED.has(name) || modelled.undecided.includes(name);
  return new Set([
    ...listUnmodelledConstraints(limited, limits).filter(isUndecided),
    ...modelled.undecided,
    ...(context && mayMoveClaims(limited.workload, process, old.spec, model, context) ? ['volumes'] : []),
  ]);
}

/** Reports whether every placement ends alike if no old pod is on a node with a taint that it does not tolerate. */
function isDecidedByTaints({ limited, process, modelled }: ExactRollout): boolean {
  const model = dropTaintedLater(modelled.model);
  const outcomes = model && decideRollout(model, process, limited.rollout);
  return outcomes !== undefined && outcomes.outcome !== 'some';
}

function resolveUncertainty(exact: ExactRollout): Uncertainty {
  const { limited, limits, process, admitted, modelled, outcomes } = exact;
  const { workload, rollout } = limited;
  const { hasNodes } = modelled;
  // Neither an eviction nor another node helps against a quota.
  const dependsOnNodes =
    hasNodes && outcomes.outcome !== 'every' && decideRollout(withAmpleNodes(process, admitted), process, rollout)?.outcome === 'every';
  const evictions = dependsOnNodes && modelled.mayPreempt ? modelled.withEvictions?.() : undefined;
  const ifEvicted = evictions && decideRollout(evictions.model, process, rollout);
  const mayPreempt = dependsOnNodes && modelled.mayPreempt && ifEvicted?.outcome !== 'none';
  const { context } = limits.surroundings ?? {};
  const providers =
    dependsOnNodes && context
      ? [
          ...listNodeProvisioners(workload, context, limits.cache),
          ...listExtendedResourceClasses(computePodFootprint(workload.template.spec), context),
        ]
      : [];
  const withOthers = [findMostWithMovingPods(exact), findMostWithUseOfOthers(exact)].filter((most) => most !== undefined);
  const afterTermination = decideWithoutTerminating(exact);
  const because = [
    ...(outcomes.outcome === 'some' ? [isDecidedByTaints(exact) ? TAINTS_SINCE : PLACEMENT] : []),
    ...(outcomes.outcome === 'some' && outcomes.uncompared?.length ? [formatUncompared(outcomes.uncompared)] : []),
    ...(withOthers.length > 0 ? [OTHER_ROLLOUTS] : []),
    ...(mayPreempt ? [PREEMPTION] : []),
    ...(afterTermination ? [TERMINATING_PODS] : []),
    ...providers,
    ...(outcomes.outcome === 'none' ? [] : listUndecidedConstraints(exact)),
  ];
  const newAtMost = findMax(
    [
      ...withOthers,
      ...(mayPreempt ? [ifEvicted?.newAtMost ?? process.replicas] : []),
      ...(afterTermination ? [afterTermination.newAtMost] : []),
      ...(providers.length > 0 ? [process.replicas] : []),
    ],
    outcomes.newAtMost,
  );
  return {
    because,
    evicts: mayPreempt && evictions ? evictions.owners : [],
    newAtMost,
    ...(afterTermination && { afterTermination }),
  };
}

/** Reports whether old pods request the same as new ones, and accept the same nodes. */
function isLikeNew(old: Fields | undefined, next: Fields): boolean {
  if (old === undefined) return true;
  return formatFootprint(old) === formatFootprint(next) && formatNodeRules(old) === formatNodeRules(next);
}

/** Returns the evaluation of a rollout whose new pods are all refused, with the rows that happen. */
function withRefusedPods(base: CapacityEvaluation, { rollout }: LimitedRollout): CapacityEvaluation {
  const run = base.verdict.verdict === 'deadlocks' ? rollout.runWithin?.(REFUSED) : undefined;
  return run ? { ...base, simulation: run.simulation } : base;
}

/** Returns the evaluation of a DaemonSet that deadlocks, with the rows that happen if no new pod runs and quotas refuse some of them. */
function withAdmittedPods(base: CapacityEvaluation, { workload, rollout }: LimitedRollout, limits: PlanLimits): CapacityEvaluation {
  const admitted = countPodsInQuotas(workload, limits, workload.replicas);
  const nextToAll = admitted[workload.replicas]!;
  const runsNone = nextToAll === 0 || base.verdict.shortage?.available === '0';
  if (!runsNone || nextToAll >= rollout.surge) return base;
  const run = rollout.runWithin?.({ admitted: (old) => admitted[old] ?? 0, placed: () => 0 });
  return run ? { ...base, simulation: run.simulation } : base;
}

/** Returns the evaluation of a rollout that a quota stops wherever its old pods are. Returns undefined if none does. */
function findQuotaDeadlock(limited: LimitedRollout, limits: PlanLimits): CapacityEvaluation | undefined {
  const { surroundings, steady: _, ...withoutNodes } = limits;
  // Live pods may differ from those of the template.
  if (!surroundings || surroundings.allOwnPods.has(limited.workload)) return undefined;
  const byQuotas = evaluateByLimits(limited, withoutNodes);
  return byQuotas?.verdict.verdict === 'deadlocks' ? byQuotas : undefined;
}

/** Evaluates a rollout on its own by what the nodes and quotas show. */
function evaluateByLimits(limited: LimitedRollout, limits: PlanLimits): CapacityEvaluation | undefined {
  const { workload, rollout } = limited;
  if (rollout.peakPods === 0 || !hasCapacityLimits(limited, limits)) return undefined;
  if (limits.resourcesOf(workload).some(({ rejection }) => rejection)) {
    const base = evaluateByPodCount(limited, limits);
    return base && withRefusedPods(base, limited);
  }
  // An old pod of a DaemonSet is deleted before its successor needs the node, or stays there: only quotas are decided exactly.
  if (workload.onePerNode) {
    const byNodes = evaluateByPodCount(limited, { ...limits, resourcesOf: () => [] });
    const exactly = evaluateDaemonSet(limited, limits, () => byNodes);
    if (exactly) return exactly;
    if (!byNodes && limits.resourcesOf(workload).length === 0) return undefined;
    if (byNodes && byNodes.verdict.verdict !== 'fits') {
      const counted = evaluateByPodCount(limited, limits);
      if (counted?.verdict.verdict !== 'deadlocks') return counted;
      const base = withAdmittedPods(counted, limited, limits);
      if (base.delay.nodesTooSmall !== undefined) return limits.mayEvict.has(workload) ? toPossibleEviction(base) : base;
      const mayEvict = limits.surroundings !== undefined && canPreemptFor(workload, limits.surroundings);
      if (mayEvict) return toPossibleEviction(base);
      // A node that only the new pods may use has no old pod to fit next to.
      const [old, next] = [workload.oldTemplate ?? workload.template, workload.template].map(({ spec }) => formatNodeRules(spec as Fields));
      return rollout.surge > 0 && old !== next ? withUndecidedOldPods(workload, base, () => exceedsLimit(limited, limits)) : base;
    }
  }
  const exact = resolveExactRollout(limited, limits);
  if (!exact) return findQuotaDeadlock(limited, limits) ?? evaluateUndecided(limited, limits);
  const { process, ownLimits, kept, admitted, modelled, outcomes } = exact;
  const isByRows = process.kind === 'rows' && rollout.runWithin === undefined;
  if (isByRows && outcomes.outcome === 'none') {
    const base = evaluateByPodCount(limited, limits)!;
    const { old } = process.rows[outcomes.row! - 1]!;
    // What a controller does with fewer pods depends on its kind.
    if (base.verdict.verdict === 'deadlocks') {
      const quotas = ownLimits.filter(({ limit }) => limit.refusesPods);
      const podsAdmitted = quotas.length === 0 ? Infinity : old + countAdmittedPods(quotas, process.replicas, kept)[old]!;
      const delay = { ...base.delay, podsWithRoom: old + outcomes.newAtMost, podsAdmitted };
      return { ...base, verdict: { ...base.verdict, ...formatRange(outcomes) }, delay };
    }
    const isRejected = admitted[old]! <= outcomes.newAtMost;
    const outcome = rollout.outcome(old + outcomes.newAtMost, isRejected);
    if (outcome.verdict !== 'deadlocks') return evaluateUndecided(limited, limits);
  }
  const uncertainty = resolveUncertainty(exact);
  const { model } = modelled;
  const runOnNodes = (pods: readonly number[]) => rollout.runWithin?.(resolveRunLimits(model, outcomes, ownLimits, kept, pods));
  const run = isByRows ? undefined : findShownRun(model, outcomes, runOnNodes);
  const owners = modelled.hasNodes ? getUnplannedOwners(limits.surroundings!, workload) : [];
  let known: CapacityEvaluation | undefined;
  const byPodCount = () => (known ??= evaluateByPodCount(limited, limits)!);
  const hasEqualOldPods = isLikeNew(exact.old.spec, getFieldsAt(workload.template, 'spec'));
  return buildEvaluation({ limited, byPodCount, process, outcomes, model, run, ...uncertainty, ownLimits, owners, kept, hasEqualOldPods });
}

/**
 * Evaluates a rollout on its own while the pods of other workloads stay as they are. Returns undefined if nothing limits it.
 *
 * From a known steady state it is decided by all placements that the scheduler may choose, while old pods keep their own shape. From any
 * other state only the numbers of pods are compared.
 */
export function evaluateRollout(limited: LimitedRollout, limits: PlanLimits): CapacityEvaluation | undefined {
  const evaluation = evaluateByLimits(limited, limits);
  return evaluation && limits.surroundings ? withExtendedResourceClasses(evaluation, limits.surroundings.context) : evaluation;
}
