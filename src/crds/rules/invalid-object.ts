import { defineMessage, defineRule } from '../../core/finding';
import type { Finding } from '../../core/finding';
import { getFieldName } from '../../core/field-path';
import { formatDisplayValue } from '../../core/display-value';
import type { DisplayValue } from '../../core/display-value';
import { pluralize, joinWords } from '../../core/text-format';
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
  fires: 'An object departs from the schema of its CRD, or breaks one of its CEL rules; with `--crds`.',
  why:
    'The API server fills in the defaults of the CRD, holds what comes of it against the structural schema, and then evaluates the CEL rules; ' +
    'it refuses the object for the first fault as for all of them. Rules that compare with the object that was there before are not evaluated ' +
    'when an object is made.',
  fix: 'Write what the schema or the message of the rule asks for.',
  example: formatExample('{min: 3, max: 2}'),
  fixedExample: formatExample('{min: 1, max: 2}'),
  messages: {
    type: defineMessage<ConstraintData<'type'>>({
      text: ({ crd, value, expectedType: wanted }) =>
        `The value is ${formatDisplayValue(value)}, and ${crd} wants the type ${wanted}: the API server refuses the object.`,
      help: ({ expectedType: wanted }) => `Write a value of the type ${wanted}.`,
      sample: { crd: 'caches.shop.example', value: '3', expectedType: 'integer' },
    }),
    required: defineMessage<MissingData>({
      text: ({ crd, field }) => `${field} is missing, and ${crd} requires it: the API server refuses the object.`,
      help: ({ field }) => `Write ${field}.`,
      sample: { crd: 'caches.shop.example', value: null, field: 'size' },
    }),
    enum: defineMessage<ConstraintData<'enum'>>({
      text: ({ crd, value }) => `The value ${formatDisplayValue(value)} is none that ${crd} allows: the API server refuses the object.`,
      help: ({ allowed }) => `Write ${joinWords(allowed.map(formatDisplayValue), 'or')}.`,
      sample: { crd: 'caches.shop.example', value: 'Big', allowed: ['Small', 'Large'] },
    }),
    limit: defineMessage<ConstraintData<'limit'>>({
      text: ({ crd, value, keyword, limit }) =>
        `${formatDisplayValue(value)} is not ${formatLimit(keyword, limit)}, as ${crd} wants it: the API server refuses the object.`,
      help: ({ keyword, limit }) => `Write ${formatLimit(keyword, limit)}.`,
      sample: { crd: 'caches.shop.example', value: 0, keyword: 'minimum', limit: 1 },
      variants: [{ crd: 'caches.shop.example', value: 'none', keyword: 'minItems', limit: 1 }],
    }),
    pattern: defineMessage<ConstraintData<'pattern'>>({
      text: ({ crd, value }) => `${formatDisplayValue(value)} does not have the form that ${crd} wants: the API server refuses the object.`,
      help: ({ pattern }) => `Write text that matches ${pattern}.`,
      sample: { crd: 'caches.shop.example', value: 'A b', pattern: '^[a-z]+$' },
    }),
    format: defineMessage<ConstraintData<'format'>>({
      text: ({ crd, value, format }) =>
        `${formatDisplayValue(value)} is not of the format ${format}, as ${crd} wants it: the API server refuses the object.`,
      help: ({ format }) => `Write a value of the format ${format}.`,
      sample: { crd: 'caches.shop.example', value: 'soon', format: 'date-time' },
    }),
    composed: defineMessage<ConstraintData<'composed'>>({
      text: ({ crd, keyword }) => `The value does not satisfy ${keyword} of ${crd}: the API server refuses the object.`,
      help: ({ keyword }) => `Write what ${keyword} of the schema asks for.`,
      sample: { crd: 'caches.shop.example', value: 'x', keyword: 'oneOf' },
    }),
    duplicate: defineMessage<InvalidObjectData>({
      text: ({ crd }) => `The item stands in the list before, and ${crd} takes each once: the API server refuses the object.`,
      help: () => 'Delete one of them.',
      sample: { crd: 'caches.shop.example', value: 'a' },
    }),
    rule: defineMessage<ConstraintData<'rule'>>({
      text: ({ crd, errorMessage: said, evaluationError: failed }) =>
        `A rule of ${crd} refuses the object: ${said}${failed === undefined ? '' : ` (its evaluation fails with ${JSON.stringify(failed)})`}.`,
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
      text: ({ crd, rule: written, budgetScope: of }) =>
        `The rule ${JSON.stringify(written.trim())} of ${crd} goes over more items than the API server spends on ${of === 'rule' ? 'one rule' : 'all rules of an object'} (a cost of ${COST_LIMITS[of].toLocaleString('en-US')}): it stops there and refuses the object.`,
      help: () =>
        'Write fewer items, or a rule that goes over them once; a maxItems in the CRD tells which of them is too costly before there are objects.',
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

/** Says a fault of an object. */
export function createInvalidObjectFinding({ path, constraint, value }: FieldError, crd: string): Finding {
  const { kind, ...rest } = constraint;
  const data = { crd, value, ...rest };
  if (kind === 'required') return invalidObject.createFinding('required', { path, data: { ...data, field: getFieldName(path) } });
  return invalidObject.createFinding(kind, { path, data });
}
