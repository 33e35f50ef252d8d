import { annotationOf, getFieldsAt, getValueAt } from '../../core/manifest/manifest';
import type { Fields, Manifest } from '../../core/manifest/manifest';
import type { ReplicaSetState } from '../../cluster/rollout/initial-state';
import { readStored } from '../apiserver/stored-form';
import { isTemplateEqual } from '../apiserver/template-equality';
import { toCount, resolveHealth, hasUnobservedGeneration, parseCount } from './workload-initial-state';
import type { InitialStateQuery, WorkloadInitialState } from './workload-initial-state';

const HASH_LABEL = 'pod-template-hash';

/** Returns a template without the label that distinguishes the pods of its revision. */
function stripHashLabel(template: unknown): Fields {
  const { labels, ...metadata } = getFieldsAt(template, 'metadata');
  const { [HASH_LABEL]: _, ...others } = getFieldsAt({ labels }, 'labels');
  return { ...getFieldsAt({ template }, 'template'), metadata: { ...metadata, labels: others } };
}

interface KnownReplicaSet extends ReplicaSetState {
  readonly revision?: string;
}

function creationTimestampOf(object: Manifest): string {
  const created = getValueAt(object, 'metadata', 'creationTimestamp');
  return typeof created === 'string' ? created : '';
}

/** Lists the ReplicaSets of a live Deployment, oldest first. The oldest one with NEW's template is the new ReplicaSet. */
function listReplicaSetStates({ manifest, template, owned, versions }: InitialStateQuery): KnownReplicaSet[] {
  const sets = owned
    .ownedBy(manifest, 'ReplicaSet')
    .toSorted((a, b) => (creationTimestampOf(a) < creationTimestampOf(b) ? -1 : creationTimestampOf(a) > creationTimestampOf(b) ? 1 : 0));
  const newest = sets.find((set) =>
    isTemplateEqual(
      'Deployment',
      stripHashLabel(getValueAt(readStored(set, versions).stored, 'spec', 'template')),
      stripHashLabel(template),
      versions,
    ),
  );
  return sets.map((set) => {
    const size = toCount(getValueAt(set, 'spec', 'replicas')) ?? 1;
    const revision = annotationOf(set, 'deployment.kubernetes.io/revision');
    const desired = parseCount(annotationOf(set, 'deployment.kubernetes.io/desired-replicas'));
    const most = parseCount(annotationOf(set, 'deployment.kubernetes.io/max-replicas'));
    return {
      isNew: set === newest,
      size,
      available: Math.min(size, toCount(getValueAt(set, 'status', 'availableReplicas')) ?? 0),
      ...(desired !== undefined && { desired }),
      ...(most !== undefined && { most }),
      ...(revision !== undefined && { revision }),
    };
  });
}

/** Builds ReplicaSets from the status only: the pods of the newest template, and all others. */
function buildReplicaSetsFromStatus({ manifest, replicas, isLive, isSameTemplate: isNew }: InitialStateQuery): KnownReplicaSet[] {
  const status = getFieldsAt(manifest, 'status');
  const total = toCount(status.replicas) ?? replicas;
  const at = { desired: replicas };
  if (!isLive || status.observedGeneration === undefined) return [{ isNew, size: replicas, available: replicas, ...at }];
  const updated = Math.min(total, toCount(status.updatedReplicas) ?? 0);
  const available = toCount(status.availableReplicas) ?? 0;
  // The status does not show the revision of unavailable pods. They are most often the new pods of a rollout.
  const oldAvailable = Math.min(total - updated, available);
  const older = { isNew: false, size: total - updated, available: oldAvailable, ...at };
  return [...(older.size > 0 ? [older] : []), { isNew, size: updated, available: Math.min(updated, available - oldAvailable), ...at }];
}

/** Resolves the initial state of a Deployment. */
export function resolveDeploymentState(query: InitialStateQuery): WorkloadInitialState {
  const { manifest, replicas, isLive } = query;
  const liveSets = isLive ? listReplicaSetStates(query) : [];
  const sets = liveSets.length > 0 ? liveSets : buildReplicaSetsFromStatus(query);
  const active = sets.filter(({ size }) => size > 0);
  const status = getFieldsAt(manifest, 'status');
  const updated = toCount(status.updatedReplicas);
  const isUnderWay =
    isLive &&
    (hasUnobservedGeneration(manifest) ||
      active.length > 1 ||
      (updated !== undefined && updated < replicas) ||
      (toCount(status.unavailableReplicas) ?? 0) > 0);
  const isPaused = getValueAt(manifest, 'spec', 'paused') === true;
  const health = isLive || isPaused ? resolveHealth(manifest, isUnderWay) : undefined;
  return {
    rolloutState: {
      replicas,
      // A manifest does not show which template was applied before or while it was paused.
      revisions: (isLive || !isPaused ? active : []).map(({ revision, size, available }) => ({
        ...(revision !== undefined && { revision }),
        replicas: size,
        available,
      })),
      underWay: isUnderWay,
      ...(health && { health }),
    },
    startingPoint: { replicaSets: sets },
    oldPods: active.filter(({ isNew }) => !isNew).reduce((sum, { size }) => sum + size, 0),
  };
}
