import { suggestManualFix, setField } from '../../../core/findings/suggested-fix';
import { toFieldPath } from '../../../core/manifest/field-path';
import { defineMessage, defineRule } from '../../../core/findings/finding';
import type { Finding } from '../../../core/findings/finding';
import type { ParsedRayService } from '../ray-service';
import type { UpgradePace } from '../upgrade-loop';
import { withRayCluster } from './examples';

interface LargeMinimumData {
  readonly group: string;
  readonly minReplicas: number;
  readonly replicas: number;
  readonly maxSurgePercent: number;
  /** Number of replicas that the surge allows. */
  readonly surge: number;
}

/** Rule about workers that start at once regardless of the surge. */
export const minReplicasAboveSurge = defineRule({
  code: 'kuberay/min-replicas-above-surge',
  since: '0.1.0',
  severity: 'warning',
  fires: 'minReplicas of a worker group is more than maxSurgePercent of its replicas.',
  why:
    'The operator creates the new cluster with the minReplicas of each group before it has any capacity, and the old cluster never has fewer. ' +
    'maxSurgePercent limits Serve replicas, not those workers, so the peak exceeds it. ' +
    'With minReplicas 5 of 5, the peak is twice the cluster.',
  fix: 'Set minReplicas to 0, or to at most the surge. The autoscaler adds workers as the capacity moves.',
  example: withRayCluster('minReplicas: 0', 'minReplicas: 5'),
  fixedExample: withRayCluster('minReplicas: 0', 'minReplicas: 1'),
  messages: {
    startsWithMore: defineMessage<LargeMinimumData>({
      text: ({ group, minReplicas, replicas, maxSurgePercent, surge }) =>
        `minReplicas of worker group "${group}" is ${minReplicas}, so the new cluster starts that many workers at once, ` +
        `but maxSurgePercent ${maxSurgePercent} of ${replicas} is ${surge}.`,
      help: ({ surge }) => `Set minReplicas to between 0 and ${surge}; the autoscaler adds workers as the capacity moves.`,
      suggestedFix: ({ surge }, path) => suggestManualFix(setField(path, surge)),
      sample: { group: 'gpu', minReplicas: 5, replicas: 5, maxSurgePercent: 20, surge: 1 },
    }),
  },
});

/** Reports worker groups that the new cluster starts with more workers than the surge allows. */
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
