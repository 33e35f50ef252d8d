import { suggestManualFix, setField } from '../../../core/suggested-fix';
import { toFieldPath } from '../../../core/field-path';
import { defineMessage, defineRule } from '../../../core/finding';
import type { Finding } from '../../../core/finding';
import { pluralize } from '../../../core/text-format';
import type { ParsedRayService } from '../ray-service';
import type { UpgradePace } from '../upgrade-loop';
import { findSmallestGroup, computeOneReplicaSurge } from '../worker-groups';
import { RAY_CLUSTER_TEXT, INCREMENTAL_STRATEGY_TEXT, formatRayServiceExample, withRayCluster } from './examples';

interface SmallSurgeData {
  readonly maxSurgePercent: number;
  /** The worker group with the fewest replicas. */
  readonly group: string;
  readonly replicas: number;
  /** The least surge that is one of them. */
  readonly safe: number;
}

/** A surge of less than a worker. */
export const surgeBelowOnePod = defineRule({
  code: 'kuberay/surge-below-one-pod',
  since: '0.1.0',
  severity: 'warning',
  fires: 'maxSurgePercent of the smallest worker group is less than one pod.',
  why:
    'Capacity is a share of Serve replicas, rounded to the nearest whole one and never below one: ' +
    'a step of less than one pod still takes a whole one on the new cluster while the old one may free none, ' +
    'so the peak is above what maxSurgePercent says. ' +
    'The guide computes the least safe value as resources of one pod / resources of the cluster. ' +
    'A group counts with its replicas, or with maxReplicas where it has none or one to begin with. ' +
    'One that never has more than one replica brings a second one whatever the surge, and counts only where no other does.',
  fix: 'Write at least 100 / pods, rounded up: 34 for three pods.',
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
        'A share of less than one replica still runs one, so the peak is above what maxSurgePercent says.',
      help: ({ safe }) => `Write a maxSurgePercent of at least ${safe}.`,
      suggestedFix: ({ safe }, path) => suggestManualFix(setField(path, safe)),
      sample: { maxSurgePercent: 20, group: 'gpu', replicas: 3, safe: 34 },
    }),
  },
});

/** A surge that is less than one replica of the smallest worker group; groups of one replica count only where there are no others. */
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
