import { isLive, parseLastApplied } from '../../appliers/live-object';
import { matchesLabelSelector } from '../../core/values/label-selector';
import { getFieldsAt, getListAt, getOwnValue, getValueAt, groupOf, isFields, nameOf } from '../../core/manifest/manifest';
import type { Fields, Manifest } from '../../core/manifest/manifest';
import { findControllingOwner } from './ownership';
import { explainNotPlanned } from './unplanned-kinds';
import { toSafeText } from '../../core/text/value-text';

/**
 * Kinds that the controller of a kind creates with itself as the owner; for custom resources only those that roll out pods or run them. Any
 * manifest can name an owner, so another kind with this owner was not created by its controller.
 */
const CREATED_KINDS: Readonly<Record<string, readonly string[]>> = {
  '/Endpoints': ['discovery.k8s.io/EndpointSlice'],
  '/Node': ['resource.k8s.io/ResourceSlice'],
  // The leader pod of a LeaderWorkerSet owns the StatefulSet of its workers.
  '/Pod': ['apps/StatefulSet', '/PersistentVolumeClaim', 'resource.k8s.io/ResourceClaim'],
  '/ReplicationController': ['/Pod'],
  '/Service': ['/Endpoints', 'discovery.k8s.io/EndpointSlice'],
  'apps/DaemonSet': ['/Pod', 'apps/ControllerRevision'],
  'apps/Deployment': ['apps/ReplicaSet'],
  'apps/ReplicaSet': ['/Pod'],
  'apps/StatefulSet': ['/Pod', '/PersistentVolumeClaim', 'apps/ControllerRevision'],
  'apps.openshift.io/DeploymentConfig': ['/ReplicationController'],
  'argoproj.io/ApplicationSet': ['argoproj.io/Application'],
  'argoproj.io/Rollout': ['apps/ReplicaSet'],
  'batch/CronJob': ['batch/Job'],
  'batch/Job': ['/Pod'],
  'disaggregatedset.x-k8s.io/DisaggregatedSet': ['leaderworkerset.x-k8s.io/LeaderWorkerSet'],
  'fleet.cattle.io/Bundle': [],
  'fleet.cattle.io/GitRepo': ['fleet.cattle.io/Bundle', 'batch/Job'],
  'fleet.cattle.io/HelmOp': ['fleet.cattle.io/Bundle', 'batch/Job'],
  'flagger.app/Canary': ['apps/Deployment', 'apps/DaemonSet'],
  'leaderworkerset.x-k8s.io/LeaderWorkerSet': ['apps/StatefulSet', 'apps/ControllerRevision'],
  'ray.io/RayCluster': ['/Pod', 'batch/Job'],
  'ray.io/RayCronJob': ['ray.io/RayJob'],
  'ray.io/RayJob': ['ray.io/RayCluster', 'batch/Job'],
  'ray.io/RayService': ['ray.io/RayCluster'],
  'serving.knative.dev/Configuration': ['serving.knative.dev/Revision'],
  'serving.knative.dev/Revision': ['apps/Deployment'],
  'serving.knative.dev/Service': ['serving.knative.dev/Configuration'],
  'serving.kserve.io/InferenceService': ['apps/Deployment', 'serving.knative.dev/Service', 'opentelemetry.io/OpenTelemetryCollector'],
  'serving.kserve.io/LLMInferenceService': ['apps/Deployment', 'leaderworkerset.x-k8s.io/LeaderWorkerSet'],
};

/** Kinds that the table names. A controller of a custom resource creates no others that roll out pods. */
const NAMED_KINDS: ReadonlySet<string> = new Set([...Object.keys(CREATED_KINDS), ...Object.values(CREATED_KINDS).flat()]);

/** Kinds of what is created for the objects of a kind, by its key. */
const ALL_CREATED_KINDS = new Map<string, readonly string[]>();

/**
 * Lists the keys of the kinds that controllers create for an object of a kind, directly or through others; undefined if they are not known.
 * What a pod owns is not among them: only the pods of few kinds own anything.
 */
export function listCreatedKinds(key: string): readonly string[] | undefined {
  if (!Object.hasOwn(CREATED_KINDS, key)) return isServerKind(key) ? [] : undefined;
  const known = ALL_CREATED_KINDS.get(key);
  if (known) return known;
  const created = new Set(key === '/Pod' ? [] : CREATED_KINDS[key]);
  // A set also visits what is added on the way.
  for (const each of created) if (each !== '/Pod') for (const further of getOwnValue(CREATED_KINDS, each) ?? []) created.add(further);
  ALL_CREATED_KINDS.set(key, [...created]);
  return [...created];
}

/** Groups of the API server itself. Their controllers create only what the table above contains. */
const SERVER_GROUPS: ReadonlySet<string> = new Set([
  '',
  'admissionregistration.k8s.io',
  'apiextensions.k8s.io',
  'apiregistration.k8s.io',
  'apps',
  'autoscaling',
  'batch',
  'certificates.k8s.io',
  'coordination.k8s.io',
  'discovery.k8s.io',
  'events.k8s.io',
  'extensions',
  'flowcontrol.apiserver.k8s.io',
  'networking.k8s.io',
  'node.k8s.io',
  'policy',
  'rbac.authorization.k8s.io',
  'resource.k8s.io',
  'scheduling.k8s.io',
  'storage.k8s.io',
]);

/** Kinds whose controllers adopt an object only if their selector matches its labels; they release any other that names them as its owner. */
const SELECTING_KINDS: ReadonlySet<string> = new Set([
  '/ReplicationController',
  'apps/DaemonSet',
  'apps/Deployment',
  'apps/ReplicaSet',
  'apps/StatefulSet',
  'argoproj.io/Rollout',
  'batch/Job',
]);

/** Labels with the uid of a Job, which its generated selector matches. Source: k/k pkg/registry/batch/job/strategy.go, `generateSelector`. */
const JOB_LABELS = ['batch.kubernetes.io/controller-uid', 'controller-uid'];

/** Reports whether a name is that of a pod of a StatefulSet: `web-0`. Source: k/k pkg/controller/statefulset/stateful_set_utils.go, `isMemberOf`. */
function isPodNameOf(name: string, statefulSet: string): boolean {
  return name.startsWith(`${statefulSet}-`) && /^[0-9]+$/.test(name.slice(statefulSet.length + 1));
}

function referenceKeyOf({ apiVersion, kind }: { readonly apiVersion?: unknown; readonly kind?: unknown }): string {
  return `${groupOf({ apiVersion: typeof apiVersion === 'string' ? apiVersion : '' })}/${toSafeText(kind)}`;
}

function isServerKind(key: string): boolean {
  return SERVER_GROUPS.has(key.split('/')[0]!);
}

/** Reports whether the kinds that the controller of an owner creates are known. */
export function hasKnownController(owner: Fields): boolean {
  const key = referenceKeyOf(owner);
  return Object.hasOwn(CREATED_KINDS, key) || isServerKind(key);
}

/**
 * Reports whether the controller of an owner may create objects of this kind. The controller of an unknown custom resource may create any.
 * The API server refuses a reference without a kind, so any object with one was shortened by a program.
 */
export function mayCreate(owner: Fields, object: Manifest): boolean {
  if (typeof owner.apiVersion !== 'string' || typeof owner.kind !== 'string') return true;
  const [ownerKey, key] = [referenceKeyOf(owner), referenceKeyOf(object)];
  if (Object.hasOwn(CREATED_KINDS, ownerKey) && CREATED_KINDS[ownerKey]!.includes(key)) return true;
  if (isServerKind(ownerKey)) return false;
  if (!Object.hasOwn(CREATED_KINDS, ownerKey)) return true;
  return !NAMED_KINDS.has(key) && explainNotPlanned(object, () => false) === undefined;
}

/**
 * Reports whether the controller of an owner in view keeps an object as its own. If its selector doesn't match, it releases the object, which
 * then stays as it is. That of a StatefulSet also releases a pod without an ordinal in its name.
 *
 * @param findWorkload - returns the workload that a reference names, if it is in view
 *
 * Source: k/k pkg/controller/controller_ref_manager.go, `ClaimObject`.
 */
export function isKeptByOwner(owner: Manifest, object: Manifest, findWorkload: (reference: Fields) => Manifest | undefined): boolean {
  const key = referenceKeyOf(owner);
  if (!SELECTING_KINDS.has(key)) return true;
  if (key === 'apps/StatefulSet' && referenceKeyOf(object) === '/Pod' && !isPodNameOf(nameOf(object), nameOf(owner))) return false;
  const labels = getFieldsAt(object, 'metadata', 'labels');
  const { selector, workloadRef } = getFieldsAt(owner, 'spec');
  if (selector === undefined && isFields(workloadRef)) {
    // An Argo Rollout with a workloadRef uses the selector of that workload.
    const workload = findWorkload(workloadRef);
    return !workload || matchesLabelSelector(getFieldsAt(workload, 'spec').selector, labels);
  }
  if (key === 'batch/Job' && selector === undefined) return JOB_LABELS.some((name) => labels[name] === getFieldsAt(owner, 'metadata').uid);
  if (key !== '/ReplicationController') return matchesLabelSelector(selector, labels);
  return isFields(selector) && matchesLabelSelector({ matchLabels: selector }, labels);
}

/** Returns the owner that controls an object, if the controller of its kind creates such objects. */
export function findCreatingOwner(object: Manifest): Fields | undefined {
  const owner = findControllingOwner(object);
  return owner && mayCreate(owner, object) ? owner : undefined;
}

/**
 * Reports whether kubectl applied an object, also server-side. Some controllers copy the annotation of the owner, which is the manifest of another
 * kind.
 */
function isApplied(object: Manifest): boolean {
  const applied = parseLastApplied(object);
  if (applied?.kind === object.kind && getValueAt(applied, 'metadata', 'name') === getValueAt(object, 'metadata', 'name')) return true;
  return getListAt(object, 'metadata', 'managedFields').some(
    (entry) => getValueAt(entry, 'manager') === 'kubectl' && getValueAt(entry, 'operation') === 'Apply',
  );
}

/**
 * Returns the objects that controllers created in a cluster: live ones, and those with a status whose owner is a live object, unless kubectl
 * applied them. A manifest is written by a user, whatever owner it names.
 */
export function findControllerMade(objects: readonly Manifest[]): ReadonlySet<Manifest> {
  let byUid: ReadonlyMap<unknown, Manifest> | undefined;
  const isLiveOwner = (reference: Fields): boolean => {
    byUid ??= new Map(objects.filter(isLive).map((object) => [getValueAt(object, 'metadata', 'uid'), object]));
    const owner = typeof reference.uid === 'string' ? byUid.get(reference.uid) : undefined;
    return owner !== undefined && referenceKeyOf(owner) === referenceKeyOf(reference) && nameOf(owner) === reference.name;
  };
  const isOfCluster = (object: Manifest, owner: Fields) => isLive(object) || (isFields(getValueAt(object, 'status')) && isLiveOwner(owner));
  return new Set(
    objects.filter((object) => {
      const owner = findCreatingOwner(object);
      return owner !== undefined && isOfCluster(object, owner) && !isApplied(object);
    }),
  );
}
