import { randomBytes } from 'node:crypto';
import type { Input } from '@pulumi/pulumi';
import { appendToPath, parseFieldPath } from '../core/field-path';
import type { FieldPath } from '../core/field-path';
import { isFields, isClassInstance } from '../core/manifest';
import { describeType, MAP_ENTRY_TYPES, LIST_ITEM_TYPES } from '../core/field-type';
import { BOOLEAN, INT32, INT_OR_PERCENT, LIST, MAP, defineMap, STRING, STRING_MAP } from '../core/schema';
import type { FieldSchema, FieldSchemas } from '../core/schema';
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

/** Fields, wherever they stand in a pod, whose text decides nothing about a rollout, so that it may become known during the update. */
const LEAF_FIELDS = [
  'image',
  'storageUri',
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

/** Maps of which every value is such text: checksums, owners, cost centres. */
const LEAF_MAPS = ['labels', 'annotations', 'namespaceLabels', 'namespaceAnnotations', 'headServiceAnnotations', 'matchLabels'] as const;

/** Annotations that the plan reads, by how their names begin. */
const READ_ANNOTATIONS: readonly string[] = ['serving.kserve.io/', 'autoscaling.knative.dev/', 'ray.io/', 'rolloutkit/'];

/** Where KServe's ConfigMap holds the platform level; its other keys are only kept. */
const PLATFORM_KEY = 'base.data.deploy';

/** Lists of which every item is such text. */
const LEAF_LISTS: readonly string[] = ['command', 'args'];

/** Props by which clusters or Applications are chosen, whatever stands in them. */
const SELECTION_PROPS: readonly string[] = ['rollout', 'targets', 'targetCustomizations', 'generators'];

/** Maps of which `name` and `key` are such text. */
const REFERENCES: readonly string[] = ['secretKeyRef', 'configMapKeyRef', 'secretRef', 'configMapRef', 'configMap', 'imagePullSecrets'];

/**
 * The same props, with `pulumi.Input<string>` where the text decides nothing: images, storage URIs, names of secrets and the like.
 *
 * `value` of an `env` item, the items of `command` and `args`, and `name` and `key` of references to Secrets and ConfigMaps may be Inputs
 * as well, where the props leave them open.
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

/**
 * What a placeholder begins with: a text that nobody who writes props can know, since it is drawn anew for each run, so that none can be forged.
 * The API server takes it for names and labels, so that a check of those passes.
 */
const PLACEHOLDER_PREFIX = `rolloutkit-known-later-${randomBytes(8).toString('hex')}-`;
/** Ends the number of an Input. */
const PLACEHOLDER_END = 'z';

function placeholderOf(number: number): string {
  return `${PLACEHOLDER_PREFIX}${number}${PLACEHOLDER_END}`;
}

/** The number of the Input that a text stands for; undefined for any other text. */
function parsePlaceholder(text: string): number | undefined {
  if (!text.startsWith(PLACEHOLDER_PREFIX) || !text.endsWith(PLACEHOLDER_END)) return undefined;
  const number = Number(text.slice(PLACEHOLDER_PREFIX.length, -PLACEHOLDER_END.length));
  return placeholderOf(number) === text ? number : undefined;
}

/** What people see where a value is not known: as Pulumi writes it. */
const OUTPUT_LABEL = 'output<string>';

/** A text with every placeholder in it as people see it. */
function formatPlaceholders(text: string): string {
  const [before = '', ...pieces] = text.split(PLACEHOLDER_PREFIX);
  return [before, ...pieces.map((piece) => OUTPUT_LABEL + piece.slice(piece.indexOf(PLACEHOLDER_END) + 1))].join('');
}

/** The same with every placeholder as people see it: for plans and messages. */
export function formatOutputPlaceholders<Made>(value: Made): Made {
  return mapStrings(value, (text) => formatPlaceholders(text)) as Made;
}

/** A copy in which every string is what `change` makes of it. */
function mapStrings(value: unknown, change: (text: string) => unknown): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item) => mapStrings(item, change));
  if (!isFields(value) || isClassInstance(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([field, inner]) => [field, mapStrings(inner, change)]));
}

/** Props with a placeholder for every Input, and the way back. */
export interface OpaqueProps<T> {
  /** Plain data, as the core takes it. */
  readonly props: T;
  /** Why the props can't be used: an Output where structure is wanted, one line each. */
  readonly errors: readonly string[];
  /** Puts the Inputs into what the core has made of the props. */
  readonly restore: <Made>(value: Made) => Made;
}

/** Why a value that is read whole can't be used: the Outputs in it, one line each. `path` is that of the prop. */
export function findPendingOutputs(value: unknown, path: FieldPath, schemas: FieldSchemas): string[] {
  if (isPendingOutput(value)) return [formatPropRejection(nonPlainKindOf(value)!, path, schemas)];
  if (Array.isArray(value)) return value.flatMap((item, index) => findPendingOutputs(item, appendToPath(path, index), schemas));
  if (!isFields(value) || isClassInstance(value)) return [];
  return Object.entries(value).flatMap(([field, inner]) => findPendingOutputs(inner, appendToPath(path, field), schemas));
}

/** Is what stands at this path of the props written without being read, so that it may be an Output of any type? */
export type UnreadProps = (parts: readonly (string | number)[], props: unknown) => boolean;

/**
 * Takes the Outputs and promises out of props, so that the core, which is synchronous, sees nothing but plain data.
 *
 * Each stands where `isLeafString` says, or is refused by the name of its prop:
 * what decides about the rollout and about which objects there are must be known at preview.
 */
export function extractOutputs<T>(
  input: WithInputs<T>,
  schemasOf: (props: unknown) => FieldSchemas = () => ({}),
  isUnread: UnreadProps = () => false,
): OpaqueProps<T> {
  const inputs: unknown[] = [];
  const read = readProps(input);
  if (read.unreadable !== undefined) return { props: undefined as T, errors: [read.unreadable], restore: (value) => value };
  const { props } = read;
  const errors: string[] = [];
  const visit = (value: unknown, path: string): unknown => {
    const kind = nonPlainKindOf(value);
    if (isPendingOutput(value) && (isLeafStringPath(path) || isUnread(parseFieldPath(path), props))) {
      // The same Input stands for the same text: a label and the selector that wants it.
      const existing = inputs.indexOf(value);
      const number = existing < 0 ? inputs.push(value) - 1 : existing;
      return placeholderOf(number);
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
  return { props: plain, errors, restore: (value) => restoreInputs(value, inputs) as typeof value };
}

const KIND_LABELS: Readonly<Record<NonPlainKind, string>> = {
  output: 'a Pulumi Output',
  promise: 'a promise',
  instance: 'an instance of a class',
  function: 'a function',
  symbol: 'a symbol',
  bigint: 'a bigint',
};

/** Is the value known only while Pulumi runs? */
export function isPendingOutput(value: unknown): boolean {
  const kind = nonPlainKindOf(value);
  return kind === 'output' || kind === 'promise';
}

/** How pods or groups may be replaced, in whichever form. */
const ROLLOUT_SCHEMA = defineMap({
  mode: STRING,
  ratio: INT_OR_PERCENT,
  type: STRING,
  maxSurge: INT_OR_PERCENT,
  maxUnavailable: INT_OR_PERCENT,
});

/** The types of further fields that are written as they are. */
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

/** Fields that props leave open: those of pods, of their containers and of what holds them, and Fleet's. */
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

/** What no schema of the props says, by the end of the path: `[]` is any item of a list, `*` any entry of a map. */
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
];

/** The type that `FURTHER_TYPES` has for a path. */
function findFurtherType(parts: readonly (string | number)[]): string | undefined {
  const names = ['', ...parts.map((part) => (typeof part === 'number' ? '[]' : part))];
  const ends = [names.join('.'), [...names.slice(0, -1), '*'].join('.')];
  return FURTHER_TYPES.find(([end]) => ends.some((path) => path.endsWith(end)))?.[1];
}

/** What stands in a map or list of a type, under a name or an index. */
function findChildSchema(parent: FieldSchema | undefined, part: string | number): FieldSchema | undefined {
  const plain = parent && (typeof part === 'number' ? LIST_ITEM_TYPES : MAP_ENTRY_TYPES)[parent.type];
  if (plain) return { type: plain };
  if (typeof part === 'number') return parent?.fields && { type: 'map', fields: parent.fields };
  const declared = parent?.fields && Object.hasOwn(parent.fields, part) ? parent.fields[part] : undefined;
  const open = Object.hasOwn(OPEN_FIELDS, part) ? OPEN_FIELDS[part] : undefined;
  const isPlain = declared && Object.hasOwn(MAP_ENTRY_TYPES, declared.type);
  return declared && declared.type !== 'any' && (declared.fields || isPlain || !open?.fields) ? declared : (open ?? declared);
}

/** The type of the prop at a path; undefined where nothing says it. */
function describeTypeAt(path: string, schemas: FieldSchemas): string | undefined {
  let schema: FieldSchema | undefined = { type: 'map', fields: schemas };
  for (const part of parseFieldPath(path)) schema = findChildSchema(schema, part);
  if (schema !== undefined && schema.type !== 'any') return describeType(schema.type);
  return findFurtherType(parseFieldPath(path));
}

/** Why an Output can't stand there. */
function explainPlainRequirement(path: string, schemas: FieldSchemas): string {
  const type = describeTypeAt(path, schemas);
  if (parseFieldPath(path).includes('serveConfig'))
    return `the Serve config is written as one text at preview${type === undefined ? '' : `, for which the plan reads ${type} there`}`;
  if (type !== undefined) return `the plan reads ${type} there`;
  return 'the object is planned and checked at preview, for which its structure must be known';
}

/** How a program reads a plain value of a type from its config, by how the type is described; lists and maps as objects. */
const CONFIG_METHODS: readonly (readonly [words: RegExp, method: string])[] = [
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

/** May an Output stand at this path? A Serve config is one text that is written before anything is known, so nothing in it may be one. */
function isLeafStringPath(path: string): boolean {
  const parts = parseFieldPath(path);
  if (parts.includes('serveConfig')) return false;
  if (path.startsWith('base.data.')) return path !== PLATFORM_KEY;
  // Clusters are chosen by these, and Applications made from them.
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
