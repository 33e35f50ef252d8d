import { countUtf8Bytes } from '../../../core/values/bytes';
import { ROOT_PATH, appendMapKeyLazily, appendLazily, toFieldPath } from '../../../core/manifest/field-path';
import type { Finding } from '../../../core/findings/finding';
import { groupOf } from '../../../core/manifest/manifest';
import type { Fields, Manifest } from '../../../core/manifest/manifest';
import type { LazyFieldPath } from '../../../core/manifest/field-path';
import { collectFromEach, joinLists } from '../../../core/text/join-lists';
import {
  reportUnsupportedValue,
  validateFormat,
  isNonEmpty,
  isNonNil,
  listItems,
  validateMaxLength,
  asMap,
  reportMissing,
  validateRequiredFormat,
  reportInvalid,
  decodeString,
  listStrings,
} from './field-errors';
import type { FormatName } from './formats';

/** The maximum total size of all annotations of an object, in bytes. */
const MAX_ANNOTATIONS_BYTES = 256 * 1024;

/** Validates labels. Source of this file: apimachinery pkg/apis/meta/v1/validation/validation.go and pkg/api/validation/objectmeta.go. */
export function validateLabels(labels: unknown, location: LazyFieldPath): readonly Finding[] {
  if (!isNonNil(labels)) return [];
  const map = asMap(labels) ?? {};
  return collectFromEach(Object.keys(map), (name) =>
    joinLists(
      validateFormat(name, 'qualified-name', appendMapKeyLazily(location, name)),
      validateFormat(decodeString(map[name]), 'label-value', appendMapKeyLazily(location, name)),
    ),
  );
}

export function validateAnnotations(annotations: unknown, location: LazyFieldPath): readonly Finding[] {
  if (!isNonNil(annotations)) return [];
  const entries = Object.entries(asMap(annotations) ?? {});
  const size = entries.reduce((sum, [name, value]) => sum + countUtf8Bytes(name) + countUtf8Bytes(decodeString(value) ?? ''), 0);
  return joinLists(
    collectFromEach(entries, ([name]) => validateFormat(name, 'annotation-name', appendMapKeyLazily(location, name))),
    validateMaxLength(size, MAX_ANNOTATIONS_BYTES, 'byte', location),
  );
}

const SELECTOR_OPERATORS = ['In', 'NotIn', 'Exists', 'DoesNotExist'];

/** Validates the values of an operator: In and NotIn require values, Exists and DoesNotExist allow none. */
export function validateOperands(operator: unknown, values: unknown, location: LazyFieldPath): readonly Finding[] {
  if ((operator === 'In' || operator === 'NotIn') && !isNonEmpty(values)) return [reportMissing(appendLazily(location, 'values'))];
  if ((operator === 'Exists' || operator === 'DoesNotExist') && isNonEmpty(values)) {
    return [reportInvalid('valuesWithExists', values, appendLazily(location, 'values'))];
  }
  return [];
}

function validateRequirement({ key, operator, values }: Fields, location: LazyFieldPath): readonly Finding[] {
  const text = decodeString(operator);
  const isKnown = text === undefined || SELECTOR_OPERATORS.includes(text);
  return joinLists(
    isKnown
      ? validateOperands(operator, values, location)
      : [reportUnsupportedValue(text, SELECTOR_OPERATORS, appendLazily(location, 'operator'))],
    validateFormat(decodeString(key), 'qualified-name', appendLazily(location, 'key')),
    collectFromEach(listStrings(values, appendLazily(location, 'values')), (item) =>
      validateFormat(item.value, 'label-value', item.location),
    ),
  );
}

export function validateLabelSelector(selector: unknown, location: LazyFieldPath): readonly Finding[] {
  const fields = asMap(selector);
  if (!fields) return [];
  return joinLists(
    validateLabels(fields.matchLabels, appendLazily(location, 'matchLabels')),
    collectFromEach(listItems(fields.matchExpressions, appendLazily(location, 'matchExpressions')), (item) =>
      validateRequirement(item.value, item.location),
    ),
  );
}

/** Lists the keys of a selector. */
export function listSelectorKeys(selector: Fields): string[] {
  return [
    ...Object.keys(asMap(selector.matchLabels) ?? {}),
    ...listItems(selector.matchExpressions, ROOT_PATH).flatMap(({ value: { key } }) => (typeof key === 'string' ? [key] : [])),
  ];
}

/** Trims the trailing dash of a `generateName`, to which the API server appends a suffix. */
function trimTrailingDash(name: string): string {
  return name.length > 1 && name.endsWith('-') ? `${name.slice(0, -2)}a` : name;
}

function validateOwners(owners: unknown, location: LazyFieldPath): readonly Finding[] {
  if (!isNonNil(owners)) return [];
  const items = listItems(owners, location);
  const controllers = items.filter(({ value }) => value.controller === true);
  return joinLists(
    collectFromEach(items, (item) =>
      collectFromEach(['apiVersion', 'kind', 'name', 'uid'], (name) =>
        decodeString(item.value[name]) === '' ? [reportMissing(appendLazily(item.location, name))] : [],
      ),
    ),
    controllers.length > 1 ? [reportInvalid('multipleControllers', owners, location)] : [],
  );
}

/**
 * Groups in which a finalizer needs a domain. The API server warns of others elsewhere, such as that of an Application, which Argo CD gives.
 * They are fewer than the groups of the API server in `created-kinds.ts`, since some of these, such as admissionregistration.k8s.io, validate
 * metadata by the function of custom resources.
 * Source: Kubernetes 1.36 pkg/apis/core/validation/validation.go, `ValidateObjectMeta`; apimachinery pkg/api/validation/objectmeta.go.
 */
const STRICT_FINALIZER_GROUPS: ReadonlySet<string> = new Set([
  '',
  'apps',
  'autoscaling',
  'batch',
  'discovery.k8s.io',
  'flowcontrol.apiserver.k8s.io',
  'networking.k8s.io',
  'node.k8s.io',
  'policy',
  'rbac.authorization.k8s.io',
  'resource.k8s.io',
  'scheduling.k8s.io',
  'storage.k8s.io',
]);

/**
 * Validates the metadata of an object. The client fills in a missing namespace.
 *
 * @param format the format of its name
 */
export function validateObjectMeta(object: Manifest, format: FormatName): readonly Finding[] {
  const location = toFieldPath`metadata`;
  const { name, generateName, namespace, labels, annotations, ownerReferences, finalizers } = asMap(object.metadata) ?? {};
  const generated = decodeString(generateName);
  const finalizerFormat = STRICT_FINALIZER_GROUPS.has(groupOf(object)) ? 'finalizer' : 'qualified-name';
  return joinLists(
    generated ? validateFormat(trimTrailingDash(generated), format, appendLazily(location, 'generateName')) : [],
    generated && decodeString(name) === '' ? [] : validateRequiredFormat(name, format, appendLazily(location, 'name')),
    decodeString(namespace) ? validateFormat(decodeString(namespace), 'dns-label', appendLazily(location, 'namespace')) : [],
    validateLabels(labels, appendLazily(location, 'labels')),
    validateAnnotations(annotations, appendLazily(location, 'annotations')),
    validateOwners(ownerReferences, appendLazily(location, 'ownerReferences')),
    collectFromEach(listStrings(finalizers, appendLazily(location, 'finalizers')), (item) =>
      validateFormat(item.value, finalizerFormat, item.location),
    ),
  );
}
