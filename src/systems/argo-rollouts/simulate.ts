import type { ArgoRolloutAbort, ArgoRolloutSimulation, ArgoRolloutWait, ArgoRolloutWave } from '../../core/simulations/argo-rollout';
import { greatest, least } from '../../core/extremes';
import { MAX_ROWS, SHOWN_AT_EACH_END } from '../../core/simulations/shown-rows';
import { podsAtLeast } from './canary-counts';
import { blueGreenTurn } from './blue-green-loop';
import { canaryTurn } from './canary-loop';
import { atRest, isSame } from './state';
import type { RolloutState } from './state';
import { canaryLimits } from './strategy';
import type { Canary, RolloutStrategy } from './strategy';
import type { RolloutsBehaviour } from './versions';

/** What is simulated. */
export interface RolloutQuery {
  readonly strategy: RolloutStrategy;
  readonly replicas: number;
  readonly behaviour: RolloutsBehaviour;
  /** Pods of both versions that find room at once, old ones first. @default Infinity */
  readonly room?: number;
}

type Row = Omit<ArgoRolloutWave, 'wave' | 'total'>;

function turned({ strategy, replicas, behaviour }: RolloutQuery, state: RolloutState): RolloutState {
  if (strategy.type === 'blueGreen') return blueGreenTurn(strategy, replicas, state);
  return canaryTurn({ canary: strategy, replicas, state, behaviour });
}

/** More turns than any step needs: a turn changes one thing, and there is a turn for each step. */
function mostTurns({ strategy }: RolloutQuery): number {
  return 50 + (strategy.type === 'canary' ? 4 * strategy.steps.length : 0);
}

/** The controller's turns until one changes nothing. */
function settled(query: RolloutQuery, from: RolloutState): RolloutState {
  let state = from;
  for (let turns = mostTurns(query); turns > 0; turns--) {
    const next = turned(query, state);
    if (isSame(next, state)) return state;
    state = next;
  }
  return state;
}

type Ending = Pick<ArgoRolloutWave, 'until' | 'seconds'>;

function pauseEnding({ strategy }: RolloutQuery, { step }: RolloutState): Ending {
  if (strategy.type === 'blueGreen')
    return typeof strategy.promotes === 'number' ? { until: 'seconds', seconds: strategy.promotes } : { until: 'promotion' };
  const pause = strategy.steps[step];
  return pause?.does === 'pause' && pause.seconds !== undefined ? { until: 'seconds', seconds: pause.seconds } : { until: 'promotion' };
}

function gateOf({ strategy }: RolloutQuery, state: RolloutState): ArgoRolloutWait | undefined {
  if (state.isPromoted || state.isAborted) return undefined;
  if (strategy.type === 'blueGreen') {
    const waits = state.isActive ? strategy.hasPostAnalysis && state.analyses < 2 : strategy.hasPreAnalysis && state.analyses < 1;
    return waits ? 'analysis' : undefined;
  }
  const step = strategy.steps[state.step];
  return step?.does === 'gate' ? step.gate : undefined;
}

/** What ends the row of a state in which the controller has nothing to do. */
function endingOf(query: RolloutQuery, state: RolloutState): Ending {
  const { strategy } = query;
  if (state.next.ready < state.next.size || state.old.ready < state.old.size) return { until: 'ready' };
  if (state.isPaused) return pauseEnding(query, state);
  const gate = gateOf(query, state);
  if (gate) return { until: gate };
  if (state.deadline !== 'set') return {};
  const seconds = state.isPromoted ? strategy.scaleDownDelay : strategy.abortDelay.seconds;
  return { until: 'seconds', seconds: seconds as number };
}

function rowOf({ strategy }: RolloutQuery, state: RolloutState, ending: Ending): Row {
  const { next, old, weights } = state;
  const newWeight =
    strategy.type === 'blueGreen'
      ? state.isActive
        ? 100
        : 0
      : weights && (state.isPromoted ? weights.canary + weights.stable : weights.canary);
  return {
    ...(strategy.type === 'canary' && strategy.steps.length > 0 && { stepsDone: state.step }),
    newPods: next.size,
    oldPods: old.size,
    available: next.ready + old.ready,
    ...(newWeight !== undefined && { newWeight }),
    ...ending,
  };
}

/** The state once the wait of a row is over. */
function resumed(state: RolloutState, { until }: Ending, { strategy, room = Infinity }: RolloutQuery): RolloutState {
  const { next, old, analyses } = state;
  switch (until) {
    case 'ready':
      return {
        ...state,
        next: { ...next, ready: Math.max(next.ready, Math.min(next.size, room - old.size)) },
        old: { ...old, ready: old.size },
      };
    case 'promotion':
      return { ...state, isPaused: false };
    case 'analysis':
      return strategy.type === 'blueGreen'
        ? { ...state, analyses: analyses === 0 && !state.isActive ? 1 : 2 }
        : { ...state, waitIsOver: true };
    default:
      return { ...state, waitIsOver: true };
  }
}

/** Rows in which each differs from the one before by the same pods: so many of them are left out of the walk. */
function skippable(rows: readonly Row[], replicas: number): number {
  const [a, b, c] = rows.slice(-3);
  if (!a || !b || !c || rows.length < SHOWN_AT_EACH_END + 3) return 0;
  const isEven = (x: Row, y: Row, z: Row) =>
    y.newPods - x.newPods === z.newPods - y.newPods && y.oldPods - x.oldPods === z.oldPods - y.oldPods && x.available === y.available;
  const [more, fewer] = [c.newPods - b.newPods, b.oldPods - c.oldPods];
  if (!isEven(a, b, c) || b.available !== c.available || more <= 0 || fewer <= 0) return 0;
  const left = Math.min(Math.floor((replicas - c.newPods) / more), Math.floor(c.oldPods / fewer));
  return Math.max(0, left - 2 * SHOWN_AT_EACH_END);
}

/** The walk through a rollout: its rows, those shown and those left out. */
interface Walk {
  readonly rows: readonly Row[];
  readonly states: readonly RolloutState[];
  readonly skipped: number;
  /** The row, counted from 0, after which the rows were left out. */
  readonly skippedAfter: number;
  /** The row, counted from 1, at which nothing moves any more for want of room. */
  readonly standsAt?: number;
}

/** More rows than any canary has in which rows of the same kind were left out. */
const MOST_ROWS = 20_000;

/** Rows that can be left out come from a rolling update alone: no step, no router. */
function mayBeLong({ strategy }: RolloutQuery): boolean {
  return strategy.type === 'canary' && !strategy.isRouted;
}

function walk(query: RolloutQuery, from: RolloutState): Walk {
  const rows: Row[] = [];
  const states: RolloutState[] = [];
  let state = settled(query, from);
  let skipped = 0;
  let skippedAfter = 0;
  while (rows.length < MOST_ROWS) {
    const ending = endingOf(query, state);
    rows.push(rowOf(query, state, ending));
    states.push(state);
    if (ending.until === undefined) break;
    const skip = skipped === 0 && mayBeLong(query) ? skippable(rows, query.replicas) : 0;
    if (skip > 0) {
      const [before, last] = rows.slice(-2) as [Row, Row];
      const [more, fewer] = [(last.newPods - before.newPods) * skip, (before.oldPods - last.oldPods) * skip];
      const { next, old } = state;
      state = {
        ...state,
        next: { size: next.size + more, ready: next.ready + more },
        old: { size: old.size - fewer, ready: old.ready - fewer },
      };
      [skipped, skippedAfter] = [skip, rows.length];
    }
    const next = resumed(state, ending, query);
    if (query.room !== undefined && isSame(next, state)) return { rows, states, skipped, skippedAfter, standsAt: rows.length + skipped };
    state = settled(query, next);
  }
  return { rows, states, skipped, skippedAfter };
}

function numbered(row: Row, wave: number): ArgoRolloutWave {
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

/** Up to 1,000 rows stand whole; of more the first 50 and the last 50. */
function shown({ rows, skipped, skippedAfter }: Walk): { readonly waves: ArgoRolloutWave[]; readonly elided: number } {
  const waves = rows.map((row, index) => numbered(row, index + 1 + (index >= skippedAfter ? skipped : 0)));
  if (rows.length + skipped <= MAX_ROWS) return { waves, elided: 0 };
  const ends = [...waves.slice(0, SHOWN_AT_EACH_END), ...waves.slice(-SHOWN_AT_EACH_END)];
  return { waves: ends, elided: rows.length + skipped - ends.length };
}

function peakOf(rows: readonly Row[], otherwise: number): number {
  return greatest(
    rows.map(({ newPods, oldPods }) => newPods + oldPods),
    otherwise,
  );
}

function leastOf(rows: readonly Row[], otherwise: number): number {
  return least(
    rows.map(({ available }) => available),
    otherwise,
  );
}

/** An abort after a row of the walk. */
export function abortedAfter(query: RolloutQuery, states: readonly RolloutState[], wave: number): readonly ArgoRolloutWave[] {
  const state = states[wave - 1]!;
  // What is promoted can't be aborted any more.
  return shown(walk(query, state.isPromoted ? state : { ...state, isAborted: true, waitIsOver: false })).waves;
}

/** The row at which an abort finds most new pods before they are promoted: the last one. */
function abortOf(query: RolloutQuery, { states, rows, skippedAfter, skipped }: Walk): ArgoRolloutAbort | undefined {
  const index = states.findLastIndex(({ isPromoted, isActive, next }) => !isPromoted && !isActive && next.size > 0);
  if (index < 0) return undefined;
  const back = walk(query, { ...states[index]!, isAborted: true, waitIsOver: false });
  const from = rows[index]!;
  return {
    afterWave: index + 1 + (index >= skippedAfter ? skipped : 0),
    waves: shown(back).waves,
    peakPods: peakOf(back.rows, from.newPods + from.oldPods),
    minAvailable: leastOf(back.rows, from.available),
  };
}

function limitsOf(strategy: RolloutStrategy, replicas: number): { readonly surge: number; readonly unavailable: number } {
  return strategy.type === 'canary' && !strategy.isRouted ? canaryLimits(strategy, replicas) : { surge: 0, unavailable: 0 };
}

function startOf({ strategy, replicas, behaviour }: RolloutQuery): RolloutState {
  const routed = strategy.type === 'canary' && strategy.isRouted ? strategy : undefined;
  const pods = routed ? podsAtLeast(replicas, { canary: routed, replicas, behaviour }) : replicas;
  return atRest(pods, routed && { canary: 0, stable: routed.maxWeight });
}

/** How long it waits for the clock, and not for pods or people. */
function waitsOf(rows: readonly Row[]): number {
  return rows.reduce((total, { seconds = 0 }) => total + seconds, 0);
}

/**
 * How Argo Rollouts replaces the pods of a Rollout at rest, row by row: a row is what stands once the controller has nothing left to do,
 * and `until` says what it waits for. Then all new pods get ready, the seconds are over, somebody promotes, or a gate passes.
 *
 * Held to recordings of the real controller (`test/upstream/argo-rollouts.test.ts`).
 */
export function simulateArgoRollout(query: RolloutQuery): ArgoRolloutSimulation {
  const { strategy, replicas } = query;
  const walked = walk(query, startOf(query));
  const { rows, states } = walked;
  const { waves, elided } = shown(walked);
  const halt = waves.find(({ until }) => until === 'promotion');
  const leftOver = states.at(-1)!.isPromoted ? states.at(-1)!.old.size : 0;
  const abort = abortOf(query, walked);
  const maxWeight = strategy.type === 'blueGreen' ? 100 : strategy.isRouted ? (strategy satisfies Canary).maxWeight : undefined;
  return {
    kind: 'argorollout',
    type: strategy.type,
    replicas,
    ...limitsOf(strategy, replicas),
    ...(maxWeight !== undefined && { maxWeight }),
    waves,
    peakPods: peakOf(rows, replicas),
    minAvailable: leastOf(rows, replicas),
    waitSeconds: waitsOf(rows),
    ...(halt && { halted: { wave: halt.wave, reason: 'promotion' } as const }),
    ...(leftOver > 0 && { leftOver }),
    ...(abort && { abort }),
    ...(elided > 0 && { elided }),
  };
}

/** The rows of a rollout of whose pods at most `room` run at once, and where it stands still for that. */
export function rowsWithin(query: RolloutQuery, room: number): Pick<Walk, 'rows' | 'standsAt'> {
  return walk({ ...query, room }, startOf(query));
}

/** All states of a rollout at rest, for whoever aborts it somewhere. */
export function rolloutStates(query: RolloutQuery): readonly RolloutState[] {
  return walk(query, startOf(query)).states;
}
