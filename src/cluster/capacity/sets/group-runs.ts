import type { Shortage } from '../../../core/document/capacity-result';
import { getDeadlockWave, REFUSED } from '../../rollout/limited-run';
import type { LimitedRun, RunLimits } from '../../rollout/limited-run';
import type { FewerGroups } from '../../rollout/pod-groups';
import type { CapacityEvaluation } from '../capacity-evaluation';
import { PLACEMENT } from '../exact/format-uncertainty';
import type { PlanLimits } from '../plan-limits';
import { countAdmittedGroupPods, countAdmittedGroups } from './set-limits';
import type { SetLimit } from './set-limits';
import type { PlacementOutcome } from './decide-sets';
import { findLargest } from '../../../core/values/find-largest';
import { sum } from './set-rollout';
import type { SetRollout, SetRow } from './set-rollout';

/** The reason if the pods of several groups compete for the same capacity. */
export const GROUP_ORDER = 'which pods of new groups start first';

/** Maximum number of groups of a rollout that is simulated under limits. */
const MAX_GROUPS = 200;

/** What a row finds. */
export interface RowOutcome {
  readonly outcome: PlacementOutcome;
  readonly shortage?: Shortage;
  /** Whether nodes are lacking, and no quota. */
  readonly lacksNodes: boolean;
}

/** What happens to a rollout that cannot have all new groups at once. */
export interface GroupRuns {
  /** The run, if it is certain whether it finishes. */
  readonly run?: LimitedRun;
  /** Fewest new groups that run in the end, if the run does not finish. */
  readonly fewestReady?: number;
  /** The run with the most new groups, if it is not certain. */
  readonly best?: LimitedRun;
  /** Why it is not certain. */
  readonly because?: string;
}

/** Resolves what quotas admit of the groups, and of the pods in them. */
function resolveQuotas({ perGroup }: FewerGroups, setLimits: readonly SetLimit[]): Pick<RunLimits, 'admitted' | 'podsAt'> {
  return {
    admitted: (old) => countAdmittedGroups(setLimits, perGroup, old),
    podsAt: (old, next) => old * sum(perGroup) + countAdmittedGroupPods(setLimits, perGroup, old, next),
  };
}

/** Runs a rollout of equal groups with the fewest and with the most new groups that may run next to each number of old ones. */
export function runGroups(
  groups: FewerGroups,
  outcomeOf: (row: SetRow) => RowOutcome,
  setLimits: readonly SetLimit[],
): GroupRuns | undefined {
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
    return { ...resolveQuotas(groups, setLimits), placed, startedLeaders };
  };
  const certain = withPlaced((outcome) => outcome === 'every');
  const worst = groups.runWithin(certain, true);
  if (!worst || worst.isFinished) return worst && { run: worst };
  const best = groups.runWithin(
    withPlaced((outcome) => outcome !== 'none'),
    false,
  )!;
  if (!best.isFinished) return { run: best, fewestReady: Math.min(worst.ready, best.ready) };
  return { best, because: groups.runWithin(certain, false)!.isFinished ? GROUP_ORDER : PLACEMENT };
}

/** Counts the pods that run at once: all of a run that finishes, and those of ready groups in the end of any other. */
export function countPodsThatRun({ isFinished, peakPods, ready, old }: LimitedRun, { perGroup }: FewerGroups): number {
  return isFinished ? peakPods : (ready + old) * sum(perGroup);
}

/** Returns the run of a rollout that may not fit, if everything else goes well: only quotas limit it for certain. */
export function findBestRun(groups: FewerGroups, runs: GroupRuns | undefined, setLimits: readonly SetLimit[]): LimitedRun | undefined {
  const known = runs?.best ?? runs?.run;
  const best = known?.isFinished ? known : groups.runWithin({ ...resolveQuotas(groups, setLimits), placed: () => Infinity }, false);
  return best?.isFinished ? best : undefined;
}

/** Returns an evaluation that may not fit with the rows of a run, if they differ from those without limits. */
export function withRowsOf(run: LimitedRun | undefined, evaluation: CapacityEvaluation): CapacityEvaluation {
  if (!run || run.isUnlimited) return evaluation;
  return { ...evaluation, delay: { ...evaluation.delay, iterations: run.startingRows }, simulation: run.simulation };
}

/** Returns the evaluation of a rollout whose new pods are refused, with the rows that happen. */
export function withRefusedPods(base: CapacityEvaluation, { podSets, groups }: SetRollout, limits: PlanLimits): CapacityEvaluation {
  const leaders = podSets[0]!;
  const isLeaderRefused = limits.resourcesOf(leaders).some(({ rejection }) => rejection);
  const run = groups?.runWithin(isLeaderRefused ? REFUSED : { ...REFUSED, admitted: () => Infinity }, false);
  return run ? { ...base, verdict: { ...base.verdict, deadlockWave: getDeadlockWave(run) }, simulation: run.simulation } : base;
}

/** Returns the evaluation of a rollout by numbers of pods, with the rows that happen: groups that quotas refuse do not exist. */
export function withGroupsInQuotas(base: CapacityEvaluation, groups: FewerGroups, setLimits: readonly SetLimit[]): CapacityEvaluation {
  const { verdict, deadlockWave, podsThatFit } = base.verdict;
  if (base.simulation || groups.limits.replicas > MAX_GROUPS) return base;
  if (verdict === 'may-not-fit') return withRowsOf(findBestRun(groups, undefined, setLimits), base);
  if (verdict !== 'deadlocks') return base;
  const groupsThatFit = Math.floor(podsThatFit / sum(groups.perGroup));
  const run = groups.runWithin({ ...resolveQuotas(groups, setLimits), placed: (old) => Math.max(0, groupsThatFit - old) }, false);
  return run && !run.isFinished && getDeadlockWave(run) === deadlockWave ? { ...base, simulation: run.simulation } : base;
}
