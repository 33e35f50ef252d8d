import type { Finding } from '../core/finding';
import type { SharedCapacityResult } from '../core/plan-document';
import type { AutoscaledRollout, PlannedRollout } from '../core/rollout';
import type { CapacityResult } from '../core/capacity-result';
import { getFieldsAt } from '../core/manifest';
import type { Manifest } from '../core/manifest';
import { sortBy } from '../core/sort-by';
import { joinLists } from '../core/join-lists';
import { checkOtherAddedPods, createPodSetNames, describeResource, evaluateAddedPods, withAddedPods } from './added-pods';
import type { PodSetNames } from './added-pods';
import type { PlanContext } from './context';
import { CONTEXT_KINDS } from './context-kinds';
import { checkPodTemplates } from './pods/check-pod-templates';
import { podSetsOf } from './workload';
import type { CapacityKnowledge, ClusterPods, GroupPods, GroupTrial, SystemRollout, PodSet, Workload } from './workload';
import { applyLimitRange } from './capacity/admission';
import { evaluateWithOtherUnits } from './capacity/shared-cluster-check';
import { buildCapacityLimits } from './capacity/capacity';
import { evaluateSecondClusterCapacity, findRowShortages, canFitSmallestCluster } from './capacity/second-cluster-capacity';
import { evaluateGroupCapacity } from './capacity/group-capacity';
import { evaluateDisruptionBudgets } from './budget-findings';
import { checkInsufficientCapacityAtMaximum, checkInsufficientCapacity } from './rules/insufficient-capacity';
import { checkInsufficientCapacityInLimitRange } from './rules/insufficient-capacity-in-limit-range';
import { checkInsufficientCapacityInLoweredQuota } from './rules/insufficient-capacity-in-lowered-quota';
import { checkInsufficientCapacityAtRaisedMaximum } from './rules/insufficient-capacity-at-raised-maximum';
import { checkInsufficientCapacityForSecondCluster } from './rules/insufficient-capacity-for-second-cluster';
import { checkInsufficientCapacityForGroups } from './rules/insufficient-capacity-for-groups';
import { checkPodSecurity, checkPodSecurityOfObjects } from './rules/pod-security';
import { checkInsufficientCapacityOnNodes } from './rules/insufficient-capacity-on-nodes';
import type { Simulation } from '../core/simulations/simulation';
import { truncateAtDeadlock } from '../core/simulations/simulation-kinds';
import { resolveStartupSeconds } from '../core/startup-seconds';
import { getStartupDefault } from './startup-default';
import { nodePoolsOf } from './capacity/input-nodes';
import { groupLimitsByPodSet } from './capacity/limits';
import { mergeNodePools } from './capacity/node-pools';
import { planCacheOf } from './capacity/plan-cache';
import { listOtherPods, subtractDaemonUse } from './capacity/other-pods';
import { listQuotaLimits } from './capacity/quota';
import { findLimitRangeRejections } from './capacity/limit-range-rejection';
import { findQuotaRejections } from './capacity/quota-rejection';
import { getLimitedRollout, placeSteadyPods } from './capacity/rollout-capacity';
import { evaluateRollout } from './capacity/exact/evaluate-rollout';
import { hasInterchangeablePods, isPlacedByNode } from './capacity/exact/interchangeable-pods';
import { canPreemptFor } from './capacity/exact/evictions';
import { evaluateSetsExactly } from './capacity/exact/evaluate-sets';
import type { SetRollout } from './capacity/exact/evaluate-sets';
import type { SetRow } from './capacity/exact/set-rows';
import { formatRow } from './capacity/shortage';
import { collectDaemonSurroundings } from './capacity/exact/daemon-surroundings';
import { collectSurroundings, listUnplannedPodSets, subtractPodsOfOthers, subtractRunningPods } from './capacity/exact/surroundings';
import type { CapacityEvaluation, LimitedRollout, PlanLimits } from './capacity/rollout-capacity';
import { withNamespaceLabels } from './capacity/scheduling';
import { findPodSecurityRejections } from './pods/pod-security/pod-security-rejection';
import { findUndersizedNodes } from './capacity/undersized-nodes';
import type { NodePool } from './capacity/node-pools';
import type { UndersizedNodes } from './capacity/undersized-nodes';
import { evaluatePausedHeadroom, evaluateSurgeHeadroom } from './surge-headroom';
import { evaluateSharedCapacity } from './capacity/shared-capacity';
import type { TrialRun, RolloutTrial } from './rollout-trial';
import { checkVolumes } from './volumes';
import { checkPodConstraints } from './pod-constraints';

/**
 * Returns the verdict to report. If only the number of pods is known, it never says that they fit, because they may request unavailable
 * resources.
 */
function getReportedVerdict({ countOnly }: Workload, evaluation: CapacityEvaluation | undefined): CapacityResult | undefined {
  if (evaluation === undefined || (countOnly && evaluation.verdict.shortage === undefined)) return undefined;
  return markUnlimitedRows(evaluation);
}

/** Returns the verdict of an evaluation. A slower rollout whose rows are not simulated under its limits is marked. */
function markUnlimitedRows({ verdict, simulation }: CapacityEvaluation): CapacityResult {
  return verdict.verdict === 'slower' && simulation === undefined ? { ...verdict, hasUnlimitedRows: true } : verdict;
}

/** Returns the rows under the limits if they are known, or else those up to the deadlock, or all rows of a rollout that finishes. */
function limitRows(ideal: Simulation, evaluation: CapacityEvaluation | undefined): Simulation {
  return evaluation?.simulation ?? truncateRolloutAtDeadlock(ideal, evaluation?.verdict);
}

/** Returns the rows up to the deadlock, or all rows of a rollout that finishes. */
function truncateRolloutAtDeadlock(simulation: Simulation, verdict: CapacityResult | undefined): Simulation {
  return verdict?.verdict === 'deadlocks' && verdict.deadlockWave !== undefined
    ? truncateAtDeadlock(simulation, verdict.deadlockWave)
    : simulation;
}

/** Returns the rows up to the deadlock from the kind of the rollout, if it computes them itself. */
function getHaltedSimulation(rollout: LimitedRollout['rollout'], evaluation: CapacityEvaluation | undefined): Simulation | undefined {
  if (evaluation?.simulation) return evaluation.simulation;
  return evaluation?.delay.deadlocks ? rollout.haltedAt?.(evaluation.delay) : undefined;
}

/** Returns what a plan shows of a rollout: whether it fits, how long it takes, and its rows under the limits. */
function describeRun<S extends Simulation | null>(
  { workload, rollout }: LimitedRollout,
  evaluation: CapacityEvaluation | undefined,
  ideal: S,
  context: PlanContext,
): TrialRun<S | Simulation> {
  const capacity = getReportedVerdict(workload, evaluation);
  const startupSeconds = resolveStartupSeconds(workload.template, getStartupDefault(workload, context));
  const duration = startupSeconds === undefined ? undefined : rollout.duration(startupSeconds, evaluation?.delay);
  const simulation = getHaltedSimulation(rollout, evaluation) ?? (ideal && truncateRolloutAtDeadlock(ideal, capacity));
  return { simulation, ...(capacity && { capacity }), ...(duration && { duration }) };
}

/** Returns the parts of a trial that its capacity depends on. The limits refer to the pod sets of the rollout as written, so it keeps those. */
function withTrial({ podSets, positionOf }: GroupPods, trial: GroupTrial): EvaluatedGroups {
  return { ...trial, podSets, ...(positionOf && { positionOf }) };
}

/** Creates the trial of a rollout. Returns undefined if its user cannot choose a strategy, or nothing rolls out. */
function createTrial({ pods }: SystemRollout, limits: PlanLimits, context: PlanContext): RolloutTrial | undefined {
  if (pods?.kind === 'groups') {
    const { groups } = pods;
    const { rolloutWith, groupRange, podSets, rows } = groups;
    if (!rolloutWith || rows.length === 0) return undefined;
    const runTrial = (strategy: unknown, replicas: number) => {
      const trial = rolloutWith(strategy, replicas);
      const evaluation = evaluateWithOtherUnits(evaluateGroups, withTrial(groups, trial), limits);
      const duration = trial.duration(evaluation?.delay);
      return {
        simulation: limitRows(trial.simulation, evaluation),
        ...(evaluation && { capacity: markUnlimitedRows(evaluation) }),
        ...(duration && { duration }),
      };
    };
    return {
      strategyPath: podSets[0]!.strategyPath,
      unit: podSets.map(({ template, perGroup = 1 }) => ({ template, pods: perGroup })),
      ...(groupRange && { range: groupRange }),
      isLimited: true,
      hasInterchangeablePods: false,
      dependsOnOtherNodes: false,
      hasKnownRequests: podSets.every(({ countOnly }) => countOnly !== true),
      isUncertain: false,
      run: runTrial,
    };
  }
  if (pods?.kind !== 'workload') return undefined;
  const { workload } = pods;
  const { controller, strategyOwner, replicaRange, template } = workload;
  if (!controller.acceptsStrategies || strategyOwner || !workload.rollout) return undefined;
  const isLimited = limits.nodePools.length > 0 || limits.resourcesOf(workload).length > 0;
  return {
    unit: [{ template, pods: 1 }],
    hasKnownRequests: workload.countOnly !== true,
    strategyPath: workload.strategyPath,
    names: workload.names,
    ...(replicaRange && { range: replicaRange }),
    isLimited,
    hasInterchangeablePods: !isLimited || hasInterchangeablePods(workload, limits),
    dependsOnOtherNodes: limits.nodePools.length > 0 && !isPlacedByNode(workload),
    isUncertain: workload.countOnly === true && isLimited,
    run: (strategy, replicas) => {
      const limited = { workload, rollout: controller.rolloutAt(replicas, strategy) };
      const evaluation = evaluateWithOtherUnits(evaluateRollout, limited, limits);
      return describeRun(limited, evaluation, limited.rollout.simulation, context);
    },
  };
}

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

/**
 * Sorts rollouts by name, so that no verdict depends on the order of files. If there is too little capacity for the running pods, the first
 * rollouts by name are assumed to have it.
 */
function sortByName(planned: readonly SystemRollout[]): SystemRollout[] {
  return sortBy(planned, ({ resource: { apiVersion, kind, namespace = '', name, component = '' } }) =>
    [namespace, kind, name, component, apiVersion].join('\0'),
  );
}

/** Returns a DaemonSet with the requests of the old pods, if those stay until the new ones of their nodes are ready. */
function withRunningRequests(daemon: PodSet): PodSet {
  const { template, oldTemplate } = daemon;
  const { surge = 0 } = (daemon as Partial<Workload>).rollout ?? {};
  if (oldTemplate === undefined || surge === 0) return daemon;
  const { containers, initContainers } = getFieldsAt(oldTemplate, 'spec');
  return { ...daemon, template: { ...template, spec: { ...getFieldsAt(template, 'spec'), containers, initContainers } } };
}

/** Builds the limits on the pods of the rollouts. They share them with all other pods of the unit, and with pods of other units. */
function buildLimits(
  rolloutPodSets: readonly PodSet[],
  quotas: readonly Manifest[],
  context: PlanContext,
  otherUnits: readonly PodSet[] = [],
): PlanLimits {
  const { capacity } = context;
  const cache = planCacheOf(context);
  const pools = nodePoolsOf(context).filter(({ allocatable, nodeName }) => allocatable.size > 0 || nodeName === undefined);
  const daemons = rolloutPodSets.filter(({ onePerNode }) => onePerNode);
  const ownOthers = listOtherPods(context).map(({ podSet }) => podSet);
  const others = [...ownOthers, ...otherUnits];
  const emptyNodes = subtractDaemonUse(pools, daemons.map(withRunningRequests), cache);
  const surroundings = collectSurroundings(emptyNodes, rolloutPodSets, context, cache);
  const all = [...rolloutPodSets, ...others, ...listUnplannedPodSets(surroundings)];
  const resources = [
    ...findPodSecurityRejections([...rolloutPodSets, ...ownOthers], context),
    ...findLimitRangeRejections(context.all(CONTEXT_KINDS.limitRange), [...rolloutPodSets, ...ownOthers]),
    ...findQuotaRejections(quotas, [...rolloutPodSets, ...ownOthers]),
    ...listQuotaLimits(quotas, all, (podSpec, namespace, resource) => surroundings.devices.computeQuotaUse(podSpec, namespace, resource)),
    ...(capacity ? buildCapacityLimits(capacity, all) : []),
  ];
  const byPodSet = groupLimitsByPodSet(resources);
  // Daemons are placed on every node before any other pod.
  const placeable = rolloutPodSets.filter(({ countOnly, onePerNode }) => !countOnly && !onePerNode);
  const nodePools = mergeNodePools(subtractRunningPods(surroundings), [...placeable, ...others, ...daemons], cache);
  // A Node of the input without allocatable resources has unknown capacity.
  const known = nodePoolsOf(context).filter(({ allocatable }) => allocatable.size > 0);
  const findUndersized = (nodes: readonly NodePool[]): ReadonlyMap<PodSet, UndersizedNodes> =>
    daemons.length > 0 ? findUndersizedNodes(daemons, mergeNodePools(nodes, daemons, cache), cache) : new Map();
  const undersizedNodes = findUndersized(subtractPodsOfOthers(known, surroundings));
  // Daemons that may evict pods of lower priority lack no node that is large enough for them.
  const undersizedIfEmpty = daemons.some((daemon) => undersizedNodes.has(daemon)) ? findUndersized(known) : undersizedNodes;
  const mayEvict = new Set(
    daemons.filter((daemon) => undersizedNodes.has(daemon) && !undersizedIfEmpty.has(daemon) && canPreemptFor(daemon, surroundings)),
  );
  const countRunning = (podSet: PodSet) => surroundings.ownPods.get(podSet)?.length ?? 0;
  const steady = placeSteadyPods(placeable, others, nodePools, cache, countRunning);
  // Pods that do not fit while nothing rolls out use no node.
  surroundings.demands = [...placeable, ...others]
    .map((podSet, index) => {
      const placed = (steady.podSetsOnNodes[index]?.replicas ?? 0) - (steady.steady?.unplacedBySet.get(podSet) ?? 0);
      return { podSet, pods: placed - countRunning(podSet) };
    })
    .filter(({ pods }) => pods > 0);
  return {
    ...steady,
    ...(pools.length > 0 && { surroundings }),
    surroundingsOf: (daemon) =>
      pools.length > 0 ? collectDaemonSurroundings(daemon, pools, rolloutPodSets, surroundings, context, cache) : undefined,
    nodePools,
    undersizedNodes,
    mayEvict,
    cache,
    resources,
    resourcesOf: (podSet) => byPodSet.get(podSet) ?? [],
  };
}

/** Builds the limits of a unit, and what other units leave of shared limits: a capacity, and quotas outside the unit. */
function buildUnitLimits(rolloutPodSets: readonly PodSet[], otherUnits: readonly PodSet[], context: PlanContext): PlanLimits {
  const quotas = context.all(CONTEXT_KINDS.resourceQuota);
  const limits = buildLimits(rolloutPodSets, quotas, context);
  if (otherUnits.length === 0) return limits;
  const own = new Set(context.objects);
  const shared = quotas.filter((quota) => !own.has(quota));
  if (shared.length === 0 && context.capacity === undefined) return limits;
  const placeable = otherUnits.filter(({ countOnly, onePerNode }) => !countOnly && !onePerNode);
  return { ...limits, withOtherUnits: buildLimits(rolloutPodSets, shared, context, placeable) };
}

/** Splits the pods of each row into old and new ones. */
function splitRows({ rows, oldRows }: Pick<GroupPods, 'rows' | 'oldRows'>): SetRow[] {
  return rows.map((row, index) => {
    const old = oldRows[index]!;
    return { old, next: row.map((pods, set) => pods - old[set]!) };
  });
}

/** Evaluates a rollout that creates a second cluster, whose old pods keep their own requests. */
function evaluateClusters(clusters: ClusterPods, limits: PlanLimits): CapacityEvaluation | undefined {
  const evaluation = evaluateSecondClusterCapacity(clusters, limits);
  if (!evaluation) return undefined;
  const { podSets, capacities, waitsBelowRow } = clusters;
  const rollout: SetRollout = {
    podSets,
    rows: splitRows(clusters),
    outcomeAt: (row) => (row < waitsBelowRow ? { verdict: 'deadlocks', deadlockWave: row + 1 } : { verdict: 'slower' }),
    formatDeadlock: (wave) => `deadlocks at ${formatRow(wave, capacities[wave - 1]!)}`,
  };
  return evaluateSetsExactly(rollout, evaluation, limits);
}

/** The parts of a rollout of groups that its capacity depends on. */
type EvaluatedGroups = Pick<GroupPods, 'podSets' | 'rows' | 'oldRows' | 'fewer' | 'positionOf'>;

/** Evaluates a rollout of groups, whose old pods keep their own requests. */
function evaluateGroups(groups: EvaluatedGroups, limits: PlanLimits): CapacityEvaluation | undefined {
  const evaluation = evaluateGroupCapacity(groups, limits);
  if (!evaluation) return undefined;
  const { podSets, fewer } = groups;
  const rollout: SetRollout = {
    podSets,
    rows: splitRows(groups),
    ...(groups.positionOf && { positionOf: groups.positionOf }),
    outcomeAt: (row) => ({ verdict: 'deadlocks', deadlockWave: Math.max(1, row) }),
    ...(fewer && { groups: fewer }),
    formatDeadlock: (wave) => `deadlocks at wave ${wave}`,
  };
  return evaluateSetsExactly(rollout, evaluation, limits);
}

function evaluateSystemRollout(rollout: SystemRollout, limits: PlanLimits): CapacityEvaluation | undefined {
  if (rollout.pods?.kind === 'clusters') return evaluateWithOtherUnits(evaluateClusters, rollout.pods.clusters, limits);
  if (rollout.pods?.kind === 'groups') return evaluateWithOtherUnits(evaluateGroups, rollout.pods.groups, limits);
  const limited = getLimitedRollout(rollout);
  return limited && evaluateWithOtherUnits(evaluateRollout, limited, limits);
}

/** Evaluates each rollout on its own. Rollouts without limits are left out. */
function evaluateRollouts(
  planned: readonly SystemRollout[],
  limits: PlanLimits,
  { deadline }: PlanContext,
): ReadonlyMap<SystemRollout, CapacityEvaluation> {
  const evaluations = new Map<SystemRollout, CapacityEvaluation>();
  for (const rollout of planned) {
    deadline?.check();
    const evaluation = evaluateSystemRollout(rollout, limits);
    if (evaluation) evaluations.set(rollout, evaluation);
  }
  return evaluations;
}

function groupByRollout<T>(all: readonly (readonly [SystemRollout, T])[]): ReadonlyMap<SystemRollout, readonly T[]> {
  const grouped = new Map<SystemRollout, T[]>();
  for (const [rollout, value] of all) {
    const known = grouped.get(rollout);
    if (known) known.push(value);
    else grouped.set(rollout, [value]);
  }
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
interface EvaluationContext {
  readonly limits: PlanLimits;
  readonly names: PodSetNames;
  readonly context: PlanContext;
}

function checkCapacity(
  { resource }: PlannedRollout,
  limited: LimitedRollout,
  verdict: CapacityResult,
  { delay, rejection, rivals }: CapacityEvaluation,
  { limits, names }: EvaluationContext,
): Finding[] {
  const { undersizedNodes } = limits;
  if (delay.nodesTooSmall === undefined)
    return checkInsufficientCapacity(limited, verdict, rejection, rivals && names(rivals, describeResource(resource)));
  return [checkInsufficientCapacityOnNodes(limited, verdict, undersizedNodes.get(limited.workload)!)];
}

/** Adds findings to a rollout. Returns the same object if there are none, because a plan has thousands of rollouts. */
function withFindings(rollout: PlannedRollout, found: readonly Finding[]): PlannedRollout {
  return found.length === 0 ? rollout : { ...rollout, findings: joinLists(rollout.findings, found) };
}

function reviewWorkload(workload: Workload, capacity: CapacityKnowledge, context: PlanContext): readonly Finding[] {
  return checkPodTemplates(
    'workload',
    workload.controller.podTemplates(workload, capacity),
    workload.controller.review(workload, capacity),
    context,
  );
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
    ...evaluateSurgeHeadroom(limited, evaluation, autoscaling?.evaluation, limits, context),
  };
  return withFindings(
    evaluated,
    joinLists(
      reviewWorkload(workload, capacity, context),
      verdict ? checkCapacity(own, limited, verdict, evaluation!, evaluationContext) : [],
      evaluation?.rejection
        ? []
        : checkInsufficientCapacityAtMaximum(limited, autoscaling?.autoscaled, verdict, autoscaling?.evaluation?.rejection),
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
      : clusterPods.capacityFindings;
  const ruleFindings = checkPodTemplates('clusters', clusterPods.podTemplates(), clusterPods.sharedRuleFindings, context);
  return {
    ...own,
    simulation: own.simulation && truncateRolloutAtDeadlock(own.simulation, evaluation?.verdict),
    ...(evaluation && { capacity: markUnlimitedRows(evaluation) }),
    ...(duration && { duration }),
    findings: [...own.findings, ...ruleFindings, ...findings],
  };
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
  const kindFindings = groups.review((row) => findRowShortages(groups.podSets, row, limits).length === 0);
  const ruleFindings = checkPodTemplates('groups', groups.podTemplates(), kindFindings, context);
  return {
    ...own,
    simulation: own.simulation && limitRows(own.simulation, evaluation),
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
    findings: [...own.findings, ...ruleFindings, ...checkInsufficientCapacityForGroups(groups, evaluation)],
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
  const planned = systemRollouts.map((rollout) => withNamespaceLabels(applyLimitRange(rollout, context), context));
  const sorted = sortByName(planned);
  const limits = buildUnitLimits(sorted.flatMap(podSetsOf), otherUnits.flatMap(podSetsOf), context);
  const evaluations = evaluateRollouts(planned, limits, context);
  const added = evaluateAddedPods(planned, limits, context);
  const names = createPodSetNames(planned, context);
  const disruption = evaluateDisruptionBudgets(sorted, context, otherUnits);
  const budgetFindings = groupByRollout(disruption.findings);
  const budgets = groupByRollout(disruption.budgets);
  const evaluationContext: EvaluationContext = { limits, names, context };
  const evaluateOne = (rollout: SystemRollout): PlannedRollout => {
    context.deadline?.check();
    const {
      pods,
      serviceRoles: _roles,
      routedService: _routed,
      keepsPodsUntilReplaced: _keeps,
      rejectionCause: _,
      ...documented
    } = rollout;
    const rolloutBudgets = budgets.get(rollout);
    const budgeted: PlannedRollout = rolloutBudgets && documented.simulation ? { ...documented, budgets: rolloutBudgets } : documented;
    const own = withAddedPods(budgeted, rollout, added.get(rollout), names);
    if (pods === undefined) return own;
    if (pods.kind === 'clusters') return applyClusterCapacity(own, pods.clusters, evaluations.get(rollout), evaluationContext);
    if (pods.kind === 'groups') {
      const evaluated = applyGroupCapacity(own, pods.groups, evaluations.get(rollout), evaluationContext);
      return withFindings(
        evaluated,
        joinLists(budgetFindings.get(rollout) ?? [], [...checkVolumes(rollout, context), ...checkPodConstraints(rollout)]),
      );
    }
    const limited = getLimitedRollout(rollout);
    const evaluated = limited
      ? applyWorkloadCapacity(own, limited, evaluations.get(rollout), evaluationContext)
      : withFindings(
          own,
          joinLists(
            reviewWorkload(pods.workload, evaluatePausedHeadroom(pods.workload, context), context),
            checkInsufficientCapacityAtRaisedMaximum(pods.workload, limits),
          ),
        );
    return withFindings(
      evaluated,
      joinLists(budgetFindings.get(rollout) ?? [], [...checkVolumes(rollout, context), ...checkPodConstraints(rollout)]),
    );
  };
  const rollouts = planned.map((rollout) => {
    const evaluated = evaluateOne(rollout);
    return withFindings(evaluated, checkPodSecurity(rollout, evaluated, context));
  });
  const shared = evaluateSharedCapacity(sorted, evaluations, limits);
  return {
    rollouts,
    findings: [
      ...checkInsufficientCapacityInLoweredQuota(limits.resources, context),
      ...checkInsufficientCapacityInLimitRange(limits.resources, context, names),
      ...checkOtherAddedPods(limits, context, names),
      ...checkPodSecurityOfObjects(context),
    ],
    ...(shared && { sharedCapacity: shared }),
    limits,
    podSets: planned.map(podSetsOf),
    trialOf: (index) => createTrial(planned[index]!, limits, context),
  };
}
