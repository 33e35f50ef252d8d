import { ifFilled, formatted, invalid, keyFormatted, required, textOf, when } from './checks';
import { as, on } from './rule';
import type { Place, ValueRule } from './rule';

const hasOperator =
  (...operators: readonly string[]) =>
  ({ holder }: Place) =>
    operators.includes(textOf(holder.operator));

const OPERATORS = ['In', 'NotIn', 'Exists', 'DoesNotExist'];

/** Labels that something is selected by: their names and values. */
export function labelRules(at: string): ValueRule[] {
  return [as(at, on(`${at}{}`, keyFormatted('qualified-name'), formatted('label-value')))];
}

/** Source: apimachinery pkg/apis/meta/v1/validation/validation.go, `ValidateLabelSelector`. */
export function selectorRules(at: string): ValueRule[] {
  const term = `${at}.matchExpressions[]`;
  return [
    ...labelRules(`${at}.matchLabels`),
    on(
      `${term}.values`,
      when(hasOperator('In', 'NotIn'), required("must be specified when `operator` is 'In' or 'NotIn'")),
      when(
        hasOperator('Exists', 'DoesNotExist'),
        ifFilled("Forbidden: may not be specified when `operator` is 'Exists' or 'DoesNotExist'"),
      ),
    ),
    on(`${term}.operator`, (value) =>
      OPERATORS.includes(textOf(value)) ? undefined : invalid(textOf(value), 'not a valid selector operator'),
    ),
    on(`${term}.key`, formatted('qualified-name')),
    on(`${term}.values[]`, formatted('label-value')),
  ];
}
