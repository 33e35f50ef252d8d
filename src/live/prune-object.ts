import { findControllingOwner } from '../cluster/kinds/ownership';
import { getFieldsAt, getListAt, getValueAt, isFields, kindKeyOf, omitFields } from '../core/manifest/manifest';
import type { Fields, Manifest } from '../core/manifest/manifest';
import { hashStoredSecrets } from './secret-digest';

/** Metadata that differs from read to read and that no plan needs. */
const VOLATILE_METADATA = ['resourceVersion', 'selfLink'];

/** Times in conditions that change although nothing else does. */
const HEARTBEATS = ['lastHeartbeatTime', 'lastProbeTime', 'lastUpdateTime'];

/** Fields of the status of a Node that no plan needs. The images alone are most of a Node. */
const NODE_STATUS = [
  'addresses',
  'config',
  'daemonEndpoints',
  'features',
  'images',
  'nodeInfo',
  'runtimeHandlers',
  'volumesAttached',
  'volumesInUse',
];

/** Fields of a container that decide neither whether a pod fits, nor whether it serves requests, nor when it ends. */
const CONTAINER_FIELDS = [
  'args',
  'command',
  'env',
  'envFrom',
  'imagePullPolicy',
  'livenessProbe',
  'securityContext',
  'stdin',
  'terminationMessagePath',
  'terminationMessagePolicy',
  'tty',
  'volumeDevices',
  'volumeMounts',
  'workingDir',
];

const CONTAINER_LISTS = ['containers', 'initContainers'];

/** Fields of a pod that its controller has in its template. */
const POD_FIELDS = [
  'automountServiceAccountToken',
  'dnsConfig',
  'dnsPolicy',
  'enableServiceLinks',
  'ephemeralContainers',
  'hostAliases',
  'imagePullSecrets',
  'securityContext',
  'serviceAccount',
];

/** Parts of a pod's status that only describe its containers' past. */
const POD_STATUS = [
  'containerStatuses',
  'ephemeralContainerStatuses',
  'hostIP',
  'hostIPs',
  'initContainerStatuses',
  'podIP',
  'podIPs',
  'startTime',
];

/** Kinds that users do not apply, so no plan reads which managers own their fields. */
const UNAPPLIED_KINDS: ReadonlySet<string> = new Set([
  '/Node',
  '/PersistentVolume',
  'apps/ControllerRevision',
  'discovery.k8s.io/EndpointSlice',
  'resource.k8s.io/ResourceSlice',
]);

/** Returns the field managers without times, and without those that only wrote the status. */
function pruneManagedFields(metadata: Fields): Fields {
  const entries = getListAt({ metadata }, 'metadata', 'managedFields');
  const managers = entries
    .filter((entry) => isFields(entry) && entry.subresource !== 'status')
    .map((entry) => omitFields(entry as Fields, ['time']));
  return { ...metadata, managedFields: managers };
}

function pruneMetadata(object: Manifest, isApplied: boolean): Fields {
  const metadata = omitFields(getFieldsAt(object, 'metadata'), VOLATILE_METADATA);
  if (!Array.isArray(metadata.managedFields)) return metadata;
  return isApplied ? pruneManagedFields(metadata) : omitFields(metadata, ['managedFields']);
}

function pruneConditions(status: Fields): Fields {
  if (!Array.isArray(status.conditions)) return status;
  const conditions = status.conditions.map((condition: unknown) => (isFields(condition) ? omitFields(condition, HEARTBEATS) : condition));
  return { ...status, conditions };
}

/** Drops what only the kubelet needs of a pod whose controller has the template. */
function prunePodSpec(spec: Fields): Fields {
  const lists = CONTAINER_LISTS.filter((name) => Array.isArray(spec[name])).map((name) => [
    name,
    getListAt({ spec }, 'spec', name).map((container) => (isFields(container) ? omitFields(container, CONTAINER_FIELDS) : container)),
  ]);
  return { ...omitFields(spec, POD_FIELDS), ...Object.fromEntries(lists) };
}

function formatAmounts(quantities: Fields): string {
  return JSON.stringify(
    Object.keys(quantities)
      .toSorted()
      .map((name) => [name, quantities[name]]),
  );
}

/** Reports whether a node reserves other amounts for a container than its spec has. */
function isResized(container: unknown, status: Fields): boolean {
  const [requests, limits] = ['requests', 'limits'].map((kind) => formatAmounts(getFieldsAt(container, 'resources', kind)));
  const reserved = [getFieldsAt(status, 'resources', 'requests'), status.allocatedResources].filter(isFields);
  return reserved.some((each) => formatAmounts(each) !== requests) || formatAmounts(getFieldsAt(status, 'resources', 'limits')) !== limits;
}

/** Returns what the node reserves for the containers of a pod that is being resized. Everything else of their states is their past. */
function pruneContainerStatuses(pod: Manifest): Fields {
  const lists = CONTAINER_LISTS.map((list) => {
    const containers = new Map(getListAt(pod, 'spec', list).map((container) => [getValueAt(container, 'name'), container]));
    const name = list.replace(/s$/, 'Statuses');
    const resized = getListAt(pod, 'status', name)
      .filter((status): status is Fields => isFields(status) && isFields(status.resources))
      .filter((status) => isResized(containers.get(status.name), status))
      .map((status) => ({ name: status.name, resources: status.resources, allocatedResources: status.allocatedResources }));
    return [name, resized] as const;
  });
  return Object.fromEntries(lists.filter(([, statuses]) => statuses.length > 0));
}

/**
 * Returns an object without what no plan needs: volatile metadata, heartbeats, images of nodes, and what only the kubelet reads of pods that
 * a controller owns. Values of Secrets become digests.
 */
export function pruneObject(object: Manifest): Manifest {
  return pruneObjectFields(hashStoredSecrets(object));
}

function pruneObjectFields(object: Manifest): Manifest {
  const { spec, status } = object as unknown as Fields;
  const key = kindKeyOf(object);
  const isOwned = findControllingOwner(object) !== undefined;
  const isOwnedPod = isOwned && key === '/Pod';
  const dropped = key === '/Node' ? NODE_STATUS : isOwnedPod ? POD_STATUS : [];
  return {
    ...object,
    metadata: pruneMetadata(object, !isOwned && !UNAPPLIED_KINDS.has(key)),
    ...(isOwnedPod && isFields(spec) && { spec: prunePodSpec(spec) }),
    ...(isFields(status) && {
      status: pruneConditions({ ...omitFields(status, dropped), ...(isOwnedPod && pruneContainerStatuses(object)) }),
    }),
  };
}
