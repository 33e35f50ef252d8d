import Ajv2020 from 'ajv/dist/2020';
import type { ValidateFunction } from 'ajv/dist/2020';
import type { PlanDiff } from '../src/core/plan-diff';
import type { PlanDocument } from '../src/core/plan-document';
import diffSchema from '../schemas/diff-1.0.json';
import planSchema from '../schemas/plan-1.0.json';

const ajv = new Ajv2020({ strict: true, allErrors: true });
const validatePlan = ajv.compile(planSchema);
const validateDiff = ajv.compile(diffSchema);

function expectValid<T>(document: T, validate: ValidateFunction, schema: string): T {
  if (validate(JSON.parse(JSON.stringify(document)))) return document;
  const departures = (validate.errors ?? []).map(({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`);
  throw new Error([`It departs from ${schema}:`, ...departures].join('\n'));
}

/**
 * Checks a plan against the published schema, as it looks once it is JSON.
 *
 * @returns the plan, so that a test can go on with it
 * @throws with every place where the plan departs from the schema
 */
export function expectValidPlan<P extends PlanDocument>(plan: P): P {
  return expectValid(plan, validatePlan, 'schemas/plan-1.0.json');
}

/** The same for the difference of two plans. */
export function expectValidDiff(diff: PlanDiff): PlanDiff {
  return expectValid(diff, validateDiff, 'schemas/diff-1.0.json');
}
