import { WHOLE_OBJECT, childPath, fieldName, fieldPathParts } from '../core/field-path';
import type { FieldPath } from '../core/field-path';
import { errorText } from '../core/error-text';
import { fieldsAt, isFields, isInstance, ownValue, valueAt } from '../core/manifest';
import type { Fields } from '../core/manifest';
import { nearestName } from '../core/nearest-name';
import { inside, pathOf } from '../core/place';
import type { Place } from '../core/place';
import { describeType } from '../core/field-type';
import type { FieldType } from '../core/field-type';
import { ANY, STRING, STRING_MAP, map, ofKind, schemaProblems, whole } from '../core/schema';
import type { FieldSchema, FieldSchemas, SchemaReader } from '../core/schema';
import { describeValue } from '../core/seen';
import { PRODUCTS, resolveVersions } from '../core/versions';
import { listed } from '../core/words';

/** The props that must be maps, such as `current.rayCluster`, and whether they may be left out. */
export type MapProps = Readonly<Record<string, 'required' | 'optional'>>;

/** What props have to look like before anything is made of them. */
export interface PropsShape {
  readonly maps: MapProps;
  /** Every prop there is, as deep as props are ours or closed. */
  readonly props: FieldSchemas;
  /** What stands for a version beside numbers. @default - nothing */
  readonly versionWords?: readonly string[];
}

/** The prop under which fields stand that are no props. */
const ESCAPE = 'others';

/** `metadata` of an object, all fields that the API knows. Source: apimachinery, meta/v1 ObjectMeta. */
export const METADATA_PROPS: FieldSchema = whole(
  map({
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
  readonly above: readonly string[];
  readonly key: string;
  readonly isOptional: boolean;
}

/** The props of each list that must be maps, kept so that a thousand constructs of one class are judged by one. */
const MAP_PROPS = new WeakMap<MapProps, readonly MapProp[]>();

function mapPropsOf(maps: MapProps): readonly MapProp[] {
  const known = MAP_PROPS.get(maps);
  if (known) return known;
  const made = Object.keys(maps).map((name): MapProp => {
    const parts = name.split('.');
    return { name, above: parts.slice(0, -1), key: parts.at(-1)!, isOptional: maps[name] === 'optional' };
  });
  MAP_PROPS.set(maps, made);
  return made;
}

/** What is not a map although it must be one, which JavaScript and casts can bring; one line each. */
export function misshapenProps(props: unknown, maps: MapProps): string[] {
  if (!isFields(props)) return [`the props are ${describeValue(props)}; write a map`];
  const lines: string[] = [];
  for (const { name, above, key, isOptional } of mapPropsOf(maps)) {
    const holder = above.length === 0 ? props : valueAt(props, ...above);
    // Of a map that is none, that is said alone.
    if (!isFields(holder)) continue;
    const value = ownValue(holder, key);
    if (isFields(value) || (value === undefined && isOptional)) continue;
    lines.push(`${name} is ${describeValue(value)}; write a map${isOptional ? ', or leave it out' : ''}`);
  }
  return lines;
}

function unknownLine(path: FieldPath, known: readonly string[]): string {
  const name = fieldName(path);
  const nearest = nearestName(name, known);
  if (nearest !== undefined) return `${path} is no prop; write ${nearest}, or leave it out`;
  if (known.includes(ESCAPE)) {
    const escape = childPath(childPath(WHOLE_OBJECT, ...fieldPathParts(path).slice(0, -1)), ESCAPE);
    return `${path} is no prop; leave it out, or write it into ${escape}, whose fields are written as they are`;
  }
  return `${path} is no prop; leave it out, or write one of ${listed(known)}`;
}

/** Types of which any other value can't be looked into. Numbers are not among them: what is wrong with those is a finding, with what to write. */
const STRUCTURAL: ReadonlySet<FieldType> = new Set<FieldType>(['map', 'list', 'string-map', 'string-list', 'string', 'boolean']);

/** The map of props that each list of them makes up, kept so that a thousand constructs of one class are judged by one. */
const PROPS_MAPS = new WeakMap<FieldSchemas, FieldSchema>();

function propsMap(fields: FieldSchemas): FieldSchema {
  const known = PROPS_MAPS.get(fields);
  if (known) return known;
  const made = whole(map(fields));
  PROPS_MAPS.set(fields, made);
  return made;
}

/** What is wrong with props before anything is made of them; one line each. */
export interface PropsProblems {
  /** Maps and lists that are none. */
  readonly misshapen: readonly string[];
  /** Props that there are not, each with the name that was likely meant: the rest can be read without them. */
  readonly misnamed: readonly string[];
}

const PROPS_READER: SchemaReader = { takesNulls: false };

function schemaLines(props: unknown, schemas: FieldSchemas): { misshapen: string[]; misnamed: string[] } {
  const problems = schemaProblems(props, propsMap(schemas), WHOLE_OBJECT, PROPS_READER);
  if (problems.length === 0) return { misshapen: [], misnamed: [] };
  return {
    misshapen: ofKind(problems, 'wrong-type').flatMap(({ path, value, expected }) =>
      STRUCTURAL.has(expected) ? [`${path} is ${describeValue(value)}; write ${describeType(expected)}`] : [],
    ),
    misnamed: ofKind(problems, 'unknown').map(({ path, known }) => unknownLine(path, known)),
  };
}

/** Props that there are not, wherever they stand, and maps and lists that are none; one line each. */
export function unknownProps(props: unknown, schemas: FieldSchemas): string[] {
  const { misshapen, misnamed } = schemaLines(props, schemas);
  return [...misnamed, ...misshapen];
}

/** Of lists of props, those in whose maps the escape stands, at whatever depth. */
const WITH_ESCAPE = new WeakMap<FieldSchemas, ReadonlyMap<string, FieldSchemas>>();

function withEscape(fields: FieldSchemas): ReadonlyMap<string, FieldSchemas> {
  const known = WITH_ESCAPE.get(fields);
  if (known !== undefined) return known;
  const found = new Map<string, FieldSchemas>();
  for (const [name, { fields: below }] of Object.entries(fields)) {
    if (below && (Object.hasOwn(below, ESCAPE) || withEscape(below).size > 0)) found.set(name, below);
  }
  WITH_ESCAPE.set(fields, found);
  return found;
}

/** Adds the props that stand among the fields which are no props: they would be written without being read. */
function addHiddenProps(found: string[], value: unknown, fields: FieldSchemas, place: Place): void {
  if (isInstance(value)) return;
  if (Array.isArray(value)) value.forEach((inner, index) => addHiddenProps(found, inner, fields, inside(place, index)));
  else if (isFields(value)) {
    const others = Object.hasOwn(fields, ESCAPE) ? value[ESCAPE] : undefined;
    const hidden = isFields(others) ? Object.keys(others).filter((name) => Object.hasOwn(fields, name)) : [];
    for (const name of hidden) {
      const path = pathOf(place);
      found.push(`${childPath(path, ESCAPE, name)} is a prop of its own; write ${childPath(path, name)}`);
    }
    const escaped = withEscape(fields);
    if (escaped.size === 0) return;
    for (const name of Object.keys(value)) {
      const below = escaped.get(name);
      if (below) addHiddenProps(found, value[name], below, inside(place, name));
    }
  }
}

function addWrongVersion(lines: string[], path: FieldPath, product: string, version: unknown, words: readonly string[]): void {
  if (typeof version !== 'string' || words.includes(version)) return;
  try {
    resolveVersions({ [product]: version });
  } catch (error) {
    lines.push(`${path}: ${errorText(error)}`);
  }
}

/** What is no version, in the props that name one, `kserve` and the like, and in `versions`; one line each. */
export function wrongVersions(props: unknown, words: readonly string[] = []): string[] {
  const lines: string[] = [];
  const given = fieldsAt(props);
  for (const product of PRODUCTS) {
    const version = given[product];
    if (version !== undefined) addWrongVersion(lines, childPath(WHOLE_OBJECT, product), product, version, words);
  }
  const versions = fieldsAt(given, 'versions');
  for (const product of Object.keys(versions)) addWrongVersion(lines, childPath('versions', product), product, versions[product], words);
  return lines;
}

/** What is wrong with props, whatever their values mean. */
export function propsProblems(props: unknown, { maps, props: schemas, versionWords }: PropsShape): PropsProblems {
  const missing = misshapenProps(props, maps);
  // A prop that is missing may be there under a name that is mistyped.
  if (missing.length > 0) return { misshapen: missing, misnamed: isFields(props) ? schemaLines(props, schemas).misnamed : [] };
  const problems = schemaLines(props, schemas);
  addHiddenProps(problems.misnamed, props, schemas, WHOLE_OBJECT);
  return { misshapen: [...problems.misshapen, ...wrongVersions(props, versionWords)], misnamed: problems.misnamed };
}

/** Why props are refused where all of it is said at once; one line each. */
export function unusableProps(props: unknown, shape: PropsShape): string[] {
  const { misshapen, misnamed } = propsProblems(props, shape);
  return [...misnamed, ...misshapen];
}

/** A value that is not plain data, so that no manifest can hold it as it is. */
export type NotPlain = 'output' | 'promise' | 'instance' | 'function' | 'symbol' | 'bigint';

/** Why a value is not plain data; undefined where it is, which says nothing of the values in it. */
export function notPlain(value: unknown): NotPlain | undefined {
  if (typeof value === 'function' || typeof value === 'symbol' || typeof value === 'bigint') return typeof value as NotPlain;
  if (typeof value !== 'object' || value === null) return undefined;
  // The mark by which Pulumi itself tells an Output.
  if ((value as Fields)['__pulumiOutput'] === true) return 'output';
  if (typeof (value as Fields).then === 'function') return 'promise';
  return isInstance(value) ? 'instance' : undefined;
}
