import { byChoice, set } from '../../../core/advice';
import { at } from '../../../core/field-path';
import { message, rule } from '../../../core/finding';
import type { Finding } from '../../../core/finding';
import { seen, show } from '../../../core/seen';
import type { Seen } from '../../../core/seen';
import { counted } from '../../../core/words';
import { CONFIGURATION_PATH } from '../../../workloads/leader-worker-set/strategy';
import type { LeaderWorkerSetStrategy } from '../../../workloads/leader-worker-set/strategy';
import type { GroupLimits } from '../../../workloads/leader-worker-set/turn';
import { limitsText, setText } from '../../../workloads/leader-worker-set/rules/examples';

interface ZeroData {
  readonly maxUnavailable: Seen;
  readonly maxSurge: Seen;
  readonly replicas: number;
}

/** Limits that both come to no group. */
export const bothLimitsZero = rule({
  code: 'lws/both-limits-zero',
  since: '0.1.0',
  severity: 'error',
  fires: 'maxUnavailable and maxSurge of a LeaderWorkerSet both come to 0 groups.',
  why:
    'The webhook resolves both limits at the replicas that are written: maxUnavailable is rounded down, so that 10% of 5 groups is none. ' +
    'A Deployment would be given one unavailable pod; a LeaderWorkerSet is refused. The same object is taken at another number of replicas.',
  fix: 'Write `maxUnavailable: 1`, or a maxSurge of at least 1.',
  example: setText(5, limitsText('maxSurge: 0, maxUnavailable: 10%')),
  fixed: setText(5, limitsText('maxSurge: 0, maxUnavailable: 1')),
  messages: {
    zero: message<ZeroData>({
      text: ({ maxUnavailable, maxSurge, replicas }) =>
        `maxUnavailable ${show(maxUnavailable)} and maxSurge ${show(maxSurge)} of ${counted(replicas, 'group')} are both 0 groups, which the webhook refuses.`,
      help: () => 'Write maxUnavailable: 1, or maxSurge: 1 to have a new group before an old one goes.',
      advice: (_data, path) => byChoice(set(path, 1)),
      sample: { maxUnavailable: '10%', maxSurge: 0, replicas: 5 },
      variants: [{ maxUnavailable: 0, maxSurge: 0, replicas: 1 }],
    }),
  },
});

/** Limits under which no group could go. Nothing for 0 replicas, of which the webhook asks nothing. */
export function bothZeroFindings(
  { rollingUpdateConfiguration: { maxUnavailable, maxSurge } }: LeaderWorkerSetStrategy,
  { replicas, surge, unavailable }: GroupLimits,
): Finding[] {
  if (replicas === 0 || surge > 0 || unavailable > 0) return [];
  const data = { maxUnavailable: seen(maxUnavailable), maxSurge: seen(maxSurge), replicas };
  return [bothLimitsZero.finding('zero', { path: at`${CONFIGURATION_PATH}.maxUnavailable`, data })];
}
