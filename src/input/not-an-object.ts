import { fieldPath } from '../core/field-path';
import type { Finding, Source } from '../core/finding';
import { isFields, isManifest } from '../core/manifest';
import type { Fields } from '../core/manifest';
import { unreadable } from '../core/rules/unreadable';
import type { GivenProblem, NotAnObject } from '../core/reading-problem';
import { seen } from '../core/seen';
import type { StrangeItem } from './objects';

function isPlanDocument(value: Fields): boolean {
  return typeof value.formatVersion === 'string' && Array.isArray(value.rollouts);
}

/** Why a value that is given where an object should be is none; undefined for an object, and for nothing at all. */
export function problemAsObject(value: unknown): NotAnObject | undefined {
  if (value === null || isManifest(value)) return undefined;
  if (!isFields(value)) return { kind: 'not-a-map', value: seen(value) };
  if (isPlanDocument(value)) return { kind: 'plan-document' };
  return { kind: 'no-object', missing: ['apiVersion', 'kind'].filter((field) => typeof value[field] !== 'string') };
}

/** The same of a value that has to be there. */
export function givenProblem(value: unknown): GivenProblem | undefined {
  return value === null || value === undefined ? { kind: 'nothing' } : problemAsObject(value);
}

/** Says of an item that it makes kubectl refuse its list. @param source of the item. @default - no file holds it */
export function strangeItemFinding({ value, trail }: StrangeItem, source?: Source): Finding {
  const path = fieldPath(...trail);
  const data = { item: path, problem: givenProblem(value)! };
  return unreadable.finding('item', { path, data, ...(source && { source }) });
}
