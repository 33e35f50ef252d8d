import { DEFAULT_ROW_LIMIT } from '../../core/simulations/row-limit';
import type { GroupState } from '../../cluster/initial-state';
import type { RowLimit } from '../../core/simulations/row-limit';
import type { LeaderWorkerSetSimulation, LeaderWorkerSetWave } from '../../core/simulations/leaderworkerset';
import { findMax, findMin } from '../../core/min-max';
import { skipRepeatedWaves } from './skip-repeated-waves';
import type { SteadyWaveState } from './skip-repeated-waves';
import { createGroups, isSameGroups, mapGroups, countGroups, withGroupState } from './groups';
import type { Groups } from './groups';
import { replaceLeaders, scaleLeaders } from './leader-set';
import { reconcileLeaderSet } from './reconcile';
import type { GroupLimits, LeaderSet } from './reconcile';
import type { LwsBehaviour } from './versions';

/** A rollout to simulate. */
export interface GroupRollout {
  readonly limits: GroupLimits;
  /** Pods of a group. */
  readonly size: number;
  readonly behaviour: LwsBehaviour;
  /** The limit of the StatefulSet controller by number of leaders. Undefined if the API server drops the field. */
  readonly leaderLimit: ((leaders: number) => number) | undefined;
  /** Whether the API server refuses the StatefulSet of the leaders, so that nothing is replaced. */
  readonly isRejected: boolean;
  /** Whether the API server refuses the workers of every new group, which then has only its leader. @default false */
  readonly lacksWorkers?: boolean;
  /** Groups that run before the rollout, all ready. @default - the replicas */
  readonly initialGroupCount?: number;
  /** The states of the groups before the rollout, if known. @default - `initialGroupCount` groups of the old version, all ready */
  readonly initialGroups?: Groups;
  /** Whether unready groups of the old version stay unready until they are replaced. @default false */
  readonly keepsUnready?: boolean;
  /** Groups that fit at once. @default Infinity */
  readonly capacity?: number;
}

function createReadyOldGroups(count: number): Groups {
  return createGroups({ ready: true, updated: false }, count);
}

function isOld({ updated }: GroupState): boolean {
  return !updated;
}

function isReady({ ready }: GroupState): boolean {
  return ready;
}

/** Returns the groups before the rollout. */
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
  /** Ordinals that wait to become ready, in order of creation. Groups created together are in order of their ordinals. */
  readonly waiting: readonly (readonly [from: number, to: number])[];
}

/** Lists the unready groups as spans of ordinals. */
function listUnreadySpans(groups: Groups): (readonly [number, number])[] {
  let from = 0;
  return groups.flatMap(({ ready, length }) => {
    const span = [from, (from += length)] as const;
    return ready ? [] : [span];
  });
}

/** Returns the groups as the LeaderWorkerSet controller sees them: a group without its workers is neither ready nor updated. */
function toObservedGroups(groups: Groups, { lacksWorkers }: GroupRollout): Groups {
  if (!lacksWorkers) return groups;
  return groups.map(({ length, ...state }) => (state.updated ? { length, ready: false, updated: false } : { length, ...state }));
}

/** Runs both controllers until neither has anything left to do. */
function reconcileUntilStable(rollout: GroupRollout, state: State, isNew: boolean): State {
  const { limits, behaviour, leaderLimit } = rollout;
  let { leader, groups } = state;
  for (let seesNew = isNew; ; seesNew = false) {
    const next = reconcileLeaderSet(limits, leader, toObservedGroups(groups, rollout), seesNew, behaviour);
    const scaledGroups = scaleLeaders(groups, next);
    const after = replaceLeaders(scaledGroups, next, leaderLimit?.(next.replicas));
    const isSame = next.partition === leader.partition && next.replicas === leader.replicas && isSameGroups(after, groups);
    leader = next;
    groups = after;
    if (isSame && !seesNew) return { ...state, leader, groups };
  }
}

/** Appends the newly created groups to the groups that already wait, and removes deleted ones. */
function updateWaitQueue(previousState: State, groups: Groups): State['waiting'] {
  const total = countGroups(groups);
  const stillWaiting = previousState.waiting.map(([from, to]) => [from, Math.min(to, total)] as const).filter(([from, to]) => to > from);
  let fresh = listUnreadySpans(groups);
  for (const [from, to] of stillWaiting) {
    fresh = fresh.flatMap(([start, end]): (readonly [number, number])[] => {
      if (to <= start || from >= end) return [[start, end]];
      return [[start, from] as const, [to, end] as const].filter(([a, b]) => b > a);
    });
  }
  // A surge group is created before an old one is deleted, so it is the first to use the capacity that this frees.
  const previousTotal = countGroups(previousState.groups);
  const inTwo = (from: number, to: number) => fresh.map(([start, end]) => [Math.max(start, from), Math.min(end, to)] as const);
  return [...stillWaiting, ...inTwo(previousTotal, Infinity), ...inTwo(0, previousTotal)].filter(([start, end]) => end > start);
}

/** Makes as many of the waiting groups ready as fit. */
function startWaitingGroups(state: State, { capacity = Infinity, keepsUnready = false }: GroupRollout): State {
  const markReady = ({ ready, updated }: GroupState) => ({ ready: ready || updated || !keepsUnready, updated });
  let free = capacity - countGroups(state.groups, ({ ready }) => ready);
  let { groups } = state;
  const waiting: (readonly [number, number])[] = [];
  for (const [from, to] of state.waiting) {
    const end = Math.max(from, Math.min(to, from + free));
    free -= end - from;
    groups = mapGroups(groups, from, end, markReady);
    if (end < to) waiting.push([end, to]);
  }
  return { ...state, groups, waiting };
}

function rowOf({ groups }: State, wave: number, rollout: GroupRollout): LeaderWorkerSetWave {
  const total = countGroups(groups);
  const newGroups = countGroups(groups, ({ updated }) => updated);
  const available = countGroups(toObservedGroups(groups, rollout), ({ ready }) => ready);
  return { wave, newGroups, oldGroups: total - newGroups, total, available };
}

function isSameRow(a: LeaderWorkerSetWave, b: LeaderWorkerSetWave): boolean {
  return a.newGroups === b.newGroups && a.oldGroups === b.oldGroups && a.available === b.available;
}

/** Returns the state between two waves. Undefined unless all groups are ready and the old ones are below the new ones. */
function waveStateOf({ groups, leader }: State): SteadyWaveState | undefined {
  const [low, high] = groups;
  const isPlain = groups.every(({ ready }) => ready) && (groups.length < 2 || (groups.length === 2 && !low!.updated && high!.updated));
  return isPlain ? { old: countGroups(groups, isOld), total: countGroups(groups), partition: leader.partition } : undefined;
}

/** Expands a state in which every group is ready and those below `old` have the old revision. */
function toState({ old, total, partition }: SteadyWaveState): State {
  const groups = withGroupState(createReadyOldGroups(old), old, total, { ready: true, updated: true });
  return { leader: { replicas: total, partition }, groups, waiting: [] };
}

/** The number of waves after which a rollout without enough capacity is considered endless. */
const MAX_WAVES = 20_000;

interface WaveRun {
  readonly rows: readonly LeaderWorkerSetWave[];
  /** Rows after the first 1,000 that were skipped. */
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
    // The first row may only wait for groups that were unready before.
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
 * Simulates the LeaderWorkerSet and StatefulSet controllers, wave by wave. Both run until nothing is left to do,
 * the row is recorded, then every unready group that fits becomes ready.
 *
 * 4 groups, maxSurge 1, maxUnavailable 0: a surge group is created, groups 3, 2, 1 and 0 are replaced one by one, and it is deleted.
 *
 * Source: lws pkg/controllers/leaderworkerset_controller.go; for the StatefulSet k/k pkg/controller/statefulset/stateful_set_control.go.
 *
 * @param shown the number of rows that are listed in full, and the number at each end of longer lists
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
