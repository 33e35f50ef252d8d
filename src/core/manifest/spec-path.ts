import { buildFieldPath, parseFieldPath } from './field-path';
import type { FieldPath } from './field-path';

/** Names after dots, with list indexes and names that contain dots in brackets. No real path has a hundred parts. */
const FIELD_PATH = /^\w[\w-]*(?:\.[\w-]+|\[[\w./-]+\]){0,100}$/;

/**
 * Returns the path of a named field below `spec` in the format of the API server; undefined for any other value.
 *
 * `spec.instances` and `spec.groups[0].replicas` are paths; `instances` and `spec.groups[0]` are not.
 */
export function parseSpecPath(path: unknown): FieldPath | undefined {
  const parts = typeof path === 'string' && FIELD_PATH.test(path) ? parseFieldPath(path) : [];
  return parts[0] === 'spec' && parts.length > 1 && typeof parts.at(-1) === 'string' ? buildFieldPath(...parts) : undefined;
}
