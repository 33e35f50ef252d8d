import { byChoice } from '../../../core/advice';
import { at } from '../../../core/field-path';
import { message, rule } from '../../../core/finding';
import type { Finding } from '../../../core/finding';
import { FLAG } from '../steps';
import { setWith, step } from './examples';

/** A RollingSync whose controller does not go by steps, or of which that is not known. */
export const progressiveSyncsOff = rule({
  code: 'argo-cd/progressive-syncs-off',
  since: '0.1.0',
  severity: ['warning', 'info'],
  fires: `The strategy is RollingSync, and ${FLAG.configMap} does not switch the controller's flag on; an info where that ConfigMap is not in view.`,
  why: 'Without --enable-progressive-syncs the controller passes the strategy over in silence: all Applications sync at once.',
  fix: `Write "${FLAG.key}: "true"" into ${FLAG.configMap}, and restart the controller.`,
  example: setWith(...step('dev'), ...step('prod')).replace('"true"', '"false"'),
  fixed: setWith(...step('dev'), ...step('prod')),
  messages: {
    off: message<object>({
      text: () =>
        `${FLAG.configMap} does not switch progressive syncs on: the controller passes RollingSync over in silence, and all Applications sync at once.`,
      help: () =>
        `Write ${FLAG.key}: "true" into ${FLAG.configMap}, and restart the ApplicationSet controller; ` +
        'plan every ApplicationSet with that first, for an Application that no step selects is then never synced.',
      // The flag is that of all ApplicationSets of the controller.
      advice: () => byChoice(),
      sample: {},
    }),
    assumed: message<object>({
      text: () =>
        `The ConfigMap ${FLAG.configMap} is not in view: the plan takes the controller to run with --enable-progressive-syncs. Without it all Applications sync at once.`,
      help: () => `Give ${FLAG.configMap} to the plan as well.`,
      sample: {},
    }),
  },
});

/** @param isOn is the flag on? Undefined where that is not known */
export function flagFindings(isOn: boolean | undefined): Finding[] {
  const path = at`spec.strategy.type`;
  if (isOn === undefined) return [progressiveSyncsOff.finding('assumed', { path, severity: 'info', data: {} })];
  return isOn ? [] : [progressiveSyncsOff.finding('off', { path, data: {} })];
}
