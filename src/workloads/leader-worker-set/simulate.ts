import { SHOWN_ROWS } from '../../core/simulations/shown-rows';
import type { GroupState } from '../../cluster/starting-point';
import type { ShownRows } from '../../core/simulations/shown-rows';
import type { LeaderWorkerSetSimulation, LeaderWorkerSetWave } from '../../core/simulations/leaderworkerset';
import { greatest, least } from '../../core/extremes';
import { alikeWaves } from './alike-waves';
import type { Standing } from './alike-waves';
import { allIn, areSame, changed, countOf, withState } from './groups';
import type { Groups } from './groups';
import { replaced as replacedGroups, scaled } from './leader-set';
import { turn } from './turn';
import type { GroupLimits, LeaderSet } from './turn';
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
  readonly isRefused: boolean;
  /** Does it refuse that of the workers of every group that is made anew? Such a group is never more than its leader. @default false */
  readonly leadersAlone?: boolean;
  /** Groups that run before, all ready. @default - the replicas */
  readonly before?: number;
  /** The groups that run before, where they are known one by one. @default - `before` of them, of the old version and ready */
  readonly groups?: Groups;
  /** Do groups of the old version that are not ready before stay so until they are replaced? @default false */
  readonly staysDown?: boolean;
  /** Groups that find room at once. @default Infinity */
  readonly room?: number;
}

function atRest(groups: number): Groups {
  return allIn({ ready: true, updated: false }, groups);
}

function isOld({ updated }: GroupState): boolean {
  return !updated;
}

function isReady({ ready }: GroupState): boolean {
  return ready;
}

/** The groups before the rollout. */
function groupsBefore({ limits, before = limits.replicas, groups = atRest(before) }: GroupRollout): Groups {
  return groups;
}

interface State {
  readonly leader: LeaderSet;
  readonly groups: Groups;
  /** Ordinals that wait to become ready, in the order in which they were made; of neighbours the lowest first. */
  readonly waiting: readonly (readonly [from: number, to: number])[];
}

/** Groups that are not ready, as spans of ordinals. */
function unreadySpans(groups: Groups): (readonly [number, number])[] {
  let from = 0;
  return groups.flatMap(({ ready, length }) => {
    const span = [from, (from += length)] as const;
    return ready ? [] : [span];
  });
}

/** The groups as the controller of LeaderWorkerSets sees them: one without its workers is neither ready nor of the new revision. */
function seenGroups(groups: Groups, { leadersAlone }: GroupRollout): Groups {
  if (!leadersAlone) return groups;
  return groups.map(({ length, ...state }) => (state.updated ? { length, ready: false, updated: false } : { length, ...state }));
}

/** Both controllers work until neither has anything left to do. */
function settled(rollout: GroupRollout, state: State, isNew: boolean): State {
  const { limits, behaviour, leaderLimit } = rollout;
  let { leader, groups } = state;
  for (let seesNew = isNew; ; seesNew = false) {
    const next = turn(limits, leader, seenGroups(groups, rollout), seesNew, behaviour);
    const made = scaled(groups, next);
    const after = replacedGroups(made, next, leaderLimit?.(next.replicas));
    const isSame = next.partition === leader.partition && next.replicas === leader.replicas && areSame(after, groups);
    leader = next;
    groups = after;
    if (isSame && !seesNew) return { ...state, leader, groups };
  }
}

/** The groups made since, behind those that wait already; what is gone waits no more. */
function queued(before: State, groups: Groups): State['waiting'] {
  const total = countOf(groups);
  const still = before.waiting.map(([from, to]) => [from, Math.min(to, total)] as const).filter(([from, to]) => to > from);
  let fresh = unreadySpans(groups);
  for (const [from, to] of still) {
    fresh = fresh.flatMap(([start, end]): (readonly [number, number])[] => {
      if (to <= start || from >= end) return [[start, end]];
      return [[start, from] as const, [to, end] as const].filter(([a, b]) => b > a);
    });
  }
  // A surge group is made before an old one is deleted, so it is the first for the room that this leaves.
  const known = countOf(before.groups);
  const inTwo = (from: number, to: number) => fresh.map(([start, end]) => [Math.max(start, from), Math.min(end, to)] as const);
  return [...still, ...inTwo(known, Infinity), ...inTwo(0, known)].filter(([start, end]) => end > start);
}

/** As many of the groups that wait as find room become ready. */
function started(state: State, { room = Infinity, staysDown = false }: GroupRollout): State {
  const readied = ({ ready, updated }: GroupState) => ({ ready: ready || updated || !staysDown, updated });
  let free = room - countOf(state.groups, ({ ready }) => ready);
  let { groups } = state;
  const waiting: (readonly [number, number])[] = [];
  for (const [from, to] of state.waiting) {
    const end = Math.max(from, Math.min(to, from + free));
    free -= end - from;
    groups = changed(groups, from, end, readied);
    if (end < to) waiting.push([end, to]);
  }
  return { ...state, groups, waiting };
}

function rowOf({ groups }: State, wave: number, rollout: GroupRollout): LeaderWorkerSetWave {
  const total = countOf(groups);
  const newGroups = countOf(groups, ({ updated }) => updated);
  const available = countOf(seenGroups(groups, rollout), ({ ready }) => ready);
  return { wave, newGroups, oldGroups: total - newGroups, total, available };
}

function isSameRow(a: LeaderWorkerSetWave, b: LeaderWorkerSetWave): boolean {
  return a.newGroups === b.newGroups && a.oldGroups === b.oldGroups && a.available === b.available;
}

/** Undefined where the groups are not all ready, those of the old revision below the new ones. */
function standingOf({ groups, leader }: State): Standing | undefined {
  const [low, high] = groups;
  const isPlain = groups.every(({ ready }) => ready) && (groups.length < 2 || (groups.length === 2 && !low!.updated && high!.updated));
  return isPlain ? { old: countOf(groups, isOld), total: countOf(groups), partition: leader.partition } : undefined;
}

/** Every group ready, those below `old` of the old revision. */
function stateAt({ old, total, partition }: Standing): State {
  const groups = withState(atRest(old), old, total, { ready: true, updated: true });
  return { leader: { replicas: total, partition }, groups, waiting: [] };
}

/** Waves after which a rollout short of room is taken to go on without end. */
const MOST_WAVES = 20_000;

interface Course {
  readonly rows: readonly LeaderWorkerSetWave[];
  /** Rows that were not gone through, after the first 1,000. */
  readonly alike: number;
  readonly last: State;
}

function course(rollout: GroupRollout, shown: ShownRows): Course {
  const { limits, leaderLimit } = rollout;
  const mayBeStuck = rollout.room !== undefined || rollout.leadersAlone === true || rollout.staysDown === true;
  const rows: LeaderWorkerSetWave[] = [];
  let alike = 0;
  const groups = groupsBefore(rollout);
  let state: State = { leader: { replicas: countOf(groups), partition: 0 }, groups, waiting: [] };
  let standings: readonly Standing[] = [];
  for (;;) {
    const next = settled(rollout, state, rows.length === 0);
    const row = rowOf(next, rows.length + alike + 1, rollout);
    // Groups that were not ready before are all that a first row may wait for.
    const waits = rows.length === 0 && !state.groups.every(isReady);
    if ((!waits && isSameRow(rowOf(state, 0, rollout), row)) || (mayBeStuck && rows.length >= MOST_WAVES))
      return { rows, alike, last: next };
    rows.push(row);
    state = started({ ...next, waiting: queued(state, next.groups) }, rollout);
    if (mayBeStuck || rows.length < shown.whole - 2) continue;
    const standing = standingOf(state);
    standings = standing ? [...standings.slice(-2), standing] : [];
    const skip =
      rows.length < shown.whole ? undefined : alikeWaves(limits, standings, shown.atEachEnd, (leaders) => leaderLimit?.(leaders));
    if (!skip) continue;
    alike += skip.waves;
    state = stateAt(skip.to);
    standings = [];
  }
}

const NOTHING: Course = {
  rows: [],
  alike: 0,
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
export function simulateGroups(rollout: GroupRollout, shown: ShownRows = SHOWN_ROWS): LeaderWorkerSetSimulation {
  const { limits, size, leaderLimit, isRefused, leadersAlone = false, room } = rollout;
  const { replicas, surge, unavailable, partition } = limits;
  const groups = groupsBefore(rollout);
  const before = countOf(groups);
  const runs = isRefused || Math.max(replicas, before) === 0 ? { ...NOTHING, last: { ...NOTHING.last, groups } } : course(rollout, shown);
  const { rows, alike, last } = runs;
  const peakGroups = greatest(
    rows.map(({ total }) => total),
    before,
  );
  const total = countOf(last.groups);
  const oldGroups = countOf(last.groups, isOld) - countOf(last.groups, isOld, partition);
  const all = rows.length + alike;
  const left = room !== undefined && rows.length >= MOST_WAVES ? 0 : oldGroups;
  const isShown = all <= shown.whole;
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
    minAvailable: least(
      rows.map(({ available }) => available),
      countOf(groups, isReady),
    ),
    ...(total > replicas && left <= 0 && { surgeLeft: total - replicas }),
    ...(left > 0 && { halted: { wave: all, groups: left, reason: isRefused || leadersAlone ? 'refused' : 'no-step' } }),
    ...(!isShown && { elided: all - 2 * shown.atEachEnd }),
  };
}
