import { suggestManualFix, setField } from '../../../core/findings/suggested-fix';
import { toFieldPath } from '../../../core/manifest/field-path';
import { defineMessage, defineRule } from '../../../core/findings/finding';
import type { Finding } from '../../../core/findings/finding';
import { pluralize } from '../../../core/text/text-format';
import type { ParsedRayService } from '../ray-service';
import type { UpgradePace } from '../upgrade-loop';
import { findSmallestGroup, computeOneReplicaSurge } from '../worker-groups';
import { RAY_CLUSTER_TEXT, INCREMENTAL_STRATEGY_TEXT, formatRayServiceExample, withRayCluster } from './examples';

interface SmallSurgeData {
  readonly maxSurgePercent: number;
  /** The worker group with the fewest replicas. */
  readonly group: string;
  readonly replicas: number;
  /** The smallest surge that is at least one replica. */
  readonly safe: number;
}

/** Rule about a surge of less than one worker. */
export const surgeBelowOnePod = defineRule({
  code: 'kuberay/surge-below-one-pod',
  since: '0.1.0',
  severity: 'warning',
  fires: 'maxSurgePercent of the smallest worker group is less than one pod.',
  why:
    'Capacity is a share of Serve replicas, rounded to the nearest integer and at least 1. ' +
    'A step of less than one pod still adds a full pod on the new cluster, while the old cluster may free none, ' +
    'so the peak exceeds maxSurgePercent. ' +
    'The guide computes the smallest safe value as resources of one pod / resources of the cluster. ' +
    'A group counts with its replicas, or with maxReplicas if it starts with none or one. ' +
    'A group that never has more than one replica gets a second one at any surge, and counts only if there is no other group.',
  fix: 'Set maxSurgePercent to at least 100 / pods, rounded up: 34 for three pods.',
  example: withRayCluster('replicas: 5', 'replicas: 3'),
  fixedExample: formatRayServiceExample(
    INCREMENTAL_STRATEGY_TEXT.replace('maxSurgePercent: 20', 'maxSurgePercent: 34'),
    RAY_CLUSTER_TEXT.replace('replicas: 5', 'replicas: 3'),
  ),
  messages: {
    lessThanOne: defineMessage<SmallSurgeData>({
      text: ({ maxSurgePercent, group, replicas }) =>
        `maxSurgePercent ${maxSurgePercent} of the ${pluralize(replicas, 'replica')} of worker group "${group}" is ` +
        `${(maxSurgePercent * replicas) / 100} pods. ` +
        'A share of less than one replica still runs one, so the peak exceeds maxSurgePercent.',
      help: ({ safe }) => `Set maxSurgePercent to at least ${safe}.`,
      suggestedFix: ({ safe }, path) => suggestManualFix(setField(path, safe)),
      sample: { maxSurgePercent: 20, group: 'gpu', replicas: 3, safe: 34 },
    }),
  },
});

/** Reports a surge of less than one replica of the smallest worker group. Groups of one replica count only if there are no others. */
export function checkSurgeBelowOnePod({ cluster, groups, paths }: ParsedRayService, { maxSurgePercent }: UpgradePace): Finding[] {
  const smallest = findSmallestGroup(groups, cluster);
  if (maxSurgePercent === 0 || smallest === undefined) return [];
  const { name, replicas } = smallest;
  if (maxSurgePercent * replicas >= 100) return [];
  return [
    surgeBelowOnePod.createFinding('lessThanOne', {
      path: toFieldPath`${paths.options}.maxSurgePercent`,
      data: { maxSurgePercent, group: name, replicas, safe: computeOneReplicaSurge(replicas) },
    }),
  ];
}
