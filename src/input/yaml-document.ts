import { isAlias, isMap, isScalar, isSeq } from 'yaml';
import type { Alias, Node, Scalar, YAMLMap } from 'yaml';
import { WHOLE_OBJECT, childPath } from '../core/field-path';
import type { FieldPath } from '../core/field-path';
import { seen } from '../core/seen';
import { ScalarTagError, resolvePlain, resolveTagged } from './yaml-scalar';
import type { ScalarValue } from './yaml-scalar';
import { DocumentError, parseFirst } from './yaml-syntax';
import type { Syntax } from './yaml-syntax';

/** Aliases that one document may hold. */
const MAX_ALIASES = 100;
/** Values that the aliases of one document may stand for, all expanded. */
const MAX_EXPANDED = 1_000_000;

/** Offsets in the document's text: of each key of a map, of each item of a list. */
export type Places = Readonly<Record<string | number, number>>;

/** A key that stands in its map a second time. */
export interface DuplicateKey {
  readonly path: FieldPath;
  readonly key: string;
  /** Where it stands; the last of them counts. */
  readonly at: number;
  /** Where the one before it stands. */
  readonly first: number;
}

/** One YAML document as plain data, and where its fields stand. */
export interface ReadDocument {
  readonly value: unknown;
  /** Keys that stand twice in one map, of which the last counts. */
  readonly duplicateKeys: readonly DuplicateKey[];
  /** Where the value begins. */
  readonly at: number;
  /** The places within each map and list of the value. */
  readonly places: ReadonlyMap<object, Places>;
}

/** What kubectl's parser refuses outright, after the byte order mark is gone. */
// oxlint-disable-next-line no-control-regex -- control characters are what is looked for
const CONTROL_CHARACTER = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ufffe\uffff]/;

function checkCharacters(text: string): void {
  const match = CONTROL_CHARACTER.exec(text);
  if (!match) return;
  throw new DocumentError(match.index, { kind: 'control-character', code: match[0].charCodeAt(0) });
}

/** A value and what stands for it in the count of expanded aliases. */
interface Anchored {
  readonly value: unknown;
  readonly size: number;
}

class Conversion {
  readonly places = new Map<object, Record<string | number, number>>();
  readonly duplicateKeys: DuplicateKey[] = [];
  /** The keys and positions of the maps and lists around the node at hand. */
  private readonly trail: (string | number)[] = [];
  private readonly anchors = new Map<string, Anchored | 'open'>();
  private aliases = 0;
  private size = 0;

  constructor(private readonly pieces: Syntax['pieces']) {}

  valueOf(node: Node | null): unknown {
    this.size++;
    if (this.size > MAX_EXPANDED && this.aliases > 0) this.failExpanded(node);
    if (node === null) return null;
    if (isAlias(node)) return this.resolve(node);
    const before = this.size;
    const anchor = (node as Scalar | YAMLMap).anchor;
    if (anchor !== undefined) this.anchors.set(anchor, 'open');
    const value = this.contentOf(node);
    if (anchor !== undefined) this.anchors.set(anchor, { value, size: this.size - before });
    return value;
  }

  private contentOf(node: Node): unknown {
    if (isMap(node)) return this.mapOf(node);
    if (isSeq(node)) return this.listOf(node.items as Node[]);
    const scalar = node as Scalar<string>;
    return this.pieces.has(scalar.value) ? this.contentOf(this.pieces.get(scalar.value)!) : this.scalarOf(scalar);
  }

  private resolve(alias: Alias): unknown {
    this.aliases++;
    if (this.aliases > MAX_ALIASES) throw new DocumentError(offsetOf(alias), { kind: 'too-many-aliases', aliases: MAX_ALIASES });
    const anchor = alias.source;
    const anchored = this.anchors.get(anchor);
    if (anchored === undefined) throw new DocumentError(offsetOf(alias), { kind: 'alias-without-anchor', anchor });
    if (anchored === 'open') throw new DocumentError(offsetOf(alias), { kind: 'anchor-in-itself', anchor });
    this.size += anchored.size;
    if (this.size > MAX_EXPANDED) this.failExpanded(alias);
    return anchored.value;
  }

  private failExpanded(node: Node | null): never {
    throw new DocumentError(offsetOf(node), { kind: 'aliases-too-large', values: MAX_EXPANDED });
  }

  private scalarOf(node: Scalar): ScalarValue {
    const text = typeof node.value === 'string' ? node.value : '';
    if (node.tag !== undefined) {
      try {
        return resolveTagged(node.tag, text);
      } catch (error) {
        if (!(error instanceof ScalarTagError)) throw error;
        throw new DocumentError(offsetOf(node), { kind: 'tag-unfit', text: error.text, type: error.type });
      }
    }
    return node.type === 'PLAIN' || node.type === undefined ? resolvePlain(text) : text;
  }

  private valueBelow(part: string | number, node: Node | null): unknown {
    this.trail.push(part);
    const value = this.valueOf(node);
    this.trail.pop();
    return value;
  }

  private pathTo(part: string | number): FieldPath {
    return childPath(WHOLE_OBJECT, ...this.trail, part);
  }

  private listOf(items: readonly (Node | null)[]): unknown[] {
    const list: unknown[] = [];
    const places: Record<number, number> = Object.create(null);
    this.places.set(list, places);
    for (const item of items) {
      places[list.length] = offsetOf(item);
      list.push(this.valueBelow(list.length, item));
    }
    return list;
  }

  private mapOf(node: YAMLMap): Record<string, unknown> {
    const map: Record<string, unknown> = {};
    const places: Record<string, number> = Object.create(null);
    const written = new Map<string, number>();
    this.places.set(map, places);
    for (const { key, value } of node.items as { key: Node | null; value: Node | null }[]) {
      if (isMergeKey(key)) {
        this.merge(value, map, places);
        continue;
      }
      const name = this.keyOf(key);
      const at = offsetOf(key);
      const first = written.get(name);
      if (first !== undefined) this.duplicateKeys.push({ path: this.pathTo(name), key: name, at, first });
      written.set(name, at);
      setField(map, name, this.valueBelow(name, value));
      places[name] = at;
    }
    return map;
  }

  /** As kubectl's parser does: in the order of the text, so that a merge below a field overrules the field. */
  private merge(source: Node | null, map: Record<string, unknown>, places: Record<string, number>): void {
    const merged = this.valueOf(source);
    const isList = source !== null && isSeq(source);
    const maps = isList ? (merged as unknown[]).toReversed() : [merged];
    for (const from of maps) {
      if (typeof from !== 'object' || from === null || Array.isArray(from)) {
        throw new DocumentError(offsetOf(source), { kind: 'merge-without-map' });
      }
      for (const [name, value] of Object.entries(from)) setField(map, name, value);
      Object.assign(places, this.places.get(from));
    }
  }

  private keyOf(node: Node | null): string {
    const key = this.valueOf(node);
    if (typeof key === 'string') return key;
    if (typeof key === 'number' || typeof key === 'boolean') return String(key);
    throw new DocumentError(offsetOf(node), { kind: 'key-not-text', value: seen(key) });
  }
}

function offsetOf(node: Node | null): number {
  return node?.range?.[0] ?? 0;
}

function isMergeKey(key: Node | null): boolean {
  return isScalar(key) && key.value === '<<' && key.type === 'PLAIN';
}

/** A plain assignment to `__proto__` would set the prototype instead of a field. */
function setField(map: Record<string, unknown>, name: string, value: unknown): void {
  if (name === '__proto__') Object.defineProperty(map, name, { value, writable: true, enumerable: true, configurable: true });
  else map[name] = value;
}

/**
 * Reads the first YAML document of a text as kubectl does, which goes no further either. The value of an empty text is null.
 *
 * Departs from kubectl on purpose: the infinities and NaN are numbers (kubectl fails to encode them),
 * so that the finding about the field can name them.
 *
 * @throws DocumentError with the place and the reason.
 */
export function readDocument(text: string): ReadDocument {
  checkCharacters(text);
  const { contents, pieces } = parseFirst(text);
  const conversion = new Conversion(pieces);
  const value = conversion.valueOf(contents);
  return { value, duplicateKeys: conversion.duplicateKeys, at: offsetOf(contents), places: conversion.places };
}
