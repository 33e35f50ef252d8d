import type { JudgedRoom, Limits } from './rollout-room';
import { OTHER_UNITS, roomFound } from './shortage';

/**
 * Judges a rollout, and says no more than that it may fit where it fits beside what belongs to it alone,
 * and not beside the pods of all other units that share a capacity or a quota with it.
 *
 * Nobody knows whether other units run in the same cluster, so what they use is never an error.
 */
export function besideOthers<Rollout, Room extends Pick<JudgedRoom, 'verdict'>>(
  judge: (rollout: Rollout, limits: Limits) => Room | undefined,
  rollout: Rollout,
  limits: Limits,
): Room | undefined {
  const room = judge(rollout, limits);
  if (room?.verdict.verdict !== 'fits' || limits.besideOthers === undefined) return room;
  const isShort = judge(rollout, limits.besideOthers)?.verdict.shortage !== undefined;
  const { peakPods, podsWithRoom } = room.verdict;
  return isShort ? { ...room, verdict: roomFound(peakPods, podsWithRoom, [OTHER_UNITS]) } : room;
}
