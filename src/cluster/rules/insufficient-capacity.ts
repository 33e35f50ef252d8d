import { appendToPath } from '../../core/field-path';
import { defineMessage, defineRule } from '../../core/finding';
import type { Finding } from '../../core/finding';
import type { AutoscaledRollout } from '../../core/rollout';
import type { CapacityResult, Shortage } from '../../core/capacity-result';
import { pluralize, truncateNames, joinTruncatedNames } from '../../core/text-format';
import type { TruncatedNames } from '../../core/text-format';
import { formatAdmissionRejection } from '../capacity/admission-rejection';
import type { AdmissionRejection } from '../capacity/admission-rejection';
import type { LimitedRollout } from '../capacity/rollout-capacity';
import { formatShortage } from '../capacity/shortage';
import { KUBERNETES_FIELD_NAMES } from '../strategy-field-names';
import { templateLocationOf } from '../workload';
import type { PodRollout } from '../workload';
import { adviseOnRejection, adviseOnCapacity, chooseCapacityRemedy } from '../capacity/capacity-advice';
import type { CapacityRemedy } from '../capacity/capacity-advice';
import { MORE_NODES, QUOTA_SHORTAGE, REPLICA_SET_REJECTION, MISSING_RESOURCE_REJECTION, LIMIT_RANGE_REJECTION } from './capacity-samples';
import { isHeadroomShortage } from './surge-needs-headroom';

interface ReplicasData {
  readonly replicas: number;
  readonly podsThatFit: number;
  readonly shortage: Shortage;
  readonly unit: PodRollout['unit'];
  readonly deadlockWave: number;
  readonly remedy: CapacityRemedy;
  /** What else the apply adds pods to, where the rollout stands still only if that comes first: `Deployment shop/web`. */
  readonly rivals?: TruncatedNames;
}

interface MaximumData {
  /** The autoscaler: `HorizontalPodAutoscaler "web"`. */
  readonly autoscaler: string;
  readonly maximum: number;
  readonly shortage: Shortage;
  readonly unit: PodRollout['unit'];
  readonly deadlockWave: number;
  readonly remedy: CapacityRemedy;
  readonly rejection?: AdmissionRejection;
}

interface RejectedData {
  readonly rejection: AdmissionRejection;
  readonly unit: PodRollout['unit'];
  readonly deadlockWave: number;
}

const REMEDY_SAMPLE: CapacityRemedy = { way: 'fewer-replicas', names: KUBERNETES_FIELD_NAMES, peakPods: 5, shortage: QUOTA_SHORTAGE };
const REPLICAS_SAMPLE: ReplicasData = {
  replicas: 4,
  podsThatFit: 3,
  shortage: QUOTA_SHORTAGE,
  unit: 'wave',
  deadlockWave: 1,
  remedy: REMEDY_SAMPLE,
};

/** The same for want of something else. */
function createReplicasSample(shortage: Shortage, more: Partial<CapacityRemedy> = {}): ReplicasData {
  return { ...REPLICAS_SAMPLE, shortage, remedy: { ...REMEDY_SAMPLE, shortage, ...more } };
}

const MAXIMUM_SAMPLE: MaximumData = {
  autoscaler: 'HorizontalPodAutoscaler "web"',
  maximum: 9,
  shortage: QUOTA_SHORTAGE,
  unit: 'wave',
  deadlockWave: 1,
  remedy: { ...REMEDY_SAMPLE, way: 'lower-maximum' },
};

function formatRivalsCondition(rivals: TruncatedNames | undefined): string {
  if (rivals === undefined) return '';
  return ` if ${joinTruncatedNames(rivals)}, to which the same apply adds pods, ${rivals.names.length === 1 ? 'comes' : 'come'} first`;
}

/** `Of 4 replicas only 2 find room`. */
export function formatFittingCount(count: number, noun: string, fitting: number): string {
  if (fitting > 0) return `Of ${pluralize(count, noun)} only ${fitting} ${fitting === 1 ? 'finds' : 'find'} room`;
  return count === 1 ? `Its one ${noun} finds no room` : `None of ${pluralize(count, noun)} finds room`;
}

/** A rollout that never ends for want of room. */
export const insufficientCapacity = defineRule({
  code: 'kubernetes/insufficient-capacity',
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
  fixedExample: `apiVersion: apps/v1
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
    replicas: defineMessage<ReplicasData>({
      text: ({ replicas, podsThatFit, shortage, unit, deadlockWave, rivals }) =>
        `${formatFittingCount(replicas, 'replica', podsThatFit)}: ${formatShortage(shortage)}. ` +
        `The rollout stands still at ${unit} ${deadlockWave} for good${formatRivalsCondition(rivals)}.`,
      help: ({ remedy: change }) => adviseOnCapacity(change),
      sample: REPLICAS_SAMPLE,
      variants: [
        { ...REPLICAS_SAMPLE, podsThatFit: 1, unit: 'batch' },
        { ...REPLICAS_SAMPLE, remedy: { ...REMEDY_SAMPLE, way: 'in-place' } },
        { ...REPLICAS_SAMPLE, rivals: truncateNames(['Deployment shop/api']) },
        createReplicasSample({ kind: 'capacity', limit: 'capacity', resource: 'cpu', needed: '10', available: '6' }),
        createReplicasSample(
          { kind: 'own-nodes', limit: 'node pools', resource: 'nodes', needed: '5', available: '3' },
          { moreNodes: MORE_NODES },
        ),
        createReplicasSample(
          { kind: 'one-node', limit: 'any one node', resource: 'cpu', needed: '2', available: '1', excludesNodes: false },
          { moreNodes: { ...MORE_NODES, nodes: 1 } },
        ),
        createReplicasSample({
          kind: 'one-node',
          limit: 'any one node that it may go to',
          resource: 'cpu',
          needed: '2',
          available: '1',
          excludesNodes: true,
        }),
        createReplicasSample({ kind: 'labels', limit: 'any one node', resource: 'labels', needed: 'disk=ssd', available: 'none' }),
        createReplicasSample(
          { kind: 'taints', limit: 'any one node', resource: 'taints', needed: 'gpu:NoSchedule', available: 'none' },
          { moreNodes: MORE_NODES },
        ),
      ],
    }),
    maximum: defineMessage<MaximumData>({
      text: ({ maximum, autoscaler: by, unit, deadlockWave, shortage }) =>
        `At the ${pluralize(maximum, 'replica')} to which ${by} may go, the rollout stands still at ${unit} ${deadlockWave}: ${formatShortage(shortage)}.`,
      help: ({ remedy: change, rejection }) => (rejection ? adviseOnRejection(rejection) : adviseOnCapacity(change)),
      sample: MAXIMUM_SAMPLE,
      variants: [{ ...MAXIMUM_SAMPLE, maximum: 1, rejection: MISSING_RESOURCE_REJECTION }],
    }),
    rejected: defineMessage<RejectedData>({
      text: ({ rejection, unit, deadlockWave }) =>
        `${formatAdmissionRejection(rejection)}. The rollout stands still at ${unit} ${deadlockWave} for good.`,
      help: ({ rejection }) => adviseOnRejection(rejection),
      sample: { rejection: REPLICA_SET_REJECTION, unit: 'wave', deadlockWave: 1 },
      variants: [
        { rejection: MISSING_RESOURCE_REJECTION, unit: 'batch', deadlockWave: 1 },
        { rejection: LIMIT_RANGE_REJECTION, unit: 'wave', deadlockWave: 1 },
        { rejection: { ...LIMIT_RANGE_REJECTION, containers: [] }, unit: 'wave', deadlockWave: 1 },
      ],
    }),
  },
});

/** A rollout whose new pods are refused, however much room there is. */
function buildRejectedFinding({ workload, rollout }: LimitedRollout, rejection: AdmissionRejection, verdict: CapacityResult): Finding {
  const location =
    rejection.kind !== 'replica-sets'
      ? templateLocationOf(workload, appendToPath(workload.podPath, ...rejection.field))
      : { path: workload.strategyPath };
  return insufficientCapacity.createFinding('rejected', {
    ...location,
    data: { rejection, unit: rollout.unit, deadlockWave: verdict.deadlockWave! },
  });
}

/** A rollout that stands still for want of room; where headroom is all that it lacks, that is a rule of its own. */
export function checkInsufficientCapacity(
  limited: LimitedRollout,
  verdict: CapacityResult,
  rejection: AdmissionRejection | undefined,
  rivals: TruncatedNames | undefined,
): Finding[] {
  if (rejection) return [buildRejectedFinding(limited, rejection, verdict)];
  const { workload, rollout } = limited;
  if (verdict.verdict !== 'deadlocks' || isHeadroomShortage(rollout, verdict)) return [];
  const data = {
    replicas: rollout.replicas,
    podsThatFit: verdict.podsThatFit,
    shortage: verdict.shortage!,
    unit: rollout.unit,
    deadlockWave: verdict.deadlockWave!,
    remedy: chooseCapacityRemedy(workload, rollout, verdict, 'fewer-replicas'),
    ...(rivals && { rivals }),
  };
  return [insufficientCapacity.createFinding('replicas', { ...templateLocationOf(workload, workload.sizePath), data })];
}

/** A rollout that has room now, and none once its autoscaler has gone up to its maximum. */
export function checkInsufficientCapacityAtMaximum(
  { workload, rollout }: LimitedRollout,
  autoscaled: AutoscaledRollout | undefined,
  verdict: CapacityResult | undefined,
  rejection: AdmissionRejection | undefined,
): Finding[] {
  const maximumVerdict = autoscaled?.maximumCapacity;
  if (maximumVerdict?.verdict !== 'deadlocks' || verdict?.verdict === 'deadlocks') return [];
  const { maximum } = workload.replicaRange!;
  const data = {
    autoscaler: autoscaled!.by,
    maximum,
    shortage: maximumVerdict.shortage!,
    unit: rollout.unit,
    deadlockWave: maximumVerdict.deadlockWave!,
    remedy: chooseCapacityRemedy(workload, workload.rolloutAt(maximum), maximumVerdict, 'lower-maximum'),
    ...(rejection && { rejection }),
  };
  return [insufficientCapacity.createFinding('maximum', { ...templateLocationOf(workload, workload.sizePath), severity: 'warning', data })];
}
