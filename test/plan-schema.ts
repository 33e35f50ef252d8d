import Ajv2020 from 'ajv/dist/2020';
import type { PlanDiff } from '../src/core/plan-diff';
import type { PlanDocument } from '../src/core/plan-document';
import checkSchema from '../schemas/check-1.2.json';
import diffSchema from '../schemas/diff-1.2.json';
import explainSchema from '../schemas/explain-1.2.json';
import fixSchema from '../schemas/fix-1.2.json';
import planSchema from '../schemas/plan-1.2.json';

// Most tests hold plans alone, each a few: a schema is compiled once it is asked for, and not for speed. `test/plan/schemas.test.ts` holds the schemas themselves.
const ajv = new Ajv2020({
  strict: true,
  validateSchema: false,
  allErrors: true,
  code: { optimize: false },
  schemas: [planSchema, diffSchema, checkSchema, explainSchema, fixSchema],
});

function expectValid<T>(document: T, { $id }: { readonly $id: string }, name: string): T {
  const validate = ajv.getSchema($id)!;
  if (validate(JSON.parse(JSON.stringify(document)))) return document;
  const departures = (validate.errors ?? []).map(
    ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
  );
  throw new Error([`It departs from ${name}:`, ...departures].join('\n'));
}

interface Schema {
  readonly $ref?: string;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema & { readonly const?: unknown }>>;
}

/** The schema that describes this value: a simulation's is the one of its kind. */
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

/** The places whose keys stand in another order than the properties of the schema, which is that of the contract. */
function misordered(value: unknown, schema: Schema, place: string): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const { items, properties } = schemaFor(value, schema);
  if (Array.isArray(value)) return items ? value.flatMap((item: unknown, index) => misordered(item, items, `${place}/${index}`)) : [];
  if (!properties) return [];
  const fields = value as Readonly<Record<string, unknown>>;
  const keys = Object.keys(fields).filter((key) => key in properties);
  const expected = Object.keys(properties).filter((key) => key in fields);
  const here = keys.join() === expected.join() ? [] : [`${place} has its keys in the order ${keys.join()}`];
  return [...here, ...keys.flatMap((key) => misordered(fields[key], properties[key]!, `${place}/${key}`))];
}

/**
 * Checks a plan against the published schema, as it looks once it is JSON, and the order of its keys against that of the schema.
 *
 * @returns the plan, so that a test can go on with it
 * @throws with every place where the plan departs from the schema
 */
export function expectValidPlan<P extends PlanDocument>(plan: P): P {
  const departures = misordered(JSON.parse(JSON.stringify(plan)), planSchema, '');
  if (departures.length > 0) throw new Error(['It departs from the order of schemas/plan-1.2.json:', ...departures].join('\n'));
  return expectValid(plan, planSchema, 'schemas/plan-1.2.json');
}

/** The same for the difference of two plans. */
export function expectValidDiff(diff: PlanDiff): PlanDiff {
  return expectValid(diff, diffSchema, 'schemas/diff-1.2.json');
}

/** The same for what `explain --format json` prints. */
export function expectValidExplanation<E>(explanation: E): E {
  return expectValid(explanation, explainSchema, 'schemas/explain-1.2.json');
}

/** The same for what `fix --format json` prints. */
export function expectValidFix<F>(fixes: F): F {
  return expectValid(fixes, fixSchema, 'schemas/fix-1.2.json');
}

/** The same for what `check --format json` prints. */
export function expectValidCheck<C>(check: C): C {
  return expectValid(check, checkSchema, 'schemas/check-1.2.json');
}
