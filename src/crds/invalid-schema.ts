import { toFieldPath, appendToPath, appendMapKey } from '../core/field-path';
import type { FieldPath } from '../core/field-path';
import { describeType } from '../core/field-type';
import { isFields, getListAt, getValueAt } from '../core/manifest';
import type { Fields, Manifest } from '../core/manifest';
import { ANY, BOOLEAN, INT64, LIST, MAP, STRING, defineList, defineMap, requireNonNull, findSchemaProblems } from '../core/schema';
import type { FieldSchemas } from '../core/schema';
import { toDisplayValue, formatDisplayValue } from '../core/display-value';
import type { SchemaNode } from './schema-node';

const RULES_SCHEMA = defineList({
  rule: requireNonNull(STRING),
  message: STRING,
  messageExpression: STRING,
  reason: STRING,
  fieldPath: STRING,
  optionalOldSelf: BOOLEAN,
});

/**
 * Keywords that the API server accepts in one schema, without the schemas below it. A key that is added to `SchemaNode` without a type does
 * not compile.
 */
const KEYWORD_SCHEMAS = {
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
  'x-kubernetes-validations': RULES_SCHEMA,
} satisfies { readonly [K in keyof SchemaNode as string extends K ? never : K]-?: FieldSchemas[string] };

const NODE_SCHEMA = defineMap(KEYWORD_SCHEMAS);

/** Returns the schemas below one, each with its path. */
function listSubschemas(schema: Fields, path: FieldPath): (readonly [unknown, FieldPath])[] {
  const properties = isFields(schema.properties) ? schema.properties : {};
  const lists = (['allOf', 'anyOf', 'oneOf'] as const).flatMap((name) =>
    getListAt(schema, name).map((inner, index) => [inner, appendToPath(appendToPath(path, name), index)] as const),
  );
  const nodes = (['items', 'not'] as const).flatMap((name) => (schema[name] ? [[schema[name], appendToPath(path, name)] as const] : []));
  const values = schema.additionalProperties;
  return [
    ...Object.entries(properties).map(([name, inner]) => [inner, appendMapKey(appendToPath(path, 'properties'), name)] as const),
    ...(isFields(values) ? [[values, appendToPath(path, 'additionalProperties')] as const] : []),
    ...nodes,
    ...lists,
  ];
}

function findProblem(schema: unknown, path: FieldPath): string | undefined {
  if (!isFields(schema)) return `${path} is ${formatDisplayValue(toDisplayValue(schema))}, which is not ${describeType('map')}`;
  const [problem] = findSchemaProblems(schema, NODE_SCHEMA, path, { allowsNulls: false });
  if (problem?.kind === 'wrong-type')
    return `${problem.path} is ${formatDisplayValue(toDisplayValue(problem.value))}, which is not ${describeType(problem.expected)}`;
  const rules = appendToPath(path, 'x-kubernetes-validations');
  const emptyRuleIndex = getListAt(schema, 'x-kubernetes-validations').findIndex((rule) => getValueAt(rule, 'rule') === undefined);
  if (emptyRuleIndex >= 0) return `${appendToPath(rules, emptyRuleIndex)} has no rule`;
  for (const [inner, innerPath] of listSubschemas(schema, path)) {
    const problemBelow = findProblem(inner, innerPath);
    if (problemBelow !== undefined) return problemBelow;
  }
  return undefined;
}

/** Returns why the API server would refuse the schemas of a CRD, as a sentence; undefined if they are valid. */
export function findCrdSchemaProblem(crd: Manifest): string | undefined {
  for (const [index, version] of getListAt(crd, 'spec', 'versions').entries()) {
    const schema = getValueAt(version, 'schema', 'openAPIV3Schema');
    const problem = schema === undefined ? undefined : findProblem(schema, toFieldPath`spec.versions[${index}].schema.openAPIV3Schema`);
    if (problem !== undefined) return problem;
  }
  return undefined;
}
