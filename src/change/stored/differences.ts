import { childPath } from '../../core/field-path';
import { isFields } from '../../core/manifest';
import type { FieldChange, StoredObject } from './types';

function compared(path: string, before: unknown, after: unknown): FieldChange[] {
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  if (isFields(before) && isFields(after)) {
    return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((key) =>
      compared(childPath(path, key), before[key], after[key]),
    );
  }
  return [{ path, ...(before !== undefined && { old: before }), ...(after !== undefined && { new: after }) }];
}

/** The stored fields that differ, items of lists by their keys, secret values kept back; `status` and what the server alone writes apart. */
export function differences(before: StoredObject, after: StoredObject): FieldChange[] {
  return compared('', before, after);
}
