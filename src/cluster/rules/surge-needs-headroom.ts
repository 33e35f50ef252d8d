import { byChoice } from '../../core/advice';
import type { Finding } from '../../core/finding';
import { message, rule } from '../../core/finding';
import type { MoreNodes, RolloutRoom, Shortage } from '../../core/room';
import { formatNanos } from '../../core/quantity';
import { seen, show } from '../../core/seen';
import type { Seen } from '../../core/seen';
import { capitalised, counted, firstNames, listedFirst } from '../../core/words';
import { extendedResources } from '../room/extended-resources';
import { podFootprint } from '../room/pod-requests';
import { oneNodeEach } from '../room/scheduling';
import { shortageText } from '../room/shortage';
import { KUBERNETES_NAMES, limitEdits, maxUnavailablePath, OWNER_ADVICE } from '../strategy-terms';
import type { StrategyNames, StrategyOwner } from '../strategy-terms';
import type { KnownRoom, PodRollout, Workload } from '../workload';
import { moreRoom, roomAdvice, roomChange } from '../room/room-advice';
import type { RoomChange } from '../room/room-advice';

/** What there is one pod of. */
interface Counted {
  readonly replicas: number;
  /** @default replica */
  readonly per?: 'replica' | 'node';
}

interface SurgeData extends Counted {
  readonly maxUnavailable: Seen;
  /** Pods that are created before old ones go. */
  readonly extraPods: number;
  /** Extended resources that each of them asks for. */
  readonly scarce: readonly string[];
  readonly names: StrategyNames;
  /** Why no two of the pods go on one node. */
  readonly apart?: NonNullable<ReturnType<typeof oneNodeEach>>;
  readonly strategyOwner?: StrategyOwner;
  /** Pods to let go at once, so that the rollout moves without surge. @default 1 */
  readonly inPlace?: number;
}

interface NoRoomData extends Counted {
  readonly podsWithRoom: number;
  readonly shortage: Shortage;
  readonly deadlockWave: number;
  readonly names: StrategyNames;
  readonly change: RoomChange;
}

/** A new Revision beside the old one. */
interface RevisionData {
  /** Pods that run before. */
  readonly replicas: number;
  /** Pods that the new Revision gets before any old one goes. */
  readonly newPods: number;
  /** Extended resources that they ask for together. */
  readonly scarce: readonly ScarceResource[];
}

interface ScarceResource {
  readonly resource: string;
  /** Of all new pods: a quantity. */
  readonly more: string;
}

interface RevisionNoRoomData extends RevisionData {
  readonly podsWithRoom: number;
  readonly shortage: Shortage;
  readonly deadlockWave: number;
  readonly moreNodes?: MoreNodes;
}

function scarceText({ scarce }: RevisionData): string {
  return scarce.length === 0 ? '' : `, with ${listedFirst(firstNames(scarce.map(({ resource, more }) => `${more} more ${resource}`)))}`;
}

function besideText({ replicas }: RevisionData): string {
  return replicas === 0 ? '' : ` beside the ${counted(replicas, 'pod')} of the old one, which go after it is ready`;
}

function newPodsText({ newPods }: RevisionData): string {
  return newPods === 1 ? '1 more pod' : `${newPods} more pods`;
}

function morePods(count: number): string {
  return count === 1 ? '1 more pod' : `up to ${count} more pods`;
}

/** What must not be missing. */
function heldText({ replicas, per }: Counted): string {
  if (per === 'node') {
    return replicas === 1
      ? 'does not leave the only node without an available pod'
      : `leaves none of ${replicas} nodes without an available pod`;
  }
  return replicas === 1 ? 'does not let the only replica be missing' : `lets none of ${replicas} replicas be missing`;
}

/** The advice of the owners where no old pod goes first as it is, so that room is all that is left to find. */
const ROOM_ADVICE: typeof OWNER_ADVICE = {
  ...OWNER_ADVICE,
  'kserve-head': 'Keep room for a second head: the nodes of one model are replaced as a whole.',
};

/** What there has to be room for before any old pod goes. */
function needText({ replicas, per, extraPods }: SurgeData): string {
  if (per !== 'node') return `the cluster needs room for ${morePods(extraPods)}`;
  if (extraPods > 1) return `up to ${extraPods} nodes at once need room for a second pod`;
  return `${replicas === 1 ? 'it needs' : 'each node in turn needs'} room for a second pod`;
}

/** Why a new pod finds no room, as far as the shortage does not say it. */
function pressedText({ podsWithRoom, replicas, per }: NoRoomData): string {
  if (podsWithRoom >= replicas) return 'there is no room for a new one';
  const few = podsWithRoom === 0 ? 'none' : `only ${podsWithRoom}`;
  return `${few} of the ${per === 'node' ? 'pods' : 'replicas'} ${podsWithRoom > 1 ? 'find' : 'finds'} room at all`;
}

function apartText({ apart }: SurgeData): string {
  if (apart === undefined) return '';
  return ` No two of these pods go on one node (${apart}), so every one more needs a node without any.`;
}

const SURGE: SurgeData = { replicas: 2, maxUnavailable: '25%', extraPods: 1, scarce: ['nvidia.com/gpu'], names: KUBERNETES_NAMES };

const GPUS: Shortage = { kind: 'quota', limit: 'ResourceQuota "gpus"', resource: 'requests.nvidia.com/gpu', needed: '4', available: '3' };

const REVISION: RevisionData = { replicas: 4, newPods: 4, scarce: [{ resource: 'nvidia.com/gpu', more: '4' }] };

const REVISION_NO_ROOM: RevisionNoRoomData = {
  ...REVISION,
  podsWithRoom: 6,
  shortage: { ...GPUS, needed: '8', available: '6' },
  deadlockWave: 2,
};

const NO_ROOM: NoRoomData = {
  replicas: 3,
  podsWithRoom: 3,
  shortage: GPUS,
  deadlockWave: 1,
  names: KUBERNETES_NAMES,
  change: { way: 'in-place', names: KUBERNETES_NAMES, peakPods: 4, shortage: GPUS },
};

/** A rollout that needs room for a new pod before an old one goes. */
export const surgeNeedsHeadroom = rule({
  code: 'kubernetes/surge-needs-headroom',
  since: '0.1.0',
  severity: ['warning', 'error'],
  fires:
    'maxUnavailable resolves to 0, or Knative brings up a Revision, and room for another pod is scarce: ' +
    'the pods ask for an extended resource, no two of them go on one node, or what is in view has no room.',
  why:
    'The controller deletes no old pod until a new one is ready. Where the new one finds no room (a full quota, no free GPU, ' +
    'one pod a node) the rollout stands still for good, with the old pods healthy. The default 25% comes to 0 for 1, 2 and 3 replicas. ' +
    'A warning where the pods ask for an extended resource such as a GPU, which a cluster seldom has to spare, ' +
    'or keep each other off their nodes; an error where a ResourceQuota in view, or the capacity given with `--capacity`, has no room. ' +
    'Nothing is said of ordinary pods, which find room as a rule, nor where the nodes in view have room.',
  fix: 'Keep room for maxSurge pods, or allow one pod to go first: `maxSurge: 0` with `maxUnavailable: 1`.',
  example: `apiVersion: apps/v1
kind: Deployment
metadata:
  name: model
spec:
  replicas: 2
  selector:
    matchLabels:
      app: model
  template:
    metadata:
      labels:
        app: model
    spec:
      containers:
        - name: model
          image: model:2
          readinessProbe: { httpGet: { path: /ready, port: 8080 } }
          resources:
            limits: { nvidia.com/gpu: 1 }
`,
  fixed: `apiVersion: apps/v1
kind: Deployment
metadata:
  name: model
spec:
  replicas: 2
  strategy:
    rollingUpdate:
      maxSurge: 0
      maxUnavailable: 1
  selector:
    matchLabels:
      app: model
  template:
    metadata:
      labels:
        app: model
    spec:
      containers:
        - name: model
          image: model:2
          readinessProbe: { httpGet: { path: /ready, port: 8080 } }
          resources:
            limits: { nvidia.com/gpu: 1 }
`,
  messages: {
    surge: message<SurgeData>({
      text: (data) =>
        `${data.names.maxUnavailable} ${show(data.maxUnavailable)} ${heldText(data)}: no old pod goes before a new one is ready, so ${needText(data)}` +
        `${data.scarce.length > 0 ? `, with ${listedFirst(firstNames(data.scarce))}` : ''}. Without room the rollout stands still.${apartText(data)}`,
      help: ({ per, extraPods, names, strategyOwner, inPlace = 1 }) =>
        strategyOwner
          ? ROOM_ADVICE[strategyOwner]
          : `Keep room for ${per === 'node' ? 'a second pod on each node' : morePods(extraPods)}, or write ${names.maxSurge}: 0 and ${names.maxUnavailable}: ${inPlace} to replace pods in place.`,
      advice: ({ names, strategyOwner, inPlace = 1 }, path) => byChoice(...(strategyOwner ? [] : limitEdits(path, names, 0, inPlace))),
      sameThing: (data) => [data],
      sample: SURGE,
      variants: [
        { ...SURGE, replicas: 8, maxUnavailable: 0, extraPods: 4 },
        { ...SURGE, scarce: [], apart: 'required anti-affinity' },
        { ...SURGE, strategyOwner: 'kserve-worker' },
        { ...SURGE, replicas: 12, per: 'node', maxUnavailable: 0, extraPods: 3 },
        { ...SURGE, replicas: 4, per: 'node', maxUnavailable: 0, inPlace: 2 },
        { ...SURGE, replicas: 1, per: 'node', maxUnavailable: 0 },
        { ...SURGE, replicas: 1 },
      ],
    }),
    noRoom: message<NoRoomData>({
      text: (data) =>
        `${data.names.maxUnavailable} comes to 0 for ${counted(data.replicas, data.per ?? 'replica')}: no old pod goes before a new one is ready, and ` +
        `${pressedText(data)}: ${shortageText(data.shortage)}. The rollout stands still at wave ${data.deadlockWave} for good.`,
      help: ({ change }) => roomAdvice(change),
      advice: ({ names, change }, path) => byChoice(...(change.way === 'in-place' ? limitEdits(path, names, 0, change.inPlace ?? 1) : [])),
      sample: NO_ROOM,
      variants: [
        { ...NO_ROOM, podsWithRoom: 1, change: { ...NO_ROOM.change, way: 'fewer-replicas' } },
        { ...NO_ROOM, per: 'node', podsWithRoom: 2 },
      ],
    }),
    revision: message<RevisionData>({
      text: (data) =>
        `Knative brings up a new Revision of ${counted(data.newPods, 'pod')}${besideText(data)}, so the cluster needs room for ` +
        `${newPodsText(data)}${scarceText(data)}. Without room the rollout stands still.`,
      help: (data) => `Keep room for ${newPodsText(data)}; Knative has no maxSurge, a new service in mode Standard has one.`,
      sameThing: (data) => [data],
      sample: REVISION,
      variants: [{ ...REVISION, replicas: 0, newPods: 1, scarce: [{ resource: 'nvidia.com/gpu', more: '1' }] }],
    }),
    revisionNoRoom: message<RevisionNoRoomData>({
      text: (data) =>
        `Knative brings up a new Revision of ${counted(data.newPods, 'pod')}${besideText(data)}, and there is no room for it: ` +
        `${shortageText(data.shortage)}. The rollout stands still at wave ${data.deadlockWave} for good.`,
      help: ({ replicas, newPods, shortage, moreNodes }) =>
        `${capitalised(moreRoom({ shortage, peakPods: replicas + newPods, ...(moreNodes && { moreNodes }) }))}; ` +
        'or replace pods in place in a new service in mode Standard, with maxSurge: 0 and maxUnavailable: 1.',
      sample: REVISION_NO_ROOM,
      variants: [{ ...REVISION_NO_ROOM, replicas: 0, newPods: 1, podsWithRoom: 0, scarce: [], deadlockWave: 1 }],
    }),
  },
});

/** What the containers of so many pods ask for of extended resources, sorted by name. */
function scarceResources(podSpec: unknown, pods: number): ScarceResource[] {
  const amounts = podFootprint(podSpec);
  return extendedResources(podSpec).map((resource) => ({
    resource,
    more: formatNanos((amounts.get(resource) ?? 0n) * BigInt(pods)),
  }));
}

/**
 * Is headroom what a rollout without room lacks? A quota without room refuses the first new pod in any case;
 * nodes on which not even the replicas fit have nothing to do with it.
 */
export function lacksHeadroom({ unavailable, replicas }: PodRollout, { verdict, shortage, podsWithRoom }: RolloutRoom): boolean {
  return verdict === 'deadlocks' && unavailable === 0 && (shortage?.kind === 'quota' || podsWithRoom >= replicas);
}

/**
 * Says that a rollout needs room before it can start: as a warning where room for such pods is scarce and none is known,
 * as an error where there is none. Nothing for 0 replicas.
 *
 * @param inPlace pods that have to be let go at once for the rollout to move without surge
 */
export function headroomFindings(
  workload: Workload,
  rollout: PodRollout,
  maxUnavailable: unknown,
  known: KnownRoom,
  inPlace = 1,
): Finding[] {
  const { replicas, surge, unavailable } = rollout;
  const { names, strategyOwner } = workload;
  const { verdict: room, refusal } = known;
  const per = workload.onePerNode ? { per: 'node' as const } : {};
  if (replicas === 0 || unavailable > 0) return [];
  const path = maxUnavailablePath(workload);
  if (room && !refusal && room.verdict === 'deadlocks') {
    if (!lacksHeadroom(rollout, room)) return [];
    const { podsWithRoom, shortage, deadlockWave } = room;
    const change = { ...roomChange(workload, rollout, room, 'fewer-replicas'), ...(inPlace > 1 && { inPlace }) };
    const data = { replicas, ...per, podsWithRoom, shortage: shortage!, deadlockWave: deadlockWave!, names, change };
    return [surgeNeedsHeadroom.finding('noRoom', { path, severity: 'error', data })];
  }
  const scarce = extendedResources(workload.template.spec);
  const apart = oneNodeEach(workload);
  if (known.isFound || (scarce.length === 0 && apart === undefined)) return [];
  const data = {
    replicas,
    ...per,
    maxUnavailable: seen(maxUnavailable),
    extraPods: Math.min(surge, replicas),
    scarce,
    names,
    ...(apart && { apart }),
    ...(inPlace > 1 && { inPlace }),
    ...(strategyOwner && { strategyOwner }),
  };
  return [surgeNeedsHeadroom.finding('surge', { path, data })];
}

/**
 * Says that a new Revision needs room for all of its pods beside the old one: a warning where they ask for what is scarce,
 * an error where there is no room. Else there is nothing to say.
 */
export function revisionHeadroomFindings(workload: Workload, rollout: PodRollout, { verdict: room, refusal }: KnownRoom): Finding[] {
  const { replicas, newPods } = { replicas: rollout.replicas, newPods: rollout.surge };
  const path = workload.strategyPath;
  const data = { replicas, newPods, scarce: scarceResources(workload.template.spec, newPods) };
  if (room && !refusal && room.verdict === 'deadlocks') {
    if (!lacksHeadroom(rollout, room)) return [];
    const { podsWithRoom, shortage, deadlockWave, moreNodes } = room;
    const lack = { podsWithRoom, shortage: shortage!, deadlockWave: deadlockWave!, ...(moreNodes && { moreNodes }) };
    return [surgeNeedsHeadroom.finding('revisionNoRoom', { path, severity: 'error', data: { ...data, ...lack } })];
  }
  return data.scarce.length > 0 ? [surgeNeedsHeadroom.finding('revision', { path, severity: 'warning', data })] : [];
}
