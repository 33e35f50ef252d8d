import { isFields, getListAt, getValueAt } from '../../../core/manifest/manifest';
import type { Fields } from '../../../core/manifest/manifest';
import { NANOS_PER_UNIT, parseQuantityNanos } from '../../../core/values/quantity';
import { isQuotaResource, isStandardResource, isIntegerResource } from '../../../workloads/pod/validation/resource-names';
import { requireFormat, formatInvalidValue, toTextOrEmpty, checkWhen } from './checks';
import { reportAs, checkField } from './rule';
import type { Check, ValueLocation, ValueRule } from './rule';

/* ResourceQuotas. Source: k/k pkg/apis/core/validation/validation.go, `ValidateResourceQuotaSpec`; pkg/apis/core/helper/helpers.go. */

/** Requires a known name if it has no domain prefix. */
export const checkStandardResource: Check = (_value, location) => {
  const { key } = location;
  const isKnown = key.includes('/') || isStandardResource(key);
  return (
    requireFormat('qualified-name')(key, location) ??
    (isKnown ? undefined : formatInvalidValue(key, 'must be a standard resource type or fully qualified'))
  );
};

const checkQuotaResource: Check = (_value, { key }) =>
  key.includes('/') || isQuotaResource(key) ? undefined : formatInvalidValue(key, 'must be a standard resource for quota');

const checkNotNegative: Check = (value) => {
  const amount = parseQuantityNanos(value);
  return amount !== undefined && amount < 0n ? formatInvalidValue(value, 'must be greater than or equal to 0') : undefined;
};

const checkWholeNumber: Check = (value, { key }) => {
  const amount = parseQuantityNanos(value);
  return amount !== undefined && isIntegerResource(key) && amount % NANOS_PER_UNIT !== 0n
    ? formatInvalidValue(value, 'must be an integer')
    : undefined;
};

const POD_COUNT = ['pods'];
const POD_RESOURCES = [...POD_COUNT, 'cpu', 'memory', 'limits.cpu', 'limits.memory', 'requests.cpu', 'requests.memory'];

/** Resources that a scope can apply to. A scope on any other resource without a domain prefix is refused. */
const RESOURCES_BY_SCOPE: Readonly<Record<string, readonly string[]>> = {
  Terminating: POD_RESOURCES,
  NotTerminating: POD_RESOURCES,
  BestEffort: POD_COUNT,
  NotBestEffort: POD_RESOURCES,
  PriorityClass: POD_RESOURCES,
  CrossNamespacePodAffinity: POD_RESOURCES,
  VolumeAttributesClass: ['persistentvolumeclaims', 'requests.storage'],
};
/** Scopes without values. */
const SCOPES_WITHOUT_VALUES = ['Terminating', 'NotTerminating', 'BestEffort', 'NotBestEffort', 'CrossNamespacePodAffinity'];
const OPPOSITE_SCOPES = [
  ['BestEffort', 'NotBestEffort'],
  ['Terminating', 'NotTerminating'],
] as const;

function scopeResourcesOf(name: string): readonly string[] | undefined {
  return Object.hasOwn(RESOURCES_BY_SCOPE, name) ? RESOURCES_BY_SCOPE[name] : undefined;
}

/** Reports whether the quota limits a resource that this scope does not apply to. */
function isMisapplied(scope: string, object: Fields): boolean {
  const resources = scopeResourcesOf(scope);
  const hard = getValueAt(object, 'spec', 'hard');
  return resources !== undefined && isFields(hard) && Object.keys(hard).some((name) => isQuotaResource(name) && !resources.includes(name));
}

function hasOpposites(scopes: readonly string[]): boolean {
  return OPPOSITE_SCOPES.some((pair) => pair.every((scope) => scopes.includes(scope)));
}

/** Returns what is wrong with each scope in turn, then with all of them. */
function checkScopes(scopes: readonly string[], object: Fields): string | undefined {
  for (const scope of scopes) {
    if (scopeResourcesOf(scope) === undefined) return 'unsupported scope';
    if (isMisapplied(scope, object)) return 'unsupported scope applied to resource';
  }
  return hasOpposites(scopes) ? 'conflicting scopes' : undefined;
}

const checkScopeList: Check = (value, { object }) => {
  const scopes = Array.isArray(value) ? value.map(toTextOrEmpty) : [];
  const why = checkScopes(scopes, object);
  return why === undefined ? undefined : formatInvalidValue(scopes, why);
};

/** Returns a scope selector as Go prints it. */
function toGoSelector(selector: unknown) {
  return {
    MatchExpressions: getListAt(selector, 'matchExpressions').map((term) => ({
      ScopeName: toTextOrEmpty(getValueAt(term, 'scopeName')),
      Operator: toTextOrEmpty(getValueAt(term, 'operator')),
      Values: getValueAt(term, 'values') ?? null,
    })),
  };
}

const checkKnownScope: Check = (value) =>
  scopeResourcesOf(toTextOrEmpty(value)) ? undefined : formatInvalidValue(toTextOrEmpty(value), 'unsupported scope');

const checkScopeApplies: Check = (value, { object }) =>
  isMisapplied(toTextOrEmpty(getValueAt(value, 'scopeName')), object)
    ? formatInvalidValue(toGoSelector(getValueAt(object, 'spec', 'scopeSelector')), 'unsupported scope applied to resource')
    : undefined;

const checkExistsOperator: Check = (value, { holder }) =>
  SCOPES_WITHOUT_VALUES.includes(toTextOrEmpty(holder.scopeName)) && value !== 'Exists'
    ? formatInvalidValue(
        toTextOrEmpty(value),
        "must be 'Exists' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity",
      )
    : undefined;

const checkOperator: Check = (value) =>
  ['In', 'NotIn', 'Exists', 'DoesNotExist'].includes(toTextOrEmpty(value))
    ? undefined
    : formatInvalidValue(toTextOrEmpty(value), 'not a valid selector operator');

const hasOperator =
  (...operators: readonly string[]) =>
  ({ holder }: ValueLocation) =>
    operators.includes(toTextOrEmpty(holder.operator));

const isEmptyList = (value: unknown) => !Array.isArray(value) || value.length === 0;

const requireScopeValues: Check = (value) =>
  isEmptyList(value) ? "Required value: must be at least one value when `operator` is 'In' or 'NotIn' for scope selector" : undefined;

const rejectScopeValues: Check = (value) =>
  isEmptyList(value)
    ? undefined
    : formatInvalidValue(value, "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector");

const checkNoOppositeScopes: Check = (value, { object }) =>
  Array.isArray(value) && hasOpposites(value.map((term) => toTextOrEmpty(getValueAt(term, 'scopeName'))))
    ? formatInvalidValue(getValueAt(object, 'spec', 'scopes') ?? null, 'conflicting scopes')
    : undefined;

const SCOPE_TERMS_PATH = 'spec.scopeSelector.matchExpressions';

/** Checks a field of a term. The server names a term without its index. */
function checkTermField(field: string, ...checks: readonly Check[]): ValueRule {
  return reportAs(`${SCOPE_TERMS_PATH}.${field}`, checkField(`${SCOPE_TERMS_PATH}[].${field}`, ...checks));
}

export const QUOTA_VALUES: readonly ValueRule[] = [
  checkField('spec.hard{}', checkStandardResource, checkQuotaResource, checkNotNegative, checkWholeNumber),
  checkField('spec.scopes', checkScopeList),
  checkTermField('scopeName', checkKnownScope),
  reportAs(SCOPE_TERMS_PATH, checkField(`${SCOPE_TERMS_PATH}[]`, checkScopeApplies)),
  checkTermField('operator', checkExistsOperator),
  checkTermField(
    'values',
    checkWhen(hasOperator('In', 'NotIn'), requireScopeValues),
    checkWhen(hasOperator('Exists', 'DoesNotExist'), rejectScopeValues),
  ),
  checkTermField('operator', checkOperator),
  checkField(SCOPE_TERMS_PATH, checkNoOppositeScopes),
];
