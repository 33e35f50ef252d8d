import { stringify } from 'yaml';
import type { Scalar } from 'yaml';

/** Position at which a value is written. */
export interface ValueContext {
  /** Scalar that the value replaces; the value keeps its quotes. @default - none */
  readonly replacedScalar?: Scalar;
  readonly inFlow: boolean;
  readonly isJson: boolean;
}

/** kubectl reads YAML 1.1, in which `on` and `y` are booleans. */
const STRINGIFY_OPTIONS = { version: '1.1', lineWidth: 0 } as const;

/** Text that needs no quotes inside braces either. */
const FLOW_SAFE_TEXT = /^[A-Za-z0-9_%./-]+$/;

/** Wraps a value in one map per name: `wrapInMaps(['a', 'b'], 1)` is `{ a: { b: 1 } }`. */
export function wrapInMaps(names: readonly string[], value: unknown): unknown {
  return names.reduceRight<unknown>((inner, name) => ({ [name]: inner }), value);
}

function formatString(value: string, inFlow: boolean): string {
  const formatted = stringify(value, STRINGIFY_OPTIONS).trimEnd();
  const isQuoted = formatted.startsWith('"') || formatted.startsWith("'");
  return !isQuoted && ((inFlow && !FLOW_SAFE_TEXT.test(value)) || formatted.includes('\n')) ? JSON.stringify(value) : formatted;
}

/** Formats a value on one line. */
export function formatFlowValue(value: unknown, { inFlow, isJson }: ValueContext): string {
  return typeof value === 'string' && !isJson ? formatString(value, inFlow) : JSON.stringify(value);
}

/** Formats a value that replaces a scalar. Text keeps the quotes of the scalar. */
export function formatScalar(value: unknown, context: ValueContext): string {
  if (typeof value !== 'string') return formatFlowValue(value, context);
  if (context.replacedScalar?.type === 'QUOTE_DOUBLE') return JSON.stringify(value);
  if (context.replacedScalar?.type === 'QUOTE_SINGLE' && !context.isJson) return `'${value.replaceAll("'", "''")}'`;
  return formatFlowValue(value, context);
}

/** Formats a key and its value as indented lines of a block map: `key: value`. */
export function formatBlockEntry(key: string, value: unknown, indent: number, step: number): string[] {
  const lines = stringify({ [key]: value }, { ...STRINGIFY_OPTIONS, indent: step })
    .trimEnd()
    .split('\n');
  return lines.map((line) => ' '.repeat(indent) + line);
}

/** Formats a map as indented lines of a block map. */
export function formatBlockMap(value: object, indent: number, step: number): string[] {
  return Object.entries(value).flatMap(([key, inner]) => formatBlockEntry(key, inner, indent, step));
}
