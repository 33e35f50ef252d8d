import { isFields, getOwnValue } from '../../core/manifest/manifest';
import type { Fields } from '../../core/manifest/manifest';
import { redactValue } from './redact-secrets';
import type { ApiField, ApiFields } from '../../workloads/pod/field';

/*
 * The fields that an object has, or that a manager owns: a tree of `f:<field>`, `k:{"<key>":…}` and `v:<value>`, as managedFields writes it.
 * Source: structured-merge-diff v6 fieldpath and typed; the format FieldsV1 of meta/v1.
 */
export interface FieldSet {
  /** Whether the path itself is in the set. */
  readonly isMember: boolean;
  readonly children: ReadonlyMap<string, FieldSet>;
}

const NO_FIELDS: FieldSet = { isMember: false, children: new Map() };
const LEAF: FieldSet = { isMember: true, children: new Map() };

/** Builds the path part of a list item: its sorted keys, as managedFields has them. */
export function buildItemKey(item: unknown, field: ApiField): string {
  const keys = field.merge?.applyKeys ?? [];
  if (keys.length === 0) return `v:${JSON.stringify(item)}`;
  const entries = keys.toSorted().map((key) => [key, isFields(item) ? (item[key] ?? getKeyDefault(field, key)) : undefined] as const);
  return `k:${JSON.stringify(Object.fromEntries(entries.filter(([, value]) => value !== undefined)))}`;
}

/** Returns the default of a key that is omitted. */
function getKeyDefault(field: ApiField, key: string): unknown {
  return field.fields?.[key]?.defaultValue;
}

/** Reports whether server-side apply merges a list item by item. */
export function isAssociativeList(field: ApiField | undefined): field is ApiField {
  return field?.merge !== undefined && (field.merge.applyKeys.length > 0 || field.merge.key === undefined || field.merge.key === 'value');
}

/** Reports whether server-side apply merges a map field by field. */
export function isGranularMap(field: ApiField | undefined): boolean {
  return !field?.isAtomic;
}

/** Returns the schema of a field in a map. */
export function getChildField(field: ApiField | undefined, name: string): ApiField | undefined {
  return field?.fields && getOwnValue(field.fields, name);
}

export function getItemField(field: ApiField): ApiField {
  return { type: field.fields ? 'map' : 'any', ...(field.fields && { fields: field.fields }) };
}

/**
 * Builds the set of an entry of a map. An entry that the schema does not name is in the set itself, next to what it contains.
 *
 * Source: structured-merge-diff v6.3.0 typed/tofieldset.go `visitMapItems`.
 */
function buildEntrySet(value: unknown, field: ApiField | undefined): FieldSet {
  const set = buildFieldSet(value, field);
  return field === undefined ? { ...set, isMember: true } : set;
}

/** Builds the set of fields that a value sets. */
export function buildFieldSet(value: unknown, field: ApiField | undefined): FieldSet {
  if (isFields(value) && isGranularMap(field)) {
    const entries = Object.entries(value);
    if (entries.length === 0) return LEAF;
    return {
      isMember: false,
      children: new Map(entries.map(([name, inner]) => [`f:${name}`, buildEntrySet(inner, getChildField(field, name))])),
    };
  }
  if (Array.isArray(value) && value.length > 0 && isAssociativeList(field)) {
    const items = value.map(
      (item: unknown) =>
        [buildItemKey(item, field), { isMember: true, children: buildFieldSet(item, getItemField(field)).children }] as const,
    );
    return { isMember: false, children: new Map(items) };
  }
  return LEAF;
}

export function buildObjectFieldSet(object: Fields, known: ApiFields | undefined): FieldSet {
  return buildFieldSet(object, { type: 'map', ...(known && { fields: known }) });
}

/** Reports whether a name is one that the API server writes. A file may contain others. */
function isItemOrField(name: string): boolean {
  if (!/^[kv]:/.test(name)) return true;
  try {
    const value: unknown = JSON.parse(name.slice(2));
    return name.startsWith('v:') || isFields(value);
  } catch {
    return false;
  }
}

/** Parses the fields of a managedFields entry. */
export function parseManagedFields(fieldsV1: unknown): FieldSet {
  if (!isFields(fieldsV1)) return NO_FIELDS;
  const names = Object.keys(fieldsV1).filter((name) => name !== '.' && isItemOrField(name));
  if (names.length === 0) return LEAF;
  return {
    isMember: Object.hasOwn(fieldsV1, '.'),
    children: new Map(names.map((name) => [normalizeItemKey(name), parseManagedFields(fieldsV1[name])])),
  };
}

/** Returns an item key with its keys sorted. */
function normalizeItemKey(name: string): string {
  if (!name.startsWith('k:')) return name;
  const keys = JSON.parse(name.slice(2)) as Fields;
  return `k:${JSON.stringify(Object.fromEntries(Object.entries(keys).toSorted(([a], [b]) => (a < b ? -1 : 1))))}`;
}

export function mergeFieldSets(sets: readonly FieldSet[]): FieldSet {
  const names = new Set(sets.flatMap((set) => [...set.children.keys()]));
  const children = [...names].map(
    (name) => [name, mergeFieldSets(sets.map((set) => set.children.get(name)).filter((set) => set !== undefined))] as const,
  );
  return { isMember: sets.some((set) => set.isMember), children: new Map(children) };
}

/** Formats a path part as the server does: `.image`, `[name="web"]`. */
export function formatManagedPathPart(part: string): string {
  if (part.startsWith('f:')) return `.${part.slice(2)}`;
  if (part.startsWith('v:')) return `[=${JSON.stringify(redactValue(JSON.parse(part.slice(2))))}]`;
  const keys = Object.entries(JSON.parse(part.slice(2)) as Fields);
  return `[${keys.map(([name, value]) => `${name}=${JSON.stringify(redactValue(value))}`).join(',')}]`;
}
