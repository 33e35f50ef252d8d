import { ROOT_PATH, appendToPath, getFieldName, parseFieldPath } from '../core/field-path';
import type { FieldPath } from '../core/field-path';
import { getErrorMessage } from '../core/error-message';
import { getFieldsAt, isFields, isClassInstance, getOwnValue, getValueAt } from '../core/manifest';
import type { Fields } from '../core/manifest';
import { findClosestName } from '../core/did-you-mean';
import { appendLazily, resolveLazyPath } from '../core/lazy-field-path';
import type { LazyFieldPath } from '../core/lazy-field-path';
import { describeType } from '../core/field-type';
import type { FieldType } from '../core/field-type';
import { ANY, STRING, STRING_MAP, defineMap, filterProblems, findSchemaProblems, closeSchema } from '../core/schema';
import type { FieldSchema, FieldSchemas, SchemaReader } from '../core/schema';
import { describeValue } from '../core/display-value';
import { PRODUCTS, resolveVersions } from '../core/versions';
import { joinWords } from '../core/text-format';

/** The props that must be maps, such as `current.rayCluster`, and whether they may be left out. */
export type MapProps = Readonly<Record<string, 'required' | 'optional'>>;

/** What props have to look like before anything is made of them. */
export interface PropsShape {
  readonly maps: MapProps;
  /** Every prop there is, as deep as props are ours or closed. */
  readonly props: FieldSchemas;
  /** What stands for a version beside numbers. @default - nothing */
  readonly versionKeywords?: readonly string[];
}

/** The prop under which fields stand that are no props. */
const ESCAPE_PROP = 'others';

/** `metadata` of an object, all fields that the API knows. Source: apimachinery, meta/v1 ObjectMeta. */
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
  /** The keys that lead to the map that has it, and its own there. */
  readonly parentKeys: readonly string[];
  readonly key: string;
  readonly isOptional: boolean;
}

/** The props of each list that must be maps, kept so that a thousand constructs of one class are judged by one. */
const MAP_PROPS_CACHE = new WeakMap<MapProps, readonly MapProp[]>();

function listMapProps(maps: MapProps): readonly MapProp[] {
  const cached = MAP_PROPS_CACHE.get(maps);
  if (cached) return cached;
  const created = Object.keys(maps).map((name): MapProp => {
    const parts = name.split('.');
    return { name, parentKeys: parts.slice(0, -1), key: parts.at(-1)!, isOptional: maps[name] === 'optional' };
  });
  MAP_PROPS_CACHE.set(maps, created);
  return created;
}

/** What is not a map although it must be one, which JavaScript and casts can bring; one line each. */
export function findStructuralErrors(props: unknown, maps: MapProps): string[] {
  if (!isFields(props)) return [`the props are ${describeValue(props)}; write a map`];
  const lines: string[] = [];
  for (const { name, parentKeys, key, isOptional } of listMapProps(maps)) {
    const parent = parentKeys.length === 0 ? props : getValueAt(props, ...parentKeys);
    // Of a map that is none, that is said alone.
    if (!isFields(parent)) continue;
    const value = getOwnValue(parent, key);
    if (isFields(value) || (value === undefined && isOptional)) continue;
    lines.push(`${name} is ${describeValue(value)}; write a map${isOptional ? ', or leave it out' : ''}`);
  }
  return lines;
}

function formatUnknownProp(path: FieldPath, cached: readonly string[]): string {
  const name = getFieldName(path);
  const suggestion = findClosestName(name, cached);
  if (suggestion !== undefined) return `${path} is no prop; write ${suggestion}, or leave it out`;
  if (cached.includes(ESCAPE_PROP)) {
    const escape = appendToPath(appendToPath(ROOT_PATH, ...parseFieldPath(path).slice(0, -1)), ESCAPE_PROP);
    return `${path} is no prop; leave it out, or write it into ${escape}, whose fields are written as they are`;
  }
  return `${path} is no prop; leave it out, or write one of ${joinWords(cached)}`;
}

/** Types of which any other value can't be looked into. Numbers are not among them: what is wrong with those is a finding, with what to write. */
const STRUCTURAL_TYPES: ReadonlySet<FieldType> = new Set<FieldType>(['map', 'list', 'string-map', 'string-list', 'string', 'boolean']);

/** The map of props that each list of them makes up, kept so that a thousand constructs of one class are judged by one. */
const PROPS_MAP_CACHE = new WeakMap<FieldSchemas, FieldSchema>();

function getPropsMap(fields: FieldSchemas): FieldSchema {
  const cached = PROPS_MAP_CACHE.get(fields);
  if (cached) return cached;
  const created = closeSchema(defineMap(fields));
  PROPS_MAP_CACHE.set(fields, created);
  return created;
}

/** What is wrong with props before anything is made of them; one line each. */
export interface PropsProblems {
  /** Maps and lists that are none. */
  readonly structuralErrors: readonly string[];
  /** Props that there are not, each with the name that was likely meant: the rest can be read without them. */
  readonly unknownProps: readonly string[];
}

const PROPS_READER: SchemaReader = { allowsNulls: false };

function validateSchema(props: unknown, schemas: FieldSchemas): { structuralErrors: string[]; unknownProps: string[] } {
  const problems = findSchemaProblems(props, getPropsMap(schemas), ROOT_PATH, PROPS_READER);
  if (problems.length === 0) return { structuralErrors: [], unknownProps: [] };
  return {
    structuralErrors: filterProblems(problems, 'wrong-type').flatMap(({ path, value, expected }) =>
      STRUCTURAL_TYPES.has(expected) ? [`${path} is ${describeValue(value)}; write ${describeType(expected)}`] : [],
    ),
    unknownProps: filterProblems(problems, 'unknown').map(({ path, knownFields: cached }) => formatUnknownProp(path, cached)),
  };
}

/** Props that there are not, wherever they stand, and maps and lists that are none; one line each. */
export function findUnknownProps(props: unknown, schemas: FieldSchemas): string[] {
  const { structuralErrors, unknownProps } = validateSchema(props, schemas);
  return [...unknownProps, ...structuralErrors];
}

/** Of lists of props, those in whose maps the escape stands, at whatever depth. */
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

/** Adds the props that stand among the fields which are no props: they would be written without being read. */
function addHiddenProps(result: string[], value: unknown, fields: FieldSchemas, location: LazyFieldPath): void {
  if (isClassInstance(value)) return;
  if (Array.isArray(value)) value.forEach((inner, index) => addHiddenProps(result, inner, fields, appendLazily(location, index)));
  else if (isFields(value)) {
    const escapedFields = Object.hasOwn(fields, ESCAPE_PROP) ? value[ESCAPE_PROP] : undefined;
    const hidden = isFields(escapedFields) ? Object.keys(escapedFields).filter((name) => Object.hasOwn(fields, name)) : [];
    for (const name of hidden) {
      const path = resolveLazyPath(location);
      result.push(`${appendToPath(path, ESCAPE_PROP, name)} is a prop of its own; write ${appendToPath(path, name)}`);
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
  if (typeof version !== 'string' || keywords.includes(version)) return;
  try {
    resolveVersions({ [product]: version });
  } catch (error) {
    lines.push(`${path}: ${getErrorMessage(error)}`);
  }
}

/** What is no version, in the props that name one, `kserve` and the like, and in `versions`; one line each. */
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

/** What is wrong with props, whatever their values mean. */
export function validatePropsShape(props: unknown, { maps, props: schemas, versionKeywords }: PropsShape): PropsProblems {
  const missing = findStructuralErrors(props, maps);
  // A prop that is missing may be there under a name that is mistyped.
  if (missing.length > 0)
    return { structuralErrors: missing, unknownProps: isFields(props) ? validateSchema(props, schemas).unknownProps : [] };
  const problems = validateSchema(props, schemas);
  addHiddenProps(problems.unknownProps, props, schemas, ROOT_PATH);
  return {
    structuralErrors: [...problems.structuralErrors, ...findInvalidVersions(props, versionKeywords)],
    unknownProps: problems.unknownProps,
  };
}

/** Why props are refused where all of it is said at once; one line each. */
export function collectPropErrors(props: unknown, shape: PropsShape): string[] {
  const { structuralErrors, unknownProps } = validatePropsShape(props, shape);
  return [...unknownProps, ...structuralErrors];
}

/** A value that is not plain data, so that no manifest can hold it as it is. */
export type NonPlainKind = 'output' | 'promise' | 'instance' | 'function' | 'symbol' | 'bigint';

/** Why a value is not plain data; undefined where it is, which says nothing of the values in it. */
export function nonPlainKindOf(value: unknown): NonPlainKind | undefined {
  if (typeof value === 'function' || typeof value === 'symbol' || typeof value === 'bigint') return typeof value as NonPlainKind;
  if (typeof value !== 'object' || value === null) return undefined;
  // The mark by which Pulumi itself tells an Output.
  if ((value as Fields)['__pulumiOutput'] === true) return 'output';
  if (typeof (value as Fields).then === 'function') return 'promise';
  return isClassInstance(value) ? 'instance' : undefined;
}
