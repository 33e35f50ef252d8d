import { buildFieldPath } from '../core/field-path';
import type { Finding, Source } from '../core/finding';
import { isFields, isManifest } from '../core/manifest';
import type { Fields } from '../core/manifest';
import { unreadable } from '../core/rules/unreadable';
import type { ValueProblem, NonObjectProblem } from '../core/input-problem';
import { toDisplayValue } from '../core/display-value';
import type { NonObjectItem } from './flatten-lists';

function isPlanDocument(value: Fields): boolean {
  return typeof value.formatVersion === 'string' && Array.isArray(value.rollouts);
}

/** Explains why a value is not a Kubernetes object. Returns undefined for an object and for null, the value of an empty document. */
export function explainNonObject(value: unknown): NonObjectProblem | undefined {
  if (value === null || isManifest(value)) return undefined;
  if (!isFields(value)) return { kind: 'not-a-map', value: toDisplayValue(value) };
  if (isPlanDocument(value)) return { kind: 'plan-document' };
  return { kind: 'no-object', missing: ['apiVersion', 'kind'].filter((field) => typeof value[field] !== 'string') };
}

/** Explains why a value is not a Kubernetes object. Returns undefined only for an object. */
export function explainInvalidValue(value: unknown): ValueProblem | undefined {
  return value === null || value === undefined ? { kind: 'nothing' } : explainNonObject(value);
}

/**
 * Creates the finding about an item of a list that is not an object: kubectl refuses a list with such an item.
 *
 * @param source - location of the item. @default - none, as for an object that a program passes in
 */
export function createNonObjectItemFinding({ value, trail }: NonObjectItem, source?: Source): Finding {
  const path = buildFieldPath(...trail);
  const data = { item: path, problem: explainInvalidValue(value)! };
  return unreadable.createFinding('item', { path, data, ...(source && { source }) });
}
