import { fieldName } from '../../../core/field-path';
import type { Finding } from '../../../core/finding';
import type { Fields } from '../../../core/manifest';
import { inside, pathOf } from '../../../core/place';
import type { Place } from '../../../core/place';
import { ofEach, together } from '../../../core/together';
import { invalidWorkload } from '../../rules/invalid-workload';
import { operandFindings, selectorFindings, selectorKeys } from './labels';
import {
  choiceFinding,
  choiceFindings,
  duplicate,
  formatFindings,
  isFilled,
  isGiven,
  itemsOf,
  mapOf,
  missing,
  pointedChoiceFindings,
  rangeFindings,
  refused,
  textOf,
  textsOf,
} from './refusal';

/* What the server refuses about where pods may go. Source: k/k pkg/apis/core/validation/validation.go, `validateAffinity`, `ValidateTolerations` and `validateTopologySpreadConstraints`. */

const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';
const PREFERRED = 'preferredDuringSchedulingIgnoredDuringExecution';
const NODE_OPERATORS = ['In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt'];
const FIELD_OPERATORS = ['In', 'NotIn'];

function hasOneValue(values: unknown): boolean {
  return Array.isArray(values) && values.length === 1;
}

/** @param judgesValues the server looks at the values of required terms alone */
function nodeRequirementFindings({ key, operator, values }: Fields, judgesValues: boolean, place: Place): readonly Finding[] {
  const text = textOf(operator);
  const compares = text === 'Gt' || text === 'Lt';
  return together(
    text === undefined || NODE_OPERATORS.includes(text) ? [] : [choiceFinding(text, NODE_OPERATORS, inside(place, 'operator'))],
    operandFindings(text, values, place),
    compares && !hasOneValue(values) ? [refused('oneValue', values, inside(place, 'values'))] : [],
    formatFindings(textOf(key), 'qualified-name', inside(place, 'key')),
    judgesValues ? ofEach(textsOf(values, inside(place, 'values')), (item) => formatFindings(item.value, 'label-value', item.place)) : [],
  );
}

function fieldRequirementFindings({ key, operator, values }: Fields, place: Place): readonly Finding[] {
  const text = textOf(operator);
  const isKnown = text === undefined || FIELD_OPERATORS.includes(text);
  const names = textsOf(values, inside(place, 'values'));
  return together(
    isKnown ? [] : [choiceFinding(text, FIELD_OPERATORS, inside(place, 'operator'))],
    isKnown && !hasOneValue(values) ? [refused('oneValue', values, inside(place, 'values'))] : [],
    key === 'metadata.name'
      ? ofEach(names, (item) => formatFindings(item.value, 'dns-subdomain', item.place))
      : [choiceFinding(textOf(key), ['metadata.name'], inside(place, 'key'))],
  );
}

function nodeTermFindings(term: Fields, judgesValues: boolean, place: Place): readonly Finding[] {
  return together(
    ofEach(itemsOf(term.matchExpressions, inside(place, 'matchExpressions')), (item) =>
      nodeRequirementFindings(item.value, judgesValues, item.place),
    ),
    ofEach(itemsOf(term.matchFields, inside(place, 'matchFields')), (item) => fieldRequirementFindings(item.value, item.place)),
  );
}

function weightFindings(weight: unknown, place: Place): readonly Finding[] {
  return rangeFindings(weight ?? 0, 1, 100, inside(place, 'weight'));
}

function nodeAffinityFindings(affinity: Fields, place: Place): readonly Finding[] {
  const required = mapOf(affinity[REQUIRED]);
  const termsPlace = inside(inside(place, REQUIRED), 'nodeSelectorTerms');
  return together(
    required && !isFilled(required.nodeSelectorTerms) ? [missing(termsPlace)] : [],
    ofEach(itemsOf(required?.nodeSelectorTerms, termsPlace), (item) => nodeTermFindings(item.value, true, item.place)),
    ofEach(itemsOf(affinity[PREFERRED], inside(place, PREFERRED)), (item) =>
      together(
        weightFindings(item.value.weight, item.place),
        nodeTermFindings(mapOf(item.value.preference) ?? {}, false, inside(item.place, 'preference')),
      ),
    ),
  );
}

/** Label keys that a constraint takes from the pod, beside a selector. */
function keyListFindings(keys: unknown, selector: unknown, place: Place): readonly Finding[] {
  if (!isFilled(keys)) return [];
  if (!isGiven(selector)) return [refused('keysWithoutSelector', keys, place)];
  return ofEach(textsOf(keys, place), (item) => formatFindings(item.value, 'qualified-name', item.place));
}

/** A key of the list that two requirements of the selector ask for. The server looks at this since a merge of the two is stored. */
function mergedKeyFindings(keys: unknown, selector: unknown, place: Place): readonly Finding[] {
  const fields = mapOf(selector);
  if (!fields || !isFilled(keys)) return [];
  const expressions = itemsOf(fields.matchExpressions, place).map(({ value }) => textOf(value.key));
  const labels = Object.keys(mapOf(fields.matchLabels) ?? {});
  return textsOf(keys, place)
    .filter(({ value }) => {
      const count = expressions.filter((key) => key === value).length;
      return count > 1 || (count === 1 && labels.includes(value));
    })
    .map((item) => refused('keyBeside', item.value, item.place));
}

function affinityTermFindings(term: Fields, place: Place): readonly Finding[] {
  const { labelSelector, matchLabelKeys, mismatchLabelKeys } = term;
  const mismatched = textsOf(mismatchLabelKeys, place).map(({ value }) => value);
  const both = textsOf(matchLabelKeys, inside(place, 'matchLabelKeys')).filter(({ value }) => mismatched.includes(value));
  const topologyKey = textOf(term.topologyKey);
  return together(
    selectorFindings(labelSelector, inside(place, 'labelSelector')),
    selectorFindings(term.namespaceSelector, inside(place, 'namespaceSelector')),
    ofEach(textsOf(term.namespaces, inside(place, 'namespaces')), (item) => formatFindings(item.value, 'dns-label', item.place)),
    keyListFindings(matchLabelKeys, labelSelector, inside(place, 'matchLabelKeys')),
    keyListFindings(mismatchLabelKeys, labelSelector, inside(place, 'mismatchLabelKeys')),
    mergedKeyFindings(matchLabelKeys, labelSelector, inside(place, 'matchLabelKeys')),
    both.map((item) => refused('keyBeside', item.value, item.place)),
    topologyKey === ''
      ? [missing(inside(place, 'topologyKey'))]
      : formatFindings(topologyKey, 'qualified-name', inside(place, 'topologyKey')),
  );
}

function podAffinityFindings(affinity: Fields, place: Place): readonly Finding[] {
  return together(
    ofEach(itemsOf(affinity[REQUIRED], inside(place, REQUIRED)), (item) => affinityTermFindings(item.value, item.place)),
    ofEach(itemsOf(affinity[PREFERRED], inside(place, PREFERRED)), (item) =>
      together(
        weightFindings(item.value.weight, item.place),
        affinityTermFindings(mapOf(item.value.podAffinityTerm) ?? {}, inside(item.place, 'podAffinityTerm')),
      ),
    ),
  );
}

const AFFINITIES: Readonly<Record<string, (affinity: Fields, place: Place) => readonly Finding[]>> = {
  nodeAffinity: nodeAffinityFindings,
  podAffinity: podAffinityFindings,
  podAntiAffinity: podAffinityFindings,
};

export function affinityFindings(affinity: unknown, place: Place): readonly Finding[] {
  const fields = mapOf(affinity);
  if (!fields) return [];
  return ofEach(Object.entries(AFFINITIES), ([name, check]) => {
    const part = mapOf(fields[name]);
    return part ? check(part, inside(place, name)) : [];
  });
}

const TOLERATION_OPERATORS = ['Equal', 'Exists'];
const EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

function tolerationFindings({ key, operator, value, effect, tolerationSeconds }: Fields, place: Place): readonly Finding[] {
  const name = textOf(key);
  const text = textOf(operator);
  const valueText = textOf(value);
  const operatorPlace = inside(place, 'operator');
  return together(
    name ? formatFindings(name, 'qualified-name', inside(place, 'key')) : [],
    name === '' && text !== undefined && text !== 'Exists' ? [refused('tolerationOperator', text, operatorPlace)] : [],
    isGiven(tolerationSeconds) && textOf(effect) !== undefined && effect !== 'NoExecute'
      ? [refused('tolerationEffect', effect ?? '', inside(place, 'effect'))]
      : [],
    text === '' || text === 'Equal' ? formatFindings(valueText, 'label-value', inside(place, 'value')) : [],
    text === 'Exists' && valueText ? [refused('tolerationValue', valueText, inside(place, 'value'))] : [],
    choiceFindings(operator, TOLERATION_OPERATORS, operatorPlace),
    choiceFindings(effect, EFFECTS, inside(place, 'effect')),
  );
}

export function tolerationListFindings(tolerations: unknown, place: Place): readonly Finding[] {
  return ofEach(itemsOf(tolerations, place), (item) => tolerationFindings(item.value, item.place));
}

const SPREAD_ACTIONS = ['DoNotSchedule', 'ScheduleAnyway'];
const NODE_POLICIES = ['Honor', 'Ignore'];

function constraintFindings(constraint: Fields, mergesKeys: boolean, place: Place): readonly Finding[] {
  const { labelSelector, matchLabelKeys, minDomains, whenUnsatisfiable } = constraint;
  const keysPlace = inside(place, 'matchLabelKeys');
  const own = selectorKeys(mapOf(labelSelector) ?? {});
  const repeated = mergesKeys
    ? mergedKeyFindings(matchLabelKeys, labelSelector, keysPlace)
    : ofEach(textsOf(matchLabelKeys, keysPlace), (item) =>
        own.includes(item.value) ? [refused('keyBeside', item.value, item.place)] : [],
      );
  const isSoft = isGiven(minDomains) && textOf(whenUnsatisfiable) !== undefined && whenUnsatisfiable !== 'DoNotSchedule';
  const domains = rangeFindings(minDomains, 1, undefined, inside(place, 'minDomains'));
  return together(
    rangeFindings(constraint.maxSkew ?? 0, 1, undefined, inside(place, 'maxSkew')),
    textOf(constraint.topologyKey) === '' ? [missing(inside(place, 'topologyKey'))] : [],
    choiceFindings(whenUnsatisfiable, SPREAD_ACTIONS, inside(place, 'whenUnsatisfiable'), true),
    domains,
    isSoft ? [refused('minDomains', minDomains, inside(place, 'minDomains'))] : [],
    pointedChoiceFindings(constraint.nodeAffinityPolicy, NODE_POLICIES, inside(place, 'nodeAffinityPolicy')),
    pointedChoiceFindings(constraint.nodeTaintsPolicy, NODE_POLICIES, inside(place, 'nodeTaintsPolicy')),
    keyListFindings(matchLabelKeys, labelSelector, keysPlace),
    repeated,
    selectorFindings(labelSelector, inside(place, 'labelSelector')),
  );
}

/** @param mergesKeys does this version merge matchLabelKeys into the selector? */
export function spreadFindings(constraints: unknown, mergesKeys: boolean, place: Place): readonly Finding[] {
  if (!isGiven(constraints)) return [];
  const items = itemsOf(constraints, place);
  const keys = items.map(({ value }) => JSON.stringify([value.topologyKey ?? '', value.whenUnsatisfiable ?? '']));
  return ofEach(items, (item, index) =>
    together(
      constraintFindings(item.value, mergesKeys, item.place),
      keys.lastIndexOf(keys[index]!) > index ? [duplicate(item.value.topologyKey, inside(item.place, 'topologyKey'))] : [],
    ),
  );
}

/** Gates that hold a pod back from being placed, each once. */
export function schedulingGateFindings(gates: unknown, place: Place): readonly Finding[] {
  if (!isGiven(gates)) return [];
  const taken = new Set<string>();
  return ofEach(itemsOf(gates, place), (item) => {
    const name = textOf(item.value.name);
    const isTaken = name !== undefined && taken.has(name);
    if (name !== undefined) taken.add(name);
    const namePlace = inside(item.place, 'name');
    return together(formatFindings(name, 'qualified-name', namePlace), isTaken ? [duplicate(name, namePlace)] : []);
  });
}

/** Devices of a pod: each has a name, and one of the two sources. */
export function resourceClaimFindings(claims: unknown, place: Place): readonly Finding[] {
  if (!isGiven(claims)) return [];
  const taken = new Set<string>();
  return ofEach(itemsOf(claims, place), ({ value, place: claimPlace }) => {
    const name = textOf(value.name);
    const isTaken = name !== undefined && taken.has(name);
    const sources = ['resourceClaimName', 'resourceClaimTemplateName'];
    const present = sources.filter((source) => isGiven(value[source]));
    const data = { field: fieldName(pathOf(claimPlace)) };
    const found = together(
      name === '' ? [missing(inside(claimPlace, 'name'))] : [],
      name && isTaken ? [duplicate(name, inside(claimPlace, 'name'))] : [],
      name && !isTaken ? formatFindings(name, 'dns-label', inside(claimPlace, 'name')) : [],
      present.length === 0 ? [invalidWorkload.finding('none', { path: pathOf(claimPlace), data: { ...data, choices: sources } })] : [],
      present.length > 1 ? [invalidWorkload.finding('several', { path: pathOf(claimPlace), data: { ...data, present } })] : [],
      ofEach(present, (source) =>
        typeof value[source] === 'string' ? formatFindings(value[source], 'dns-subdomain', inside(claimPlace, source)) : [],
      ),
    );
    if (name) taken.add(name);
    return found;
  });
}
