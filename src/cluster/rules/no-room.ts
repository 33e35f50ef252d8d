import { childPath } from '../../core/field-path';
import { message, rule } from '../../core/finding';
import type { Finding } from '../../core/finding';
import type { AutoscaledRollout } from '../../core/rollout';
import type { RolloutRoom, Shortage } from '../../core/room';
import { counted, firstNames, listedFirst } from '../../core/words';
import type { FirstNames } from '../../core/words';
import { refusalText } from '../room/refusal';
import type { Refusal } from '../room/refusal';
import type { LimitedRollout } from '../room/rollout-room';
import { shortageText } from '../room/shortage';
import { KUBERNETES_NAMES } from '../strategy-terms';
import { templatePlace } from '../workload';
import type { PodRollout } from '../workload';
import { refusalAdvice, roomAdvice, roomChange } from '../room/room-advice';
import type { RoomChange } from '../room/room-advice';
import { MORE_NODES, QUOTA_SHORTAGE, REFUSAL, UNNAMED, OUT_OF_RANGE } from './room-samples';
import { lacksHeadroom } from './surge-needs-headroom';

interface ReplicasData {
  readonly replicas: number;
  readonly podsWithRoom: number;
  readonly shortage: Shortage;
  readonly unit: PodRollout['unit'];
  readonly deadlockWave: number;
  readonly change: RoomChange;
  /** What else the apply adds pods to, where the rollout stands still only if that comes first: `Deployment shop/web`. */
  readonly rivals?: FirstNames;
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

const MAXIMUM: MaximumData = {
  by: 'HorizontalPodAutoscaler "web"',
  maximum: 9,
  shortage: QUOTA_SHORTAGE,
  unit: 'wave',
  deadlockWave: 1,
  change: { ...CHANGE, way: 'lower-maximum' },
};

function unlessText(rivals: FirstNames | undefined): string {
  if (rivals === undefined) return '';
  return ` if ${listedFirst(rivals)}, to which the same apply adds pods, ${rivals.names.length === 1 ? 'comes' : 'come'} first`;
}

/** `Of 4 replicas only 2 find room`. */
export function fewText(count: number, noun: string, withRoom: number): string {
  if (withRoom > 0) return `Of ${counted(count, noun)} only ${withRoom} ${withRoom === 1 ? 'finds' : 'find'} room`;
  return count === 1 ? `Its one ${noun} finds no room` : `None of ${counted(count, noun)} finds room`;
}

/** A rollout that never ends for want of room. */
export const noRoom = rule({
  code: 'kubernetes/no-room',
  since: '0.1.0',
  severity: ['error', 'warning', 'info'],
  fires:
    'A rollout never ends, because its pods find no room in the capacity given or in a ResourceQuota in view, surge or not, ' +
    'or because the quota lets none of them in; or an apply adds pods, by a scale or as a new object, that do not all find room.',
  why:
    'New pods that find no room stay Pending, or are not even created where a quota refuses them, and nothing frees a place for them: ' +
    'the replicas alone ask for more than there is. Where only the surge lacks room, or maxUnavailable comes to 0 under a full quota, ' +
    'kubernetes/surge-needs-headroom says so. A warning where there is room now, and none at the maximum of an autoscaler. ' +
    'Pods that an apply only adds do no harm to those that run: the ones without room are refused and tried again, or stay Pending, ' +
    'and a StatefulSet in OrderedReady starts none behind the first of them. An info where they only wait for pods that the same apply takes away. ' +
    'Old pods are taken to ask for as much as new ones, and the pods of the other workloads to stay as they are. ' +
    'Of DaemonSets that only together overfill a node, one never runs there: ' +
    'those of the classes system-node-critical and system-cluster-critical are taken to come first, and then the first by name. ' +
    'A quota on CPU or memory refuses every pod with a container that does not name it, ' +
    'and one on count/replicasets.apps the ReplicaSet that each change of a Deployment begins with, whatever room there is. ' +
    'So does a LimitRange with pods below its minimum, above its maximum or beyond its ratio of limit to request, once its defaults are filled in.',
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
      text: ({ replicas, podsWithRoom, shortage, unit, deadlockWave, rivals }) =>
        `${fewText(replicas, 'replica', podsWithRoom)}: ${shortageText(shortage)}. ` +
        `The rollout stands still at ${unit} ${deadlockWave} for good${unlessText(rivals)}.`,
      help: ({ change }) => roomAdvice(change),
      sample: REPLICAS,
      variants: [
        { ...REPLICAS, podsWithRoom: 1, unit: 'batch' },
        { ...REPLICAS, change: { ...CHANGE, way: 'in-place' } },
        { ...REPLICAS, rivals: firstNames(['Deployment shop/api']) },
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
      variants: [
        { refusal: UNNAMED, unit: 'batch', deadlockWave: 1 },
        { refusal: OUT_OF_RANGE, unit: 'wave', deadlockWave: 1 },
        { refusal: { ...OUT_OF_RANGE, containers: [] }, unit: 'wave', deadlockWave: 1 },
      ],
    }),
  },
});

/** A rollout whose new pods are refused, however much room there is. */
function refusedFinding({ workload, rollout }: LimitedRollout, refusal: Refusal, room: RolloutRoom): Finding {
  const place =
    refusal.kind !== 'replica-sets'
      ? templatePlace(workload, childPath(workload.podPath, ...refusal.field))
      : { path: workload.strategyPath };
  return noRoom.finding('refused', { ...place, data: { refusal, unit: rollout.unit, deadlockWave: room.deadlockWave! } });
}

/** A rollout that stands still for want of room; where headroom is all that it lacks, that is a rule of its own. */
export function noRoomFindings(
  limited: LimitedRollout,
  room: RolloutRoom,
  refusal: Refusal | undefined,
  rivals: FirstNames | undefined,
): Finding[] {
  if (refusal) return [refusedFinding(limited, refusal, room)];
  const { workload, rollout } = limited;
  if (room.verdict !== 'deadlocks' || lacksHeadroom(rollout, room)) return [];
  const data = {
    replicas: rollout.replicas,
    podsWithRoom: room.podsWithRoom,
    shortage: room.shortage!,
    unit: rollout.unit,
    deadlockWave: room.deadlockWave!,
    change: roomChange(workload, rollout, room, 'fewer-replicas'),
    ...(rivals && { rivals }),
  };
  return [noRoom.finding('replicas', { ...templatePlace(workload, workload.sizePath), data })];
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
  return [noRoom.finding('maximum', { ...templatePlace(workload, workload.sizePath), severity: 'warning', data })];
}
