import { fieldName } from '../../../core/field-path';
import type { Finding } from '../../../core/finding';
import type { Fields } from '../../../core/manifest';
import { entryOf, inside, pathOf } from '../../../core/place';
import type { Place } from '../../../core/place';
import { NANOS, nanosOf } from '../../../core/quantity';
import { seen } from '../../../core/seen';
import { ofEach, together } from '../../../core/together';
import { invalidWorkload } from '../../rules/invalid-workload';
import { FORMATS } from './formats';
import { duplicate, formatFindings, isGiven, itemsOf, mapOf, missing, notDeclared, refused, textOf } from './refusal';
import { isExtended, isHugePages, isNative, isPlainResource, mayOvercommit, pageSizeOf } from './resource-names';

function isContainerResource(name: string): boolean {
  if (!FORMATS['qualified-name'].fits(name)) return false;
  if (!name.includes('/')) return isPlainResource(name);
  return isNative(name) || isExtended(name);
}

function isPodResource(name: string): boolean {
  return name === 'cpu' || name === 'memory' || (isHugePages(name) && FORMATS['qualified-name'].fits(name));
}

/** An amount as the server reads it, in billionths: rounded up to thousandths, spaces around it left out. */
export function amountOf(value: unknown): bigint | undefined {
  if (value === null) return 0n;
  const nanos = nanosOf(typeof value === 'string' ? value.trim() : value);
  if (nanos === undefined) return undefined;
  const thousandth = NANOS / 1000n;
  const rest = nanos % thousandth;
  if (rest === 0n) return nanos;
  return nanos - rest + (nanos > 0n ? thousandth : -thousandth);
}

function amountFindings(name: string, value: unknown, place: Place): readonly Finding[] {
  const amount = amountOf(value);
  if (amount === undefined) return [];
  if (amount < 0n) return [refused('negativeAmount', value, place)];
  if (isExtended(name) && amount % NANOS !== 0n) return [refused('notWhole', value, place)];
  if (!isHugePages(name)) return [];
  const page = amountOf(pageSizeOf(name));
  const isMultiple = page !== undefined && page > 0n && page % NANOS === 0n && wholeUp(amount) % page === 0n;
  return isMultiple ? [] : [refused('hugePageSize', value, place)];
}

/** Rounded up to a whole unit. */
function wholeUp(amount: bigint): bigint {
  return amount % NANOS === 0n ? amount : amount - (amount % NANOS) + NANOS;
}

type ResourceKind = 'resourceName' | 'podResourceName';

/** What the server refuses in amounts by resource. */
export function amountListFindings(list: Fields, kind: ResourceKind, place: Place): readonly Finding[] {
  const isKnown = kind === 'resourceName' ? isContainerResource : isPodResource;
  return ofEach(Object.entries(list), ([name, value]) =>
    together(isKnown(name) ? [] : [refused(kind, name, entryOf(place, name))], amountFindings(name, value, entryOf(place, name))),
  );
}

/** A request against its limit: of what can't be shared out twice (devices, huge pages) the two have to be alike. */
function requestFindings(name: string, value: unknown, limits: Fields, place: Place): readonly Finding[] {
  const request = amountOf(value);
  const isShared = mayOvercommit(name);
  if (!Object.hasOwn(limits, name)) {
    if (isShared) return [];
    const path = pathOf(inside(place, 'limits'));
    return [invalidWorkload.finding('noLimit', { path, data: { field: fieldName(path), resource: name } })];
  }
  const limit = amountOf(limits[name]);
  if (request === undefined || limit === undefined || request === limit || (isShared && request < limit)) return [];
  const path = pathOf(entryOf(inside(place, 'requests'), name));
  const data = { field: fieldName(path), value: seen(value), resource: name, limit: seen(limits[name]) };
  return [invalidWorkload.finding(isShared ? 'aboveLimit' : 'notLimit', { path, data })];
}

const NONE: Fields = {};

/**
 * What the server refuses in `resources` of a container, or of a pod itself.
 *
 * Source: k/k pkg/apis/core/validation/validation.go, `validateResourceRequirements`.
 */
export function resourceFindings(
  resources: unknown,
  claimNames: readonly string[],
  place: Place,
  kind: ResourceKind = 'resourceName',
): readonly Finding[] {
  const fields = mapOf(resources);
  if (!fields) return [];
  const limits = mapOf(fields.limits) ?? NONE;
  const requests = mapOf(fields.requests) ?? NONE;
  const names = [...Object.keys(limits), ...Object.keys(requests)];
  const isAlone = names.some(isHugePages) && !names.includes('cpu') && !names.includes('memory');
  return together(
    amountListFindings(limits, kind, inside(place, 'limits')),
    amountListFindings(requests, kind, inside(place, 'requests')),
    ofEach(Object.entries(requests), ([name, value]) => requestFindings(name, value, limits, place)),
    isAlone ? [invalidWorkload.finding('hugePagesAlone', { path: pathOf(place), data: { field: fieldName(pathOf(place)) } })] : [],
    claimFindings(fields.claims, claimNames, inside(place, 'claims')),
  );
}

/** Claims of a container on devices of the pod: each device once, or some requests of it, each once. */
function claimFindings(claims: unknown, claimNames: readonly string[], place: Place): readonly Finding[] {
  if (!isGiven(claims)) return [];
  const taken = new Set<string>();
  return ofEach(itemsOf(claims, place), (item) => {
    const name = textOf(item.value.name);
    const request = textOf(item.value.request);
    if (name === undefined || request === undefined) return [];
    if (name === '') return [missing(inside(item.place, 'name'))];
    const key = request === '' ? name : `${name}/${request}`;
    const isTaken = taken.has(name) || taken.has(key) || (request === '' && [...taken].some((other) => other.startsWith(`${name}/`)));
    const found = together(
      isTaken ? [duplicate(key, item.place)] : [],
      request === '' || taken.has(name) ? [] : formatFindings(request, 'dns-label', inside(item.place, 'request')),
      claimNames.includes(name) ? [] : [notDeclared(name, claimNames, inside(item.place, 'name'))],
    );
    taken.add(key);
    return found;
  });
}
