import { defineList, defineMap, closeSchema } from '../../core/values/schema';
import type { FieldSchema } from '../../core/values/schema';

/** How an apply merges two versions of a list. */
export interface ListMerge {
  /**
   * The field that identifies items in a strategic merge patch, which client-side apply sends (`patchMergeKey`), or `value` for plain
   * values.
   *
   * @default - the patch replaces the entire list
   */
  readonly key?: string;
  /** The fields that identify items in a server-side apply (`listMapKey`). Empty if it merges plain values as a set. */
  readonly applyKeys: readonly string[];
}

/** A field of a workload: its type, its default, and how the API server keeps and merges it. */
export interface ApiField extends FieldSchema {
  readonly fields?: ApiFields;
  /**
   * Whether the stored object distinguishes an empty value from a missing one, as a pointer in Go does.
   * For any other type an empty value (`""`, `0`, `false`, or a map of only these) is the same as a missing one.
   *
   * @default false
   */
  readonly isPointer?: boolean;
  /** The value that is stored if the field is not set. @default - nothing */
  readonly defaultValue?: unknown;
  /** How a list is merged item by item. @default - the entire list is replaced */
  readonly merge?: ListMerge;
  /** Whether a server-side apply treats a map as one value, as it treats a list without `merge`. @default false */
  readonly isAtomic?: boolean;
  /** Whether a strategic merge patch drops the fields of a map or list item that it does not list (`retainKeys`). @default false */
  readonly retainsKeys?: boolean;
}

/** The fields of a map by name. */
export type ApiFields = Readonly<Record<string, ApiField>>;

export const API_INT64: ApiField = { type: 'int64' };
export const QUANTITY: ApiField = { type: 'quantity' };
export const QUANTITY_MAP: ApiField = { type: 'quantity-map' };
export const INT_OR_STRING: ApiField = { type: 'int-or-string' };
export const TIME: ApiField = { type: 'time' };
/** Null items are decoded as empty values. */
export const API_STRING_LIST: ApiField = { type: 'string-list', allowsNulls: true };
export const API_INT32_LIST: ApiField = { type: 'int32-list', allowsNulls: true };
export const API_INT64_LIST: ApiField = { type: 'int64-list', allowsNulls: true };

/** Defines a map that has only these fields. */
export function defineStruct(fields: ApiFields): ApiField {
  return closeSchema(defineMap(fields));
}

/** Defines a list of maps with only these fields. A null item is decoded as an empty map. */
export function defineStructList(fields: ApiFields): ApiField {
  return { ...closeSchema(defineList(fields)), allowsNulls: true };
}

/** Marks a field as a pointer, so that an empty value differs from a missing one. */
export function asPointer(field: ApiField): ApiField {
  return { ...field, isPointer: true };
}

/** Adds the default that the API server fills in. */
export function withDefault(value: unknown, field: ApiField): ApiField {
  return { ...field, defaultValue: value };
}

/** Marks a list as merged by `key`. A server-side apply may identify items by more fields than a patch. */
export function withMergeKey(key: string, field: ApiField, applyKeys: readonly string[] = [key]): ApiField {
  return { ...field, merge: { key, applyKeys } };
}

/** Marks a list as merged only by a server-side apply. */
export function withApplyKeys(applyKeys: readonly string[], field: ApiField): ApiField {
  return { ...field, merge: { applyKeys } };
}

/** Marks a list of plain values as merged by both a patch and a server-side apply. */
export function mergeByValue(field: ApiField): ApiField {
  return { ...field, merge: { key: 'value', applyKeys: [] } };
}

/** Marks a list of plain values as merged only by a server-side apply. */
export function asApplySet(field: ApiField): ApiField {
  return { ...field, merge: { applyKeys: [] } };
}

/** Marks a map that a server-side apply treats as one value. */
export function asAtomic(field: ApiField): ApiField {
  return { ...field, isAtomic: true };
}

/** Marks a map for which a patch drops the fields that it does not list. */
export function withRetainKeys(field: ApiField): ApiField {
  return { ...field, retainsKeys: true };
}

/**
 * Marks a field as new in a version. Versions before `enabledSince` drop it.
 *
 * Source of `enabledSince`: k/k pkg/features/kube_features.go at 1.28, 1.30 and 1.37; pkg/api/pod/util.go, `DropDisabledTemplateFields`.
 */
export function addInVersion(version: string, field: ApiField, enabledSince?: string): ApiField {
  return { ...field, since: version, ...(enabledSince !== undefined && { persistedSince: enabledSince }) };
}

/** Marks a field that older versions know but drop. */
export function enableInVersion(version: string, field: ApiField): ApiField {
  return { ...field, persistedSince: version };
}

/** Marks a field as removed in a version. */
export function removeInVersion(version: string, field: ApiField): ApiField {
  return { ...field, until: version };
}
