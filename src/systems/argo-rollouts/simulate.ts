import type { ArgoRolloutAbort, ArgoRolloutSimulation, ArgoRolloutWait, ArgoRolloutWave } from '../../core/simulations/argo-rollout';
import { findMax, findMin } from '../../core/min-max';
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

/** What is simulated. */
export interface RolloutQuery {
  readonly strategy: ArgoRolloutStrategy;
  readonly replicas: number;
  /** Pods that were wanted before the same change. @default - `replicas` */
  readonly before?: number;
  readonly behaviour: RolloutsBehaviour;
  /** Where a canary stands that is overtaken, taken back, or gets other steps. @default - at rest */
  readonly currentCanary?: CanaryState;
  /** Pods of both versions that find room at once, old ones first. @default Infinity */
  readonly capacity?: number;
  /** Walk every row, also where very many are alike? @default false */
  readonly listsEveryRow?: boolean;
}

type Row = Omit<ArgoRolloutWave, 'wave' | 'total'>;

function reconcileOnce({ strategy, replicas, behaviour }: RolloutQuery, state: RolloutState): RolloutState {
  if (strategy.type === 'blueGreen') return reconcileBlueGreen(strategy, replicas, state);
  return reconcileCanary({ canary: strategy, replicas, state, behaviour });
}

/** More turns than any step needs: a turn changes one thing, and there is a turn for each step. */
function computeMaxTurns({ strategy }: RolloutQuery): number {
  return 50 + (strategy.type === 'canary' ? 4 * strategy.steps.length : 0);
}

/** The controller's turns until one changes nothing. */
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

/** What ends the row of a state in which the controller has nothing to do. */
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

function buildRow({ strategy }: RolloutQuery, state: RolloutState, ending: Ending): Row {
  const { next, old, older, weights } = state;
  const newWeight =
    strategy.type === 'blueGreen'
      ? state.isActive
        ? 100
        : 0
      : weights && (state.isPromoted ? weights.canary + weights.stable : weights.canary);
  return {
    ...(strategy.type === 'canary' && strategy.steps.length > 0 && { stepsDone: state.step }),
    newPods: next.size,
    oldPods: old.size + older.size,
    available: next.ready + old.ready + older.ready,
    ...(newWeight !== undefined && { newWeight }),
    ...ending,
  };
}

/** Pods that get ready where there is room for so many more. */
function withReady({ size, ready }: VersionPods, spare: number): VersionPods {
  return { size, ready: ready + Math.max(0, Math.min(size - ready, spare)) };
}

/** All pods ready that find room beside those that are, old ones first. */
function markReady({ next, old, older }: RolloutState, capacity: number): Pick<RolloutState, 'next' | 'old' | 'older'> {
  const first = withReady(old, capacity - old.ready - older.ready - next.ready);
  const second = withReady(older, capacity - first.ready - older.ready - next.ready);
  return { old: first, older: second, next: withReady(next, capacity - first.ready - second.ready - next.ready) };
}

/** The state once the wait of a row is over. */
function applyEnding(state: RolloutState, { until }: Ending, { strategy, capacity = Infinity }: RolloutQuery): RolloutState {
  const { analyses } = state;
  switch (until) {
    case 'ready':
      return { ...state, ...markReady(state, capacity) };
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

/** Rows that are not walked: so many behind a row, counted from 0, each of which differs from the one before by the same pods. */
interface Skip {
  readonly after: number;
  readonly count: number;
}

/** The walk through a rollout: its rows, the states at them, and what was not walked. */
interface Walk {
  readonly rows: readonly Row[];
  readonly states: readonly RolloutState[];
  readonly skips: readonly Skip[];
  /** The row, counted from 1, at which nothing moves any more for want of room. */
  readonly stuckAtWave?: number;
}

/** Where the pods of a canary without a router are going. */
function computeTargets(query: RolloutQuery, canary: CanaryStrategy, state: RolloutState): { readonly next: number; readonly old: number } {
  const { replicas } = query;
  if (state.isPromoted) return { next: replicas, old: 0 };
  return splitByWeight(replicas, findSetWeight({ canary, state }), canary.maxWeight, resolveCanaryLimits(canary, replicas).surge);
}

/** How often a size may change by so many before it is at its target; Infinity where it does not change. */
function countStepsTo(target: number, size: number, change: number): number {
  if (change === 0) return Infinity;
  return Math.floor((target - size) / change);
}

/** How many rows like the last ones follow, at least, of which none need be walked; 0 where there are few. */
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
  // So many are left out of the document in any case.
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

/** More rows than any rollout has of which those that are alike are skipped. */
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
    if (query.capacity !== undefined && isSameRolloutState(next, state))
      return { rows, states, skips, stuckAtWave: computeRowNumber(rows.length - 1, skips) };
    state = reconcileUntilStable(query, next);
  }
  return { rows, states, skips };
}

/** The number of a row, counted from 1, those that were not walked included. */
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

/** Up to 1,000 rows stand whole; of more the first 50 and the last 50, among which none is skipped. */
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

/** An abort after a row of the walk. */
export function simulateAbortAfter(query: RolloutQuery, states: readonly RolloutState[], wave: number): readonly ArgoRolloutWave[] {
  const state = states[wave - 1]!;
  // What is promoted can't be aborted any more.
  return truncateWaves(walk(query, state.isPromoted ? state : { ...state, isAborted: true, isWaitOver: false })).waves;
}

/** The row at which an abort finds most new pods before they are promoted: the last one. */
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

/** At rest, with what a router has. */
function buildSteadyState({ strategy, behaviour }: RolloutQuery, replicas: number): RolloutState {
  if (strategy.type === 'blueGreen' || !strategy.isRouted) return createSteadyState(replicas, undefined);
  const { maxWeight } = strategy;
  const pods = applyMinPods(replicas, { canary: strategy, replicas, behaviour });
  // Where the controller takes shares of 100, stable has too few pods for a whole of more, and no weight is ever set at rest.
  const isSet = behaviour.sharesOfMaxWeight || pods >= Math.floor((maxWeight * replicas) / 100);
  return createSteadyState(pods, isSet ? { canary: 0, stable: maxWeight } : undefined);
}

/** Pods of a Rollout at rest that wants so many. */
export function countSteadyPods(query: RolloutQuery, replicas: number): number {
  return buildSteadyState({ ...query, replicas }, replicas).old.size;
}

/** A canary that stands somewhere: of the stable version again no step is passed, of any other all of them, from the first. */
function buildCanaryState({ stable, canary, applied, weight }: CanaryState, strategy: CanaryStrategy): RolloutState {
  const state = createSteadyState(0, weight === undefined ? undefined : { canary: weight, stable: strategy.maxWeight - weight });
  if (applied === 'stable') return { ...state, next: stable, old: canary, isPromoted: true, step: strategy.steps.length };
  return applied === 'same' ? { ...state, next: canary, old: stable } : { ...state, old: stable, older: canary };
}

function buildInitialState(query: RolloutQuery): RolloutState {
  const { strategy, replicas, before = replicas, behaviour, currentCanary } = query;
  if (currentCanary && strategy.type === 'canary') {
    const state = buildCanaryState(currentCanary, strategy);
    // Replicas of before are written at the ReplicaSets that have pods, of stable and of the version that is applied.
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

/** How long it waits for the clock, and not for pods or people. */
function sumWaits(rows: readonly Row[]): number {
  return rows.reduce((total, { seconds = 0 }) => total + seconds, 0);
}

/**
 * How Argo Rollouts replaces the pods of a Rollout at rest, or of a canary that stands somewhere, row by row: a row is what stands once the controller has nothing left to do,
 * and `until` says what it waits for. Then all new pods get ready, the seconds are over, somebody promotes, or a gate passes.
 *
 * Held to recordings of the real controller (`test/upstream/argo-rollouts.test.ts`).
 */
export function simulateArgoRollout(query: RolloutQuery): ArgoRolloutSimulation {
  const { strategy, replicas } = query;
  const walked = walk(query, buildInitialState(query));
  const { rows, states } = walked;
  const { waves, elided } = truncateWaves(walked);
  const last = states.at(-1)!;
  const promotionIndex = rows.findIndex(({ until }) => until === 'promotion');
  const halt: ArgoRolloutSimulation['halted'] =
    promotionIndex >= 0
      ? { wave: computeRowNumber(promotionIndex, walked.skips), reason: 'promotion' }
      : last.isPromoted || replicas === 0
        ? undefined
        : { wave: waves.at(-1)!.wave, reason: 'never-promoted' };
  const leftOver = last.isPromoted ? last.old.size : 0;
  const abort = simulateAbort(query, walked);
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
    waitSeconds: sumWaits(rows),
    ...(halt && { halted: halt }),
    ...(leftOver > 0 && { remainingOldPods: leftOver }),
    ...(query.currentCanary?.applied === 'stable' && { rolledBackPods: query.currentCanary.canary.size }),
    ...(query.currentCanary?.applied === 'same' && { restartsSteps: true }),
    ...(abort && { abort }),
    ...(elided > 0 && { elided }),
  };
}

/** The rows of a rollout of whose pods at most `room` run at once, and where it stands still for that. */
export function walkWithCapacity(query: RolloutQuery, capacity: number): Pick<Walk, 'rows' | 'skips' | 'stuckAtWave'> {
  return walk({ ...query, capacity }, buildInitialState(query));
}

/** All states of a rollout at rest, for whoever aborts it somewhere. */
export function listRolloutStates(query: RolloutQuery): readonly RolloutState[] {
  return walk(query, buildInitialState(query)).states;
}
