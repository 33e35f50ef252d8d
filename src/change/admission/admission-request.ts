import { getFieldsAt, getOwnValue, groupOf, nameOf, namespaceOf, kindKeyOf } from '../../core/manifest/manifest';
import type { Fields, Manifest } from '../../core/manifest/manifest';
import { listCreatedKinds } from '../../cluster/kinds/created-kinds';
import { isFleetYaml } from '../../systems/fleet/fleet-yaml';

/** Operations of the API server that rules of admission name, except CONNECT, which changes no object. */
type AdmissionOperation = 'CREATE' | 'UPDATE' | 'DELETE';

/** A write of an object, or of those that controllers create for it, as rules of admission see it. */
export interface AdmissionRequest {
  readonly group: string;
  /** Name in paths of the API: `deployments`. @default - it is not known, since only the definition of the kind has it */
  readonly resource?: string | undefined;
  /** `status`, or empty for the object itself. */
  readonly subresource: string;
  readonly operation: AdmissionOperation;
  /** @default - it is not known */
  readonly namespace?: string | undefined;
  /** Name of the object. @default - it is not known, or a controller generates it */
  readonly name?: string | undefined;
  /** Labels of the object. @default - they are not known */
  readonly labels?: Fields | undefined;
}

/** An object in view that runs pods. */
export interface PodRunner {
  readonly object: Manifest;
  /** Whether the apply creates it, so that no controller deletes any pod of it. */
  readonly isNew: boolean;
  /** Whether the apply deletes it. */
  readonly isDeleted: boolean;
}

/** Returns the name of a known kind in paths of the API: `deployments`, `canaries`. */
function toResourceName(kind: string): string {
  const name = kind.toLowerCase();
  return name.endsWith('y') ? `${name.slice(0, -1)}ies` : `${name}s`;
}

/** What the controller of a kind may create that is not known. */
const ANY_CREATED: readonly string[] = ['/Pod', 'apps/ReplicaSet', 'apps/StatefulSet', 'apps/Deployment', 'apps/DaemonSet', 'batch/Job'];

/** Where kinds have the labels of what is created for them, by its kind. */
const CREATED_LABELS: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  'apps/Deployment': { '/Pod': ['spec', 'template'], 'apps/ReplicaSet': ['spec', 'template'] },
  'apps/ReplicaSet': { '/Pod': ['spec', 'template'] },
  'apps/StatefulSet': { '/Pod': ['spec', 'template'] },
  'apps/DaemonSet': { '/Pod': ['spec', 'template'] },
  'batch/Job': { '/Pod': ['spec', 'template'] },
  'batch/CronJob': { '/Pod': ['spec', 'jobTemplate', 'spec', 'template'], 'batch/Job': ['spec', 'jobTemplate'] },
};

function splitKindKey(key: string): { readonly group: string; readonly kind: string } {
  const index = key.indexOf('/');
  return { group: key.slice(0, index), kind: key.slice(index + 1) };
}

function labelsOf(object: Manifest, ...fields: readonly string[]): Fields {
  return getFieldsAt(object, ...fields, 'metadata', 'labels');
}

/** What is written by other requests than those of the object itself, if it runs on. Nothing else writes a pod, except for a user who debugs it. */
const POD_SUBRESOURCES = { status: 'UPDATE', resize: 'UPDATE', binding: 'CREATE', eviction: 'CREATE' } as const;
const OTHER_SUBRESOURCES = { status: 'UPDATE', scale: 'UPDATE' } as const;

/** Subresources that are objects of another kind, without the labels of the object. */
const UNLABELED: ReadonlySet<string> = new Set(['scale', 'binding', 'eviction']);

/** Writes of one object, whatever their operations are. */
type WrittenResource = Omit<AdmissionRequest, 'operation' | 'subresource'>;

/** Lists the requests by which a resource is written. Controllers delete running pods of what rolls, and everything of what is deleted. */
function listOperations(written: WrittenResource, { isNew, isDeleted }: Omit<PodRunner, 'object'>): readonly AdmissionRequest[] {
  const request = (operation: AdmissionOperation, subresource = ''): AdmissionRequest => {
    const { labels, ...unlabeled } = written;
    return { ...unlabeled, ...(labels && !UNLABELED.has(subresource) && { labels }), operation, subresource };
  };
  if (isDeleted) return [request('DELETE')];
  const isPod = written.group === '' && written.resource === 'pods';
  const further = Object.entries(isPod ? POD_SUBRESOURCES : OTHER_SUBRESOURCES);
  return [
    request('CREATE'),
    request('UPDATE'),
    ...(isPod && !isNew ? [request('DELETE')] : []),
    ...further.map(([subresource, operation]) => request(operation, subresource)),
  ];
}

/** Lists the writes of an object, and of what controllers create for it. An owner is in the namespace of what it owns. */
function listRequests(runner: PodRunner): readonly AdmissionRequest[] {
  const { object } = runner;
  const ownKey = kindKeyOf(object);
  const known = listCreatedKinds(ownKey);
  // Fleet creates what its bundles contain in any namespace.
  const isAny = known === undefined || groupOf(object) === 'fleet.cattle.io';
  const namespace = namespaceOf(object);
  const resource = known && toResourceName(object.kind);
  const own = { group: groupOf(object), resource, namespace, name: nameOf(object), labels: labelsOf(object) };
  const created = (isAny ? ANY_CREATED : known).map((key): WrittenResource => {
    const { group, kind } = splitKindKey(key);
    const fields = getOwnValue(getOwnValue(CREATED_LABELS, ownKey) ?? {}, key);
    return { group, resource: toResourceName(kind), ...(!isAny && { namespace }), ...(fields && { labels: labelsOf(object, ...fields) }) };
  });
  return [own, ...created].flatMap((written) => listOperations(written, runner));
}

/** Lists what may be written in a cluster if no pods are in view. */
function listUnknownRequests(): readonly AdmissionRequest[] {
  return ANY_CREATED.flatMap((key) => {
    const { group, kind } = splitKindKey(key);
    return listOperations({ group, resource: toResourceName(kind) }, { isNew: false, isDeleted: false });
  });
}

/** Lists the different writes of the objects in view that run pods, and of what controllers create for them. */
export function listAdmissionRequests(runners: readonly PodRunner[]): readonly AdmissionRequest[] {
  const inView = runners.filter(({ object }) => !isFleetYaml(object));
  if (inView.length === 0) return listUnknownRequests();
  const requests = inView.flatMap(listRequests);
  return [...new Map(requests.map((request) => [JSON.stringify(request), request])).values()];
}
