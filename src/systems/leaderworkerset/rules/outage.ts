import { byChoice, set } from '../../../core/advice';
import { at } from '../../../core/field-path';
import { message, rule } from '../../../core/finding';
import type { Finding } from '../../../core/finding';
import type { LeaderWorkerSetSimulation } from '../../../core/simulations/leaderworkerset';
import { counted } from '../../../core/words';
import { CONFIGURATION_PATH } from '../../../workloads/leader-worker-set/strategy';
import { limitsText, setText } from './examples';

interface OutageData {
  readonly replicas: number;
  readonly surge: number;
  readonly unavailable: number;
  /** Pods of one group more. */
  readonly size: number;
}

/** No group is available for a time. */
export const groupOutage = rule({
  code: 'lws/outage',
  since: '0.1.0',
  severity: 'warning',
  fires: 'No group of a LeaderWorkerSet is available at some time of its rollout.',
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
      help: ({ replicas, size }) =>
        `Write ${replicas === 1 ? 'maxSurge: 1 and maxUnavailable: 0' : `a maxUnavailable below ${replicas}`}` +
        `${replicas === 1 ? `, which needs room for ${counted(size, 'pod')} more at once` : ''}.`,
      advice: ({ replicas }, path) =>
        replicas === 1
          ? byChoice(set(at`${path}.maxSurge`, 1), set(at`${path}.maxUnavailable`, 0))
          : byChoice(set(at`${path}.maxUnavailable`, 1)),
      sample: { replicas: 1, surge: 0, unavailable: 1, size: 4 },
      variants: [{ replicas: 2, surge: 0, unavailable: 2, size: 4 }],
    }),
  },
});

/** An outage in the middle of a rollout. */
export function groupOutageFindings({ replicas, surge, unavailable, size, minAvailable, waves }: LeaderWorkerSetSimulation): Finding[] {
  if (replicas === 0 || waves.length === 0 || minAvailable > 0) return [];
  return [groupOutage.finding('outage', { path: CONFIGURATION_PATH, data: { replicas, surge, unavailable, size } })];
}
