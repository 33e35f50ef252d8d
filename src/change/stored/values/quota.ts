import { isFields, listAt, valueAt } from '../../../core/manifest';
import type { Fields } from '../../../core/manifest';
import { NANOS, nanosOf } from '../../../core/quantity';
import { isQuotaResource, isStandardResource, isWhole } from '../../../workloads/pod/validation/resource-names';
import { formatted, invalid, textOf, when } from './checks';
import { as, on } from './rule';
import type { Check, Place, ValueRule } from './rule';

/* ResourceQuotas. Source: k/k pkg/apis/core/validation/validation.go, `ValidateResourceQuotaSpec`; pkg/apis/core/helper/helpers.go. */

/** A name without a domain in front has to be a known one. */
export const standardResource: Check = (_value, place) => {
  const { key } = place;
  const isKnown = key.includes('/') || isStandardResource(key);
  return (
    formatted('qualified-name')(key, place) ?? (isKnown ? undefined : invalid(key, 'must be a standard resource type or fully qualified'))
  );
};

const quotaResource: Check = (_value, { key }) =>
  key.includes('/') || isQuotaResource(key) ? undefined : invalid(key, 'must be a standard resource for quota');

const notNegative: Check = (value) => {
  const amount = nanosOf(value);
  return amount !== undefined && amount < 0n ? invalid(value, 'must be greater than or equal to 0') : undefined;
};

const whole: Check = (value, { key }) => {
  const amount = nanosOf(value);
  return amount !== undefined && isWhole(key) && amount % NANOS !== 0n ? invalid(value, 'must be an integer') : undefined;
};

const PODS = ['pods'];
const POD_AMOUNTS = [...PODS, 'cpu', 'memory', 'limits.cpu', 'limits.memory', 'requests.cpu', 'requests.memory'];

/** What a scope can be about; of anything that has no domain in front it is refused. */
const SCOPES: Readonly<Record<string, readonly string[]>> = {
  Terminating: POD_AMOUNTS,
  NotTerminating: POD_AMOUNTS,
  BestEffort: PODS,
  NotBestEffort: POD_AMOUNTS,
  PriorityClass: POD_AMOUNTS,
  CrossNamespacePodAffinity: POD_AMOUNTS,
  VolumeAttributesClass: ['persistentvolumeclaims', 'requests.storage'],
};
/** Scopes that hold or do not, without values. */
const PLAIN_SCOPES = ['Terminating', 'NotTerminating', 'BestEffort', 'NotBestEffort', 'CrossNamespacePodAffinity'];
const OPPOSITES = [
  ['BestEffort', 'NotBestEffort'],
  ['Terminating', 'NotTerminating'],
] as const;

function scopeNamed(name: string): readonly string[] | undefined {
  return Object.hasOwn(SCOPES, name) ? SCOPES[name] : undefined;
}

/** Does the quota limit what this scope is not about? */
function isMisapplied(scope: string, object: Fields): boolean {
  const about = scopeNamed(scope);
  const hard = valueAt(object, 'spec', 'hard');
  return about !== undefined && isFields(hard) && Object.keys(hard).some((name) => isQuotaResource(name) && !about.includes(name));
}

function hasOpposites(scopes: readonly string[]): boolean {
  return OPPOSITES.some((pair) => pair.every((scope) => scopes.includes(scope)));
}

/** What is wrong with one scope after the other, then with all of them. */
function scopeWords(scopes: readonly string[], object: Fields): string | undefined {
  for (const scope of scopes) {
    if (scopeNamed(scope) === undefined) return 'unsupported scope';
    if (isMisapplied(scope, object)) return 'unsupported scope applied to resource';
  }
  return hasOpposites(scopes) ? 'conflicting scopes' : undefined;
}

const scopeList: Check = (value, { object }) => {
  const scopes = Array.isArray(value) ? value.map(textOf) : [];
  const why = scopeWords(scopes, object);
  return why === undefined ? undefined : invalid(scopes, why);
};

/** A scope selector as Go prints it. */
function printed(selector: unknown) {
  return {
    MatchExpressions: listAt(selector, 'matchExpressions').map((term) => ({
      ScopeName: textOf(valueAt(term, 'scopeName')),
      Operator: textOf(valueAt(term, 'operator')),
      Values: valueAt(term, 'values') ?? null,
    })),
  };
}

const known: Check = (value) => (scopeNamed(textOf(value)) ? undefined : invalid(textOf(value), 'unsupported scope'));

const applied: Check = (value, { object }) =>
  isMisapplied(textOf(valueAt(value, 'scopeName')), object)
    ? invalid(printed(valueAt(object, 'spec', 'scopeSelector')), 'unsupported scope applied to resource')
    : undefined;

const existsAlone: Check = (value, { holder }) =>
  PLAIN_SCOPES.includes(textOf(holder.scopeName)) && value !== 'Exists'
    ? invalid(
        textOf(value),
        "must be 'Exists' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity",
      )
    : undefined;

const operator: Check = (value) =>
  ['In', 'NotIn', 'Exists', 'DoesNotExist'].includes(textOf(value)) ? undefined : invalid(textOf(value), 'not a valid selector operator');

const isOf =
  (...operators: readonly string[]) =>
  ({ holder }: Place) =>
    operators.includes(textOf(holder.operator));

const isEmptyList = (value: unknown) => !Array.isArray(value) || value.length === 0;

const someValues: Check = (value) =>
  isEmptyList(value) ? "Required value: must be at least one value when `operator` is 'In' or 'NotIn' for scope selector" : undefined;

const noValues: Check = (value) =>
  isEmptyList(value) ? undefined : invalid(value, "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector");

const notOpposite: Check = (value, { object }) =>
  Array.isArray(value) && hasOpposites(value.map((term) => textOf(valueAt(term, 'scopeName'))))
    ? invalid(valueAt(object, 'spec', 'scopes') ?? null, 'conflicting scopes')
    : undefined;

const TERMS = 'spec.scopeSelector.matchExpressions';

/** A term is named without its index. */
function ofTerm(field: string, ...checks: readonly Check[]): ValueRule {
  return as(`${TERMS}.${field}`, on(`${TERMS}[].${field}`, ...checks));
}

export const QUOTA_VALUES: readonly ValueRule[] = [
  on('spec.hard{}', standardResource, quotaResource, notNegative, whole),
  on('spec.scopes', scopeList),
  ofTerm('scopeName', known),
  as(TERMS, on(`${TERMS}[]`, applied)),
  ofTerm('operator', existsAlone),
  ofTerm('values', when(isOf('In', 'NotIn'), someValues), when(isOf('Exists', 'DoesNotExist'), noValues)),
  ofTerm('operator', operator),
  on(TERMS, notOpposite),
];
