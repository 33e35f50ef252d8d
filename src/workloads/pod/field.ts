import { defineList, defineMap, closeSchema } from '../../core/schema';
import type { FieldSchema } from '../../core/schema';

/** How two versions of a list are merged. */
export interface ListMerge {
  /**
   * A strategic merge patch, which client-side apply sends, tells items apart by this field (`patchMergeKey`), or by their `value`.
   *
   * @default - it replaces the list whole
   */
  readonly key?: string;
  /** A server-side apply tells them apart by these (`listMapKey`); empty where it takes plain values as a set. */
  readonly applyKeys: readonly string[];
}

/** What is known of a field of a workload, beside its type: what the API server fills in, keeps and merges. */
export interface ApiField extends FieldSchema {
  readonly fields?: ApiFields;
  /**
   * Does what is stored tell an empty value from none? A pointer in Go does; of any other type an empty value
   * (`""`, `0`, `false`, `{}` with nothing but such) is what is left out.
   *
   * @default false
   */
  readonly isPointer?: boolean;
  /** What stands there after a write that leaves it out. @default - nothing */
  readonly defaultValue?: unknown;
  /** For a list that is merged item by item. @default - replaced whole */
  readonly merge?: ListMerge;
  /** Does a server-side apply take a map as one value, as it takes a list that has no `merge`? @default false */
  readonly isAtomic?: boolean;
  /** Does a strategic merge patch drop what of a map, or of an item of a list, it does not name (`retainKeys`)? @default false */
  readonly retainsKeys?: boolean;
}

/** The fields of a map by name. */
export type ApiFields = Readonly<Record<string, ApiField>>;

export const API_INT64: ApiField = { type: 'int64' };
export const QUANTITY: ApiField = { type: 'quantity' };
export const QUANTITY_MAP: ApiField = { type: 'quantity-map' };
export const INT_OR_STRING: ApiField = { type: 'int-or-string' };
export const TIME: ApiField = { type: 'time' };
/** Of plain values null is the empty one. */
export const API_STRING_LIST: ApiField = { type: 'string-list', allowsNulls: true };
export const API_INT32_LIST: ApiField = { type: 'int32-list', allowsNulls: true };
export const API_INT64_LIST: ApiField = { type: 'int64-list', allowsNulls: true };

/** A map that has these fields and no others. */
export function defineStruct(fields: ApiFields): ApiField {
  return closeSchema(defineMap(fields));
}

/** A list of such maps. A null among them is an empty one. */
export function defineStructList(fields: ApiFields): ApiField {
  return { ...closeSchema(defineList(fields)), allowsNulls: true };
}

/** The same field where an empty value is not as good as none. */
export function asPointer(field: ApiField): ApiField {
  return { ...field, isPointer: true };
}

/** The same field with what the API server fills in. */
export function withDefault(value: unknown, field: ApiField): ApiField {
  return { ...field, defaultValue: value };
}

/** A list that is merged by `key`; a server-side apply may go by more fields than a patch does. */
export function withMergeKey(key: string, field: ApiField, applyKeys: readonly string[] = [key]): ApiField {
  return { ...field, merge: { key, applyKeys } };
}

/** A list that a server-side apply alone merges. */
export function withApplyKeys(applyKeys: readonly string[], field: ApiField): ApiField {
  return { ...field, merge: { applyKeys } };
}

/** A list of plain values that both merge. */
export function mergeByValue(field: ApiField): ApiField {
  return { ...field, merge: { key: 'value', applyKeys: [] } };
}

/** A list of plain values that a server-side apply alone merges. */
export function asApplySet(field: ApiField): ApiField {
  return { ...field, merge: { applyKeys: [] } };
}

/** A map that a server-side apply takes whole. */
export function asAtomic(field: ApiField): ApiField {
  return { ...field, isAtomic: true };
}

/** A map of which a patch drops what it does not name. */
export function withRetainKeys(field: ApiField): ApiField {
  return { ...field, retainsKeys: true };
}

/**
 * A field that came with a version, and that the versions before `kept` drop.
 *
 * Source of `kept`: k/k pkg/features/kube_features.go at 1.28, 1.30 and 1.37; pkg/api/pod/util.go, `DropDisabledTemplateFields`.
 */
export function addInVersion(version: string, field: ApiField, enabledSince?: string): ApiField {
  return { ...field, since: version, ...(enabledSince !== undefined && { persistedSince: enabledSince }) };
}

/** A field that the versions before that one know and drop. */
export function enableInVersion(version: string, field: ApiField): ApiField {
  return { ...field, persistedSince: version };
}

/** A field that went with a version. */
export function removeInVersion(version: string, field: ApiField): ApiField {
  return { ...field, until: version };
}
