import { suggestManualFix, setField } from '../../../core/findings/suggested-fix';
import { toFieldPath } from '../../../core/manifest/field-path';
import { defineMessage, defineRule } from '../../../core/findings/finding';
import type { Finding } from '../../../core/findings/finding';
import type { ParsedRayService } from '../ray-service';
import type { UpgradePace } from '../upgrade-loop';
import { VALID_RAY_SERVICE_TEXT, withUpgradeOption } from './examples';

interface ZeroStepData {
  readonly maxSurgePercent: number;
}

/** Rule about an upgrade whose traffic never moves. */
export const zeroStep = defineRule({
  code: 'kuberay/zero-step',
  since: '0.1.0',
  severity: 'error',
  fires: 'stepSizePercent is 0, so no traffic ever moves.',
  why:
    'The new cluster gets its first capacity, then the loop waits for traffic that moves by 0 percent. ' +
    'The upgrade deadlocks and both clusters keep running, at 100 percent plus maxSurgePercent. ' +
    'KubeRay accepts the value; set during an upgrade, it works as a pause.',
  fix: 'Set stepSizePercent to between 1 and maxSurgePercent.',
  example: withUpgradeOption('stepSizePercent: 5', 'stepSizePercent: 0'),
  fixedExample: VALID_RAY_SERVICE_TEXT,
  messages: {
    neverMoves: defineMessage<ZeroStepData>({
      text: ({ maxSurgePercent }) =>
        `stepSizePercent is 0, so no traffic ever moves: the upgrade deadlocks and both clusters keep running, at ${100 + maxSurgePercent}% of the capacity together.`,
      help: ({ maxSurgePercent }) => `Set stepSizePercent to between 1 and ${maxSurgePercent}, the maxSurgePercent.`,
      suggestedFix: ({ maxSurgePercent }, path) => suggestManualFix(setField(path, maxSurgePercent)),
      sample: { maxSurgePercent: 20 },
    }),
  },
});

/** Reports an upgrade that deadlocks after its first capacity step. Without surge, zero-surge reports the upgrade instead. */
export function checkZeroStep({ paths }: ParsedRayService, { maxSurgePercent, stepSizePercent }: UpgradePace): Finding[] {
  if (maxSurgePercent === 0 || stepSizePercent > 0) return [];
  return [zeroStep.createFinding('neverMoves', { path: toFieldPath`${paths.options}.stepSizePercent`, data: { maxSurgePercent } })];
}
