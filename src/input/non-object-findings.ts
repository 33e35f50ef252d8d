import { buildFieldPath } from '../core/field-path';
import type { Finding, Source } from '../core/finding';
import { isFields, isManifest } from '../core/manifest';
import type { Fields } from '../core/manifest';
import { unreadable } from '../core/rules/unreadable';
import type { ValueProblem, NonObjectProblem } from '../core/input-problem';
import { toDisplayValue } from '../core/display-value';
import type { DisplayValue } from '../core/display-value';
import { containsSecretText } from '../core/secret-name';
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

const HIDDEN_VALUE: DisplayValue = { described: 'a value that is not shown' };

/** Reports whether an item of a list may be a secret, so that no message quotes it. */
function isSecretItem(value: unknown, listKind: string): boolean {
  return listKind.startsWith('Secret') || (typeof value === 'string' && containsSecretText(value));
}

/**
 * Creates the finding about an item of a list that is not an object: kubectl refuses a list with such an item.
 *
 * @param source - location of the item. @default - none, as for an object that a program passes in
 */
export function createNonObjectItemFinding({ value, trail, listKind }: NonObjectItem, source?: Source): Finding {
  const path = buildFieldPath(...trail);
  const problem = explainInvalidValue(value)!;
  const isHidden = problem.kind === 'not-a-map' && isSecretItem(value, listKind);
  const data = { item: path, problem: isHidden ? { ...problem, value: HIDDEN_VALUE } : problem };
  return unreadable.createFinding('item', { path, data, ...(source && { source }) });
}
