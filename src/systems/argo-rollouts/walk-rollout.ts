import { findLargest } from '../../core/values/find-largest';
import type { CanaryState, VersionPods } from '../../cluster/rollout/initial-state';
import type { RunLimits } from '../../cluster/rollout/limited-run';
import type { ArgoRolloutWait, ArgoRolloutWave } from '../../core/simulations/argo-rollout';
import { MAX_LISTED_ROWS, ROWS_AT_EACH_END } from '../../core/simulations/row-limit';
import { findSetWeight, splitByWeight } from './canary-pod-counts';
import { reconcileBlueGreen } from './reconcile-blue-green';
import { reconcileCanary } from './reconcile-canary';
import { isSameRolloutState } from './state';
import type { RolloutState } from './state';
import { resolveCanaryLimits } from './strategy';
import type { ArgoRolloutStrategy, CanaryStrategy } from './strategy';
import type { RolloutsBehaviour } from './versions';

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
  readonly limits?: RunLimits;
  /** Whether to walk every row even if very many are alike. @default false */
  readonly listsEveryRow?: boolean;
}

export type Row = Omit<ArgoRolloutWave, 'wave' | 'total'>;

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

/** Returns the most old pods, from `ready` to `size`, next to which a limit allows the new ones. */
function countOldNextTo(next: number, allowed: (old: number) => number, ready: number, size: number): number {
  return ready + findLargest(size - ready, (more) => allowed(ready + more) >= next);
}

/** Returns the pods that exist: those that run, and those that quotas admit. Old pods that return after an abort come after the new ones. */
function countExistingPods({ limits }: RolloutQuery, { next, old, older }: RolloutState): Pick<Row, 'newPods' | 'oldPods'> {
  const oldPods = old.size + older.size;
  if (!limits) return { newPods: next.size, oldPods };
  const newPods = Math.min(next.size, Math.max(next.ready, limits.admitted(oldPods)));
  return { newPods, oldPods: countOldNextTo(newPods, limits.admitted, old.ready + older.ready, oldPods) };
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
    ...countExistingPods(query, state),
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
function markReady({ next, old, older }: RolloutState, limits?: RunLimits): Pick<RolloutState, 'next' | 'old' | 'older'> {
  const ready = old.ready + older.ready;
  const oldPods = limits ? countOldNextTo(next.ready, limits.placed, ready, old.size + older.size) : Infinity;
  const first = withReady(old, oldPods - ready);
  const second = withReady(older, oldPods - first.ready - older.ready);
  const newPods = limits?.placed(first.ready + second.ready) ?? Infinity;
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
export interface Walk {
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

/** Walks a rollout from a state, row by row, until it ends or deadlocks. */
export function walkRollout(query: RolloutQuery, from: RolloutState): Walk {
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
export function computeRowNumber(index: number, skips: readonly Skip[]): number {
  return skips.reduce((number, { after, count }) => (after < index ? number + count : number), index + 1);
}
