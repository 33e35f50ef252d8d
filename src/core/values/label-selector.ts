import { isFields, getListAt } from '../manifest/manifest';
import type { Fields } from '../manifest/manifest';

/** Labels of an object, or any other value in their field. */
export type LabelsInput = unknown;

/** Returns the value of a label as the API server decodes it: null is an empty text. */
function decodeLabelValue(value: unknown): unknown {
  return value === null ? '' : value;
}

function labelOf(labels: LabelsInput, key: string): unknown {
  return isFields(labels) && Object.hasOwn(labels, key) ? decodeLabelValue(labels[key]) : undefined;
}

type LabelTest = (value: unknown, values: readonly unknown[]) => boolean;

/** Tests of the operators. A missing label satisfies NotIn and DoesNotExist. */
const OPERATOR_TESTS: Readonly<Record<string, LabelTest>> = {
  In: (value, values) => value !== undefined && values.includes(value),
  NotIn: (value, values) => value === undefined || !values.includes(value),
  Exists: (value) => value !== undefined,
  DoesNotExist: (value) => value === undefined,
};

function matchesExpression(expression: unknown, labels: LabelsInput): boolean {
  if (!isFields(expression) || typeof expression.key !== 'string') return false;
  const test =
    typeof expression.operator === 'string' && Object.hasOwn(OPERATOR_TESTS, expression.operator)
      ? OPERATOR_TESTS[expression.operator]
      : undefined;
  return test !== undefined && test(labelOf(labels, expression.key), getListAt(expression, 'values').map(decodeLabelValue));
}

/** Returns the matchLabels of a selector. */
export function matchLabelsOf(selector: unknown): Fields {
  return isFields(selector) && isFields(selector.matchLabels) ? selector.matchLabels : {};
}

/**
 * Reports whether a label selector selects an object with these labels. All matchLabels and matchExpressions must match. `{}` selects
 * everything; a missing or malformed selector selects nothing, nor does a null in matchLabels, which an apply to a live object deletes.
 *
 * Source: apimachinery `LabelSelectorAsSelector`.
 */
export function matchesLabelSelector(selector: unknown, labels: LabelsInput): boolean {
  if (!isFields(selector)) return false;
  return (
    Object.entries(matchLabelsOf(selector)).every(([key, value]) => labelOf(labels, key) === value) &&
    getListAt(selector, 'matchExpressions').every((expression) => matchesExpression(expression, labels))
  );
}
