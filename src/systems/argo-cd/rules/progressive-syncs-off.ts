import { suggestManualFix } from '../../../core/findings/suggested-fix';
import { toFieldPath } from '../../../core/manifest/field-path';
import { defineMessage, defineRule } from '../../../core/findings/finding';
import type { Finding } from '../../../core/findings/finding';
import { PROGRESSIVE_SYNCS_FLAG } from '../steps';
import { renderApplicationSet, renderStep } from './examples';

/** Reports a RollingSync whose controller ignores steps, or may ignore them. */
export const progressiveSyncsOff = defineRule({
  code: 'argo-cd/progressive-syncs-off',
  since: '0.1.0',
  severity: ['warning', 'info'],
  fires: `The strategy is RollingSync, and ${PROGRESSIVE_SYNCS_FLAG.configMap} does not enable progressive syncs (an info if that ConfigMap is not in the input).`,
  why: 'Without --enable-progressive-syncs the controller silently ignores the strategy: all Applications sync at once.',
  fix: `Set \`${PROGRESSIVE_SYNCS_FLAG.key}: "true"\` in ${PROGRESSIVE_SYNCS_FLAG.configMap} and restart the controller.`,
  example: renderApplicationSet(...renderStep('dev'), ...renderStep('prod')).replace('"true"', '"false"'),
  fixedExample: renderApplicationSet(...renderStep('dev'), ...renderStep('prod')),
  messages: {
    off: defineMessage<object>({
      text: () =>
        `${PROGRESSIVE_SYNCS_FLAG.configMap} does not enable progressive syncs: the controller silently ignores RollingSync, and all Applications sync at once.`,
      help: () =>
        `Set ${PROGRESSIVE_SYNCS_FLAG.key}: "true" in ${PROGRESSIVE_SYNCS_FLAG.configMap} and restart the ApplicationSet controller. ` +
        'First plan every ApplicationSet with that setting: an Application that no step selects is then never synced.',
      // The flag applies to every ApplicationSet of the controller.
      suggestedFix: () => suggestManualFix(),
      sample: {},
    }),
    assumed: defineMessage<object>({
      text: () =>
        `The ConfigMap ${PROGRESSIVE_SYNCS_FLAG.configMap} is not in the input: the plan assumes that the controller runs with --enable-progressive-syncs. Without it, all Applications sync at once.`,
      help: () => `Add ${PROGRESSIVE_SYNCS_FLAG.configMap} to the input.`,
      sample: {},
    }),
  },
});

/** @param isOn - whether the flag is on. Undefined if unknown */
export function checkProgressiveSyncsOff(isOn: boolean | undefined): Finding[] {
  const path = toFieldPath`spec.strategy.type`;
  if (isOn === undefined) return [progressiveSyncsOff.createFinding('assumed', { path, severity: 'info', data: {} })];
  return isOn ? [] : [progressiveSyncsOff.createFinding('off', { path, data: {} })];
}
