import type { ServerSideRules } from '../../appliers/applier';
import { toFieldPath, parseFieldPath, isMetadataPath } from '../../core/manifest/field-path';
import type { FieldPath } from '../../core/manifest/field-path';
import { groupOf, isFields, nameOf, namespaceOf, getValueAt, getOwnValue } from '../../core/manifest/manifest';
import type { Fields, Manifest } from '../../core/manifest/manifest';
import { filterProblems, findSchemaProblems } from '../../core/values/schema';
import type { ProblemOf, SchemaProblem } from '../../core/values/schema';
import { pluralize } from '../../core/text/text-format';
import type { Versions } from '../../core/values/versions';
import { defineStruct } from '../../workloads/pod/field';
import type { ApiField, ApiFields } from '../../workloads/pod/field';
import { findInvalidBytes, validateBytes } from './base64-validation';
import { findInvalidNumber } from './number-annotations';
import { getChildField, getItemField, buildItemKey, formatManagedPathPart } from './field-set';
import { getStoredKind } from './kinds';
import { redactValue } from './redact-secrets';
import { REDACTED_VALUE } from './types';
import type { WriteMethod, ApplyRejection } from './types';

/* Decoding errors, with the messages of the server. Source: sigs.k8s.io/json; apiserver handlers/create.go, patch.go; structured-merge-diff typed/validate.go. */

/** Go type names by field name, for fields whose type is not the capitalized name. */
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

function goTypeOf(name: string, kind: string): string {
  if (name === 'ports' && kind === 'Service') return 'ServicePort';
  return getOwnValue(GO_TYPES, name) ?? name.slice(0, 1).toUpperCase() + name.slice(1);
}

/** Returns the Go type of the map that contains a field. */
function holderTypeOf(names: readonly string[], kind: string): string {
  const holder = names.at(-2);
  if (holder === undefined) return kind;
  if (holder === 'spec') return names.at(-3) === 'template' ? 'PodSpec' : `${kind}Spec`;
  return goTypeOf(holder, kind);
}

/** Returns the Go type that a field requires. */
function getExpectedGoType({ expected }: ProblemOf<'wrong-type'>, name: string, kind: string): string {
  if (expected === 'list') return `[]v1.${goTypeOf(name, kind)}`;
  return expected === 'map' ? `v1.${goTypeOf(name, kind)}` : (GO_KINDS[expected] ?? expected);
}

function isIntegerField({ expected }: ProblemOf<'wrong-type'>): boolean {
  return expected === 'int32' || expected === 'int64';
}

/** Returns the JSON kind of a value of a wrong type. Go repeats a number only if an integer field cannot hold it. */
function jsonKindOf(problem: ProblemOf<'wrong-type'>): string {
  const { value } = problem;
  if (Array.isArray(value)) return 'array';
  if (isFields(value)) return 'object';
  if (typeof value === 'number') return isIntegerField(problem) ? `number ${value}` : 'number';
  return typeof value === 'boolean' ? 'bool' : 'string';
}

const QUANTITY_FORM = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";

/** Returns the field names down to a problem, without indexes and, like Go, without the key of a map of strings. */
function fieldNamesOf({ path, expected }: ProblemOf<'wrong-type'>): string[] {
  const names = parseFieldPath(path).filter((part) => typeof part === 'string');
  const isEntry = expected === 'string' && path.endsWith(']') && !/\[[0-9]+\]$/.test(path);
  return isEntry ? names.slice(0, -1) : names;
}

function formatWrongType(problem: ProblemOf<'wrong-type'>, kind: string): string {
  if (problem.expected === 'quantity') return QUANTITY_FORM;
  const names = fieldNamesOf(problem);
  const type = getExpectedGoType(problem, names.at(-1) ?? '', kind);
  return `json: cannot unmarshal ${jsonKindOf(problem)} into Go struct field ${holderTypeOf(names, kind)}.${names.join('.')} of type ${type}`;
}

/** Formats a wrong type in kubectl's patch, which another decoder with its own messages reads. */
function formatPatchError(problem: ProblemOf<'wrong-type'>, kind: string): string {
  const { value, expected } = problem;
  if (expected === 'quantity' || isMetadataPath(problem.path)) return formatWrongType(problem, kind);
  const expectedType = getExpectedGoType(problem, '', kind);
  const actual = Array.isArray(value) ? 'slice' : isFields(value) ? 'map' : jsonKindOf(problem);
  if (expectedType.startsWith('[]')) return `cannot restore slice from ${actual}`;
  if (expectedType.startsWith('map') || expected === 'map') return `cannot restore map from ${actual}`;
  if (typeof value === 'number') return `cannot convert ${Number.isInteger(value) ? 'int64' : 'float64'} to ${expectedType}`;
  return `unrecognized type: ${expectedType}`;
}

/** Largest number of unknown fields that a message lists. The server lists all. */
const MAX_UNKNOWN_FIELDS = 100;

function formatUnknownFields(unknownFields: readonly { readonly path: string }[]): string {
  const all = unknownFields.map(({ path }) => `unknown field "${path}"`).toSorted();
  const omitted = all.length - MAX_UNKNOWN_FIELDS;
  const fields = omitted > 0 ? [...all.slice(0, MAX_UNKNOWN_FIELDS), `and ${pluralize(omitted, 'more field')}`] : all;
  return `strict decoding error: ${fields.join(', ')}`;
}

function formatExpectedType(problem: ProblemOf<'wrong-type'>, isSecret: boolean): string {
  const { value, expected } = problem;
  if (isIntegerField(problem)) return `expected numeric (int or float), got ${jsonKindOf(problem)}`;
  const actual =
    typeof value === 'string'
      ? 'string'
      : `&value.valueUnstructured{Value:${isSecret ? REDACTED_VALUE : JSON.stringify(redactValue(value))}}`;
  return `expected ${expected}, got ${actual}`;
}

/** Formats a path as a server-side apply does: list items by their keys, map entries as fields. */
function formatTypedPath(path: string, object: Fields, known: ApiFields): string {
  let field: ApiField | undefined = { type: 'map', fields: known };
  let value: unknown = object;
  let text = '';
  for (const part of parseFieldPath(path)) {
    const list: ApiField | undefined = field;
    const inner = getValueAt(value, part);
    text +=
      typeof part === 'number' && list?.merge
        ? formatManagedPathPart(buildItemKey(inner, list))
        : typeof part === 'number'
          ? `[${part}]`
          : `.${part}`;
    field = typeof part === 'number' ? list && getItemField(list) : getChildField(list, part);
    value = inner;
  }
  return text;
}

function isSecretKind({ apiVersion, kind }: Manifest): boolean {
  return apiVersion === 'v1' && kind === 'Secret';
}

function buildTypedPatchError(next: Manifest, reason: string): ApplyRejection {
  const { apiVersion, kind } = next;
  const version = groupOf(next) === '' ? `/${apiVersion}` : apiVersion;
  const object = `${namespaceOf(next) ?? 'default'}/${nameOf(next)}; ${version}, Kind=${kind}`;
  return { path: '', message: `failed to create typed patch object (${object}): ${reason}` };
}

/** Returns an error for the first list, in the order of the fields, in which two items have the same key. */
function findDuplicateKey(value: unknown, field: ApiField | undefined, path: string): string | undefined {
  if (Array.isArray(value)) {
    if (!field?.merge) return undefined;
    const keys = value.map((item: unknown) => buildItemKey(item, field));
    const seen = new Set<string>();
    const duplicate = keys.find((key) => seen.has(key) || !seen.add(key));
    if (duplicate !== undefined) return `${path}: duplicate entries for key ${formatManagedPathPart(duplicate)}`;
    return findFirst(value, (item, index) => findDuplicateKey(item, getItemField(field), path + formatManagedPathPart(keys[index]!)));
  }
  if (!isFields(value) || !field?.fields) return undefined;
  return findFirst(Object.entries(value), ([name, inner]) => findDuplicateKey(inner, getChildField(field, name), `${path}.${name}`));
}

function findFirst<T>(items: readonly T[], found: (item: T, index: number) => string | undefined): string | undefined {
  return items.map(found).find((text) => text !== undefined);
}

/**
 * Filters the unknown fields that a method reports. kubectl requests strict decoding; Helm does not, so unknown fields are dropped.
 * A null is sent by a PUT and an apply, but not in a patch.
 */
function filterUnknownFields(problems: readonly SchemaProblem[], method: WriteMethod): SchemaProblem[] {
  if (method === 'helm') return [];
  // A field with a disabled feature gate is known: the decoder accepts it, and the server drops it later.
  const isUnknown = ({ kind }: SchemaProblem) => kind !== 'wrong-type' && kind !== 'dropped';
  return problems.filter((problem) => isUnknown(problem) && (method !== 'client' || problem.value !== null));
}

/** Validates a server-side apply against the schema, before anything is decoded. kubectl reports errors in the metadata itself. */
function validateServerSideFields(
  next: Manifest,
  known: ApiFields,
  wrongType: ProblemOf<'wrong-type'> | undefined,
  unknownFields: readonly SchemaProblem[],
): ApplyRejection | undefined {
  if (wrongType && isMetadataPath(wrongType.path)) return { path: '', message: formatWrongType(wrongType, next.kind) };
  const duplicate = findDuplicateKey(next, { type: 'map', fields: known }, '');
  if (wrongType)
    return buildTypedPatchError(
      next,
      `${formatTypedPath(wrongType.path, next, known)}: ${formatExpectedType(wrongType, wrongType.isSecret ?? isSecretKind(next))}`,
    );
  if (unknownFields.length > 0)
    return buildTypedPatchError(next, `${formatTypedPath(unknownFields[0]!.path, next, known)}: field not declared in schema`);
  return duplicate === undefined ? undefined : buildTypedPatchError(next, duplicate);
}

/** Kinds that Flux does not convert, because client-go writes their rules differently. */
const NEVER_CONVERTED: readonly string[] = ['Role', 'ClusterRole'];

/** Structs in which Go writes a field that is not set, where the server treats that otherwise than a missing one. */
const WRITTEN_IF_UNSET: Readonly<Record<string, Fields>> = {
  sleep: { seconds: 0 },
  appArmorProfile: { type: '' },
  seccompProfile: { type: '' },
};

function convertFields(value: Fields, fields: ApiFields): Fields {
  const converted: Record<string, unknown> = {};
  for (const [name, written] of Object.entries(value)) {
    const field = getOwnValue(fields, name);
    if (!field || written === null || written === undefined) continue;
    const inner = withUnsetFields(name, convertValue(written, field));
    if (!isEmptyCollection(inner, field)) converted[name] = inner;
  }
  return converted;
}

function withUnsetFields(name: string, value: unknown): unknown {
  const unset = getOwnValue(WRITTEN_IF_UNSET, name);
  return unset && isFields(value) ? { ...unset, ...value } : value;
}

function convertValue(value: unknown, { fields }: ApiField): unknown {
  if (!fields) return value;
  if (Array.isArray(value)) return value.map((item: unknown) => (isFields(item) ? convertFields(item, fields) : item));
  return isFields(value) ? convertFields(value, fields) : value;
}

/** Reports whether Go's JSON leaves a list or a map of texts out. A struct is written even if it is empty. */
function isEmptyCollection(value: unknown, { fields }: ApiField): boolean {
  if (Array.isArray(value)) return value.length === 0;
  return isFields(value) && !fields && Object.keys(value).length === 0;
}

/** Reports whether SOPS wrote a value. */
function isEncrypted(value: unknown): boolean {
  return typeof value === 'string' && value.startsWith('ENC[');
}

/**
 * Removes what SOPS wrote into a Secret. The tool that decrypts the Secret removes the field `sops`, and only then are the encrypted values in base64.
 * In a Secret without such a value, the field is an unknown one.
 */
function removeEncryption(object: Manifest): Manifest {
  if (!isSecretKind(object)) return object;
  const { sops, data, ...others } = object as Manifest & Fields;
  const values = [data, others.stringData].flatMap((map) => (isFields(map) ? Object.values(map) : []));
  if (typeof getValueAt(sops, 'mac') !== 'string' || !values.some(isEncrypted)) return object;
  const plain = isFields(data) ? Object.fromEntries(Object.entries(data).filter(([, value]) => !isEncrypted(value))) : data;
  return { ...others, ...(data !== undefined && { data: plain }) };
}

/**
 * Converts an object of a built-in kind to its type and back: fields that the type lacks, nulls, and empty lists and maps are dropped. An
 * object with a value of another type stays as it is.
 *
 * Source: fluxcd/pkg/ssa 0.76.2 normalize/normalize.go, `UnstructuredListWithScheme`.
 */
function convertToType(object: Manifest): Manifest {
  const kind = getStoredKind(object);
  if (!kind || NEVER_CONVERTED.includes(object.kind) || removeEncryption(object) !== object) return object;
  const problems = findSchemaProblems(object, defineStruct(kind.fields), toFieldPath``, {});
  if (filterProblems(problems, 'wrong-type').length > 0) return object;
  const { apiVersion, kind: name } = object;
  return { apiVersion, kind: name, ...convertFields(object, kind.fields) };
}

/** Returns an object as its tool sends it. */
export function toSentObject(object: Manifest, rules: ServerSideRules | undefined): Manifest {
  return rules?.convertsToTypes ? convertToType(object) : object;
}

const UNKNOWN_FIELD_MESSAGE = /strict decoding error: unknown field |: field not declared in schema$/;

/** Reports whether a manifest is refused because of fields that the server does not know. */
export function isUnknownFieldRefusal({ message }: ApplyRejection): boolean {
  return UNKNOWN_FIELD_MESSAGE.test(message);
}

/** A manifest as a decoder reads it, without what is removed before, and its known fields. */
interface SentObject {
  readonly object: Manifest;
  readonly fields: ApiFields;
}

/** Returns what the API server decodes of a manifest; undefined if its kind is not validated. */
function readSentObject(next: Manifest): SentObject | undefined {
  const kind = getStoredKind(next);
  return kind && { object: removeEncryption(next), fields: kind.sentFields };
}

/** Lists the fields of a wrong type and the unknown fields of a manifest; none if its kind is not validated. */
export function findDecodingProblems(next: Manifest, versions: Versions): readonly SchemaProblem[] {
  const sent = readSentObject(next);
  return sent ? findSchemaProblems(sent.object, defineStruct(sent.fields), toFieldPath``, { version: versions.kubernetes }) : [];
}

/** Returns the field that the API server cannot decode, which most of its messages do not name; undefined if there is none. */
export function findUndecodableField(next: Manifest, versions: Versions): FieldPath | undefined {
  const [wrongType] = filterProblems(findDecodingProblems(next, versions), 'wrong-type');
  return wrongType?.path ?? findInvalidBytes(next)?.path ?? findInvalidNumber(next)?.path;
}

/** Validates the texts that the API server converts: bytes and numbers. */
function validateConversion(object: Manifest, method: WriteMethod): ApplyRejection | undefined {
  const invalid = findInvalidNumber(object);
  return validateBytes(object, method) ?? (invalid && { path: '', message: invalid.message });
}

/** Validates that a manifest can be decoded: fields of a wrong type and, with strict decoding, unknown fields are errors. */
export function validateDecoding(
  next: Manifest,
  method: WriteMethod,
  versions: Versions,
  acceptsUnknownFields = false,
): ApplyRejection | undefined {
  const sent = readSentObject(next);
  if (!sent) return undefined;
  const problems = findDecodingProblems(next, versions);
  const [wrongType] = filterProblems(problems, 'wrong-type');
  const unknownFields = acceptsUnknownFields ? [] : filterUnknownFields(problems, method);
  if (method === 'server')
    return validateServerSideFields(next, sent.fields, wrongType, unknownFields) ?? validateConversion(sent.object, method);
  if (!wrongType && unknownFields.length === 0) return validateConversion(sent.object, method);
  if (method === 'client')
    return { path: '', message: wrongType ? formatPatchError(wrongType, next.kind) : formatUnknownFields(unknownFields) };
  const text = wrongType ? formatWrongType(wrongType, next.kind) : formatUnknownFields(unknownFields);
  return method === 'helm' ? { path: '', message: text } : buildReplaceError(next, text);
}

function buildReplaceError({ apiVersion, kind }: Manifest, text: string): ApplyRejection {
  return { path: '', message: `${kind} in version "${apiVersion.split('/').at(-1)!}" cannot be handled as a ${kind}: ${text}` };
}

/**
 * Refuses a custom resource because of fields that its definition lacks. A server-side apply needs no strict decoding for that, since it
 * compares by the schema.
 *
 * Source: k8s.io/apimachinery 0.36.2 pkg/util/managedfields, `ObjectToTyped`, with the schemas of CRDs.
 *
 * @param unknownFields - the paths of these fields
 */
export function refuseUnknownFields(
  next: Manifest,
  unknownFields: readonly string[],
  method: WriteMethod,
  acceptsUnknownFields = false,
): ApplyRejection | undefined {
  const [first] = unknownFields;
  if (first === undefined) return undefined;
  if (method === 'server') return buildTypedPatchError(next, `${formatTypedPath(first, next, {})}: field not declared in schema`);
  if (method === 'helm' || acceptsUnknownFields) return undefined;
  const message = formatUnknownFields(unknownFields.map((path) => ({ path })));
  return method === 'client' ? { path: '', message } : buildReplaceError(next, message);
}
