import { greatest } from '../../core/extremes';
import { counted } from '../../core/words';
import type { GroupPods } from '../workload';
import { firstShortRow, lacksOf } from './cluster-room';
import type { JudgedRoom, Limits } from './rollout-room';
import { moreNodesFor } from './placement';
import { courseText, roomFound } from './shortage';
import { unmodelledConstraints } from './unmodelled';

type Groups = Pick<GroupPods, 'podSets' | 'perGroup' | 'rows' | 'outcome'>;

function podsOf(groups: number, perGroup: readonly number[]): number[] {
  return perGroup.map((pods) => groups * pods);
}

/** Pods of each set at every wave. */
export function groupRows(rows: readonly number[], perGroup: readonly number[]): number[][] {
  return rows.map((groups) => podsOf(groups, perGroup));
}

/** The most groups, fewer than `peak`, whose pods all find room at once. */
function groupsWithRoom({ podSets, perGroup }: Groups, peak: number, limits: Limits): number {
  let [fits, lacks] = [0, peak];
  while (lacks - fits > 1) {
    const tried = Math.floor((fits + lacks) / 2);
    if (lacksOf(podSets, podsOf(tried, perGroup), limits).length > 0) lacks = tried;
    else fits = tried;
  }
  return fits;
}

/**
 * Judges a rollout of groups while the pods of the others stay as they are; undefined where nothing limits it.
 *
 * A group runs once all of its pods have room: one with room for a part of them holds that part and waits.
 */
export function groupRoom(groups: Groups, limits: Limits): JudgedRoom | undefined {
  const { podSets, perGroup, rows } = groups;
  if (rows.length === 0 || (!limits.steady && podSets.every((podSet) => limits.resourcesOf(podSet).length === 0))) return undefined;
  const peak = greatest(rows);
  const size = perGroup.reduce((sum, pods) => sum + pods, 0);
  const peakPods = peak * size;
  if (firstShortRow(podSets, groupRows(rows, perGroup), limits) < 0) {
    return { verdict: roomFound(peakPods, peakPods, unmodelledConstraints(podSets)), delay: { deadlocks: false, podsWithRoom: peakPods } };
  }
  const room = groupsWithRoom(groups, peak, limits);
  const lacks = lacksOf(podSets, podsOf(peak, perGroup), limits);
  const { shortage, refusal } = lacks.reduce((least, next) => (next.pods < least.pods ? next : least));
  const homeless = lacks.length === 1 ? lacks[0]!.homeless : undefined;
  const moreNodes = homeless && moreNodesFor(limits.nodePools, homeless);
  const outcome = groups.outcome(room);
  const deadlocks = outcome.verdict === 'deadlocks';
  const podsWithRoom = room * size;
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
