import { message, partOf } from '../../core/finding';
import type { Finding } from '../../core/finding';
import type { MoreNodes, Shortage } from '../../core/room';
import { capitalised, counted } from '../../core/words';
import { refusalText } from '../room/refusal';
import type { Refusal } from '../room/refusal';
import { moreRoom, refusalAdvice } from '../room/room-advice';
import type { JudgedRoom } from '../room/rollout-room';
import { shortageText } from '../room/shortage';
import type { GroupPods } from '../workload';
import { noRoom } from './no-room';
import { QUOTA_SHORTAGE, UNNAMED } from './room-samples';

interface RolesData {
  readonly shortage: Shortage;
  readonly deadlockWave: number;
  /** Pods of its peak. */
  readonly peakPods: number;
  readonly moreNodes?: MoreNodes;
  readonly refusal?: Refusal;
}

interface GroupsData extends RolesData {
  /** Groups that are wanted. */
  readonly groups: number;
  /** Groups that find room at once. */
  readonly groupsWithRoom: number;
}

/** What is said of a rollout of groups, and of several roles together. */
export const noRoomForGroups = partOf(noRoom, {
  groups: message<GroupsData>({
    text: ({ groups, groupsWithRoom, shortage, deadlockWave, refusal }) =>
      `${counted(groups, 'group')} ${groups === 1 ? 'is' : 'are'} wanted, and a group counts once all of its pods run: ` +
      `${groupsWithRoom === 0 ? 'none' : groupsWithRoom} ${groupsWithRoom > 1 ? 'find' : 'finds'} room at once. ${refusal ? refusalText(refusal) : capitalised(shortageText(shortage))}. ` +
      `The rollout stands still at wave ${deadlockWave} for good.`,
    help: ({ groups, groupsWithRoom, refusal, ...room }) => {
      if (refusal) return refusalAdvice(refusal);
      const inPlace =
        groupsWithRoom >= groups
          ? 'Write maxSurge: 0 with maxUnavailable: 1, so that a group goes before its successor comes'
          : 'Run fewer groups';
      return `${inPlace}, or ${moreRoom(room)}.`;
    },
    sample: { shortage: QUOTA_SHORTAGE, deadlockWave: 1, groups: 2, groupsWithRoom: 1, peakPods: 12 },
    variants: [
      { shortage: QUOTA_SHORTAGE, deadlockWave: 1, groups: 2, groupsWithRoom: 2, peakPods: 12 },
      { shortage: QUOTA_SHORTAGE, deadlockWave: 1, groups: 1, groupsWithRoom: 0, peakPods: 4, refusal: UNNAMED },
    ],
  }),
  roles: message<RolesData>({
    text: ({ shortage, deadlockWave, refusal }) =>
      `${refusal ? refusalText(refusal) : capitalised(shortageText(shortage))}. Every role waits for the groups of wave ${deadlockWave}, and the rollout stands still there for good.`,
    help: ({ refusal, ...room }) => (refusal ? refusalAdvice(refusal) : `Write a smaller maxSurge for the roles, or ${moreRoom(room)}.`),
    sample: { shortage: QUOTA_SHORTAGE, deadlockWave: 1, peakPods: 12 },
    variants: [{ shortage: QUOTA_SHORTAGE, deadlockWave: 1, peakPods: 12, refusal: UNNAMED }],
  }),
});

/** A rollout of groups that stands still for want of room. */
export function noRoomForGroupsFindings({ podSets, fewer, path }: GroupPods, room: JudgedRoom | undefined): Finding[] {
  if (room?.verdict.verdict !== 'deadlocks') return [];
  const { shortage, deadlockWave, moreNodes, podsWithRoom, peakPods } = room.verdict;
  const lack = {
    shortage: shortage!,
    deadlockWave: deadlockWave!,
    peakPods,
    ...(moreNodes && { moreNodes }),
    ...(room.refusal && { refusal: room.refusal }),
  };
  if (!fewer) return [noRoomForGroups.finding('roles', { path, data: lack })];
  const size = fewer.perGroup.reduce((sum, pods) => sum + pods, 0);
  const data = {
    ...lack,
    groups: podSets.reduce((sum, { replicas }) => sum + replicas, 0) / size,
    groupsWithRoom: Math.floor(podsWithRoom / size),
  };
  return [noRoomForGroups.finding('groups', { path, data })];
}
