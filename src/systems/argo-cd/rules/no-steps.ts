import { byChoice, set } from '../../../core/advice';
import { at } from '../../../core/field-path';
import { message, rule } from '../../../core/finding';
import type { Finding } from '../../../core/finding';
import type { Strategy } from '../steps';
import { setWith, step } from './examples';

/** A RollingSync without steps. */
export const noSteps = rule({
  code: 'argo-cd/no-steps',
  since: '0.1.0',
  severity: 'warning',
  fires: 'type is RollingSync, and steps is empty.',
  why: 'The controller then goes by no steps at all: it syncs nothing, and leaves automated sync as the template has it.',
  fix: 'Write steps, or type AllAtOnce.',
  example: setWith(),
  fixed: setWith(...step('dev'), ...step('prod')),
  messages: {
    empty: message<object>({
      text: () => 'type is RollingSync without a step: the controller syncs nothing, and automated sync is left as the template has it.',
      help: () => 'Write steps, or type: AllAtOnce.',
      advice: () => byChoice(set(at`spec.strategy.type`, 'AllAtOnce')),
      sample: {},
    }),
  },
});

export function noStepsFindings(strategy: Strategy): Finding[] {
  if (strategy.type !== 'rolling-sync' || strategy.steps.length > 0) return [];
  return [noSteps.finding('empty', { path: at`spec.strategy.rollingSync.steps`, data: {} })];
}
