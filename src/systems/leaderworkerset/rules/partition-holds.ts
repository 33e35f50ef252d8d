import { byChoice, set } from '../../../core/advice';
import { at } from '../../../core/field-path';
import { message, rule } from '../../../core/finding';
import type { Finding } from '../../../core/finding';
import type { LeaderWorkerSetSimulation } from '../../../core/simulations/leaderworkerset';
import { counted } from '../../../core/words';
import { CONFIGURATION_PATH } from '../../../workloads/leader-worker-set/strategy';
import { limitsText, setText } from '../../../workloads/leader-worker-set/rules/examples';

interface HoldsData {
  readonly partition: number;
  readonly replicas: number;
}

interface SurgeData {
  readonly partition: number;
  readonly groups: number;
  readonly pods: number;
}

/** A partition that keeps groups at the old version, or surge groups for good. */
export const partitionHolds = rule({
  code: 'lws/partition-holds',
  since: '0.1.0',
  severity: ['info', 'warning'],
  fires:
    'The partition of a LeaderWorkerSet is at or above its replicas, so that no group is updated, or keeps surge groups until it is 0.',
  why:
    'Only groups whose ordinal is at or above the partition get the new version, which is a way to stage a change. ' +
    'The rollout does not end before the partition is 0, and until then the surge groups stay, with all of their accelerators: a warning.',
  fix: 'Lower `partition` to the first ordinal that may be updated; write `maxSurge: 0` while a partition stays.',
  example: setText(3, limitsText('partition: 3')),
  fixed: setText(3, limitsText('partition: 2')),
  messages: {
    all: message<HoldsData>({
      text: ({ partition, replicas }) =>
        `partition is ${partition}, and there ${replicas === 1 ? 'is' : 'are'} ${counted(replicas, 'group')}: none is updated.`,
      help: ({ replicas }) =>
        `Write a partition below ${replicas} when the groups from that ordinal on are to be updated, and plan that first.`,
      advice: () => byChoice(),
      sample: { partition: 3, replicas: 3 },
    }),
    surge: message<SurgeData>({
      text: ({ partition, groups, pods }) =>
        `While partition is ${partition} the rollout does not end, and ${counted(groups, 'surge group')} with ${counted(pods, 'pod')} ${groups === 1 ? 'stays' : 'stay'}.`,
      help: () => 'Write maxSurge: 0 with maxUnavailable: 1 while the partition stays, or lower the partition to 0.',
      // The partition stays: what it holds goes on running, so that one group missing is no outage.
      advice: () => byChoice(set(at`${CONFIGURATION_PATH}.maxSurge`, 0), set(at`${CONFIGURATION_PATH}.maxUnavailable`, 1)),
      sample: { partition: 2, groups: 1, pods: 4 },
    }),
  },
});

/** What a partition leaves as it is. */
export function partitionFindings({ partition, replicas, surgeLeft, size }: LeaderWorkerSetSimulation): Finding[] {
  const path = at`${CONFIGURATION_PATH}.partition`;
  const holdsAll = replicas > 0 && partition >= replicas;
  return [
    ...(holdsAll ? [partitionHolds.finding('all', { path, severity: 'info', data: { partition, replicas } })] : []),
    ...(surgeLeft !== undefined
      ? [partitionHolds.finding('surge', { path, severity: 'warning', data: { partition, groups: surgeLeft, pods: surgeLeft * size } })]
      : []),
  ];
}
