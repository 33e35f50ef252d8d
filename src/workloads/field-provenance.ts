import { getFieldName } from '../core/manifest/field-path';
import type { FieldPath } from '../core/manifest/field-path';
import type { Provenance } from '../core/document/provenance';
import { describeValue } from '../core/text/display-value';

/** Builds the provenance of one field of a strategy: it is set by the user, or filled in by the API server. */
export function buildFieldProvenance(path: FieldPath, specified: unknown, effective: unknown): Provenance {
  const field = getFieldName(path);
  // The API server fills in an empty type like a missing one.
  const isSpecified = specified !== undefined && specified !== null && specified !== '';
  return {
    field,
    value: effective,
    layer: isSpecified ? 'user' : 'kubernetes-default',
    reason: isSpecified ? `${path} is set.` : `${path} is not set; the API server fills in ${describeValue(effective)}.`,
    overridden: [],
  };
}
