import type { ArgoRolloutAbort, ArgoRolloutSimulation, ArgoRolloutWait, ArgoRolloutWave } from '../../core/simulations/argo-rollout';
import type { LimitedRun, RunLimits } from '../../cluster/limited-run';
import { findMax, findMin } from '../../core/min-max';
import { createCapacityHalt } from '../../core/simulations/halt';
import { MAX_LISTED_ROWS, ROWS_AT_EACH_END } from '../../core/simulations/row-limit';
import { applyMinPods, findSetWeight, splitByWeight } from './canary-pod-counts';
import { reconcileBlueGreen } from './reconcile-blue-green';
import { reconcileCanary, reconcileScaling, reconcileScalingInProgress } from './reconcile-canary';
import { createSteadyState, isSameRolloutState, setPodGroupSize } from './state';
import type { RolloutState } from './state';
import type { CanaryState, VersionPods } from '../../cluster/initial-state';
import { resolveCanaryLimits } from './strategy';
import type { CanaryStrategy, ArgoRolloutStrategy } from './strategy';
import type { RolloutsBehaviour } from './versions';

/** The limits on the pods of a rollout. */
export interface ArgoRunLimits extends RunLimits {
  /** Old pods that run at once. @default Infinity */
  readonly oldPods?: number;
}

/** The input of a simulation. */
export interface RolloutQuery {
  readonly strategy: ArgoRolloutStrategy;
  readonly replicas: number;
  /** The desired replicas before the same change. @default - `replicas` */
  readonly before?: number;
  readonly behaviour: RolloutsBehaviour;
  /** The state of a canary that is superseded, rolled back or given new steps. @default - at rest */
  readonly currentCanary?: CanaryState;
  /** The limits on its pods. @default - all of them run */
  readonly limits?: ArgoRunLimits;
  /** Whether to walk every row even if very many are alike. @default false */
  readonly listsEveryRow?: boolean;
}

type Row = Omit<ArgoRolloutWave, 'wave' | 'total'>;

function reconcileOnce({ strategy, replicas, behaviour }: RolloutQuery, state: RolloutState): RolloutState {
  if (strategy.type === 'blueGreen') return reconcileBlueGreen(strategy, replicas, state);
  return reconcileCanary({ canary: strategy, replicas, state, behaviour });
}

/** An upper bound of reconciles per row: each reconcile changes one thing, and each step needs one. */
function computeMaxTurns({ strategy }: RolloutQuery): number {
  return 50 + (strategy.type === 'canary' ? 4 * strategy.steps.length : 0);
}

/** Reconciles until nothing changes. */
function reconcileUntilStable(query: RolloutQuery, from: RolloutState): RolloutState {
  let state = from;
  for (let turns = computeMaxTurns(query); turns > 0; turns--) {
    const next = reconcileOnce(query, state);
    if (isSameRolloutState(next, state)) return state;
    state = next;
  }
  return state;
}

type Ending = Pick<ArgoRolloutWave, 'until' | 'seconds'>;

function getPauseEnding({ strategy }: RolloutQuery, { step }: RolloutState): Ending {
  if (strategy.type === 'blueGreen')
    return typeof strategy.promotion === 'number' ? { until: 'seconds', seconds: strategy.promotion } : { until: 'promotion' };
  const pause = strategy.steps[step];
  return pause?.does === 'pause' && pause.seconds !== undefined ? { until: 'seconds', seconds: pause.seconds } : { until: 'promotion' };
}

function findGate({ strategy }: RolloutQuery, state: RolloutState): ArgoRolloutWait | undefined {
  if (state.isPromoted || state.isAborted) return undefined;
  if (strategy.type === 'blueGreen') {
    const waits = state.isActive ? strategy.hasPostAnalysis && state.analyses < 2 : strategy.hasPreAnalysis && state.analyses < 1;
    return waits ? 'analysis' : undefined;
  }
  const step = strategy.steps[state.step];
  return step?.does === 'gate' ? step.gate : undefined;
}

/** Returns what ends the row of a state in which the controller has nothing to do. */
function computeEnding(query: RolloutQuery, state: RolloutState): Ending {
  const { strategy } = query;
  if ([state.next, state.old, state.older].some(({ size, ready }) => ready < size)) return { until: 'ready' };
  if (state.isPaused) return getPauseEnding(query, state);
  const gate = findGate(query, state);
  if (gate) return { until: gate };
  if (state.deadline !== 'set') return {};
  const seconds = state.isPromoted ? strategy.scaleDownDelay : strategy.abortDelay.seconds;
  return { until: 'seconds', seconds: seconds as number };
}

/** Returns the new pods that exist: those that run, and those that quotas admit. */
function countExistingPods({ limits }: RolloutQuery, { next, old, older }: RolloutState): number {
  return limits ? Math.min(next.size, Math.max(next.ready, limits.admitted(old.size + older.size))) : next.size;
}

function buildRow(query: RolloutQuery, state: RolloutState, ending: Ending): Row {
  const { strategy } = query;
  const { next, old, older, weights } = state;
  const newWeight =
    strategy.type === 'blueGreen'
      ? state.isActive
        ? 100
        : 0
      : weights && (state.isPromoted ? weights.canary + weights.stable : weights.canary);
  return {
    ...(strategy.type === 'canary' && strategy.steps.length > 0 && { stepsDone: state.step }),
    newPods: countExistingPods(query, state),
    oldPods: old.size + older.size,
    available: next.ready + old.ready + older.ready,
    ...(newWeight !== undefined && { newWeight }),
    ...ending,
  };
}

/** Returns the group with up to `spare` more pods ready. */
function withReady({ size, ready }: VersionPods, spare: number): VersionPods {
  return { size, ready: ready + Math.max(0, Math.min(size - ready, spare)) };
}

/** Marks as many pods ready as the limits allow, old ones first. */
function markReady({ next, old, older }: RolloutState, limits?: ArgoRunLimits): Pick<RolloutState, 'next' | 'old' | 'older'> {
  const { oldPods = Infinity, placed } = limits ?? {};
  const first = withReady(old, oldPods - old.ready - older.ready - next.ready);
  const second = withReady(older, oldPods - first.ready - older.ready - next.ready);
  const newPods = placed?.(first.ready + second.ready) ?? Infinity;
  return { old: first, older: second, next: withReady(next, newPods - next.ready) };
}

/** Returns the state after the wait of a row is over. */
function applyEnding(state: RolloutState, { until }: Ending, { strategy, limits }: RolloutQuery): RolloutState {
  const { analyses } = state;
  switch (until) {
    case 'ready':
      return { ...state, ...markReady(state, limits) };
    case 'promotion':
      return { ...state, isPaused: false };
    case 'analysis':
      return strategy.type === 'blueGreen'
        ? { ...state, analyses: analyses === 0 && !state.isActive ? 1 : 2 }
        : { ...state, isWaitOver: true };
    default:
      return { ...state, isWaitOver: true };
  }
}

/** Skipped rows: `count` rows after the row with index `after`. Each changes the same pods as the row before it. */
interface Skip {
  readonly after: number;
  readonly count: number;
}

/** The result of walking a rollout: its rows, the states at them, and the skipped rows. */
interface Walk {
  readonly rows: readonly Row[];
  readonly states: readonly RolloutState[];
  readonly skips: readonly Skip[];
  /** The row, counted from 1, at which the rollout deadlocks for lack of capacity. */
  readonly stuckAtWave?: number;
}

/** Returns the target sizes of a canary without a router. */
function computeTargets(query: RolloutQuery, canary: CanaryStrategy, state: RolloutState): { readonly next: number; readonly old: number } {
  const { replicas } = query;
  if (state.isPromoted) return { next: replicas, old: 0 };
  return splitByWeight(replicas, findSetWeight({ canary, state }), canary.maxWeight, resolveCanaryLimits(canary, replicas).surge);
}

/**
 * Returns how often a size can change by `change` before it reaches its target; Infinity if it does not change. From 2 towards 10 in steps
 * of 3: 2.
 */
function countStepsTo(target: number, size: number, change: number): number {
  if (change === 0) return Infinity;
  return Math.floor((target - size) / change);
}

/** Returns a lower bound of how many rows like the last ones follow and can be skipped; 0 if there are few. */
function countSkippableRows(query: RolloutQuery, rows: readonly Row[], state: RolloutState): number {
  const { strategy, listsEveryRow } = query;
  const [a, b, c] = rows.slice(-3);
  if (strategy.type !== 'canary' || strategy.isRouted || listsEveryRow === true || rows.length <= ROWS_AT_EACH_END + 3 || !a || !b || !c)
    return 0;
  if (state.older.size > 0) return 0;
  const isEven =
    b.newPods - a.newPods === c.newPods - b.newPods &&
    b.oldPods - a.oldPods === c.oldPods - b.oldPods &&
    a.available === b.available &&
    b.available === c.available &&
    a.stepsDone === c.stepsDone;
  if (!isEven) return 0;
  const targets = computeTargets(query, strategy, state);
  const remainingRows = Math.min(
    countStepsTo(targets.next, c.newPods, c.newPods - b.newPods),
    countStepsTo(targets.old, c.oldPods, c.oldPods - b.oldPods),
  );
  // The document omits at least this many rows anyway.
  return Number.isFinite(remainingRows) && remainingRows > MAX_LISTED_ROWS + 2 * ROWS_AT_EACH_END
    ? remainingRows - 2 * ROWS_AT_EACH_END
    : 0;
}

function skipRows(state: RolloutState, rows: readonly Row[], count: number): RolloutState {
  const [before, last] = rows.slice(-2) as [Row, Row];
  const [more, fewer] = [(last.newPods - before.newPods) * count, (last.oldPods - before.oldPods) * count];
  const { next, old } = state;
  return {
    ...state,
    next: { size: next.size + more, ready: next.ready + more },
    old: { size: old.size + fewer, ready: old.ready + fewer },
  };
}

/** An upper bound of the rows of any rollout after similar rows are skipped. */
const MAX_WALKED_ROWS = 100_000;

function walk(query: RolloutQuery, from: RolloutState): Walk {
  const rows: Row[] = [];
  const states: RolloutState[] = [];
  const skips: Skip[] = [];
  let state = reconcileUntilStable(query, from);
  while (rows.length < MAX_WALKED_ROWS) {
    const ending = computeEnding(query, state);
    rows.push(buildRow(query, state, ending));
    states.push(state);
    if (ending.until === undefined) break;
    const count = countSkippableRows(query, rows, state);
    if (count > 0) {
      state = skipRows(state, rows, count);
      skips.push({ after: rows.length - 1, count });
    }
    const next = applyEnding(state, ending, query);
    if (query.limits !== undefined && isSameRolloutState(next, state))
      return { rows, states, skips, stuckAtWave: computeRowNumber(rows.length - 1, skips) };
    state = reconcileUntilStable(query, next);
  }
  return { rows, states, skips };
}

/** Returns the number of a row, counted from 1, including skipped rows. */
function computeRowNumber(index: number, skips: readonly Skip[]): number {
  return skips.reduce((number, { after, count }) => (after < index ? number + count : number), index + 1);
}

function toWave(row: Row, wave: number): ArgoRolloutWave {
  const { newPods, oldPods, available, stepsDone, newWeight, until, seconds } = row;
  return {
    wave,
    ...(stepsDone !== undefined && { stepsDone }),
    newPods,
    oldPods,
    total: newPods + oldPods,
    available,
    ...(newWeight !== undefined && { newWeight }),
    ...(until !== undefined && { until }),
    ...(seconds !== undefined && { seconds }),
  };
}

/** Returns all rows up to 1,000. For more rows, returns the first 50 and the last 50, where no row is skipped. */
function truncateWaves({ rows, skips }: Walk): { readonly waves: ArgoRolloutWave[]; readonly elided: number } {
  const waves = rows.map((row, index) => toWave(row, computeRowNumber(index, skips)));
  const count = computeRowNumber(rows.length - 1, skips);
  if (count <= MAX_LISTED_ROWS) return { waves, elided: 0 };
  const ends = [...waves.slice(0, ROWS_AT_EACH_END), ...waves.slice(-ROWS_AT_EACH_END)];
  return { waves: ends, elided: count - ends.length };
}

function computePeakPods(rows: readonly Row[], otherwise: number): number {
  return findMax(
    rows.map(({ newPods, oldPods }) => newPods + oldPods),
    otherwise,
  );
}

function computeMinAvailable(rows: readonly Row[], otherwise: number): number {
  return findMin(
    rows.map(({ available }) => available),
    otherwise,
  );
}

/** Simulates an abort after a row of the walk. */
export function simulateAbortAfter(query: RolloutQuery, states: readonly RolloutState[], wave: number): readonly ArgoRolloutWave[] {
  const state = states[wave - 1]!;
  // A promoted version can no longer be aborted.
  return truncateWaves(walk(query, state.isPromoted ? state : { ...state, isAborted: true, isWaitOver: false })).waves;
}

/** Simulates an abort at the row with the most new pods before the promotion: the last one. */
function simulateAbort(query: RolloutQuery, { states, rows, skips }: Walk): ArgoRolloutAbort | undefined {
  const index = states.findLastIndex(({ isPromoted, isActive, next }) => !isPromoted && !isActive && next.size > 0);
  if (index < 0) return undefined;
  const abortWalk = walk(query, { ...states[index]!, isAborted: true, isWaitOver: false });
  const from = rows[index]!;
  return {
    afterWave: computeRowNumber(index, skips),
    waves: truncateWaves(abortWalk).waves,
    peakPods: computePeakPods(abortWalk.rows, from.newPods + from.oldPods),
    minAvailable: computeMinAvailable(abortWalk.rows, from.available),
  };
}

function getLimits(strategy: ArgoRolloutStrategy, replicas: number): { readonly surge: number; readonly unavailable: number } {
  return strategy.type === 'canary' && !strategy.isRouted ? resolveCanaryLimits(strategy, replicas) : { surge: 0, unavailable: 0 };
}

/** Builds the state at rest, including router weights. */
function buildSteadyState({ strategy, behaviour }: RolloutQuery, replicas: number): RolloutState {
  if (strategy.type === 'blueGreen' || !strategy.isRouted) return createSteadyState(replicas, undefined);
  const { maxWeight } = strategy;
  const pods = applyMinPods(replicas, { canary: strategy, replicas, behaviour });
  // If the controller computes shares of 100, stable has too few pods for a larger maxTrafficWeight, and no weight is ever set at rest.
  const isSet = behaviour.sharesOfMaxWeight || pods >= Math.floor((maxWeight * replicas) / 100);
  return createSteadyState(pods, isSet ? { canary: 0, stable: maxWeight } : undefined);
}

/** Returns the number of pods of a Rollout at rest with these replicas. */
export function countSteadyPods(query: RolloutQuery, replicas: number): number {
  return buildSteadyState({ ...query, replicas }, replicas).old.size;
}

/**
 * Builds the state of a canary in progress. A rollback to the stable version passes no step; any other version passes all steps from the
 * first.
 */
function buildCanaryState({ stable, canary, applied, weight }: CanaryState, strategy: CanaryStrategy): RolloutState {
  const state = createSteadyState(0, weight === undefined ? undefined : { canary: weight, stable: strategy.maxWeight - weight });
  if (applied === 'stable') return { ...state, next: stable, old: canary, isPromoted: true, step: strategy.steps.length };
  return applied === 'same' ? { ...state, next: canary, old: stable } : { ...state, old: stable, older: canary };
}

function buildInitialState(query: RolloutQuery): RolloutState {
  const { strategy, replicas, before = replicas, behaviour, currentCanary } = query;
  if (currentCanary && strategy.type === 'canary') {
    const state = buildCanaryState(currentCanary, strategy);
    // The previous replicas are recorded at the ReplicaSets that have pods: of stable and of the applied version.
    const isWritten = currentCanary.stable.size > 0 || (currentCanary.applied === 'same' && currentCanary.canary.size > 0);
    if (before === replicas || !isWritten) return state;
    const { step = 0, isAborted = false } = currentCanary;
    return reconcileScalingInProgress({ canary: strategy, replicas, state, behaviour }, { step, isAborted });
  }
  const state = buildSteadyState(query, before);
  if (before === replicas) return state;
  if (strategy.type === 'blueGreen') return { ...state, old: setPodGroupSize(state.old, replicas) };
  return reconcileScaling({ canary: strategy, replicas, state, behaviour });
}

/** Sums the seconds of timed waits, without waits for pods or users. */
function sumWaits(rows: readonly Row[]): number {
  return rows.reduce((total, { seconds = 0 }) => total + seconds, 0);
}

/** Returns where a rollout first waits for a user, or deadlocks. Returns undefined if it finishes by itself. */
function findHalt({ replicas }: RolloutQuery, { rows, states, skips, stuckAtWave }: Walk): ArgoRolloutSimulation['halted'] {
  if (stuckAtWave !== undefined) return createCapacityHalt(stuckAtWave);
  const promotionIndex = rows.findIndex(({ until }) => until === 'promotion');
  if (promotionIndex >= 0) return { wave: computeRowNumber(promotionIndex, skips), reason: 'promotion' };
  const isFinished = states.at(-1)!.isPromoted || replicas === 0;
  return isFinished ? undefined : { wave: computeRowNumber(rows.length - 1, skips), reason: 'never-promoted' };
}

function toSimulation(query: RolloutQuery, result: Walk): ArgoRolloutSimulation {
  const { strategy, replicas } = query;
  const { rows, states, stuckAtWave } = result;
  const { waves, elided } = truncateWaves(result);
  const last = states.at(-1)!;
  const halt = findHalt(query, result);
  const isStuck = stuckAtWave !== undefined;
  const leftOver = last.isPromoted && !isStuck ? last.old.size : 0;
  const abort = isStuck ? undefined : simulateAbort(query, result);
  const maxWeight = strategy.type === 'blueGreen' ? 100 : strategy.isRouted ? (strategy satisfies CanaryStrategy).maxWeight : undefined;
  return {
    kind: 'argorollout',
    type: strategy.type,
    replicas,
    ...getLimits(strategy, replicas),
    ...(maxWeight !== undefined && { maxWeight }),
    waves,
    peakPods: computePeakPods(rows, replicas),
    minAvailable: computeMinAvailable(rows, replicas),
    waitSeconds: sumWaits(isStuck ? rows.slice(0, -1) : rows),
    ...(halt && { halted: halt }),
    ...(leftOver > 0 && { remainingOldPods: leftOver }),
    ...(query.currentCanary?.applied === 'stable' && { rolledBackPods: query.currentCanary.canary.size }),
    ...(query.currentCanary?.applied === 'same' && { restartsSteps: true }),
    ...(abort && { abort }),
    ...(elided > 0 && { elided }),
  };
}

/**
 * Simulates how Argo Rollouts replaces the pods of a Rollout, row by row. The Rollout is at rest, or its canary is in progress. A row is
 * the state once the controller has nothing left to do, and `until` is what it waits for. Then all new pods become ready, the seconds pass,
 * a user promotes, or a gate passes.
 *
 * Verified against recordings of the real controller (`test/upstream/argo-rollouts.test.ts`).
 */
export function simulateArgoRollout(query: RolloutQuery): ArgoRolloutSimulation {
  return toSimulation(query, walk(query, buildInitialState(query)));
}

function isSameRow(a: Row | undefined, b: Row): boolean {
  return a?.newPods === b.newPods && a.oldPods === b.oldPods && a.available === b.available;
}

/** Reports whether a row still waits for the same pods as the row before it. */
function isStillWaiting(previous: Row | undefined, row: Row): boolean {
  return (
    previous?.until === 'ready' &&
    previous.newPods === row.newPods &&
    previous.oldPods === row.oldPods &&
    previous.stepsDone === row.stepsDone
  );
}

/** Returns a walk that ends at the first row with the pods at which it deadlocks. */
function trimDeadlock(result: Walk): Walk {
  let { length } = result.rows;
  while (isStillWaiting(result.rows[length - 2], result.rows[length - 1]!)) length--;
  return { ...result, rows: result.rows.slice(0, length), stuckAtWave: length };
}

/** Simulates a rollout under limits. */
export function simulateArgoRolloutWithin(query: RolloutQuery, limits: RunLimits): LimitedRun<ArgoRolloutSimulation> {
  const from = buildInitialState(query);
  const ideal = walk({ ...query, listsEveryRow: true }, from);
  const limitedQuery = { ...query, limits, listsEveryRow: true };
  const result = walk(limitedQuery, from);
  const { rows, states, stuckAtWave } = result;
  const isFinished = stuckAtWave === undefined;
  const simulation = toSimulation(limitedQuery, isFinished ? result : trimDeadlock(result));
  const last = states.at(-1)!;
  return {
    simulation,
    isFinished,
    isUnlimited: ideal.rows.length === rows.length && ideal.rows.every((row, index) => isSameRow(rows[index], row)),
    ready: last.next.ready,
    old: last.old.size + last.older.size,
    peakPods: simulation.peakPods,
    startingRows: states.filter(({ next }, index) => next.ready < (states[index + 1]?.next.ready ?? 0)).length,
  };
}

/** Returns the rows of a rollout with at most `capacity` pods at once, and the row at which it deadlocks, if any. */
export function walkWithCapacity(query: RolloutQuery, capacity: number): Pick<Walk, 'rows' | 'skips' | 'stuckAtWave'> {
  const limits = { admitted: () => Infinity, placed: (old: number) => capacity - old, oldPods: capacity };
  return walk({ ...query, limits }, buildInitialState(query));
}

/** Returns all states of a rollout at rest, for simulating an abort at any of them. */
export function listRolloutStates(query: RolloutQuery): readonly RolloutState[] {
  return walk(query, buildInitialState(query)).states;
}
