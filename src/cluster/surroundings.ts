import type { Finding } from '../core/finding';
import type { SharedRoom } from '../core/plan-document';
import type { AutoscaledRollout, PlannedRollout } from '../core/rollout';
import type { RolloutRoom } from '../core/room';
import type { Manifest } from '../core/manifest';
import { sortedBy } from '../core/sorted-by';
import { together } from '../core/together';
import { addedElsewhereFindings, namesOfPods, resourceName, roomForAdded, withAddedPods } from './added-pods';
import type { NamesOfPods } from './added-pods';
import type { PlanContext } from './context';
import { CONTEXT_KINDS } from './context-kinds';
import { podSetsOf } from './workload';
import type { ClusterPods, GroupPods, SystemRollout, PodSet, Workload } from './workload';
import { admittedRollout } from './room/admission';
import { besideOthers } from './room/beside-others';
import { capacityLimits } from './room/capacity';
import { clusterRoom, lacksOf, leastFits } from './room/cluster-room';
import { groupRoom } from './room/group-room';
import { disruptionBudgets } from './budget-findings';
import { noRoomAtMaximumFindings, noRoomFindings } from './rules/no-room';
import { changedLimitRangeFindings } from './rules/no-room-in-limit-range';
import { loweredQuotaFindings } from './rules/no-room-in-lowered-quota';
import { raisedMaximumFindings } from './rules/no-room-at-raised-maximum';
import { noRoomForClusterFinding } from './rules/no-room-for-clusters';
import { noRoomForGroupsFindings } from './rules/no-room-for-groups';
import { noRoomOnNodesFinding } from './rules/no-room-on-nodes';
import type { Simulation } from '../core/simulations/simulation';
import { standingStill } from '../core/simulations/kinds';
import { startupSecondsOf } from '../core/startup';
import { nodePoolsOf } from './room/known-nodes';
import { limitsByPodSet } from './room/limits';
import { mergedPools } from './room/node-pools';
import { memoryOf } from './room/plan-memory';
import { otherPods, poolsBesideDaemons } from './room/other-pods';
import { allQuotaLimits } from './room/quota';
import { allLimitRangeRefusals } from './room/limit-range-refusal';
import { allQuotaRefusals } from './room/quota-refusal';
import { limitedRollout, rolloutRoom, steadyPlacement } from './room/rollout-room';
import type { JudgedRoom, LimitedRollout, Limits } from './room/rollout-room';
import { withNamespaceLabels } from './room/scheduling';
import { tooSmallNodes } from './room/too-small';
import type { TooSmall } from './room/too-small';
import { heldRoom, surgeRoom } from './surge-room';
import { sharedRoom } from './room/shared-room';
import { volumeFindings } from './volumes';

/** The verdict to show: of pods that are known by their number alone, none that they fit, for they may ask for what is not there. */
function toldVerdict({ countOnly }: Workload, room: JudgedRoom | undefined): RolloutRoom | undefined {
  return countOnly && room?.verdict.shortage === undefined ? undefined : room?.verdict;
}

/** The rows up to where a rollout stands still for want of room; all of one that ends. */
function untilStandstill(simulation: Simulation, verdict: RolloutRoom | undefined): Simulation {
  return verdict?.verdict === 'deadlocks' && verdict.deadlockWave !== undefined
    ? standingStill(simulation, verdict.deadlockWave)
    : simulation;
}

/** The same where a kind knows better what becomes of its pods. */
function haltedRows(rollout: LimitedRollout['rollout'], room: JudgedRoom | undefined): Simulation | undefined {
  return room?.delay.deadlocks ? rollout.haltedAt?.(room.delay) : undefined;
}

/** Both ends of what an autoscaler may choose, and the room for the upper one. */
interface Ends {
  readonly autoscaled: AutoscaledRollout;
  readonly room: JudgedRoom | undefined;
}

function autoscalerEnds({ workload }: LimitedRollout, limits: Limits): Ends | undefined {
  const range = workload.replicaRange;
  if (!range) return undefined;
  const rollout = workload.rolloutAt(range.maximum);
  const room = besideOthers(rolloutRoom, { workload, rollout }, limits);
  const maximumRoom = toldVerdict(workload, room);
  const minimum = workload.rolloutAt(range.minimum).simulation;
  const maximum = haltedRows(rollout, room) ?? untilStandstill(rollout.simulation, maximumRoom);
  return { autoscaled: { by: range.by, minimum, maximum, ...(maximumRoom && { maximumRoom }) }, room };
}

/**
 * The rollouts by name, so that no verdict depends on the order of files: where there is too little room for what runs already,
 * those that come first by name are taken to have it.
 */
function byName(planned: readonly SystemRollout[]): SystemRollout[] {
  return sortedBy(planned, ({ resource: { apiVersion, kind, namespace = '', name, component = '' } }) =>
    [namespace, kind, name, component, apiVersion].join('\0'),
  );
}

/** Limits on the pods of the rollouts, which share them with all others of the unit, and with those that stand elsewhere. */
function limitsOf(
  ofRollouts: readonly PodSet[],
  quotas: readonly Manifest[],
  context: PlanContext,
  elsewhere: readonly PodSet[] = [],
): Limits {
  const { capacity } = context;
  const memory = memoryOf(context);
  const pools = capacity?.nodePools ?? [];
  const daemons = ofRollouts.filter(({ onePerNode }) => onePerNode);
  const ownOthers = otherPods(context).map(({ podSet }) => podSet);
  const others = [...ownOthers, ...elsewhere];
  const all = [...ofRollouts, ...others];
  const resources = [
    ...allLimitRangeRefusals(context.all(CONTEXT_KINDS.limitRange), [...ofRollouts, ...ownOthers]),
    ...allQuotaRefusals(quotas, [...ofRollouts, ...ownOthers]),
    ...allQuotaLimits(quotas, all),
    ...(capacity ? capacityLimits(capacity, all) : []),
  ];
  const byPodSet = limitsByPodSet(resources);
  // Every node has its daemons before anything else is placed on it.
  const placeable = ofRollouts.filter(({ countOnly, onePerNode }) => !countOnly && !onePerNode);
  const nodePools = mergedPools(poolsBesideDaemons(pools, daemons, memory), [...placeable, ...others, ...daemons], memory);
  // What a Node of the input does not say of itself is not known.
  const known = nodePoolsOf(context).filter(({ allocatable }) => allocatable.size > 0);
  const tooSmall = daemons.length > 0 ? tooSmallNodes(daemons, mergedPools(known, daemons, memory), memory) : new Map<PodSet, TooSmall>();
  const steady = steadyPlacement(placeable, others, nodePools, memory);
  return { ...steady, nodePools, tooSmall, memory, resources, resourcesOf: (podSet) => byPodSet.get(podSet) ?? [] };
}

/** The limits of a unit, and what other units leave of those that it shares with them: a capacity, and quotas that stand outside of it. */
function limitsAmong(ofRollouts: readonly PodSet[], elsewhere: readonly PodSet[], context: PlanContext): Limits {
  const quotas = context.all(CONTEXT_KINDS.resourceQuota);
  const limits = limitsOf(ofRollouts, quotas, context);
  if (elsewhere.length === 0) return limits;
  const own = new Set(context.objects);
  const shared = quotas.filter((quota) => !own.has(quota));
  if (shared.length === 0 && context.capacity === undefined) return limits;
  const placeable = elsewhere.filter(({ countOnly, onePerNode }) => !countOnly && !onePerNode);
  return { ...limits, besideOthers: limitsOf(ofRollouts, shared, context, placeable) };
}

function roomOf(rollout: SystemRollout, limits: Limits): JudgedRoom | undefined {
  if (rollout.pods?.of === 'clusters') return besideOthers(clusterRoom, rollout.pods.clusters, limits);
  if (rollout.pods?.of === 'groups') return besideOthers(groupRoom, rollout.pods.groups, limits);
  const limited = limitedRollout(rollout);
  return limited && besideOthers(rolloutRoom, limited, limits);
}

/** Each rollout by itself; those that nothing limits are left out. */
function roomOfEach(planned: readonly SystemRollout[], limits: Limits, { deadline }: PlanContext): ReadonlyMap<SystemRollout, JudgedRoom> {
  const rooms = new Map<SystemRollout, JudgedRoom>();
  for (const rollout of planned) {
    deadline?.check();
    const room = roomOf(rollout, limits);
    if (room) rooms.set(rollout, room);
  }
  return rooms;
}

function byRollout<T>(all: readonly (readonly [SystemRollout, T])[]): ReadonlyMap<SystemRollout, readonly T[]> {
  const grouped = new Map<SystemRollout, T[]>();
  for (const [rollout, one] of all) {
    const known = grouped.get(rollout);
    if (known) known.push(one);
    else grouped.set(rollout, [one]);
  }
  return grouped;
}

/** The rollouts of a plan among the other objects and within the capacity, and what they share. */
export interface Surroundings {
  /** In the order of the rollouts given. */
  readonly rollouts: readonly PlannedRollout[];
  /** About no rollout: pods that an apply adds to what is none. */
  readonly findings: readonly Finding[];
  readonly room?: SharedRoom;
  readonly limits: Limits;
  /** The sets of pods of each rollout, as the server admits them. */
  readonly podSets: readonly (readonly PodSet[])[];
}

/** What a rollout stands among. */
interface Among {
  readonly limits: Limits;
  readonly names: NamesOfPods;
  readonly context: PlanContext;
}

function lackFindings(
  { resource }: PlannedRollout,
  limited: LimitedRollout,
  verdict: RolloutRoom,
  { delay, refusal, rivals }: JudgedRoom,
  { limits, names }: Among,
): Finding[] {
  const { tooSmall } = limits;
  if (delay.nodesTooSmall === undefined) return noRoomFindings(limited, verdict, refusal, rivals && names(rivals, resourceName(resource)));
  return [noRoomOnNodesFinding(limited, verdict, tooSmall.get(limited.workload)!)];
}

/** A rollout with what else is found of it; the same one where that is nothing, for a plan has thousands. */
function withFindings(rollout: PlannedRollout, found: readonly Finding[]): PlannedRollout {
  return found.length === 0 ? rollout : { ...rollout, findings: together(rollout.findings, found) };
}

/** What other objects and the room mean for a rollout of one set of pods. */
function inRoom(own: PlannedRollout, limited: LimitedRollout, room: JudgedRoom | undefined, among: Among): PlannedRollout {
  const { limits, context } = among;
  const { workload, rollout } = limited;
  const ends = autoscalerEnds(limited, limits);
  const verdict = toldVerdict(workload, room);
  const startupSeconds = startupSecondsOf(workload.template, context.startupSeconds);
  const duration = startupSeconds === undefined ? undefined : rollout.duration(startupSeconds, room?.delay);
  const simulation = haltedRows(rollout, room) ?? (own.simulation && untilStandstill(own.simulation, verdict));
  const isAsWritten = !ends && !verdict && !duration && simulation === own.simulation;
  const placed: PlannedRollout = isAsWritten
    ? own
    : {
        ...own,
        simulation,
        ...(ends && { autoscaled: ends.autoscaled }),
        ...(verdict && { room: verdict }),
        ...(duration && { duration }),
      };
  const reviewed = workload.review({
    ...(verdict && { verdict }),
    ...(room?.refusal && { refusal: room.refusal }),
    ...surgeRoom(limited, room, ends?.room, limits, context),
  });
  return withFindings(
    placed,
    together(
      reviewed,
      verdict ? lackFindings(own, limited, verdict, room!, among) : [],
      room?.refusal ? [] : noRoomAtMaximumFindings(limited, ends?.autoscaled, verdict, ends?.room?.refusal),
    ),
  );
}

/** The same for a rollout that brings up a second cluster. */
function clusterInRoom(own: PlannedRollout, clusterPods: ClusterPods, room: JudgedRoom | undefined, limits: Limits): PlannedRollout {
  const duration = clusterPods.duration(room?.delay);
  const findings = room?.delay.deadlocks
    ? [noRoomForClusterFinding(clusterPods, room.verdict, room.refusal, leastFits(clusterPods, limits))]
    : clusterPods.roomFindings;
  return {
    ...own,
    simulation: own.simulation && untilStandstill(own.simulation, room?.verdict),
    ...(room && { room: room.verdict }),
    ...(duration && { duration }),
    findings: [...own.findings, ...clusterPods.checked, ...findings],
  };
}

/** The same for a rollout of groups of pods. */
function groupsInRoom(own: PlannedRollout, groups: GroupPods, room: JudgedRoom | undefined, limits: Limits): PlannedRollout {
  const duration = groups.duration(room?.delay);
  const range = groups.groupRange;
  const maximum = range && groups.rolloutAt?.(range.maximum);
  // The limits know the sets of pods of the rollout alone, whose rows are then those of the maximum.
  const maximumRoom = maximum && besideOthers(groupRoom, { ...maximum, podSets: groups.podSets }, limits)?.verdict;
  const reviewed = groups.review((row) => lacksOf(groups.podSets, row, limits).length === 0);
  return {
    ...own,
    simulation: own.simulation && untilStandstill(own.simulation, room?.verdict),
    ...(range &&
      maximum &&
      groups.rolloutAt && {
        autoscaled: {
          by: range.by,
          minimum: groups.rolloutAt(range.minimum).simulation,
          maximum: untilStandstill(maximum.simulation, maximumRoom),
          ...(maximumRoom && { maximumRoom }),
        },
      }),
    ...(room && { room: room.verdict }),
    ...(duration && { duration }),
    findings: [...own.findings, ...reviewed, ...noRoomForGroupsFindings(groups, room)],
  };
}

/**
 * Adds to rollouts all that depends on other objects and on each other: what disruption budgets, volumes,
 * quotas and capacity mean for them, both ends of their autoscalers, and how long they take.
 *
 * Rollouts whose system does not know their pods stay as they are.
 *
 * @param elsewhere - rollouts of other units, which may be in the same cluster
 */
export function inSurroundings(
  written: readonly SystemRollout[],
  context: PlanContext,
  elsewhere: readonly SystemRollout[] = [],
): Surroundings {
  const planned = written.map((rollout) => withNamespaceLabels(admittedRollout(rollout, context), context));
  const sorted = byName(planned);
  const limits = limitsAmong(sorted.flatMap(podSetsOf), elsewhere.flatMap(podSetsOf), context);
  const rooms = roomOfEach(planned, limits, context);
  const added = roomForAdded(planned, limits, context);
  const names = namesOfPods(planned, context);
  const disruption = disruptionBudgets(sorted, context, elsewhere);
  const budgetFindings = byRollout(disruption.findings);
  const budgets = byRollout(disruption.budgets);
  const rollouts = planned.map((rollout): PlannedRollout => {
    context.deadline?.check();
    const { pods, refusedFor: _, ...alone } = rollout;
    const covering = budgets.get(rollout);
    const budgeted: PlannedRollout = covering && alone.simulation ? { ...alone, budgets: covering } : alone;
    const own = withAddedPods(budgeted, rollout, added.get(rollout), names);
    if (pods === undefined) return own;
    if (pods.of === 'clusters') return clusterInRoom(own, pods.clusters, rooms.get(rollout), limits);
    if (pods.of === 'groups') {
      const placed = groupsInRoom(own, pods.groups, rooms.get(rollout), limits);
      return withFindings(placed, together(budgetFindings.get(rollout) ?? [], volumeFindings(rollout, context)));
    }
    const limited = limitedRollout(rollout);
    const placed = limited
      ? inRoom(own, limited, rooms.get(rollout), { limits, names, context })
      : withFindings(own, together(pods.workload.review(heldRoom(pods.workload, context)), raisedMaximumFindings(pods.workload, limits)));
    return withFindings(placed, together(budgetFindings.get(rollout) ?? [], volumeFindings(rollout, context)));
  });
  const shared = sharedRoom(sorted, rooms, limits);
  return {
    rollouts,
    findings: [
      ...loweredQuotaFindings(limits.resources, context),
      ...changedLimitRangeFindings(limits.resources, context, names),
      ...addedElsewhereFindings(limits, context, names),
    ],
    ...(shared && { room: shared }),
    limits,
    podSets: planned.map(podSetsOf),
  };
}
