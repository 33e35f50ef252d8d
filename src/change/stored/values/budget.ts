import { fieldsAt, isFields } from '../../../core/manifest';
import type { Fields } from '../../../core/manifest';
import { atLeast, choice, invalid, isGiven } from './checks';
import { selectorRules } from './label-selector';
import { on } from './rule';
import type { Check, ValueRule } from './rule';

/* PodDisruptionBudgets. Source: k/k pkg/apis/policy/validation/validation.go; pkg/apis/apps/validation, `ValidatePositiveIntOrPercent`. */

const PERCENT_FORM =
  "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')";

const percent: Check = (value) => {
  if (typeof value !== 'string') return undefined;
  if (!/^[0-9]+%$/.test(value)) return invalid(value, PERCENT_FORM);
  return Number(value.slice(0, -1)) > 100 ? invalid(value, 'must not be greater than 100%') : undefined;
};

/** A spec as Go prints it. */
function printed({ minAvailable = null, selector, maxUnavailable = null, unhealthyPodEvictionPolicy = null }: Fields) {
  const { matchLabels, matchExpressions } = fieldsAt({ selector }, 'selector');
  // What is undefined is not printed.
  const shown = isFields(selector) ? { matchLabels, matchExpressions } : null;
  return {
    MinAvailable: minAvailable,
    Selector: shown,
    MaxUnavailable: maxUnavailable,
    UnhealthyPodEvictionPolicy: unhealthyPodEvictionPolicy,
  };
}

const oneLimit: Check = (value) => {
  const spec = fieldsAt({ value }, 'value');
  const hasBoth = isFields(value) && isGiven(spec.minAvailable) && isGiven(spec.maxUnavailable);
  return hasBoth ? invalid(printed(spec), 'minAvailable and maxUnavailable cannot be both set') : undefined;
};

export const BUDGET_VALUES: readonly ValueRule[] = [
  on('spec', oneLimit),
  ...['minAvailable', 'maxUnavailable'].map((name) => on(`spec.${name}`, percent, atLeast(0))),
  ...selectorRules('spec.selector'),
  on('spec.unhealthyPodEvictionPolicy', choice('AlwaysAllow', 'IfHealthyBudget')),
];
