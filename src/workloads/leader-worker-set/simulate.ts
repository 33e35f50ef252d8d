import { DEFAULT_ROW_LIMIT } from '../../core/simulations/row-limit';
import type { GroupState } from '../../cluster/rollout/initial-state';
import type { LimitedRun, RunLimits } from '../../cluster/rollout/limited-run';
import type { RowLimit } from '../../core/simulations/row-limit';
import type { LeaderWorkerSetSimulation, LeaderWorkerSetWave } from '../../core/simulations/leaderworkerset';
import { createCapacityHalt } from '../../core/simulations/halt';
import { findMax, findMin } from '../../core/values/min-max';
import { skipRepeatedWaves } from './skip-repeated-waves';
import type { SteadyWaveState } from './skip-repeated-waves';
import { createGroups, isDone, isSameGroups, mapGroups, countGroups, withGroupState } from './groups';
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
  /** Limits on its new groups. @default - all of them exist and run */
  readonly runLimits?: RunLimits | undefined;
  /** Whether groups that wait together may leave each other without enough pods. @default false */
  readonly mayCompete?: boolean;
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

/** Lists the ordinals of the waiting groups whose leader runs although not all of their workers do, as spans. */
function listStartedLeaders({ groups, waiting }: State, { runLimits }: GroupRollout): (readonly [number, number])[] {
  if (!runLimits?.startedLeaders) return [];
  let left = runLimits.startedLeaders(countGroups(groups, isOld)) - countGroups(groups, isDone);
  return waiting.flatMap(([from, to]) => {
    const end = Math.min(to, from + Math.max(0, left));
    left -= end - from;
    return end > from ? [[from, end] as const] : [];
  });
}

/** Returns groups by whether their leader is ready, as the StatefulSet controller sees them. */
function toLeaders(groups: Groups, started: readonly (readonly [number, number])[]): Groups {
  const total = countGroups(groups);
  return started.reduce(
    (leaders, [from, to]) =>
      from >= total ? leaders : mapGroups(leaders, from, Math.min(to, total), (state) => ({ ...state, ready: true })),
    groups,
  );
}

/** Runs both controllers until neither has anything left to do. */
function reconcileUntilStable(rollout: GroupRollout, state: State, isNew: boolean): State {
  const { limits, behaviour, leaderLimit } = rollout;
  let { leader, groups } = state;
  const started = listStartedLeaders(state, rollout);
  for (let seesNew = isNew; ; seesNew = false) {
    const next = reconcileLeaderSet(limits, leader, toObservedGroups(groups, rollout), seesNew, behaviour);
    const scaledGroups = scaleLeaders(groups, next);
    const after = replaceLeaders(scaledGroups, next, leaderLimit?.(next.replicas), toLeaders(scaledGroups, started));
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

/**
 * Returns how many of the waiting groups fit. If fewer fit than wait, the pods of several groups compete, and it may be none.
 *
 * 2 groups of 2 pods wait, and there is capacity for 2 pods: each group may get one of them.
 */
function countFreeCapacity({ groups }: State, { capacity = Infinity, runLimits, size, mayCompete }: GroupRollout): number {
  if (runLimits) {
    const free = runLimits.placed(countGroups(groups, isOld)) - countGroups(groups, isDone);
    const waiting = countGroups(groups, ({ ready }) => !ready);
    return mayCompete === true && size > 1 && waiting > 1 && free < waiting ? 0 : free;
  }
  return capacity - countGroups(groups, isReady);
}

/** Makes as many of the waiting groups ready as fit. */
function startWaitingGroups(state: State, rollout: GroupRollout): State {
  const { keepsUnready = false } = rollout;
  const markReady = ({ ready, updated }: GroupState) => ({ ready: ready || updated || !keepsUnready, updated });
  let free = Math.max(0, countFreeCapacity(state, rollout));
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

/** Returns the new groups whose leader exists: those that are ready, and those that quotas admit. */
function countExistingGroups({ groups }: State, { runLimits }: GroupRollout): number {
  const updated = countGroups(groups, ({ updated: isNew }) => isNew);
  return runLimits ? Math.min(updated, Math.max(countGroups(groups, isDone), runLimits.admitted(countGroups(groups, isOld)))) : updated;
}

function rowOf(state: State, wave: number, rollout: GroupRollout): LeaderWorkerSetWave {
  const { groups } = state;
  const oldGroups = countGroups(groups, isOld);
  const newGroups = countExistingGroups(state, rollout);
  const available = countGroups(toObservedGroups(groups, rollout), isReady);
  return { wave, newGroups, oldGroups, total: newGroups + oldGroups, available };
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
  const mayBeStuck =
    rollout.capacity !== undefined || rollout.runLimits !== undefined || rollout.lacksWorkers === true || rollout.keepsUnready === true;
  const rows: LeaderWorkerSetWave[] = [];
  let skippedWaves = 0;
  const initialGroups = getInitialGroups(rollout);
  let state: State = { leader: { replicas: countGroups(initialGroups), partition: 0 }, groups: initialGroups, waiting: [] };
  let waveStates: readonly SteadyWaveState[] = [];
  const unlimited: GroupRollout = rollout.runLimits ? { ...rollout, runLimits: undefined } : rollout;
  let isFirst = true;
  for (let turns = 0; ; turns++) {
    const next = reconcileUntilStable(rollout, state, isFirst);
    // The first row may only wait for groups that were unready before.
    const waits = isFirst && !state.groups.every(isReady);
    const isSame = isSameRow(rowOf(state, 0, unlimited), rowOf(next, 0, unlimited));
    if ((!waits && isSame) || (mayBeStuck && turns >= MAX_WAVES)) return { rows, skippedWaves, last: next };
    isFirst = false;
    const row = rowOf(next, rows.length + skippedWaves + 1, rollout);
    // The controller continues while its new groups are refused.
    if (!rollout.runLimits || !isSameRow(rows.at(-1) ?? rowOf(state, 0, rollout), row)) rows.push(row);
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
  const isStuck = (capacity !== undefined || rollout.runLimits !== undefined) && countWaitingGroups(last, replicas) > 0;
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
    ...(total > replicas && remainingOldGroups <= 0 && !isStuck && { remainingSurge: total - replicas }),
    ...(remainingOldGroups > 0
      ? { halted: { wave: all, groups: remainingOldGroups, reason: isRejected || lacksWorkers ? 'refused' : 'no-step' } }
      : isStuck && { halted: createCapacityHalt(all) }),
    ...(!isShown && { elided: all - 2 * shown.atEachEnd }),
  };
}

/**
 * Counts the desired groups that wait for capacity in the end. Since LeaderWorkerSet 0.9, a surge group stays as long as one of them is not
 * ready, if none may be unavailable.
 *
 * 2 groups, maxSurge 1, maxUnavailable 0 and 2 places: the surge group 2 and group 1 take both, and group 0 waits for a place.
 *
 * Source: lws v0.9.0 pkg/controllers/leaderworkerset_controller.go, `calculateRollingUpdateReplicas`.
 */
function countWaitingGroups({ groups }: State, replicas: number): number {
  return countGroups(groups, ({ ready, updated }) => updated && !ready, replicas);
}

/** Counts the new groups that become ready after the last row, which no further row shows. */
function countLastReady(last: LeaderWorkerSetWave | undefined, { placed }: RunLimits): number {
  return last ? Math.min(last.newGroups, placed(last.oldGroups)) : 0;
}

/**
 * Simulates a rollout from a steady state under limits on its groups. Returns undefined if its groups are not all ready and old.
 *
 * @param ideal the rollout without limits
 * @param mayCompete whether groups that wait together may leave each other without enough pods
 */
export function simulateGroupsWithin(
  rollout: GroupRollout,
  ideal: LeaderWorkerSetSimulation,
  runLimits: RunLimits,
  mayCompete: boolean,
): LimitedRun<LeaderWorkerSetSimulation> | undefined {
  const { replicas } = rollout.limits;
  const groups = getInitialGroups(rollout);
  const isSteady = countGroups(groups) === replicas && countGroups(groups, ({ ready, updated }) => ready && !updated) === replicas;
  if (!isSteady || rollout.isRejected || ideal.elided !== undefined || ideal.waves.length === 0) return undefined;
  const inGroups = simulateGroups({ ...rollout, runLimits, mayCompete });
  const { waves, halted, size, elided } = inGroups;
  if (elided !== undefined) return undefined;
  const { podsAt = (old, next) => (old + next) * size } = runLimits;
  const peakPods = findMax(
    waves.map(({ oldGroups, newGroups }) => podsAt(oldGroups, newGroups)),
    replicas * size,
  );
  const simulation = { ...inGroups, peakPods };
  const last = waves.at(-1);
  const keptGroups = last?.oldGroups ?? replicas;
  const isFinished = halted === undefined && runLimits.placed(keptGroups) >= replicas - keptGroups;
  const rows = waves.length > 0 ? waves : [{ wave: 1, newGroups: 0, oldGroups: replicas, total: replicas, available: replicas }];
  return {
    simulation: isFinished ? simulation : { ...simulation, waves: rows, halted: createCapacityHalt(rows.length) },
    isFinished,
    isUnlimited: isFinished && waves.length === ideal.waves.length && waves.every((row, index) => isSameRow(row, ideal.waves[index]!)),
    ready: Math.max((last?.available ?? replicas) - keptGroups, mayCompete ? 0 : countLastReady(last, runLimits)),
    old: keptGroups,
    peakPods,
    startingRows: waves.length,
  };
}
