import { suggestManualFix, setField, getSiblingPath } from '../../../core/findings/suggested-fix';
import { toFieldPath } from '../../../core/manifest/field-path';
import { defineMessage, defineRule } from '../../../core/findings/finding';
import type { Finding } from '../../../core/findings/finding';
import type { ParsedRayService } from '../ray-service';
import type { UpgradePace } from '../upgrade-loop';
import { findSmallestGroup, computeOneReplicaSurge } from '../worker-groups';
import { VALID_RAY_SERVICE_TEXT, withUpgradeOption } from './examples';

interface ZeroSurgeData {
  /** The smallest surge that covers one pod of the smallest worker group. */
  readonly safe: number;
  /** A stepSizePercent that is valid with the safe surge. */
  readonly step: number;
}

/** Rule about an upgrade without surge. */
export const zeroSurge = defineRule({
  code: 'kuberay/zero-surge',
  since: '0.1.0',
  severity: 'error',
  fires: 'maxSurgePercent is 0, so the upgrade never begins.',
  why:
    'The new cluster grows by maxSurgePercent at a time. With 0 it never gets capacity, so no traffic can move. ' +
    'The upgrade deadlocks, and the operator keeps reconciling because there is no timeout. ' +
    'KubeRay accepts the value (it checks 0 to 100); since 1.7 only with a stepSizePercent of 0.',
  fix: 'Set maxSurgePercent to at least one pod, and stepSizePercent to between 1 and maxSurgePercent.',
  example: withUpgradeOption('maxSurgePercent: 20', 'maxSurgePercent: 0').replace('stepSizePercent: 5', 'stepSizePercent: 0'),
  fixedExample: VALID_RAY_SERVICE_TEXT,
  messages: {
    neverBegins: defineMessage<ZeroSurgeData>({
      text: () => 'maxSurgePercent is 0, so the new cluster never gets any capacity: the upgrade deadlocks at 100/0.',
      help: ({ safe }) =>
        `Set maxSurgePercent to at least ${safe}, which is one pod, and stepSizePercent to between 1 and maxSurgePercent.`,
      suggestedFix: ({ safe, step }, path) =>
        suggestManualFix(setField(path, safe), setField(getSiblingPath(path, 'stepSizePercent'), step)),
      sample: { safe: 20, step: 5 },
    }),
  },
});

/** Reports an upgrade that never begins. */
export function checkZeroSurge({ paths, groups, cluster }: ParsedRayService, { maxSurgePercent, stepSizePercent }: UpgradePace): Finding[] {
  if (maxSurgePercent !== 0) return [];
  const safe = computeOneReplicaSurge(findSmallestGroup(groups, cluster)?.replicas ?? 1);
  const step = stepSizePercent > 0 && stepSizePercent <= safe ? stepSizePercent : safe;
  return [zeroSurge.createFinding('neverBegins', { path: toFieldPath`${paths.options}.maxSurgePercent`, data: { safe, step } })];
}
