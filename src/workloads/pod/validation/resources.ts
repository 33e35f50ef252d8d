import { getFieldName, appendMapKeyLazily, appendLazily, resolveLazyPath } from '../../../core/manifest/field-path';
import type { Finding } from '../../../core/findings/finding';
import type { Fields } from '../../../core/manifest/manifest';
import type { LazyFieldPath } from '../../../core/manifest/field-path';
import { NANOS_PER_UNIT, parseQuantityNanos } from '../../../core/values/quantity';
import { toDisplayValue } from '../../../core/text/display-value';
import { collectFromEach, joinLists } from '../../../core/text/join-lists';
import { invalidWorkload } from '../../rules/invalid-workload';
import { TEXT_FORMATS } from './formats';
import {
  reportDuplicate,
  validateFormat,
  isNonNil,
  listItems,
  asMap,
  reportMissing,
  reportUndeclaredName,
  reportInvalid,
  decodeString,
} from './field-errors';
import {
  isExtendedResourceName,
  isHugePageResource,
  isNativeResource,
  isPlainResource,
  canOvercommit,
  parseHugePageSize,
} from './resource-names';

function isContainerResource(name: string): boolean {
  if (!TEXT_FORMATS['qualified-name'].matches(name)) return false;
  if (!name.includes('/')) return isPlainResource(name);
  return isNativeResource(name) || isExtendedResourceName(name);
}

function isPodResource(name: string): boolean {
  return name === 'cpu' || name === 'memory' || (isHugePageResource(name) && TEXT_FORMATS['qualified-name'].matches(name));
}

/**
 * Parses an amount as the API server does, in billionths: rounded away from 0 to thousandths, without surrounding spaces. `1.0001` is
 * 1.001 units.
 */
export function parseResourceAmount(value: unknown): bigint | undefined {
  if (value === null) return 0n;
  const nanos = parseQuantityNanos(typeof value === 'string' ? value.trim() : value);
  if (nanos === undefined) return undefined;
  const thousandth = NANOS_PER_UNIT / 1000n;
  const rest = nanos % thousandth;
  if (rest === 0n) return nanos;
  return nanos - rest + (nanos > 0n ? thousandth : -thousandth);
}

function validateResourceAmount(name: string, value: unknown, location: LazyFieldPath): readonly Finding[] {
  const amount = parseResourceAmount(value);
  if (amount === undefined) return [];
  if (amount < 0n) return [reportInvalid('negativeAmount', value, location)];
  if (isExtendedResourceName(name) && amount % NANOS_PER_UNIT !== 0n) return [reportInvalid('notWhole', value, location)];
  if (!isHugePageResource(name)) return [];
  const page = parseResourceAmount(parseHugePageSize(name));
  const isMultiple = page !== undefined && page > 0n && page % NANOS_PER_UNIT === 0n && roundUpToWhole(amount) % page === 0n;
  return isMultiple ? [] : [reportInvalid('hugePageSize', value, location)];
}

/** Rounds an amount up to a whole unit. */
function roundUpToWhole(amount: bigint): bigint {
  return amount % NANOS_PER_UNIT === 0n ? amount : amount - (amount % NANOS_PER_UNIT) + NANOS_PER_UNIT;
}

type ResourceKind = 'resourceName' | 'podResourceName';

/** Validates amounts by resource. */
export function validateAmounts(list: Fields, kind: ResourceKind, location: LazyFieldPath): readonly Finding[] {
  const isKnown = kind === 'resourceName' ? isContainerResource : isPodResource;
  return collectFromEach(Object.keys(list), (name) =>
    joinLists(
      isKnown(name) ? [] : [reportInvalid(kind, name, appendMapKeyLazily(location, name))],
      validateResourceAmount(name, list[name], appendMapKeyLazily(location, name)),
    ),
  );
}

/** Validates a request against its limit. For resources that can't be overcommitted (devices, huge pages) both must be equal. */
function validateRequest(name: string, value: unknown, limits: Fields, location: LazyFieldPath): readonly Finding[] {
  const request = parseResourceAmount(value);
  const isShared = canOvercommit(name);
  if (!Object.hasOwn(limits, name)) {
    if (isShared) return [];
    const path = resolveLazyPath(appendLazily(location, 'limits'));
    return [invalidWorkload.createFinding('noLimit', { path, data: { field: getFieldName(path), resource: name } })];
  }
  const limit = parseResourceAmount(limits[name]);
  if (request === undefined || limit === undefined || request === limit || (isShared && request < limit)) return [];
  const path = resolveLazyPath(appendMapKeyLazily(appendLazily(location, 'requests'), name));
  const data = { field: getFieldName(path), value: toDisplayValue(value), resource: name, limit: toDisplayValue(limits[name]) };
  return [invalidWorkload.createFinding(isShared ? 'aboveLimit' : 'notLimit', { path, data })];
}

const EMPTY_FIELDS: Fields = {};

/**
 * Validates the `resources` of a container or of a pod itself.
 *
 * Source: k/k pkg/apis/core/validation/validation.go, `validateResourceRequirements`.
 */
export function validateResources(
  resources: unknown,
  claimNames: readonly string[],
  location: LazyFieldPath,
  kind: ResourceKind = 'resourceName',
): readonly Finding[] {
  const fields = asMap(resources);
  if (!fields) return [];
  const limits = asMap(fields.limits) ?? EMPTY_FIELDS;
  const requests = asMap(fields.requests) ?? EMPTY_FIELDS;
  const names = [...Object.keys(limits), ...Object.keys(requests)];
  const isHugePagesOnly = names.some(isHugePageResource) && !names.includes('cpu') && !names.includes('memory');
  return joinLists(
    validateAmounts(limits, kind, appendLazily(location, 'limits')),
    validateAmounts(requests, kind, appendLazily(location, 'requests')),
    collectFromEach(Object.keys(requests), (name) => validateRequest(name, requests[name], limits, location)),
    isHugePagesOnly
      ? [
          invalidWorkload.createFinding('hugePagesOnly', {
            path: resolveLazyPath(location),
            data: { field: getFieldName(resolveLazyPath(location)) },
          }),
        ]
      : [],
    validateResourceClaims(fields.claims, claimNames, appendLazily(location, 'claims')),
  );
}

/** Validates the claims of a container on devices of the pod: each device once, or each request of a device once. */
function validateResourceClaims(claims: unknown, claimNames: readonly string[], location: LazyFieldPath): readonly Finding[] {
  if (!isNonNil(claims)) return [];
  const declared = new Set(claimNames);
  const taken = new Set<string>();
  /** The names of claims of which a request is taken. */
  const requested = new Set<string>();
  return collectFromEach(listItems(claims, location), (item) => {
    const name = decodeString(item.value.name);
    const request = decodeString(item.value.request);
    if (name === undefined || request === undefined) return [];
    if (name === '') return [reportMissing(appendLazily(item.location, 'name'))];
    const key = request === '' ? name : `${name}/${request}`;
    const isTaken = taken.has(name) || taken.has(key) || (request === '' && requested.has(name));
    const found = joinLists(
      isTaken ? [reportDuplicate(key, item.location)] : [],
      request === '' || taken.has(name) ? [] : validateFormat(request, 'dns-label', appendLazily(item.location, 'request')),
      declared.has(name) ? [] : [reportUndeclaredName(name, claimNames, appendLazily(item.location, 'name'))],
    );
    taken.add(key);
    if (request !== '') requested.add(name);
    return found;
  });
}
