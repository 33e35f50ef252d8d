import type { ApplyRejection } from '../../core/change';
import { isDeepEqual } from '../../core/deep-equal';
import { getFieldsAt, getListAt, getOwnValue, getValueAt, isFields, kindKeyOf } from '../../core/manifest';
import type { Fields, Manifest } from '../../core/manifest';
import type { OldObject, StoredObject } from '../apiserver/types';
import { getStoredReplicas } from './workload-effect';

/** The label that submits the pods of an object to a queue of Kueue. */
const QUEUE_LABEL = 'kueue.x-k8s.io/queue-name';

/** The label with the WorkloadPriorityClass of an object. */
const PRIORITY_LABEL = 'kueue.x-k8s.io/priority-class';

function refuse(path: string, reason: string): ApplyRejection {
  return { path, message: `Kueue refuses it: ${reason}` };
}

function getLabel(object: Manifest, label: string): string {
  const value = getFieldsAt(object, 'metadata', 'labels')[label];
  return typeof value === 'string' ? value : '';
}

/** Kinds whose pods Kueue admits while they run as a service. They have no field that suspends them. */
const SERVING_KINDS: ReadonlySet<string> = new Set(['apps/Deployment', 'apps/StatefulSet', 'leaderworkerset.x-k8s.io/LeaderWorkerSet']);

/** Fields that suspend a job, by group and kind. */
const SUSPEND_FIELDS: Readonly<Record<string, readonly string[]>> = {
  'batch/Job': ['spec', 'suspend'],
  'jobset.x-k8s.io/JobSet': ['spec', 'suspend'],
  'kubeflow.org/MPIJob': ['spec', 'runPolicy', 'suspend'],
  'ray.io/RayCluster': ['spec', 'suspend'],
  'ray.io/RayJob': ['spec', 'suspend'],
  'ray.io/RayService': ['spec', 'rayClusterConfig', 'suspend'],
  'trainer.kubeflow.org/TrainJob': ['spec', 'suspend'],
};

/** Reports whether pods of a serving workload are ready. A manifest is taken to have its replicas ready. */
function hasReadyPods({ manifest, stored, isLive }: OldObject): boolean {
  const ready = isLive ? getValueAt(manifest, 'status', 'readyReplicas') : getStoredReplicas(stored);
  return typeof ready === 'number' && ready > 0;
}

/** Returns why the labels of a serving workload are refused. Its queue may change until a pod is ready, and is never removed. */
function findServingLabelRejection(old: OldObject, next: StoredObject): ApplyRejection | undefined {
  const isRunning = hasReadyPods(old);
  const queue = getLabel(next, QUEUE_LABEL);
  if ((isRunning || queue === '') && queue !== getLabel(old.stored, QUEUE_LABEL)) {
    return refuse(
      `metadata.labels[${QUEUE_LABEL}]`,
      queue === '' ? 'the queue cannot be removed' : 'the queue is immutable while pods are ready',
    );
  }
  return findPriorityRejection(old.stored, next, isRunning);
}

/** Returns why the labels of a job are refused. Its queue may change while it is suspended. */
function findJobLabelRejection(old: StoredObject, next: StoredObject, suspendField: readonly string[]): ApplyRejection | undefined {
  const isRunning = getValueAt(next, ...suspendField) !== true;
  if (isRunning && getLabel(old, QUEUE_LABEL) !== getLabel(next, QUEUE_LABEL)) {
    return refuse(`metadata.labels[${QUEUE_LABEL}]`, 'the queue is immutable while the job is not suspended');
  }
  return findPriorityRejection(old, next, isRunning);
}

function findPriorityRejection(old: StoredObject, next: StoredObject, isRunning: boolean): ApplyRejection | undefined {
  const [before, after] = [getLabel(old, PRIORITY_LABEL), getLabel(next, PRIORITY_LABEL)];
  const path = `metadata.labels[${PRIORITY_LABEL}]`;
  if (before !== '' && after === '') return refuse(path, 'the WorkloadPriorityClass cannot be removed');
  if (isRunning && before === '' && after !== '') return refuse(path, 'a WorkloadPriorityClass cannot be added while pods run');
  return undefined;
}

/** Fields of a pod spec that Kueue compares, besides its containers. They decide what the pods need. */
const COMPARED_POD_FIELDS = [
  ['nodeSelector'],
  ['affinity'],
  ['tolerations'],
  ['runtimeClassName'],
  ['priority'],
  ['topologySpreadConstraints'],
  ['overhead'],
  ['resourceClaims'],
  // Since Kueue 0.18.
  ['resources', 'requests'],
] as const;

const COMPARED_CONTAINER_FIELDS = [['resources', 'requests'], ['ports']] as const;

/** Reports whether a field has the same value in both. As for Kueue, an empty list or map equals an absent one. */
function hasSameField(one: Fields, other: Fields, field: readonly string[]): boolean {
  const [left, right] = [one, other].map((fields) => {
    const value = getValueAt(fields, ...field) ?? undefined;
    const isEmpty = Array.isArray(value) ? value.length === 0 : isFields(value) && Object.keys(value).length === 0;
    return isEmpty ? undefined : value;
  });
  return isDeepEqual(left, right);
}

/** Returns the path of the first field of a pod spec that Kueue compares and that differs, such as `containers[0].ports`. */
function findChangedShape(old: Fields, next: Fields): string | undefined {
  for (const list of ['initContainers', 'containers']) {
    const [before, after] = [old, next].map((spec) => getListAt(spec, list).filter(isFields)) as [Fields[], Fields[]];
    if (before.length !== after.length) return list;
    for (const [index, container] of after.entries()) {
      const changed = COMPARED_CONTAINER_FIELDS.find((field) => !hasSameField(before[index]!, container, field));
      if (changed) return `${list}[${index}].${changed.join('.')}`;
    }
  }
  return COMPARED_POD_FIELDS.find((field) => !hasSameField(old, next, field))?.join('.');
}

const IMMUTABLE_GROUP = 'the pods are admitted as one group, and what they need is immutable';

function findShapeRejection(old: StoredObject, next: StoredObject, template: readonly string[]): ApplyRejection | undefined {
  const changed = findChangedShape(getFieldsAt(old, ...template, 'spec'), getFieldsAt(next, ...template, 'spec'));
  return changed === undefined ? undefined : refuse(`${template.join('.')}.spec.${changed}`, IMMUTABLE_GROUP);
}

function findStatefulSetRejection(old: StoredObject, next: StoredObject): ApplyRejection | undefined {
  const shape = findShapeRejection(old, next, ['spec', 'template']);
  if (shape) return shape;
  const [from, to] = [getStoredReplicas(old), getStoredReplicas(next)];
  if (from === to || from === 0 || to === 0) return undefined;
  return refuse('spec.replicas', 'the pods are admitted as one group, which is scaled only from and to 0');
}

const LEADER_TEMPLATE = ['spec', 'leaderWorkerTemplate', 'leaderTemplate'] as const;
const WORKER_TEMPLATE = ['spec', 'leaderWorkerTemplate', 'workerTemplate'] as const;

function findLeaderWorkerSetRejection(old: StoredObject, next: StoredObject): ApplyRejection | undefined {
  const [hadLeader, hasLeader] = [old, next].map((object) => isFields(getValueAt(object, ...LEADER_TEMPLATE)));
  if (hadLeader !== hasLeader) return refuse(LEADER_TEMPLATE.join('.'), IMMUTABLE_GROUP);
  const shape = findShapeRejection(old, next, LEADER_TEMPLATE) ?? findShapeRejection(old, next, WORKER_TEMPLATE);
  if (shape) return shape;
  const [before, after] = [old, next].map((object) => getValueAt(object, 'spec', 'leaderWorkerTemplate', 'size') ?? 1);
  return before === after ? undefined : refuse('spec.leaderWorkerTemplate.size', 'the size of a group is immutable since Kueue 0.19.2');
}

/**
 * Returns why a webhook of Kueue refuses an update of an object with a queue. The pods of a StatefulSet are one group, as are those of each
 * group of a LeaderWorkerSet, and what a group needs never changes, even at 0 replicas. Images, commands, variables and limits may change.
 *
 * Source: Kueue 0.20, pkg/controller/jobs/{deployment,statefulset,leaderworkerset}, pkg/controller/jobframework/validation.go and SpecShape in
 * pkg/util/pod/pod.go. Kueue 0.11 compares the same fields of a StatefulSet.
 */
export function findKueueRejection(old: OldObject, next: StoredObject): ApplyRejection | undefined {
  if (getLabel(old.stored, QUEUE_LABEL) === '' && getLabel(next, QUEUE_LABEL) === '') return undefined;
  const kind = kindKeyOf(next);
  const suspendField = getOwnValue(SUSPEND_FIELDS, kind);
  if (suspendField) return findJobLabelRejection(old.stored, next, suspendField);
  if (!SERVING_KINDS.has(kind)) return undefined;
  const labels = findServingLabelRejection(old, next);
  if (labels) return labels;
  if (next.kind === 'StatefulSet') return findStatefulSetRejection(old.stored, next);
  return next.kind === 'LeaderWorkerSet' ? findLeaderWorkerSetRejection(old.stored, next) : undefined;
}
