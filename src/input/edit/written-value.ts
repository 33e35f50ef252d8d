import { stringify } from 'yaml';
import type { Scalar } from 'yaml';

/** Where a value is written. */
export interface ValuePlace {
  /** The scalar that it replaces, whose quotes it takes over. @default - none */
  readonly like?: Scalar;
  readonly inFlow: boolean;
  readonly isJson: boolean;
}

/** kubectl reads YAML 1.1, in which `on` and `y` are no text. */
const WRITTEN = { version: '1.1', lineWidth: 0 } as const;

/** Characters that mean nothing in braces either. */
const HARMLESS = /^[A-Za-z0-9_%./-]+$/;

/** Maps around a value, one a name: `nested(['a', 'b'], 1)` is `{ a: { b: 1 } }`. */
export function nested(names: readonly string[], value: unknown): unknown {
  return names.reduceRight<unknown>((inner, name) => ({ [name]: inner }), value);
}

function plainOrQuoted(value: string, inFlow: boolean): string {
  const written = stringify(value, WRITTEN).trimEnd();
  const isQuoted = written.startsWith('"') || written.startsWith("'");
  return !isQuoted && ((inFlow && !HARMLESS.test(value)) || written.includes('\n')) ? JSON.stringify(value) : written;
}

/** A value as it stands on one line. */
export function flowText(value: unknown, { inFlow, isJson }: ValuePlace): string {
  return typeof value === 'string' && !isJson ? plainOrQuoted(value, inFlow) : JSON.stringify(value);
}

/** A value in the place of a scalar: text keeps the quotes that were there. */
export function scalarText(value: unknown, place: ValuePlace): string {
  if (typeof value !== 'string') return flowText(value, place);
  if (place.like?.type === 'QUOTE_DOUBLE') return JSON.stringify(value);
  if (place.like?.type === 'QUOTE_SINGLE' && !place.isJson) return `'${value.replaceAll("'", "''")}'`;
  return flowText(value, place);
}

/** A key with its value as lines of a block map, each indented: `key: value`. */
export function blockLines(key: string, value: unknown, indent: number, step: number): string[] {
  const lines = stringify({ [key]: value }, { ...WRITTEN, indent: step })
    .trimEnd()
    .split('\n');
  return lines.map((line) => ' '.repeat(indent) + line);
}

/** A value as lines of a block map, each indented. */
export function blockValue(value: object, indent: number, step: number): string[] {
  return Object.entries(value).flatMap(([key, inner]) => blockLines(key, inner, indent, step));
}
