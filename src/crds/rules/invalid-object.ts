import { defineMessage, defineRule } from '../../core/findings/finding';
import type { Finding } from '../../core/findings/finding';
import { getFieldName } from '../../core/manifest/field-path';
import { formatDisplayValue } from '../../core/text/display-value';
import type { DisplayValue } from '../../core/text/display-value';
import { pluralize, joinWords } from '../../core/text/text-format';
import { COST_LIMITS } from '../cel/cost-budget';
import type { Constraint, FieldError } from '../field-error';

interface InvalidObjectData {
  readonly crd: string;
  readonly value: DisplayValue;
}

type ConstraintData<Kind extends Constraint['kind']> = InvalidObjectData & Omit<Extract<Constraint, { readonly kind: Kind }>, 'kind'>;

interface MissingData extends InvalidObjectData {
  readonly field: string;
}

const LIMIT_TEXTS: Readonly<Record<string, (limit: number) => string>> = {
  minimum: (limit) => `at least ${limit}`,
  maximum: (limit) => `at most ${limit}`,
  exclusiveMinimum: (limit) => `a number above ${limit}`,
  exclusiveMaximum: (limit) => `a number below ${limit}`,
  multipleOf: (limit) => `a multiple of ${limit}`,
  minLength: (limit) => `at least ${pluralize(limit, 'character')}`,
  maxLength: (limit) => `at most ${pluralize(limit, 'character')}`,
  minItems: (limit) => `at least ${pluralize(limit, 'item')}`,
  maxItems: (limit) => `at most ${pluralize(limit, 'item')}`,
  minProperties: (limit) => `at least ${pluralize(limit, 'entry', 'entries')}`,
  maxProperties: (limit) => `at most ${pluralize(limit, 'entry', 'entries')}`,
};

function formatLimit(keyword: string, limit: number): string {
  return LIMIT_TEXTS[keyword]?.(limit) ?? `${keyword} ${limit}`;
}

const EXAMPLE_CRD = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: caches.shop.example}
spec:
  group: shop.example
  scope: Namespaced
  names: {plural: caches, singular: cache, kind: Cache, listKind: CacheList}
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec:
              type: object
              properties:
                min: {type: integer}
                max: {type: integer}
              x-kubernetes-validations:
                - rule: self.min <= self.max
                  message: min must not be above max
`;

function formatExample(spec: string): string {
  return `# rolloutkit plan --crds crd.yaml cache.yaml
# crd.yaml
${EXAMPLE_CRD}# cache.yaml
apiVersion: shop.example/v1
kind: Cache
metadata: {name: front}
spec: ${spec}
`;
}

/** An object that the schema or the rules of its CRD refuse. */
export const invalidObject = defineRule({
  code: 'crds/invalid-object',
  since: '0.1.0',
  severity: 'error',
  fires: 'With `--crds`, or if the input contains the CRD, an object violates the schema of its CRD or one of its CEL rules.',
  why:
    'The API server fills in the defaults of the CRD, validates the result against the structural schema, and then evaluates the CEL rules. ' +
    'A single error is enough for it to refuse the object. Rules that compare with the old object are not evaluated when an object is created.',
  fix: 'Write what the schema or the message of the rule requires.',
  example: formatExample('{min: 3, max: 2}'),
  fixedExample: formatExample('{min: 1, max: 2}'),
  messages: {
    type: defineMessage<ConstraintData<'type'>>({
      text: ({ crd, value, expectedType }) =>
        `The value is ${formatDisplayValue(value)}, but ${crd} requires the type ${expectedType}: the API server refuses the object.`,
      help: ({ expectedType }) => `Write a value of the type ${expectedType}.`,
      sample: { crd: 'caches.shop.example', value: '3', expectedType: 'integer' },
    }),
    required: defineMessage<MissingData>({
      text: ({ crd, field }) => `${field} is missing, but ${crd} requires it: the API server refuses the object.`,
      help: ({ field }) => `Write ${field}.`,
      sample: { crd: 'caches.shop.example', value: null, field: 'size' },
    }),
    enum: defineMessage<ConstraintData<'enum'>>({
      text: ({ crd, value }) => `The value ${formatDisplayValue(value)} is not one that ${crd} allows: the API server refuses the object.`,
      help: ({ allowed }) => `Write ${joinWords(allowed.map(formatDisplayValue), 'or')}.`,
      sample: { crd: 'caches.shop.example', value: 'Big', allowed: ['Small', 'Large'] },
    }),
    limit: defineMessage<ConstraintData<'limit'>>({
      text: ({ crd, value, keyword, limit }) =>
        `${formatDisplayValue(value)} is not ${formatLimit(keyword, limit)}, as ${crd} requires: the API server refuses the object.`,
      help: ({ keyword, limit }) => `Write ${formatLimit(keyword, limit)}.`,
      sample: { crd: 'caches.shop.example', value: 0, keyword: 'minimum', limit: 1 },
      variants: [
        { crd: 'caches.shop.example', value: 'none', keyword: 'minItems', limit: 1 },
        { crd: 'caches.shop.example', value: 0, keyword: 'exclusiveMinimum', limit: 0 },
      ],
    }),
    pattern: defineMessage<ConstraintData<'pattern'>>({
      text: ({ crd, value }) =>
        `${formatDisplayValue(value)} does not match the pattern that ${crd} requires: the API server refuses the object.`,
      help: ({ pattern }) => `Write text that matches ${pattern}.`,
      sample: { crd: 'caches.shop.example', value: 'A b', pattern: '^[a-z]+$' },
    }),
    format: defineMessage<ConstraintData<'format'>>({
      text: ({ crd, value, format }) =>
        `${formatDisplayValue(value)} is not in the format ${format}, as ${crd} requires: the API server refuses the object.`,
      help: ({ format }) => `Write a value in the format ${format}.`,
      sample: { crd: 'caches.shop.example', value: 'soon', format: 'date-time' },
    }),
    composed: defineMessage<ConstraintData<'composed'>>({
      text: ({ crd, keyword }) => `The value does not satisfy ${keyword} of ${crd}: the API server refuses the object.`,
      help: ({ keyword }) => `Write what ${keyword} of the schema requires.`,
      sample: { crd: 'caches.shop.example', value: 'x', keyword: 'oneOf' },
    }),
    duplicate: defineMessage<InvalidObjectData>({
      text: ({ crd }) => `The list already contains this item, but ${crd} allows each item only once: the API server refuses the object.`,
      help: () => 'Delete one of them.',
      sample: { crd: 'caches.shop.example', value: 'a' },
    }),
    rule: defineMessage<ConstraintData<'rule'>>({
      text: ({ crd, errorMessage, evaluationError }) =>
        `A rule of ${crd} refuses the object: ${errorMessage}${evaluationError === undefined ? '' : ` (its evaluation fails with ${JSON.stringify(evaluationError)})`}.`,
      help: () => 'Write values that satisfy the rule.',
      sample: { crd: 'caches.shop.example', value: 'x', errorMessage: 'min must not be above max' },
      variants: [
        {
          crd: 'caches.shop.example',
          value: 'x',
          errorMessage: 'failed rule: self.min <= self.max',
          evaluationError: 'field not found: min',
        },
      ],
    }),
    cost: defineMessage<ConstraintData<'cost'>>({
      text: ({ crd, rule: ruleText, budgetScope }) =>
        `The rule ${JSON.stringify(ruleText.trim())} of ${crd} reads so many items and so much text that it exceeds the API server's limit for ${budgetScope === 'rule' ? 'one rule' : 'all rules of an object'} (a cost of ${COST_LIMITS[budgetScope].toLocaleString('en-US')}): the server stops there and refuses the object.`,
      help: () =>
        'Write fewer items and shorter texts, or a rule that reads them once; with maxItems and maxLength in the CRD, the server reports rules that are too costly before any object exists.',
      sample: { crd: 'caches.shop.example', value: { described: 'a list' }, rule: 'self.all(a, self.all(b, a != b))', budgetScope: 'rule' },
      variants: [
        {
          crd: 'caches.shop.example',
          value: { described: 'a list' },
          rule: 'self.all(a, self.exists_one(b, a == b))',
          budgetScope: 'object',
        },
      ],
    }),
  },
});

/** Creates the finding for an error of an object. */
export function createInvalidObjectFinding({ path, constraint, value }: FieldError, crd: string): Finding {
  const { kind, ...rest } = constraint;
  const data = { crd, value, ...rest };
  if (kind === 'required') return invalidObject.createFinding('required', { path, data: { ...data, field: getFieldName(path) } });
  return invalidObject.createFinding(kind, { path, data });
}
