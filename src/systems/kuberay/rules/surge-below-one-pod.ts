import { byChoice, set } from '../../../core/advice';
import { at } from '../../../core/field-path';
import { message, rule } from '../../../core/finding';
import type { Finding } from '../../../core/finding';
import { counted } from '../../../core/words';
import type { ReadRayService } from '../ray-service';
import type { UpgradePace } from '../upgrade-loop';
import { smallestGroup, surgeOfOne } from '../worker-groups';
import { CLUSTER_TEXT, INCREMENTAL_TEXT, serviceText, withCluster } from './examples';

interface SmallSurgeData {
  readonly maxSurgePercent: number;
  /** The worker group with the fewest replicas. */
  readonly group: string;
  readonly replicas: number;
  /** The least surge that is one of them. */
  readonly safe: number;
}

/** A surge of less than a worker. */
export const surgeBelowOnePod = rule({
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
  example: withCluster('replicas: 5', 'replicas: 3'),
  fixed: serviceText(
    INCREMENTAL_TEXT.replace('maxSurgePercent: 20', 'maxSurgePercent: 34'),
    CLUSTER_TEXT.replace('replicas: 5', 'replicas: 3'),
  ),
  messages: {
    lessThanOne: message<SmallSurgeData>({
      text: ({ maxSurgePercent, group, replicas }) =>
        `maxSurgePercent ${maxSurgePercent} of the ${counted(replicas, 'replica')} of worker group "${group}" is ` +
        `${(maxSurgePercent * replicas) / 100} pods. ` +
        'A share of less than one replica still runs one, so the peak is above what maxSurgePercent says.',
      help: ({ safe }) => `Write a maxSurgePercent of at least ${safe}.`,
      advice: ({ safe }, path) => byChoice(set(path, safe)),
      sample: { maxSurgePercent: 20, group: 'gpu', replicas: 3, safe: 34 },
    }),
  },
});

/** A surge that is less than one replica of the smallest worker group; groups of one replica count only where there are no others. */
export function smallSurgeFindings({ cluster, groups, places }: ReadRayService, { maxSurgePercent }: UpgradePace): Finding[] {
  const smallest = smallestGroup(groups, cluster);
  if (maxSurgePercent === 0 || smallest === undefined) return [];
  const { name, replicas } = smallest;
  if (maxSurgePercent * replicas >= 100) return [];
  return [
    surgeBelowOnePod.finding('lessThanOne', {
      path: at`${places.options}.maxSurgePercent`,
      data: { maxSurgePercent, group: name, replicas, safe: surgeOfOne(replicas) },
    }),
  ];
}
