import { isInt32 } from './int-or-percent';
import { isFields, isInstance } from './manifest';
import type { Fields } from './manifest';

/** The types of the API's fields, as far as rollouts need them. */
export type FieldType = 'map' | 'list' | 'string' | 'boolean' | 'int32' | 'int-or-percent' | 'string-map';

/**
 * Fields by path with their types: `{ 'spec.replicas': 'int32', 'spec.template.spec.containers[].name': 'string' }`.
 * `[]` stands for every item of a list. A `!` behind the type forbids null too, which counts as absent elsewhere.
 */
export type Shape = Readonly<Record<string, FieldType | `${FieldType}!`>>;

/** A field whose value has another type than the API wants. */
export interface Mismatch {
  /** Field path as the API server writes it. */
  readonly path: string;
  readonly expected: FieldType;
  readonly seen: unknown;
}

/** The entries of a map of strings that are none; null counts as an empty string, and tokens are not judged. */
export function nonStringsOf(map: Fields): [name: string, value: unknown][] {
  return Object.entries(map).filter(([, value]) => typeof value !== 'string' && value !== null && !isInstance(value));
}

const CHECKS: Readonly<Record<FieldType, (value: unknown) => boolean>> = {
  map: isFields,
  list: Array.isArray,
  string: (value) => typeof value === 'string',
  boolean: (value) => typeof value === 'boolean',
  int32: isInt32,
  // Which strings are fine is a rule of its own (a percent, not a quoted number), so any string passes here.
  'int-or-percent': (value) => typeof value === 'string' || isInt32(value),
  'string-map': (value) => isFields(value) && nonStringsOf(value).length === 0,
};

const DESCRIPTIONS: Readonly<Record<FieldType, string>> = {
  map: 'a map',
  list: 'a list',
  string: 'a string',
  boolean: 'true or false',
  int32: 'a whole number',
  'int-or-percent': 'a whole number or a percentage such as "25%"',
  'string-map': 'a map of strings',
};

/** Is this value of that type? Null is of none. */
export function isOfFieldType(value: unknown, type: FieldType): boolean {
  return CHECKS[type](value);
}

/** A type as a message names it: "a whole number". */
export function describeType(type: FieldType): string {
  return DESCRIPTIONS[type];
}

/** The field that a path ends in, as a message names it: `maxSurge`, `labels[app.kubernetes.io/version]`. */
export function fieldName(path: string): string {
  return path.replace(/^.*\.(?![^[]*\])/, '');
}

/** A value as a message shows it: short, on one line, with its quotes: `"1"`, `null`, `{…}`. */
export function describeValue(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'number') return String(value);
  if (Array.isArray(value)) return value.length === 0 ? '[]' : 'a list';
  if (isFields(value)) return Object.keys(value).length === 0 ? '{}' : 'a map';
  if (typeof value === 'function' || typeof value === 'symbol') return `a ${typeof value}`;
  const text = JSON.stringify(value);
  return text.length <= 80 ? text : `${text.slice(0, 77)}…"`;
}

/** What a shape says of one field, and of those below it. */
interface ShapeNode {
  readonly fields: Map<string, ShapeNode>;
  items?: ShapeNode;
  expected?: FieldType;
  notNull?: boolean;
  /** The place of the field in the shape, counted from 0. */
  order: number;
}

function emptyNode(): ShapeNode {
  return { fields: new Map(), order: 0 };
}

function childOf(node: ShapeNode, field: string): ShapeNode {
  const child = node.fields.get(field) ?? emptyNode();
  node.fields.set(field, child);
  return child;
}

/** A shape as a tree, so that an object is walked once and not once for each of its paths. */
function treeOf(shape: Shape): ShapeNode {
  const root = emptyNode();
  Object.entries(shape).forEach(([pattern, type], order) => {
    let node = root;
    for (const part of pattern.split('.')) {
      node = childOf(node, part.replace(/\[\]$/, ''));
      if (part.endsWith('[]')) node = node.items ??= emptyNode();
    }
    node.expected = type.replace(/!$/, '') as FieldType;
    node.notNull = type.endsWith('!');
    node.order = order;
  });
  return root;
}

const trees = new WeakMap<Shape, ShapeNode>();

function isMistyped(value: unknown, { expected, notNull }: ShapeNode): boolean {
  if (expected === undefined || value === undefined || (value === null && !notNull)) return false;
  return !CHECKS[expected](value) && !isInstance(value);
}

/** A mistyped field; of a map of strings, the entries that are none. */
function mistypedParts(value: unknown, expected: FieldType, path: string): Mismatch[] {
  if (expected !== 'string-map' || !isFields(value)) return [{ path, expected, seen: value }];
  return nonStringsOf(value).map(([name, seen]) => ({ path: `${path}[${name}]`, expected: 'string', seen }));
}

/** Calls `found` for every mistyped field at and below `value`. */
function walk(value: unknown, node: ShapeNode, path: string, found: (mismatch: Mismatch, order: number) => void): void {
  if (isMistyped(value, node)) mistypedParts(value, node.expected!, path).forEach((mismatch) => found(mismatch, node.order));
  if (node.items && Array.isArray(value)) value.forEach((item, index) => walk(item, node.items!, `${path}[${index}]`, found));
  if (!isFields(value)) return;
  for (const field of Object.keys(value)) {
    const child = node.fields.get(field);
    if (child) walk(value[field], child, path === '' ? field : `${path}.${field}`, found);
  }
}

/** The fields of `object` that are there and have another type than `shape` says, in the order of the shape; tokens are not judged. */
export function mismatchesOf(object: unknown, shape: Shape): Mismatch[] {
  const tree = trees.get(shape) ?? treeOf(shape);
  trees.set(shape, tree);
  const mismatches: { readonly mismatch: Mismatch; readonly order: number }[] = [];
  walk(object, tree, '', (mismatch, order) => mismatches.push({ mismatch, order }));
  return mismatches.toSorted((a, b) => a.order - b.order).map(({ mismatch }) => mismatch);
}
