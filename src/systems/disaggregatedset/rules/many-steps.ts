import { toFieldPath } from '../../../core/field-path';
import { defineMessage, defineRule } from '../../../core/finding';
import type { Finding } from '../../../core/finding';
import { formatRolesExample } from './examples';

interface StepsData {
  readonly steps: number;
  readonly max: number;
}

/** More steps than a plan goes through. */
export const manySteps = defineRule({
  code: 'lws/many-steps',
  since: '0.1.0',
  severity: 'info',
  fires: 'The rollout of a DisaggregatedSet has so many steps that the plan does not go through them.',
  why: 'The steps of the roles depend on each other, so that each of them has to be gone through, and a plan is to be there at once.',
  fix: 'Write a larger maxSurge, which makes fewer steps, or plan with fewer groups.',
  example: formatRolesExample(6000, 2),
  fixedExample: formatRolesExample(6000, 2, 'maxSurge: 100, maxUnavailable: 0'),
  messages: {
    many: defineMessage<StepsData>({
      text: ({ steps, max }) => `The rollout has ${steps} steps, and the plan goes through ${max} at most: it shows none.`,
      help: () => 'Write a larger maxSurge, or plan with fewer groups.',
      sample: { steps: 6000, max: 5000 },
    }),
  },
});

/** Steps that are gone through. */
const MAX_STEPS = 5_000;

/** The finding about a rollout that is too long to be gone through. */
export function checkManySteps(steps: number): Finding[] {
  return steps > MAX_STEPS ? [manySteps.createFinding('many', { path: toFieldPath`spec.roles`, data: { steps, max: MAX_STEPS } })] : [];
}
