import { DEFAULT_ROW_LIMIT } from '../../core/simulations/row-limit';
import type { GroupState } from '../../cluster/initial-state';
import type { RowLimit } from '../../core/simulations/row-limit';
import type { LeaderWorkerSetSimulation, LeaderWorkerSetWave } from '../../core/simulations/leaderworkerset';
import { findMax, findMin } from '../../core/min-max';
import { skipRepeatedWaves } from './skip-repeated-waves';
import type { SteadyWaveState } from './skip-repeated-waves';
import { createGroups, isSameGroups, mapGroups, countGroups, withGroupState } from './groups';
import type { Groups } from './groups';
import { replaceLeaders as replacedGroups, scaleLeaders } from './leader-set';
import { reconcileLeaderSet } from './reconcile';
import type { GroupLimits, LeaderSet } from './reconcile';
import type { LwsBehaviour } from './versions';

/** A rollout to simulate. */
export interface GroupRollout {
  readonly limits: GroupLimits;
  /** Pods of a group. */
  readonly size: number;
  readonly behaviour: LwsBehaviour;
  /** What the StatefulSet controller holds to with so many leaders; undefined where the API server drops the field. */
  readonly leaderLimit: ((leaders: number) => number) | undefined;
  /** Does the API server refuse the StatefulSet of the leaders? Then nothing moves. */
  readonly isRejected: boolean;
  /** Does it refuse that of the workers of every group that is made anew? Such a group is never more than its leader. @default false */
  readonly lacksWorkers?: boolean;
  /** Groups that run before, all ready. @default - the replicas */
  readonly initialGroupCount?: number;
  /** The groups that run before, where they are known one by one. @default - `before` of them, of the old version and ready */
  readonly initialGroups?: Groups;
  /** Do groups of the old version that are not ready before stay so until they are replaced? @default false */
  readonly keepsUnready?: boolean;
  /** Groups that find room at once. @default Infinity */
  readonly capacity?: number;
}

function createReadyOldGroups(initialGroups: number): Groups {
  return createGroups({ ready: true, updated: false }, initialGroups);
}

function isOld({ updated }: GroupState): boolean {
  return !updated;
}

function isReady({ ready }: GroupState): boolean {
  return ready;
}

/** The groups before the rollout. */
function getInitialGroups({
  limits,
  initialGroupCount = limits.replicas,
  initialGroups = createReadyOldGroups(initialGroupCount),
}: GroupRollout): Groups {
  return initialGroups;
}

interface State {
  readonly leader: LeaderSet;
  readonly groups: Groups;
  /** Ordinals that wait to become ready, in the order in which they were made; of neighbours the lowest first. */
  readonly waiting: readonly (readonly [from: number, to: number])[];
}

/** Groups that are not ready, as spans of ordinals. */
function listUnreadySpans(initialGroups: Groups): (readonly [number, number])[] {
  let from = 0;
  return initialGroups.flatMap(({ ready, length }) => {
    const span = [from, (from += length)] as const;
    return ready ? [] : [span];
  });
}

/** The groups as the controller of LeaderWorkerSets sees them: one without its workers is neither ready nor of the new revision. */
function toObservedGroups(initialGroups: Groups, { lacksWorkers }: GroupRollout): Groups {
  if (!lacksWorkers) return initialGroups;
  return initialGroups.map(({ length, ...state }) => (state.updated ? { length, ready: false, updated: false } : { length, ...state }));
}

/** Both controllers work until neither has anything left to do. */
function reconcileUntilStable(rollout: GroupRollout, state: State, isNew: boolean): State {
  const { limits, behaviour, leaderLimit } = rollout;
  let { leader, groups: initialGroups } = state;
  for (let seesNew = isNew; ; seesNew = false) {
    const next = reconcileLeaderSet(limits, leader, toObservedGroups(initialGroups, rollout), seesNew, behaviour);
    const scaledGroups = scaleLeaders(initialGroups, next);
    const after = replacedGroups(scaledGroups, next, leaderLimit?.(next.replicas));
    const isSame = next.partition === leader.partition && next.replicas === leader.replicas && isSameGroups(after, initialGroups);
    leader = next;
    initialGroups = after;
    if (isSame && !seesNew) return { ...state, leader, groups: initialGroups };
  }
}

/** The groups made since, behind those that wait already; what is gone waits no more. */
function updateWaitQueue(initialGroupCount: State, initialGroups: Groups): State['waiting'] {
  const total = countGroups(initialGroups);
  const stillWaiting = initialGroupCount.waiting
    .map(([from, to]) => [from, Math.min(to, total)] as const)
    .filter(([from, to]) => to > from);
  let fresh = listUnreadySpans(initialGroups);
  for (const [from, to] of stillWaiting) {
    fresh = fresh.flatMap(([start, end]): (readonly [number, number])[] => {
      if (to <= start || from >= end) return [[start, end]];
      return [[start, from] as const, [to, end] as const].filter(([a, b]) => b > a);
    });
  }
  // A surge group is made before an old one is deleted, so it is the first for the room that this leaves.
  const previousTotal = countGroups(initialGroupCount.groups);
  const inTwo = (from: number, to: number) => fresh.map(([start, end]) => [Math.max(start, from), Math.min(end, to)] as const);
  return [...stillWaiting, ...inTwo(previousTotal, Infinity), ...inTwo(0, previousTotal)].filter(([start, end]) => end > start);
}

/** As many of the groups that wait as find room become ready. */
function startWaitingGroups(state: State, { capacity = Infinity, keepsUnready = false }: GroupRollout): State {
  const markReady = ({ ready, updated }: GroupState) => ({ ready: ready || updated || !keepsUnready, updated });
  let free = capacity - countGroups(state.groups, ({ ready }) => ready);
  let { groups: initialGroups } = state;
  const waiting: (readonly [number, number])[] = [];
  for (const [from, to] of state.waiting) {
    const end = Math.max(from, Math.min(to, from + free));
    free -= end - from;
    initialGroups = mapGroups(initialGroups, from, end, markReady);
    if (end < to) waiting.push([end, to]);
  }
  return { ...state, groups: initialGroups, waiting };
}

function rowOf({ groups: initialGroups }: State, wave: number, rollout: GroupRollout): LeaderWorkerSetWave {
  const total = countGroups(initialGroups);
  const newGroups = countGroups(initialGroups, ({ updated }) => updated);
  const available = countGroups(toObservedGroups(initialGroups, rollout), ({ ready }) => ready);
  return { wave, newGroups, oldGroups: total - newGroups, total, available };
}

function isSameRow(a: LeaderWorkerSetWave, b: LeaderWorkerSetWave): boolean {
  return a.newGroups === b.newGroups && a.oldGroups === b.oldGroups && a.available === b.available;
}

/** Undefined where the groups are not all ready, those of the old revision below the new ones. */
function waveStateOf({ groups: initialGroups, leader }: State): SteadyWaveState | undefined {
  const [low, high] = initialGroups;
  const isPlain =
    initialGroups.every(({ ready }) => ready) &&
    (initialGroups.length < 2 || (initialGroups.length === 2 && !low!.updated && high!.updated));
  return isPlain ? { old: countGroups(initialGroups, isOld), total: countGroups(initialGroups), partition: leader.partition } : undefined;
}

/** Every group ready, those below `old` of the old revision. */
function toState({ old, total, partition }: SteadyWaveState): State {
  const initialGroups = withGroupState(createReadyOldGroups(old), old, total, { ready: true, updated: true });
  return { leader: { replicas: total, partition }, groups: initialGroups, waiting: [] };
}

/** Waves after which a rollout short of room is taken to go on without end. */
const MAX_WAVES = 20_000;

interface WaveRun {
  readonly rows: readonly LeaderWorkerSetWave[];
  /** Rows that were not gone through, after the first 1,000. */
  readonly skippedWaves: number;
  readonly last: State;
}

function runWaves(rollout: GroupRollout, shown: RowLimit): WaveRun {
  const { limits, leaderLimit } = rollout;
  const mayBeStuck = rollout.capacity !== undefined || rollout.lacksWorkers === true || rollout.keepsUnready === true;
  const rows: LeaderWorkerSetWave[] = [];
  let skippedWaves = 0;
  const initialGroups = getInitialGroups(rollout);
  let state: State = { leader: { replicas: countGroups(initialGroups), partition: 0 }, groups: initialGroups, waiting: [] };
  let waveStates: readonly SteadyWaveState[] = [];
  for (;;) {
    const next = reconcileUntilStable(rollout, state, rows.length === 0);
    const row = rowOf(next, rows.length + skippedWaves + 1, rollout);
    // Groups that were not ready before are all that a first row may wait for.
    const waits = rows.length === 0 && !state.groups.every(isReady);
    if ((!waits && isSameRow(rowOf(state, 0, rollout), row)) || (mayBeStuck && rows.length >= MAX_WAVES))
      return { rows, skippedWaves, last: next };
    rows.push(row);
    state = startWaitingGroups({ ...next, waiting: updateWaitQueue(state, next.groups) }, rollout);
    if (mayBeStuck || rows.length < shown.maxRows - 2) continue;
    const waveState = waveStateOf(state);
    waveStates = waveState ? [...waveStates.slice(-2), waveState] : [];
    const skip =
      rows.length < shown.maxRows ? undefined : skipRepeatedWaves(limits, waveStates, shown.atEachEnd, (leaders) => leaderLimit?.(leaders));
    if (!skip) continue;
    skippedWaves += skip.waves;
    state = toState(skip.to);
    waveStates = [];
  }
}

const EMPTY_RUN: WaveRun = {
  rows: [],
  skippedWaves: 0,
  last: { leader: { replicas: 0, partition: 0 }, groups: [], waiting: [] },
};

/**
 * What the controller of LeaderWorkerSets and that of StatefulSets do, wave by wave: both work until nothing is left to do,
 * the row is recorded, then every group that is not ready and finds room becomes ready.
 *
 * 4 groups, maxSurge 1, maxUnavailable 0: a surge group comes, then groups 3, 2, 1 and 0 are replaced one by one, and it goes.
 *
 * Source: lws pkg/controllers/leaderworkerset_controller.go; of the StatefulSet k/k pkg/controller/statefulset/stateful_set_control.go.
 *
 * @param shown how many rows stand whole, and how many at each end of longer lists
 */
export function simulateGroups(rollout: GroupRollout, shown: RowLimit = DEFAULT_ROW_LIMIT): LeaderWorkerSetSimulation {
  const { limits, size, leaderLimit, isRejected, lacksWorkers = false, capacity } = rollout;
  const { replicas, surge, unavailable, partition } = limits;
  const initialGroups = getInitialGroups(rollout);
  const initialGroupCount = countGroups(initialGroups);
  const run =
    isRejected || Math.max(replicas, initialGroupCount) === 0
      ? { ...EMPTY_RUN, last: { ...EMPTY_RUN.last, groups: initialGroups } }
      : runWaves(rollout, shown);
  const { rows, skippedWaves, last } = run;
  const peakGroups = findMax(
    rows.map(({ total }) => total),
    initialGroupCount,
  );
  const total = countGroups(last.groups);
  const oldGroups = countGroups(last.groups, isOld) - countGroups(last.groups, isOld, partition);
  const all = rows.length + skippedWaves;
  const remainingOldGroups = capacity !== undefined && rows.length >= MAX_WAVES ? 0 : oldGroups;
  const isShown = all <= shown.maxRows;
  return {
    kind: 'leaderworkerset',
    replicas,
    size,
    surge,
    unavailable,
    partition,
    leaderLimit: leaderLimit?.(replicas + surge) ?? 1,
    waves: isShown ? rows : [...rows.slice(0, shown.atEachEnd), ...rows.slice(-shown.atEachEnd)],
    peakGroups,
    peakPods: peakGroups * size,
    minAvailable: findMin(
      rows.map(({ available }) => available),
      countGroups(initialGroups, isReady),
    ),
    ...(total > replicas && remainingOldGroups <= 0 && { remainingSurge: total - replicas }),
    ...(remainingOldGroups > 0 && {
      halted: { wave: all, groups: remainingOldGroups, reason: isRejected || lacksWorkers ? 'refused' : 'no-step' },
    }),
    ...(!isShown && { elided: all - 2 * shown.atEachEnd }),
  };
}
