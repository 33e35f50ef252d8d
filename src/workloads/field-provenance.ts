import { fieldName } from '../core/field-path';
import type { FieldPath } from '../core/field-path';
import type { Provenance } from '../core/provenance';
import { describeValue } from '../core/seen';

/** Who decided one field of a strategy: its user, or the API server that fills it in. */
export function fieldProvenance(path: FieldPath, written: unknown, stored: unknown): Provenance {
  const field = fieldName(path);
  // The API server fills in an empty type as it does a missing one.
  const isWritten = written !== undefined && written !== null && written !== '';
  return {
    field,
    value: stored,
    layer: isWritten ? 'user' : 'kubernetes-default',
    reason: isWritten ? `${path} is set.` : `${path} is not set; the API server fills in ${describeValue(stored)}.`,
    overridden: [],
  };
}
