import { suggestManualFix, setField } from '../../../core/findings/suggested-fix';
import { toFieldPath } from '../../../core/manifest/field-path';
import type { FieldPath } from '../../../core/manifest/field-path';
import { defineMessage, defineRule } from '../../../core/findings/finding';
import type { Finding } from '../../../core/findings/finding';
import type { SurgeObstacle } from '../../../cluster/rollout/workload';
import type { LeaderWorkerSetSimulation } from '../../../core/simulations/leaderworkerset';
import { pluralize } from '../../../core/text/text-format';
import { getLwsBehaviour } from '../versions';
import { formatLwsLimits, formatLwsExample } from './examples';

interface OutageData {
  readonly replicas: number;
  readonly surge: number;
  readonly unavailable: number;
  /** Pods of one extra group. */
  readonly size: number;
  /** Whether the system that writes the set has no field for the limits. Unset if it has one. */
  readonly isFixed?: true;
  /** The reason why the only group can't be replaced by surge. */
  readonly obstacle?: Extract<SurgeObstacle, 'insufficient-capacity'>;
  /** Whether this version never creates the surge group of a single one, so that a rollout with it deadlocks. */
  readonly hasNoSurge?: true;
}

const NO_CAPACITY_ADVICE =
  'No setting avoids this for one group, since there is no capacity for a second one next to it. ' +
  'Run two groups, once there is capacity for them, to keep one available.';

const NO_SURGE_ADVICE =
  'Run two groups. From LeaderWorkerSet 0.9 on, maxSurge: 1 and maxUnavailable: 0 keep one group available; before, they deadlock.';

/** Reports rollouts during which no group is available at some point. */
export const lwsOutage = defineRule({
  code: 'lws/outage',
  since: '0.1.0',
  severity: ['warning', 'info', 'error'],
  fires:
    'At some point of the rollout no group of a LeaderWorkerSet is available, also for one that KServe creates. ' +
    'It is an info for a single group without capacity for a second one, ' +
    'and for the single group of an LLMInferenceService that has no field for limits. ' +
    'It is an error if a change brings it: the rollouts of OLD keep a group available.',
  why:
    'The defaults are maxUnavailable 1 and maxSurge 0: one entire group is deleted, and its successor starts once it is gone. ' +
    'A single group is then the only one. Adding maxSurge to maxUnavailable 1 does not help: ' +
    'the controller removes the surge group while one group may be unavailable, so only maxUnavailable 0 makes a new group ready first.',
  fix: 'Write `maxSurge: 1` and `maxUnavailable: 0` if there is capacity for one more group, or run two groups.',
  example: formatLwsExample(1, formatLwsLimits('maxUnavailable: 1')),
  fixedExample: formatLwsExample(1, formatLwsLimits('maxSurge: 1, maxUnavailable: 0')),
  messages: {
    outage: defineMessage<OutageData>({
      text: ({ replicas, surge, unavailable }) =>
        `${pluralize(replicas, 'group')} with maxUnavailable ${unavailable} and maxSurge ${surge}: at some point none is available.`,
      help: ({ replicas, size, isFixed, obstacle, hasNoSurge }) => {
        if (obstacle) return NO_CAPACITY_ADVICE;
        if (isFixed) return `Run ${replicas === 1 ? 'two groups' : 'more groups'}: this version of KServe has no field for the limits.`;
        if (replicas === 1 && hasNoSurge) return NO_SURGE_ADVICE;
        return replicas === 1
          ? `Write maxSurge: 1 and maxUnavailable: 0 if there is capacity for ${pluralize(size, 'extra pod')}, or run two groups.`
          : `Write a maxUnavailable below ${replicas}.`;
      },
      // Only the user knows whether there is capacity for one more group.
      suggestedFix: ({ replicas, isFixed, obstacle }, path) => {
        if (isFixed || obstacle) return undefined;
        return replicas === 1 ? suggestManualFix() : suggestManualFix(setField(toFieldPath`${path}.maxUnavailable`, 1));
      },
      sample: { replicas: 1, surge: 0, unavailable: 1, size: 4 },
      variants: [
        { replicas: 2, surge: 0, unavailable: 2, size: 4 },
        { replicas: 1, surge: 0, unavailable: 1, size: 4, isFixed: true },
        { replicas: 1, surge: 0, unavailable: 1, size: 4, obstacle: 'insufficient-capacity' },
        { replicas: 1, surge: 0, unavailable: 1, size: 4, hasNoSurge: true },
      ],
    }),
  },
});

/**
 * Reports an outage during a rollout.
 *
 * @param limits field path at which the user writes them
 * @param hasCapacity whether there is capacity for one more group, if known
 * @param lws the version of LeaderWorkerSet
 */
export function checkLwsOutage(
  { replicas, surge, unavailable, size, minAvailable, waves }: LeaderWorkerSetSimulation,
  limits: { readonly path: FieldPath; readonly isFixed?: boolean },
  hasCapacity: boolean,
  lws: string,
): Finding[] {
  if (replicas === 0 || waves.length === 0 || minAvailable > 0) return [];
  const obstacle = replicas === 1 && !hasCapacity ? 'insufficient-capacity' : undefined;
  const hasNoSurge = replicas === 1 && getLwsBehaviour(lws).retainedSurge(1, 0) === 0;
  return [
    lwsOutage.createFinding('outage', {
      path: limits.path,
      // The only remedy is another group with all of its nodes.
      ...((obstacle || (limits.isFixed && replicas === 1)) && { severity: 'info' as const }),
      data: {
        replicas,
        surge,
        unavailable,
        size,
        ...(limits.isFixed && { isFixed: true as const }),
        ...(obstacle && { obstacle }),
        ...(hasNoSurge && { hasNoSurge }),
      },
    }),
  ];
}
