import type { Finding } from '../../../core/findings/finding';
import type { Fields } from '../../../core/manifest/manifest';
import { appendMapKeyLazily, appendLazily } from '../../../core/manifest/field-path';
import type { LazyFieldPath } from '../../../core/manifest/field-path';
import { joinLists } from '../../../core/text/join-lists';
import type { ApiField, ApiFields } from '../field';
import { OBJECT_META } from '../object-meta';
import { validateAnnotations, validateLabels, validateLabelSelector } from './labels';
import {
  reportUnsupportedValue,
  validateFormat,
  isNonEmpty,
  isNonNil,
  asMap,
  reportMissing,
  validateOptionalFormat,
  validatePointerEnum,
  reportInvalid,
  validateRequired,
  decodeString,
  listStrings,
} from './field-errors';
import { parseResourceAmount } from './resources';

const ACCESS_MODES = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'];
const VOLUME_MODES = ['Block', 'Filesystem'];

function validateAccessModes(modes: unknown, location: LazyFieldPath): readonly Finding[] {
  if (!isNonEmpty(modes)) return [reportMissing(location)];
  const items = listStrings(modes, location);
  const known = items.filter(({ value }) => ACCESS_MODES.includes(value));
  const isMixed = known.some(({ value }) => value === 'ReadWriteOncePod') && known.some(({ value }) => value !== 'ReadWriteOncePod');
  return joinLists(
    items.filter((item) => !known.includes(item)).map((item) => reportUnsupportedValue(item.value, ACCESS_MODES, item.location)),
    isMixed ? [reportInvalid('singleNode', modes, location)] : [],
  );
}

function validateStorageRequest(resources: unknown, location: LazyFieldPath): readonly Finding[] {
  const requests = asMap(asMap(resources)?.requests);
  if (!requests || !Object.hasOwn(requests, 'storage')) return [reportMissing(appendLazily(appendLazily(location, 'requests'), 'storage'))];
  const amount = parseResourceAmount(requests.storage);
  if (amount === undefined || amount > 0n) return [];
  return [reportInvalid('notPositive', requests.storage, appendMapKeyLazily(appendLazily(location, 'requests'), 'storage'))];
}

function validateDataSource(source: Fields, location: LazyFieldPath): readonly Finding[] {
  const group = decodeString(source.apiGroup);
  return joinLists(
    validateRequired(source.name, appendLazily(location, 'name')),
    validateRequired(source.kind, appendLazily(location, 'kind')),
    group === '' && source.kind !== 'PersistentVolumeClaim' ? [reportInvalid('dataSource', source.kind, location)] : [],
    group ? validateFormat(group, 'dns-subdomain', appendLazily(location, 'apiGroup')) : [],
    validateOptionalFormat(source.namespace, 'dns-label', appendLazily(location, 'namespace')),
  );
}

/** Validates that both references to a source are equal and that dataSourceRef has no namespace, which dataSource can't have. */
function compareDataSources(source: Fields | undefined, reference: Fields | undefined, location: LazyFieldPath): readonly Finding[] {
  if (!source || !reference) return [];
  const isSame = ['apiGroup', 'kind', 'name'].every((name) => (source[name] ?? null) === (reference[name] ?? null));
  return isSame && !decodeString(reference.namespace)
    ? []
    : [reportInvalid('dataSource', source.kind, appendLazily(location, 'dataSource'))];
}

/** Validates the spec of a claim. Source: k/k pkg/apis/core/validation/validation.go, `ValidatePersistentVolumeClaimSpec`. */
export function validateClaimSpec(spec: unknown, location: LazyFieldPath): readonly Finding[] {
  const fields = asMap(spec) ?? {};
  const source = asMap(fields.dataSource);
  const reference = asMap(fields.dataSourceRef);
  return joinLists(
    validateAccessModes(fields.accessModes, appendLazily(location, 'accessModes')),
    validateLabelSelector(fields.selector, appendLazily(location, 'selector')),
    validateStorageRequest(fields.resources, appendLazily(location, 'resources')),
    validateOptionalFormat(fields.storageClassName, 'dns-subdomain', appendLazily(location, 'storageClassName')),
    validatePointerEnum(fields.volumeMode, VOLUME_MODES, appendLazily(location, 'volumeMode')),
    source ? validateDataSource(source, appendLazily(location, 'dataSource')) : [],
    reference ? validateDataSource(reference, appendLazily(location, 'dataSourceRef')) : [],
    compareDataSources(source, reference, location),
    validateOptionalFormat(fields.volumeAttributesClassName, 'dns-subdomain', appendLazily(location, 'volumeAttributesClassName')),
  );
}

/** Validates the claim template of an ephemeral volume. Its metadata may have only labels and annotations. */
export function validateClaimTemplate(template: Fields, location: LazyFieldPath): readonly Finding[] {
  const metadata = asMap(template.metadata) ?? {};
  const metadataLocation = appendLazily(location, 'metadata');
  const others = Object.entries(OTHER_METADATA).filter(([name, field]) => hasValue(metadata[name], field));
  return joinLists(
    validateAnnotations(metadata.annotations, appendLazily(metadataLocation, 'annotations')),
    validateLabels(metadata.labels, appendLazily(metadataLocation, 'labels')),
    others.map(([name]) => reportInvalid('metadataField', metadata[name], appendLazily(metadataLocation, name))),
    validateClaimSpec(template.spec, appendLazily(location, 'spec')),
  );
}

const { labels: _labels, annotations: _annotations, ...OTHER_METADATA }: ApiFields = OBJECT_META;

/** Reports whether a value differs from a missing one. */
function hasValue(value: unknown, { isPointer, type }: ApiField): boolean {
  return isNonNil(value) && (isPointer === true || type === 'list' || type === 'string-list' || (value !== '' && value !== 0));
}
