import Ajv2020 from 'ajv/dist/2020';
import type { PlanDocument } from '../src/core/plan-document';
import schema from '../schemas/plan-1.0.json';

const validate = new Ajv2020({ strict: true, allErrors: true }).compile(schema);

/**
 * Checks a plan against the published schema, as it looks once it is JSON.
 *
 * @returns the plan, so that a test can go on with it
 * @throws with every place where the plan departs from the schema
 */
export function expectValidPlan<P extends PlanDocument>(plan: P): P {
  if (validate(JSON.parse(JSON.stringify(plan)))) return plan;
  const departures = (validate.errors ?? []).map(({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`);
  throw new Error(['The plan departs from schemas/plan-1.0.json:', ...departures].join('\n'));
}
