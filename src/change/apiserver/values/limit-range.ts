import { getFieldsAt, getValueAt } from '../../../core/manifest/manifest';
import { NANOS_PER_UNIT, parseQuantityNanos } from '../../../core/values/quantity';
import { isExtendedResourceName, isNativeResource, isPlainResource, canOvercommit } from '../../../workloads/pod/validation/resource-names';
import { rejectIfSet, requireFormat, formatInvalidValue, toTextOrEmpty, requireUnique, checkWhen } from './checks';
import { checkStandardResource } from './quota';
import { reportAs, checkField } from './rule';
import type { Check, ValueLocation, ValueRule } from './rule';
import { toSafeText } from '../../../core/text/value-text';

/* LimitRanges. Source: k/k pkg/apis/core/validation/validation.go, `ValidateLimitRange`. */

const LIMIT_TYPES = ['Pod', 'Container', 'PersistentVolumeClaim'];

const isOfType =
  (...types: readonly string[]) =>
  ({ holder }: ValueLocation) =>
    types.includes(toTextOrEmpty(holder.type));

const checkStandardType: Check = (value) =>
  toTextOrEmpty(value).includes('/') || LIMIT_TYPES.includes(toTextOrEmpty(value))
    ? undefined
    : formatInvalidValue(toTextOrEmpty(value), 'must be a standard limit type or fully qualified');

const checkContainerResource: Check = (_value, { key }) => {
  if (!key.includes('/')) return isPlainResource(key) ? undefined : formatInvalidValue(key, 'must be a standard resource for containers');
  return isNativeResource(key) || isExtendedResourceName(key)
    ? undefined
    : formatInvalidValue(key, "doesn't follow extended resource name standard");
};

const RESOURCE_NAME_CHECKS: readonly Check[] = [checkStandardResource, checkWhen(isOfType('Pod', 'Container'), checkContainerResource)];

/** Returns the amount of the same resource in another field of the same item, as text and as a number. */
function getSiblingAmount({ holder, key }: ValueLocation, field: string): { readonly text: string; readonly amount: bigint } | undefined {
  const text = getValueAt(holder, field, key);
  const amount = parseQuantityNanos(text);
  return amount === undefined ? undefined : { text: toSafeText(text), amount };
}

/** Rejects two amounts of a resource in the wrong order. The value that the server prints is not always the one at its path. */
function rejectAbove(more: string, less: string, message: (more: string, less: string) => string, displayedField: string): Check {
  return (_value, location) => {
    const [one, other] = [getSiblingAmount(location, more), getSiblingAmount(location, less)];
    if (!one || !other || one.amount <= other.amount) return undefined;
    return formatInvalidValue(getSiblingAmount(location, displayedField)!.text, message(one.text, other.text));
  };
}

const checkMinBelowMax = rejectAbove('min', 'max', (min, max) => `min value ${min} is greater than max value ${max}`, 'min');
const checkMinBelowRequest = rejectAbove(
  'min',
  'defaultRequest',
  (min, own) => `min value ${min} is greater than default request value ${own}`,
  'defaultRequest',
);
const checkRequestBelowMax = rejectAbove(
  'defaultRequest',
  'max',
  (own, max) => `default request value ${own} is greater than max value ${max}`,
  'defaultRequest',
);
const checkRequestBelowLimit = rejectAbove(
  'defaultRequest',
  'default',
  (own, limit) => `default request value ${own} is greater than default limit value ${limit}`,
  'defaultRequest',
);
const checkMinBelowLimit = rejectAbove('min', 'default', (min, own) => `min value ${min} is greater than default value ${own}`, 'min');
const checkLimitBelowMax = rejectAbove('default', 'max', (own, max) => `default value ${own} is greater than max value ${max}`, 'max');

const checkRatioAtLeastOne: Check = (value) => {
  const ratio = parseQuantityNanos(value);
  return ratio !== undefined && ratio < NANOS_PER_UNIT ? formatInvalidValue(value, `ratio ${toSafeText(value)} is less than 1`) : undefined;
};

const MILLI = NANOS_PER_UNIT / 1000n;
/** The largest amount that the server counts in thousandths, in 64 bits. Above it, the server counts in units. */
const MAX_MILLI_AMOUNT = (2n ** 63n - 1n) / 1000n;

function roundUpToUnits(amount: bigint): bigint {
  const rest = amount % NANOS_PER_UNIT;
  return amount / NANOS_PER_UNIT + (rest > 0n ? 1n : 0n);
}

/** Formats a fraction as Go's %f does. */
function formatGoFraction(fraction: number): string {
  if (Number.isNaN(fraction)) return 'NaN';
  if (!Number.isFinite(fraction)) return fraction > 0 ? '+Inf' : '-Inf';
  return Object.is(fraction, -0) ? '-0.000000' : fraction.toFixed(6);
}

const checkRatioBounds: Check = (value, location) => {
  const [ratio, min, max] = [
    parseQuantityNanos(value),
    getSiblingAmount(location, 'min')?.amount,
    getSiblingAmount(location, 'max')?.amount,
  ];
  if (ratio === undefined || min === undefined || max === undefined) return undefined;
  const isSmall = [ratio, min, max].every((amount) => roundUpToUnits(amount) < MAX_MILLI_AMOUNT);
  const inUnits = (amount: bigint) => Number(isSmall ? amount / MILLI : roundUpToUnits(amount));
  const maxRatio = inUnits(max) / inUnits(min);
  const own = isSmall ? inUnits(ratio) / 1000 : inUnits(ratio);
  return own > maxRatio
    ? formatInvalidValue(value, `ratio ${toSafeText(value)} is greater than max/min = ${formatGoFraction(maxRatio)}`)
    : undefined;
};

/** Requires equal defaults for a resource that cannot be overcommitted. */
const checkEqualDefaults: Check = (_value, location) => {
  const [request, limit] = [getSiblingAmount(location, 'defaultRequest'), getSiblingAmount(location, 'default')];
  if (canOvercommit(location.key) || !request || !limit || request.amount === limit.amount) return undefined;
  return formatInvalidValue(
    request.text,
    `default value ${limit.text} must equal to defaultRequest value ${request.text} in ${location.key}`,
  );
};

const NOT_FOR_PODS_MESSAGE = "may not be specified when `type` is 'Pod'";
const checkUnlessPod = (...checks: readonly Check[]) => checkWhen((location) => !isOfType('Pod')(location), ...checks);
const rejectForPods = checkWhen(isOfType('Pod'), rejectIfSet(NOT_FOR_PODS_MESSAGE));

const checkStorageBound: Check = (value) => {
  const hasBound = ['min', 'max'].some((field) => Object.hasOwn(getFieldsAt(value, field), 'storage'));
  const isOfClaims = getValueAt(value, 'type') === 'PersistentVolumeClaim';
  return isOfClaims && !hasBound
    ? 'Required value: either minimum or maximum storage value is required, but neither was provided'
    : undefined;
};

export const LIMIT_RANGE_VALUES: readonly ValueRule[] = [
  checkField(
    'spec.limits[].type',
    requireFormat('qualified-name'),
    checkStandardType,
    requireUnique((item) => toTextOrEmpty(getValueAt(item, 'type'))),
  ),
  checkField('spec.limits[].max{}', ...RESOURCE_NAME_CHECKS),
  checkField('spec.limits[].min{}', ...RESOURCE_NAME_CHECKS),
  checkField('spec.limits[].default', rejectForPods),
  checkField('spec.limits[].defaultRequest', rejectForPods),
  checkField('spec.limits[].default{}', checkUnlessPod(...RESOURCE_NAME_CHECKS)),
  checkField('spec.limits[].defaultRequest{}', checkUnlessPod(...RESOURCE_NAME_CHECKS)),
  reportAs('spec.limits[].limits', checkField('spec.limits[]', checkStorageBound)),
  checkField('spec.limits[].maxLimitRequestRatio{}', ...RESOURCE_NAME_CHECKS),
  checkField('spec.limits[].min{}', checkMinBelowMax),
  checkField('spec.limits[].defaultRequest{}', checkUnlessPod(checkMinBelowRequest, checkRequestBelowMax, checkRequestBelowLimit)),
  checkField('spec.limits[].default{}', checkUnlessPod(checkMinBelowLimit, checkLimitBelowMax)),
  checkField('spec.limits[].maxLimitRequestRatio{}', checkRatioAtLeastOne, checkRatioBounds),
  checkField('spec.limits[].defaultRequest{}', checkUnlessPod(checkEqualDefaults)),
];
