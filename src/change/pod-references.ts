import { getListAt, getValueAt, isFields } from '../core/manifest';
import type { Fields, Manifest } from '../core/manifest';
import { containersOf, findPodSpecs, REFERENCE_FIELDS } from './config-references';

/** Kinds of objects without which a pod does not start, as group and kind. */
export const REFERENCED_KINDS = [
  '/ConfigMap',
  '/PersistentVolumeClaim',
  '/Secret',
  '/ServiceAccount',
  'node.k8s.io/RuntimeClass',
  'resource.k8s.io/ResourceClaim',
  'resource.k8s.io/ResourceClaimTemplate',
  'scheduling.k8s.io/PriorityClass',
] as const;

type ReferencedKind = (typeof REFERENCED_KINDS)[number];

/** Object, or one of its keys, without which the pods of a workload do not start. */
export interface PodReference {
  readonly kind: ReferencedKind;
  readonly name: string;
  /** Key of a ConfigMap or Secret. @default - the object itself is enough */
  readonly key?: string;
}

type AddReference = (kind: ReferencedKind, name: unknown, key?: unknown) => void;

/** Kinds of configuration, whose core group has no name. */
const CONFIG_KINDS = ['ConfigMap', 'Secret'] as const;

/** Adds a source of a volume with the keys that its items name. */
function addVolumeSource(kind: ReferencedKind, source: unknown, nameField: string, add: AddReference): void {
  if (!isFields(source) || source.optional === true) return;
  add(kind, source[nameField]);
  for (const item of getListAt(source, 'items')) add(kind, source[nameField], getValueAt(item, 'key'));
}

function addContainerReferences(podSpec: unknown, add: AddReference): void {
  for (const container of containersOf(podSpec)) {
    for (const kind of CONFIG_KINDS) {
      const { env, envFrom } = REFERENCE_FIELDS[kind];
      const required = (source: unknown) => (getValueAt(source, 'optional') === true ? undefined : source);
      for (const variable of getListAt(container, 'env')) {
        const source = required(getValueAt(variable, 'valueFrom', env));
        add(`/${kind}`, getValueAt(source, 'name'), getValueAt(source, 'key'));
      }
      for (const source of getListAt(container, 'envFrom')) add(`/${kind}`, getValueAt(required(getValueAt(source, envFrom)), 'name'));
    }
  }
}

function addVolumeReferences(podSpec: unknown, add: AddReference): void {
  for (const volume of getListAt(podSpec, 'volumes')) {
    add('/PersistentVolumeClaim', getValueAt(volume, 'persistentVolumeClaim', 'claimName'));
    for (const kind of CONFIG_KINDS) {
      const { volume: field, name } = REFERENCE_FIELDS[kind];
      addVolumeSource(`/${kind}`, getValueAt(volume, field), name, add);
      for (const source of getListAt(volume, 'projected', 'sources')) addVolumeSource(`/${kind}`, getValueAt(source, field), 'name', add);
    }
  }
}

/** Adds the objects by which admission or the scheduler refuses a pod if they are missing. */
function addPodReferences(podSpec: Fields, add: AddReference): void {
  const { serviceAccountName, serviceAccount } = podSpec;
  const account = serviceAccountName || serviceAccount;
  // A controller creates the default account of each namespace again.
  if (account !== 'default') add('/ServiceAccount', account);
  add('scheduling.k8s.io/PriorityClass', podSpec.priorityClassName);
  add('node.k8s.io/RuntimeClass', podSpec.runtimeClassName);
  for (const claim of getListAt(podSpec, 'resourceClaims')) {
    add('resource.k8s.io/ResourceClaim', getValueAt(claim, 'resourceClaimName'));
    add('resource.k8s.io/ResourceClaimTemplate', getValueAt(claim, 'resourceClaimTemplateName'));
  }
}

/** Returns what the pods of an object need so that they start, without optional references. */
export function listPodReferences(object: Manifest): readonly PodReference[] {
  const references: PodReference[] = [];
  const add: AddReference = (kind, name, key) => {
    if (typeof name !== 'string' || name === '') return;
    references.push({ kind, name, ...(typeof key === 'string' && { key }) });
  };
  for (const podSpec of findPodSpecs(object)) {
    if (!isFields(podSpec)) continue;
    addPodReferences(podSpec, add);
    addContainerReferences(podSpec, add);
    addVolumeReferences(podSpec, add);
  }
  return references;
}
