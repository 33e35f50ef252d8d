import { getFieldsAt, getListAt } from '../../../core/manifest/manifest';
import { getDeadlockWave } from '../../rollout/limited-run';
import type { CapacityResult } from '../../../core/document/capacity-result';
import type { FewerGroups } from '../../rollout/pod-groups';
import type { CapacityOutcome } from '../../rollout/pod-rollout';
import { buildUncertainEvaluation } from '../capacity-evaluation';
import type { CapacityEvaluation } from '../capacity-evaluation';
import { PLACEMENT } from '../exact/format-uncertainty';
import { withUndecidedOldPods } from '../exact/old-pods';
import { buildPodSlotShortage } from '../nodes/node-shortage';
import { buildPortMarks } from '../nodes/scheduling';
import type { PlanLimits } from '../plan-limits';
import { buildResourceShortage, buildFittingResult, formatOutcome, listFurtherShortages } from '../shortage';
import { evaluateNextToLowered } from '../surroundings/evictions';
import { listHelp } from '../surroundings/node-help';
import { listConstraintsBeyondNumbers } from '../surroundings/uncounted-constraints';
import { evaluateByRowCount } from './count-rows';
import { countPodsThatRun, findBestRun, runGroups, withGroupsInQuotas, withRefusedPods, withRowsOf } from './group-runs';
import type { GroupRuns, RowOutcome } from './group-runs';
import { computePeaks, findExceeded, resolveSetLimits } from './set-limits';
import type { SetLimit } from './set-limits';
import { SetNodes } from './set-nodes';
import { findLargest } from '../../../core/values/find-largest';
import { sum } from './set-rollout';
import type { SetRow, SetRollout } from './set-rollout';
import { evaluateSetsNextToOthers } from './sets-next-to-others';
import { withOthersOnUnknownNodes } from './sets-on-other-nodes';

/** Reports whether the pods have constraints that concern pods of other nodes or of the same node. */
function hasPodConstraints(podSpec: unknown): boolean {
  const required = ['podAffinity', 'podAntiAffinity'].some(
    (kind) => getListAt(getFieldsAt(podSpec, 'affinity'), kind, 'requiredDuringSchedulingIgnoredDuringExecution').length > 0,
  );
  return required || getListAt(podSpec, 'resourceClaims').length > 0 || buildPortMarks(podSpec).avoids.length > 0;
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
  return run.isFinished
    ? { verdict: 'slower', iterations: run.startingRows }
    : { verdict: 'deadlocks', deadlockWave: getDeadlockWave(run) };
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

/** A rollout of several pod sets with everything that its outcome follows from. */
interface ExactSets {
  readonly rollout: SetRollout;
  readonly limits: PlanLimits;
  readonly setLimits: readonly SetLimit[];
  readonly outcomeOf: (row: SetRow) => RowOutcome;
  /** What the input does not decide, although there is room. */
  readonly unmodelled: readonly string[];
}

/** Resolves what the outcome follows from. Returns undefined if it does not start from a steady state, or pods constrain other pods. */
function resolveExactSets(rollout: SetRollout, setLimits: readonly SetLimit[], limits: PlanLimits): ExactSets | undefined {
  const { podSets, rows, groups } = rollout;
  // A second cluster may have other numbers of pods than the first one.
  const isScaled = podSets.some(
    ({ replicas, running = replicas }, index) => (groups && running !== replicas) || rows[0]!.old[index] !== running,
  );
  const surroundings = limits.surroundings?.pools.length ? limits.surroundings : undefined;
  const isConstrained = podSets.some(
    ({ template, oldTemplate }) => hasPodConstraints(template.spec) || hasPodConstraints(oldTemplate?.spec),
  );
  if (isScaled || (surroundings && isConstrained)) return undefined;
  const nodes = surroundings && new SetNodes(rollout, surroundings);
  if (nodes?.isSteady() === false) return undefined;
  const unmodelled = listConstraintsBeyondNumbers(podSets, surroundings);
  return { rollout, limits, setLimits, outcomeOf: createRowDecider(nodes, setLimits, limits), unmodelled };
}

/** The first row that does not fit for certain, and what follows from it. */
interface FailingRow {
  readonly index: number;
  readonly failed: RowOutcome;
  readonly runs: GroupRuns | undefined;
  readonly certain: CapacityOutcome;
  readonly podsThatFit: number;
}

/** Returns the fewest and the most pods of complete new groups that run in the end, if the rollout does not finish. */
function formatGroupRange(
  { run, fewestReady }: GroupRuns,
  { perGroup }: FewerGroups,
): Pick<CapacityResult, 'newPodsAtLeast' | 'newPodsAtMost'> {
  if (!run || fewestReady === undefined) return {};
  return { newPodsAtLeast: fewestReady * sum(perGroup), newPodsAtMost: run.ready * sum(perGroup) };
}

/** Builds the evaluation of a rollout that certainly lacks capacity, with the rows that happen if they are known. */
function buildShortEvaluation(
  { rollout, setLimits }: ExactSets,
  { index, failed, runs, certain, podsThatFit }: FailingRow,
  base: CapacityEvaluation,
): CapacityEvaluation {
  const { rows, groups } = rollout;
  const { peakPods } = base.verdict;
  const { deadlockWave, iterations } = certain;
  const deadlocks = certain.verdict === 'deadlocks';
  const isRefused = deadlocks && !groups && !failed.lacksNodes;
  const shortage = base.verdict.shortage ?? failed.shortage!;
  const range = groups && runs ? formatGroupRange(runs, groups) : {};
  const further = deadlocks ? listFurtherShortages(computePeaks(setLimits, rows), shortage) : [];
  const details = {
    ...(further.length > 0 && { furtherShortages: further }),
    ...(runs?.run && { simulation: runs.run.simulation }),
    ...(isRefused && { admittedPods: countAdmittedPods(setLimits, rows[Math.max(0, index - 1)]!, rows[index]!) }),
  };
  if (certain.verdict === base.verdict.verdict && deadlockWave === base.verdict.deadlockWave) {
    const ended = runs?.run?.isFinished === false && { podsThatFit };
    return { ...base, verdict: { ...base.verdict, ...ended, ...range, ...(iterations !== undefined && { iterations }) }, ...details };
  }
  const message = formatOutcome(rollout.describeOutcome(certain, index), shortage, undefined);
  return {
    verdict: { ...certain, peakPods, podsThatFit, ...range, shortage, message },
    delay: { ...base.delay, deadlocks, podsWithRoom: podsThatFit, ...(iterations !== undefined && { iterations }) },
    ...details,
  };
}

/** Evaluates a rollout by what is left for its new pods at each row. Returns undefined if that does not decide it. */
function evaluateExactSets(exact: ExactSets, base: CapacityEvaluation): CapacityEvaluation | undefined {
  const { rollout, limits, setLimits, outcomeOf, unmodelled } = exact;
  const { podSets, rows, groups } = rollout;
  const { peakPods } = base.verdict;
  const outcomes = rows.map(outcomeOf);
  const index = outcomes.findIndex(({ outcome }) => outcome !== 'every');
  if (index < 0) {
    const delay = { ...base.delay, deadlocks: false, podsWithRoom: peakPods };
    return { verdict: buildFittingResult(peakPods, peakPods, unmodelled), delay };
  }
  const failed = outcomes[index]!;
  const runs = groups && runGroups(groups, outcomeOf, setLimits);
  if (groups && !runs && failed.outcome === 'none') return undefined;
  const before = rows[Math.max(0, index - 1)]!;
  const podsThatFit = Math.min(peakPods, runs?.run ? countPodsThatRun(runs.run, groups!) : sum(before.old) + sum(before.next));
  const certain = findCertainOutcome(rollout, index, failed, runs);
  const help = failed.lacksNodes ? listHelp(podSets, limits.surroundings) : [];
  if (certain && help.length === 0) return buildShortEvaluation(exact, { index, failed, runs, certain, podsThatFit }, base);
  const because = [...new Set([...(certain ? [] : [runs?.because ?? PLACEMENT]), ...help, ...(certain ? [] : unmodelled)])];
  const best = groups && findBestRun(groups, runs, setLimits);
  const message = `May not fit: its peak is ${best?.peakPods ?? peakPods} pods. This depends on ${because.join(', ')}.`;
  return withRowsOf(best, buildUncertainEvaluation({ peakPods, podsThatFit, because, message }));
}

/** Evaluates a rollout of several pod sets while no other rollout of the change runs. */
function evaluateSetsAlone(rollout: SetRollout, limits: PlanLimits): CapacityEvaluation | undefined {
  const base = evaluateByRowCount(rollout, limits);
  if (!base) return undefined;
  const { podSets, rows, groups } = rollout;
  if (base.rejection) return base.verdict.verdict === 'deadlocks' ? withRefusedPods(base, rollout, limits) : base;
  if (podSets.some(({ countOnly }) => countOnly)) return base;
  const setLimits = resolveSetLimits(podSets, limits);
  const exact = resolveExactSets(rollout, setLimits, limits);
  const evaluation = exact && evaluateExactSets(exact, base);
  if (evaluation) return evaluation;
  const { next } = rows.at(-1)!;
  const exceedsLimit = () => findExceeded(setLimits, { old: next.map(() => 0), next }) !== undefined;
  const counted = podSets.reduce((undecided, podSet) => withUndecidedOldPods(podSet, undecided, exceedsLimit), base);
  return groups ? withGroupsInQuotas(counted, groups, setLimits) : counted;
}

/**
 * Evaluates a rollout of several pod sets, whose old pods keep their own requests and nodes. Returns undefined if nothing limits it. From an
 * unsteady state only the numbers of pods are compared.
 */
export function evaluateSets(rollout: SetRollout, limits: PlanLimits): CapacityEvaluation | undefined {
  const alone = evaluateSetsAlone(rollout, limits);
  if (!alone) return undefined;
  const anywhere = withOthersOnUnknownNodes(rollout, alone, limits, evaluateSetsAlone);
  const evaluation = evaluateSetsNextToOthers(rollout, anywhere, limits);
  return evaluateNextToLowered(evaluation, rollout.podSets, limits.surroundings) ?? evaluation;
}
