import { addToGroup } from '../../core/collections/group-by';
import type { Simulation } from '../../core/simulations/simulation';
import type { Finding } from '../../core/findings/finding';
import { getFieldsAt, getValueAt } from '../../core/manifest/manifest';
import type { Manifest } from '../../core/manifest/manifest';
import type { SharedCapacityResult } from '../../core/document/plan-document';
import { describeResource } from '../../core/document/rollout';
import type { AutoscaledRollout, PlannedRollout } from '../../core/document/rollout';
import { joinLists } from '../../core/text/join-lists';
import { withAddedPods } from './added-pods';
import { isKindInView } from '../context/context';
import type { PlanContext } from '../context/context';
import { CONTEXT_KINDS } from '../kinds/context-kinds';
import { checkPodTemplates } from '../pods/check-pod-templates';
import { getLimitedRollout, podSetsOf, sortRollouts, toPlannedRollout } from '../rollout/system-rollout';
import { templateLocationOf } from '../rollout/workload';
import type { CapacityKnowledge, LimitedRollout, Workload } from '../rollout/workload';
import type { ClusterPods, GroupPods } from '../rollout/pod-groups';
import type { SystemRollout } from '../rollout/system-rollout';
import type { PodSet } from '../rollout/pod-set';
import { evaluateWithOtherUnits } from '../capacity/plan-limits';
import { hasRoomForRow } from '../capacity/sets/row-shortages';
import { evaluateDisruptionBudgets } from './budget-findings';
import { checkInsufficientCapacityAtMaximum, checkInsufficientCapacity } from '../rules/insufficient-capacity';
import { checkInsufficientCapacityAtRaisedMaximum } from '../rules/insufficient-capacity-at-raised-maximum';
import { checkInsufficientCapacityForGroups } from '../rules/insufficient-capacity-for-groups';
import { checkInsufficientCapacityForSecondCluster } from '../rules/insufficient-capacity-for-second-cluster';
import { checkUndecidedCapacity } from '../rules/insufficient-capacity-if-undecided';
import { checkInsufficientCapacityOnNodes } from '../rules/insufficient-capacity-on-nodes';
import { evaluateRollout } from '../capacity/evaluate-rollout';
import type { CapacityEvaluation } from '../capacity/capacity-evaluation';
import type { PlanLimits } from '../capacity/plan-limits';
import { evaluatePausedHeadroom, evaluateSurgeHeadroom } from './surge-headroom';
import { evaluateSharedCapacity } from '../capacity/shared-capacity';
import type { RolloutTrial } from '../rollout/rollout-trial';
import { checkVolumes } from './volumes';
import { checkSchedulingGatedObjects } from '../rules/scheduling-gated';
import { checkPodConstraints } from './pod-constraints';
import {
  getReportedVerdict,
  markUnlimitedRows,
  limitRows,
  truncateRolloutAtDeadlock,
  getHaltedSimulation,
  describeRun,
} from './reported-run';
import { canFitSmallestCluster, evaluateGroups, withTrial } from '../capacity/sets/evaluate-pod-groups';
import { trySmallerRollouts } from '../capacity/exact/smaller-rollouts';
import { createTrial } from './create-trial';
import { buildNoLimits, hasPodLimits } from '../capacity/build-plan-limits';
import { evaluateUnitCapacity } from './unit-capacity';
import type { UnitCapacity } from './unit-capacity';

/** The rollouts at both ends of an autoscaler's range, and the capacity at the maximum. */
interface AutoscalerEvaluation {
  readonly autoscaled: AutoscaledRollout;
  readonly evaluation: CapacityEvaluation | undefined;
}

function evaluateAutoscalerRange({ workload }: LimitedRollout, limits: PlanLimits): AutoscalerEvaluation | undefined {
  const range = workload.replicaRange;
  if (!range) return undefined;
  const rollout = workload.controller.rolloutAt(range.maximum);
  const evaluation = evaluateWithOtherUnits(evaluateRollout, { workload, rollout }, limits);
  const maximumCapacity = getReportedVerdict(workload, evaluation);
  const minimum = workload.controller.rolloutAt(range.minimum).simulation;
  const maximum = getHaltedSimulation(rollout, evaluation) ?? truncateRolloutAtDeadlock(rollout.simulation, maximumCapacity);
  return { autoscaled: { by: range.by, minimum, maximum, ...(maximumCapacity && { maximumCapacity }) }, evaluation };
}

function groupByRollout<T>(all: readonly (readonly [SystemRollout, T])[]): ReadonlyMap<SystemRollout, readonly T[]> {
  const grouped = new Map<SystemRollout, T[]>();
  for (const [rollout, value] of all) addToGroup(grouped, rollout, value);
  return grouped;
}

/** The rollouts of a plan, evaluated with other objects and capacity, and their shared capacity. */
export interface ClusterEvaluation {
  /** The rollouts, in input order. */
  readonly rollouts: readonly PlannedRollout[];
  /** Findings that belong to no rollout, about pods that an apply adds to other objects. */
  readonly findings: readonly Finding[];
  readonly sharedCapacity?: SharedCapacityResult;
  readonly limits: PlanLimits;
  /** Pod sets of each rollout, as the API server admits them. */
  readonly podSets: readonly (readonly PodSet[])[];
  /** Returns the trial of a rollout, by its position. Returns undefined if no other strategy can be tried. */
  readonly trialOf: (index: number) => RolloutTrial | undefined;
}

/** What the evaluation of a rollout reads. */
interface EvaluationContext extends UnitCapacity {
  readonly context: PlanContext;
  readonly budgets: ReadonlyMap<SystemRollout, NonNullable<PlannedRollout['budgets']>>;
  readonly budgetFindings: ReadonlyMap<SystemRollout, readonly Finding[]>;
}

/** Reports whether pods end by themselves. Only those of Jobs, and bare ones, may have another restart policy than Always. */
function doPodsEnd({ template }: PodSet): boolean {
  const policy = getValueAt(template, 'spec', 'restartPolicy');
  return policy === 'Never' || policy === 'OnFailure';
}

function checkCapacity(
  { resource }: PlannedRollout,
  limited: LimitedRollout,
  { delay, rivals, verdictAfterRivals }: CapacityEvaluation,
  capacity: CapacityKnowledge,
  { limits, names }: EvaluationContext,
): Finding[] {
  const { undersizedNodes } = limits;
  const verdict = capacity.verdict!;
  if (verdict.verdict === 'may-not-fit' && !verdictAfterRivals)
    return checkUndecidedCapacity(templateLocationOf(limited.workload, limited.workload.sizePath), verdict);
  if (delay.nodesTooSmall === undefined)
    return checkInsufficientCapacity(
      limited,
      verdictAfterRivals ?? verdict,
      capacity,
      rivals ? { rivals: names(rivals, describeResource(resource)), ...(rivals.every(doPodsEnd) && { rivalsEnd: true as const }) } : {},
      verdictAfterRivals !== undefined,
    );
  return [checkInsufficientCapacityOnNodes(limited, verdict, undersizedNodes.get(limited.workload)!)];
}

/** Adds findings to a rollout. Returns the same object if there are none, because a plan has thousands of rollouts. */
function withFindings(rollout: PlannedRollout, found: readonly Finding[]): PlannedRollout {
  return found.length === 0 ? rollout : { ...rollout, findings: joinLists(rollout.findings, found) };
}

function reviewWorkload(workload: Workload, capacity: CapacityKnowledge, context: PlanContext): readonly Finding[] {
  const { controller } = workload;
  const templates = controller.podTemplates(workload, capacity);
  return checkPodTemplates('workload', templates, controller.review(workload, capacity, templates), context);
}

/** Reports whether a rollout deadlocks too if it replaces pods in place, this many at once. */
function deadlocksInPlace({ workload }: LimitedRollout, unavailable: number, limits: PlanLimits): boolean {
  const { controller, replicas } = workload;
  if (!controller.acceptsStrategies) return false;
  const strategy = { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: unavailable } };
  return evaluateRollout({ workload, rollout: controller.rolloutAt(replicas, strategy) }, limits)?.verdict.verdict === 'deadlocks';
}

/** Adds the effects of other objects and capacity to a rollout of one pod set. */
function applyWorkloadCapacity(
  own: PlannedRollout,
  limited: LimitedRollout,
  evaluation: CapacityEvaluation | undefined,
  evaluationContext: EvaluationContext,
): PlannedRollout {
  const { limits, context } = evaluationContext;
  const { workload, rollout } = limited;
  const autoscaling = evaluateAutoscalerRange(limited, limits);
  const { capacity: verdict, duration, simulation } = describeRun({ workload, rollout }, evaluation, own.simulation, context);
  const isUnchanged = !autoscaling && !verdict && !duration && simulation === own.simulation;
  const evaluated: PlannedRollout = isUnchanged
    ? own
    : {
        ...own,
        simulation,
        ...(autoscaling && { autoscaled: autoscaling.autoscaled }),
        ...(verdict && { capacity: verdict }),
        ...(duration && { duration }),
      };
  const capacity: CapacityKnowledge = {
    ...(verdict && { verdict }),
    ...(evaluation?.rejection && { rejection: evaluation.rejection }),
    ...(evaluation?.furtherShortages && { furtherShortages: evaluation.furtherShortages }),
    deadlocksInPlace: (unavailable) => deadlocksInPlace(limited, unavailable, limits),
    smallerRollouts: () => trySmallerRollouts(limited, limits),
    headroom: () => evaluateSurgeHeadroom(limited, evaluation, autoscaling?.evaluation, limits, context),
  };
  return withFindings(
    evaluated,
    joinLists(
      reviewWorkload(workload, capacity, context),
      verdict ? checkCapacity(own, limited, evaluation!, capacity, evaluationContext) : [],
      autoscaling && !evaluation?.rejection
        ? checkInsufficientCapacityAtMaximum(limited, autoscaling.autoscaled, verdict, autoscaling.evaluation?.rejection)
        : [],
    ),
  );
}

/** Adds the effects of capacity to a rollout that creates a second cluster. */
function applyClusterCapacity(
  own: PlannedRollout,
  clusterPods: ClusterPods,
  evaluation: CapacityEvaluation | undefined,
  { limits, context }: EvaluationContext,
): PlannedRollout {
  const duration = clusterPods.duration(evaluation?.delay);
  const findings =
    evaluation?.delay.deadlocks && evaluation.rejection?.kind !== 'pod-security'
      ? [
          checkInsufficientCapacityForSecondCluster(
            clusterPods,
            evaluation.verdict,
            evaluation.rejection,
            canFitSmallestCluster(clusterPods, limits),
          ),
        ]
      : [...clusterPods.capacityFindings, ...checkUndecidedCapacity({ path: clusterPods.path }, evaluation?.verdict)];
  const ruleFindings = checkPodTemplates('clusters', clusterPods.podTemplates(), clusterPods.sharedRuleFindings, context);
  return {
    ...own,
    simulation: own.simulation && truncateRolloutAtDeadlock(own.simulation, evaluation?.verdict),
    ...(evaluation && { capacity: markUnlimitedRows(evaluation) }),
    ...(duration && { duration }),
    findings: [...own.findings, ...ruleFindings, ...findings],
  };
}

/** Returns the rows of groups without the pods that quotas refuse. */
function showAdmittedPods(groups: GroupPods, simulation: Simulation, evaluation: CapacityEvaluation | undefined): Simulation {
  const admitted = evaluation?.admittedPods;
  return (admitted && groups.withAdmittedPods?.(simulation, admitted)) ?? simulation;
}

/** Reports whether the groups fit if each is deleted before its successor is created, and whether its user can choose that. */
function canReplaceInPlace({ strategy }: PlannedRollout, groups: GroupPods, replicas: number, limits: PlanLimits): boolean {
  const configuration = { ...getFieldsAt({ strategy }, 'strategy', 'rollingUpdateConfiguration'), maxSurge: 0, maxUnavailable: 1 };
  const trial = groups.rolloutWith?.({ ...getFieldsAt({ strategy }, 'strategy'), rollingUpdateConfiguration: configuration }, replicas);
  return trial !== undefined && evaluateGroups(withTrial(groups, trial), limits)?.verdict.verdict !== 'deadlocks';
}

/** Adds the effects of capacity to a rollout of groups of pods. */
function applyGroupCapacity(
  own: PlannedRollout,
  groups: GroupPods,
  evaluation: CapacityEvaluation | undefined,
  { limits, context }: EvaluationContext,
): PlannedRollout {
  const duration = groups.duration(evaluation?.delay);
  const range = groups.groupRange;
  const maximum = range && groups.rolloutAt?.(range.maximum);
  const atMaximum = maximum && evaluateWithOtherUnits(evaluateGroups, withTrial(groups, maximum), limits);
  const kindFindings = groups.review((row) => hasRoomForRow(groups.podSets, row, limits), own.simulation !== null);
  const ruleFindings = checkPodTemplates('groups', groups.podTemplates(), kindFindings, context);
  const simulation = own.simulation && showAdmittedPods(groups, limitRows(own.simulation, evaluation), evaluation);
  const rowFindings = (simulation && groups.checkRows?.(simulation)) ?? [];
  return {
    ...own,
    simulation,
    ...(range &&
      maximum &&
      groups.rolloutAt && {
        autoscaled: {
          by: range.by,
          minimum: groups.rolloutAt(range.minimum).simulation,
          maximum: limitRows(maximum.simulation, atMaximum),
          ...(atMaximum && { maximumCapacity: markUnlimitedRows(atMaximum) }),
        },
      }),
    ...(evaluation && { capacity: markUnlimitedRows(evaluation) }),
    ...(duration && { duration }),
    findings: [
      ...own.findings,
      ...ruleFindings,
      ...rowFindings,
      ...checkUndecidedCapacity({ path: groups.path }, evaluation?.verdict),
      ...checkInsufficientCapacityForGroups(groups, evaluation, (replicas) => canReplaceInPlace(own, groups, replicas, limits)),
    ],
  };
}

/** Adds findings about the rows of several components of one object. */
function checkComponents(planned: readonly SystemRollout[], evaluated: readonly PlannedRollout[]): readonly PlannedRollout[] {
  const byObject = new Map<Manifest, PlannedRollout[]>();
  planned.forEach(({ componentOf }, index) => {
    if (componentOf) addToGroup(byObject, componentOf, evaluated[index]!);
  });
  if (byObject.size === 0) return evaluated;
  return evaluated.map((rollout, index) => {
    const { componentOf, checkComponents: check } = planned[index]!;
    const components = componentOf && byObject.get(componentOf);
    const simulationOf = (name: string) => components?.find(({ resource }) => resource.component === name)?.simulation ?? null;
    return check ? withFindings(rollout, check(simulationOf)) : rollout;
  });
}

/** Adds the effects of capacity to a rollout, by the kind of its pods, with the findings of the rules about pods. */
function applyCapacity(own: PlannedRollout, rollout: SystemRollout, evaluationContext: EvaluationContext): PlannedRollout {
  const { pods } = rollout;
  const { evaluations, limits, context } = evaluationContext;
  const evaluation = evaluations.get(rollout);
  if (pods === undefined) return own;
  if (pods.kind === 'clusters') return applyClusterCapacity(own, pods.clusters, evaluation, evaluationContext);
  if (pods.kind === 'groups') return applyGroupCapacity(own, pods.groups, evaluation, evaluationContext);
  const limited = getLimitedRollout(rollout);
  if (limited) return applyWorkloadCapacity(own, limited, evaluation, evaluationContext);
  return withFindings(
    own,
    joinLists(
      reviewWorkload(pods.workload, { headroom: () => evaluatePausedHeadroom(pods.workload, context) }, context),
      checkInsufficientCapacityAtRaisedMaximum(pods.workload, limits),
    ),
  );
}

/** Reports what budgets, volumes and constraints of its pods do to a rollout. */
function checkSurroundings(rollout: SystemRollout, { budgetFindings, limits, context }: EvaluationContext): readonly Finding[] {
  if (rollout.pods === undefined) return [];
  if (rollout.pods.kind === 'clusters') return checkPodConstraints(rollout, limits, context);
  return joinLists(
    budgetFindings.get(rollout) ?? [],
    isKindInView(CONTEXT_KINDS.persistentVolumeClaim, context) ? checkVolumes(rollout, context) : [],
    checkPodConstraints(rollout, limits, context),
  );
}

/** Adds everything to one rollout that depends on other objects and on other rollouts. */
function evaluateOne(rollout: SystemRollout, evaluationContext: EvaluationContext): PlannedRollout {
  const { added, names, budgets, context, check } = evaluationContext;
  context.deadline?.check();
  const documented = toPlannedRollout(rollout);
  const rolloutBudgets = budgets.get(rollout);
  const budgeted: PlannedRollout = rolloutBudgets && documented.simulation ? { ...documented, budgets: rolloutBudgets } : documented;
  const addedPods = added.get(rollout);
  const own = addedPods ? withAddedPods(budgeted, rollout, addedPods, names) : budgeted;
  const evaluated = withFindings(applyCapacity(own, rollout, evaluationContext), checkSurroundings(rollout, evaluationContext));
  return withFindings(evaluated, check(rollout, evaluated));
}

/** Returns the capacity of a unit in which nothing limits pods. */
function buildUnlimitedCapacity(planned: readonly SystemRollout[], context: PlanContext): UnitCapacity {
  return {
    planned,
    limits: buildNoLimits(context),
    names: () => undefined,
    evaluations: new Map(),
    added: new Map(),
    check: () => [],
    checkUnit: () => [],
  };
}

/**
 * Adds everything to rollouts that depends on other objects and on other rollouts: the effects of disruption budgets, volumes, quotas and
 * capacity, both ends of their autoscalers, and their duration.
 *
 * Rollouts whose system does not know their pods stay as they are.
 *
 * @param otherUnits - rollouts of other units, which may be in the same cluster
 */
export function evaluateInCluster(
  systemRollouts: readonly SystemRollout[],
  context: PlanContext,
  otherUnits: readonly SystemRollout[] = [],
): ClusterEvaluation {
  const capacity = hasPodLimits(context)
    ? evaluateUnitCapacity(systemRollouts, otherUnits, context)
    : buildUnlimitedCapacity(systemRollouts, context);
  const { planned, limits, evaluations } = capacity;
  const hasBudgets = isKindInView(CONTEXT_KINDS.podDisruptionBudget, context);
  const sorted = hasBudgets || evaluations.size > 1 ? sortRollouts(planned) : planned;
  const { findings, budgets } = hasBudgets ? evaluateDisruptionBudgets(sorted, context, otherUnits) : { findings: [], budgets: [] };
  const evaluationContext = { ...capacity, context, budgets: groupByRollout(budgets), budgetFindings: groupByRollout(findings) };
  const evaluated = planned.map((rollout) => evaluateOne(rollout, evaluationContext));
  const shared = evaluations.size > 1 ? evaluateSharedCapacity(sorted, evaluations, limits) : undefined;
  return {
    rollouts: checkComponents(planned, evaluated),
    findings: [...capacity.checkUnit(), ...checkSchedulingGatedObjects(context)],
    ...(shared && { sharedCapacity: shared }),
    limits,
    podSets: planned.map(podSetsOf),
    trialOf: (index) => createTrial(planned[index]!, limits, context),
  };
}
