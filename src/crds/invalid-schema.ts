import { checkTimeNow } from '../core/budget/deadline';
import { toFieldPath, appendToPath, appendMapKey } from '../core/manifest/field-path';
import type { FieldPath } from '../core/manifest/field-path';
import { isDeepEqual } from '../core/collections/deep-equal';
import { describeType } from '../core/values/field-type';
import { isFields, getListAt, getValueAt } from '../core/manifest/manifest';
import type { Fields, Manifest } from '../core/manifest/manifest';
import { ANY, BOOLEAN, INT64, LIST, MAP, STRING, defineList, defineMap, requireNonNull, findSchemaProblems } from '../core/values/schema';
import type { FieldSchemas } from '../core/values/schema';
import { toDisplayValue, formatDisplayValue } from '../core/text/display-value';
import { truncateText } from '../core/text/text-format';
import type { ApplyRejection } from '../core/document/change';
import { isAtLeast } from '../core/values/versions';
import { ESTIMATED_COST_LIMIT, ESTIMATED_SCHEMA_COST_LIMIT, exceedsEstimate } from './cel/cost-estimate';
import { parseExpression } from './cel/parse-expression';
import { findTypeMismatch } from './cel/type-mismatch';
import type { SchemaNode } from './schema-node';
import { findStructuralProblem, isIntOrString } from './structural-schema';

/** Maximum length of a rule in a message. */
const MAX_QUOTED_RULE = 200;

/** Expressions of a rule, with the version of Kubernetes that has them without a feature gate. An earlier one drops them. */
const EXPRESSIONS = [
  { field: 'rule', since: '1.25' },
  { field: 'messageExpression', since: '1.27' },
] as const;

/** First version of Kubernetes whose limit for one rule does not apply to an unchanged schema. */
const FIRST_VERSION_WITH_EXEMPTION = '1.29';

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
function findFirstProblem<Problem>(located: LocatedSchema, find: (located: LocatedSchema) => Problem | undefined): Problem | undefined {
  const own = find(located);
  if (own !== undefined || !isFields(located.schema)) return own;
  for (const below of listSubschemas(located.schema, located.path, located.isNested)) {
    const problem = findFirstProblem(below, find);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** Lists the schemas of a CRD, with the version of each. */
function listVersionSchemas(crd: Manifest): (LocatedSchema & { readonly version: unknown })[] {
  return getListAt(crd, 'spec', 'versions').flatMap((version, index) => {
    const schema = getValueAt(version, 'schema', 'openAPIV3Schema');
    const path = toFieldPath`spec.versions[${index}].schema.openAPIV3Schema`;
    return schema === undefined ? [] : [{ schema, path, isNested: false, version: getValueAt(version, 'name') }];
  });
}

/**
 * Returns why the API server would refuse the schemas of a CRD, as a sentence; undefined if they are valid.
 *
 * @throws DeadlineError once the time to compile patterns and rules is over
 */
export function findCrdSchemaProblem(crd: Manifest): string | undefined {
  const schemas = listVersionSchemas(crd);
  const findStructural = ({ schema, path, isNested }: LocatedSchema) => findStructuralProblem(schema as Fields, path, isNested);
  for (const find of [findDecodingProblem, findStructural, findRuleProblem]) {
    for (const located of schemas) {
      const problem = findFirstProblem(located, find);
      if (problem !== undefined) return problem;
    }
  }
  return undefined;
}

/** Returns the first rule of a schema whose estimated cost exceeds a limit, without the schemas below it. */
function findCostlyExpression(
  { schema, path, isNested }: LocatedSchema,
  kubernetesVersion: string,
  limit: number,
): ApplyRejection | undefined {
  const node = schema as SchemaNode;
  const rules = isNested ? [] : (node['x-kubernetes-validations'] ?? []);
  for (const [index, rule] of rules.entries()) {
    for (const { field, since } of EXPRESSIONS) {
      checkTimeNow();
      const text = isAtLeast(kubernetesVersion, since) ? rule[field] : undefined;
      const expression = text === undefined ? undefined : parseExpression(text, kubernetesVersion);
      if (text === undefined || !expression || 'why' in expression || !exceedsEstimate(expression, node, limit)) continue;
      return {
        path: appendToPath(path, 'x-kubernetes-validations', index, field),
        message: `on the largest object that the schema allows, it costs more than ${limit.toLocaleString('en-US')}: ${truncateText(text.trim(), MAX_QUOTED_RULE)}`,
      };
    }
  }
  return undefined;
}

/**
 * Returns why the API server would refuse a CRD with valid schemas because of the estimated cost of a rule; undefined if it is not certain to do so.
 * From Kubernetes 1.29 on, only the limit for all rules applies to a version with an unchanged schema. Source: apiextensions-apiserver v0.36
 * pkg/apis/apiextensions/validation/validation.go, `suppressExpressionCostForUnchangedSchema`.
 *
 * @param olds - the CRDs of this name that exist. Nothing is sent to the API server if one of them is the same.
 *
 * @throws DeadlineError once the time to parse rules is over
 */
export function findCostlyRule(crd: Manifest, kubernetesVersion: string, olds: readonly Manifest[]): ApplyRejection | undefined {
  if (olds.some((old) => isDeepEqual(old.spec, crd.spec))) return undefined;
  const oldSchemas = olds.flatMap(listVersionSchemas);
  for (const located of listVersionSchemas(crd)) {
    const isUnchanged = oldSchemas.some(({ version, schema }) => version === located.version && isDeepEqual(schema, located.schema));
    const isExempt = isUnchanged && isAtLeast(kubernetesVersion, FIRST_VERSION_WITH_EXEMPTION);
    const limit = isExempt ? ESTIMATED_SCHEMA_COST_LIMIT : ESTIMATED_COST_LIMIT;
    const refusal = findFirstProblem(located, (below) => findCostlyExpression(below, kubernetesVersion, limit));
    if (refusal) return refusal;
  }
  return undefined;
}
