import { appendToPath } from '../../core/manifest/field-path';
import { defineMessage, defineRule } from '../../core/findings/finding';
import type { Finding } from '../../core/findings/finding';
import type { AutoscaledRollout } from '../../core/document/rollout';
import type { CapacityResult, Shortage } from '../../core/document/capacity-result';
import { pluralize, truncateNames, joinTruncatedNames } from '../../core/text/text-format';
import type { TruncatedNames } from '../../core/text/text-format';
import { formatAdmissionRejection } from '../rejections/admission-rejection';
import type { AdmissionRejection } from '../rejections/admission-rejection';
import { formatShortage } from '../capacity/shortage';
import { KUBERNETES_FIELD_NAMES } from '../rollout/strategy-field-names';
import { templateLocationOf } from '../rollout/workload';
import type { PodRollout } from '../rollout/pod-rollout';
import type { CapacityKnowledge, LimitedRollout } from '../rollout/workload';
import { adviseOnRejection, adviseOnCapacity, chooseCapacityRemedy } from '../capacity/capacity-advice';
import type { CapacityRemedy } from '../capacity/capacity-advice';
import { MORE_NODES, QUOTA_SHORTAGE, REPLICA_SET_REJECTION, MISSING_RESOURCE_REJECTION, LIMIT_RANGE_REJECTION } from './capacity-samples';
import { renderDeployment } from '../pods/rules/examples';
import { isHeadroomShortage } from './surge-needs-headroom';

interface ReplicasData {
  readonly replicas: number;
  readonly podsThatFit: number;
  readonly shortage: Shortage;
  readonly unit: PodRollout['unit'];
  readonly deadlockWave: number;
  readonly remedy: CapacityRemedy;
  /**
   * Other objects that the same apply adds pods to, set if the rollout deadlocks only when those pods are scheduled first: `Deployment
   * shop/web`.
   */
  readonly rivals?: TruncatedNames;
  /** Whether the pods of these objects end by themselves, such as those of a Job. @default false */
  readonly rivalsEnd?: true;
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

/** Returns the sample data with another shortage. */
function createReplicasSample(shortage: Shortage, overrides: Partial<CapacityRemedy> = {}): ReplicasData {
  return { ...REPLICAS_SAMPLE, shortage, remedy: { ...REMEDY_SAMPLE, shortage, ...overrides } };
}

const MAXIMUM_SAMPLE: MaximumData = {
  autoscaler: 'HorizontalPodAutoscaler "web"',
  maximum: 9,
  shortage: QUOTA_SHORTAGE,
  unit: 'wave',
  deadlockWave: 1,
  remedy: { ...REMEDY_SAMPLE, way: 'lower-maximum' },
};

/** Formats where a rollout stops: `The rollout deadlocks at wave 1`. */
function formatStop({ unit, deadlockWave, rivals, rivalsEnd }: ReplicasData): string {
  if (rivals === undefined) return `The rollout deadlocks at ${unit} ${deadlockWave}`;
  const [get, are] = rivals.names.length === 1 ? ['gets', 'is'] : ['get', 'are'];
  const names = joinTruncatedNames(rivals);
  if (rivalsEnd) {
    const [is, has] = rivals.names.length === 1 ? ['is', 'has'] : ['are', 'have'];
    return `If ${names} ${is} scheduled first, the rollout waits at ${unit} ${deadlockWave} until ${rivals.names.length === 1 ? 'it' : 'they'} ${has} ended`;
  }
  return `The rollout deadlocks at ${unit} ${deadlockWave} if ${names}, which ${get} more pods from the same apply, ${are} scheduled first`;
}

/** Formats how many of some pods fit: `Only 2 of 4 replicas fit`. */
export function formatFittingCount(count: number, noun: string, fitting: number): string {
  if (fitting > 0) return `Only ${fitting} of ${pluralize(count, noun)} ${fitting === 1 ? 'fits' : 'fit'}`;
  return count === 1 ? `The only ${noun} does not fit` : `None of the ${pluralize(count, noun)} fit`;
}

const QUOTA = `---
apiVersion: v1
kind: ResourceQuota
metadata:
  name: compute
spec:
  hard: { requests.cpu: 6 }
`;

/** A rollout that never finishes for lack of capacity. */
export const insufficientCapacity = defineRule({
  code: 'kubernetes/insufficient-capacity',
  since: '0.1.0',
  severity: ['error', 'warning', 'info'],
  fires:
    'A rollout never finishes, or may not, or an apply adds pods that do not all run, ' +
    'because the given capacity or a ResourceQuota in the input is too small, or because the API server refuses the pods.',
  why:
    'New pods that do not fit stay Pending, or are not created at all if a quota refuses them. ' +
    'Nothing frees capacity for them, because the replicas themselves request more than there is, with or without surge. ' +
    'If only the surge does not fit, or maxUnavailable rounds to 0 under a full quota, kubernetes/surge-needs-headroom reports it. ' +
    'It is a warning if the rollout fits now, but not at the maximum of an autoscaler, ' +
    'and if it deadlocks only after pods that the same apply adds elsewhere. ' +
    'An apply adds pods by scaling a workload or creating a new object. Added pods that do not fit do not affect running pods: ' +
    'they are refused and retried, or stay Pending. An OrderedReady StatefulSet starts no pod after the first one that does not fit. ' +
    'It is an info if added pods only wait for pods that the same apply deletes. ' +
    'If the input does not decide whether pods fit, it is a warning if they lack capacity in a case that may happen, ' +
    'and an info if they wait for capacity that may come, or have a constraint that plans do not model. ' +
    'Old pods of a Deployment keep their own requests and nodes until they are deleted. ' +
    'If an apply also adds replicas, the controller scales the old pods first, and deletes one only if more than replicas minus maxUnavailable pods are available. ' +
    'Meanwhile the pods of other workloads stay as they are. ' +
    'Without the running pods in the input, old pods may be on any node that they fit. ' +
    'If several DaemonSets together do not fit on a node, one of them never runs there. ' +
    'DaemonSets with priority class system-node-critical or system-cluster-critical are assumed to be scheduled first, and then the others by name. ' +
    'A quota on CPU or memory refuses every pod with a container that does not set it. ' +
    'A quota on count/replicasets.apps refuses the new ReplicaSet that every change of a Deployment creates. ' +
    'A LimitRange, once its defaults are filled in, refuses pods below its minimum, above its maximum or above its ratio of limit to request. ' +
    'These refusals do not depend on the available capacity.',
  fix:
    'Raise the quota or add nodes, or lower the replicas or the requests of a pod. ' +
    'In every container, set the CPU and memory that a quota counts, or add a LimitRange that fills them in.',
  example: renderDeployment('          resources: { requests: { cpu: 2 } }\n') + QUOTA,
  fixedExample: renderDeployment('          resources: { requests: { cpu: 1 } }\n') + QUOTA,
  messages: {
    replicas: defineMessage<ReplicasData>({
      text: (data) =>
        `${formatFittingCount(data.replicas, 'replica', data.podsThatFit)}: ${formatShortage(data.shortage)}. ${formatStop(data)}.`,
      help: ({ remedy }) => adviseOnCapacity(remedy),
      sample: REPLICAS_SAMPLE,
      variants: [
        { ...REPLICAS_SAMPLE, podsThatFit: 1, unit: 'batch' },
        { ...REPLICAS_SAMPLE, remedy: { ...REMEDY_SAMPLE, way: 'in-place' } },
        { ...REPLICAS_SAMPLE, remedy: { ...REMEDY_SAMPLE, way: 'only-fewer-replicas' } },
        { ...REPLICAS_SAMPLE, remedy: { ...REMEDY_SAMPLE, way: 'more-capacity' } },
        { ...REPLICAS_SAMPLE, rivals: truncateNames(['Deployment shop/api']) },
        { ...REPLICAS_SAMPLE, rivals: truncateNames(['Job shop/load']), rivalsEnd: true },
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
        createReplicasSample({ kind: 'domains', limit: 'topology.kubernetes.io/zone', resource: 'domains', needed: '3', available: '2' }),
        createReplicasSample(
          { kind: 'taints', limit: 'any one node', resource: 'taints', needed: 'gpu:NoSchedule', available: 'none' },
          { moreNodes: MORE_NODES },
        ),
      ],
    }),
    maximum: defineMessage<MaximumData>({
      text: ({ maximum, autoscaler, unit, deadlockWave, shortage }) =>
        `At ${pluralize(maximum, 'replica')}, the maximum of ${autoscaler}, the rollout deadlocks at ${unit} ${deadlockWave}: ${formatShortage(shortage, 'it peaks at')}.`,
      help: ({ remedy, rejection }) => (rejection ? adviseOnRejection(rejection) : adviseOnCapacity(remedy)),
      sample: MAXIMUM_SAMPLE,
      variants: [{ ...MAXIMUM_SAMPLE, maximum: 1, rejection: MISSING_RESOURCE_REJECTION }],
    }),
    rejected: defineMessage<RejectedData>({
      text: ({ rejection, unit, deadlockWave }) =>
        `${formatAdmissionRejection(rejection)}. The rollout deadlocks at ${unit} ${deadlockWave}.`,
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

/** Builds the finding for a rollout whose new pods are refused, regardless of the available capacity. */
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

/**
 * Reports a rollout that deadlocks for lack of capacity. If it only lacks headroom, kubernetes/surge-needs-headroom reports it instead.
 *
 * @param dependsOnOrder whether it deadlocks only if its rivals are scheduled first
 */
export function checkInsufficientCapacity(
  limited: LimitedRollout,
  verdict: CapacityResult,
  known: CapacityKnowledge,
  rivals: Pick<ReplicasData, 'rivals' | 'rivalsEnd'>,
  dependsOnOrder: boolean,
): Finding[] {
  const { rejection } = known;
  // kubernetes/pod-security reports the pods that it refuses.
  if (rejection?.kind === 'pod-security') return [];
  if (rejection) return [buildRejectedFinding(limited, rejection, verdict)];
  const { workload, rollout } = limited;
  if (verdict.verdict !== 'deadlocks' || isHeadroomShortage(rollout, verdict)) return [];
  const data = {
    replicas: rollout.replicas,
    podsThatFit: verdict.podsThatFit,
    shortage: verdict.shortage!,
    unit: rollout.unit,
    deadlockWave: verdict.deadlockWave!,
    remedy: chooseCapacityRemedy(workload, rollout, verdict, { ...known, fewer: 'fewer-replicas' }),
    ...rivals,
  };
  const location = templateLocationOf(workload, workload.sizePath);
  return [insufficientCapacity.createFinding('replicas', { ...location, ...(dependsOnOrder && { severity: 'warning' }), data })];
}

/** Reports a rollout that fits now, but not once its autoscaler has scaled to its maximum. */
export function checkInsufficientCapacityAtMaximum(
  { workload, rollout }: LimitedRollout,
  autoscaled: AutoscaledRollout,
  verdict: CapacityResult | undefined,
  rejection: AdmissionRejection | undefined,
): Finding[] {
  const maximumVerdict = autoscaled.maximumCapacity;
  if (rejection?.kind === 'pod-security') return [];
  if (maximumVerdict?.verdict !== 'deadlocks' || verdict?.verdict === 'deadlocks') return [];
  const { maximum } = workload.replicaRange!;
  const data = {
    autoscaler: autoscaled.by,
    maximum,
    shortage: maximumVerdict.shortage!,
    unit: rollout.unit,
    deadlockWave: maximumVerdict.deadlockWave!,
    remedy: chooseCapacityRemedy(workload, workload.controller.rolloutAt(maximum), maximumVerdict, { fewer: 'lower-maximum' }),
    ...(rejection && { rejection }),
  };
  return [insufficientCapacity.createFinding('maximum', { ...templateLocationOf(workload, workload.sizePath), severity: 'warning', data })];
}
