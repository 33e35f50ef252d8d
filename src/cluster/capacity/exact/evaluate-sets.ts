import type { CapacityResult } from '../../../core/capacity-result';
import { getFieldsAt, getListAt } from '../../../core/manifest';
import { REFUSED } from '../../limited-run';
import type { LimitedRun, RunLimits } from '../../limited-run';
import type { CapacityOutcome, FewerGroups, PodSet } from '../../workload';
import { buildPodSlotShortage, buildResourceShortage } from '../rollout-capacity';
import type { CapacityEvaluation, PlanLimits } from '../rollout-capacity';
import { computePodFootprint } from '../pod-requests';
import { buildFittingResult, formatOutcome } from '../shortage';
import { buildPortMarks } from '../scheduling';
import { findUnmodelledConstraints } from '../unmodelled-constraints';
import type { Shortage } from '../../../core/capacity-result';
import { canPreemptFor, PREEMPTION } from './evictions';
import { PLACEMENT } from './format-uncertainty';
import { listExtendedResourceClasses } from './extended-resource-classes';
import { listNodeProvisioners } from './node-provisioners';
import { evaluateSetsNextToOthers } from './sets-next-to-others';
import { SetNodes } from './set-nodes';
import type { PlacementOutcome } from './set-placement';
import { countAdmittedGroupPods, countAdmittedGroups, findExceeded, resolveSetLimits } from './set-limits';
import type { SetLimit } from './set-limits';
import { sum } from './set-rows';
import type { SetRow, SetRows } from './set-rows';
import type { Surroundings } from './surroundings';
import { withUndecidedOldPods } from './undecided-old-pods';

/** The reason if the pods of several groups compete for the same capacity. */
export const GROUP_ORDER = 'which pods of new groups start first';

/** Maximum number of groups of a rollout that is simulated under limits. */
const MAX_GROUPS = 200;

/** A rollout of several pod sets, row by row. */
export interface SetRollout extends SetRows {
  /** Returns the outcome if a row does not fit, from 0, for certain. */
  outcomeAt(row: number): CapacityOutcome;
  /** The equal groups that it replaces. It continues with fewer of them at once. @default - every row must fit */
  readonly groups?: FewerGroups;
  /** Text before the reason of a deadlock: `deadlocks at wave 2`. */
  formatDeadlock(wave: number): string;
}

/** Reports whether the pods have constraints that concern pods of other nodes or of the same node. */
function hasPodConstraints(podSpec: unknown): boolean {
  const required = ['podAffinity', 'podAntiAffinity'].some(
    (kind) => getListAt(getFieldsAt(podSpec, 'affinity'), kind, 'requiredDuringSchedulingIgnoredDuringExecution').length > 0,
  );
  return required || getListAt(podSpec, 'resourceClaims').length > 0 || buildPortMarks(podSpec).avoids.length > 0;
}

/** Reports whether the anti-affinity of running pods may keep off new pods of a set. */
function isExcludedByOthers({ namespace = 'default', namespaceLabels, template }: PodSet, surroundings: Surroundings): boolean {
  const labels = getFieldsAt(template, 'metadata', 'labels');
  return surroundings.podIndex().mayExclude({ namespace, ...(namespaceLabels && { namespaceLabels }), labels, spec: {} });
}

/** What a row finds. */
interface RowOutcome {
  readonly outcome: PlacementOutcome;
  readonly shortage?: Shortage;
  /** Whether nodes are lacking, and no quota. */
  readonly lacksNodes: boolean;
}

/** Creates a function that decides rows, each once. */
function createRowDecider(nodes: SetNodes | undefined, setLimits: readonly SetLimit[], limits: PlanLimits): (row: SetRow) => RowOutcome {
  const decide = (row: SetRow): RowOutcome => {
    const exceeded = findExceeded(setLimits, row);
    if (exceeded) {
      return { outcome: 'none', shortage: buildResourceShortage(exceeded.limit, exceeded.needed, exceeded.left), lacksNodes: false };
    }
    if (!nodes) return { outcome: 'every', lacksNodes: false };
    const outcome = nodes.decide(row, limits);
    if (outcome === 'every') return { outcome, lacksNodes: false };
    const shortage = buildPodSlotShortage(sum(row.old) + sum(row.next), sum(row.old));
    return { outcome, shortage, lacksNodes: true };
  };
  const decided = new Map<string, RowOutcome>();
  return (row) => {
    const key = JSON.stringify(row);
    const known = decided.get(key) ?? decide(row);
    decided.set(key, known);
    return known;
  };
}

/** Finds the largest number up to a maximum that fits, if every smaller one fits too. */
function findLargest(maximum: number, fits: (count: number) => boolean): number {
  let [fitting, exceeding] = [0, maximum + 1];
  while (exceeding - fitting > 1) {
    const middle = Math.floor((fitting + exceeding) / 2);
    if (fits(middle)) fitting = middle;
    else exceeding = middle;
  }
  return fitting;
}

/** What happens to a rollout that cannot have all new groups at once. */
interface GroupRuns {
  /** The run, if it is certain whether it finishes. */
  readonly run?: LimitedRun;
  /** Why it is not certain. */
  readonly because?: string;
}

/** Runs a rollout of equal groups with the fewest and with the most new groups that may run next to each number of old ones. */
function runGroups(groups: FewerGroups, outcomeOf: (row: SetRow) => RowOutcome, setLimits: readonly SetLimit[]): GroupRuns | undefined {
  const {
    perGroup,
    limits: { replicas, surge },
  } = groups;
  if (replicas > MAX_GROUPS) return undefined;
  const toPods = (count: number) => perGroup.map((pods) => count * pods);
  const withPlaced = (isEnough: (outcome: PlacementOutcome) => boolean): RunLimits => {
    const fits = (old: number, next: readonly number[]) => isEnough(outcomeOf({ old: toPods(old), next }).outcome);
    const placed = (old: number) => findLargest(replicas + surge, (next) => fits(old, toPods(next)));
    const startedLeaders = (old: number) => {
      const complete = toPods(placed(old));
      const count = placed(old);
      return count + findLargest(replicas + surge - count, (more) => fits(old, complete.with(0, complete[0]! + more)));
    };
    return {
      admitted: (old) => countAdmittedGroups(setLimits, perGroup, old),
      placed,
      startedLeaders,
      podsAt: (old, next) => old * sum(perGroup) + countAdmittedGroupPods(setLimits, perGroup, old, next),
    };
  };
  const certain = withPlaced((outcome) => outcome === 'every');
  const worst = groups.runWithin(certain, true);
  if (!worst || worst.isFinished) return worst && { run: worst };
  const best = groups.runWithin(
    withPlaced((outcome) => outcome !== 'none'),
    false,
  )!;
  if (!best.isFinished) return { run: best };
  return { because: groups.runWithin(certain, false)!.isFinished ? GROUP_ORDER : PLACEMENT };
}

/** Counts the pods that run at once: all of a run that finishes, and those of ready groups in the end of any other. */
function countPodsThatRun({ isFinished, peakPods, ready, old }: LimitedRun, { perGroup }: FewerGroups): number {
  return isFinished ? peakPods : (ready + old) * sum(perGroup);
}

/** Returns the wave at which a run stops. */
function deadlockWaveOf({ simulation }: LimitedRun): number {
  return (simulation as { readonly halted?: { readonly wave: number } }).halted?.wave ?? 1;
}

/** Returns the outcome of a rollout whose rows do not all fit. Returns undefined if it is not certain. */
function findCertainOutcome(
  rollout: SetRollout,
  failing: number,
  failed: RowOutcome,
  runs: GroupRuns | undefined,
): CapacityOutcome | undefined {
  if (!runs) return failed.outcome === 'none' && !rollout.groups ? rollout.outcomeAt(failing) : undefined;
  const { run } = runs;
  if (!run) return undefined;
  return run.isFinished ? { verdict: 'slower', iterations: run.startingRows } : { verdict: 'deadlocks', deadlockWave: deadlockWaveOf(run) };
}

/** Returns the evaluation of a rollout whose new pods are refused, with the rows that happen. */
function withRefusedPods(base: CapacityEvaluation, { podSets, groups }: SetRollout, limits: PlanLimits): CapacityEvaluation {
  const leaders = podSets[0]!;
  const isLeaderRefused = limits.resourcesOf(leaders).some(({ rejection }) => rejection);
  const run = groups?.runWithin(isLeaderRefused ? REFUSED : { ...REFUSED, admitted: () => Infinity }, false);
  return run ? { ...base, verdict: { ...base.verdict, deadlockWave: deadlockWaveOf(run) }, simulation: run.simulation } : base;
}

/** Counts the new pods of each set that quotas admit in a row, those of the first sets first. */
function countAdmittedPods(setLimits: readonly SetLimit[], before: SetRow, row: SetRow): number[] {
  const quotas = setLimits.filter(({ limit }) => limit.refusesPods);
  return row.next.reduce(
    (admitted, pods, set) => {
      const withPods = (count: number) => admitted.with(set, count);
      const least = Math.min(pods, before.next[set]!);
      return withPods(least + findLargest(pods - least, (more) => !findExceeded(quotas, { ...row, next: withPods(least + more) })));
    },
    [...before.next],
  );
}

/** Evaluates a rollout of several pod sets while no other rollout of the change runs. */
function evaluateSetsAlone(rollout: SetRollout, base: CapacityEvaluation, limits: PlanLimits): CapacityEvaluation {
  const { podSets, rows, groups } = rollout;
  const [first] = rows;
  if (base.rejection) return base.verdict.verdict === 'deadlocks' ? withRefusedPods(base, rollout, limits) : base;
  if (first === undefined || podSets.some(({ countOnly }) => countOnly)) return base;
  const setLimits = resolveSetLimits(podSets, limits);
  const { next } = rows.at(-1)!;
  const exceedsLimit = () => findExceeded(setLimits, { old: next.map(() => 0), next }) !== undefined;
  const undecidedBase = () => podSets.reduce((evaluation, podSet) => withUndecidedOldPods(podSet, evaluation, exceedsLimit), base);
  const isScaled = podSets.some(
    ({ running, replicas }, index) => (running !== undefined && running !== replicas) || first.old[index] !== replicas,
  );
  const { surroundings } = limits;
  const hasNodes = surroundings !== undefined && surroundings.pools.length > 0;
  const isConstrained = podSets.some(
    ({ template, oldTemplate }) => hasPodConstraints(template.spec) || hasPodConstraints(oldTemplate?.spec),
  );
  if (isScaled || (hasNodes && isConstrained)) return undecidedBase();
  const nodes = hasNodes ? new SetNodes(rollout, surroundings) : undefined;
  if (nodes?.isSteady() === false) return undecidedBase();
  const outcomeOf = createRowDecider(nodes, setLimits, limits);
  const outcomes = rows.map(outcomeOf);
  const { peakPods } = base.verdict;
  const excluded = hasNodes && podSets.some((podSet) => isExcludedByOthers(podSet, surroundings)) ? ['podAntiAffinity'] : [];
  const unmodelled = [...new Set([...findUnmodelledConstraints(podSets), ...excluded])];
  const failing = outcomes.findIndex(({ outcome }) => outcome !== 'every');
  if (failing < 0) {
    if (base.verdict.verdict === 'fits' && unmodelled.length === 0) return base;
    return {
      verdict: buildFittingResult(peakPods, peakPods, unmodelled),
      delay: { ...base.delay, deadlocks: false, podsWithRoom: peakPods },
    };
  }
  const failed = outcomes[failing]!;
  const runs = groups && runGroups(groups, outcomeOf, setLimits);
  const before = rows[Math.max(0, failing - 1)]!;
  const podsThatFit = Math.min(peakPods, runs?.run ? countPodsThatRun(runs.run, groups!) : sum(before.old) + sum(before.next));
  if (groups && !runs && failed.outcome === 'none') return undecidedBase();
  const certain = findCertainOutcome(rollout, failing, failed, runs);
  const mayHelp = failed.lacksNodes
    ? [
        ...(podSets.some((podSet) => canPreemptFor(podSet, surroundings!)) ? [PREEMPTION] : []),
        ...podSets.flatMap((podSet) => listNodeProvisioners(podSet, surroundings!.context, limits.cache)),
        ...podSets.flatMap((podSet) => listExtendedResourceClasses(computePodFootprint(podSet.template.spec), surroundings!.context)),
      ]
    : [];
  const because = [...new Set([...(certain ? [] : [runs?.because ?? PLACEMENT]), ...mayHelp, ...(certain ? [] : unmodelled)])];
  if (!certain || because.length > 0) {
    const verdict: CapacityResult = {
      verdict: 'may-not-fit',
      peakPods,
      podsThatFit,
      because,
      message: `May not fit: its peak is ${peakPods} pods. This depends on ${because.join(', ')}.`,
    };
    return { verdict, delay: { deadlocks: false, podsWithRoom: peakPods, podsAdmitted: Infinity } };
  }
  const isRefused = certain.verdict === 'deadlocks' && !groups && !failed.lacksNodes;
  const simulation = {
    ...(runs?.run && { simulation: runs.run.simulation }),
    ...(isRefused && { admittedPods: countAdmittedPods(setLimits, before, rows[failing]!) }),
  };
  if (certain.verdict === base.verdict.verdict && certain.deadlockWave === base.verdict.deadlockWave) {
    const { iterations } = certain;
    const ended = runs?.run?.isFinished === false && { podsThatFit };
    return { ...base, verdict: { ...base.verdict, ...ended, ...(iterations !== undefined && { iterations }) }, ...simulation };
  }
  const deadlocks = certain.verdict === 'deadlocks';
  const shortage = base.verdict.shortage ?? failed.shortage!;
  const text = deadlocks
    ? rollout.formatDeadlock(certain.deadlockWave ?? Math.max(1, failing))
    : `takes ${certain.iterations ?? rows.length} waves, with fewer groups at once`;
  return {
    verdict: { ...certain, peakPods, podsThatFit, shortage, message: formatOutcome(text, shortage, undefined) },
    delay: {
      ...base.delay,
      deadlocks,
      podsWithRoom: podsThatFit,
      ...(certain.iterations !== undefined && { iterations: certain.iterations }),
    },
    ...simulation,
  };
}

/**
 * Returns the evaluation of a rollout of several pod sets whose old pods keep their own requests and nodes. Returns the given one if it does
 * not start from a steady state.
 */
export function evaluateSetsExactly(rollout: SetRollout, base: CapacityEvaluation, limits: PlanLimits): CapacityEvaluation {
  return evaluateSetsNextToOthers(rollout, evaluateSetsAlone(rollout, base, limits), limits);
}
