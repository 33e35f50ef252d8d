import type { Refusal } from '../core/change';
import type { Manifest } from '../core/manifest';
import { show } from '../core/seen';
import { counted } from '../core/words';
import type { Definitions } from './definition';
import type { Constraint, Fault } from './fault';
import { CrdJudge } from './judge';

type WordsOf = {
  readonly [Kind in Constraint['kind']]: (constraint: Extract<Constraint, { readonly kind: Kind }>, fault: Fault) => string;
};

const LIMITS: Readonly<Record<string, string>> = {
  minimum: 'should be greater than or equal to',
  maximum: 'should be less than or equal to',
  multipleOf: 'should be a multiple of',
  minLength: 'should be at least this many characters long:',
  maxLength: 'may not be longer than',
  minItems: 'should have at least this many items:',
  maxItems: 'must have at most this many items:',
  minProperties: 'should have at least this many properties:',
  maxProperties: 'must have at most this many items:',
};

/** The server's words, as far as they tell more than where the fault is. */
const WORDS: WordsOf = {
  type: ({ wanted }, { value }) => `Invalid value: ${show(value)}: must be of type ${wanted}`,
  required: () => 'Required value',
  enum: ({ allowed }, { value }) => `Unsupported value: ${show(value)}: supported values: ${allowed.map(show).join(', ')}`,
  limit: ({ keyword, limit }, { value }) => `Invalid value: ${show(value)}: ${LIMITS[keyword] ?? keyword} ${limit}`,
  pattern: ({ pattern }, { value }) => `Invalid value: ${show(value)}: should match '${pattern}'`,
  format: ({ format }, { value }) => `Invalid value: ${show(value)}: must be of type ${format}`,
  composed: ({ keyword }) => `Invalid value: must validate ${keyword} of the schema`,
  duplicate: (_, { value }) => `Duplicate value: ${show(value)}`,
  cost: ({ rule, of }) =>
    of === 'rule'
      ? `Invalid value: no further validation rules will be run due to call cost exceeds limit for rule: ${rule.trim()}`
      : 'Invalid value: validation failed due to running out of cost budget, no further validation rules will be run',
  rule: ({ said }, { type }) => (type === 'FieldValueForbidden' ? `Forbidden: ${said}` : `Invalid value: ${said}`),
};

function wordsOf(fault: Fault): string {
  const { constraint } = fault;
  return (WORDS[constraint.kind] as (constraint: Constraint, fault: Fault) => string)(constraint, fault);
}

/** Faults that are named beside the first. */
const MOST_NAMED = 3;

function namedOf(faults: readonly Fault[]): string {
  const named = faults.slice(0, MOST_NAMED).map(({ path }) => path);
  return [...named, ...(faults.length > MOST_NAMED ? ['…'] : [])].join(', ');
}

/** Says why a server would not take an object by its CRD: a new one, or one over what is there. */
export function crdAdmission(definitions: Definitions): (object: Manifest, old: Manifest | undefined) => Refusal | undefined {
  const judge = new CrdJudge(definitions);
  return (object, old) => {
    const [fault, ...others] = judge.verdict(object, old)?.faults ?? [];
    const more = others.length === 0 ? '' : ` (and ${counted(others.length, 'further fault')}: ${namedOf(others)})`;
    return fault && { path: fault.path, message: `${wordsOf(fault)}${more}` };
  };
}
