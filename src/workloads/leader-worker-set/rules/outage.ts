import { byChoice, set } from '../../../core/advice';
import { at } from '../../../core/field-path';
import type { FieldPath } from '../../../core/field-path';
import { message, rule } from '../../../core/finding';
import type { Finding } from '../../../core/finding';
import type { SurgeObstacle } from '../../../cluster/workload';
import type { LeaderWorkerSetSimulation } from '../../../core/simulations/leaderworkerset';
import { counted } from '../../../core/words';
import { limitsText, setText } from './examples';

interface OutageData {
  readonly replicas: number;
  readonly surge: number;
  readonly unavailable: number;
  /** Pods of one group more. */
  readonly size: number;
  /** Does whoever writes the set leave no field for the limits? Absent where not. */
  readonly isFixed?: true;
  /** Why the only group can't be replaced by surge. */
  readonly obstacle?: Extract<SurgeObstacle, 'no-room'>;
}

const NO_ROOM_ADVICE =
  'Nothing better can be written for one group, since there is no room for a second one beside it; ' +
  'two groups, once there is room for them, keep one available.';

/** No group is available for a time. */
export const groupOutage = rule({
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
  example: setText(1, limitsText('maxUnavailable: 1')),
  fixed: setText(1, limitsText('maxSurge: 1, maxUnavailable: 0')),
  messages: {
    outage: message<OutageData>({
      text: ({ replicas, surge, unavailable }) =>
        `${counted(replicas, 'group')} with maxUnavailable ${unavailable} and maxSurge ${surge}: at some time none is available.`,
      help: ({ replicas, size, isFixed, obstacle }) => {
        if (obstacle) return NO_ROOM_ADVICE;
        if (isFixed) return `Run ${replicas === 1 ? 'two groups' : 'more groups'}: this version of KServe has no field for the limits.`;
        return replicas === 1
          ? `Write maxSurge: 1 and maxUnavailable: 0 where there is room for ${counted(size, 'pod')} more at once, or run two groups.`
          : `Write a maxUnavailable below ${replicas}.`;
      },
      // Whether there is room for a group more, somebody has to know.
      advice: ({ replicas, isFixed, obstacle }, path) => {
        if (isFixed || obstacle) return undefined;
        return replicas === 1 ? byChoice() : byChoice(set(at`${path}.maxUnavailable`, 1));
      },
      sample: { replicas: 1, surge: 0, unavailable: 1, size: 4 },
      variants: [
        { replicas: 2, surge: 0, unavailable: 2, size: 4 },
        { replicas: 1, surge: 0, unavailable: 1, size: 4, isFixed: true },
        { replicas: 1, surge: 0, unavailable: 1, size: 4, obstacle: 'no-room' },
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
export function groupOutageFindings(
  { replicas, surge, unavailable, size, minAvailable, waves }: LeaderWorkerSetSimulation,
  limits: { readonly path: FieldPath; readonly isFixed?: boolean },
  hasRoom: boolean,
): Finding[] {
  if (replicas === 0 || waves.length === 0 || minAvailable > 0) return [];
  const obstacle = replicas === 1 && !hasRoom ? 'no-room' : undefined;
  return [
    groupOutage.finding('outage', {
      path: limits.path,
      // Nothing can be written but a group more, with all of its nodes.
      ...((obstacle || (limits.isFixed && replicas === 1)) && { severity: 'info' as const }),
      data: { replicas, surge, unavailable, size, ...(limits.isFixed && { isFixed: true as const }), ...(obstacle && { obstacle }) },
    }),
  ];
}
