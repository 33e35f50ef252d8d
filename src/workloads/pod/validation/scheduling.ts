import { getFieldName, appendLazily, resolveLazyPath } from '../../../core/manifest/field-path';
import type { Finding } from '../../../core/findings/finding';
import type { Fields } from '../../../core/manifest/manifest';
import type { LazyFieldPath } from '../../../core/manifest/field-path';
import { collectFromEach, joinLists } from '../../../core/text/join-lists';
import { invalidWorkload } from '../../rules/invalid-workload';
import { validateOperands, validateLabelSelector, listSelectorKeys } from './labels';
import {
  reportUnsupportedValue,
  validateEnum,
  reportDuplicate,
  validateFormat,
  isNonEmpty,
  isNonNil,
  listItems,
  asMap,
  reportMissing,
  validatePointerEnum,
  validateRange,
  reportInvalid,
  decodeString,
  listStrings,
} from './field-errors';

/* Validation of scheduling fields. Source: k/k pkg/apis/core/validation/validation.go, `validateAffinity`, `ValidateTolerations` and `validateTopologySpreadConstraints`. */

const REQUIRED_TERMS = 'requiredDuringSchedulingIgnoredDuringExecution';
const PREFERRED_TERMS = 'preferredDuringSchedulingIgnoredDuringExecution';
const NODE_OPERATORS = ['In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt'];
const FIELD_OPERATORS = ['In', 'NotIn'];

function hasOneValue(values: unknown): boolean {
  return Array.isArray(values) && values.length === 1;
}

/**
 * Validates a requirement of node affinity.
 *
 * @param validatesValues whether to validate values; the API server does so only for required terms
 */
function validateNodeRequirement({ key, operator, values }: Fields, validatesValues: boolean, location: LazyFieldPath): readonly Finding[] {
  const text = decodeString(operator);
  const compares = text === 'Gt' || text === 'Lt';
  return joinLists(
    text === undefined || NODE_OPERATORS.includes(text)
      ? []
      : [reportUnsupportedValue(text, NODE_OPERATORS, appendLazily(location, 'operator'))],
    validateOperands(text, values, location),
    compares && !hasOneValue(values) ? [reportInvalid('oneValue', values, appendLazily(location, 'values'))] : [],
    validateFormat(decodeString(key), 'qualified-name', appendLazily(location, 'key')),
    validatesValues
      ? collectFromEach(listStrings(values, appendLazily(location, 'values')), (item) =>
          validateFormat(item.value, 'label-value', item.location),
        )
      : [],
  );
}

function validateFieldRequirement({ key, operator, values }: Fields, location: LazyFieldPath): readonly Finding[] {
  const text = decodeString(operator);
  const isKnown = text === undefined || FIELD_OPERATORS.includes(text);
  const names = listStrings(values, appendLazily(location, 'values'));
  return joinLists(
    isKnown ? [] : [reportUnsupportedValue(text, FIELD_OPERATORS, appendLazily(location, 'operator'))],
    isKnown && !hasOneValue(values) ? [reportInvalid('oneValue', values, appendLazily(location, 'values'))] : [],
    key === 'metadata.name'
      ? collectFromEach(names, (item) => validateFormat(item.value, 'dns-subdomain', item.location))
      : [reportUnsupportedValue(decodeString(key), ['metadata.name'], appendLazily(location, 'key'))],
  );
}

function validateNodeTerm(term: Fields, validatesValues: boolean, location: LazyFieldPath): readonly Finding[] {
  return joinLists(
    collectFromEach(listItems(term.matchExpressions, appendLazily(location, 'matchExpressions')), (item) =>
      validateNodeRequirement(item.value, validatesValues, item.location),
    ),
    collectFromEach(listItems(term.matchFields, appendLazily(location, 'matchFields')), (item) =>
      validateFieldRequirement(item.value, item.location),
    ),
  );
}

function validateWeight(weight: unknown, location: LazyFieldPath): readonly Finding[] {
  return validateRange(weight ?? 0, 1, 100, appendLazily(location, 'weight'));
}

function validateNodeAffinity(affinity: Fields, location: LazyFieldPath): readonly Finding[] {
  const required = asMap(affinity[REQUIRED_TERMS]);
  const termsLocation = appendLazily(appendLazily(location, REQUIRED_TERMS), 'nodeSelectorTerms');
  return joinLists(
    required && !isNonEmpty(required.nodeSelectorTerms) ? [reportMissing(termsLocation)] : [],
    collectFromEach(listItems(required?.nodeSelectorTerms, termsLocation), (item) => validateNodeTerm(item.value, true, item.location)),
    collectFromEach(listItems(affinity[PREFERRED_TERMS], appendLazily(location, PREFERRED_TERMS)), (item) =>
      joinLists(
        validateWeight(item.value.weight, item.location),
        validateNodeTerm(asMap(item.value.preference) ?? {}, false, appendLazily(item.location, 'preference')),
      ),
    ),
  );
}

/** Validates the label keys that a constraint takes from the pod in addition to a selector. */
function validateLabelKeys(keys: unknown, selector: unknown, location: LazyFieldPath): readonly Finding[] {
  if (!isNonEmpty(keys)) return [];
  if (!isNonNil(selector)) return [reportInvalid('keysWithoutSelector', keys, location)];
  return collectFromEach(listStrings(keys, location), (item) => validateFormat(item.value, 'qualified-name', item.location));
}

/** Reports a key of the list that two requirements of the selector have. The API server checks this since it stores the merge of both. */
function validateMergedKeys(keys: unknown, selector: unknown, location: LazyFieldPath): readonly Finding[] {
  const fields = asMap(selector);
  if (!fields || !isNonEmpty(keys)) return [];
  const labels = asMap(fields.matchLabels) ?? {};
  const counts = new Map<unknown, number>();
  for (const { value } of listItems(fields.matchExpressions, location)) {
    const key = decodeString(value.key);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return listStrings(keys, location)
    .filter(({ value }) => {
      const count = counts.get(value) ?? 0;
      return count > 1 || (count === 1 && Object.hasOwn(labels, value));
    })
    .map((item) => reportInvalid('duplicateKey', item.value, item.location));
}

function validateAffinityTerm(term: Fields, location: LazyFieldPath): readonly Finding[] {
  const { labelSelector, matchLabelKeys, mismatchLabelKeys } = term;
  const mismatched = new Set(listStrings(mismatchLabelKeys, location).map(({ value }) => value));
  const both = listStrings(matchLabelKeys, appendLazily(location, 'matchLabelKeys')).filter(({ value }) => mismatched.has(value));
  const topologyKey = decodeString(term.topologyKey);
  return joinLists(
    validateLabelSelector(labelSelector, appendLazily(location, 'labelSelector')),
    validateLabelSelector(term.namespaceSelector, appendLazily(location, 'namespaceSelector')),
    collectFromEach(listStrings(term.namespaces, appendLazily(location, 'namespaces')), (item) =>
      validateFormat(item.value, 'dns-label', item.location),
    ),
    validateLabelKeys(matchLabelKeys, labelSelector, appendLazily(location, 'matchLabelKeys')),
    validateLabelKeys(mismatchLabelKeys, labelSelector, appendLazily(location, 'mismatchLabelKeys')),
    validateMergedKeys(matchLabelKeys, labelSelector, appendLazily(location, 'matchLabelKeys')),
    both.map((item) => reportInvalid('duplicateKey', item.value, item.location)),
    topologyKey === ''
      ? [reportMissing(appendLazily(location, 'topologyKey'))]
      : validateFormat(topologyKey, 'qualified-name', appendLazily(location, 'topologyKey')),
  );
}

function validatePodAffinity(affinity: Fields, location: LazyFieldPath): readonly Finding[] {
  return joinLists(
    collectFromEach(listItems(affinity[REQUIRED_TERMS], appendLazily(location, REQUIRED_TERMS)), (item) =>
      validateAffinityTerm(item.value, item.location),
    ),
    collectFromEach(listItems(affinity[PREFERRED_TERMS], appendLazily(location, PREFERRED_TERMS)), (item) =>
      joinLists(
        validateWeight(item.value.weight, item.location),
        validateAffinityTerm(asMap(item.value.podAffinityTerm) ?? {}, appendLazily(item.location, 'podAffinityTerm')),
      ),
    ),
  );
}

const AFFINITY_CHECKS: Readonly<Record<string, (affinity: Fields, location: LazyFieldPath) => readonly Finding[]>> = {
  nodeAffinity: validateNodeAffinity,
  podAffinity: validatePodAffinity,
  podAntiAffinity: validatePodAffinity,
};

export function validateAffinity(affinity: unknown, location: LazyFieldPath): readonly Finding[] {
  const fields = asMap(affinity);
  if (!fields) return [];
  return collectFromEach(Object.entries(AFFINITY_CHECKS), ([name, check]) => {
    const part = asMap(fields[name]);
    return part ? check(part, appendLazily(location, name)) : [];
  });
}

const TOLERATION_OPERATORS = ['Equal', 'Exists'];
const EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

function validateToleration({ key, operator, value, effect, tolerationSeconds }: Fields, location: LazyFieldPath): readonly Finding[] {
  const name = decodeString(key);
  const text = decodeString(operator);
  const valueText = decodeString(value);
  const operatorLocation = appendLazily(location, 'operator');
  return joinLists(
    name ? validateFormat(name, 'qualified-name', appendLazily(location, 'key')) : [],
    name === '' && text !== undefined && text !== 'Exists' ? [reportInvalid('tolerationOperator', text, operatorLocation)] : [],
    isNonNil(tolerationSeconds) && decodeString(effect) !== undefined && effect !== 'NoExecute'
      ? [reportInvalid('tolerationEffect', effect ?? '', appendLazily(location, 'effect'))]
      : [],
    text === '' || text === 'Equal' ? validateFormat(valueText, 'label-value', appendLazily(location, 'value')) : [],
    text === 'Exists' && valueText ? [reportInvalid('tolerationValue', valueText, appendLazily(location, 'value'))] : [],
    validateEnum(operator, TOLERATION_OPERATORS, operatorLocation),
    validateEnum(effect, EFFECTS, appendLazily(location, 'effect')),
  );
}

export function validateTolerations(tolerations: unknown, location: LazyFieldPath): readonly Finding[] {
  return collectFromEach(listItems(tolerations, location), (item) => validateToleration(item.value, item.location));
}

const SPREAD_ACTIONS = ['DoNotSchedule', 'ScheduleAnyway'];
const NODE_POLICIES = ['Honor', 'Ignore'];

function validateSpreadConstraint(constraint: Fields, mergesKeys: boolean, location: LazyFieldPath): readonly Finding[] {
  const { labelSelector, matchLabelKeys, minDomains, whenUnsatisfiable } = constraint;
  const keysLocation = appendLazily(location, 'matchLabelKeys');
  const selectorLabelKeys = new Set(listSelectorKeys(asMap(labelSelector) ?? {}));
  const repeated = mergesKeys
    ? validateMergedKeys(matchLabelKeys, labelSelector, keysLocation)
    : collectFromEach(listStrings(matchLabelKeys, keysLocation), (item) =>
        selectorLabelKeys.has(item.value) ? [reportInvalid('duplicateKey', item.value, item.location)] : [],
      );
  const isSoft = isNonNil(minDomains) && decodeString(whenUnsatisfiable) !== undefined && whenUnsatisfiable !== 'DoNotSchedule';
  const domains = validateRange(minDomains, 1, undefined, appendLazily(location, 'minDomains'));
  return joinLists(
    validateRange(constraint.maxSkew ?? 0, 1, undefined, appendLazily(location, 'maxSkew')),
    decodeString(constraint.topologyKey) === '' ? [reportMissing(appendLazily(location, 'topologyKey'))] : [],
    validateEnum(whenUnsatisfiable, SPREAD_ACTIONS, appendLazily(location, 'whenUnsatisfiable'), true),
    domains,
    isSoft ? [reportInvalid('minDomains', minDomains, appendLazily(location, 'minDomains'))] : [],
    validatePointerEnum(constraint.nodeAffinityPolicy, NODE_POLICIES, appendLazily(location, 'nodeAffinityPolicy')),
    validatePointerEnum(constraint.nodeTaintsPolicy, NODE_POLICIES, appendLazily(location, 'nodeTaintsPolicy')),
    validateLabelKeys(matchLabelKeys, labelSelector, keysLocation),
    repeated,
    validateLabelSelector(labelSelector, appendLazily(location, 'labelSelector')),
  );
}

/** Validates spread constraints. @param mergesKeys whether this version merges matchLabelKeys into the selector */
export function validateSpreadConstraints(constraints: unknown, mergesKeys: boolean, location: LazyFieldPath): readonly Finding[] {
  if (!isNonNil(constraints)) return [];
  const items = listItems(constraints, location);
  const keys = items.map(({ value }) => JSON.stringify([value.topologyKey ?? '', value.whenUnsatisfiable ?? '']));
  const lastIndexes = new Map(keys.map((key, index) => [key, index]));
  return collectFromEach(items, (item, index) =>
    joinLists(
      validateSpreadConstraint(item.value, mergesKeys, item.location),
      lastIndexes.get(keys[index]!)! > index ? [reportDuplicate(item.value.topologyKey, appendLazily(item.location, 'topologyKey'))] : [],
    ),
  );
}

/** Validates scheduling gates. Each may be listed once. */
export function validateSchedulingGates(gates: unknown, location: LazyFieldPath): readonly Finding[] {
  if (!isNonNil(gates)) return [];
  const taken = new Set<string>();
  return collectFromEach(listItems(gates, location), (item) => {
    const name = decodeString(item.value.name);
    const isTaken = name !== undefined && taken.has(name);
    if (name !== undefined) taken.add(name);
    const nameLocation = appendLazily(item.location, 'name');
    return joinLists(validateFormat(name, 'qualified-name', nameLocation), isTaken ? [reportDuplicate(name, nameLocation)] : []);
  });
}

/** Validates the devices of a pod: each must have a name and exactly one of the two sources. */
export function validatePodResourceClaims(claims: unknown, location: LazyFieldPath): readonly Finding[] {
  if (!isNonNil(claims)) return [];
  const taken = new Set<string>();
  return collectFromEach(listItems(claims, location), ({ value, location: claimLocation }) => {
    const name = decodeString(value.name);
    const isTaken = name !== undefined && taken.has(name);
    const sources = ['resourceClaimName', 'resourceClaimTemplateName'];
    const present = sources.filter((source) => isNonNil(value[source]));
    const data = { field: getFieldName(resolveLazyPath(claimLocation)) };
    const found = joinLists(
      name === '' ? [reportMissing(appendLazily(claimLocation, 'name'))] : [],
      name && isTaken ? [reportDuplicate(name, appendLazily(claimLocation, 'name'))] : [],
      name && !isTaken ? validateFormat(name, 'dns-label', appendLazily(claimLocation, 'name')) : [],
      present.length === 0
        ? [invalidWorkload.createFinding('none', { path: resolveLazyPath(claimLocation), data: { ...data, choices: sources } })]
        : [],
      present.length > 1
        ? [invalidWorkload.createFinding('several', { path: resolveLazyPath(claimLocation), data: { ...data, present } })]
        : [],
      collectFromEach(present, (source) =>
        typeof value[source] === 'string' ? validateFormat(value[source], 'dns-subdomain', appendLazily(claimLocation, source)) : [],
      ),
    );
    if (name) taken.add(name);
    return found;
  });
}
