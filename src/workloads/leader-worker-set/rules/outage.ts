import { suggestManualFix, setField } from '../../../core/suggested-fix';
import { toFieldPath } from '../../../core/field-path';
import type { FieldPath } from '../../../core/field-path';
import { defineMessage, defineRule } from '../../../core/finding';
import type { Finding } from '../../../core/finding';
import type { SurgeObstacle } from '../../../cluster/workload';
import type { LeaderWorkerSetSimulation } from '../../../core/simulations/leaderworkerset';
import { pluralize } from '../../../core/text-format';
import { formatLwsLimits, formatLwsExample } from './examples';

interface OutageData {
  readonly replicas: number;
  readonly surge: number;
  readonly unavailable: number;
  /** Pods of one group more. */
  readonly size: number;
  /** Does whoever writes the set leave no field for the limits? Absent where not. */
  readonly isFixed?: true;
  /** Why the only group can't be replaced by surge. */
  readonly obstacle?: Extract<SurgeObstacle, 'insufficient-capacity'>;
}

const NO_CAPACITY_ADVICE =
  'Nothing better can be written for one group, since there is no room for a second one beside it; ' +
  'two groups, once there is room for them, keep one available.';

/** No group is available for a time. */
export const lwsOutage = defineRule({
  code: 'lws/outage',
  since: '0.1.0',
  severity: ['warning', 'info'],
  fires:
    'No group of a LeaderWorkerSet, be it one that KServe makes, is available at some time of its rollout; ' +
    'an info for one group beside which there is no room for another, ' +
    'and for that of an LLMInferenceService for which no limits can be written.',
  why:
    'The defaults are maxUnavailable 1 and maxSurge 0: one group goes as a whole, and its successor starts when it is gone. ' +
    'With one group that is all there is. A maxSurge beside maxUnavailable 1 does not help there: ' +
    'the surge group is given back while one group may be unavailable, so that only maxUnavailable 0 has a new group ready first.',
  fix: 'Write `maxSurge: 1` and `maxUnavailable: 0` where there is room for one group more, or run two groups.',
  example: formatLwsExample(1, formatLwsLimits('maxUnavailable: 1')),
  fixedExample: formatLwsExample(1, formatLwsLimits('maxSurge: 1, maxUnavailable: 0')),
  messages: {
    outage: defineMessage<OutageData>({
      text: ({ replicas, surge, unavailable }) =>
        `${pluralize(replicas, 'group')} with maxUnavailable ${unavailable} and maxSurge ${surge}: at some time none is available.`,
      help: ({ replicas, size, isFixed, obstacle }) => {
        if (obstacle) return NO_CAPACITY_ADVICE;
        if (isFixed) return `Run ${replicas === 1 ? 'two groups' : 'more groups'}: this version of KServe has no field for the limits.`;
        return replicas === 1
          ? `Write maxSurge: 1 and maxUnavailable: 0 where there is room for ${pluralize(size, 'pod')} more at once, or run two groups.`
          : `Write a maxUnavailable below ${replicas}.`;
      },
      // Whether there is room for a group more, somebody has to know.
      suggestedFix: ({ replicas, isFixed, obstacle }, path) => {
        if (isFixed || obstacle) return undefined;
        return replicas === 1 ? suggestManualFix() : suggestManualFix(setField(toFieldPath`${path}.maxUnavailable`, 1));
      },
      sample: { replicas: 1, surge: 0, unavailable: 1, size: 4 },
      variants: [
        { replicas: 2, surge: 0, unavailable: 2, size: 4 },
        { replicas: 1, surge: 0, unavailable: 1, size: 4, isFixed: true },
        { replicas: 1, surge: 0, unavailable: 1, size: 4, obstacle: 'insufficient-capacity' },
      ],
    }),
  },
});

/**
 * An outage in the middle of a rollout.
 *
 * @param limits where the user writes them
 * @param hasRoom is there room for a group more, as far as is known?
 */
export function checkLwsOutage(
  { replicas, surge, unavailable, size, minAvailable, waves }: LeaderWorkerSetSimulation,
  limits: { readonly path: FieldPath; readonly isFixed?: boolean },
  hasCapacity: boolean,
): Finding[] {
  if (replicas === 0 || waves.length === 0 || minAvailable > 0) return [];
  const obstacle = replicas === 1 && !hasCapacity ? 'insufficient-capacity' : undefined;
  return [
    lwsOutage.createFinding('outage', {
      path: limits.path,
      // Nothing can be written but a group more, with all of its nodes.
      ...((obstacle || (limits.isFixed && replicas === 1)) && { severity: 'info' as const }),
      data: { replicas, surge, unavailable, size, ...(limits.isFixed && { isFixed: true as const }), ...(obstacle && { obstacle }) },
    }),
  ];
}
