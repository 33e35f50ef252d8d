import { ROOT_PATH, appendToPath, getFieldName, parseFieldPath, appendLazily, resolveLazyPath } from '../core/manifest/field-path';
import type { FieldPath, LazyFieldPath } from '../core/manifest/field-path';
import { getErrorMessage } from '../core/errors/error-message';
import { getFieldsAt, isFields, isClassInstance, getOwnValue, getValueAt } from '../core/manifest/manifest';
import type { Fields } from '../core/manifest/manifest';
import { findClosestName } from '../core/errors/did-you-mean';
import { describeType } from '../core/values/field-type';
import type { FieldType } from '../core/values/field-type';
import { ANY, STRING, STRING_MAP, defineMap, filterProblems, findSchemaProblems, closeSchema } from '../core/values/schema';
import type { FieldSchema, FieldSchemas, SchemaReader } from '../core/values/schema';
import { describeValue } from '../core/text/display-value';
import { PRODUCTS, resolveVersions } from '../core/values/versions';
import { joinWords } from '../core/text/text-format';
import { findFractions } from './fractions';
import { findValuesOutsideLimits } from './value-limits';

/** Props that must be maps, such as `current.rayCluster`, and whether they may be left out; and lists without which nothing is resolved. */
export type MapProps = Readonly<Record<string, 'required' | 'optional' | 'required-list'>>;

/** Expected structure of props. */
export interface PropsShape {
  readonly maps: MapProps;
  /** All props, down to the depth at which other fields are allowed. */
  readonly props: FieldSchemas;
  /** Keywords that are valid versions. @default - none */
  readonly versionKeywords?: readonly string[];
  /** Whether pods are written into a custom resource, whose definition takes no fractions as quantities. @default false */
  readonly refusesFractions?: boolean;
}

/** Prop for fields that have no prop of their own. */
const ESCAPE_PROP = 'others';

/** Schema of `metadata`, with all fields that the API knows. Source: apimachinery, meta/v1 ObjectMeta. */
export const METADATA_PROPS: FieldSchema = closeSchema(
  defineMap({
    name: STRING,
    namespace: STRING,
    labels: STRING_MAP,
    annotations: STRING_MAP,
    generateName: STRING,
    finalizers: ANY,
    ownerReferences: ANY,
    managedFields: ANY,
    uid: ANY,
    resourceVersion: ANY,
    generation: ANY,
    creationTimestamp: ANY,
    deletionTimestamp: ANY,
    deletionGracePeriodSeconds: ANY,
    selfLink: ANY,
  }),
);

/** A prop that must be a map. */
interface MapProp {
  readonly name: string;
  /** Keys of the path to the map that contains it. */
  readonly parentKeys: readonly string[];
  readonly key: string;
  readonly isOptional: boolean;
  /** Whether the prop is a list instead. */
  readonly isList: boolean;
}

/** Parsed map props, cached because an app may have thousands of constructs of one class. */
const MAP_PROPS_CACHE = new WeakMap<MapProps, readonly MapProp[]>();

function listMapProps(maps: MapProps): readonly MapProp[] {
  const cached = MAP_PROPS_CACHE.get(maps);
  if (cached) return cached;
  const created = Object.keys(maps).map((name): MapProp => {
    const parts = name.split('.');
    return {
      name,
      parentKeys: parts.slice(0, -1),
      key: parts.at(-1)!,
      isOptional: maps[name] === 'optional',
      isList: maps[name] === 'required-list',
    };
  });
  MAP_PROPS_CACHE.set(maps, created);
  return created;
}

/** Reports whether the props in a value can be read: an instance of a class, such as a token of cdk8s, has none of them. */
function isPlainMap(value: unknown): value is Fields {
  return isFields(value) && !isClassInstance(value);
}

/** Finds values that must be maps and are not, which JavaScript callers and casts can pass. Returns one line each. */
export function findStructuralErrors(props: unknown, maps: MapProps): string[] {
  if (!isFields(props)) return [`the props are ${describeValue(props)}; write a map`];
  const lines: string[] = [];
  for (const { name, parentKeys, key, isOptional, isList } of listMapProps(maps)) {
    const parent = parentKeys.length === 0 ? props : getValueAt(props, ...parentKeys);
    // The parent is already reported, or it is optional and missing.
    if (!isFields(parent)) continue;
    const value = getOwnValue(parent, key);
    if ((isList ? Array.isArray(value) : isPlainMap(value)) || (value === undefined && isOptional)) continue;
    lines.push(`${name} is ${describeValue(value)}; write a ${isList ? 'list' : 'map'}${isOptional ? ', or leave it out' : ''}`);
  }
  return lines;
}

function formatUnknownProp(path: FieldPath, knownNames: readonly string[]): string {
  const name = getFieldName(path);
  const suggestion = findClosestName(name, knownNames);
  if (suggestion !== undefined) return `${path} is not a prop; write ${suggestion}, or leave it out`;
  if (knownNames.includes(ESCAPE_PROP)) {
    const escape = appendToPath(appendToPath(ROOT_PATH, ...parseFieldPath(path).slice(0, -1)), ESCAPE_PROP);
    return `${path} is not a prop; leave it out, or put it into ${escape}, which is written to the object unchanged`;
  }
  return `${path} is not a prop; leave it out, or write one of ${joinWords(knownNames)}`;
}

const UNKNOWN_PROP_PATTERN = /^(\S+) is not a prop; write (\S+), or leave it out$/;

/** Removes the lines about missing props that another line finds under a misspelt name, unless no line would be left. */
function withoutMisspeltProps(missing: readonly string[], rejectedProps: readonly string[]): readonly string[] {
  const intended = rejectedProps.flatMap((line) => {
    const [, path = ROOT_PATH, suggestion] = UNKNOWN_PROP_PATTERN.exec(line) ?? [];
    const parent = parseFieldPath(path).slice(0, -1);
    return suggestion === undefined ? [] : [`${appendToPath(appendToPath(ROOT_PATH, ...parent), suggestion)} is undefined;`];
  });
  return missing.filter((line) => !intended.some((begin) => line.startsWith(begin)));
}

/** Types whose mismatch is a structural error. Invalid numbers are reported as findings instead, which say what to write. */
const STRUCTURAL_TYPES: ReadonlySet<FieldType> = new Set<FieldType>(['map', 'list', 'string-map', 'string-list', 'string', 'boolean']);

/** Schema of each map of props, cached because an app may have thousands of constructs of one class. */
const PROPS_MAP_CACHE = new WeakMap<FieldSchemas, FieldSchema>();

function getPropsMap(fields: FieldSchemas): FieldSchema {
  const cached = PROPS_MAP_CACHE.get(fields);
  if (cached) return cached;
  const created = closeSchema(defineMap(fields));
  PROPS_MAP_CACHE.set(fields, created);
  return created;
}

/** Errors in the structure of props, one line each. */
export interface PropsProblems {
  /** Values that must be maps or lists and are not. */
  readonly structuralErrors: readonly string[];
  /** Unknown props, each with the closest name, and values that no controller follows. The other props can be read without them. */
  readonly rejectedProps: readonly string[];
}

const PROPS_READER: SchemaReader = { allowsNulls: false };

function validateSchema(props: unknown, schemas: FieldSchemas): { structuralErrors: string[]; rejectedProps: string[] } {
  const problems = findSchemaProblems(props, getPropsMap(schemas), ROOT_PATH, PROPS_READER);
  const outsideLimits = findValuesOutsideLimits(props, schemas, ROOT_PATH);
  if (problems.length === 0) return { structuralErrors: [], rejectedProps: outsideLimits };
  const wrongTypes = filterProblems(problems, 'wrong-type').flatMap(({ path, value, expected }) =>
    STRUCTURAL_TYPES.has(expected) ? [`${path} is ${describeValue(value)}; write ${describeType(expected)}`] : [],
  );
  const unknownProps = filterProblems(problems, 'unknown').map(({ path, knownFields }) => formatUnknownProp(path, knownFields));
  return { structuralErrors: wrongTypes, rejectedProps: [...unknownProps, ...withoutMisspeltProps(outsideLimits, unknownProps)] };
}

/** Finds unknown props at any depth, and values that must be maps or lists and are not. Returns one line each. */
export function findUnknownProps(props: unknown, schemas: FieldSchemas): string[] {
  const { structuralErrors, rejectedProps } = validateSchema(props, schemas);
  return [...rejectedProps, ...structuralErrors];
}

/** Props of each map whose values contain `others` at any depth, cached. */
const ESCAPE_PROPS_CACHE = new WeakMap<FieldSchemas, ReadonlyMap<string, FieldSchemas>>();

function findEscapeProps(fields: FieldSchemas): ReadonlyMap<string, FieldSchemas> {
  const cached = ESCAPE_PROPS_CACHE.get(fields);
  if (cached !== undefined) return cached;
  const result = new Map<string, FieldSchemas>();
  for (const [name, { fields: below }] of Object.entries(fields)) {
    if (below && (Object.hasOwn(below, ESCAPE_PROP) || findEscapeProps(below).size > 0)) result.set(name, below);
  }
  ESCAPE_PROPS_CACHE.set(fields, result);
  return result;
}

/** Adds an error for each prop inside of `others`: it would be written without being validated. */
function addHiddenProps(result: string[], value: unknown, fields: FieldSchemas, location: LazyFieldPath): void {
  if (isClassInstance(value)) return;
  if (Array.isArray(value)) value.forEach((inner, index) => addHiddenProps(result, inner, fields, appendLazily(location, index)));
  else if (isFields(value)) {
    const escapedFields = Object.hasOwn(fields, ESCAPE_PROP) ? value[ESCAPE_PROP] : undefined;
    if (isClassInstance(escapedFields)) {
      result.push(`${appendToPath(resolveLazyPath(location), ESCAPE_PROP)} is ${describeValue(escapedFields)}; write a map`);
    }
    const hidden = isFields(escapedFields) ? Object.keys(escapedFields).filter((name) => Object.hasOwn(fields, name)) : [];
    for (const name of hidden) {
      const path = resolveLazyPath(location);
      result.push(`${appendToPath(path, ESCAPE_PROP, name)} is a prop; write ${appendToPath(path, name)}`);
    }
    const escaped = findEscapeProps(fields);
    if (escaped.size === 0) return;
    for (const name of Object.keys(value)) {
      const below = escaped.get(name);
      if (below) addHiddenProps(result, value[name], below, appendLazily(location, name));
    }
  }
}

function addInvalidVersion(lines: string[], path: FieldPath, product: string, version: unknown, keywords: readonly string[]): void {
  if (isClassInstance(version)) lines.push(`${path} is ${describeValue(version)}; write a string`);
  if (typeof version !== 'string' || keywords.includes(version)) return;
  try {
    resolveVersions({ [product]: version });
  } catch (error) {
    lines.push(`${path}: ${getErrorMessage(error)}`);
  }
}

/** Finds invalid versions in `versions` and in props named after a product, such as `kserve`. Returns one line each. */
export function findInvalidVersions(props: unknown, keywords: readonly string[] = []): string[] {
  const lines: string[] = [];
  const fields = getFieldsAt(props);
  for (const product of PRODUCTS) {
    const version = fields[product];
    if (version !== undefined) addInvalidVersion(lines, appendToPath(ROOT_PATH, product), product, version, keywords);
  }
  const versions = getFieldsAt(fields, 'versions');
  for (const product of Object.keys(versions))
    addInvalidVersion(lines, appendToPath('versions', product), product, versions[product], keywords);
  return lines;
}

/** Returns props without the versions of products that are not props. These are reported as unknown props. */
function withoutUnknownProducts(props: unknown, { versions: schema }: FieldSchemas): unknown {
  const versions = getValueAt(props, 'versions');
  if (!isFields(props) || !isFields(versions) || !schema?.fields) return props;
  const known = Object.entries(versions).filter(([product]) => Object.hasOwn(schema.fields!, product));
  return { ...props, versions: Object.fromEntries(known) };
}

/** Validates the structure of props, but not the meaning of their values. */
export function validatePropsShape(props: unknown, shape: PropsShape): PropsProblems {
  const { maps, props: schemas, versionKeywords, refusesFractions = false } = shape;
  const missing = findStructuralErrors(props, maps);
  // A missing prop may be present under a misspelt name.
  if (missing.length > 0) {
    const rejectedProps = isFields(props) ? validateSchema(props, schemas).rejectedProps : [];
    return { structuralErrors: withoutMisspeltProps(missing, rejectedProps), rejectedProps };
  }
  const problems = validateSchema(props, schemas);
  addHiddenProps(problems.rejectedProps, props, schemas, ROOT_PATH);
  if (refusesFractions) for (const fraction of findFractions(props)) problems.rejectedProps.push(fraction);
  return {
    structuralErrors: [...problems.structuralErrors, ...findInvalidVersions(withoutUnknownProducts(props, schemas), versionKeywords)],
    rejectedProps: problems.rejectedProps,
  };
}

/** Finds values that no controller follows, or that are no amount in a custom resource. Returns one line each. */
export function findRefusedValues(props: unknown, { props: schemas, refusesFractions = false }: PropsShape): string[] {
  return [...findValuesOutsideLimits(props, schemas, ROOT_PATH), ...(refusesFractions ? findFractions(props) : [])];
}

/** Collects all errors in the structure of props, one line each. */
export function collectPropErrors(props: unknown, shape: PropsShape): string[] {
  const { structuralErrors, rejectedProps } = validatePropsShape(props, shape);
  return [...rejectedProps, ...structuralErrors];
}

const CONTAINER_LISTS: readonly string[] = ['containers', 'initContainers'];

/** Describes why an image cannot be meant: it is empty, or JavaScript wrote `undefined` into a template string. Undefined for any other value. */
function describeEmptyImage(image: unknown): string | undefined {
  if (image === undefined || image === null || image === '') return `is ${describeValue(image)}`;
  return typeof image === 'string' && image.endsWith(':undefined')
    ? `is ${describeValue(image)}, with a tag that was undefined`
    : undefined;
}

/**
 * Finds images and URIs of models that were written and are empty, such as that of an environment variable which is not set. Returns one line each.
 * A container without the field is complete if a preset, a runtime or a patch adds its image.
 */
export function findEmptySources(props: unknown, location: LazyFieldPath = ROOT_PATH): string[] {
  if (Array.isArray(props)) return props.flatMap((item, index) => findEmptySources(item, appendLazily(location, index)));
  if (!isFields(props) || isClassInstance(props)) return [];
  return Object.keys(props).flatMap((name) => {
    const value = getOwnValue(props, name);
    const path = appendLazily(location, name);
    if (name === 'model' && getValueAt(value, 'uri') === '')
      return [`${resolveLazyPath(appendLazily(path, 'uri'))} is ${describeValue('')}: write a URI such as hf://Qwen/Qwen3-8B`];
    if (!CONTAINER_LISTS.includes(name) || !Array.isArray(value)) return typeof value === 'object' ? findEmptySources(value, path) : [];
    return value.flatMap((container, index) => {
      const problem = isFields(container) && Object.hasOwn(container, 'image') ? describeEmptyImage(container.image) : undefined;
      const imagePath = appendLazily(appendLazily(path, index), 'image');
      return problem === undefined
        ? []
        : [`${resolveLazyPath(imagePath)} ${problem}: write an image, and check the variable that it comes from`];
    });
  });
}

/** Kind of a value that is not plain data, so that a manifest can't contain it. */
export type NonPlainKind = 'output' | 'promise' | 'instance' | 'function' | 'symbol' | 'bigint' | 'not-finite';

/** Returns why a value is not plain data, or undefined if it is. Values inside of it are not checked. */
export function nonPlainKindOf(value: unknown): NonPlainKind | undefined {
  if (typeof value === 'function' || typeof value === 'symbol' || typeof value === 'bigint') return typeof value as NonPlainKind;
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : 'not-finite';
  if (typeof value !== 'object' || value === null) return undefined;
  // The mark by which Pulumi itself detects an Output.
  if ((value as Fields)['__pulumiOutput'] === true) return 'output';
  if (typeof (value as Fields).then === 'function') return 'promise';
  return isClassInstance(value) ? 'instance' : undefined;
}
