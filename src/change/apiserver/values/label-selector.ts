import { rejectNonEmptyList, requireFormat, formatInvalidValue, requireKeyFormat, requireValue, toTextOrEmpty, checkWhen } from './checks';
import { reportAs, checkField } from './rule';
import type { ValueLocation, ValueRule } from './rule';

const hasOperator =
  (...operators: readonly string[]) =>
  ({ holder }: ValueLocation) =>
    operators.includes(toTextOrEmpty(holder.operator));

const OPERATORS = ['In', 'NotIn', 'Exists', 'DoesNotExist'];

/** Builds rules for the names and values of labels in a selector. */
export function buildLabelRules(at: string): ValueRule[] {
  return [reportAs(at, checkField(`${at}{}`, requireKeyFormat('qualified-name'), requireFormat('label-value')))];
}

/** Builds the rules of a label selector. Source: apimachinery pkg/apis/meta/v1/validation/validation.go, `ValidateLabelSelector`. */
export function buildSelectorRules(at: string): ValueRule[] {
  const term = `${at}.matchExpressions[]`;
  return [
    ...buildLabelRules(`${at}.matchLabels`),
    checkField(
      `${term}.values`,
      checkWhen(hasOperator('In', 'NotIn'), requireValue("must be specified when `operator` is 'In' or 'NotIn'")),
      checkWhen(
        hasOperator('Exists', 'DoesNotExist'),
        rejectNonEmptyList("Forbidden: may not be specified when `operator` is 'Exists' or 'DoesNotExist'"),
      ),
    ),
    checkField(`${term}.operator`, (value) =>
      OPERATORS.includes(toTextOrEmpty(value)) ? undefined : formatInvalidValue(toTextOrEmpty(value), 'not a valid selector operator'),
    ),
    checkField(`${term}.key`, requireFormat('qualified-name')),
    checkField(`${term}.values[]`, requireFormat('label-value')),
  ];
}
