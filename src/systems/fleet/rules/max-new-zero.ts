import { suggestManualFix, removeField } from '../../../core/findings/suggested-fix';
import { defineMessage, defineRule } from '../../../core/findings/finding';
import type { Finding } from '../../../core/findings/finding';
import { formatDisplayValue, toDisplayValue } from '../../../core/text/display-value';
import type { DisplayValue } from '../../../core/text/display-value';
import { buildFleetStrategyPath } from '../bundle';
import type { ParsedBundle } from '../bundle';
import { EXAMPLE_CLUSTERS, formatBundleExample } from './example-bundle';

interface MaxNewData {
  /** maxNew, 0 or less. */
  readonly value: DisplayValue;
}

/** Rule about a maxNew with which nothing is ever installed. */
export const maxNewZero = defineRule({
  code: 'fleet/max-new-zero',
  since: '0.1.0',
  severity: 'error',
  fires: 'maxNew is 0 or less.',
  why:
    'Every reconcile creates at most maxNew BundleDeployments. With 0 none is ever created, and Fleet reports no error. ' +
    'A larger maxNew does not slow down an install, because the next reconcile follows at once. The field was added in Fleet 0.16.',
  fix: 'Delete maxNew (the default is 50), or set it to at least 1.',
  example: formatBundleExample('maxUnavailable: 1', 'maxNew: 0') + EXAMPLE_CLUSTERS,
  fixedExample: formatBundleExample('maxUnavailable: 1') + EXAMPLE_CLUSTERS,
  messages: {
    nothingInstalled: defineMessage<MaxNewData>({
      text: ({ value }) =>
        `maxNew is ${formatDisplayValue(value)}: the bundle is never installed on any cluster, and Fleet reports no error.`,
      help: () => 'Delete maxNew, or set it to at least 1. To stop deployments, set paused: true.',
      suggestedFix: (_data, path) => suggestManualFix(removeField(path)),
      sample: { value: 0 },
    }),
  },
});

/** Reports a maxNew of 0 or less. */
export function checkMaxNewZero(bundle: ParsedBundle): Finding[] {
  const { maxNew } = bundle.strategy;
  if (maxNew === undefined || maxNew > 0) return [];
  return [
    maxNewZero.createFinding('nothingInstalled', {
      path: buildFleetStrategyPath(bundle, 'maxNew'),
      data: { value: toDisplayValue(maxNew) },
    }),
  ];
}
