import { inputFinding } from '../../core/catalogue';
import type { Finding } from '../../core/finding';
import { isFields } from '../../core/manifest';
import type { Fields } from '../../core/manifest';
import { describeType, describeValue, isOfFieldType, nonStringsOf } from '../../core/shape';
import { nearestName } from '../../core/unknown-fields';
import { isAtLeast } from '../../core/versions';
import type { FieldRule, FieldTree } from './fields';

/** Who reads the fields, and how. */
export interface FieldReader {
  /** Fleet's version. */
  readonly version: string;
  /** fleet.yaml is decoded by Go's encoding/json, which finds `maxunavailable` for maxUnavailable; the API server does not. */
  readonly ignoresCase: boolean;
  /** As a message says who refuses a value: "the API server refuses the whole object". */
  readonly refusal: string;
}

interface FoundField {
  readonly path: string;
  readonly name: string;
  readonly value: unknown;
  /** Absent where the name is not known. */
  readonly rule?: FieldRule;
  /** What is known beside it. */
  readonly known: FieldTree;
}

function ruleOf(name: string, known: FieldTree, ignoresCase: boolean): readonly [name: string, rule: FieldRule] | undefined {
  if (Object.hasOwn(known, name)) return [name, known[name]!];
  if (!ignoresCase) return undefined;
  return Object.entries(known).find(([field]) => field.toLowerCase() === name.toLowerCase());
}

export function childPath(path: string, field: string): string {
  return path === '' ? field : `${path}.${field}`;
}

/** Every field of `value` and below, as it is written. */
function* fieldsOf(value: unknown, known: FieldTree, path: string, reader: FieldReader): Generator<FoundField> {
  if (!isFields(value)) return;
  for (const [name, inner] of Object.entries(value)) {
    if (inner === undefined) continue;
    const fieldPath = childPath(path, name);
    const rule = ruleOf(name, known, reader.ignoresCase)?.[1];
    yield { path: fieldPath, name, value: inner, known, ...(rule && { rule }) };
    if (!rule?.fields) continue;
    if (rule.type === 'map') yield* fieldsOf(inner, rule.fields, fieldPath, reader);
    else if (Array.isArray(inner)) {
      for (const [index, item] of inner.entries()) yield* fieldsOf(item, rule.fields, `${fieldPath}[${index}]`, reader);
    }
  }
}

/** What fleet.yaml's fields have beyond the API's types. */
function hasType(value: unknown, type: FieldRule['type']): boolean {
  if (type === 'any') return true;
  return type === 'string-list' ? Array.isArray(value) : isOfFieldType(value, type);
}

function describe(rule: FieldRule): string {
  if (rule.type === 'any') return 'any value';
  if (rule.type === 'string-list') return 'a list of strings';
  return rule.type === 'list' && rule.fields ? 'a list of maps' : describeType(rule.type);
}

/** A part of a field that has another type than wanted. */
interface Misfit {
  /** Empty for the field itself, `[env]` for an entry of a map, `[0]` for an item of a list. */
  readonly place: string;
  readonly value: unknown;
  readonly wanted: string;
}

/** What of a field has another type than its rule says: the entries or items that have, else the field itself. */
function misfitsOf(value: unknown, rule: FieldRule): Misfit[] {
  if (value === null) return [];
  if (rule.type === 'string-map' && isFields(value)) {
    return nonStringsOf(value).map(([name, entry]) => ({ place: `[${name}]`, value: entry, wanted: 'a string' }));
  }
  if (!hasType(value, rule.type)) return [{ place: '', value, wanted: describe(rule) }];
  return Array.isArray(value) ? misfitItems(value, rule) : [];
}

function misfitItems(list: readonly unknown[], { type, fields }: FieldRule): Misfit[] {
  if (type !== 'string-list' && !fields) return [];
  const isFit = type === 'string-list' ? (item: unknown) => typeof item === 'string' : isFields;
  const wanted = type === 'string-list' ? 'a string' : 'a map';
  return list.flatMap((item, index) => (isFit(item) ? [] : { place: `[${index}]`, value: item, wanted }));
}

/** The fields of another type than the API wants, each an `input/wrong-type`. */
export function wrongTypeFindings(value: unknown, known: FieldTree, path: string, reader: FieldReader): Finding[] {
  return [...fieldsOf(value, known, path, reader)].flatMap((field) =>
    (field.rule ? misfitsOf(field.value, field.rule) : []).map(({ place, value: seen, wanted }) =>
      inputFinding('input/wrong-type', {
        path: `${field.path}${place}`,
        message: `${field.name}${place} is ${describeValue(seen)}, but Fleet wants ${wanted} here: ${reader.refusal}.`,
        help: `Write ${wanted}.`,
      }),
    ),
  );
}

/** The fields that no version knows, each an `input/unknown-field` with the nearest known name. */
export function unknownFieldFindings(value: unknown, known: FieldTree, path: string, reader: FieldReader): Finding[] {
  return [...fieldsOf(value, known, path, reader)].flatMap((field) => {
    if (field.rule) return [];
    const names = Object.keys(field.known);
    const nearest = nearestName(field.name, names);
    return inputFinding('input/unknown-field', {
      path: field.path,
      message: `Fleet knows no field "${field.name}" here and drops it in silence.`,
      help: nearest ? `Write ${nearest}, or delete the field.` : `Delete the field; known here: ${names.join(', ')}.`,
    });
  });
}

/** The fields that came with a later version of Fleet, each an `input/unknown-field`. */
export function laterFieldFindings(value: unknown, known: FieldTree, path: string, reader: FieldReader): Finding[] {
  return [...fieldsOf(value, known, path, reader)].flatMap(({ rule, ...field }) => {
    if (rule?.since === undefined || isAtLeast(reader.version, rule.since)) return [];
    return inputFinding('input/unknown-field', {
      path: field.path,
      message: `Fleet ${reader.version} does not know ${field.name}, which came with ${rule.since}, and drops it in silence.`,
      help: `Delete the field, or plan for Fleet ${rule.since} or later: --versions fleet=${rule.since}.`,
    });
  });
}

/** What the reader sees of a value: the fields that its version knows, under the names that the API gives them. */
export function knownFields(value: Fields, known: FieldTree, reader: FieldReader): Fields {
  const seen: Record<string, unknown> = {};
  for (const [written, inner] of Object.entries(value)) {
    const found = ruleOf(written, known, reader.ignoresCase);
    if (!found || inner === null || inner === undefined) continue;
    const [name, rule] = found;
    if (rule.since !== undefined && !isAtLeast(reader.version, rule.since)) continue;
    seen[name] = knownValue(inner, rule, reader);
  }
  return seen;
}

function knownValue(value: unknown, rule: FieldRule, reader: FieldReader): unknown {
  const { fields } = rule;
  if (!fields) return value;
  if (Array.isArray(value)) return value.map((item: unknown) => (isFields(item) ? knownFields(item, fields, reader) : item));
  return isFields(value) ? knownFields(value, fields, reader) : value;
}
