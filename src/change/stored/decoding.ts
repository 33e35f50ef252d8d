import { at, fieldPathParts } from '../../core/field-path';
import { groupOf, isFields, nameOf, namespaceOf } from '../../core/manifest';
import type { Manifest } from '../../core/manifest';
import { ofKind, schemaProblems } from '../../core/schema';
import type { ProblemOf, SchemaProblem } from '../../core/schema';
import type { Versions } from '../../core/versions';
import { struct } from '../../workloads/pod/field';
import { storedKindOf } from './kinds';
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

function goTypeOf(names: readonly string[], kind: string): string {
  const holder = names.at(-2);
  if (holder === undefined) return kind;
  if (holder === 'spec') return names.at(-3) === 'template' ? 'PodSpec' : `${kind}Spec`;
  if (holder === 'ports' && kind === 'Service') return 'ServicePort';
  return GO_TYPES[holder] ?? holder[0]!.toUpperCase() + holder.slice(1);
}

const GO_KINDS: Readonly<Partial<Record<ProblemOf<'wrong-type'>['expected'], string>>> = {
  string: 'string',
  'string-list': '[]string',
  'string-map': 'map[string]string',
  boolean: 'bool',
  int32: 'int32',
  int64: 'int64',
};

function jsonKind(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  if (isFields(value)) return 'object';
  if (typeof value === 'number') return Number.isInteger(value) ? 'number' : `number ${value}`;
  return typeof value === 'boolean' ? 'bool' : 'string';
}

const QUANTITY_FORM = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";

function wrongTypeText({ path, value, expected }: ProblemOf<'wrong-type'>, kind: string): string {
  if (expected === 'quantity') return QUANTITY_FORM;
  const names = fieldPathParts(path).filter((part) => typeof part === 'string');
  const type = GO_KINDS[expected] ?? expected;
  // The key of a map is no part of Go's path.
  const isEntry = path.endsWith(']') && expected === 'string' && !/\[[0-9]+\]$/.test(path);
  const shown = isEntry ? names.slice(0, -1) : names;
  return `json: cannot unmarshal ${jsonKind(value)} into Go struct field ${goTypeOf(shown, kind)}.${shown.join('.')} of type ${type}`;
}

function unknownText({ path }: SchemaProblem): string {
  return `strict decoding error: unknown field "${path}"`;
}

function isUnknown(problem: SchemaProblem): boolean {
  return problem.kind !== 'wrong-type';
}

/** In a server-side apply the schema speaks, before anything is decoded. */
function typedText(problem: SchemaProblem, next: Manifest): string {
  const { apiVersion, kind } = next;
  const reason = isUnknown(problem)
    ? 'field not declared in schema'
    : `expected ${problem.kind === 'wrong-type' ? problem.expected : 'another type'}`;
  const version = groupOf(next) === '' ? `/${apiVersion}` : apiVersion;
  return `failed to create typed patch object (${namespaceOf(next) ?? 'default'}/${nameOf(next)}; ${version}, Kind=${kind}): .${problem.path}: ${reason}`;
}

/** kubectl asks for strict decoding, Helm does not: unknown fields are dropped then. */
const STRICT: Readonly<Record<ApplyMode, boolean>> = { client: true, server: true, replace: true, helm: false };

/** What is wrong with a manifest as such: a field of another type, and under strict decoding one that is not known. */
export function decodingRefusal(next: Manifest, mode: ApplyMode, versions: Versions): Refusal | undefined {
  const kind = storedKindOf(next);
  if (!kind) return undefined;
  const { status: _, ...own } = next;
  const problems = schemaProblems(own, struct(kind.fields), at``, { version: versions.kubernetes, takesTokens: true });
  const [mistyped] = ofKind(problems, 'wrong-type');
  const problem = mistyped ?? (STRICT[mode] ? problems.find(isUnknown) : undefined);
  if (!problem) return undefined;
  if (mode === 'server') return { path: '', message: typedText(problem, next) };
  const text = problem.kind === 'wrong-type' ? wrongTypeText(problem, next.kind) : unknownText(problem);
  if (mode !== 'replace') return { path: '', message: text };
  const version = next.apiVersion.split('/').at(-1)!;
  return { path: '', message: `${next.kind} in version "${version}" cannot be handled as a ${next.kind}: ${text}` };
}
