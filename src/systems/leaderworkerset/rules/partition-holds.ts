import { suggestManualFix, setField } from '../../../core/findings/suggested-fix';
import { toFieldPath } from '../../../core/manifest/field-path';
import { defineMessage, defineRule } from '../../../core/findings/finding';
import type { Finding } from '../../../core/findings/finding';
import type { LeaderWorkerSetSimulation } from '../../../core/simulations/leaderworkerset';
import { pluralize } from '../../../core/text/text-format';
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

/** Rule about a partition that keeps all groups on the old version, or keeps surge groups running. */
export const partitionHolds = defineRule({
  code: 'lws/partition-holds',
  since: '0.1.0',
  severity: ['info', 'warning'],
  fires:
    'The partition of a LeaderWorkerSet is not below its replicas, so no group is updated, or it is above 0 and keeps surge groups running.',
  why:
    'Only groups with an ordinal at or above the partition get the new version, which is a way to stage a change. ' +
    'The rollout does not finish before the partition is 0. Until then the surge groups keep running, with all of their accelerators (a warning).',
  fix: 'Lower `partition` to the first ordinal to update. Set `maxSurge: 0` while the partition is above 0.',
  example: formatLwsExample(3, formatLwsLimits('partition: 3')),
  fixedExample: formatLwsExample(3, formatLwsLimits('partition: 2')),
  messages: {
    all: defineMessage<HeldGroupsData>({
      text: ({ partition, replicas }) =>
        `partition is ${partition}, and there ${replicas === 1 ? 'is' : 'are'} only ${pluralize(replicas, 'group')}, so no group is updated.`,
      help: ({ replicas }) =>
        `To update the groups from an ordinal up, set partition to that ordinal, below ${replicas}, and plan that change first.`,
      suggestedFix: () => suggestManualFix(),
      sample: { partition: 3, replicas: 3 },
    }),
    surge: defineMessage<SurgeGroupsData>({
      text: ({ partition, groups, pods }) =>
        `While partition is ${partition}, the rollout does not finish, and ${pluralize(groups, 'surge group')} with ${pluralize(pods, 'pod')} ${groups === 1 ? 'keeps' : 'keep'} running.`,
      help: () => 'Set maxSurge: 0 and maxUnavailable: 1 while the partition is above 0, or lower the partition to 0.',
      // The groups below the partition keep running, so one unavailable group is no outage.
      suggestedFix: () =>
        suggestManualFix(
          setField(toFieldPath`${LWS_CONFIGURATION_PATH}.maxSurge`, 0),
          setField(toFieldPath`${LWS_CONFIGURATION_PATH}.maxUnavailable`, 1),
        ),
      sample: { partition: 2, groups: 1, pods: 4 },
    }),
  },
});

/** Reports the groups that a partition keeps on the old version, and the surge groups that it keeps running. */
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
