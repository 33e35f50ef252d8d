import { byChoice, plainly, set } from '../../../core/advice';
import { at } from '../../../core/field-path';
import { message, rule } from '../../../core/finding';
import type { Finding } from '../../../core/finding';
import type { Fields } from '../../../core/manifest';
import type { ReadRayService } from '../ray-service';
import { INCREMENTAL, isPercentage, surgeOf } from '../strategy';
import type { UpgradePace } from '../upgrade-loop';
import { firstVersionThat } from '../versions';
import { WHOLE_SERVICE, withOption } from './examples';
import { operatorRefuses, refusalOf, SAMPLE_REFUSAL } from './refusal';
import type { Refusal } from './refusal';

interface StepData {
  readonly stepSizePercent: number;
  readonly maxSurgePercent: number;
}

interface CappedData extends StepData {
  /** Of KubeRay. */
  readonly version: string;
  /** The version that refuses the step. */
  readonly refusedSince: string;
}

/** A step of traffic that is larger than the capacity that comes at once. */
export const stepExceedsSurge = rule({
  code: 'kuberay/step-exceeds-surge',
  since: '0.1.0',
  severity: ['error', 'warning'],
  fires: 'stepSizePercent is above maxSurgePercent.',
  why:
    'Traffic never exceeds the capacity that is there, so a larger step means nothing. KubeRay 1.7 refuses it; ' +
    'before, the step is capped without a word (a warning): as much traffic moves at once as capacity came.',
  fix: 'Write a stepSizePercent of at most maxSurgePercent.',
  example: withOption('stepSizePercent: 5', 'stepSizePercent: 40'),
  fixed: WHOLE_SERVICE,
  messages: {
    refused: message<StepData & Refusal>({
      text: ({ stepSizePercent, maxSurgePercent, ...refusal }) =>
        `stepSizePercent ${stepSizePercent} is above maxSurgePercent ${maxSurgePercent}. ` +
        operatorRefuses(refusal, 'stepSizePercent must be less than or equal to maxSurgePercent'),
      help: ({ maxSurgePercent }) =>
        maxSurgePercent === 0
          ? 'Write a maxSurgePercent from 1, and a stepSizePercent from 1 to that.'
          : `Write a stepSizePercent from 1 to ${maxSurgePercent}, or a larger maxSurgePercent.`,
      advice: ({ maxSurgePercent }, path) => (maxSurgePercent === 0 ? undefined : byChoice(set(path, maxSurgePercent))),
      sample: { stepSizePercent: 40, maxSurgePercent: 20, ...SAMPLE_REFUSAL },
    }),
    capped: message<CappedData>({
      text: ({ stepSizePercent, maxSurgePercent, version, refusedSince }) =>
        `stepSizePercent ${stepSizePercent} is above maxSurgePercent ${maxSurgePercent}: ` +
        `KubeRay ${version} moves no more than ${maxSurgePercent} at a time, and says nothing. KubeRay ${refusedSince} refuses it.`,
      help: ({ maxSurgePercent }) => `Write a stepSizePercent from 1 to ${maxSurgePercent}, or a larger maxSurgePercent.`,
      // What is written is what happens already.
      advice: ({ maxSurgePercent }, path) => plainly(set(path, maxSurgePercent)),
      sample: { stepSizePercent: 40, maxSurgePercent: 20, version: '1.6', refusedSince: '1.7' },
    }),
  },
});

/** A step that the operator refuses. */
export function refusedStepFindings(service: ReadRayService, options: Fields): Finding[] {
  const { type, behaviour, places } = service;
  const { stepSizePercent } = options;
  const maxSurgePercent = surgeOf(options);
  if (type !== INCREMENTAL || behaviour.stepAboveSurge === 'capped') return [];
  if (!isPercentage(maxSurgePercent) || !isPercentage(stepSizePercent) || stepSizePercent <= maxSurgePercent) return [];
  const data = { stepSizePercent, maxSurgePercent, ...refusalOf(service) };
  return [stepExceedsSurge.finding('refused', { path: at`${places.options}.stepSizePercent`, data })];
}

/** A step that is capped: only versions that do so get this far. */
export function cappedStepFindings({ places, version }: ReadRayService, { maxSurgePercent, stepSizePercent }: UpgradePace): Finding[] {
  if (maxSurgePercent === 0 || stepSizePercent <= maxSurgePercent) return [];
  const refusedSince = firstVersionThat(({ stepAboveSurge }) => stepAboveSurge === 'refused');
  return [
    stepExceedsSurge.finding('capped', {
      path: at`${places.options}.stepSizePercent`,
      severity: 'warning',
      data: { stepSizePercent, maxSurgePercent, version, refusedSince },
    }),
  ];
}
