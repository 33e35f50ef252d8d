import { toFieldPath } from '../../../core/manifest/field-path';
import { defineMessage, defineRule } from '../../../core/findings/finding';
import type { Finding } from '../../../core/findings/finding';
import { formatRolesExample } from './examples';

interface StepsData {
  readonly steps: number;
  readonly max: number;
}

/** Rule about a rollout with more steps than a plan simulates. */
export const manySteps = defineRule({
  code: 'lws/many-steps',
  since: '0.1.0',
  severity: 'info',
  fires: 'The rollout of a DisaggregatedSet has too many steps to simulate.',
  why: 'The steps of the roles depend on each other, so each step must be simulated. A limit keeps the plan fast.',
  fix: 'Raise maxSurge, which gives fewer steps, or plan with fewer groups.',
  example: formatRolesExample(6000, 2),
  fixedExample: formatRolesExample(6000, 2, 'maxSurge: 100, maxUnavailable: 0'),
  messages: {
    many: defineMessage<StepsData>({
      text: ({ steps, max }) => `The rollout has ${steps} steps, but the plan simulates at most ${max}, so it shows none.`,
      help: () => 'Raise maxSurge, or plan with fewer groups.',
      sample: { steps: 6000, max: 5000 },
    }),
  },
});

/** Maximum number of simulated steps. */
const MAX_STEPS = 5_000;

/** Reports a rollout that has too many steps to simulate. */
export function checkManySteps(steps: number): Finding[] {
  return steps > MAX_STEPS ? [manySteps.createFinding('many', { path: toFieldPath`spec.roles`, data: { steps, max: MAX_STEPS } })] : [];
}
