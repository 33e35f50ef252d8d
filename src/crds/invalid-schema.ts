import { at, childPath, entryPath } from '../core/field-path';
import type { FieldPath } from '../core/field-path';
import { describeType } from '../core/field-type';
import { isFields, listAt, valueAt } from '../core/manifest';
import type { Fields, Manifest } from '../core/manifest';
import { ANY, BOOLEAN, INT64, LIST, MAP, STRING, listOf, map, needed, schemaProblems } from '../core/schema';
import type { FieldSchemas } from '../core/schema';
import { seen, show } from '../core/seen';
import type { SchemaNode } from './schema-node';

const RULES = listOf({
  rule: needed(STRING),
  message: STRING,
  messageExpression: STRING,
  reason: STRING,
  fieldPath: STRING,
  optionalOldSelf: BOOLEAN,
});

/** What the API server takes of one schema, those below it apart. A key that is added to `SchemaNode` without a type does not compile. */
const KEYWORDS = {
  type: STRING,
  format: STRING,
  nullable: BOOLEAN,
  default: ANY,
  properties: MAP,
  additionalProperties: ANY,
  items: MAP,
  required: LIST,
  enum: LIST,
  pattern: STRING,
  minimum: ANY,
  maximum: ANY,
  exclusiveMinimum: BOOLEAN,
  exclusiveMaximum: BOOLEAN,
  multipleOf: ANY,
  minLength: INT64,
  maxLength: INT64,
  minItems: INT64,
  maxItems: INT64,
  minProperties: INT64,
  maxProperties: INT64,
  allOf: LIST,
  anyOf: LIST,
  oneOf: LIST,
  not: MAP,
  'x-kubernetes-int-or-string': BOOLEAN,
  'x-kubernetes-preserve-unknown-fields': BOOLEAN,
  'x-kubernetes-embedded-resource': BOOLEAN,
  'x-kubernetes-list-type': STRING,
  'x-kubernetes-list-map-keys': LIST,
  'x-kubernetes-validations': RULES,
} satisfies { readonly [K in keyof SchemaNode as string extends K ? never : K]-?: FieldSchemas[string] };

const NODE = map(KEYWORDS);

/** The schemas below one, each with its path. */
function below(schema: Fields, path: FieldPath): (readonly [unknown, FieldPath])[] {
  const properties = isFields(schema.properties) ? schema.properties : {};
  const lists = (['allOf', 'anyOf', 'oneOf'] as const).flatMap((name) =>
    listAt(schema, name).map((inner, index) => [inner, childPath(childPath(path, name), index)] as const),
  );
  const nodes = (['items', 'not'] as const).flatMap((name) => (schema[name] ? [[schema[name], childPath(path, name)] as const] : []));
  const values = schema.additionalProperties;
  return [
    ...Object.entries(properties).map(([name, inner]) => [inner, entryPath(childPath(path, 'properties'), name)] as const),
    ...(isFields(values) ? [[values, childPath(path, 'additionalProperties')] as const] : []),
    ...nodes,
    ...lists,
  ];
}

function problemIn(schema: unknown, path: FieldPath): string | undefined {
  if (!isFields(schema)) return `${path} is ${show(seen(schema))}, which is not ${describeType('map')}`;
  const [problem] = schemaProblems(schema, NODE, path, { takesNulls: false });
  if (problem?.kind === 'wrong-type')
    return `${problem.path} is ${show(seen(problem.value))}, which is not ${describeType(problem.expected)}`;
  const rules = childPath(path, 'x-kubernetes-validations');
  const bare = listAt(schema, 'x-kubernetes-validations').findIndex((rule) => valueAt(rule, 'rule') === undefined);
  if (bare >= 0) return `${childPath(rules, bare)} has no rule`;
  for (const [inner, innerPath] of below(schema, path)) {
    const found = problemIn(inner, innerPath);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** What keeps the schemas of a CRD from being ones, in words; the API server would not take it. */
export function schemaProblemOf(crd: Manifest): string | undefined {
  for (const [index, version] of listAt(crd, 'spec', 'versions').entries()) {
    const schema = valueAt(version, 'schema', 'openAPIV3Schema');
    const problem = schema === undefined ? undefined : problemIn(schema, at`spec.versions[${index}].schema.openAPIV3Schema`);
    if (problem !== undefined) return problem;
  }
  return undefined;
}
