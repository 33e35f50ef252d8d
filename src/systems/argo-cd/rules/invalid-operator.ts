import { toFieldPath } from '../../../core/field-path';
import { defineMessage, defineRule } from '../../../core/finding';
import type { Finding } from '../../../core/finding';
import type { Step } from '../steps';
import { renderApplicationSet, renderStep } from './examples';

interface OperatorData {
  readonly step: number;
  readonly operator: string;
}

/** An operator that there is not. */
export const invalidOperator = defineRule({
  code: 'argo-cd/invalid-operator',
  since: '0.1.0',
  severity: 'error',
  fires: 'The operator of a matchExpression is neither In nor NotIn.',
  why: 'The controller logs an error and goes on: Applications that have the label are not selected, and all that do not have it are.',
  fix: 'Write In or NotIn.',
  example: renderApplicationSet('- matchExpressions:', '    - { key: env, operator: Exists }'),
  fixedExample: renderApplicationSet(...renderStep('dev'), ...renderStep('prod')),
  messages: {
    unknown: defineMessage<OperatorData>({
      text: ({ step: number, operator }) =>
        `Step ${number} has the operator "${operator}", which Argo CD does not know: it selects the Applications without the label, and none that has it.`,
      help: () => 'Write In or NotIn, and plan again: the step then selects other Applications, and one that none selects is never synced.',
      sample: { step: 1, operator: 'Exists' },
    }),
  },
});

export function checkInvalidOperator(steps: readonly Step[]): Finding[] {
  return steps.flatMap(({ expressions }, index) =>
    expressions.flatMap(({ operator }, position) => {
      if (operator === 'In' || operator === 'NotIn') return [];
      const path = toFieldPath`spec.strategy.rollingSync.steps[${index}].matchExpressions[${position}].operator`;
      return [invalidOperator.createFinding('unknown', { path, data: { step: index + 1, operator } })];
    }),
  );
}
