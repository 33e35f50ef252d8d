import { toFieldPath, appendToPath } from '../../../core/manifest/field-path';
import { suggestManualFix, removeField } from '../../../core/findings/suggested-fix';
import { defineMessage, defineRule } from '../../../core/findings/finding';
import type { Finding } from '../../../core/findings/finding';
import { getFieldsAt } from '../../../core/manifest/manifest';
import type { Manifest } from '../../../core/manifest/manifest';
import { toDisplayValue, formatDisplayValue } from '../../../core/text/display-value';
import type { DisplayValue } from '../../../core/text/display-value';
import { pluralize } from '../../../core/text/text-format';
import { renderRoutedRollout } from './examples';

interface UnusedData {
  readonly field: string;
  readonly value: DisplayValue;
  /** The highest number of pods at once. */
  readonly peakPods: number;
  readonly replicas: number;
}

/** Reports limits of a routed canary, which have no effect. */
export const unusedLimits = defineRule({
  code: 'argo-rollouts/unused-limits',
  since: '0.1.0',
  severity: 'warning',
  fires: 'A canary with trafficRouting sets maxSurge or maxUnavailable.',
  why:
    'With a router the stable version keeps all of its pods and the canary has the pods for its weight, so at the end twice as many run, ' +
    'whatever maxSurge is. maxUnavailable applies only to restarts. (argo-rollouts #430, #2239, #3284)',
  fix: 'Delete the field. To run fewer pods, use `dynamicStableScale: true`, which scales the stable version down as the weight moves, or setCanaryScale, which scales the canary.',
  example: renderRoutedRollout('maxSurge: 1'),
  fixedExample: renderRoutedRollout('dynamicStableScale: true'),
  messages: {
    routed: defineMessage<UnusedData>({
      text: ({ field, value, peakPods, replicas }) =>
        `${field} is ${formatDisplayValue(value)}, but has no effect on a canary with trafficRouting: up to ${pluralize(peakPods, 'pod')} run at once for ${pluralize(replicas, 'replica')}.`,
      help: ({ field }) => `Delete ${field}. With dynamicStableScale: true the stable version is scaled down as the weight moves.`,
      suggestedFix: (_data, path) => suggestManualFix(removeField(path)),
      sample: { field: 'maxSurge', value: 1, peakPods: 8, replicas: 4 },
    }),
  },
});

/** Reports limits that are set and have no effect. */
export function checkUnusedLimits(rollout: Manifest, replicas: number, peakPods: number): Finding[] {
  const canary = getFieldsAt(rollout, 'spec', 'strategy', 'canary');
  return (['maxSurge', 'maxUnavailable'] as const).flatMap((field) => {
    const value = canary[field];
    if (value === undefined || value === null) return [];
    const data = { field, value: toDisplayValue(value), peakPods, replicas };
    return [unusedLimits.createFinding('routed', { path: appendToPath(toFieldPath`spec.strategy.canary`, field), data })];
  });
}
