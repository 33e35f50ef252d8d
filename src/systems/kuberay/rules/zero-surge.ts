import { suggestManualFix, setField, getSiblingPath } from '../../../core/suggested-fix';
import { toFieldPath } from '../../../core/field-path';
import { defineMessage, defineRule } from '../../../core/finding';
import type { Finding } from '../../../core/finding';
import type { ParsedRayService } from '../ray-service';
import type { UpgradePace } from '../upgrade-loop';
import { findSmallestGroup, computeOneReplicaSurge } from '../worker-groups';
import { VALID_RAY_SERVICE_TEXT, withUpgradeOption } from './examples';

interface ZeroSurgeData {
  /** The least surge that is one pod of the smallest worker group. */
  readonly safe: number;
  /** A stepSizePercent that goes with it. */
  readonly step: number;
}

/** An upgrade without surge. */
export const zeroSurge = defineRule({
  code: 'kuberay/zero-surge',
  since: '0.1.0',
  severity: 'error',
  fires: 'maxSurgePercent is 0, so the upgrade never begins.',
  why:
    'The new cluster grows by maxSurgePercent at a time. With 0 it stays without capacity, no traffic can move, ' +
    'and the operator goes on reconciling for ever: there is no timeout. ' +
    'KubeRay accepts the value (it checks 0 to 100), with a stepSizePercent of 0 from 1.7 on.',
  fix: 'Write a maxSurgePercent of at least one pod, and a stepSizePercent from 1 to that.',
  example: withUpgradeOption('maxSurgePercent: 20', 'maxSurgePercent: 0').replace('stepSizePercent: 5', 'stepSizePercent: 0'),
  fixedExample: VALID_RAY_SERVICE_TEXT,
  messages: {
    neverBegins: defineMessage<ZeroSurgeData>({
      text: () => 'maxSurgePercent is 0, so the new cluster never gets any capacity: the upgrade stands at 100/0 for ever.',
      help: ({ safe }) => `Write a maxSurgePercent of at least one pod, which is ${safe}, and a stepSizePercent from 1 to that.`,
      suggestedFix: ({ safe, step }, path) =>
        suggestManualFix(setField(path, safe), setField(getSiblingPath(path, 'stepSizePercent'), step)),
      sample: { safe: 20, step: 5 },
    }),
  },
});

/** An upgrade that never begins. */
export function checkZeroSurge({ paths, groups, cluster }: ParsedRayService, { maxSurgePercent, stepSizePercent }: UpgradePace): Finding[] {
  if (maxSurgePercent !== 0) return [];
  const safe = computeOneReplicaSurge(findSmallestGroup(groups, cluster)?.replicas ?? 1);
  const step = stepSizePercent > 0 && stepSizePercent <= safe ? stepSizePercent : safe;
  return [zeroSurge.createFinding('neverBegins', { path: toFieldPath`${paths.options}.maxSurgePercent`, data: { safe, step } })];
}
