import { suggestManualFix, setField } from '../../../core/suggested-fix';
import { toFieldPath } from '../../../core/field-path';
import { defineMessage, defineRule } from '../../../core/finding';
import type { Finding } from '../../../core/finding';
import type { ParsedRayService } from '../ray-service';
import type { UpgradePace } from '../upgrade-loop';
import { VALID_RAY_SERVICE_TEXT, withUpgradeOption } from './examples';

interface ZeroStepData {
  readonly maxSurgePercent: number;
}

/** An upgrade whose traffic never moves. */
export const zeroStep = defineRule({
  code: 'kuberay/zero-step',
  since: '0.1.0',
  severity: 'error',
  fires: 'stepSizePercent is 0, so no traffic ever moves.',
  why:
    'The new cluster gets its first capacity, then the loop waits for traffic that moves by 0 percent: ' +
    'both clusters stay, at 100 percent plus maxSurgePercent, for ever. ' +
    'KubeRay accepts the value; set in the middle of an upgrade it works as a pause.',
  fix: 'Write a stepSizePercent from 1 to maxSurgePercent.',
  example: withUpgradeOption('stepSizePercent: 5', 'stepSizePercent: 0'),
  fixedExample: VALID_RAY_SERVICE_TEXT,
  messages: {
    neverMoves: defineMessage<ZeroStepData>({
      text: ({ maxSurgePercent }) =>
        `stepSizePercent is 0, so no traffic ever moves: both clusters stay, at ${100 + maxSurgePercent} % capacity together.`,
      help: ({ maxSurgePercent }) => `Write a stepSizePercent from 1 to ${maxSurgePercent}, which is maxSurgePercent.`,
      suggestedFix: ({ maxSurgePercent }, path) => suggestManualFix(setField(path, maxSurgePercent)),
      sample: { maxSurgePercent: 20 },
    }),
  },
});

/** An upgrade that gets its first capacity and goes no further. Without surge there is a worse thing to say. */
export function checkZeroStep({ paths }: ParsedRayService, { maxSurgePercent, stepSizePercent }: UpgradePace): Finding[] {
  if (maxSurgePercent === 0 || stepSizePercent > 0) return [];
  return [zeroStep.createFinding('neverMoves', { path: toFieldPath`${paths.options}.stepSizePercent`, data: { maxSurgePercent } })];
}
