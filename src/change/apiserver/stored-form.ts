import { LAST_APPLIED_ANNOTATION, isLive } from '../../appliers/live-object';
import { getFieldsAt, getOwnValue, isFields, isClassInstance, kindKeyOf, namespaceOf, omitFields } from '../../core/manifest/manifest';
import type { Fields, Manifest } from '../../core/manifest/manifest';
import type { Versions } from '../../core/values/versions';
import { OBJECT_META } from '../../workloads/pod/object-meta';
import { decodeFields } from './decode';
import { withDefinitionDefaults } from './definition-defaults';
import { createDefaultGates, createGatesInUse } from './field-gates';
import type { FieldGates } from './field-gates';
import { getStoredKind } from './kinds';
import { normalizeSentPodSpec } from './pod-defaults';
import { createRawFieldCheck } from './raw-fields';
import type { RawFieldCheck } from './raw-fields';
import type { StoredObject } from './types';

/** Metadata that only the server writes. */
export const SERVER_METADATA: readonly string[] = [
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'selfLink',
  'managedFields',
];

/** Annotations that the controllers of a kind write. */
const CONTROLLER_ANNOTATIONS: Readonly<Record<string, readonly string[]>> = {
  'apps/Deployment': ['deployment.kubernetes.io/revision'],
  'apps/ReplicaSet': ['deployment.kubernetes.io/revision'],
  'apps/DaemonSet': ['deprecated.daemonset.template.generation'],
};

function stripServerMetadata(object: Manifest): Fields {
  if (!isFields(object.metadata)) return {};
  const userMetadata = omitFields(object.metadata, SERVER_METADATA);
  if (!isFields(userMetadata.annotations)) return userMetadata;
  const ofControllers = getOwnValue(CONTROLLER_ANNOTATIONS, kindKeyOf(object)) ?? [];
  const annotations = omitFields(userMetadata.annotations, [LAST_APPLIED_ANNOTATION, ...ofControllers]);
  return Object.keys(annotations).length > 0 ? { ...userMetadata, annotations } : omitFields(userMetadata, ['annotations']);
}

/** Returns the object as the API server reads it: without the status, server metadata and the namespace of a cluster-scoped kind. */
function toSentForm(object: Manifest, gates: FieldGates): Fields {
  const { status: _, ...rest } = object;
  const sent = stripServerMetadata(object);
  const metadata = sent.namespace !== undefined && namespaceOf(object) === undefined ? omitFields(sent, ['namespace']) : sent;
  const spec = rest.spec;
  if (!isFields(spec)) return { ...rest, metadata };
  const template = spec.template;
  if (!isFields(template)) return { ...rest, metadata, spec };
  // The definition of a custom resource decides what the template contains. It keeps fields of pods that Kubernetes drops from its own kinds.
  if (!getStoredKind(object)) return { ...rest, metadata, spec: { ...spec, template: { ...template, metadata: template.metadata ?? {} } } };
  const pod = normalizeSentPodSpec(template.spec, gates);
  return {
    ...rest,
    metadata,
    spec: { ...spec, template: { ...template, metadata: getFieldsAt(template, 'metadata'), ...(isFields(pod) && { spec: pod }) } },
  };
}

function stripNullsOf(value: unknown, isRaw: RawFieldCheck, around = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => stripNullsOf(item, isRaw));
  if (!isFields(value) || isClassInstance(value)) return value;
  const entries = Object.entries(value).filter(([, inner]) => inner !== null && inner !== undefined);
  return Object.fromEntries(entries.map(([name, inner]) => [name, isRaw(around, name) ? inner : stripNullsOf(inner, isRaw, name)]));
}

/** Drops nulls from the maps of a custom resource that have a schema: there they count as omitted. */
export function stripNulls(object: Manifest): Manifest {
  return stripNullsOf(object, createRawFieldCheck(kindKeyOf(object))) as Manifest;
}

/**
 * Converts an object to the form in which the API server of a version stores it. Unknown fields are dropped, defaults are filled in,
 * and quantities, aliases and empty values are normalized. Values that cannot be decoded stay as they are. Values that the server allocates
 * (addresses, node ports, the selector of a Job) are kept if present, and not made up.
 *
 * @param gates - which fields the server keeps. @default - those of a new object
 */
export function toStoredForm(object: Manifest, versions: Versions, gates = createDefaultGates(versions.kubernetes)): StoredObject {
  const kind = getStoredKind(object);
  const own = toSentForm(object, gates);
  if (!kind) {
    const metadata = decodeFields(getFieldsAt(own, 'metadata'), OBJECT_META, gates);
    return withDefinitionDefaults({ ...stripNulls(own as Manifest), metadata }) as StoredObject;
  }
  return kind.applyDefaults(decodeFields(own, kind.fields, gates), own, gates) as StoredObject;
}

/** An object of OLD as the server stores it, and which fields the server keeps in a write to it. */
interface ReadObject {
  readonly stored: StoredObject;
  readonly gates: FieldGates;
}

/** Reads an object of OLD. A live one has only fields that the server keeps. */
export function readStored(object: Manifest, versions: Versions): ReadObject {
  const { kubernetes } = versions;
  if (!isLive(object)) return { stored: toStoredForm(object, versions), gates: createDefaultGates(kubernetes) };
  const { reading, writing } = createGatesInUse(kubernetes);
  return { stored: toStoredForm(object, versions, reading), gates: writing };
}
