import { getFieldsAt, isFields } from '../../../core/manifest/manifest';
import type { Fields } from '../../../core/manifest/manifest';
import { requireAtLeast, allowValues, formatInvalidValue, isSet } from './checks';
import { buildSelectorRules } from './label-selector';
import { checkField } from './rule';
import type { Check, ValueRule } from './rule';

/* PodDisruptionBudgets. Source: k/k pkg/apis/policy/validation/validation.go; pkg/apis/apps/validation, `ValidatePositiveIntOrPercent`. */

const PERCENT_FORMAT_MESSAGE =
  "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')";

const checkPercent: Check = (value) => {
  if (typeof value !== 'string') return undefined;
  if (!/^[0-9]+%$/.test(value)) return formatInvalidValue(value, PERCENT_FORMAT_MESSAGE);
  return Number(value.slice(0, -1)) > 100 ? formatInvalidValue(value, 'must not be greater than 100%') : undefined;
};

/** Returns a spec as Go prints it. */
function toGoSpec({ minAvailable = null, selector, maxUnavailable = null, unhealthyPodEvictionPolicy = null }: Fields) {
  const { matchLabels, matchExpressions } = getFieldsAt({ selector }, 'selector');
  // What is undefined is not printed.
  const shown = isFields(selector) ? { matchLabels, matchExpressions } : null;
  return {
    MinAvailable: minAvailable,
    Selector: shown,
    MaxUnavailable: maxUnavailable,
    UnhealthyPodEvictionPolicy: unhealthyPodEvictionPolicy,
  };
}

const checkSingleLimit: Check = (value) => {
  const spec = getFieldsAt({ value }, 'value');
  const hasBoth = isFields(value) && isSet(spec.minAvailable) && isSet(spec.maxUnavailable);
  return hasBoth ? formatInvalidValue(toGoSpec(spec), 'minAvailable and maxUnavailable cannot be both set') : undefined;
};

export const BUDGET_VALUES: readonly ValueRule[] = [
  checkField('spec', checkSingleLimit),
  ...['minAvailable', 'maxUnavailable'].map((name) => checkField(`spec.${name}`, checkPercent, requireAtLeast(0))),
  ...buildSelectorRules('spec.selector'),
  checkField('spec.unhealthyPodEvictionPolicy', allowValues('AlwaysAllow', 'IfHealthyBudget')),
];
