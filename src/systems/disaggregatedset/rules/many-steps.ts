import { at } from '../../../core/field-path';
import { message, rule } from '../../../core/finding';
import type { Finding } from '../../../core/finding';
import { rolesText } from './examples';

interface StepsData {
  readonly steps: number;
  readonly most: number;
}

/** More steps than a plan goes through. */
export const manySteps = rule({
  code: 'lws/many-steps',
  since: '0.1.0',
  severity: 'info',
  fires: 'The rollout of a DisaggregatedSet has so many steps that the plan does not go through them.',
  why: 'The steps of the roles depend on each other, so that each of them has to be gone through, and a plan is to be there at once.',
  fix: 'Write a larger maxSurge, which makes fewer steps, or plan with fewer groups.',
  example: rolesText(6000, 2),
  fixed: rolesText(6000, 2, 'maxSurge: 100, maxUnavailable: 0'),
  messages: {
    many: message<StepsData>({
      text: ({ steps, most }) => `The rollout has ${steps} steps, and the plan goes through ${most} at most: it shows none.`,
      help: () => 'Write a larger maxSurge, or plan with fewer groups.',
      sample: { steps: 6000, most: 5000 },
    }),
  },
});

/** Steps that are gone through. */
const MOST_STEPS = 5_000;

/** The finding about a rollout that is too long to be gone through. */
export function manyStepsFindings(steps: number): Finding[] {
  return steps > MOST_STEPS ? [manySteps.finding('many', { path: at`spec.roles`, data: { steps, most: MOST_STEPS } })] : [];
}
