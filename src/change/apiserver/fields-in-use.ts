import { checkTime } from '../../core/budget/deadline';
import { getOwnValue, isFields } from '../../core/manifest/manifest';
import { isPersisted } from '../../core/values/schema';
import type { ApiField, ApiFields } from '../../workloads/pod/field';

/* Fields that a version drops, and that an object in a cluster has all the same, since a gate of this cluster is or was on. The API server keeps such a
 * field of an update: k/k pkg/api/pod/util.go 1.36, `dropDisabledFields`, asks of each whether the old object has it anywhere. */

function addFieldsInUse(value: unknown, fields: ApiFields, version: string, found: Set<ApiField>): void {
  if (Array.isArray(value)) for (const item of value) addFieldsInUse(item, fields, version, found);
  if (!isFields(value)) return;
  for (const [name, inner] of Object.entries(value)) {
    checkTime();
    const field = getOwnValue(fields, name);
    if (field === undefined || inner === undefined || inner === null) continue;
    if (!isPersisted(field, version)) found.add(field);
    if (field.fields) addFieldsInUse(inner, field.fields, version, found);
  }
}

/** Returns the fields with those in use in every version. */
function keepFields(fields: ApiFields, used: ReadonlySet<ApiField>): ApiFields {
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => {
      const { since: _, until: _until, persistedSince: _persistedSince, ...always } = field;
      const kept = used.has(field) ? always : field;
      return [name, kept.fields ? { ...kept, fields: keepFields(kept.fields, used) } : kept];
    }),
  );
}

/** Returns the fields of a kind such that a version stores those that a live object has, in addition to those that it knows. */
export function withFieldsInUse(fields: ApiFields, live: object, version: string): ApiFields {
  const used = new Set<ApiField>();
  addFieldsInUse(live, fields, version, used);
  return used.size === 0 ? fields : keepFields(fields, used);
}
