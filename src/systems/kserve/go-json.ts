import { MAX_LEVELS } from '../../core/values/levels';

/** An object as Go's decoder reads it: all entries in order, including repeated keys. */
export interface JsonObject {
  readonly entries: readonly (readonly [key: string, value: JsonValue])[];
}

/** A JSON value as Go's decoder reads it. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;

/** Thrown for text that is not JSON, with the message of Go's encoding/json. */
export class JsonSyntaxError extends Error {
  override readonly name = 'JsonSyntaxError';
}

const WHITESPACE = /[ \t\r\n]*/y;
const NUMBER = /-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?/y;
// eslint-disable-next-line no-control-regex -- JSON forbids exactly these characters inside a string
const PLAIN_TEXT = /[^"\\\u0000-\u001f]*/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const BROKEN_ESCAPE = /\\(?:u[0-9a-fA-F]{0,3})?/y;
const LITERALS: Readonly<Record<string, null | boolean>> = { null: null, true: true, false: false };

/** Reads JSON from left to right; `position` is the index of the next character. */
class JsonReader {
  private position = 0;
  private depth = 0;

  constructor(private readonly text: string) {}

  readDocument(): JsonValue {
    const value = this.readValue();
    this.skipWhitespace();
    if (this.position < this.text.length) throw this.createSyntaxError('after top-level value');
    return value;
  }

  private readValue(): JsonValue {
    this.skipWhitespace();
    const next = this.text[this.position];
    if (next === '{') return this.readNested(() => this.readObject());
    if (next === '[') return this.readNested(() => this.readArray());
    if (next === '"') return this.readString('looking for beginning of value');
    if (next !== undefined && /[-0-9]/.test(next)) return this.readNumber();
    for (const [literal, value] of Object.entries(LITERALS)) {
      if (literal.startsWith(next ?? ' ')) return this.readLiteral(literal, value);
    }
    throw this.createSyntaxError('looking for beginning of value');
  }

  private readLiteral<T>(literal: string, value: T): T {
    for (const character of literal) {
      if (this.text[this.position] !== character) throw this.createSyntaxError(`in literal ${literal} (expecting '${character}')`);
      this.position++;
    }
    return value;
  }

  private readNumber(): number {
    const number = this.match(NUMBER);
    if (number === undefined) {
      this.position++;
      throw this.createSyntaxError('in numeric literal');
    }
    if (/^-?[0-9]+$/.test(number) && this.skip('.')) throw this.createSyntaxError('after decimal point in numeric literal');
    if (/^[^eE]+$/.test(number) && this.skip('e', 'E')) {
      this.skip('+', '-');
      throw this.createSyntaxError('in exponent of numeric literal');
    }
    return Number(number);
  }

  private readNested<T>(read: () => T): T {
    // Go reads 10,000 levels.
    if (++this.depth > MAX_LEVELS) throw new JsonSyntaxError('exceeded max depth');
    const value = read();
    this.depth--;
    return value;
  }

  private readObject(): JsonObject {
    const entries: [string, JsonValue][] = [];
    this.position++;
    if (this.take('}')) return { entries };
    do {
      const key = this.readString('looking for beginning of object key string');
      if (!this.take(':')) throw this.createSyntaxError('after object key');
      entries.push([key, this.readValue()]);
    } while (this.take(','));
    if (!this.take('}')) throw this.createSyntaxError('after object key:value pair');
    return { entries };
  }

  private readArray(): JsonValue[] {
    const items: JsonValue[] = [];
    this.position++;
    if (this.take(']')) return items;
    do items.push(this.readValue());
    while (this.take(','));
    if (!this.take(']')) throw this.createSyntaxError('after array element');
    return items;
  }

  private readString(context: string): string {
    this.skipWhitespace();
    if (this.text[this.position] !== '"') throw this.createSyntaxError(context);
    const begin = this.position;
    this.position++;
    do this.match(PLAIN_TEXT);
    while (this.match(ESCAPE) !== undefined);
    if (this.skip('"')) return JSON.parse(this.text.slice(begin, this.position)) as string;
    const escape = this.match(BROKEN_ESCAPE);
    if (escape === undefined) throw this.createSyntaxError('in string literal');
    throw this.createSyntaxError(escape === '\\' ? 'in string escape code' : String.raw`in \u hexadecimal character escape`);
  }

  /** Consumes `character` if it comes next, after any whitespace. */
  private take(character: string): boolean {
    this.skipWhitespace();
    return this.skip(character);
  }

  /** Consumes one of `characters` if it comes next. */
  private skip(...characters: readonly string[]): boolean {
    const found = characters.includes(this.text[this.position]!);
    if (found) this.position++;
    return found;
  }

  private match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.position;
    const found = pattern.exec(this.text)?.[0];
    this.position += found?.length ?? 0;
    return found;
  }

  private skipWhitespace(): void {
    this.match(WHITESPACE);
  }

  private createSyntaxError(context: string): JsonSyntaxError {
    const character = this.text[this.position];
    if (character === undefined) return new JsonSyntaxError('unexpected end of JSON input');
    const line = this.text.slice(0, this.position).split('\n').length;
    return new JsonSyntaxError(`invalid character '${quoteCharacter(character)}' ${context} (line ${line})`);
  }
}

const CHARACTER_ESCAPES: Readonly<Record<string, string>> = {
  "'": String.raw`\'`,
  '\n': String.raw`\n`,
  '\r': String.raw`\r`,
  '\t': String.raw`\t`,
  '\\': String.raw`\\`,
};

/** Returns a character as Go quotes it. */
function quoteCharacter(character: string): string {
  const code = character.charCodeAt(0);
  return CHARACTER_ESCAPES[character] ?? (code < 0x20 ? String.raw`\x${code.toString(16).padStart(2, '0')}` : character);
}

/**
 * Parses JSON like Go. Repeated keys are kept as separate entries, because Go sets the field again for each of them.
 *
 * @throws JsonSyntaxError for text that is not JSON
 */
export function parseJson(text: string): JsonValue {
  return new JsonReader(text).readDocument();
}

/** The Go package of KServe's structs. */
const GO_PACKAGE = 'v1beta1';

/** The type of a Go struct's field: a string, any value, or a pointer to a struct. */
export type GoType = 'string' | 'anything' | GoStruct;

export interface GoStruct {
  /** The name of the struct in error messages. For type names, Go adds its package as a prefix. */
  readonly name: string;
  readonly fields: Readonly<Record<string, GoType>>;
}

/** A value whose type does not match the struct. */
export interface GoTypeError {
  /** The field names from the root, with the spelling of the struct. */
  readonly path: readonly string[];
  readonly value: unknown;
  /** The message of encoding/json. */
  readonly reason: string;
}

export interface GoDecoded {
  readonly value: Readonly<Record<string, unknown>>;
  /** All type errors. Go continues after the first one, but reports only that one. */
  readonly errors: readonly GoTypeError[];
}

/**
 * Fills a struct from JSON like encoding/json.
 *
 * A key matches a field exactly or case-insensitively. A repeated key sets the field again, and a repeated struct is filled further. null
 * resets a struct and leaves a string unchanged. Unknown keys are dropped.
 *
 * Source: Go, src/encoding/json/decode.go.
 */
export function decodeStruct(json: JsonValue, struct: GoStruct): GoDecoded {
  const value: Record<string, unknown> = {};
  const errors: GoTypeError[] = [];
  if (isJsonObject(json)) fillStruct(value, json, struct, [], errors);
  else if (json !== null) {
    const reason = `json: cannot unmarshal ${kindOf(json)} into Go value of type ${GO_PACKAGE}.${struct.name}`;
    errors.push({ path: [], value: toPlainValue(json), reason });
  }
  return { value, errors };
}

function fillStruct(
  target: Record<string, unknown>,
  json: JsonObject,
  struct: GoStruct,
  path: readonly string[],
  errors: GoTypeError[],
): void {
  for (const [key, value] of json.entries) {
    const field = findField(key, struct);
    if (field === undefined) continue;
    const type = struct.fields[field]!;
    const fieldPath = [...path, field];
    const refuse = (expected: string) =>
      errors.push({
        path: fieldPath,
        value: toPlainValue(value),
        reason: `json: cannot unmarshal ${kindOf(value)} into Go struct field ${struct.name}.${fieldPath.join('.')} of type ${expected}`,
      });
    if (type === 'anything') target[field] = toPlainValue(value);
    else if (type === 'string') {
      if (typeof value === 'string') target[field] = value;
      else if (value !== null) refuse('string');
    } else if (value === null) delete target[field];
    else if (!isJsonObject(value)) refuse(`${GO_PACKAGE}.${type.name}`);
    else {
      const inner = (target[field] ?? {}) as Record<string, unknown>;
      target[field] = inner;
      fillStruct(inner, value, type, fieldPath, errors);
    }
  }
}

/** Folds case like Go: character by character, including the Kelvin sign and the long s. */
function normalizeCase(text: string): string {
  return text.toLowerCase().replaceAll('\u017f', 's');
}

function findField(key: string, struct: GoStruct): string | undefined {
  if (Object.hasOwn(struct.fields, key)) return key;
  return Object.keys(struct.fields).find((field) => normalizeCase(field) === normalizeCase(key));
}

function isJsonObject(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function kindOf(value: JsonValue): string {
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'boolean') return 'bool';
  return typeof value;
}

/** Converts the value to plain JavaScript. For repeated keys the last one wins. */
function toPlainValue(value: JsonValue): unknown {
  if (Array.isArray(value)) return value.map((item: JsonValue) => toPlainValue(item));
  if (isJsonObject(value)) return Object.fromEntries(value.entries.map(([key, inner]) => [key, toPlainValue(inner)]));
  return value;
}
