import { stringify } from 'yaml';
import type { Scalar } from 'yaml';

/** Where a value is written. */
export interface ValueContext {
  /** The scalar that it replaces, whose quotes it takes over. @default - none */
  readonly replacedScalar?: Scalar;
  readonly inFlow: boolean;
  readonly isJson: boolean;
}

/** kubectl reads YAML 1.1, in which `on` and `y` are no text. */
const STRINGIFY_OPTIONS = { version: '1.1', lineWidth: 0 } as const;

/** Characters that mean nothing in braces either. */
const FLOW_SAFE_TEXT = /^[A-Za-z0-9_%./-]+$/;

/** Maps around a value, one a name: `nested(['a', 'b'], 1)` is `{ a: { b: 1 } }`. */
export function wrapInMaps(names: readonly string[], value: unknown): unknown {
  return names.reduceRight<unknown>((inner, name) => ({ [name]: inner }), value);
}

function formatString(value: string, inFlow: boolean): string {
  const formatted = stringify(value, STRINGIFY_OPTIONS).trimEnd();
  const isQuoted = formatted.startsWith('"') || formatted.startsWith("'");
  return !isQuoted && ((inFlow && !FLOW_SAFE_TEXT.test(value)) || formatted.includes('\n')) ? JSON.stringify(value) : formatted;
}

/** A value as it stands on one line. */
export function formatFlowValue(value: unknown, { inFlow, isJson }: ValueContext): string {
  return typeof value === 'string' && !isJson ? formatString(value, inFlow) : JSON.stringify(value);
}

/** A value in the place of a scalar: text keeps the quotes that were there. */
export function formatScalar(value: unknown, context: ValueContext): string {
  if (typeof value !== 'string') return formatFlowValue(value, context);
  if (context.replacedScalar?.type === 'QUOTE_DOUBLE') return JSON.stringify(value);
  if (context.replacedScalar?.type === 'QUOTE_SINGLE' && !context.isJson) return `'${value.replaceAll("'", "''")}'`;
  return formatFlowValue(value, context);
}

/** A key with its value as lines of a block map, each indented: `key: value`. */
export function formatBlockEntry(key: string, value: unknown, indent: number, step: number): string[] {
  const lines = stringify({ [key]: value }, { ...STRINGIFY_OPTIONS, indent: step })
    .trimEnd()
    .split('\n');
  return lines.map((line) => ' '.repeat(indent) + line);
}

/** A value as lines of a block map, each indented. */
export function formatBlockMap(value: object, indent: number, step: number): string[] {
  return Object.entries(value).flatMap(([key, inner]) => formatBlockEntry(key, inner, indent, step));
}
