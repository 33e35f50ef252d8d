import { childPath } from '../../core/field-path';
import { message, rule } from '../../core/finding';
import type { Finding } from '../../core/finding';
import type { AutoscaledRollout } from '../../core/rollout';
import type { MoreNodes, RolloutRoom, Shortage } from '../../core/room';
import { capitalised, counted } from '../../core/words';
import type { TooSmall } from '../room/too-small';
import { refusalText } from '../room/refusal';
import type { Refusal } from '../room/refusal';
import type { JudgedRoom, LimitedRollout } from '../room/rollout-room';
import { rowText, shortageText } from '../room/shortage';
import { KUBERNETES_NAMES } from '../strategy-terms';
import type { ClusterCapacity, ClusterPods, GroupPods, LeastRoomWay, PodRollout } from '../workload';
import { moreRoom, roomAdvice, roomChange } from '../room/room-advice';
import type { RoomChange } from '../room/room-advice';
import { lacksHeadroom } from './surge-needs-headroom';

interface ReplicasData {
  readonly replicas: number;
  readonly podsWithRoom: number;
  readonly shortage: Shortage;
  readonly unit: PodRollout['unit'];
  readonly deadlockWave: number;
  readonly change: RoomChange;
}

interface NodesData {
  /** Nodes that the DaemonSet is to have a pod on. */
  readonly nodes: number;
  readonly tooSmall: TooSmall;
  readonly deadlockWave: number;
}

interface MaximumData {
  /** The autoscaler: `HorizontalPodAutoscaler "web"`. */
  readonly by: string;
  readonly maximum: number;
  readonly shortage: Shortage;
  readonly unit: PodRollout['unit'];
  readonly deadlockWave: number;
  readonly change: RoomChange;
  readonly refusal?: Refusal;
}

interface RefusedData {
  readonly refusal: Refusal;
  readonly unit: PodRollout['unit'];
  readonly deadlockWave: number;
}

/** The row at which an upgrade stands still, counted from 1. */
interface RowData {
  readonly row: number;
  readonly capacity: ClusterCapacity;
}

interface ClusterRefusedData extends RowData {
  readonly refusal: Refusal;
}

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

interface ClusterData extends RowData {
  readonly shortage: Shortage;
  readonly peakPods: number;
  readonly moreNodes?: MoreNodes;
  /** The way that needs least room, where that finds it. */
  readonly least?: LeastRoomWay;
}

const LEAST: Readonly<Record<LeastRoomWay, string>> = {
  'incremental-upgrade': 'Write type: NewClusterWithIncrementalUpgrade with its options',
  'smaller-surge': 'Lower maxSurgePercent',
};

const QUOTA_SHORTAGE: Shortage = {
  kind: 'quota',
  limit: 'ResourceQuota "compute"',
  resource: 'requests.cpu',
  needed: '10',
  available: '6',
};
const REFUSAL: Refusal = { kind: 'replica-sets', quota: 'objects', used: '3', hard: '3', needed: '4' };
const UNNAMED: Refusal = {
  kind: 'unnamed',
  quota: 'compute',
  unnamed: [
    { resource: 'limits.memory', containers: ['init', 'web'] },
    { resource: 'requests.cpu', containers: ['web'] },
  ],
  fields: ['resources.limits.memory', 'resources.requests.cpu'],
  containers: ['init', 'web'],
  field: ['initContainers', 0, 'resources'],
};
const CHANGE: RoomChange = { way: 'fewer-replicas', names: KUBERNETES_NAMES, peakPods: 5, shortage: QUOTA_SHORTAGE };
const REPLICAS: ReplicasData = {
  replicas: 4,
  podsWithRoom: 3,
  shortage: QUOTA_SHORTAGE,
  unit: 'wave',
  deadlockWave: 1,
  change: CHANGE,
};

/** The same for want of something else. */
function lacking(shortage: Shortage, more: Partial<RoomChange> = {}): ReplicasData {
  return { ...REPLICAS, shortage, change: { ...CHANGE, shortage, ...more } };
}

const MORE_NODES: MoreNodes = { pool: 'a100', nodes: 2 };
const MAXIMUM: MaximumData = {
  by: 'HorizontalPodAutoscaler "web"',
  maximum: 9,
  shortage: QUOTA_SHORTAGE,
  unit: 'wave',
  deadlockWave: 1,
  change: { ...CHANGE, way: 'lower-maximum' },
};
const CLUSTER: ClusterData = { shortage: QUOTA_SHORTAGE, row: 1, capacity: { oldPercent: 100, newPercent: 0 }, peakPods: 6 };

/** What to write where a quota refuses pods outright. */
function refusalAdvice(refusal: Refusal): string {
  if (refusal.kind === 'replica-sets') {
    return (
      `Let the ResourceQuota "${refusal.quota}" have at least ${refusal.needed} count/replicasets.apps: ` +
      'one for each Deployment, one more while it rolls out, and the old ones that revisionHistoryLimit keeps.'
    );
  }
  const containers = refusal.containers.map((name) => `"${name}"`).join(' and ');
  return `Write ${refusal.fields.join(' and ')} for ${containers}, or add the LimitRange of the namespace that fills it in to the input.`;
}

/** A rollout that never ends for want of room. */
export const noRoom = rule({
  code: 'kubernetes/no-room',
  since: '0.1.0',
  severity: ['error', 'warning'],
  fires:
    'A rollout never ends, because its pods find no room in the capacity given or in a ResourceQuota in view, surge or not, ' +
    'or because the quota lets none of them in.',
  why:
    'New pods that find no room stay Pending, or are not even created where a quota refuses them, and nothing frees a place for them: ' +
    'the replicas alone ask for more than there is. Where only the surge lacks room, or maxUnavailable comes to 0 under a full quota, ' +
    'kubernetes/surge-needs-headroom says so. A warning where there is room now, and none at the maximum of an autoscaler. ' +
    'Old pods are taken to ask for as much as new ones, and the pods of the other workloads to stay as they are. ' +
    'A quota on CPU or memory refuses every pod with a container that does not name it, ' +
    'and one on count/replicasets.apps the ReplicaSet that each change of a Deployment begins with, whatever room there is.',
  fix:
    'Raise the quota or add nodes, or lower the replicas or what a pod asks for; ' +
    'name the CPU and memory that a quota counts in every container, or let a LimitRange fill it in.',
  example: `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 4
  selector:
    matchLabels:
      app: web
  template:
    metadata:
      labels:
        app: web
    spec:
      containers:
        - name: web
          image: web:2
          resources: { requests: { cpu: 2 } }
---
apiVersion: v1
kind: ResourceQuota
metadata:
  name: compute
spec:
  hard: { requests.cpu: 6 }
`,
  fixed: `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 4
  selector:
    matchLabels:
      app: web
  template:
    metadata:
      labels:
        app: web
    spec:
      containers:
        - name: web
          image: web:2
          resources: { requests: { cpu: 1 } }
---
apiVersion: v1
kind: ResourceQuota
metadata:
  name: compute
spec:
  hard: { requests.cpu: 6 }
`,
  messages: {
    replicas: message<ReplicasData>({
      text: ({ replicas, podsWithRoom, shortage, unit, deadlockWave }) =>
        `Of ${counted(replicas, 'replica')} only ${podsWithRoom} ${podsWithRoom === 1 ? 'finds' : 'find'} room: ${shortageText(shortage)}. ` +
        `The rollout stands still at ${unit} ${deadlockWave} for good.`,
      help: ({ change }) => roomAdvice(change),
      sample: REPLICAS,
      variants: [
        { ...REPLICAS, podsWithRoom: 1, unit: 'batch' },
        { ...REPLICAS, change: { ...CHANGE, way: 'in-place' } },
        lacking({ kind: 'capacity', limit: 'capacity', resource: 'cpu', needed: '10', available: '6' }),
        lacking({ kind: 'own-nodes', limit: 'node pools', resource: 'nodes', needed: '5', available: '3' }, { moreNodes: MORE_NODES }),
        lacking(
          { kind: 'one-node', limit: 'any one node', resource: 'cpu', needed: '2', available: '1', isChoosy: false },
          { moreNodes: { ...MORE_NODES, nodes: 1 } },
        ),
        lacking({
          kind: 'one-node',
          limit: 'any one node that it may go to',
          resource: 'cpu',
          needed: '2',
          available: '1',
          isChoosy: true,
        }),
        lacking({ kind: 'labels', limit: 'any one node', resource: 'labels', needed: 'disk=ssd', available: 'none' }),
        lacking(
          { kind: 'taints', limit: 'any one node', resource: 'taints', needed: 'gpu:NoSchedule', available: 'none' },
          { moreNodes: MORE_NODES },
        ),
      ],
    }),
    nodes: message<NodesData>({
      text: ({ nodes, tooSmall, deadlockWave }) =>
        `Of ${counted(nodes, 'node')} ${tooSmall.nodes} ${tooSmall.nodes === 1 ? 'is' : 'are'} too small for a pod, whatever else is there: ` +
        `it needs ${tooSmall.needed} ${tooSmall.resource}, and there is no more than ${tooSmall.available}. ` +
        `The rollout stands still at wave ${deadlockWave} for good.`,
      help: () =>
        'Lower what a pod asks for, keep the DaemonSet off these nodes with a nodeSelector or required node affinity, or replace them with larger ones.',
      sample: { nodes: 3, tooSmall: { nodes: 1, resource: 'cpu', needed: '4', available: '2' }, deadlockWave: 1 },
      variants: [{ nodes: 10, tooSmall: { nodes: 2, resource: 'memory', needed: '8Gi', available: '4Gi' }, deadlockWave: 8 }],
    }),
    maximum: message<MaximumData>({
      text: ({ maximum, by, unit, deadlockWave, shortage }) =>
        `At the ${counted(maximum, 'replica')} to which ${by} may go, the rollout stands still at ${unit} ${deadlockWave}: ${shortageText(shortage)}.`,
      help: ({ change, refusal }) => (refusal ? refusalAdvice(refusal) : roomAdvice(change)),
      sample: MAXIMUM,
      variants: [{ ...MAXIMUM, maximum: 1, refusal: UNNAMED }],
    }),
    refused: message<RefusedData>({
      text: ({ refusal, unit, deadlockWave }) => `${refusalText(refusal)}. The rollout stands still at ${unit} ${deadlockWave} for good.`,
      help: ({ refusal }) => refusalAdvice(refusal),
      sample: { refusal: REFUSAL, unit: 'wave', deadlockWave: 1 },
      variants: [{ refusal: UNNAMED, unit: 'batch', deadlockWave: 1 }],
    }),
    groups: message<GroupsData>({
      text: ({ groups, groupsWithRoom, shortage, deadlockWave, refusal }) =>
        `${counted(groups, 'group')} ${groups === 1 ? 'is' : 'are'} wanted, and a group counts once all of its pods run: ` +
        `${groupsWithRoom} ${groupsWithRoom === 1 ? 'finds' : 'find'} room at once. ${refusal ? refusalText(refusal) : capitalised(shortageText(shortage))}. ` +
        `The rollout stands still at wave ${deadlockWave} for good.`,
      help: ({ groups, groupsWithRoom, refusal, ...room }) => {
        if (refusal) return refusalAdvice(refusal);
        const inPlace =
          groupsWithRoom >= groups
            ? 'Write maxSurge: 0 with maxUnavailable: 1, so that a group goes before its successor comes'
            : 'Run fewer groups';
        return `${inPlace}, or ${moreRoom(room)}.`;
      },
      sample: { shortage: QUOTA_SHORTAGE, deadlockWave: 1, groups: 2, groupsWithRoom: 2, peakPods: 12 },
      variants: [
        { shortage: QUOTA_SHORTAGE, deadlockWave: 1, groups: 2, groupsWithRoom: 1, peakPods: 12 },
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
    clusterRefused: message<ClusterRefusedData>({
      text: ({ refusal, row, capacity }) =>
        `${refusalText(refusal)}. The upgrade stands still at ${rowText(row, capacity)} for good, and the running cluster keeps serving.`,
      help: ({ refusal }) => refusalAdvice(refusal),
      sample: { refusal: REFUSAL, row: 2, capacity: { oldPercent: 100, newPercent: 20 } },
    }),
    cluster: message<ClusterData>({
      text: ({ shortage, row, capacity }) =>
        `Beside the running cluster there is no room for the new one: ${shortageText(shortage)}. ` +
        `The upgrade stands still at ${rowText(row, capacity)} for good, and the running cluster keeps serving.`,
      help: ({ least, ...room }) => `${least ? LEAST[least] : 'Run fewer workers'}, or ${moreRoom(room)}.`,
      sample: CLUSTER,
      variants: [
        { ...CLUSTER, least: 'smaller-surge' },
        { ...CLUSTER, least: 'incremental-upgrade', moreNodes: MORE_NODES },
      ],
    }),
  },
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
  if (!fewer) return [noRoom.finding('roles', { path, data: lack })];
  const size = fewer.perGroup.reduce((sum, pods) => sum + pods, 0);
  const data = {
    ...lack,
    groups: podSets.reduce((sum, { replicas }) => sum + replicas, 0) / size,
    groupsWithRoom: Math.floor(podsWithRoom / size),
  };
  return [noRoom.finding('groups', { path, data })];
}

/** A rollout whose new pods are refused, however much room there is. */
function refusedFinding({ workload, rollout }: LimitedRollout, refusal: Refusal, room: RolloutRoom): Finding {
  const path = refusal.kind === 'unnamed' ? childPath(workload.podPath, ...refusal.field) : workload.strategyPath;
  return noRoom.finding('refused', { path, data: { refusal, unit: rollout.unit, deadlockWave: room.deadlockWave! } });
}

/** A rollout that stands still for want of room; where headroom is all that it lacks, that is a rule of its own. */
export function noRoomFindings(
  limited: LimitedRollout,
  room: RolloutRoom | undefined,
  refusal: Refusal | undefined,
  tooSmall: TooSmall | undefined,
): Finding[] {
  if (!room) return [];
  if (refusal) return [refusedFinding(limited, refusal, room)];
  const { workload, rollout } = limited;
  if (room.verdict !== 'deadlocks' || lacksHeadroom(rollout, room)) return [];
  if (tooSmall && room.shortage!.kind === 'own-nodes') {
    const data = { nodes: rollout.replicas, tooSmall, deadlockWave: room.deadlockWave! };
    return [noRoom.finding('nodes', { path: workload.podPath, data })];
  }
  const data = {
    replicas: rollout.replicas,
    podsWithRoom: room.podsWithRoom,
    shortage: room.shortage!,
    unit: rollout.unit,
    deadlockWave: room.deadlockWave!,
    change: roomChange(workload, rollout, room, 'fewer-replicas'),
  };
  return [noRoom.finding('replicas', { path: workload.sizePath, data })];
}

/** A rollout that has room now, and none once its autoscaler has gone up to its maximum. */
export function noRoomAtMaximumFindings(
  { workload, rollout }: LimitedRollout,
  autoscaled: AutoscaledRollout | undefined,
  room: RolloutRoom | undefined,
  refusal: Refusal | undefined,
): Finding[] {
  const atMaximum = autoscaled?.maximumRoom;
  if (atMaximum?.verdict !== 'deadlocks' || room?.verdict === 'deadlocks') return [];
  const { maximum } = workload.replicaRange!;
  const data = {
    by: autoscaled!.by,
    maximum,
    shortage: atMaximum.shortage!,
    unit: rollout.unit,
    deadlockWave: atMaximum.deadlockWave!,
    change: roomChange(workload, workload.rolloutAt(maximum), atMaximum, 'lower-maximum'),
    ...(refusal && { refusal }),
  };
  return [noRoom.finding('maximum', { path: workload.sizePath, severity: 'warning', data })];
}

/** A second cluster that never finds room beside the first, or whose pods are refused. */
export function noRoomForClusterFinding(
  cluster: ClusterPods,
  room: RolloutRoom,
  refusal: Refusal | undefined,
  doesLeastFit: boolean,
): Finding {
  const { path } = cluster;
  const row = room.deadlockWave!;
  const stuckAt: RowData = { row, capacity: cluster.capacities[row - 1]! };
  if (refusal) return noRoom.finding('clusterRefused', { path, data: { refusal, ...stuckAt } });
  const { shortage, peakPods, moreNodes } = room;
  const data = {
    shortage: shortage!,
    ...stuckAt,
    peakPods,
    ...(moreNodes && { moreNodes }),
    ...(doesLeastFit && { least: cluster.least.way }),
  };
  return noRoom.finding('cluster', { path, data });
}
