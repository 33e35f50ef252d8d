import { byChoice, set } from '../../../core/advice';
import { at } from '../../../core/field-path';
import { message, rule } from '../../../core/finding';
import type { Finding } from '../../../core/finding';
import type { ReadRayService } from '../ray-service';
import type { UpgradePace } from '../upgrade-loop';
import { WHOLE_SERVICE, withOption } from './examples';

interface StandstillData {
  readonly maxSurgePercent: number;
}

/** An upgrade whose traffic never moves. */
export const zeroStep = rule({
  code: 'kuberay/zero-step',
  since: '0.1.0',
  severity: 'error',
  fires: 'stepSizePercent is 0, so no traffic ever moves.',
  why:
    'The new cluster gets its first capacity, then the loop waits for traffic that moves by 0 percent: ' +
    'both clusters stay, at 100 percent plus maxSurgePercent, for ever. ' +
    'KubeRay accepts the value; set in the middle of an upgrade it works as a pause.',
  fix: 'Write a stepSizePercent from 1 to maxSurgePercent.',
  example: withOption('stepSizePercent: 5', 'stepSizePercent: 0'),
  fixed: WHOLE_SERVICE,
  messages: {
    neverMoves: message<StandstillData>({
      text: ({ maxSurgePercent }) =>
        `stepSizePercent is 0, so no traffic ever moves: both clusters stay, at ${100 + maxSurgePercent} % capacity together.`,
      help: ({ maxSurgePercent }) => `Write a stepSizePercent from 1 to ${maxSurgePercent}, which is maxSurgePercent.`,
      advice: ({ maxSurgePercent }, path) => byChoice(set(path, maxSurgePercent)),
      sample: { maxSurgePercent: 20 },
    }),
  },
});

/** An upgrade that gets its first capacity and goes no further. Without surge there is a worse thing to say. */
export function zeroStepFindings({ places }: ReadRayService, { maxSurgePercent, stepSizePercent }: UpgradePace): Finding[] {
  if (maxSurgePercent === 0 || stepSizePercent > 0) return [];
  return [zeroStep.finding('neverMoves', { path: at`${places.options}.stepSizePercent`, data: { maxSurgePercent } })];
}
