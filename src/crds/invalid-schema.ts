import { checkTimeNow } from '../core/budget/deadline';
import { toFieldPath, appendToPath, appendMapKey } from '../core/manifest/field-path';
import type { FieldPath } from '../core/manifest/field-path';
import { describeType } from '../core/values/field-type';
import { isFields, getListAt, getValueAt } from '../core/manifest/manifest';
import type { Fields, Manifest } from '../core/manifest/manifest';
import { ANY, BOOLEAN, INT64, LIST, MAP, STRING, defineList, defineMap, requireNonNull, findSchemaProblems } from '../core/values/schema';
import type { FieldSchemas } from '../core/values/schema';
import { toDisplayValue, formatDisplayValue } from '../core/text/display-value';
import { truncateText } from '../core/text/text-format';
import { findTypeMismatch } from './cel/type-mismatch';
import type { SchemaNode } from './schema-node';
import { findStructuralProblem, isIntOrString } from './structural-schema';

/** Maximum length of a rule in a message. */
const MAX_QUOTED_RULE = 200;

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

/** Keywords that are lists of texts. Go decodes null in such a list as an empty text. */
const TEXT_LISTS = ['required', 'x-kubernetes-list-map-keys'] as const;

const NODE_SCHEMA = defineMap(KEYWORD_SCHEMAS);

/** A schema with its path. */
interface LocatedSchema {
  readonly schema: unknown;
  readonly path: FieldPath;
  /** Whether it is in allOf, anyOf, oneOf or not. */
  readonly isNested: boolean;
}

/** Returns the schemas below one. The two of an anyOf that means a number or a text have no rules of their own. */
function listSubschemas(schema: Fields, path: FieldPath, isNested: boolean): LocatedSchema[] {
  const properties = isFields(schema.properties) ? schema.properties : {};
  const lists = (['allOf', 'anyOf', 'oneOf'] as const).flatMap((name) =>
    name === 'anyOf' && isIntOrString(schema.anyOf)
      ? []
      : getListAt(schema, name).map((inner, index) => ({
          schema: inner,
          path: appendToPath(appendToPath(path, name), index),
          isNested: true,
        })),
  );
  const values = schema.additionalProperties;
  return [
    ...Object.entries(properties).map(([name, inner]) => ({
      schema: inner,
      path: appendMapKey(appendToPath(path, 'properties'), name),
      isNested,
    })),
    ...(isFields(values) ? [{ schema: values, path: appendToPath(path, 'additionalProperties'), isNested }] : []),
    ...(schema.items ? [{ schema: schema.items, path: appendToPath(path, 'items'), isNested }] : []),
    ...(schema.not ? [{ schema: schema.not, path: appendToPath(path, 'not'), isNested: true }] : []),
    ...lists,
  ];
}

/** Returns why the API server cannot decode a schema, without the schemas below it. */
function findDecodingProblem({ schema, path }: LocatedSchema): string | undefined {
  if (!isFields(schema)) return `${path} is ${formatDisplayValue(toDisplayValue(schema))}, which is not ${describeType('map')}`;
  const [problem] = findSchemaProblems(schema, NODE_SCHEMA, path, { allowsNulls: false });
  if (problem?.kind === 'wrong-type')
    return `${problem.path} is ${formatDisplayValue(toDisplayValue(problem.value))}, which is not ${describeType(problem.expected)}`;
  for (const name of TEXT_LISTS) {
    const index = getListAt(schema, name).findIndex((item) => item !== null && typeof item !== 'string');
    if (index < 0) continue;
    const value = getListAt(schema, name)[index];
    return `${appendToPath(path, name, index)} is ${formatDisplayValue(toDisplayValue(value))}, which is not ${describeType('string')}`;
  }
  const rules = appendToPath(path, 'x-kubernetes-validations');
  const emptyRuleIndex = getListAt(schema, 'x-kubernetes-validations').findIndex((rule) => getValueAt(rule, 'rule') === undefined);
  return emptyRuleIndex < 0 ? undefined : `${appendToPath(rules, emptyRuleIndex)} has no rule`;
}

/** Returns why a rule of a schema does not compile, without the schemas below it. */
function findRuleProblem({ schema, path }: LocatedSchema): string | undefined {
  const node = schema as SchemaNode;
  for (const [index, { rule, messageExpression, optionalOldSelf }] of (node['x-kubernetes-validations'] ?? []).entries()) {
    checkTimeNow();
    const rulePath = appendToPath(path, 'x-kubernetes-validations', index);
    const mismatch = findTypeMismatch(rule, node, 'bool', optionalOldSelf === true);
    if (mismatch !== undefined) return `${appendToPath(rulePath, 'rule')} ${mismatch}: ${truncateText(rule.trim(), MAX_QUOTED_RULE)}`;
    const message = messageExpression && findTypeMismatch(messageExpression, node, 'string', optionalOldSelf === true);
    if (message)
      return `${appendToPath(rulePath, 'messageExpression')} ${message}: ${truncateText(messageExpression.trim(), MAX_QUOTED_RULE)}`;
  }
  return undefined;
}

/** Returns the first problem of a schema or of one below it. */
function findFirstProblem(located: LocatedSchema, find: (located: LocatedSchema) => string | undefined): string | undefined {
  const own = find(located);
  if (own !== undefined || !isFields(located.schema)) return own;
  for (const below of listSubschemas(located.schema, located.path, located.isNested)) {
    const problem = findFirstProblem(below, find);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/**
 * Returns why the API server would refuse the schemas of a CRD, as a sentence; undefined if they are valid.
 *
 * @throws DeadlineError once the time to compile patterns and rules is over
 */
export function findCrdSchemaProblem(crd: Manifest): string | undefined {
  const schemas = getListAt(crd, 'spec', 'versions').flatMap((version, index): LocatedSchema[] => {
    const schema = getValueAt(version, 'schema', 'openAPIV3Schema');
    return schema === undefined ? [] : [{ schema, path: toFieldPath`spec.versions[${index}].schema.openAPIV3Schema`, isNested: false }];
  });
  const findStructural = ({ schema, path, isNested }: LocatedSchema) => findStructuralProblem(schema as Fields, path, isNested);
  for (const find of [findDecodingProblem, findStructural, findRuleProblem]) {
    for (const located of schemas) {
      const problem = findFirstProblem(located, find);
      if (problem !== undefined) return problem;
    }
  }
  return undefined;
}
