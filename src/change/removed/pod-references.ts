import { getListAt, getValueAt, groupOf, isFields, nameOf } from '../../core/manifest/manifest';
import type { Fields, Manifest } from '../../core/manifest/manifest';
import { toSafeText } from '../../core/text/value-text';
import { REFERENCE_FIELDS } from '../../cluster/pods/config-reference-fields';
import { containersOf, findPodSpecs } from '../effects/config-references';

/** Kinds of objects without which a pod does not start, as group and kind. */
export const REFERENCED_KINDS = [
  '/ConfigMap',
  '/PersistentVolumeClaim',
  '/Secret',
  '/ServiceAccount',
  'certificates.k8s.io/ClusterTrustBundle',
  'node.k8s.io/RuntimeClass',
  'resource.k8s.io/DeviceClass',
  'resource.k8s.io/ResourceClaim',
  'resource.k8s.io/ResourceClaimTemplate',
  'scheduling.k8s.io/PriorityClass',
  'storage.k8s.io/CSIDriver',
  'storage.k8s.io/StorageClass',
] as const;

type ReferencedKind = (typeof REFERENCED_KINDS)[number];

/** What a pod needs an object for that it may start without. */
export type LesserNeed = 'image' | 'claim' | 'data';

/** Object, or one of its keys, without which the pods of a workload do not start. */
export interface PodReference {
  readonly kind: ReferencedKind;
  readonly name: string;
  /** Key of a ConfigMap or Secret. @default - the object itself is enough */
  readonly key?: string;
  /** What pods may do without it: start from an image that is public or on the node, with a claim that exists, or with an empty one. @default - they do not start */
  readonly isOnlyFor?: LesserNeed;
  /** Whether the key is the value of a variable, which the kubelet reads from `data` of a ConfigMap only. @default false */
  readonly isVariable?: true;
}

type AddReference = (kind: ReferencedKind, name: unknown, key?: unknown, need?: Pick<PodReference, 'isOnlyFor' | 'isVariable'>) => void;

/** Levels at which a service of KServe may name its model. */
const MAX_MODEL_DEPTH = 20;

/** Kinds of configuration, whose core group has no name. */
const CONFIG_KINDS = ['ConfigMap', 'Secret'] as const;

/** Adds a source of a volume with the keys that its items name. */
function addVolumeSource(kind: ReferencedKind, source: unknown, nameField: string, add: AddReference): void {
  if (!isFields(source) || source.optional === true) return;
  add(kind, source[nameField]);
  for (const item of getListAt(source, 'items')) add(kind, source[nameField], getValueAt(item, 'key'));
}

/** Adds the keys that containers mount as files with `subPath`, from volumes with all keys. The kubelet makes a folder of a missing one. */
function addMountedKeys(podSpec: unknown, add: AddReference): void {
  for (const volume of getListAt(podSpec, 'volumes')) {
    for (const kind of CONFIG_KINDS) {
      const { volume: field, name } = REFERENCE_FIELDS[kind];
      const source = getValueAt(volume, field);
      if (!isFields(source) || source.optional === true || getListAt(source, 'items').length > 0) continue;
      for (const mount of containersOf(podSpec).flatMap((container) => getListAt(container, 'volumeMounts')))
        if (getValueAt(mount, 'name') === getValueAt(volume, 'name')) add(`/${kind}`, source[name], getValueAt(mount, 'subPath'));
    }
  }
}

function addContainerReferences(podSpec: unknown, add: AddReference): void {
  for (const container of containersOf(podSpec)) {
    for (const kind of CONFIG_KINDS) {
      const { env, envFrom } = REFERENCE_FIELDS[kind];
      const required = (source: unknown) => (getValueAt(source, 'optional') === true ? undefined : source);
      for (const variable of getListAt(container, 'env')) {
        const source = required(getValueAt(variable, 'valueFrom', env));
        add(`/${kind}`, getValueAt(source, 'name'), getValueAt(source, 'key'), { isVariable: true });
      }
      for (const source of getListAt(container, 'envFrom')) add(`/${kind}`, getValueAt(required(getValueAt(source, envFrom)), 'name'));
    }
  }
}

/** Fields of volumes that name a Secret, which the kubelet reads before it mounts the volume. */
const VOLUME_SECRETS: readonly (readonly string[])[] = [
  ['csi', 'nodePublishSecretRef', 'name'],
  ['flexVolume', 'secretRef', 'name'],
  ['cephfs', 'secretRef', 'name'],
  ['rbd', 'secretRef', 'name'],
  ['iscsi', 'secretRef', 'name'],
  ['scaleIO', 'secretRef', 'name'],
  ['storageos', 'secretRef', 'name'],
  ['azureFile', 'secretName'],
];

function addVolumeReferences(podSpec: unknown, add: AddReference): void {
  for (const volume of getListAt(podSpec, 'volumes')) {
    add('/PersistentVolumeClaim', getValueAt(volume, 'persistentVolumeClaim', 'claimName'));
    add('storage.k8s.io/StorageClass', getValueAt(volume, 'ephemeral', 'volumeClaimTemplate', 'spec', 'storageClassName'));
    add('storage.k8s.io/CSIDriver', getValueAt(volume, 'csi', 'driver'));
    for (const path of VOLUME_SECRETS) add('/Secret', getValueAt(volume, ...path));
    for (const source of getListAt(volume, 'projected', 'sources')) {
      const bundle = getValueAt(source, 'clusterTrustBundle');
      if (getValueAt(bundle, 'optional') !== true) add('certificates.k8s.io/ClusterTrustBundle', getValueAt(bundle, 'name'));
    }
    for (const kind of CONFIG_KINDS) {
      const { volume: field, name } = REFERENCE_FIELDS[kind];
      addVolumeSource(`/${kind}`, getValueAt(volume, field), name, add);
      for (const source of getListAt(volume, 'projected', 'sources')) addVolumeSource(`/${kind}`, getValueAt(source, field), 'name', add);
    }
  }
}

/** Returns the ServiceAccount with a name in the namespace of an object. */
type AccountLookup = (name: unknown) => Manifest | undefined;

/** Adds the objects without which admission, the scheduler or the kubelet refuses a pod, and the Secrets for its images. */
function addPodReferences(podSpec: Fields, accountOf: AccountLookup, add: AddReference): void {
  const { serviceAccountName, serviceAccount } = podSpec;
  const account = serviceAccountName || serviceAccount;
  // A controller creates the default account of each namespace again.
  if (account !== 'default') add('/ServiceAccount', account);
  // Admission adds the Secrets of the account only if the pod names none.
  const own = getListAt(podSpec, 'imagePullSecrets');
  const secrets = own.length > 0 ? own : getListAt(accountOf(account || 'default'), 'imagePullSecrets');
  for (const secret of secrets) add('/Secret', getValueAt(secret, 'name'), undefined, { isOnlyFor: 'image' });
  add('scheduling.k8s.io/PriorityClass', podSpec.priorityClassName);
  add('node.k8s.io/RuntimeClass', podSpec.runtimeClassName);
  for (const claim of getListAt(podSpec, 'resourceClaims')) {
    add('resource.k8s.io/ResourceClaim', getValueAt(claim, 'resourceClaimName'));
    add('resource.k8s.io/ResourceClaimTemplate', getValueAt(claim, 'resourceClaimTemplateName'));
  }
}

/** Adds the device classes of a claim, or of a template of claims, without which the scheduler places no pod that uses it. */
function addDeviceClasses(object: Manifest, add: AddReference): void {
  if (groupOf(object) !== 'resource.k8s.io') return;
  for (const devices of [getValueAt(object, 'spec', 'devices'), getValueAt(object, 'spec', 'spec', 'devices')])
    for (const request of getListAt(devices, 'requests'))
      for (const one of [request, getValueAt(request, 'exactly'), ...getListAt(request, 'firstAvailable')])
        add('resource.k8s.io/DeviceClass', getValueAt(one, 'deviceClassName'));
}

/** Adds the claims from which a service of KServe loads its model: `pvc://models/iris`. */
function addModelClaims(value: unknown, add: AddReference, depth = 0): void {
  if (typeof value === 'string') add('/PersistentVolumeClaim', /^pvc:\/\/([^/]+)/.exec(value)?.[1]);
  if (typeof value !== 'object' || value === null || depth > MAX_MODEL_DEPTH) return;
  for (const inner of Object.values(value)) addModelClaims(inner, add, depth + 1);
}

/** Returns the pod specs of the workloads of a service of KServe, which name its ServiceAccount. */
function listModelPods({ spec }: Manifest): unknown[] {
  const workloads = [spec, getValueAt(spec, 'prefill')].map((workload) => getValueAt(workload, 'template'));
  return [getValueAt(spec, 'predictor'), ...workloads].filter(isFields);
}

/** Adds the Secrets of the ServiceAccount with which a service of KServe loads its model. */
function addModelSecrets(object: Manifest, accountOf: AccountLookup, add: AddReference): void {
  for (const pods of listModelPods(object))
    for (const secret of getListAt(accountOf(getValueAt(pods, 'serviceAccountName') || 'default'), 'secrets'))
      add('/Secret', getValueAt(secret, 'name'));
}

/** Returns a name for the claims of all pods of a StatefulSet: `data-db-*` for `data-db-0`. No object can have it. */
export function toClaimPattern(name: string): string {
  return name.replace(/-\d+$/, '-*');
}

/** Reports whether a StatefulSet has the pod whose claim has a name. */
export function hasPodWithClaim({ spec }: Manifest, name: string): boolean {
  const start = Number(getValueAt(spec, 'ordinals', 'start') ?? 0);
  const ordinal = Number(name.slice(name.lastIndexOf('-') + 1));
  return ordinal >= start && ordinal < start + Number(getValueAt(spec, 'replicas') ?? 1);
}

/**
 * Returns what the pods of an object need so that they start, without optional references.
 *
 * @param accountOf - returns a ServiceAccount of its namespace
 */
export function listPodReferences(object: Manifest, accountOf: AccountLookup): readonly PodReference[] {
  const references: PodReference[] = [];
  const add: AddReference = (kind, name, key, need) => {
    if (typeof name !== 'string' || name === '') return;
    references.push({ kind, name, ...(typeof key === 'string' && { key }), ...need });
  };
  for (const template of getListAt(object, 'spec', 'volumeClaimTemplates')) {
    add('storage.k8s.io/StorageClass', getValueAt(template, 'spec', 'storageClassName'), undefined, { isOnlyFor: 'claim' });
    const claim = getValueAt(template, 'metadata', 'name');
    if (object.kind === 'StatefulSet')
      add('/PersistentVolumeClaim', `${toSafeText(claim)}-${nameOf(object)}-*`, undefined, { isOnlyFor: 'data' });
  }
  addDeviceClasses(object, add);
  if (groupOf(object) === 'serving.kserve.io') {
    addModelClaims(object.spec, add);
    addModelSecrets(object, accountOf, add);
  }
  for (const podSpec of findPodSpecs(object)) {
    if (!isFields(podSpec)) continue;
    addPodReferences(podSpec, accountOf, add);
    addContainerReferences(podSpec, add);
    addMountedKeys(podSpec, add);
    addVolumeReferences(podSpec, add);
  }
  return references;
}
