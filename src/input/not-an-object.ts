import { isFields, isManifest } from '../core/manifest';
import type { Fields } from '../core/manifest';
import type { NotAnObject } from '../core/rules/unreadable';
import { seen } from '../core/seen';

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
