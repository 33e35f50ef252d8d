import { fieldsAt, valueAt } from '../../../core/manifest';
import { NANOS, nanosOf } from '../../../core/quantity';
import { isExtended, isNative, isPlainResource, mayOvercommit } from '../../../workloads/pod/validation/resource-names';
import { forbidden, formatted, invalid, textOf, unique, when } from './checks';
import { standardResource } from './quota';
import { as, on } from './rule';
import type { Check, Place, ValueRule } from './rule';

/* LimitRanges. Source: k/k pkg/apis/core/validation/validation.go, `ValidateLimitRange`. */

const TYPES = ['Pod', 'Container', 'PersistentVolumeClaim'];

const isOf =
  (...types: readonly string[]) =>
  ({ holder }: Place) =>
    types.includes(textOf(holder.type));

const standardType: Check = (value) =>
  textOf(value).includes('/') || TYPES.includes(textOf(value))
    ? undefined
    : invalid(textOf(value), 'must be a standard limit type or fully qualified');

const containerResource: Check = (_value, { key }) => {
  if (!key.includes('/')) return isPlainResource(key) ? undefined : invalid(key, 'must be a standard resource for containers');
  return isNative(key) || isExtended(key) ? undefined : invalid(key, "doesn't follow extended resource name standard");
};

const resourceName: readonly Check[] = [standardResource, when(isOf('Pod', 'Container'), containerResource)];

/** An amount that the same item gives the same resource, as it is written and as a number. */
function beside({ holder, key }: Place, field: string): { readonly text: string; readonly amount: bigint } | undefined {
  const text = valueAt(holder, field, key);
  const amount = nanosOf(text);
  return amount === undefined ? undefined : { text: String(text), amount };
}

/** Two amounts of a resource that stand in the wrong order. The value that the server prints is not always the one at its path. */
function above(more: string, less: string, words: (more: string, less: string) => string, shown: string): Check {
  return (_value, place) => {
    const [one, other] = [beside(place, more), beside(place, less)];
    if (!one || !other || one.amount <= other.amount) return undefined;
    return invalid(beside(place, shown)!.text, words(one.text, other.text));
  };
}

const minAboveMax = above('min', 'max', (min, max) => `min value ${min} is greater than max value ${max}`, 'min');
const minAboveRequest = above(
  'min',
  'defaultRequest',
  (min, own) => `min value ${min} is greater than default request value ${own}`,
  'defaultRequest',
);
const requestAboveMax = above(
  'defaultRequest',
  'max',
  (own, max) => `default request value ${own} is greater than max value ${max}`,
  'defaultRequest',
);
const requestAboveLimit = above(
  'defaultRequest',
  'default',
  (own, limit) => `default request value ${own} is greater than default limit value ${limit}`,
  'defaultRequest',
);
const minAboveLimit = above('min', 'default', (min, own) => `min value ${min} is greater than default value ${own}`, 'min');
const limitAboveMax = above('default', 'max', (own, max) => `default value ${own} is greater than max value ${max}`, 'max');

const ratioBelowOne: Check = (value) => {
  const ratio = nanosOf(value);
  return ratio !== undefined && ratio < NANOS ? invalid(value, `ratio ${String(value)} is less than 1`) : undefined;
};

const MILLI = NANOS / 1000n;
/** What the server counts in thousandths of it has room for in 64 bits; above it counts in whole units. */
const MOST_IN_MILLIS = (2n ** 63n - 1n) / 1000n;

function wholeUp(amount: bigint): bigint {
  const rest = amount % NANOS;
  return amount / NANOS + (rest > 0n ? 1n : 0n);
}

/** A fraction as Go's %f prints it. */
function fractionText(fraction: number): string {
  if (Number.isNaN(fraction)) return 'NaN';
  if (!Number.isFinite(fraction)) return fraction > 0 ? '+Inf' : '-Inf';
  return Object.is(fraction, -0) ? '-0.000000' : fraction.toFixed(6);
}

const ratioAboveBounds: Check = (value, place) => {
  const [ratio, min, max] = [nanosOf(value), beside(place, 'min')?.amount, beside(place, 'max')?.amount];
  if (ratio === undefined || min === undefined || max === undefined) return undefined;
  const isSmall = [ratio, min, max].every((amount) => wholeUp(amount) < MOST_IN_MILLIS);
  const inUnits = (amount: bigint) => Number(isSmall ? amount / MILLI : wholeUp(amount));
  const most = inUnits(max) / inUnits(min);
  const own = isSmall ? inUnits(ratio) / 1000 : inUnits(ratio);
  return own > most ? invalid(value, `ratio ${String(value)} is greater than max/min = ${fractionText(most)}`) : undefined;
};

/** Of what can't be shared out twice both defaults have to be alike. */
const alike: Check = (_value, place) => {
  const [request, limit] = [beside(place, 'defaultRequest'), beside(place, 'default')];
  if (mayOvercommit(place.key) || !request || !limit || request.amount === limit.amount) return undefined;
  return invalid(request.text, `default value ${limit.text} must equal to defaultRequest value ${request.text} in ${place.key}`);
};

const NOT_OF_PODS = "may not be specified when `type` is 'Pod'";
const ofOthers = (...checks: readonly Check[]) => when((place) => !isOf('Pod')(place), ...checks);
const notOfPods = when(isOf('Pod'), forbidden(NOT_OF_PODS));

const storageBound: Check = (value) => {
  const hasBound = ['min', 'max'].some((field) => Object.hasOwn(fieldsAt(value, field), 'storage'));
  const isOfClaims = valueAt(value, 'type') === 'PersistentVolumeClaim';
  return isOfClaims && !hasBound
    ? 'Required value: either minimum or maximum storage value is required, but neither was provided'
    : undefined;
};

export const LIMIT_RANGE_VALUES: readonly ValueRule[] = [
  on(
    'spec.limits[].type',
    formatted('qualified-name'),
    standardType,
    unique((item) => textOf(valueAt(item, 'type'))),
  ),
  on('spec.limits[].max{}', ...resourceName),
  on('spec.limits[].min{}', ...resourceName),
  on('spec.limits[].default', notOfPods),
  on('spec.limits[].defaultRequest', notOfPods),
  on('spec.limits[].default{}', ofOthers(...resourceName)),
  on('spec.limits[].defaultRequest{}', ofOthers(...resourceName)),
  as('spec.limits[].limits', on('spec.limits[]', storageBound)),
  on('spec.limits[].maxLimitRequestRatio{}', ...resourceName),
  on('spec.limits[].min{}', minAboveMax),
  on('spec.limits[].defaultRequest{}', ofOthers(minAboveRequest, requestAboveMax, requestAboveLimit)),
  on('spec.limits[].default{}', ofOthers(minAboveLimit, limitAboveMax)),
  on('spec.limits[].maxLimitRequestRatio{}', ratioBelowOne, ratioAboveBounds),
  on('spec.limits[].defaultRequest{}', ofOthers(alike)),
];
