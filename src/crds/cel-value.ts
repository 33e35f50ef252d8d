import type { CelInput } from '@bufbuild/cel';
import { isFields, getOwnValue } from '../core/manifest/manifest';
import type { SchemaNode } from './schema-node';
import { fieldSchemaOf, valueSchemaOf } from './schema-node';

/** Reserved words of the language, which cannot name a field. Source: apiserver v0.34 pkg/cel/escaping.go. */
const RESERVED_WORDS: ReadonlySet<string> = new Set([
  'true',
  'false',
  'null',
  'in',
  'as',
  'break',
  'const',
  'continue',
  'else',
  'for',
  'function',
  'if',
  'import',
  'let',
  'loop',
  'package',
  'namespace',
  'return',
  'var',
  'void',
  'while',
]);

const ESCAPES: Readonly<Record<string, string>> = { __: '__underscores__', '.': '__dot__', '-': '__dash__', '/': '__slash__' };

/**
 * Returns the name of a field in an expression: `namespace` is `__namespace__`, `a-b` is `a__dash__b`; undefined if the field cannot be
 * named.
 */
export function escapeFieldName(name: string): string | undefined {
  if (RESERVED_WORDS.has(name)) return `__${name}__`;
  const escaped = name.replaceAll(/__|[.\-/]/g, (part) => ESCAPES[part]!);
  return /^[A-Za-z_]\w*$/.test(escaped) ? escaped : undefined;
}

/** Converts text to the value that an expression sees: times, durations, bytes. */
export type TextReader = (text: string, format: 'timestamp' | 'duration' | 'bytes') => CelInput;

const CEL_FORMATS: Readonly<Record<string, Parameters<TextReader>[1]>> = {
  date: 'timestamp',
  'date-time': 'timestamp',
  duration: 'duration',
  byte: 'bytes',
};

function toCelObject(value: Readonly<Record<string, unknown>>, schema: SchemaNode, read: TextReader): Map<string, CelInput> {
  const isMap = valueSchemaOf(schema) !== undefined;
  const fields = new Map<string, CelInput>();
  for (const [name, inner] of Object.entries(value)) {
    const own = fieldSchemaOf(schema, name);
    const key = isMap ? name : escapeFieldName(name);
    if (own && key !== undefined && hasKnownType(own)) fields.set(key, toCelValue(inner, own, read));
  }
  return fields;
}

/** Reports whether the type of a field is known; an expression sees no other field. */
function hasKnownType(schema: SchemaNode): boolean {
  return schema.type !== undefined || schema['x-kubernetes-int-or-string'] === true;
}

/**
 * Converts a value to what an expression sees. The type comes from the schema, so that 3 is an int or a double.
 *
 * Source: apiserver v0.34 pkg/cel/common/values.go, `UnstructuredToVal`.
 */
export function toCelValue(value: unknown, schema: SchemaNode, read: TextReader): CelInput {
  if (Array.isArray(value)) return value.map((item: unknown) => (schema.items ? toCelValue(item, schema.items, read) : null));
  if (isFields(value)) return toCelObject(value, schema, read);
  if (typeof value === 'number') return schema.type === 'number' ? value : BigInt(Math.trunc(value));
  const format = typeof value === 'string' && schema.format !== undefined ? getOwnValue(CEL_FORMATS, schema.format) : undefined;
  return format ? read(value as string, format) : (value as CelInput);
}
