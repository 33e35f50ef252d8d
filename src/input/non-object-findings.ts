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

/** Why a value that is given where an object should be is none; undefined for an object, and for nothing at all. */
export function explainNonObject(value: unknown): NonObjectProblem | undefined {
  if (value === null || isManifest(value)) return undefined;
  if (!isFields(value)) return { kind: 'not-a-map', value: toDisplayValue(value) };
  if (isPlanDocument(value)) return { kind: 'plan-document' };
  return { kind: 'no-object', missing: ['apiVersion', 'kind'].filter((field) => typeof value[field] !== 'string') };
}

/** The same of a value that has to be there. */
export function explainInvalidValue(value: unknown): ValueProblem | undefined {
  return value === null || value === undefined ? { kind: 'nothing' } : explainNonObject(value);
}

/** Says of an item that it makes kubectl refuse its list. @param source of the item. @default - no file holds it */
export function createNonObjectItemFinding({ value, trail }: NonObjectItem, source?: Source): Finding {
  const path = buildFieldPath(...trail);
  const data = { item: path, problem: explainInvalidValue(value)! };
  return unreadable.createFinding('item', { path, data, ...(source && { source }) });
}
