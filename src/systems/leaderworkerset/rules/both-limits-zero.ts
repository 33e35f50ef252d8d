import { suggestManualFix, setField } from '../../../core/findings/suggested-fix';
import { toFieldPath } from '../../../core/manifest/field-path';
import { defineMessage, defineRule } from '../../../core/findings/finding';
import type { Finding } from '../../../core/findings/finding';
import { toDisplayValue, formatDisplayValue } from '../../../core/text/display-value';
import type { DisplayValue } from '../../../core/text/display-value';
import { pluralize } from '../../../core/text/text-format';
import { LWS_CONFIGURATION_PATH } from '../../../workloads/leader-worker-set/strategy';
import type { LeaderWorkerSetStrategy } from '../../../workloads/leader-worker-set/strategy';
import type { GroupLimits } from '../../../workloads/leader-worker-set/reconcile';
import { formatLwsLimits, formatLwsExample } from '../../../workloads/leader-worker-set/rules/examples';

interface ZeroLimitsData {
  readonly maxUnavailable: DisplayValue;
  readonly maxSurge: DisplayValue;
  readonly replicas: number;
}

/** Rule about limits that both resolve to 0 groups. */
export const bothLimitsZero = defineRule({
  code: 'lws/both-limits-zero',
  since: '0.1.0',
  severity: 'error',
  fires: 'maxUnavailable and maxSurge of a LeaderWorkerSet both resolve to 0 groups.',
  why:
    'The webhook resolves both limits with the replicas of the spec. maxUnavailable is rounded down, so 10% of 5 groups is 0. ' +
    'A Deployment would get one unavailable pod, but a LeaderWorkerSet is refused. The same object can be accepted with another number of replicas.',
  fix: 'Set `maxUnavailable: 1`, or maxSurge to at least 1.',
  example: formatLwsExample(5, formatLwsLimits('maxSurge: 0, maxUnavailable: 10%')),
  fixedExample: formatLwsExample(5, formatLwsLimits('maxSurge: 0, maxUnavailable: 1')),
  messages: {
    zero: defineMessage<ZeroLimitsData>({
      text: ({ maxUnavailable, maxSurge, replicas }) =>
        `maxUnavailable ${formatDisplayValue(maxUnavailable)} and maxSurge ${formatDisplayValue(maxSurge)} both resolve to 0 for ${pluralize(replicas, 'group')}, so the webhook refuses the object.`,
      help: () => 'Set maxUnavailable: 1, or maxSurge: 1 to create a new group before an old one is deleted.',
      suggestedFix: (_data, path) => suggestManualFix(setField(path, 1)),
      sample: { maxUnavailable: '10%', maxSurge: 0, replicas: 5 },
      variants: [{ maxUnavailable: 0, maxSurge: 0, replicas: 1 }],
    }),
  },
});

/**
 * Reports limits with which no group could be replaced.
 *
 * With 0 replicas nothing is reported, because the webhook does not check the limits.
 */
export function checkBothLimitsZero(
  { rollingUpdateConfiguration: { maxUnavailable, maxSurge } }: LeaderWorkerSetStrategy,
  { replicas, surge, unavailable }: GroupLimits,
): Finding[] {
  if (replicas === 0 || surge > 0 || unavailable > 0) return [];
  const data = { maxUnavailable: toDisplayValue(maxUnavailable), maxSurge: toDisplayValue(maxSurge), replicas };
  return [bothLimitsZero.createFinding('zero', { path: toFieldPath`${LWS_CONFIGURATION_PATH}.maxUnavailable`, data })];
}
