import { getFieldsAt, isFields, isClassInstance } from '../../core/manifest';
import type { Fields, Manifest } from '../../core/manifest';
import type { Versions } from '../../core/versions';
import { decodeFields } from './decode';
import { withDefinitionDefaults } from './definition-defaults';
import { getStoredKind } from './kinds';
import { normalizeSentPodSpec } from './pod-defaults';
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
const CONTROLLER_ANNOTATIONS = [
  'kubectl.kubernetes.io/last-applied-configuration',
  'deployment.kubernetes.io/revision',
  'deprecated.daemonset.template.generation',
];

function excludeFields(value: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)));
}

function stripServerMetadata(metadata: unknown): Fields {
  if (!isFields(metadata)) return {};
  const kept = excludeFields(metadata, SERVER_METADATA);
  if (!isFields(kept.annotations)) return kept;
  const annotations = excludeFields(kept.annotations, CONTROLLER_ANNOTATIONS);
  return Object.keys(annotations).length > 0 ? { ...kept, annotations } : excludeFields(kept, ['annotations']);
}

/** What of a template stands in a pod and is not the template's. */
function toSentForm(object: Fields, version: string): Fields {
  const { status: _, ...rest } = object;
  const metadata = stripServerMetadata(object.metadata);
  const spec = rest.spec;
  if (!isFields(spec)) return { ...rest, metadata };
  const template = spec.template;
  if (!isFields(template)) return { ...rest, metadata, spec };
  const { creationTimestamp: _made, ...templateMetadata } = getFieldsAt(template, 'metadata');
  const pod = normalizeSentPodSpec(template.spec, version);
  return {
    ...rest,
    metadata,
    spec: { ...spec, template: { ...template, metadata: templateMetadata, ...(isFields(pod) && { spec: pod }) } },
  };
}

/** A resource of an operator: nulls count as left out. */
function stripNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(stripNulls);
  if (!isFields(value) || isClassInstance(value)) return value;
  const kept = Object.entries(value).filter(([, inner]) => inner !== null && inner !== undefined);
  return Object.fromEntries(kept.map(([name, inner]) => [name, stripNulls(inner)]));
}

/**
 * Brings an object into the form in which the API server of a version holds it: unknown fields dropped, what is left out filled in,
 * quantities, aliases and empty values in one spelling. What cannot be decoded stays as it is. What the server draws itself (addresses,
 * node ports, the selector of a Job) is kept where it is there, and not made up.
 */
export function toStoredForm(object: Manifest, versions: Versions): StoredObject {
  const kind = getStoredKind(object);
  const own = toSentForm(object, versions.kubernetes);
  if (!kind) return withDefinitionDefaults(stripNulls(own) as Manifest) as StoredObject;
  return kind.applyDefaults(decodeFields(own, kind.fields, versions.kubernetes), own, versions.kubernetes) as StoredObject;
}
