import { at, fieldPathParts } from '../../core/field-path';
import { groupOf, isFields, nameOf, namespaceOf, valueAt, ownValue } from '../../core/manifest';
import type { Fields, Manifest } from '../../core/manifest';
import { ofKind, schemaProblems } from '../../core/schema';
import type { ProblemOf, SchemaProblem } from '../../core/schema';
import type { Versions } from '../../core/versions';
import { struct } from '../../workloads/pod/field';
import type { ApiField, ApiFields } from '../../workloads/pod/field';
import { bytesRefusal } from './base64';
import { fieldBelow, itemField, itemKey, partText } from './field-owners';
import { storedKindOf } from './kinds';
import { SECRET } from './types';
import type { ApplyMode, Refusal } from './types';

/* What decoding refuses, in the server's words. Source: sigs.k8s.io/json; apiserver handlers/create.go, patch.go; structured-merge-diff typed/validate.go. */

/** Go's names of the types of what a field holds, where that is not the field's name in capitals. */
const GO_TYPES: Readonly<Record<string, string>> = {
  metadata: 'ObjectMeta',
  containers: 'Container',
  initContainers: 'Container',
  env: 'EnvVar',
  ports: 'ContainerPort',
  volumes: 'Volume',
  tolerations: 'Toleration',
  resources: 'ResourceRequirements',
  livenessProbe: 'Probe',
  readinessProbe: 'Probe',
  startupProbe: 'Probe',
  httpGet: 'HTTPGetAction',
  volumeMounts: 'VolumeMount',
};

const GO_KINDS: Readonly<Partial<Record<ProblemOf<'wrong-type'>['expected'], string>>> = {
  string: 'string',
  'string-list': '[]string',
  'string-map': 'map[string]string',
  boolean: 'bool',
  int32: 'int32',
  int64: 'int64',
};

function goTypeNamed(name: string, kind: string): string {
  if (name === 'ports' && kind === 'Service') return 'ServicePort';
  return ownValue(GO_TYPES, name) ?? name.slice(0, 1).toUpperCase() + name.slice(1);
}

/** The Go type of the map that holds a field. */
function holderOf(names: readonly string[], kind: string): string {
  const holder = names.at(-2);
  if (holder === undefined) return kind;
  if (holder === 'spec') return names.at(-3) === 'template' ? 'PodSpec' : `${kind}Spec`;
  return goTypeNamed(holder, kind);
}

/** The Go type that a field wants. */
function wantedType({ expected }: ProblemOf<'wrong-type'>, name: string, kind: string): string {
  if (expected === 'list') return `[]v1.${goTypeNamed(name, kind)}`;
  return expected === 'map' ? `v1.${goTypeNamed(name, kind)}` : (GO_KINDS[expected] ?? expected);
}

function jsonKind(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  if (isFields(value)) return 'object';
  if (typeof value === 'number') return Number.isInteger(value) ? 'number' : `number ${value}`;
  return typeof value === 'boolean' ? 'bool' : 'string';
}

const QUANTITY_FORM = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";

/** The names of the fields down to a problem, without indexes and, as Go has it, without the key of a map of strings. */
function namesOf({ path, expected }: ProblemOf<'wrong-type'>): string[] {
  const names = fieldPathParts(path).filter((part) => typeof part === 'string');
  const isEntry = expected === 'string' && path.endsWith(']') && !/\[[0-9]+\]$/.test(path);
  return isEntry ? names.slice(0, -1) : names;
}

function wrongTypeText(problem: ProblemOf<'wrong-type'>, kind: string): string {
  if (problem.expected === 'quantity') return QUANTITY_FORM;
  const names = namesOf(problem);
  const type = wantedType(problem, names.at(-1) ?? '', kind);
  return `json: cannot unmarshal ${jsonKind(problem.value)} into Go struct field ${holderOf(names, kind)}.${names.join('.')} of type ${type}`;
}

/** kubectl's patch is read by another decoder, which has words of its own. */
function patchText(problem: ProblemOf<'wrong-type'>, kind: string): string {
  const { value, expected } = problem;
  if (expected === 'quantity' || problem.path.startsWith('metadata')) return wrongTypeText(problem, kind);
  const wanted = wantedType(problem, '', kind);
  const given = Array.isArray(value) ? 'slice' : isFields(value) ? 'map' : jsonKind(value);
  if (wanted.startsWith('[]')) return `cannot restore slice from ${given}`;
  if (wanted.startsWith('map') || expected === 'map') return `cannot restore map from ${given}`;
  if (typeof value === 'number') return `cannot convert ${Number.isInteger(value) ? 'int64' : 'float64'} to ${wanted}`;
  return `unrecognized type: ${wanted}`;
}

function strictText(unknown: readonly SchemaProblem[]): string {
  const fields = unknown.map(({ path }) => `unknown field "${path}"`).toSorted();
  return `strict decoding error: ${fields.join(', ')}`;
}

function expectedText({ value, expected }: ProblemOf<'wrong-type'>, isSecret: boolean): string {
  if (expected === 'int32' || expected === 'int64') return `expected numeric (int or float), got ${jsonKind(value)}`;
  const given = typeof value === 'string' ? 'string' : `&value.valueUnstructured{Value:${isSecret ? SECRET : JSON.stringify(value)}}`;
  return `expected ${expected}, got ${given}`;
}

/** A place as a server-side apply names it: items of lists by their keys, entries of maps as fields. */
function typedPlace(path: string, object: Fields, known: ApiFields): string {
  let field: ApiField | undefined = { type: 'map', fields: known };
  let value: unknown = object;
  let text = '';
  for (const part of fieldPathParts(path)) {
    const list: ApiField | undefined = field;
    const inner = valueAt(value, part);
    text += typeof part === 'number' && list?.merge ? partText(itemKey(inner, list)) : typeof part === 'number' ? `[${part}]` : `.${part}`;
    field = typeof part === 'number' ? list && itemField(list) : fieldBelow(list, part);
    value = inner;
  }
  return text;
}

function isSecretKind({ apiVersion, kind }: Manifest): boolean {
  return apiVersion === 'v1' && kind === 'Secret';
}

function typedRefusal(next: Manifest, reason: string): Refusal {
  const { apiVersion, kind } = next;
  const version = groupOf(next) === '' ? `/${apiVersion}` : apiVersion;
  const object = `${namespaceOf(next) ?? 'default'}/${nameOf(next)}; ${version}, Kind=${kind}`;
  return { path: '', message: `failed to create typed patch object (${object}): ${reason}` };
}

/** The first list, in the order of the fields, in which two items have one key. */
function duplicateOf(value: unknown, field: ApiField | undefined, place: string): string | undefined {
  if (Array.isArray(value)) {
    if (!field?.merge) return undefined;
    const keys = value.map((item: unknown) => itemKey(item, field));
    const twice = keys.find((key, index) => keys.indexOf(key) < index);
    if (twice !== undefined) return `${place}: duplicate entries for key ${partText(twice)}`;
    return firstOf(value, (item, index) => duplicateOf(item, itemField(field), place + partText(keys[index]!)));
  }
  if (!isFields(value) || !field?.fields) return undefined;
  return firstOf(Object.entries(value), ([name, inner]) => duplicateOf(inner, fieldBelow(field, name), `${place}.${name}`));
}

function firstOf<T>(items: readonly T[], found: (item: T, index: number) => string | undefined): string | undefined {
  return items.map(found).find((text) => text !== undefined);
}

/** kubectl asks for strict decoding, Helm does not: unknown fields are dropped then. A null is sent by a PUT and an apply, not in a patch. */
function unknownOf(problems: readonly SchemaProblem[], mode: ApplyMode): SchemaProblem[] {
  if (mode === 'helm') return [];
  // A field that waits for a gate is known, and dropped behind the decoder.
  const isUnknown = ({ kind }: SchemaProblem) => kind !== 'wrong-type' && kind !== 'dropped';
  return problems.filter((problem) => isUnknown(problem) && (mode !== 'client' || problem.value !== null));
}

/** In a server-side apply the schema speaks, before anything is decoded; what is wrong with metadata kubectl says itself. */
function applyRefusal(
  next: Manifest,
  known: ApiFields,
  mistyped: ProblemOf<'wrong-type'> | undefined,
  unknown: readonly SchemaProblem[],
): Refusal | undefined {
  if (mistyped?.path.startsWith('metadata')) return { path: '', message: wrongTypeText(mistyped, next.kind) };
  const duplicate = duplicateOf(next, { type: 'map', fields: known }, '');
  if (mistyped)
    return typedRefusal(
      next,
      `${typedPlace(mistyped.path, next, known)}: ${expectedText(mistyped, mistyped.isSecret ?? isSecretKind(next))}`,
    );
  if (unknown.length > 0) return typedRefusal(next, `${typedPlace(unknown[0]!.path, next, known)}: field not declared in schema`);
  return duplicate === undefined ? undefined : typedRefusal(next, duplicate);
}

/** What is wrong with a manifest as such: a field of another type, and under strict decoding one that is not known. */
export function decodingRefusal(next: Manifest, mode: ApplyMode, versions: Versions): Refusal | undefined {
  const kind = storedKindOf(next);
  if (!kind) return undefined;
  const { status: _, ...own } = next;
  const problems = schemaProblems(own, struct(kind.fields), at``, { version: versions.kubernetes });
  const [mistyped] = ofKind(problems, 'wrong-type');
  const unknown = unknownOf(problems, mode);
  if (mode === 'server') return applyRefusal(next, kind.fields, mistyped, unknown) ?? bytesRefusal(next, mode);
  if (!mistyped && unknown.length === 0) return bytesRefusal(next, mode);
  if (mode === 'client') return { path: '', message: mistyped ? patchText(mistyped, next.kind) : strictText(unknown) };
  const text = mistyped ? wrongTypeText(mistyped, next.kind) : strictText(unknown);
  if (mode === 'helm') return { path: '', message: text };
  const version = next.apiVersion.split('/').at(-1)!;
  return { path: '', message: `${next.kind} in version "${version}" cannot be handled as a ${next.kind}: ${text}` };
}
