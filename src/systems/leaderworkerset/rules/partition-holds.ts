import { suggestManualFix, setField } from '../../../core/suggested-fix';
import { toFieldPath } from '../../../core/field-path';
import { defineMessage, defineRule } from '../../../core/finding';
import type { Finding } from '../../../core/finding';
import type { LeaderWorkerSetSimulation } from '../../../core/simulations/leaderworkerset';
import { pluralize } from '../../../core/text-format';
import { LWS_CONFIGURATION_PATH } from '../../../workloads/leader-worker-set/strategy';
import { formatLwsLimits, formatLwsExample } from '../../../workloads/leader-worker-set/rules/examples';

interface HeldGroupsData {
  readonly partition: number;
  readonly replicas: number;
}

interface SurgeGroupsData {
  readonly partition: number;
  readonly groups: number;
  readonly pods: number;
}

/** A partition that keeps groups at the old version, or surge groups for good. */
export const partitionHolds = defineRule({
  code: 'lws/partition-holds',
  since: '0.1.0',
  severity: ['info', 'warning'],
  fires:
    'The partition of a LeaderWorkerSet is at or above its replicas, so that no group is updated, or keeps surge groups until it is 0.',
  why:
    'Only groups whose ordinal is at or above the partition get the new version, which is a way to stage a change. ' +
    'The rollout does not end before the partition is 0, and until then the surge groups stay, with all of their accelerators: a warning.',
  fix: 'Lower `partition` to the first ordinal that may be updated; write `maxSurge: 0` while a partition stays.',
  example: formatLwsExample(3, formatLwsLimits('partition: 3')),
  fixedExample: formatLwsExample(3, formatLwsLimits('partition: 2')),
  messages: {
    all: defineMessage<HeldGroupsData>({
      text: ({ partition, replicas }) =>
        `partition is ${partition}, and there ${replicas === 1 ? 'is' : 'are'} ${pluralize(replicas, 'group')}: none is updated.`,
      help: ({ replicas }) =>
        `Write a partition below ${replicas} when the groups from that ordinal on are to be updated, and plan that first.`,
      suggestedFix: () => suggestManualFix(),
      sample: { partition: 3, replicas: 3 },
    }),
    surge: defineMessage<SurgeGroupsData>({
      text: ({ partition, groups, pods }) =>
        `While partition is ${partition} the rollout does not end, and ${pluralize(groups, 'surge group')} with ${pluralize(pods, 'pod')} ${groups === 1 ? 'stays' : 'stay'}.`,
      help: () => 'Write maxSurge: 0 with maxUnavailable: 1 while the partition stays, or lower the partition to 0.',
      // The partition stays: what it holds goes on running, so that one group missing is no outage.
      suggestedFix: () =>
        suggestManualFix(
          setField(toFieldPath`${LWS_CONFIGURATION_PATH}.maxSurge`, 0),
          setField(toFieldPath`${LWS_CONFIGURATION_PATH}.maxUnavailable`, 1),
        ),
      sample: { partition: 2, groups: 1, pods: 4 },
    }),
  },
});

/** What a partition leaves as it is. */
export function checkPartitionHolds({ partition, replicas, remainingSurge, size }: LeaderWorkerSetSimulation): Finding[] {
  const path = toFieldPath`${LWS_CONFIGURATION_PATH}.partition`;
  const isHoldingAll = replicas > 0 && partition >= replicas;
  return [
    ...(isHoldingAll ? [partitionHolds.createFinding('all', { path, severity: 'info', data: { partition, replicas } })] : []),
    ...(remainingSurge !== undefined
      ? [
          partitionHolds.createFinding('surge', {
            path,
            severity: 'warning',
            data: { partition, groups: remainingSurge, pods: remainingSurge * size },
          }),
        ]
      : []),
  ];
}
