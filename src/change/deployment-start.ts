import { annotationOf, fieldsAt, valueAt } from '../core/manifest';
import type { Fields, Manifest } from '../core/manifest';
import type { ReplicaSetState } from '../cluster/starting-point';
import { storedForm } from './stored/stored-form';
import { templateEqual } from './stored/template-equal';
import { count, healthOf, isUnseen, numberIn } from './workload-start';
import type { StartQuery, WorkloadStart } from './workload-start';

const HASH_LABEL = 'pod-template-hash';

/** A template without the label that tells the pods of its revision from the others. */
function withoutHash(template: unknown): Fields {
  const { labels, ...metadata } = fieldsAt(template, 'metadata');
  const { [HASH_LABEL]: _, ...others } = fieldsAt({ labels }, 'labels');
  return { ...fieldsAt({ template }, 'template'), metadata: { ...metadata, labels: others } };
}

interface KnownSet extends ReplicaSetState {
  readonly revision?: string;
}

function ageOf(object: Manifest): string {
  const created = valueAt(object, 'metadata', 'creationTimestamp');
  return typeof created === 'string' ? created : '';
}

/** The ReplicaSets of a live Deployment, oldest first; the oldest of NEW's template is the new one. */
function knownSets({ given, template, owned, versions }: StartQuery): KnownSet[] {
  const sets = owned.of(given, 'ReplicaSet').toSorted((a, b) => (ageOf(a) < ageOf(b) ? -1 : ageOf(a) > ageOf(b) ? 1 : 0));
  const newest = sets.find((set) =>
    templateEqual('Deployment', withoutHash(valueAt(storedForm(set, versions), 'spec', 'template')), withoutHash(template), versions),
  );
  return sets.map((set) => {
    const size = count(valueAt(set, 'spec', 'replicas')) ?? 1;
    const revision = annotationOf(set, 'deployment.kubernetes.io/revision');
    const desired = numberIn(annotationOf(set, 'deployment.kubernetes.io/desired-replicas'));
    const most = numberIn(annotationOf(set, 'deployment.kubernetes.io/max-replicas'));
    return {
      isNew: set === newest,
      size,
      available: Math.min(size, count(valueAt(set, 'status', 'availableReplicas')) ?? 0),
      ...(desired !== undefined && { desired }),
      ...(most !== undefined && { most }),
      ...(revision !== undefined && { revision }),
    };
  });
}

/** What status alone tells: the pods of the newest template, and the rest. */
function setsByStatus({ given, replicas, isLive, isSameTemplate: isNew }: StartQuery): KnownSet[] {
  const status = fieldsAt(given, 'status');
  const total = count(status.replicas) ?? replicas;
  const at = { desired: replicas };
  if (!isLive || status.observedGeneration === undefined) return [{ isNew, size: replicas, available: replicas, ...at }];
  const updated = Math.min(total, count(status.updatedReplicas) ?? 0);
  const available = count(status.availableReplicas) ?? 0;
  // Which revision the unavailable pods are of is not said; a rollout's new ones most often.
  const oldAvailable = Math.min(total - updated, available);
  const older = { isNew: false, size: total - updated, available: oldAvailable, ...at };
  return [...(older.size > 0 ? [older] : []), { isNew, size: updated, available: Math.min(updated, available - oldAvailable), ...at }];
}

/** Where a Deployment stands. */
export function deploymentStart(query: StartQuery): WorkloadStart {
  const { given, replicas, isLive } = query;
  const known = isLive ? knownSets(query) : [];
  const sets = known.length > 0 ? known : setsByStatus(query);
  const active = sets.filter(({ size }) => size > 0);
  const status = fieldsAt(given, 'status');
  const updated = count(status.updatedReplicas);
  const isUnderWay =
    isLive &&
    (isUnseen(given) || active.length > 1 || (updated !== undefined && updated < replicas) || (count(status.unavailableReplicas) ?? 0) > 0);
  const isPaused = valueAt(given, 'spec', 'paused') === true;
  const health = isLive || isPaused ? healthOf(given, isUnderWay) : undefined;
  return {
    start: {
      replicas,
      // What was applied while it was paused, or before, a manifest does not tell.
      revisions: (isLive || !isPaused ? active : []).map(({ revision, size, available }) => ({
        ...(revision !== undefined && { revision }),
        replicas: size,
        available,
      })),
      underWay: isUnderWay,
      ...(health && { health }),
    },
    point: { replicaSets: sets },
    oldPods: active.filter(({ isNew }) => !isNew).reduce((sum, { size }) => sum + size, 0),
  };
}
