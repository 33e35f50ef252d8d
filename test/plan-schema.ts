import type { ValidateFunction } from 'ajv';
import type { PlanDiff } from '../src/core/document/plan-diff';
import type { PlanDocument } from '../src/core/document/plan-document';
import planSchema from '../schemas/plan-1.2.json';

type DocumentName = 'plan' | 'diff' | 'check' | 'explain' | 'fix' | 'advise';

// `test/setup/compile-schemas.ts` compiled them before the tests. `test/plan/schemas.test.ts` validates the schemas themselves.
const validators = require(process.env.COMPILED_SCHEMAS!) as Readonly<Record<DocumentName, ValidateFunction>>;

function expectValid<T>(document: T, name: DocumentName): T {
  const validate = validators[name];
  if (validate(JSON.parse(JSON.stringify(document)))) return document;
  const errors = (validate.errors ?? []).map(({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`);
  throw new Error([`It does not match schemas/${name}-1.2.json:`, ...errors].join('\n'));
}

interface Schema {
  readonly $ref?: string;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema & { readonly const?: unknown }>>;
}

/** Returns the schema of a value. A simulation has the schema of its kind. */
function schemaFor(value: unknown, schema: Schema): Schema {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.replace('#/$defs/', '') as keyof typeof planSchema.$defs;
    return schemaFor(value, planSchema.$defs[name] as Schema);
  }
  if (schema.anyOf) return schemaFor(value, schema.anyOf[0]!);
  const ofKind = schema.oneOf
    ?.map((one) => schemaFor(value, one))
    .find(({ properties }) => properties?.kind?.const === (value as { kind: string }).kind);
  return ofKind ?? schema;
}

/** Returns the paths whose keys are not in the order of the schema properties. */
function findMisorderedKeys(value: unknown, schema: Schema, place: string): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const { items, properties } = schemaFor(value, schema);
  if (Array.isArray(value))
    return items ? value.flatMap((item: unknown, index) => findMisorderedKeys(item, items, `${place}/${index}`)) : [];
  if (!properties) return [];
  const fields = value as Readonly<Record<string, unknown>>;
  const keys = Object.keys(fields).filter((key) => key in properties);
  const expected = Object.keys(properties).filter((key) => key in fields);
  const ownErrors = keys.join() === expected.join() ? [] : [`${place} has its keys in the order ${keys.join()}`];
  return [...ownErrors, ...keys.flatMap((key) => findMisorderedKeys(fields[key], properties[key]!, `${place}/${key}`))];
}

/**
 * Checks the JSON of a plan against the published schema, including the order of its keys.
 *
 * @returns the plan
 * @throws Error with every schema error
 */
export function expectValidPlan<P extends PlanDocument>(plan: P): P {
  const errors = findMisorderedKeys(JSON.parse(JSON.stringify(plan)), planSchema, '');
  if (errors.length > 0) throw new Error(['Its keys are not in the order of schemas/plan-1.2.json:', ...errors].join('\n'));
  return expectValid(plan, 'plan');
}

/** Checks the difference of two plans against its schema. */
export function expectValidDiff(diff: PlanDiff): PlanDiff {
  return expectValid(diff, 'diff');
}

/** Checks the output of `explain --format json` against its schema. */
export function expectValidExplanation<E>(explanation: E): E {
  return expectValid(explanation, 'explain');
}

/** Checks the output of `fix --format json` against its schema. */
export function expectValidFix<F>(fixes: F): F {
  return expectValid(fixes, 'fix');
}

/** Checks the output of `check --format json` against its schema. */
export function expectValidCheck<C>(check: C): C {
  return expectValid(check, 'check');
}

/** Checks the output of `advise --format json` against its schema. */
export function expectValidAdvice<A>(advice: A): A {
  return expectValid(advice, 'advise');
}
