import { findLargest } from '../core/values/find-largest';
import { addToGroup } from '../core/collections/group-by';
import type { BetterFigure } from '../cluster/rules/better-strategy';
import { createBetterStrategyFinding } from '../cluster/rules/better-strategy';
import type { RolloutTrial } from '../cluster/rollout/rollout-trial';
import { parseFieldPath } from '../core/manifest/field-path';
import type { Finding } from '../core/findings/finding';
import { getFieldsAt, getValueAt, isFields } from '../core/manifest/manifest';
import type { Fields, Manifest } from '../core/manifest/manifest';
import { withSummary } from '../core/document/plan-document';
import type { PlanDocument } from '../core/document/plan-document';
import type { PlannedRollout } from '../core/document/rollout';
import type { Simulation } from '../core/simulations/simulation';
import type { RolloutWithObject } from '../plan/plan-input';
import type { PlanInput } from '../plan/plan-input';
import { markSuppressedByAnnotation } from '../plan/suppressions';
import { DOUBTS, readPodCounts } from './evaluate';
import { listSizes, countReplicas, writeStrategy } from './advise';
import { createStrategySpace } from './strategy-space';
import type { StrategySpace } from './strategy-space';

/** Most objects of an input whose trials are kept, because each one takes memory. */
const MAX_OBJECTS = 10_000;

/** Most rollouts of an input that are compared with other strategies. A larger input is about its plan, and not about its limits. */
const MAX_ROLLOUTS = 1_000;

/** What a run shows, for one number of replicas. The time is in seconds, or in waves if the time until a pod is ready is not known. */
interface ComparedFigures {
  readonly time: number;
  readonly isInSeconds: boolean;
  readonly extraPods: number;
  readonly leastAvailable: number;
  readonly brokenByBadVersion: number;
  readonly doubt: number;
  readonly isSlower: boolean;
}

function countWaves(simulation: Simulation): number {
  if (simulation.kind === 'deployment') return simulation.iterations;
  if (simulation.kind === 'statefulset') return simulation.batches.length;
  return 'waves' in simulation && Array.isArray(simulation.waves)
    ? simulation.waves.length + ('elided' in simulation ? (simulation.elided ?? 0) : 0)
    : 0;
}

function runStrategy(trial: RolloutTrial, strategy: unknown, replicas: number): ComparedFigures {
  const { simulation, capacity, duration } = trial.run(strategy, replicas);
  const { peakPods, leastAvailable } = readPodCounts(simulation);
  const unitPods = trial.unit.reduce((sum, { pods }) => sum + pods, 0);
  return {
    time: duration === undefined ? countWaves(simulation) : (duration.expectedSeconds ?? Infinity),
    isInSeconds: duration !== undefined,
    extraPods: Math.max(0, peakPods - replicas * unitPods),
    leastAvailable,
    brokenByBadVersion: duration?.blastRadius ?? 0,
    doubt: DOUBTS[capacity?.verdict ?? (trial.isUncertain ? 'may-not-fit' : 'fits')],
    isSlower: capacity?.verdict === 'slower' || 'halted' in simulation,
  };
}

function isNowhereWorse(a: readonly ComparedFigures[], b: readonly ComparedFigures[]): boolean {
  return a.every((one, size) => {
    const other = b[size]!;
    return (
      one.time <= other.time &&
      one.extraPods <= other.extraPods &&
      one.leastAvailable >= other.leastAvailable &&
      one.brokenByBadVersion <= other.brokenByBadVersion &&
      one.doubt === 0 &&
      (!one.isSlower || other.isSlower)
    );
  });
}

/** Lists the figures that are better for the planned number of replicas. */
function listBetterFigures(present: ComparedFigures, better: ComparedFigures): BetterFigure[] {
  const compare = (figure: BetterFigure['figure'], key: 'time' | 'extraPods' | 'leastAvailable' | 'brokenByBadVersion') =>
    present[key] === better[key] ? [] : [{ figure, present: present[key], better: better[key] }];
  return [
    ...compare(present.isInSeconds ? 'seconds' : 'waves', 'time'),
    ...compare('extraPods', 'extraPods'),
    ...compare('leastAvailable', 'leastAvailable'),
    ...compare('brokenByBadVersion', 'brokenByBadVersion'),
  ];
}

/** Two limits, in pods, nodes or groups. */
interface Limits {
  readonly surge: number;
  readonly unavailable: number;
}

/** Returns the limits that the controller uses. Returns undefined if the strategy has none, or if an autoscaler changes what percentages mean. */
function readLimits({ strategy, simulation }: PlannedRollout, trial: RolloutTrial): Limits | undefined {
  const { type } = getFieldsAt({ strategy }, 'strategy');
  if (simulation === null || type === 'Recreate' || type === 'OnDelete') return undefined;
  const written = [getValueAt(strategy, 'rollingUpdate'), getValueAt(strategy, 'rollingUpdateConfiguration')].find(isFields) ?? {};
  if (trial.range && [written.maxSurge, written.maxUnavailable].some((limit) => typeof limit === 'string')) return undefined;
  if (simulation.kind === 'statefulset') return { surge: 0, unavailable: simulation.maxUnavailable };
  if (simulation.kind === 'deployment') {
    const { replicas, surge, unavailable } = simulation;
    // A surge beyond the pods that are not deleted changes nothing.
    return { surge: Math.min(surge, replicas - unavailable), unavailable };
  }
  return 'surge' in simulation && 'unavailable' in simulation
    ? { surge: simulation.surge, unavailable: simulation.unavailable }
    : undefined;
}

/** A better strategy, and what to report about it. */
interface BetterStrategy {
  readonly strategy: unknown;
  readonly limits: Limits;
  readonly figures: readonly BetterFigure[];
}

/**
 * Finds a strategy that is better in at least one figure and worse in none, for all numbers of replicas. Returns undefined if there is none.
 *
 * Only smaller limits need fewer extra pods or keep more pods available. The time never rises with a limit, so if any smaller limits are as
 * fast, then so are those with one limit that is smaller by one. If neither of both is, no strategy is better.
 */
function findBetterStrategy(
  rollout: PlannedRollout,
  trial: RolloutTrial,
  space: StrategySpace,
  sizes: readonly number[],
): BetterStrategy | undefined {
  const present = readLimits(rollout, trial);
  if (!present) return undefined;
  const evaluate = (strategy: unknown) => sizes.map((replicas) => runStrategy(trial, strategy, replicas));
  const now = evaluate(rollout.strategy);
  if (now.some(({ time, doubt }) => time === Infinity || doubt > 0)) return undefined;
  const fewest = space.hasSurge ? 0 : 1;
  const isAsGood = (surge: number, unavailable: number) =>
    surge + unavailable > 0 &&
    (space.hasSurge || surge === 0) &&
    (space.hasUnavailable || unavailable === present.unavailable) &&
    unavailable >= fewest &&
    isNowhereWorse(evaluate(space.build(surge, unavailable)), now);
  const { surge, unavailable } = present;
  const hasBetter = (unavailable > fewest && isAsGood(surge, unavailable - 1)) || (surge > 0 && isAsGood(surge - 1, unavailable));
  if (!hasBetter) return undefined;
  const leastUnavailable = unavailable - findLargest(unavailable, (less) => isAsGood(surge, unavailable - less));
  const leastSurge = surge - findLargest(surge, (less) => isAsGood(surge - less, leastUnavailable));
  const strategy = space.build(leastSurge, leastUnavailable);
  const then = evaluate(strategy);
  const figures = listBetterFigures(now[0]!, then[0]!);
  if (figures.length === 0 || !isNowhereWorse(then, now)) return undefined;
  return { strategy, limits: { surge: leastSurge, unavailable: leastUnavailable }, figures };
}

/** Returns a value with one of its fields set, at any depth. */
function withValueAt(value: unknown, [key, ...rest]: readonly (string | number)[], set: unknown): unknown {
  if (key === undefined) return set;
  if (Array.isArray(value))
    return value.map((item: unknown, index) => (String(index) === String(key) ? withValueAt(item, rest, set) : item));
  const fields: Fields = isFields(value) ? value : {};
  return { ...fields, [key]: withValueAt(fields[key], rest, set) };
}

/** A better strategy of a rollout of the plan. */
interface FoundStrategy extends BetterStrategy {
  readonly index: number;
  readonly object: Manifest;
  readonly trial: RolloutTrial;
  readonly finding: Finding;
  readonly edit: { readonly path: string; readonly value: unknown };
}

function formatLimits(
  { surge, unavailable }: Limits,
  { hasSurge, hasUnavailable, isExclusive }: StrategySpace,
  names: RolloutTrial['names'],
): string {
  const showsSurge = hasSurge && !(isExclusive && surge === 0);
  const showsUnavailable = hasUnavailable && !(isExclusive && surge > 0);
  return [
    ...(showsSurge ? [`${names?.maxSurge ?? 'maxSurge'} ${surge}`] : []),
    ...(showsUnavailable ? [`${names?.maxUnavailable ?? 'maxUnavailable'} ${unavailable}`] : []),
  ].join(', ');
}

function findForRollout({ rollout, object, trial: createTrial }: RolloutWithObject, index: number, kubernetes: string): FoundStrategy[] {
  const { simulation, strategy, findings, capacity } = rollout;
  if (simulation === null || strategy === null || findings.some(({ severity }) => severity === 'error')) return [];
  if (capacity && DOUBTS[capacity.verdict] > 0) return [];
  const space = createStrategySpace(simulation, strategy, kubernetes);
  const replicas = countReplicas(rollout);
  if (!space || replicas === undefined || replicas < 2) return [];
  const trial = createTrial?.();
  if (!trial) return [];
  const better = findBetterStrategy(rollout, trial, space, listSizes(replicas, trial.range));
  if (!better) return [];
  const edit = writeStrategy(better.strategy, trial);
  const data = { limits: formatLimits(better.limits, space, trial.names), figures: better.figures, value: edit.value };
  return [{ ...better, index, object, trial, edit, finding: createBetterStrategyFinding(trial.strategyPath, data) }];
}

/** Finds the better strategy of a rollout. Nothing is said if trying one fails, or if the time of the plan is over. */
function tryRollout(rollout: RolloutWithObject, index: number, kubernetes: string): FoundStrategy[] {
  try {
    return findForRollout(rollout, index, kubernetes);
  } catch {
    return [];
  }
}

/** Returns the objects with the better strategies. */
function withStrategies(objects: readonly Manifest[], found: readonly FoundStrategy[]): Manifest[] {
  const byObject = new Map<Manifest, FoundStrategy[]>();
  for (const each of found) addToGroup(byObject, each.object, each);
  return objects.map((object) =>
    (byObject.get(object) ?? []).reduce(
      (edited, { edit }) => withValueAt(edited, parseFieldPath(edit.path), edit.value) as Manifest,
      object,
    ),
  );
}

function listCodes({ findings }: PlannedRollout): ReadonlySet<string> {
  return new Set(findings.filter(({ suppressed }) => !suppressed).map(({ code }) => code));
}

/** Drops the strategies that lead to a finding that the present ones do not have. */
function dropHarmful(
  found: readonly FoundStrategy[],
  plan: PlanDocument,
  input: PlanInput,
  replan: (input: PlanInput) => PlanDocument,
): FoundStrategy[] {
  if (found.length === 0) return [];
  const { rollouts } = replan({ ...input, objects: withStrategies(input.objects, found) });
  if (rollouts.length !== plan.rollouts.length) return [];
  return found.filter(({ index }) => {
    const before = listCodes(plan.rollouts[index]!);
    return [...listCodes(rollouts[index]!)].every((code) => before.has(code));
  });
}

/**
 * Adds a finding to each rollout of a plan for which another strategy is strictly better. Nothing is said of a rollout that is refused, that
 * may not fit, or whose better strategy leads to another finding.
 *
 * @param evaluated - the rollouts of the plan, in its order, with their trials
 * @param replan - plans other objects with the options of the plan
 */
function addBetterStrategies(
  plan: PlanDocument,
  input: PlanInput,
  evaluated: readonly RolloutWithObject[],
  replan: (input: PlanInput) => PlanDocument,
): PlanDocument {
  if (evaluated.length !== plan.rollouts.length || evaluated.length > MAX_ROLLOUTS) return plan;
  const found = dropHarmful(
    evaluated.flatMap((each, index) => tryRollout(each, index, plan.versions.kubernetes)),
    plan,
    input,
    replan,
  );
  if (found.length === 0) return plan;
  const byIndex = new Map(found.map((each) => [each.index, each]));
  const rollouts = plan.rollouts.map((rollout, index) => {
    const better = byIndex.get(index);
    if (!better) return rollout;
    const source = input.locate?.(better.object, better.finding.path);
    const finding = markSuppressedByAnnotation({ ...better.finding, ...(source && { source }) }, better.object);
    return { ...rollout, findings: [...rollout.findings, finding] };
  });
  return withSummary({ ...plan, rollouts });
}

/**
 * Plans an input, and reports the rollouts for which another strategy is strictly better.
 *
 * @param plan - plans any input with the same options
 */
export function planWithBetterStrategies(input: PlanInput, plan: (input: PlanInput) => PlanDocument): PlanDocument {
  if (input.objects.length > MAX_OBJECTS) return plan(input);
  let evaluated: readonly RolloutWithObject[] = [];
  const planned = plan({ ...input, onEvaluated: (rollouts) => (evaluated = rollouts) });
  return addBetterStrategies(planned, input, evaluated, plan);
}
