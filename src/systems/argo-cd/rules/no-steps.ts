import { suggestManualFix, setField } from '../../../core/findings/suggested-fix';
import { toFieldPath } from '../../../core/manifest/field-path';
import { defineMessage, defineRule } from '../../../core/findings/finding';
import type { Finding } from '../../../core/findings/finding';
import type { ApplicationSetStrategy } from '../steps';
import { renderApplicationSet, renderStep } from './examples';

/** Reports a RollingSync without steps. */
export const noSteps = defineRule({
  code: 'argo-cd/no-steps',
  since: '0.1.0',
  severity: 'warning',
  fires: 'The strategy type is RollingSync and steps is empty.',
  why: 'Without steps the controller syncs nothing, and leaves automated sync as the template sets it.',
  fix: 'Write steps, or set type: AllAtOnce.',
  example: renderApplicationSet(),
  fixedExample: renderApplicationSet(...renderStep('dev'), ...renderStep('prod')),
  messages: {
    empty: defineMessage<object>({
      text: () =>
        'type is RollingSync, but there are no steps: the controller syncs nothing, and leaves automated sync as the template sets it.',
      help: () => 'Write steps, or set type: AllAtOnce.',
      suggestedFix: () => suggestManualFix(setField(toFieldPath`spec.strategy.type`, 'AllAtOnce')),
      sample: {},
    }),
  },
});

export function checkNoSteps(strategy: ApplicationSetStrategy): Finding[] {
  if (strategy.type !== 'rolling-sync' || strategy.steps.length > 0) return [];
  return [noSteps.createFinding('empty', { path: toFieldPath`spec.strategy.rollingSync.steps`, data: {} })];
}
