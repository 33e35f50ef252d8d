import { at } from '../../../core/field-path';
import { message, rule } from '../../../core/finding';
import type { Finding } from '../../../core/finding';
import type { Step } from '../steps';
import { setWith, step } from './examples';

interface OperatorData {
  readonly step: number;
  readonly operator: string;
}

/** An operator that there is not. */
export const invalidOperator = rule({
  code: 'argo-cd/invalid-operator',
  since: '0.1.0',
  severity: 'error',
  fires: 'The operator of a matchExpression is neither In nor NotIn.',
  why: 'The controller logs an error and goes on: Applications that have the label are not selected, and all that do not have it are.',
  fix: 'Write In or NotIn.',
  example: setWith('- matchExpressions:', '    - { key: env, operator: Exists }'),
  fixed: setWith(...step('dev'), ...step('prod')),
  messages: {
    unknown: message<OperatorData>({
      text: ({ step: number, operator }) =>
        `Step ${number} has the operator "${operator}", which Argo CD does not know: it selects the Applications without the label, and none that has it.`,
      help: () => 'Write In or NotIn, and plan again: the step then selects other Applications, and one that none selects is never synced.',
      sample: { step: 1, operator: 'Exists' },
    }),
  },
});

export function operatorFindings(steps: readonly Step[]): Finding[] {
  return steps.flatMap(({ expressions }, index) =>
    expressions.flatMap(({ operator }, position) => {
      if (operator === 'In' || operator === 'NotIn') return [];
      const path = at`spec.strategy.rollingSync.steps[${index}].matchExpressions[${position}].operator`;
      return [invalidOperator.finding('unknown', { path, data: { step: index + 1, operator } })];
    }),
  );
}
