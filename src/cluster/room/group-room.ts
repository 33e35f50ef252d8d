import { least } from '../../core/extremes';
import { counted } from '../../core/words';
import type { RoomVerdict } from '../../core/room';
import type { FewerGroups, GroupPods, RoomOutcome } from '../workload';
import { firstShortRow, lacksOf } from './cluster-room';
import { moreNodesFor } from './placement';
import type { JudgedRoom, Limits } from './rollout-room';
import { courseText, roomFound } from './shortage';
import { unmodelledConstraints } from './unmodelled';

type Groups = Pick<GroupPods, 'podSets' | 'rows' | 'fewer'>;
type Row = readonly number[];

function podsIn(row: Row): number {
  return row.reduce((sum, pods) => sum + pods, 0);
}

function peakOf(rows: readonly Row[]): Row {
  return rows.reduce((peak, row) => (podsIn(row) > podsIn(peak) ? row : peak));
}

/** The most groups, fewer than those of the peak, whose pods all find room at once. */
function groupsWithRoom({ podSets }: Groups, { perGroup }: FewerGroups, peak: Row, limits: Limits): number {
  let [fits, lacks] = [0, podsIn(peak) / podsIn(perGroup)];
  while (lacks - fits > 1) {
    const tried = Math.floor((fits + lacks) / 2);
    const row = perGroup.map((pods) => tried * pods);
    if (lacksOf(podSets, row, limits).length > 0) lacks = tried;
    else fits = tried;
  }
  return fits;
}

interface Course {
  readonly outcome: RoomOutcome;
  readonly podsWithRoom: number;
  /** The row that tells what is lacking. */
  readonly row: Row;
}

/** Where groups are not alike, nothing goes on before the pods of a row run: the first row is the one before anything moves. */
function courseOf(groups: Groups, shortRow: number, limits: Limits): Course {
  const { podSets, rows, fewer } = groups;
  const peak = peakOf(rows);
  if (fewer) {
    const room = groupsWithRoom(groups, fewer, peak, limits);
    return { outcome: fewer.outcome(room), podsWithRoom: room * podsIn(fewer.perGroup), row: peak };
  }
  const row = rows[shortRow]!;
  const podsWithRoom = least(lacksOf(podSets, row, limits).map(({ pods }) => pods));
  const verdict: RoomVerdict = 'deadlocks';
  return { outcome: { verdict, deadlockWave: Math.max(1, shortRow) }, podsWithRoom, row };
}

/**
 * Judges a rollout of groups while the pods of the others stay as they are; undefined where nothing limits it.
 *
 * A group runs once all of its pods have room: one with room for a part of them holds that part and waits.
 */
export function groupRoom(groups: Groups, limits: Limits): JudgedRoom | undefined {
  const { podSets, rows } = groups;
  if (rows.length === 0 || (!limits.steady && podSets.every((podSet) => limits.resourcesOf(podSet).length === 0))) return undefined;
  const peakPods = podsIn(peakOf(rows));
  if (peakPods === 0) return undefined;
  const shortRow = firstShortRow(podSets, rows, limits);
  if (shortRow < 0) {
    return { verdict: roomFound(peakPods, peakPods, unmodelledConstraints(podSets)), delay: { deadlocks: false, podsWithRoom: peakPods } };
  }
  const { outcome, podsWithRoom, row } = courseOf(groups, shortRow, limits);
  const lacks = lacksOf(podSets, row, limits);
  const { shortage, refusal } = lacks.reduce((fewest, next) => (next.pods < fewest.pods ? next : fewest));
  const homeless = lacks.length === 1 ? lacks[0]!.homeless : undefined;
  const moreNodes = homeless && moreNodesFor(limits.nodePools, homeless, limits.memory);
  const deadlocks = outcome.verdict === 'deadlocks';
  const { iterations } = outcome;
  const course = deadlocks
    ? `deadlocks at wave ${outcome.deadlockWave}`
    : `takes ${counted(iterations ?? rows.length, 'wave')}, with fewer groups at once`;
  return {
    verdict: {
      ...outcome,
      peakPods,
      podsWithRoom,
      shortage,
      ...(moreNodes && { moreNodes }),
      message: courseText(course, shortage, moreNodes),
    },
    delay: { deadlocks, podsWithRoom, ...(iterations !== undefined && { iterations }) },
    ...(refusal && { refusal }),
  };
}
