import { suggestManualFix, setField } from '../../../core/suggested-fix';
import { toFieldPath } from '../../../core/field-path';
import { defineMessage, defineRule } from '../../../core/finding';
import type { Finding } from '../../../core/finding';
import { toDisplayValue, formatDisplayValue } from '../../../core/display-value';
import type { DisplayValue } from '../../../core/display-value';
import { pluralize } from '../../../core/text-format';
import { LWS_CONFIGURATION_PATH } from '../../../workloads/leader-worker-set/strategy';
import type { LeaderWorkerSetStrategy } from '../../../workloads/leader-worker-set/strategy';
import type { GroupLimits } from '../../../workloads/leader-worker-set/reconcile';
import { formatLwsLimits, formatLwsExample } from '../../../workloads/leader-worker-set/rules/examples';

interface ZeroLimitsData {
  readonly maxUnavailable: DisplayValue;
  readonly maxSurge: DisplayValue;
  readonly replicas: number;
}

/** Limits that both come to no group. */
export const bothLimitsZero = defineRule({
  code: 'lws/both-limits-zero',
  since: '0.1.0',
  severity: 'error',
  fires: 'maxUnavailable and maxSurge of a LeaderWorkerSet both come to 0 groups.',
  why:
    'The webhook resolves both limits at the replicas that are written: maxUnavailable is rounded down, so that 10% of 5 groups is none. ' +
    'A Deployment would be given one unavailable pod; a LeaderWorkerSet is refused. The same object is taken at another number of replicas.',
  fix: 'Write `maxUnavailable: 1`, or a maxSurge of at least 1.',
  example: formatLwsExample(5, formatLwsLimits('maxSurge: 0, maxUnavailable: 10%')),
  fixedExample: formatLwsExample(5, formatLwsLimits('maxSurge: 0, maxUnavailable: 1')),
  messages: {
    zero: defineMessage<ZeroLimitsData>({
      text: ({ maxUnavailable, maxSurge, replicas }) =>
        `maxUnavailable ${formatDisplayValue(maxUnavailable)} and maxSurge ${formatDisplayValue(maxSurge)} of ${pluralize(replicas, 'group')} are both 0 groups, which the webhook refuses.`,
      help: () => 'Write maxUnavailable: 1, or maxSurge: 1 to have a new group before an old one goes.',
      suggestedFix: (_data, path) => suggestManualFix(setField(path, 1)),
      sample: { maxUnavailable: '10%', maxSurge: 0, replicas: 5 },
      variants: [{ maxUnavailable: 0, maxSurge: 0, replicas: 1 }],
    }),
  },
});

/** Limits under which no group could go. Nothing for 0 replicas, of which the webhook asks nothing. */
export function checkBothLimitsZero(
  { rollingUpdateConfiguration: { maxUnavailable, maxSurge } }: LeaderWorkerSetStrategy,
  { replicas, surge, unavailable }: GroupLimits,
): Finding[] {
  if (replicas === 0 || surge > 0 || unavailable > 0) return [];
  const data = { maxUnavailable: toDisplayValue(maxUnavailable), maxSurge: toDisplayValue(maxSurge), replicas };
  return [bothLimitsZero.createFinding('zero', { path: toFieldPath`${LWS_CONFIGURATION_PATH}.maxUnavailable`, data })];
}
