import type { Health, RolloutStart, StartingRevision } from '../core/rollout-start';
import { annotationOf, fieldsAt, listAt, nameOf, valueAt } from '../core/manifest';
import type { Fields, Manifest } from '../core/manifest';
import type { Versions } from '../core/versions';
import type { ReplicaSetState, StartingPoint } from '../cluster/starting-point';
import type { Owned } from './live';
import { storedForm } from './stored/stored-form';
import { templateEqual } from './stored/template-equal';

/** Where a workload of apps/v1 stands before the apply. */
export interface WorkloadStart {
  readonly start: RolloutStart;
  /** For the simulation; the template of NEW decides which pods are new already. */
  readonly point: Omit<StartingPoint, 'replicas'>;
  /** Pods that run of another template than NEW has; what a rollout has to replace. */
  readonly oldPods: number;
  /** Does the newest revision that runs already have NEW's template, so that nothing new is made? */
  readonly knowsTemplate: boolean;
}

/** What is asked of a workload before the apply. */
export interface StartQuery {
  /** As it was read. */
  readonly given: Manifest;
  /** As the server holds it. */
  readonly stored: Manifest;
  /** The pod template after the apply. */
  readonly template: unknown;
  /** Pods that are wanted before the apply. */
  readonly replicas: number;
  readonly isLive: boolean;
  readonly owned: Owned;
  readonly versions: Versions;
}

function count(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

function numberIn(text: string | undefined): number | undefined {
  return text !== undefined && /^[0-9]{1,10}$/.test(text) ? Number(text) : undefined;
}

const HASH_LABEL = 'pod-template-hash';

/** A template without the label that tells the pods of its revision from the others. */
function withoutHash(template: unknown): Fields {
  const { labels, ...metadata } = fieldsAt(template, 'metadata');
  const { [HASH_LABEL]: _, ...others } = fieldsAt({ labels }, 'labels');
  return { ...fieldsAt({ template }, 'template'), metadata: { ...metadata, labels: others } };
}

function conditionOf(object: Manifest, type: string): Fields {
  return fieldsAt({ found: listAt(object, 'status', 'conditions').find((condition) => valueAt(condition, 'type') === type) }, 'found');
}

function healthOf(object: Manifest, isUnderWay: boolean): Health | undefined {
  if (conditionOf(object, 'Progressing').reason === 'ProgressDeadlineExceeded') return 'deadline-exceeded';
  if (valueAt(object, 'spec', 'paused') === true) return 'paused';
  if (isUnderWay) return 'progressing';
  return conditionOf(object, 'Available').status === 'False' ? 'unavailable' : undefined;
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
function setsByStatus({ given, stored, template, replicas, isLive, versions }: StartQuery): KnownSet[] {
  const isNew = templateEqual('Deployment', valueAt(stored, 'spec', 'template'), template, versions);
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
    isLive && (active.length > 1 || (updated !== undefined && updated < replicas) || (count(status.unavailableReplicas) ?? 0) > 0);
  const health = isLive ? healthOf(given, isUnderWay) : undefined;
  return {
    start: {
      replicas,
      revisions: active.map(({ revision, size, available }) => ({
        ...(revision !== undefined && { revision }),
        replicas: size,
        available,
      })),
      underWay: isUnderWay,
      ...(health && { health }),
    },
    point: { replicaSets: sets },
    oldPods: active.filter(({ isNew }) => !isNew).reduce((sum, { size }) => sum + size, 0),
    knowsTemplate: sets.some(({ isNew }) => isNew),
  };
}

const REVISION_LABEL = 'controller-revision-hash';

/** The index behind the last dash of a pod's name. */
function ordinalOf(pod: Manifest): number | undefined {
  const name = nameOf(pod);
  return numberIn(name.slice(name.lastIndexOf('-') + 1));
}

function isReady(pod: Manifest): boolean {
  return conditionOf(pod, 'Ready').status === 'True';
}

/** The revision whose template NEW has; undefined where none that is in view does. */
function revisionOf({ given, template, owned, versions }: StartQuery, kind: string): string | undefined {
  const revisions = owned.of(given, 'ControllerRevision').toSorted((a, b) => Number(a.revision ?? 0) - Number(b.revision ?? 0));
  const found = revisions.findLast((revision) => {
    const { $patch: _, ...known } = fieldsAt(revision, 'data', 'spec', 'template');
    const whole = { ...given, status: undefined, spec: { ...fieldsAt(given, 'spec'), template: known } };
    return templateEqual(kind, valueAt(storedForm(whole, versions), 'spec', 'template'), template, versions);
  });
  return found && nameOf(found);
}

/** Where a StatefulSet stands. */
export function statefulSetStart(query: StartQuery): WorkloadStart {
  const { given, stored, template, replicas, isLive, owned, versions } = query;
  const status = fieldsAt(given, 'status');
  const equalsLast = templateEqual('StatefulSet', valueAt(stored, 'spec', 'template'), template, versions);
  const current = status.currentRevision;
  const last = status.updateRevision;
  const isUnderWay = isLive && typeof current === 'string' && typeof last === 'string' && current !== last;
  const wanted = revisionOf(query, 'StatefulSet') ?? (equalsLast && typeof last === 'string' ? last : undefined);
  const pods = isLive ? owned.of(given, 'Pod') : [];
  const first = count(valueAt(given, 'spec', 'ordinals', 'start')) ?? 0;
  const indexes = (of: readonly Manifest[]) => of.flatMap((pod) => ordinalOf(pod) ?? []).map((ordinal) => ordinal - first);
  const ofWanted = pods.filter((pod) => wanted !== undefined && valueAt(pod, 'metadata', 'labels', REVISION_LABEL) === wanted);
  const updatedCount = Math.min(replicas, count(status.updatedReplicas) ?? 0);
  // Without the pods the status tells how many are updated, and the controller goes from the highest down.
  const byStatus =
    wanted !== undefined && wanted === last && isUnderWay ? Array.from({ length: updatedCount }, (_, i) => replicas - 1 - i) : [];
  const isUpdated = pods.length > 0 ? indexes(ofWanted) : byStatus;
  const updated = equalsLast && !isUnderWay ? Array.from({ length: replicas }, (_, index) => index) : isUpdated;
  const health = isLive ? healthOf(given, isUnderWay) : undefined;
  const ready = pods.length > 0 ? pods.filter(isReady).length : (count(status.availableReplicas) ?? count(status.readyReplicas));
  const revisions = statefulRevisions(query, pods, isUnderWay, ready ?? replicas);
  return {
    start: { replicas, revisions, underWay: isUnderWay, ...(health && { health }) },
    point: { before: replicas, ...(updated.length > 0 && { updated }) },
    oldPods: replicas - updated.filter((index) => index >= 0 && index < replicas).length,
    knowsTemplate: wanted !== undefined,
  };
}

function statefulRevisions(
  { given, replicas, isLive }: StartQuery,
  pods: readonly Manifest[],
  isUnderWay: boolean,
  ready: number,
): StartingRevision[] {
  const status = fieldsAt(given, 'status');
  if (pods.length > 0) {
    const hashes = [...new Set(pods.map((pod) => valueAt(pod, 'metadata', 'labels', REVISION_LABEL)))];
    return hashes.map((hash) => {
      const own = pods.filter((pod) => valueAt(pod, 'metadata', 'labels', REVISION_LABEL) === hash);
      return { ...(typeof hash === 'string' && { revision: hash }), replicas: own.length, available: own.filter(isReady).length };
    });
  }
  const available = isLive ? Math.min(replicas, ready) : replicas;
  const { currentRevision, updateRevision } = status;
  if (!isUnderWay) {
    const revision = typeof updateRevision === 'string' ? { revision: updateRevision } : {};
    return replicas === 0 ? [] : [{ ...revision, replicas, available }];
  }
  const updated = Math.min(replicas, count(status.updatedReplicas) ?? 0);
  const oldAvailable = Math.min(replicas - updated, available);
  return [
    { revision: String(currentRevision), replicas: replicas - updated, available: oldAvailable },
    { revision: String(updateRevision), replicas: updated, available: available - oldAvailable },
  ].filter(({ replicas: pods_ }) => pods_ > 0);
}

/** Where a DaemonSet stands. `replicas` are the pods that it has by its status, 0 where nothing says. */
export function daemonSetStart(query: StartQuery): WorkloadStart {
  const { given, stored, template, isLive, versions } = query;
  const status = fieldsAt(given, 'status');
  const equalsLast = templateEqual('DaemonSet', valueAt(stored, 'spec', 'template'), template, versions);
  const pods = count(status.desiredNumberScheduled) ?? 0;
  const updated = isLive ? Math.min(pods, count(status.updatedNumberScheduled) ?? pods) : pods;
  const available = Math.min(pods, count(status.numberAvailable) ?? pods);
  const isUnderWay = isLive && updated < pods;
  const health = isLive ? healthOf(given, isUnderWay) : undefined;
  const oldAvailable = Math.min(pods - updated, available);
  const revisions = [
    { replicas: pods - updated, available: oldAvailable },
    { replicas: updated, available: available - oldAvailable },
  ].filter(({ replicas }) => replicas > 0);
  return {
    start: { replicas: pods, revisions, underWay: isUnderWay, ...(health && { health }) },
    point: {},
    oldPods: equalsLast ? pods - updated : pods,
    knowsTemplate: equalsLast,
  };
}
