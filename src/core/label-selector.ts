import { isFields, listAt } from './manifest';
import type { Fields } from './manifest';

/** An object's labels, or what stands where they should. */
export type LabelsLike = unknown;

function labelOf(labels: LabelsLike, key: string): unknown {
  return isFields(labels) && Object.hasOwn(labels, key) ? labels[key] : undefined;
}

type LabelTest = (value: unknown, values: readonly unknown[]) => boolean;

/** A missing label satisfies NotIn and DoesNotExist. */
const OPERATORS: Readonly<Record<string, LabelTest>> = {
  In: (value, values) => value !== undefined && values.includes(value),
  NotIn: (value, values) => value === undefined || !values.includes(value),
  Exists: (value) => value !== undefined,
  DoesNotExist: (value) => value === undefined,
};

function expressionHolds(expression: unknown, labels: LabelsLike): boolean {
  if (!isFields(expression) || typeof expression.key !== 'string') return false;
  const test =
    typeof expression.operator === 'string' && Object.hasOwn(OPERATORS, expression.operator) ? OPERATORS[expression.operator] : undefined;
  return test !== undefined && test(labelOf(labels, expression.key), listAt(expression, 'values'));
}

/** The labels that a selector names one by one. */
export function matchLabelsOf(selector: unknown): Fields {
  return isFields(selector) && isFields(selector.matchLabels) ? selector.matchLabels : {};
}

/**
 * Does a label selector select an object with these labels? matchLabels and matchExpressions all have to hold; `{}` selects everything,
 * a missing or malformed selector nothing.
 *
 * Source: apimachinery `LabelSelectorAsSelector`.
 */
export function selects(selector: unknown, labels: LabelsLike): boolean {
  if (!isFields(selector)) return false;
  return (
    Object.entries(matchLabelsOf(selector)).every(([key, value]) => labelOf(labels, key) === value) &&
    listAt(selector, 'matchExpressions').every((expression) => expressionHolds(expression, labels))
  );
}
