import type { DuplicateKey, FieldOffsets } from './yaml-document';
import { ROOT_PATH, appendToPath } from '../core/field-path';
import { MAX_LEVELS } from './yaml-nodes';

/** A JSON value that a text holds. */
export interface JsonReadResult {
  readonly value: unknown;
  /** The offset behind it. */
  readonly end: number;
  /** Does a key stand twice in one map? The last counts. */
  readonly hasDuplicates: boolean;
  /** Those keys, where the places are asked for. */
  readonly duplicateKeys: readonly DuplicateKey[];
}

class JsonError extends Error {}

const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?/y;
const LITERALS = [
  ['true', true],
  ['false', false],
  ['null', null],
] as const;
/** Values after which it is asked whether reading takes too long. */
const VALUES_PER_TIME_CHECK = 8_192;
const QUOTE = 34;
const BACKSLASH = 92;

class JsonReader {
  hasDuplicates = false;
  readonly duplicateKeys: DuplicateKey[] = [];
  private readonly trail: (string | number)[] = [];
  private values = 0;

  constructor(
    private readonly text: string,
    public at: number,
    private readonly places: Map<object, FieldOffsets> | undefined,
    private readonly isLate?: () => boolean,
  ) {}

  private readObject(level: number): Record<string, unknown> {
    const map: Record<string, unknown> = {};
    const places = this.placesOf(map);
    this.enterLevel(level);
    for (let isFirst = true; this.hasMore('}', isFirst); isFirst = false) {
      const { at } = this;
      const key = this.readString();
      if (this.skipBlanks() !== ':') throw new JsonError();
      this.at++;
      if (Object.hasOwn(map, key)) {
        this.hasDuplicates = true;
        if (places) this.duplicateKeys.push({ path: appendToPath(ROOT_PATH, ...this.trail, key), key, at, first: places[key]! });
      }
      if (places) places[key] = at;
      this.trail.push(key);
      setField(map, key, this.readValue(level + 1));
      this.trail.pop();
    }
    return map;
  }

  private readList(level: number): unknown[] {
    const list: unknown[] = [];
    const places = this.placesOf(list);
    this.enterLevel(level);
    for (let isFirst = true; this.hasMore(']', isFirst); isFirst = false) {
      if (places) places[list.length] = this.at;
      this.trail.push(list.length);
      list.push(this.readValue(level + 1));
      this.trail.pop();
    }
    return list;
  }

  private enterLevel(level: number): void {
    if (level > MAX_LEVELS) throw new JsonError();
    this.at++;
  }

  /** Does an entry follow, whose first character is at hand then? */
  private hasMore(close: string, isFirst: boolean): boolean {
    const character = this.skipBlanks();
    if (character === close || !isFirst) this.at++;
    if (character === close) return false;
    if (!isFirst && character !== ',') throw new JsonError();
    this.skipBlanks();
    return true;
  }

  private placesOf(holder: object): Record<string | number, number> | undefined {
    if (!this.places) return undefined;
    const places: Record<string | number, number> = Object.create(null);
    this.places.set(holder, places);
    return places;
  }

  /** The character at hand, blanks left behind. */
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

/** Go puts U+FFFD in place of half a surrogate pair. */
function unescapeString(quoted: string): string {
  try {
    return (JSON.parse(quoted) as string).replaceAll(/\p{Surrogate}/gu, '\ufffd');
  } catch {
    throw new JsonError();
  }
}

/** A plain assignment to `__proto__` would set the prototype instead of a field. */
function setField(map: Record<string, unknown>, name: string, value: unknown): void {
  if (name === '__proto__') Object.defineProperty(map, name, { value, writable: true, enumerable: true, configurable: true });
  else map[name] = value;
}

/**
 * Reads the JSON value that begins at an offset of a text; undefined where none does. What follows it need be no JSON.
 *
 * @param places - learns the offsets of the keys of each map and the items of each list
 * @param isLate - has reading taken longer than it may? It then ends as where there is none. @default - it takes as long as it takes
 */
export function readJson(text: string, at: number, places?: Map<object, FieldOffsets>, isLate?: () => boolean): JsonReadResult | undefined {
  const reader = new JsonReader(text, at, places, isLate);
  try {
    const value = reader.readValue(1);
    // Of `1.x` and `1e` Go takes no digit for a number.
    if (typeof value === 'number' && /[.eE]/.test(text[reader.at] ?? '')) return undefined;
    return { value, end: reader.at, hasDuplicates: reader.hasDuplicates, duplicateKeys: reader.duplicateKeys };
  } catch (error) {
    if (error instanceof JsonError) return undefined;
    throw error;
  }
}
