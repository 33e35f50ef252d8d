import { message, rule } from '../../core/finding';
import type { Finding } from '../../core/finding';
import { fieldName } from '../../core/field-path';
import { show } from '../../core/seen';
import type { Seen } from '../../core/seen';
import { counted, listed } from '../../core/words';
import { COST_LIMITS } from '../cel/steps';
import type { Constraint, Fault } from '../fault';

interface FaultData {
  readonly crd: string;
  readonly value: Seen;
}

type DataOf<Kind extends Constraint['kind']> = FaultData & Omit<Extract<Constraint, { readonly kind: Kind }>, 'kind'>;

interface MissingData extends FaultData {
  readonly field: string;
}

const KEYWORDS: Readonly<Record<string, (limit: number) => string>> = {
  minimum: (limit) => `at least ${limit}`,
  maximum: (limit) => `at most ${limit}`,
  multipleOf: (limit) => `a multiple of ${limit}`,
  minLength: (limit) => `at least ${counted(limit, 'character')}`,
  maxLength: (limit) => `at most ${counted(limit, 'character')}`,
  minItems: (limit) => `at least ${counted(limit, 'item')}`,
  maxItems: (limit) => `at most ${counted(limit, 'item')}`,
  minProperties: (limit) => `at least ${counted(limit, 'entry', 'entries')}`,
  maxProperties: (limit) => `at most ${counted(limit, 'entry', 'entries')}`,
};

function limitText(keyword: string, limit: number): string {
  return KEYWORDS[keyword]?.(limit) ?? `${keyword} ${limit}`;
}

const CRD = `apiVersion: apiextensions.k8s.io/v1
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

function cacheOf(spec: string): string {
  return `# rolloutkit plan --crds crd.yaml cache.yaml
# crd.yaml
${CRD}# cache.yaml
apiVersion: shop.example/v1
kind: Cache
metadata: {name: front}
spec: ${spec}
`;
}

/** An object that the schema or the rules of its CRD refuse. */
export const invalidObject = rule({
  code: 'crds/invalid-object',
  since: '0.1.0',
  severity: 'error',
  fires: 'An object departs from the schema of its CRD, or breaks one of its CEL rules; with `--crds`.',
  why:
    'The API server fills in the defaults of the CRD, holds what comes of it against the structural schema, and then evaluates the CEL rules; ' +
    'it refuses the object for the first fault as for all of them. Rules that compare with the object that was there before are not evaluated ' +
    'when an object is made.',
  fix: 'Write what the schema or the message of the rule asks for.',
  example: cacheOf('{min: 3, max: 2}'),
  fixed: cacheOf('{min: 1, max: 2}'),
  messages: {
    type: message<DataOf<'type'>>({
      text: ({ crd, value, wanted }) =>
        `The value is ${show(value)}, and ${crd} wants the type ${wanted}: the API server refuses the object.`,
      help: ({ wanted }) => `Write a value of the type ${wanted}.`,
      sample: { crd: 'caches.shop.example', value: '3', wanted: 'integer' },
    }),
    required: message<MissingData>({
      text: ({ crd, field }) => `${field} is missing, and ${crd} requires it: the API server refuses the object.`,
      help: ({ field }) => `Write ${field}.`,
      sample: { crd: 'caches.shop.example', value: null, field: 'size' },
    }),
    enum: message<DataOf<'enum'>>({
      text: ({ crd, value }) => `The value ${show(value)} is none that ${crd} allows: the API server refuses the object.`,
      help: ({ allowed }) => `Write ${listed(allowed.map(show), 'or')}.`,
      sample: { crd: 'caches.shop.example', value: 'Big', allowed: ['Small', 'Large'] },
    }),
    limit: message<DataOf<'limit'>>({
      text: ({ crd, value, keyword, limit }) =>
        `${show(value)} is not ${limitText(keyword, limit)}, as ${crd} wants it: the API server refuses the object.`,
      help: ({ keyword, limit }) => `Write ${limitText(keyword, limit)}.`,
      sample: { crd: 'caches.shop.example', value: 0, keyword: 'minimum', limit: 1 },
      variants: [{ crd: 'caches.shop.example', value: 'none', keyword: 'minItems', limit: 1 }],
    }),
    pattern: message<DataOf<'pattern'>>({
      text: ({ crd, value }) => `${show(value)} does not have the form that ${crd} wants: the API server refuses the object.`,
      help: ({ pattern }) => `Write text that matches ${pattern}.`,
      sample: { crd: 'caches.shop.example', value: 'A b', pattern: '^[a-z]+$' },
    }),
    format: message<DataOf<'format'>>({
      text: ({ crd, value, format }) =>
        `${show(value)} is not of the format ${format}, as ${crd} wants it: the API server refuses the object.`,
      help: ({ format }) => `Write a value of the format ${format}.`,
      sample: { crd: 'caches.shop.example', value: 'soon', format: 'date-time' },
    }),
    composed: message<DataOf<'composed'>>({
      text: ({ crd, keyword }) => `The value does not satisfy ${keyword} of ${crd}: the API server refuses the object.`,
      help: ({ keyword }) => `Write what ${keyword} of the schema asks for.`,
      sample: { crd: 'caches.shop.example', value: 'x', keyword: 'oneOf' },
    }),
    duplicate: message<FaultData>({
      text: ({ crd }) => `The item stands in the list before, and ${crd} takes each once: the API server refuses the object.`,
      help: () => 'Delete one of them.',
      sample: { crd: 'caches.shop.example', value: 'a' },
    }),
    rule: message<DataOf<'rule'>>({
      text: ({ crd, said, failed }) =>
        `A rule of ${crd} refuses the object: ${said}${failed === undefined ? '' : ` (its evaluation fails with ${JSON.stringify(failed)})`}.`,
      help: () => 'Write values that satisfy the rule.',
      sample: { crd: 'caches.shop.example', value: 'x', said: 'min must not be above max' },
      variants: [{ crd: 'caches.shop.example', value: 'x', said: 'failed rule: self.min <= self.max', failed: 'field not found: min' }],
    }),
    cost: message<DataOf<'cost'>>({
      text: ({ crd, rule: written, of }) =>
        `The rule ${JSON.stringify(written.trim())} of ${crd} goes over more items than the API server spends on ${of === 'rule' ? 'one rule' : 'all rules of an object'} (a cost of ${COST_LIMITS[of].toLocaleString('en-US')}): it stops there and refuses the object.`,
      help: () =>
        'Write fewer items, or a rule that goes over them once; a maxItems in the CRD tells which of them is too costly before there are objects.',
      sample: { crd: 'caches.shop.example', value: { described: 'a list' }, rule: 'self.all(a, self.all(b, a != b))', of: 'rule' },
      variants: [
        { crd: 'caches.shop.example', value: { described: 'a list' }, rule: 'self.all(a, self.exists_one(b, a == b))', of: 'object' },
      ],
    }),
  },
});

/** Says a fault of an object. */
export function faultFinding({ path, constraint, value }: Fault, crd: string): Finding {
  const { kind, ...rest } = constraint;
  const data = { crd, value, ...rest };
  if (kind === 'required') return invalidObject.finding('required', { path, data: { ...data, field: fieldName(path) } });
  return invalidObject.finding(kind, { path, data: data });
}
