import { fieldsAt, isFields, isInstance } from '../../core/manifest';
import type { Fields, Manifest } from '../../core/manifest';
import type { Versions } from '../../core/versions';
import { decoded } from './decode';
import { withDefinitionDefaults } from './definition-defaults';
import { storedKindOf } from './kinds';
import { podSpecSent } from './pod-defaults';
import type { StoredObject } from './types';

/** What the server alone writes of an object. */
const SERVER_METADATA = [
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'selfLink',
  'managedFields',
];

/** Annotations that kubectl and controllers write of their own. */
const WRITTEN_ANNOTATIONS = [
  'kubectl.kubernetes.io/last-applied-configuration',
  'deployment.kubernetes.io/revision',
  'deprecated.daemonset.template.generation',
];

function without(value: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)));
}

function metadataStored(metadata: unknown): Fields {
  if (!isFields(metadata)) return {};
  const kept = without(metadata, SERVER_METADATA);
  if (!isFields(kept.annotations)) return kept;
  const annotations = without(kept.annotations, WRITTEN_ANNOTATIONS);
  return Object.keys(annotations).length > 0 ? { ...kept, annotations } : without(kept, ['annotations']);
}

/** What of a template stands in a pod and is not the template's. */
function sent(object: Fields, version: string): Fields {
  const { status: _, ...rest } = object;
  const metadata = metadataStored(object.metadata);
  const spec = rest.spec;
  if (!isFields(spec)) return { ...rest, metadata };
  const template = spec.template;
  if (!isFields(template)) return { ...rest, metadata, spec };
  const { creationTimestamp: _made, ...templateMetadata } = fieldsAt(template, 'metadata');
  const pod = podSpecSent(template.spec, version);
  return {
    ...rest,
    metadata,
    spec: { ...spec, template: { ...template, metadata: templateMetadata, ...(isFields(pod) && { spec: pod }) } },
  };
}

/** A resource of an operator: nulls count as left out. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isFields(value) || isInstance(value)) return value;
  const kept = Object.entries(value).filter(([, inner]) => inner !== null && inner !== undefined);
  return Object.fromEntries(kept.map(([name, inner]) => [name, withoutNulls(inner)]));
}

/**
 * Brings an object into the form in which the API server of a version holds it: unknown fields dropped, what is left out filled in,
 * quantities, aliases and empty values in one spelling. What cannot be decoded stays as it is. What the server draws itself (addresses,
 * node ports, the selector of a Job) is kept where it is there, and not made up.
 */
export function storedForm(object: Manifest, versions: Versions): StoredObject {
  const kind = storedKindOf(object);
  const own = sent(object, versions.kubernetes);
  if (!kind) return withDefinitionDefaults(withoutNulls(own) as Manifest) as StoredObject;
  return kind.fill(decoded(own, kind.fields, versions.kubernetes), own, versions.kubernetes) as StoredObject;
}
