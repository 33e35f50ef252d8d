import { getFieldName, appendLazily, resolveLazyPath } from '../../../core/manifest/field-path';
import type { Finding } from '../../../core/findings/finding';
import type { Fields } from '../../../core/manifest/manifest';
import type { LazyFieldPath } from '../../../core/manifest/field-path';
import { joinLists } from '../../../core/text/join-lists';
import { invalidWorkload } from '../../rules/invalid-workload';
import {
  reportUnsupportedValue,
  asMap,
  reportMissing,
  validateFormat,
  isNonNil,
  reportInvalid,
  validateRequired,
  decodeString,
} from './field-errors';
import { parseResourceAmount } from './resources';

/* Validation of references to fields of the pod itself. Source: k/k pkg/apis/core/validation/validation.go, `validateObjectFieldSelector` and below. */

const VOLUME_FIELDS = ['metadata.annotations', 'metadata.labels', 'metadata.name', 'metadata.namespace', 'metadata.uid'];

const VARIABLE_FIELDS = [
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'spec.nodeName',
  'spec.serviceAccountName',
  'status.hostIP',
  'status.hostIPs',
  'status.podIP',
  'status.podIPs',
];

/** Parses a path such as `metadata.labels['app']` into the map and the key. Returns undefined for any other path. */
function parseSubscript(path: string): readonly [mapPath: string, key: string] | undefined {
  const open = path.indexOf("['", 1);
  if (open < 0 || !path.endsWith("']") || open + 4 > path.length) return undefined;
  return [path.slice(0, open), path.slice(open + 2, -2)];
}

function validateFieldRef({ apiVersion, fieldPath }: Fields, allowed: readonly string[], location: LazyFieldPath): readonly Finding[] {
  const path = decodeString(fieldPath);
  if (path === undefined) return [];
  if (path === '') return [reportMissing(appendLazily(location, 'fieldPath'))];
  if (isNonNil(apiVersion) && apiVersion !== '' && apiVersion !== 'v1')
    return [reportInvalid('fieldPath', path, appendLazily(location, 'fieldPath'))];
  const [mapPath, key] = parseSubscript(path) ?? [];
  if (mapPath === undefined) {
    // `spec.host` is the old name of `spec.nodeName`.
    return allowed.includes(path === 'spec.host' ? 'spec.nodeName' : path)
      ? []
      : [reportInvalid('fieldPath', path, appendLazily(location, 'fieldPath'))];
  }
  if (mapPath === 'metadata.annotations') return validateFormat(key, 'annotation-name', appendLazily(location, 'fieldPath'));
  if (mapPath === 'metadata.labels') return validateFormat(key, 'qualified-name', appendLazily(location, 'fieldPath'));
  return [reportInvalid('fieldPath', path, appendLazily(location, 'fieldPath'))];
}

const RESOURCES = ['limits', 'requests'].flatMap((list) => ['cpu', 'memory', 'ephemeral-storage'].map((name) => `${list}.${name}`));
const HUGE_PAGES = /^(?:limits|requests)\.hugepages-/;

const DIVISOR_SIZES = ['1', ...['k', 'M', 'G', 'T', 'P', 'E'].flatMap((suffix) => [`1${suffix}`, `1${suffix === 'k' ? 'K' : suffix}i`])];

function listDivisors(resource: string): readonly string[] | undefined {
  if (resource.endsWith('.cpu')) return ['1m', '1'];
  return RESOURCES.includes(resource) || HUGE_PAGES.test(resource) ? DIVISOR_SIZES : undefined;
}

function validateDivisor(resource: string, divisor: unknown, location: LazyFieldPath): readonly Finding[] {
  const amount = isNonNil(divisor) ? parseResourceAmount(divisor) : 0n;
  const allowed = listDivisors(resource);
  if (amount === undefined || amount === 0n || !allowed) return [];
  // "1024Mi" is stored as "1Gi", and "1000m" as "1", so amounts are compared.
  if (allowed.some((text) => parseResourceAmount(text) === amount)) return [];
  return [reportInvalid('divisor', divisor, appendLazily(location, 'divisor'))];
}

function validateResourceRef(
  { containerName, resource, divisor }: Fields,
  isInVolume: boolean,
  location: LazyFieldPath,
): readonly Finding[] {
  const name = decodeString(resource);
  if (name === undefined) return [];
  if (isInVolume && decodeString(containerName) === '')
    return [reportMissing(appendLazily(location, 'containerName')), ...validateDivisor(name, divisor, location)];
  if (name === '') return [reportMissing(appendLazily(location, 'resource'))];
  return joinLists(
    RESOURCES.includes(name) || HUGE_PAGES.test(name) ? [] : [reportUnsupportedValue(name, RESOURCES, appendLazily(location, 'resource'))],
    validateDivisor(name, divisor, location),
  );
}

/** Validates a file of a downward API volume, which must have exactly one of the two references. */
export function validateVolumeFieldRef(file: Fields, location: LazyFieldPath): readonly Finding[] {
  const field = asMap(file.fieldRef);
  const resource = asMap(file.resourceFieldRef);
  const data = { field: getFieldName(resolveLazyPath(location)) };
  if (field) {
    return joinLists(
      validateFieldRef(field, VOLUME_FIELDS, appendLazily(location, 'fieldRef')),
      resource
        ? [invalidWorkload.createFinding('several', { path: resolveLazyPath(location), data: { ...data, present: REFERENCES } })]
        : [],
    );
  }
  if (resource) return validateResourceRef(resource, true, appendLazily(location, 'resourceFieldRef'));
  if (isNonNil(file.fieldRef) || isNonNil(file.resourceFieldRef)) return [];
  return [invalidWorkload.createFinding('none', { path: resolveLazyPath(location), data: { ...data, choices: REFERENCES } })];
}

const REFERENCES = ['fieldRef', 'resourceFieldRef'];

function validateKeyRef({ name, key }: Fields, location: LazyFieldPath): readonly Finding[] {
  return joinLists(
    validateFormat(decodeString(name), 'dns-subdomain', appendLazily(location, 'name')),
    decodeString(key) === ''
      ? [reportMissing(appendLazily(location, 'key'))]
      : validateFormat(decodeString(key), 'config-key', appendLazily(location, 'key')),
  );
}

function validateFileRef({ volumeName, path, key }: Fields, location: LazyFieldPath): readonly Finding[] {
  const name = decodeString(volumeName);
  const hasBackstep = decodeString(path)?.split('/').includes('..');
  return joinLists(
    decodeString(key) === ''
      ? [reportMissing(appendLazily(location, 'key'))]
      : validateFormat(decodeString(key), 'variable-name', appendLazily(location, 'key')),
    name === ''
      ? [reportMissing(appendLazily(location, 'volumeName'))]
      : validateFormat(name, 'dns-label', appendLazily(location, 'volumeName')),
    validateRequired(path, appendLazily(location, 'path')),
    hasBackstep ? [reportInvalid('backsteps', path, appendLazily(location, 'path'))] : [],
  );
}

/** The validation of each source that a variable may read its value from. */
export const VALUE_SOURCES: Readonly<Record<string, (source: Fields, location: LazyFieldPath) => readonly Finding[]>> = {
  fieldRef: (source, location) => validateFieldRef(source, VARIABLE_FIELDS, location),
  resourceFieldRef: (source, location) => validateResourceRef(source, false, location),
  configMapKeyRef: validateKeyRef,
  secretKeyRef: validateKeyRef,
  fileKeyRef: validateFileRef,
};
