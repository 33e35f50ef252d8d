import { setOwnField } from '../../core/collections/set-own-field';
import { ROOT_PATH, appendToPath } from '../../core/manifest/field-path';
import type { FieldPath } from '../../core/manifest/field-path';
import { MAX_LEVELS } from '../../core/values/levels';
import { MAX_LOCATED_DUPLICATES } from './parsed-document';
import type { DuplicateKey, FieldOffsets } from './parsed-document';

/** JSON value that was read from a text. */
export interface JsonReadResult {
  readonly value: unknown;
  /** Offset after the value. */
  readonly end: number;
  /** Whether a map has a duplicate key. The last occurrence wins. */
  readonly hasDuplicates: boolean;
  /** Duplicate keys; empty unless offsets are recorded. */
  readonly duplicateKeys: readonly DuplicateKey[];
}

class JsonError extends Error {}

const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?/y;
const LITERALS = [
  ['true', true],
  ['false', false],
  ['null', null],
] as const;
/** Number of values that are read between two checks of the time budget. */
const VALUES_PER_TIME_CHECK = 8_192;
const QUOTE = 34;
const BACKSLASH = 92;

class JsonReader {
  hasDuplicates = false;
  readonly duplicateKeys: DuplicateKey[] = [];
  private readonly path: (string | number)[] = [];
  private values = 0;

  constructor(
    private readonly text: string,
    public at: number,
    private readonly offsets: Map<object, FieldOffsets> | undefined,
    private readonly isLate?: () => boolean,
  ) {}

  private readObject(level: number): Record<string, unknown> {
    const map: Record<string, unknown> = {};
    const offsets = this.createOffsets(map);
    this.enterLevel(level);
    for (let isFirst = true; this.hasMore('}', isFirst); isFirst = false) {
      const { at } = this;
      const key = this.readString();
      if (this.skipBlanks() !== ':') throw new JsonError();
      this.at++;
      if (Object.hasOwn(map, key)) {
        this.hasDuplicates = true;
        if (offsets) this.duplicateKeys.push({ path: this.pathOfDuplicate(key), key, at, first: offsets[key]! });
      }
      if (offsets) offsets[key] = at;
      this.path.push(key);
      setOwnField(map, key, this.readValue(level + 1));
      this.path.pop();
    }
    return map;
  }

  private pathOfDuplicate(key: string): FieldPath {
    return this.duplicateKeys.length < MAX_LOCATED_DUPLICATES ? appendToPath(ROOT_PATH, ...this.path, key) : ROOT_PATH;
  }

  private readList(level: number): unknown[] {
    const list: unknown[] = [];
    const offsets = this.createOffsets(list);
    this.enterLevel(level);
    for (let isFirst = true; this.hasMore(']', isFirst); isFirst = false) {
      if (offsets) offsets[list.length] = this.at;
      this.path.push(list.length);
      list.push(this.readValue(level + 1));
      this.path.pop();
    }
    return list;
  }

  private enterLevel(level: number): void {
    if (level > MAX_LEVELS) throw new JsonError();
    this.at++;
  }

  /** Reports whether another entry follows, and moves to its first character. */
  private hasMore(close: string, isFirst: boolean): boolean {
    const character = this.skipBlanks();
    if (character === close || !isFirst) this.at++;
    if (character === close) return false;
    if (!isFirst && character !== ',') throw new JsonError();
    this.skipBlanks();
    return true;
  }

  private createOffsets(collection: object): Record<string | number, number> | undefined {
    if (!this.offsets) return undefined;
    const offsets: Record<string | number, number> = Object.create(null);
    this.offsets.set(collection, offsets);
    return offsets;
  }

  /** Skips whitespace and returns the next character. */
  private skipBlanks(): string {
    for (;;) {
      const character = this.text[this.at] ?? '';
      if (character !== ' ' && character !== '\n' && character !== '\r' && character !== '\t') return character;
      this.at++;
    }
  }

  readValue(level: number): unknown {
    if (++this.values % VALUES_PER_TIME_CHECK === 0 && this.isLate?.()) throw new JsonError();
    const character = this.skipBlanks();
    if (character === '"') return this.readString();
    if (character === '{') return this.readObject(level);
    if (character === '[') return this.readList(level);
    for (const [word, value] of LITERALS) {
      if (!this.text.startsWith(word, this.at)) continue;
      this.at += word.length;
      return value;
    }
    NUMBER.lastIndex = this.at;
    const [digits] = NUMBER.exec(this.text) ?? [];
    if (digits === undefined) throw new JsonError();
    this.at += digits.length;
    return Number(digits);
  }

  private readString(): string {
    const { text } = this;
    const begin = this.at;
    if (text.charCodeAt(begin) !== QUOTE) throw new JsonError();
    let hasEscapes = false;
    let at = begin + 1;
    for (let code = text.charCodeAt(at); code !== QUOTE; code = text.charCodeAt(++at)) {
      if (code < 32 || at >= text.length) throw new JsonError();
      if (code !== BACKSLASH) continue;
      hasEscapes = true;
      at++;
    }
    this.at = at + 1;
    return hasEscapes ? unescapeString(text.slice(begin, at + 1)) : text.slice(begin + 1, at);
  }
}

/** Unescapes a string. Like Go, it replaces half a surrogate pair with U+FFFD. */
function unescapeString(quoted: string): string {
  try {
    return (JSON.parse(quoted) as string).replaceAll(/\p{Surrogate}/gu, '\ufffd');
  } catch {
    throw new JsonError();
  }
}

/**
 * Reads the JSON value that begins at an offset of a text. The text after the value may be anything.
 * Returns undefined if there is no JSON value, or if the time budget is exceeded.
 *
 * @param offsets - receives the offsets of the keys of each map and the items of each list
 * @param isLate - reports whether the time budget is exceeded. @default - no time limit
 */
export function readJson(
  text: string,
  at: number,
  offsets?: Map<object, FieldOffsets>,
  isLate?: () => boolean,
): JsonReadResult | undefined {
  const reader = new JsonReader(text, at, offsets, isLate);
  try {
    const value = reader.readValue(1);
    // Go does not read a number from `1.x` or `1e`.
    if (typeof value === 'number' && /[.eE]/.test(text[reader.at] ?? '')) return undefined;
    return { value, end: reader.at, hasDuplicates: reader.hasDuplicates, duplicateKeys: reader.duplicateKeys };
  } catch (error) {
    if (error instanceof JsonError) return undefined;
    throw error;
  }
}
