import { message, partOf } from '../../core/finding';
import type { Finding, Source } from '../../core/finding';
import type { FieldPath } from '../../core/field-path';
import type { MoreNodes, Shortage } from '../../core/room';
import { counted, firstNames, listedFirst } from '../../core/words';
import type { FirstNames } from '../../core/words';
import { refusalText } from '../room/refusal';
import type { Refusal } from '../room/refusal';
import { addedAdvice, refusalAdvice } from '../room/room-advice';
import type { ScaleRoom } from '../room/scale-room';
import { shortageText } from '../room/shortage';
import { fewText, noRoom } from './no-room';
import { MORE_NODES, QUOTA_FOR_TEN, QUOTA_SHORTAGE, UNNAMED } from './room-samples';

/** What becomes of pods without room: refused by a quota, or left Pending by the scheduler; where pods start in order, one by one. */
interface Waiting {
  readonly isRefused: boolean;
  readonly inOrder: boolean;
}

interface Counted {
  /** The object, where it is no rollout that stands above what is said: `Job shop/load`. */
  readonly of?: string;
  /** Pods that are wanted. */
  readonly pods: number;
  /** Of these, pods that run before the apply. */
  readonly running: number;
}

interface AddedData extends Counted, Waiting {
  /** Pods that find room, whatever else the apply adds. */
  readonly podsWithRoom: number;
  /** The most that find room, where that is up to what comes first. */
  readonly most?: number;
  /** What else the apply adds pods to and wants the same room: `Deployment shop/web`. */
  readonly rivals?: FirstNames;
  readonly shortage: Shortage;
  readonly moreNodes?: MoreNodes;
}

interface GroupsData extends AddedData {
  /** Groups that are wanted. */
  readonly groups: number;
  /** The most groups of which all pods find room. */
  readonly groupsWithRoom: number;
}

interface LaterData extends Counted {
  /** Pods that find room while the pods that others give up are still there. */
  readonly podsWithRoom: number;
  /** Whose pods the apply takes away. */
  readonly givers: FirstNames;
  readonly shortage: Shortage;
  readonly isRefused: boolean;
}

interface RefusedData extends Counted {
  readonly refusal: Refusal;
}

/** What becomes of pods, as a part of a sentence. */
function fateText(isRefused: boolean, isOne: boolean): string {
  if (isRefused) return `${isOne ? 'is' : 'are'} refused and tried again`;
  return isOne ? 'stays Pending' : 'stay Pending';
}

function waitingText({ isRefused, inOrder }: Waiting, waiting: number, hasOthers: boolean): string {
  const fate = `${fateText(isRefused, inOrder || waiting === 1)} until there is room`;
  if (inOrder)
    return `The ${hasOthers ? 'next' : 'first'} one in order ${fate}${waiting > 1 ? ', and those behind it are not started' : ''}.`;
  if (!hasOthers) return `${waiting === 1 ? 'It' : 'They'} ${fate}.`;
  return `${waiting === 1 ? 'The other one' : `The other ${waiting}`} ${fate}.`;
}

function rivalsText(rivals: FirstNames | undefined): string {
  if (rivals === undefined) return '';
  const isOne = rivals.names.length === 1;
  return ` ${listedFirst(rivals)} ${isOne ? 'gets' : 'get'} more pods by the same apply and ${isOne ? 'wants' : 'want'} the same room.`;
}

function nameText({ of }: Pick<Counted, 'of'>): string {
  return of === undefined ? '' : `${of}: `;
}

function foundText({ pods, podsWithRoom, most }: AddedData): string {
  if (most !== undefined) return `Of ${counted(pods, 'pod')} ${podsWithRoom} to ${most} find room, by what comes first`;
  return fewText(pods, 'pod', podsWithRoom);
}

const ADDED: AddedData = {
  pods: 14,
  running: 9,
  podsWithRoom: 10,
  shortage: QUOTA_FOR_TEN,
  isRefused: true,
  inOrder: false,
};
const ON_NODES: Shortage = { kind: 'nodes', limit: 'node pools', resource: 'pods', needed: '14', available: '10' };

/** What is said of pods that an apply adds, or that nothing rolls out, and that find no room. */
export const noRoomForAdded = partOf(noRoom, {
  added: message<AddedData>({
    text: (data) => {
      const { pods, podsWithRoom, most = podsWithRoom, shortage, rivals } = data;
      const waits = most < pods || rivals === undefined ? ` ${waitingText(data, pods - most, most > 0)}` : '';
      return `${nameText(data)}${foundText(data)}: ${shortageText(shortage, 'it asks for')}.${rivalsText(rivals)}${waits}`;
    },
    help: addedAdvice,
    sample: ADDED,
    variants: [
      { ...ADDED, pods: 1, running: 0, podsWithRoom: 0 },
      { ...ADDED, podsWithRoom: 0, running: 0 },
      { ...ADDED, of: 'Job shop/load' },
      { ...ADDED, podsWithRoom: 0, running: 0, inOrder: true },
      { ...ADDED, podsWithRoom: 1, inOrder: true },
      { ...ADDED, podsWithRoom: 13, inOrder: true },
      { ...ADDED, shortage: ON_NODES, isRefused: false, moreNodes: MORE_NODES },
      { ...ADDED, pods: 11, shortage: ON_NODES, isRefused: false },
      { ...ADDED, podsWithRoom: 13, shortage: ON_NODES, isRefused: false, inOrder: true },
      { ...ADDED, podsWithRoom: 9, most: 12, rivals: firstNames(['Deployment shop/api']) },
      { ...ADDED, podsWithRoom: 9, most: 14, rivals: firstNames(['Deployment shop/api', 'Job shop/load']) },
    ],
  }),
  addedGroups: message<GroupsData>({
    text: (data) => {
      const { groups, groupsWithRoom, shortage, rivals, isRefused } = data;
      const waits = `Pods beyond that ${fateText(isRefused, false)} until there is room.`;
      return (
        `Of ${counted(groups, 'group')} at most ${groupsWithRoom} ${groupsWithRoom === 1 ? 'has' : 'have'} room for all pods, and a group counts once all of them run: ` +
        `${shortageText(shortage, 'it asks for')}.${rivalsText(rivals)} ${waits}`
      );
    },
    help: addedAdvice,
    sample: { ...ADDED, groups: 4, groupsWithRoom: 2 },
    variants: [
      { ...ADDED, groups: 1, groupsWithRoom: 0, shortage: ON_NODES, isRefused: false, rivals: firstNames(['LeaderWorkerSet llm/b']) },
      { ...ADDED, groups: 2, groupsWithRoom: 1 },
    ],
  }),
  addedLater: message<LaterData>({
    text: ({ of, pods, podsWithRoom, givers, shortage, isRefused }) =>
      `${nameText({ of })}Of ${counted(pods, 'pod')} ${podsWithRoom} ${podsWithRoom === 1 ? 'has' : 'have'} room at once, and the others when pods of ${listedFirst(givers)} are gone, ` +
      `which the same apply takes away: ${shortageText(shortage, 'it asks for')} until then. ` +
      `Which comes first is not known; pods that come too early ${fateText(isRefused, false)}.`,
    sample: {
      pods: 8,
      running: 5,
      podsWithRoom: 5,
      givers: firstNames(['Deployment shop/api']),
      shortage: QUOTA_SHORTAGE,
      isRefused: true,
    },
    variants: [
      {
        pods: 2,
        running: 0,
        podsWithRoom: 1,
        givers: firstNames(['Deployment shop/api', 'Deployment shop/web']),
        shortage: ON_NODES,
        isRefused: false,
      },
    ],
  }),
  addedRefused: message<RefusedData>({
    text: ({ of, pods, running, refusal }) => {
      const stay =
        running === 0 ? 'None of the' : `${running === 1 ? 'The one that runs stays' : `The ${running} that run stay`}, and none of the`;
      return `${nameText({ of })}${refusalText(refusal)}. ${stay} ${running === 0 ? counted(pods, 'pod') : `${pods - running} more`} is made.`;
    },
    help: ({ refusal }) => refusalAdvice(refusal),
    sample: { pods: 14, running: 9, refusal: UNNAMED },
    variants: [
      { pods: 3, running: 0, refusal: UNNAMED },
      { pods: 2, running: 1, refusal: UNNAMED },
    ],
  }),
});

/** What is told of an object whose pods are added. */
export interface AddedTo {
  readonly path: FieldPath;
  readonly pods: number;
  readonly running: number;
  /** Does a pod start only once the one before it is available? */
  readonly inOrder: boolean;
  /** Pods of a group, where they go by groups. */
  readonly groupSize?: number;
  /** The object, where it is no rollout. */
  readonly of?: string;
  /** Do its pods end by themselves and make room for the others, as those of a Job? @default false */
  readonly endsByItself?: boolean;
  readonly source?: Source;
}

/** Pods that are added and do not all find room, or not at once; nothing where they do. */
export function noRoomForAddedFindings(
  { path, source, of, pods, running, inOrder, groupSize, endsByItself = false }: AddedTo,
  room: ScaleRoom,
  others: FirstNames | undefined,
): Finding[] {
  const { verdict, isRefused, refusal } = room;
  const { shortage, podsWithRoom, podsAtMost: most, moreNodes } = verdict;
  if (shortage === undefined) return [];
  const place = { path, ...(source && { source }) };
  const named = { ...(of !== undefined && { of }), pods, running };
  if (refusal) return [noRoomForAdded.finding('addedRefused', { ...place, data: { ...named, refusal } })];
  if (verdict.verdict === 'slower') {
    const data = { ...named, podsWithRoom, givers: others ?? { names: ['other workloads'] }, shortage, isRefused };
    return [noRoomForAdded.finding('addedLater', { ...place, severity: 'info', data })];
  }
  const data: AddedData = {
    ...named,
    podsWithRoom,
    ...(most !== undefined && { most }),
    ...(others && { rivals: others }),
    shortage,
    isRefused,
    inOrder,
    ...(moreNodes && { moreNodes }),
  };
  const severity = endsByItself && podsWithRoom > 0 ? 'info' : 'error';
  if (groupSize === undefined) return [noRoomForAdded.finding('added', { ...place, severity, data })];
  const groups = { groups: pods / groupSize, groupsWithRoom: Math.floor((most ?? podsWithRoom) / groupSize) };
  return [noRoomForAdded.finding('addedGroups', { ...place, data: { ...data, ...groups } })];
}
