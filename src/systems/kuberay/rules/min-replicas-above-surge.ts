import { suggestManualFix, setField } from '../../../core/suggested-fix';
import { toFieldPath } from '../../../core/field-path';
import { defineMessage, defineRule } from '../../../core/finding';
import type { Finding } from '../../../core/finding';
import type { ParsedRayService } from '../ray-service';
import type { UpgradePace } from '../upgrade-loop';
import { withRayCluster } from './examples';

interface LargeMinimumData {
  readonly group: string;
  readonly minReplicas: number;
  readonly replicas: number;
  readonly maxSurgePercent: number;
  /** Replicas that the surge lets in. */
  readonly surge: number;
}

/** Workers that come at once whatever the surge. */
export const minReplicasAboveSurge = defineRule({
  code: 'kuberay/min-replicas-above-surge',
  since: '0.1.0',
  severity: 'warning',
  fires: 'minReplicas of a worker group is more than maxSurgePercent of its replicas.',
  why:
    'The operator makes the new cluster with the minReplicas of each group, before it has any capacity, and the old one never has fewer. ' +
    'maxSurgePercent moves Serve replicas, not those workers, so the peak is above what it says: ' +
    'with minReplicas 5 of 5 it is twice the cluster.',
  fix: 'Write minReplicas: 0, or at most the surge: the autoscaler brings workers as the capacity moves.',
  example: withRayCluster('minReplicas: 0', 'minReplicas: 5'),
  fixedExample: withRayCluster('minReplicas: 0', 'minReplicas: 1'),
  messages: {
    startsWithMore: defineMessage<LargeMinimumData>({
      text: ({ group, minReplicas, replicas, maxSurgePercent, surge }) =>
        `minReplicas of worker group "${group}" is ${minReplicas}: the new cluster starts with as many workers at once, ` +
        `while maxSurgePercent ${maxSurgePercent} of ${replicas} is ${surge}.`,
      help: ({ surge }) => `Write a minReplicas from 0 to ${surge}: the autoscaler brings workers as the capacity moves.`,
      suggestedFix: ({ surge }, path) => suggestManualFix(setField(path, surge)),
      sample: { group: 'gpu', minReplicas: 5, replicas: 5, maxSurgePercent: 20, surge: 1 },
    }),
  },
});

/** Worker groups of which the new cluster starts with more workers than the surge lets in. */
export function checkMinReplicasAboveSurge({ groups, paths }: ParsedRayService, { maxSurgePercent }: UpgradePace): Finding[] {
  if (maxSurgePercent === 0) return [];
  return groups.flatMap(({ name, index, replicas, minReplicas }) => {
    const surge = Math.max(1, Math.ceil((replicas * maxSurgePercent) / 100));
    if (minReplicas <= surge) return [];
    return minReplicasAboveSurge.createFinding('startsWithMore', {
      path: toFieldPath`${paths.cluster}.workerGroupSpecs[${index}].minReplicas`,
      data: { group: name, minReplicas, replicas, maxSurgePercent, surge },
    });
  });
}
