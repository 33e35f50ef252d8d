import { isFields, ownValue } from '../../core/manifest';
import type { Fields } from '../../core/manifest';
import type { ApiField, ApiFields } from '../../workloads/pod/field';

/*
 * Which fields an object, or a manager of its fields, has: a tree by `f:<field>`, `k:{"<key>":…}` and `v:<value>`, as managedFields writes it.
 * Source: structured-merge-diff v6 fieldpath and typed; the format FieldsV1 of meta/v1.
 */
export interface FieldSet {
  /** Is the place itself one of them? */
  readonly isMember: boolean;
  readonly below: ReadonlyMap<string, FieldSet>;
}

const NO_FIELDS: FieldSet = { isMember: false, below: new Map() };
const LEAF: FieldSet = { isMember: true, below: new Map() };

/** A place of a list item is told by its keys in their order, as managedFields has them. */
export function itemKey(item: unknown, field: ApiField): string {
  const keys = field.merge?.applyKeys ?? [];
  if (keys.length === 0) return `v:${JSON.stringify(item)}`;
  const named = keys.toSorted().map((key) => [key, isFields(item) ? (item[key] ?? keyDefault(field, key)) : undefined] as const);
  return `k:${JSON.stringify(Object.fromEntries(named.filter(([, value]) => value !== undefined)))}`;
}

/** A key that is left out has its default. */
function keyDefault(field: ApiField, key: string): unknown {
  return field.fields?.[key]?.filled;
}

/** Is a list merged item by item under server-side apply? */
export function isAssociative(field: ApiField | undefined): field is ApiField {
  return field?.merge !== undefined && (field.merge.applyKeys.length > 0 || field.merge.key === undefined || field.merge.key === 'value');
}

/** Is a map merged field by field under server-side apply? */
export function isGranular(field: ApiField | undefined): boolean {
  return !field?.isAtomic;
}

/** What a map of this field holds under a name. */
export function fieldBelow(field: ApiField | undefined, name: string): ApiField | undefined {
  return field?.fields && ownValue(field.fields, name);
}

export function itemField(field: ApiField): ApiField {
  return { type: field.fields ? 'map' : 'any', ...(field.fields && { fields: field.fields }) };
}

/** The fields that a value names. */
export function fieldsOf(value: unknown, field: ApiField | undefined): FieldSet {
  if (isFields(value) && isGranular(field)) {
    const entries = Object.entries(value);
    if (entries.length === 0) return LEAF;
    return { isMember: false, below: new Map(entries.map(([name, inner]) => [`f:${name}`, fieldsOf(inner, fieldBelow(field, name))])) };
  }
  if (Array.isArray(value) && value.length > 0 && isAssociative(field)) {
    const items = value.map(
      (item: unknown) => [itemKey(item, field), { isMember: true, below: fieldsOf(item, itemField(field)).below }] as const,
    );
    return { isMember: false, below: new Map(items) };
  }
  return LEAF;
}

export function fieldsOfObject(object: Fields, known: ApiFields | undefined): FieldSet {
  return fieldsOf(object, { type: 'map', ...(known && { fields: known }) });
}

/** The fields as managedFields writes them. */
export function readFields(written: unknown): FieldSet {
  if (!isFields(written)) return NO_FIELDS;
  const names = Object.keys(written).filter((name) => name !== '.');
  if (names.length === 0) return LEAF;
  return { isMember: Object.hasOwn(written, '.'), below: new Map(names.map((name) => [normalKey(name), readFields(written[name])])) };
}

/** The keys of an item in their order. */
function normalKey(name: string): string {
  if (!name.startsWith('k:')) return name;
  const keys = JSON.parse(name.slice(2)) as Fields;
  return `k:${JSON.stringify(Object.fromEntries(Object.entries(keys).toSorted(([a], [b]) => (a < b ? -1 : 1))))}`;
}

export function unionOf(sets: readonly FieldSet[]): FieldSet {
  const names = new Set(sets.flatMap((set) => [...set.below.keys()]));
  const below = [...names].map(
    (name) => [name, unionOf(sets.map((set) => set.below.get(name)).filter((set) => set !== undefined))] as const,
  );
  return { isMember: sets.some((set) => set.isMember), below: new Map(below) };
}

/** A part of a place as the server writes it: `.image`, `[name="web"]`. */
export function partText(part: string): string {
  if (part.startsWith('f:')) return `.${part.slice(2)}`;
  if (part.startsWith('v:')) return `[=${part.slice(2)}]`;
  const keys = Object.entries(JSON.parse(part.slice(2)) as Fields);
  return `[${keys.map(([name, value]) => `${name}=${JSON.stringify(value)}`).join(',')}]`;
}
