import type { Input } from '@pulumi/pulumi';
import { appendToPath, parseFieldPath } from '../core/manifest/field-path';
import type { FieldPath } from '../core/manifest/field-path';
import { KNOWN_LATER_PREFIX } from '../core/manifest/known-later';
import { isFields, isClassInstance } from '../core/manifest/manifest';
import { describeType, MAP_ENTRY_TYPES, LIST_ITEM_TYPES } from '../core/values/field-type';
import { BOOLEAN, INT32, INT_OR_PERCENT, LIST, MAP, defineMap, STRING, STRING_MAP } from '../core/values/schema';
import type { FieldSchema, FieldSchemas } from '../core/values/schema';
import { readProps } from '../input/read-props';
import { nonPlainKindOf } from '../props/validate-props';
import type { NonPlainKind } from '../props/validate-props';
import { FRAMEWORKS } from '../systems/kserve/passthrough-fields';
import { FLEET_YAML_FIELDS } from '../systems/fleet/schemas';
import { DEPLOYMENT_SPEC } from '../workloads/deployment/spec';
import { GROUPS_SPEC } from '../workloads/leader-worker-set/spec';
import { CONTAINER } from '../workloads/pod/container';
import { defineStruct } from '../workloads/pod/field';
import { OBJECT_META } from '../workloads/pod/object-meta';
import { POD_SPEC } from '../workloads/pod/pod-spec';

/** String fields at any depth of a pod that do not affect a rollout, so that their values may become known during the update. */
const LEAF_FIELDS = [
  'image',
  'storageUri',
  'uri',
  'serviceAccountName',
  'priorityClassName',
  'runtimeClassName',
  'schedulerName',
  'secretName',
  'claimName',
  'namespace',
  'mountPath',
  'subPath',
  'subPathExpr',
  'workingDir',
  'hostname',
  'subdomain',
] as const;

/** Maps whose values are such strings: checksums, owners, cost centres. */
const LEAF_MAPS = ['labels', 'annotations', 'namespaceLabels', 'namespaceAnnotations', 'headServiceAnnotations', 'matchLabels'] as const;

/** Prefixes of annotations that the plan reads. */
const READ_ANNOTATIONS: readonly string[] = ['serving.kserve.io/', 'autoscaling.knative.dev/', 'ray.io/', 'rolloutkit/'];

/** Path of the platform level in KServe's ConfigMap. Its other keys are kept without being read. */
const PLATFORM_KEY = 'base.data.deploy';

/** Lists whose items are such strings. */
const LEAF_LISTS: readonly string[] = ['command', 'args'];

/** Props that select clusters or Applications. Everything in them must be known at preview. */
const SELECTION_PROPS: readonly string[] = ['rollout', 'targets', 'targetCustomizations', 'generators'];

/** Maps whose `name` and `key` are such strings. */
const REFERENCES: readonly string[] = ['secretKeyRef', 'configMapKeyRef', 'secretRef', 'configMapRef', 'configMap', 'imagePullSecrets'];

/**
 * Props with `pulumi.Input<string>` for strings that do not affect a rollout: images, storage URIs, names of secrets and the like.
 *
 * `value` of an `env` item, items of `command` and `args`, and `name` and `key` of references to Secrets and ConfigMaps may be Inputs
 * as well, if the props do not declare their type.
 */
export type WithInputs<T> = T extends readonly (infer Item)[]
  ? readonly WithInputs<Item>[]
  : T extends object
    ? {
        readonly [Field in keyof T]: Field extends (typeof LEAF_FIELDS)[number]
          ? Input<string> | Extract<T[Field], undefined>
          : Field extends (typeof LEAF_MAPS)[number]
            ? T[Field] extends Readonly<Record<string, string>> | undefined
              ? Readonly<Record<string, Input<string>>> | Extract<T[Field], undefined>
              : WithInputs<T[Field]>
            : WithInputs<T[Field]>;
      }
    : T;

/** Ends the number of an Input. */
const PLACEHOLDER_END = 'z';

/** Creates the placeholder of a value that is not known yet. */
export function createOutputPlaceholder(number: number): string {
  return `${KNOWN_LATER_PREFIX}${number}${PLACEHOLDER_END}`;
}

/** Parses the number of the Input that a placeholder represents. Undefined for any other text. */
function parsePlaceholder(text: string): number | undefined {
  if (!text.startsWith(KNOWN_LATER_PREFIX) || !text.endsWith(PLACEHOLDER_END)) return undefined;
  const number = Number(text.slice(KNOWN_LATER_PREFIX.length, -PLACEHOLDER_END.length));
  return createOutputPlaceholder(number) === text ? number : undefined;
}

/** Label of an unknown value, as in Pulumi. */
const OUTPUT_LABEL = 'output<string>';

/** Replaces every placeholder in a text by the label of an unknown value. */
function formatPlaceholders(text: string): string {
  const [before = '', ...pieces] = text.split(KNOWN_LATER_PREFIX);
  return [before, ...pieces.map((piece) => OUTPUT_LABEL + piece.slice(piece.indexOf(PLACEHOLDER_END) + 1))].join('');
}

/** Replaces every placeholder in a value by the label of an unknown value, for plans and messages. */
export function formatOutputPlaceholders<T>(value: T): T {
  return mapStrings(value, (text) => formatPlaceholders(text)) as T;
}

/** Reports whether a value is or contains the placeholder of a text that is not known yet. */
export function hasOutputPlaceholder(value: unknown): boolean {
  return (JSON.stringify(value) ?? '').includes(KNOWN_LATER_PREFIX);
}

/** Copies a value and maps every string in it. */
function mapStrings(value: unknown, change: (text: string) => unknown): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item) => mapStrings(item, change));
  if (!isFields(value) || isClassInstance(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([field, inner]) => [field, mapStrings(inner, change)]));
}

/** Props with a placeholder for every Input, and a function that restores the Inputs. */
export interface OpaqueProps<T> {
  /** Plain data for the core. */
  readonly props: T;
  /** Errors: Outputs in structural props, one line each. */
  readonly errors: readonly string[];
  /** Replaces the placeholders by their Inputs in a result of the core. */
  readonly restore: <Result>(value: Result) => Result;
}

/** Finds the Outputs in a value that must be entirely known. Returns one line each. `path` is that of the prop. */
export function findPendingOutputs(value: unknown, path: FieldPath, schemas: FieldSchemas): string[] {
  if (isPendingOutput(value)) return [formatPropRejection(nonPlainKindOf(value)!, path, schemas)];
  if (Array.isArray(value)) return value.flatMap((item, index) => findPendingOutputs(item, appendToPath(path, index), schemas));
  if (!isFields(value) || isClassInstance(value)) return [];
  return Object.entries(value).flatMap(([field, inner]) => findPendingOutputs(inner, appendToPath(path, field), schemas));
}

/** Reports whether the value at this path of the props is written without being read, so that it may be an Output of any type. */
export type UnreadProps = (parts: readonly (string | number)[], props: unknown) => boolean;

/**
 * Replaces the Outputs and promises in props by placeholders, so that the core, which is synchronous, only gets plain data.
 *
 * They are allowed where `isLeafStringPath` or `isUnread` says so; others are errors that name the prop.
 * Values that affect the rollout, or which objects exist, must be known at preview.
 *
 * @param verify returns what is written for an Input, by the paths of the props that have it
 */
export function extractOutputs<T>(
  input: WithInputs<T>,
  schemasOf: (props: unknown) => FieldSchemas = () => ({}),
  isUnread: UnreadProps = () => false,
  verify: (pending: unknown, paths: readonly FieldPath[]) => unknown = (pending) => pending,
): OpaqueProps<T> {
  const inputs: unknown[] = [];
  const pathsOf: FieldPath[][] = [];
  const read = readProps(input);
  if (read.unreadable !== undefined) return { props: undefined as T, errors: [read.unreadable], restore: (value) => value };
  const { props } = read;
  const errors: string[] = [];
  const visit = (value: unknown, path: string): unknown => {
    const kind = nonPlainKindOf(value);
    if (isPendingOutput(value) && (isLeafStringPath(path) || isUnread(parseFieldPath(path), props))) {
      // One Input always gets the same placeholder, so that a label and its selector match.
      const existing = inputs.indexOf(value);
      const number = existing < 0 ? inputs.push(value) - 1 : existing;
      (pathsOf[number] ??= []).push(path as FieldPath);
      return createOutputPlaceholder(number);
    }
    if (kind !== undefined) {
      errors.push(formatPropRejection(kind, path, schemasOf(props)));
      return undefined;
    }
    if (Array.isArray(value)) return value.map((item, index) => visit(item, appendToPath(path, index)));
    if (!isFields(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([field, inner]) => [field, visit(inner, appendToPath(path, field))]));
  };
  const plain = visit(props, '') as T;
  const verified = inputs.map((pending, number) => verify(pending, pathsOf[number]!));
  return { props: plain, errors, restore: (value) => restoreInputs(value, verified) as typeof value };
}

const KIND_LABELS: Readonly<Record<NonPlainKind, string>> = {
  output: 'a Pulumi Output',
  promise: 'a promise',
  instance: 'an instance of a class',
  function: 'a function',
  symbol: 'a symbol',
  bigint: 'a bigint',
  'not-finite': 'NaN or an infinite number',
};

/** Reports whether the value is only known while Pulumi runs. */
export function isPendingOutput(value: unknown): boolean {
  const kind = nonPlainKindOf(value);
  return kind === 'output' || kind === 'promise';
}

/** All forms of a rollout of pods or groups. */
const ROLLOUT_SCHEMA = defineMap({
  mode: STRING,
  ratio: INT_OR_PERCENT,
  type: STRING,
  maxSurge: INT_OR_PERCENT,
  maxUnavailable: INT_OR_PERCENT,
});

/** Types of further fields that are written unchanged. */
const FURTHER_FIELDS: FieldSchemas = {
  ...Object.fromEntries(
    ['batcher', 'logger', 'model', 'parallelism', 'router', 'scaling', 'storage', 'worker', ...FRAMEWORKS].map((name) => [name, MAP]),
  ),
  ...Object.fromEntries(['runtimeVersion', 'storageContainerName', 'upscalingMode', 'version', 'numbers'].map((name) => [name, STRING])),
  ...Object.fromEntries(['baseRefs', 'storageUris'].map((name) => [name, LIST])),
  confidential: BOOLEAN,
  idleTimeoutSeconds: INT32,
  matchExpressions: LIST,
  matchLabels: STRING_MAP,
  mountPath: STRING,
  rollout: ROLLOUT_SCHEMA,
  strategy: ROLLOUT_SCHEMA,
};

/** Fields whose types the props do not declare: those of pods, containers, workloads and Fleet. */
const OPEN_FIELDS: FieldSchemas = {
  ...FLEET_YAML_FIELDS,
  ...GROUPS_SPEC.fields,
  ...CONTAINER,
  ...POD_SPEC,
  ...DEPLOYMENT_SPEC,
  ...FURTHER_FIELDS,
  apiVersion: STRING,
  kind: STRING,
  metadata: defineStruct(OBJECT_META),
  spec: MAP,
};

/** Types that no schema of the props has, by path suffix: `[]` is any item of a list, `*` any entry of a map. */
const FURTHER_TYPES: readonly (readonly [end: string, type: string])[] = [
  ['.startupSeconds', 'a number'],
  ['.stage', 'a whole number'],
  ['.surroundings.[]', 'a map'],
  ['.match.*', 'a string or a list of strings'],
  ['.conditions.[]', 'a map of strings'],
  ['.conditions.[].*', 'a string'],
  ['.partitions.clusters', 'a whole number, a list of strings or a map'],
  ['.partitions.clusters.[]', 'a string'],
  ['.partitions.then', 'a list'],
  ['.partitions.then.[]', 'a map'],
  ['.rollout.mode', 'a string'],
  ['.rollout.type', 'a string'],
  ['.goal', 'a map'],
  ['.goal.available', 'a whole number or a percentage such as "25%"'],
  ['.goal.extraPods', 'a whole number or a percentage such as "25%"'],
  ['.goal.extraGpus', 'a whole number'],
  ['.goal.within', 'a string'],
  ['.goal.prefer', 'a string'],
  ['.goal.startupSeconds', 'a number'],
  ['.goal.maxStep', 'a whole number'],
  ['.goal.atMostClustersAtOnce', 'a whole number'],
  ['.goal.stopAfterBroken', 'a whole number'],
  ['.goal.waves', 'a whole number'],
];

/** Finds the type in `FURTHER_TYPES` for a path. */
function findFurtherType(parts: readonly (string | number)[]): string | undefined {
  const names = ['', ...parts.map((part) => (typeof part === 'number' ? '[]' : part))];
  const ends = [names.join('.'), [...names.slice(0, -1), '*'].join('.')];
  return FURTHER_TYPES.find(([end]) => ends.some((path) => path.endsWith(end)))?.[1];
}

/** Finds the schema of an entry of a map or an item of a list. */
function findChildSchema(parent: FieldSchema | undefined, part: string | number): FieldSchema | undefined {
  const plain = parent && (typeof part === 'number' ? LIST_ITEM_TYPES : MAP_ENTRY_TYPES)[parent.type];
  if (plain) return { type: plain };
  if (typeof part === 'number') return parent?.fields && { type: 'map', fields: parent.fields };
  const declared = parent?.fields && Object.hasOwn(parent.fields, part) ? parent.fields[part] : undefined;
  const open = Object.hasOwn(OPEN_FIELDS, part) ? OPEN_FIELDS[part] : undefined;
  const isPlain = declared && Object.hasOwn(MAP_ENTRY_TYPES, declared.type);
  // An open map declares only the fields with limits.
  if (declared?.fields && open?.fields && !declared.isClosed) return { ...declared, fields: { ...open.fields, ...declared.fields } };
  return declared && declared.type !== 'any' && (declared.fields || isPlain || !open?.fields) ? declared : (open ?? declared);
}

/** Describes the type of the prop at a path. Undefined if it is not declared. */
function describeTypeAt(path: string, schemas: FieldSchemas): string | undefined {
  let schema: FieldSchema | undefined = { type: 'map', fields: schemas };
  for (const part of parseFieldPath(path)) schema = findChildSchema(schema, part);
  if (schema !== undefined && schema.type !== 'any') return describeType(schema.type);
  return findFurtherType(parseFieldPath(path));
}

/** Explains why a prop can't be an Output. */
function explainPlainRequirement(path: string, schemas: FieldSchemas): string {
  const type = describeTypeAt(path, schemas);
  if (parseFieldPath(path).includes('serveConfig'))
    return `the Serve config is written as one string at preview${type === undefined ? '' : `, and the plan reads ${type} there`}`;
  if (type !== undefined) return `the plan reads ${type} there`;
  return 'the object is planned and validated at preview, which needs its structure';
}

/** Methods of pulumi.Config that read a plain value, by the description of its type. Lists and maps are read as objects. */
const CONFIG_METHODS: readonly (readonly [description: RegExp, method: string])[] = [
  [/\bnumber\b/, 'requireNumber'],
  [/^true or false$/, 'requireBoolean'],
  [/^a (?:string|quantity|time)\b/, 'require'],
];

function selectConfigMethod(type = ''): string {
  return CONFIG_METHODS.find(([pattern]) => pattern.test(type))?.[1] ?? 'requireObject';
}

function formatPropRejection(kind: NonPlainKind, path: string, schemas: FieldSchemas): string {
  if (path === '') return `the props are ${KIND_LABELS[kind]}; write a map`;
  if (kind !== 'output' && kind !== 'promise')
    return `${path} is ${KIND_LABELS[kind]}; write plain data: a string, number, boolean, list or map`;
  return (
    `${path} is ${KIND_LABELS[kind]}, whose value is not known at preview, and ${explainPlainRequirement(path, schemas)}: write the plain value, from the program ` +
    `or from pulumi.Config (config.${selectConfigMethod(describeTypeAt(path, schemas))}('…')).`
  );
}

/** Reports whether the value at this path may be an Output. A Serve config is written as one string at preview, so nothing in it may be one. */
function isLeafStringPath(path: string): boolean {
  const parts = parseFieldPath(path);
  if (parts.includes('serveConfig')) return false;
  if (path.startsWith('base.data.')) return path !== PLATFORM_KEY;
  // These select clusters, or determine the Applications.
  if (SELECTION_PROPS.includes(String(parts[0])) || (parts[0] === 'template' && parts[1] === 'metadata' && parts[2] === 'labels'))
    return false;
  const [field, parent, list] = [parts.at(-1), String(parts.at(-2)), parts.at(-3)];
  if (typeof field === 'number') return LEAF_LISTS.includes(parent);
  if (parts.length > 1 && LEAF_FIELDS.some((leaf) => leaf === field)) return true;
  if (LEAF_MAPS.some((leaves) => leaves === parent)) return !READ_ANNOTATIONS.some((prefix) => field?.startsWith(prefix));
  if ((REFERENCES.includes(parent) || REFERENCES.includes(String(list))) && (field === 'name' || field === 'key')) return true;
  return list === 'env' && field === 'value';
}

function restoreInputs(value: unknown, inputs: readonly unknown[]): unknown {
  return mapStrings(value, (text) => {
    const number = parsePlaceholder(text);
    return number === undefined ? text : inputs[number];
  });
}
