import { suggestManualFix } from '../../../core/suggested-fix';
import { toFieldPath } from '../../../core/field-path';
import { defineMessage, defineRule } from '../../../core/finding';
import type { Finding } from '../../../core/finding';
import { PROGRESSIVE_SYNCS_FLAG } from '../steps';
import { renderApplicationSet, renderStep } from './examples';

/** A RollingSync whose controller does not go by steps, or of which that is not known. */
export const progressiveSyncsOff = defineRule({
  code: 'argo-cd/progressive-syncs-off',
  since: '0.1.0',
  severity: ['warning', 'info'],
  fires: `The strategy is RollingSync, and ${PROGRESSIVE_SYNCS_FLAG.configMap} does not switch the controller's flag on; an info where that ConfigMap is not in view.`,
  why: 'Without --enable-progressive-syncs the controller passes the strategy over in silence: all Applications sync at once.',
  fix: `Write "${PROGRESSIVE_SYNCS_FLAG.key}: "true"" into ${PROGRESSIVE_SYNCS_FLAG.configMap}, and restart the controller.`,
  example: renderApplicationSet(...renderStep('dev'), ...renderStep('prod')).replace('"true"', '"false"'),
  fixedExample: renderApplicationSet(...renderStep('dev'), ...renderStep('prod')),
  messages: {
    off: defineMessage<object>({
      text: () =>
        `${PROGRESSIVE_SYNCS_FLAG.configMap} does not switch progressive syncs on: the controller passes RollingSync over in silence, and all Applications sync at once.`,
      help: () =>
        `Write ${PROGRESSIVE_SYNCS_FLAG.key}: "true" into ${PROGRESSIVE_SYNCS_FLAG.configMap}, and restart the ApplicationSet controller; ` +
        'plan every ApplicationSet with that first, for an Application that no step selects is then never synced.',
      // The flag is that of all ApplicationSets of the controller.
      suggestedFix: () => suggestManualFix(),
      sample: {},
    }),
    assumed: defineMessage<object>({
      text: () =>
        `The ConfigMap ${PROGRESSIVE_SYNCS_FLAG.configMap} is not in view: the plan takes the controller to run with --enable-progressive-syncs. Without it all Applications sync at once.`,
      help: () => `Give ${PROGRESSIVE_SYNCS_FLAG.configMap} to the plan as well.`,
      sample: {},
    }),
  },
});

/** @param isOn is the flag on? Undefined where that is not known */
export function checkProgressiveSyncsOff(isOn: boolean | undefined): Finding[] {
  const path = toFieldPath`spec.strategy.type`;
  if (isOn === undefined) return [progressiveSyncsOff.createFinding('assumed', { path, severity: 'info', data: {} })];
  return isOn ? [] : [progressiveSyncsOff.createFinding('off', { path, data: {} })];
}
