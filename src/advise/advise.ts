import { findMax } from '../core/values/min-max';
import type {
  AdvisedRollout,
  AdviceAssumptions,
  AdviceDocument,
  Candidate,
  RolloutGoal,
  RolloutWithoutAdvice,
  StrategyEdit,
} from '../core/document/advice';
import type { PlanDocument } from '../core/document/plan-document';
import type { PlannedRollout } from '../core/document/rollout';
import { checkTime, Deadline, DeadlineError } from '../core/budget/deadline';
import { ASSUMED_STARTUP_SECONDS, parseStartupSeconds, startupAnnotationOf } from '../core/values/startup-seconds';
import { getValueAt, isFields } from '../core/manifest/manifest';
import { pluralize } from '../core/text/text-format';
import type { Fields } from '../core/manifest/manifest';
import { selectVisibleRows } from '../core/simulations/row-limit';
import { computePodAmounts } from '../cluster/capacity/pod-requests';
import type { RolloutTrial } from '../cluster/rollout/rollout-trial';
import { planInput } from '../plan/plan';
import { resolvePlanBudget } from '../plan/plan-budget';
import type { PlanInput } from '../plan/plan-input';
import type { PlanOptions } from '../plan/plan-options';
import type { RolloutWithObject } from '../plan/plan-input';
import { OptionError } from '../core/errors/option-error';
import { normalizeObjects } from '../input/normalize-objects';
import { readPropsMapOf } from '../input/read-props';
import { PLAN_OPTIONS, validateOptions, wrapAsOptionError } from '../plan/validate-options';
import { createConstraints, explainUnmet, isWithinAll } from './constraints';
import { DOUBTS, isLimitedRun, StrategyEvaluator, toCandidate } from './evaluate';
import type { EvaluatedStrategy, FittingRuns } from './evaluate';
import { compareByPreference, findPreferred, hasSameFigures, isBetter, isNowhereWorse, selectFront } from './front';
import { GoalError, hasLimits, preferenceOf, validateGoal } from './goal';
import { searchBestLimits } from './search';
import { createStrategySpace } from './strategy-space';
import type { StrategySpace } from './strategy-space';

/** Strategies that were tried. */
interface Trials {
  /** Strategies that differ in at least one run. */
  readonly strategies: readonly EvaluatedStrategy[];
  readonly tried: number;
  readonly isComplete: boolean;
}

function isZero(value: unknown): boolean {
  return value === 0;
}

/** Returns a number that is the same for two strategies with the same runs. */
function identifyRuns({ figures }: EvaluatedStrategy): number {
  return figures.reduce((key, { id }) => key * MAX_RUNS + id, 0);
}

/** Larger than the number of runs for one number of replicas. Three of them are below 2 to the power of 53. */
const MAX_RUNS = 200_000;

/**
 * Evaluates every strategy that differs in effect. If there are too many, those with round limits and the best one for the goal.
 *
 * For a Deployment whose old and new pods are alike, a surge is not increased further once its pods fit for no number of replicas: with the same
 * unavailable pods, a larger surge never finishes earlier, because no more pods run at once.
 */
function tryStrategies(evaluator: StrategyEvaluator, space: StrategySpace): Trials {
  const { surges, unavailables, isComplete } = evaluator.listAxes();
  const byRuns = new Map<number, EvaluatedStrategy>();
  const isBeyond = ({ figures }: EvaluatedStrategy) => evaluator.stopsAtLimit && figures.every(isLimitedRun);
  let tried = space.others.length;
  for (const unavailable of unavailables) {
    let isBeyondLimit = false;
    for (const surge of surges) {
      const isRefused = isZero(surge.value) && isZero(unavailable.value);
      if (isRefused || (space.isExclusive && !isZero(surge.value) && !isZero(unavailable.value))) continue;
      tried++;
      checkTime();
      if (isBeyondLimit) continue;
      const evaluated = evaluator.evaluateLimits(surge, unavailable);
      const key = identifyRuns(evaluated);
      if (!byRuns.has(key)) byRuns.set(key, evaluated);
      isBeyondLimit = isBeyond(evaluated);
    }
  }
  const others = space.others.map((strategy) => evaluator.evaluate(strategy));
  const strategies = [...byRuns.values(), ...others];
  return { strategies: evaluator.dependsOnOtherNodes ? searchUndecided(strategies, evaluator) : strategies, tried, isComplete };
}

function hasDoubt({ figures }: EvaluatedStrategy): boolean {
  return figures.some(({ metrics }) => metrics.doubt > 0);
}

/** Returns a strategy as it would be if its pods fit. */
function withoutDoubt({ strategy, figures }: EvaluatedStrategy): EvaluatedStrategy {
  return { strategy, figures: figures.map((run) => ({ ...run, metrics: { ...run.metrics, doubt: DOUBTS.fits } })) };
}

/**
 * Searches the placements of the strategies that are undecided, the fastest first. One that would not be better
 * than a strategy that fits is left out, because a search changes its verdict only.
 */
function searchUndecided(strategies: readonly EvaluatedStrategy[], evaluator: StrategyEvaluator): EvaluatedStrategy[] {
  const fitting = strategies.filter((evaluated) => !hasDoubt(evaluated));
  const isUndecided = ({ figures }: EvaluatedStrategy) => figures.some(({ figures: { verdict } }) => verdict === 'may-not-fit');
  const undecided = strategies.filter(isUndecided).map((evaluated) => ({ evaluated, ifFitting: withoutDoubt(evaluated) }));
  const compare = compareByPreference('fast');
  const searched = new Map<EvaluatedStrategy, EvaluatedStrategy>();
  for (const { evaluated, ifFitting } of undecided.toSorted((a, b) => compare(a.ifFitting, b.ifFitting))) {
    if (fitting.some((other) => isNowhereWorse(other, ifFitting))) continue;
    const result = evaluator.evaluate(evaluated.strategy);
    searched.set(evaluated, result);
    if (!hasDoubt(result)) fitting.push(result);
  }
  return strategies.map((evaluated) => searched.get(evaluated) ?? evaluated);
}

/** Adds the best strategy for a goal, if not all strategies were tried. */
function withSearchedBest(
  trials: Trials,
  evaluator: StrategyEvaluator,
  space: StrategySpace,
  goal: RolloutGoal,
  budgetPods: number,
): Trials {
  if (trials.isComplete || !space.isMonotone || evaluator.sizes.length > 1) return trials;
  const best = searchBestLimits(evaluator, goal, preferenceOf(goal), budgetPods);
  return best ? { ...trials, strategies: [...trials.strategies, best] } : trials;
}

/** Trials of rollouts whose pods always fit, by what their figures depend on. */
type TrialCache = Map<string, Trials & { readonly front: readonly EvaluatedStrategy[] }>;

/**
 * Returns what the figures of a Deployment whose pods always fit depend on: replicas, GPUs, and the times of a pod, which follow from the runs of
 * two strategies. Returns undefined for any other rollout.
 */
function buildCacheKey(trial: RolloutTrial, space: StrategySpace, evaluator: StrategyEvaluator): string | undefined {
  const { sizes, gpus } = evaluator;
  if (!space.isMonotone || sizes[0] === 0 || !evaluator.alwaysFits()) return undefined;
  const probes = [space.build(1, 0), ...space.others].map((strategy) => trial.run(strategy, sizes[0]!).duration);
  return JSON.stringify([
    sizes,
    gpus,
    ...probes.map((duration) => [duration?.startupSeconds, duration?.lowerBoundSeconds, duration?.expectedSeconds]),
  ]);
}

/** Replicas of the runs that show the times of a pod. */
const PROBED_REPLICAS = 2;

/** Returns the runs of the Deployments with the same times of a pod and the same requests. Returns undefined for any other rollout. */
function findFittingRuns(trial: RolloutTrial, space: StrategySpace, known: Map<string, FittingRuns>): FittingRuns | undefined {
  if (!space.isMonotone || !trial.hasInterchangeablePods) return undefined;
  const probes = [space.build(1, 0), ...space.others].map((strategy) => trial.run(strategy, PROBED_REPLICAS));
  if (probes.some(({ capacity }) => capacity !== undefined && capacity.verdict !== 'fits')) return undefined;
  const times = probes.map(({ duration }) => [duration?.startupSeconds, duration?.lowerBoundSeconds, duration?.expectedSeconds]);
  const gpus = trial.unit.map(({ template }) => [...computePodAmounts(template.spec, 'requests')].filter(([name]) => name.endsWith('gpu')));
  const key = JSON.stringify([times, gpus.map((amounts) => amounts.map(([name, amount]) => [name, String(amount)]))]);
  const runs = known.get(key) ?? new Map();
  known.set(key, runs);
  return runs;
}

/** Tries the strategies of a rollout, or returns those of a rollout with the same figures. */
function tryCachedStrategies(trial: RolloutTrial, space: StrategySpace, evaluator: StrategyEvaluator, cache: TrialCache) {
  const key = buildCacheKey(trial, space, evaluator);
  const known = key === undefined ? undefined : cache.get(key);
  if (known) return known;
  const trials = tryStrategies(evaluator, space);
  const computed = { ...trials, front: selectFront(trials.strategies) };
  if (key !== undefined) cache.set(key, computed);
  return computed;
}

/** Returns the strategy to recommend: the present one if no other is better. */
function chooseBest(
  meeting: readonly EvaluatedStrategy[],
  current: EvaluatedStrategy,
  isCurrentMeeting: boolean,
  goal: RolloutGoal,
): EvaluatedStrategy | undefined {
  if (hasLimits(goal)) {
    const best = findPreferred(meeting, preferenceOf(goal));
    return best && isCurrentMeeting && hasSameFigures(best, current) ? current : best;
  }
  const isStuck = current.figures[0]!.metrics.doubt === DOUBTS.deadlocks;
  return findPreferred(isStuck ? meeting : meeting.filter((strategy) => isBetter(strategy, current)), preferenceOf(goal));
}

export function listSizes(replicas: number, range: RolloutTrial['range']): number[] {
  return [...new Set([replicas, ...(range ? [range.minimum, range.maximum] : [])])].filter((size, index) => index === 0 || size > 0);
}

/** Returns the number of pods, nodes or groups that a rollout is planned with. Returns undefined if nothing is simulated pod by pod. */
export function countReplicas({ simulation }: PlannedRollout): number | undefined {
  if (simulation === null) return undefined;
  if (simulation.kind === 'daemonset') return simulation.nodes;
  return 'replicas' in simulation ? simulation.replicas : undefined;
}

/** Describes what the figures of a rollout assume. Returns undefined if they assume nothing. */
function describeAssumptions(
  { unit, unread, unasked }: RolloutTrial,
  { capacity }: PlannedRollout,
  { isStartupAssumed, limitsNoGpus }: { readonly isStartupAssumed: boolean; readonly limitsNoGpus: boolean },
): AdviceAssumptions | undefined {
  const isAnnotated = unit.every(
    ({ template }) => parseStartupSeconds(startupAnnotationOf(getValueAt(template, 'metadata'))) !== undefined,
  );
  const assumed: AdviceAssumptions = {
    ...(isStartupAssumed && !isAnnotated && { startupSeconds: ASSUMED_STARTUP_SECONDS }),
    ...(capacity === undefined && !unread && !unasked && { unlimitedCapacity: true }),
    ...(unread && { unread }),
    ...(unasked && { unasked }),
    ...(limitsNoGpus && { withoutGpus: true }),
  };
  return Object.keys(assumed).length === 0 ? undefined : assumed;
}

function explainMissingAdvice({ simulation, strategy, system }: PlannedRollout): string {
  if (strategy === null && simulation === null) return 'It is refused, or nothing rolls out; see rolloutkit plan.';
  if (simulation === null) return 'Nothing rolls out, or nothing is known of its pods; see rolloutkit plan.';
  const withoutLimits = { revision: 'Knative has no limits to choose.', rollingsync: 'An ApplicationSet has no pods of its own.' } as const;
  const known: Readonly<Record<string, string>> = withoutLimits;
  if (simulation.kind === 'deployment') return `The controller of ${system} sets its strategy, so there is none to choose.`;
  return known[simulation.kind] ?? `Its strategy is not chosen here: rolloutkit advise has no strategies of ${system} for it.`;
}

/** Writes a strategy in the terms of its object: an operator may have `rolling_update` and `max_surge`. */
export function writeStrategy(strategy: unknown, { strategyPath, names }: RolloutTrial): StrategyEdit {
  const { type, rollingUpdate, ...others } = strategy as Fields;
  if (!names || !isFields(rollingUpdate)) return { path: strategyPath, value: strategy };
  const { maxSurge, maxUnavailable, ...rest } = rollingUpdate;
  const limits = {
    ...rest,
    ...(maxSurge !== undefined && { [names.maxSurge]: maxSurge }),
    ...(maxUnavailable !== undefined && { [names.maxUnavailable]: maxUnavailable }),
  };
  return { path: strategyPath, value: names.rollingUpdate === undefined ? limits : { type, [names.rollingUpdate]: limits, ...others } };
}

/** What is the same for all rollouts of a run. */
interface AdviceRun {
  readonly kubernetes: string;
  readonly isStartupAssumed: boolean;
  readonly cache: TrialCache;
  /** Runs of Deployments whose pods fit, by the times of a pod. */
  readonly fittingRuns: Map<string, FittingRuns>;
}

/** Returns which of the numbers of replicas, after the first, are the limits of an autoscaler. */
function indexLimits(range: RolloutTrial['range'], sizes: readonly number[]) {
  const indexOf = (size: number | undefined) => {
    const index = size === undefined ? -1 : sizes.indexOf(size);
    return index > 0 ? index : undefined;
  };
  const [minimum, maximum] = [indexOf(range?.minimum), indexOf(range?.maximum)];
  return { ...(minimum !== undefined && { minimum }), ...(maximum !== undefined && { maximum }) };
}

/** Advises on one rollout. Returns undefined if its strategy cannot be chosen. */
function adviseRollout(
  rollout: PlannedRollout,
  trial: RolloutTrial,
  goal: RolloutGoal,
  { kubernetes, isStartupAssumed, cache, fittingRuns }: AdviceRun,
): AdvisedRollout | undefined {
  const { simulation, strategy, resource, unit, budgets = [] } = rollout;
  const replicas = countReplicas(rollout);
  const space = simulation && createStrategySpace(simulation, strategy, kubernetes);
  if (!space || replicas === undefined) return undefined;
  const sizes = listSizes(replicas, trial.range);
  const evaluator = new StrategyEvaluator(trial, space, sizes, findFittingRuns(trial, space, fittingRuns));
  const budgetPods = findMax(
    budgets.map(({ ownDesiredHealthy }) => ownDesiredHealthy),
    0,
  );
  const current = evaluator.evaluate(strategy);
  const cached = tryCachedStrategies(trial, space, evaluator, cache);
  const { strategies, tried, isComplete } = withSearchedBest(cached, evaluator, space, goal, budgetPods);
  const constraints = createConstraints(goal, sizes, evaluator, budgets);
  const meeting = new Set([...strategies, current].filter((evaluated) => isWithinAll(evaluated, constraints)));
  const meets = (evaluated: EvaluatedStrategy) => meeting.has(evaluated);
  const best = chooseBest(strategies.filter(meets), current, meets(current), goal);

  const compare = compareByPreference(preferenceOf(goal));
  const finishing = cached.front.filter(({ figures }) => figures[0]!.figures.seconds !== null);
  const others = finishing.filter((candidate) => !best || !hasSameFigures(candidate, best)).toSorted(compare);
  const ordered = [...(best ? [best] : []), ...others.filter(meets), ...others.filter((candidate) => !meets(candidate))];
  const { rows, elided } = selectVisibleRows(ordered.length);
  const atLimits = indexLimits(trial.range, sizes);
  const show = (candidate: EvaluatedStrategy): Candidate => toCandidate(candidate, meets(candidate), atLimits, sizes);
  const limitsNoGpus = goal.extraGpus !== undefined && evaluator.hasKnownRequests && evaluator.gpus === 0;
  const assumed = describeAssumptions(trial, rollout, { isStartupAssumed, limitsNoGpus });
  return {
    resource,
    ...(unit !== undefined && { unit }),
    replicas,
    goal,
    current: show(current),
    ...(best && { best: show(best) }),
    ...(best && best !== current && { edit: writeStrategy(best.strategy, trial) }),
    front: rows.map((index) => show(ordered[index]!)),
    tried,
    ...(elided > 0 && { elided }),
    ...(!isComplete && { isPartial: true }),
    ...(hasLimits(goal) && !best && { unmet: explainUnmet(strategies, constraints, sizes) }),
    ...(assumed && { assumed }),
  };
}

/** Selects the rollouts to advise on. */
export type AdviceFilter = (rollout: PlannedRollout) => boolean;

/** Plans an input, and passes its rollouts with their trials to `onEvaluated`. */
export type AdvicePlanner = (input: PlanInput, options: PlanOptions) => Pick<PlanDocument, 'formatVersion' | 'versions' | 'findings'>;

/**
 * Advises which strategy meets a goal, for each rollout of an input: it simulates the strategies that its kind allows, under the capacity,
 * the budgets and the autoscalers in view. Every figure is that of the plan of the same manifest with that strategy.
 *
 * @throws GoalError for a goal that cannot be read
 * @throws DeadlineError if the search takes longer than the seconds of the budget
 * @throws as `planInput`
 */
export function adviseInput(
  input: PlanInput,
  options: PlanOptions = {},
  goal: RolloutGoal = {},
  isSelected: AdviceFilter = () => true,
  plan: AdvicePlanner = planInput,
): AdviceDocument {
  validateGoal(goal);
  // A value of another type is refused by the plan.
  const isStartupAssumed = options.startupSeconds === undefined || options.startupSeconds === 0;
  let evaluated: readonly RolloutWithObject[] = [];
  const onEvaluated = (rollouts: readonly RolloutWithObject[]) => (evaluated = rollouts);
  const startupSeconds = isStartupAssumed ? ASSUMED_STARTUP_SECONDS : options.startupSeconds;
  const { formatVersion, versions } = plan({ ...input, onEvaluated }, { ...options, startupSeconds });
  const run: AdviceRun = { kubernetes: versions.kubernetes, isStartupAssumed, cache: new Map(), fittingRuns: new Map() };
  const rollouts: AdvisedRollout[] = [];
  const notAdvised: RolloutWithoutAdvice[] = [];
  const deadline = new Deadline(resolvePlanBudget(options.budget).seconds);
  deadline.limit(() => {
    for (const { rollout, trial } of evaluated) {
      if (!isSelected(rollout)) continue;
      deadline.check();
      const found = trial?.();
      const advised = found && adviseRollout(rollout, found, goal, run);
      if (advised) rollouts.push(advised);
      else notAdvised.push({ resource: rollout.resource, reason: explainMissingAdvice(rollout) });
    }
  });
  return { formatVersion, versions, rollouts, notAdvised };
}

/** Reads a goal from JavaScript. @throws OptionError for a goal that cannot be read */
function readGoal(goal: RolloutGoal): RolloutGoal {
  try {
    return validateGoal(readPropsMapOf('adviseManifests', goal));
  } catch (error) {
    if (error instanceof GoalError) throw new OptionError(`adviseManifests: ${error.field} ${error.message}`);
    throw error;
  }
}

/**
 * Advises which strategy meets a goal, for Kubernetes objects given as plain data.
 *
 * @throws OptionError for a goal that cannot be read
 * @throws as `planManifests`
 *
 * @example
 * const { rollouts } = adviseManifests([deployment], { available: 6, extraGpus: 2, within: '15m' });
 * rollouts[0].best?.strategy; // { type: 'RollingUpdate', rollingUpdate: { maxSurge: 2, maxUnavailable: 2 } }
 */
export function adviseManifests(objects: readonly unknown[], goal: RolloutGoal = {}, options: PlanOptions = {}): AdviceDocument {
  const resolved = validateOptions(options, PLAN_OPTIONS);
  const wanted = readGoal(goal);
  return wrapAsOptionError(() => {
    try {
      return adviseInput(normalizeObjects(objects), resolved, wanted);
    } catch (error) {
      if (!(error instanceof DeadlineError)) throw error;
      const { seconds } = resolvePlanBudget(resolved.budget);
      throw new OptionError(`the advice takes more than ${pluralize(seconds, 'second')}; raise budget.seconds, or pass fewer objects`);
    }
  });
}
