import type { ApplyRejection } from '../core/change';
import { isDeepEqual } from '../core/deep-equal';
import { getFieldsAt, getValueAt } from '../core/manifest';
import type { Manifest } from '../core/manifest';
import type { OldObject, StoredObject } from './apiserver/types';
import { getStoredReplicas } from './workload-effect';

/** The label that submits the pods of an object to a queue of Kueue. */
const QUEUE_LABEL = 'kueue.x-k8s.io/queue-name';

function queueOf(object: Manifest): unknown {
  return getFieldsAt(object, 'metadata', 'labels')[QUEUE_LABEL];
}

function isRunning({ manifest, stored, isLive }: OldObject): boolean {
  const ready = isLive ? getValueAt(manifest, 'status', 'readyReplicas') : getStoredReplicas(stored);
  return typeof ready === 'number' && ready > 0;
}

/** Pod templates of a LeaderWorkerSet. The pods of each of its groups are one group of Kueue. */
const GROUP_TEMPLATES = ['leaderTemplate', 'workerTemplate'] as const;

function findGroupTemplateRejection(old: StoredObject, next: StoredObject): ApplyRejection | undefined {
  if (getStoredReplicas(old) === 0) return undefined;
  const changed = GROUP_TEMPLATES.find((name) => {
    const [was, is] = [old, next].map((object) => getValueAt(object, 'spec', 'leaderWorkerTemplate', name, 'spec'));
    return !isDeepEqual(was, is);
  });
  if (changed === undefined) return undefined;
  return {
    path: `spec.leaderWorkerTemplate.${changed}.spec`,
    message: 'Kueue refuses it: the pods are one group, whose template is immutable',
  };
}

/**
 * Returns why a webhook of Kueue refuses a change of a workload with a queue. The pods of a StatefulSet are one group, as are those of each
 * group of a LeaderWorkerSet, and a group does not change while it runs; the queue of a Deployment does not change while pods are ready.
 *
 * Source: Kueue 0.20, pkg/controller/jobs/{deployment,statefulset,leaderworkerset}.
 */
export function findKueueRejection(old: OldObject, next: StoredObject): ApplyRejection | undefined {
  const [before, after] = [queueOf(old.stored), queueOf(next)];
  if (before === undefined && after === undefined) return undefined;
  if (next.kind === 'Deployment' && before !== after && isRunning(old)) {
    return { path: `metadata.labels[${QUEUE_LABEL}]`, message: 'Kueue refuses it: the queue is immutable while pods are ready' };
  }
  if (before === undefined || after === undefined) return undefined;
  if (next.kind === 'LeaderWorkerSet') return findGroupTemplateRejection(old.stored, next);
  if (next.kind !== 'StatefulSet') return undefined;
  const [was, is] = [old.stored, next].map((object) => getValueAt(object, 'spec', 'template', 'spec'));
  if (getStoredReplicas(old.stored) > 0 && !isDeepEqual(was, is)) {
    return { path: 'spec.template.spec', message: 'Kueue refuses it: the pods are one group, whose template is immutable' };
  }
  const [from, to] = [old.stored, next].map(getStoredReplicas) as [number, number];
  if (from === to || from === 0 || to === 0) return undefined;
  return { path: 'spec.replicas', message: 'Kueue refuses it: the pods are one group, which is scaled only from and to 0' };
}
