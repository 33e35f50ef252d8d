import type { LimitedRun, RunLimits } from '../../cluster/rollout/limited-run';
import { findMax, findMin } from '../../core/values/min-max';
import type { ArgoRolloutAbort, ArgoRolloutSimulation, ArgoRolloutWave } from '../../core/simulations/argo-rollout';
import { createCapacityHalt } from '../../core/simulations/halt';
import { MAX_LISTED_ROWS, ROWS_AT_EACH_END } from '../../core/simulations/row-limit';
import { buildInitialState } from './initial-state';
import type { RolloutState } from './state';
import { resolveCanaryLimits } from './strategy';
import type { ArgoRolloutStrategy, CanaryStrategy } from './strategy';
import { computeRowNumber, walkRollout } from './walk-rollout';
import type { RolloutQuery, Row, Walk } from './walk-rollout';

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
  return truncateWaves(walkRollout(query, state.isPromoted ? state : { ...state, isAborted: true, isWaitOver: false })).waves;
}

/** Simulates an abort at the row with the most new pods before the promotion: the last one. */
function simulateAbort(query: RolloutQuery, { states, rows, skips }: Walk): ArgoRolloutAbort | undefined {
  const index = states.findLastIndex(({ isPromoted, isActive, next }) => !isPromoted && !isActive && next.size > 0);
  if (index < 0) return undefined;
  const abortWalk = walkRollout(query, { ...states[index]!, isAborted: true, isWaitOver: false });
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
  return toSimulation(query, walkRollout(query, buildInitialState(query)));
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
  const ideal = walkRollout({ ...query, listsEveryRow: true }, from);
  const limitedQuery = { ...query, limits, listsEveryRow: true };
  const result = walkRollout(limitedQuery, from);
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
  const limits = { admitted: () => Infinity, placed: (old: number) => capacity - old };
  return walkRollout({ ...query, limits }, buildInitialState(query));
}

/** Returns all states of a rollout at rest, for simulating an abort at any of them. */
export function listRolloutStates(query: RolloutQuery): readonly RolloutState[] {
  return walkRollout(query, buildInitialState(query)).states;
}
