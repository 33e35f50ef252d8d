import { toFieldPath } from '../../../core/manifest/field-path';
import { defineMessage, defineRule } from '../../../core/findings/finding';
import type { Finding } from '../../../core/findings/finding';
import type { Step } from '../steps';
import { renderApplicationSet, renderStep } from './examples';

interface OperatorData {
  readonly step: number;
  readonly operator: string;
}

/** Reports a matchExpression with an operator that Argo CD does not support. */
export const invalidOperator = defineRule({
  code: 'argo-cd/invalid-operator',
  since: '0.1.0',
  severity: 'error',
  fires: 'The operator of a matchExpression is neither In nor NotIn.',
  why: 'The controller logs an error and continues: it does not select Applications with the label, and selects every Application without it.',
  fix: 'Write In or NotIn.',
  example: renderApplicationSet('- matchExpressions:', '    - { key: env, operator: Exists }'),
  fixedExample: renderApplicationSet(...renderStep('dev'), ...renderStep('prod')),
  messages: {
    unknown: defineMessage<OperatorData>({
      text: ({ step: number, operator }) =>
        `Step ${number} has the operator "${operator}", which Argo CD does not support: the expression matches every Application without the label, and none with it.`,
      help: () =>
        'Write In or NotIn and plan again: the step then selects other Applications, and an Application that no step selects is never synced.',
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
