import { suggestManualFix, suggestAutomaticFix, setField } from '../../../core/suggested-fix';
import { toFieldPath } from '../../../core/field-path';
import { defineMessage, defineRule } from '../../../core/finding';
import type { Finding } from '../../../core/finding';
import type { Fields } from '../../../core/manifest';
import type { ParsedRayService } from '../ray-service';
import { INCREMENTAL_UPGRADE, isPercentage, surgePercentOf } from '../strategy';
import type { UpgradePace } from '../upgrade-loop';
import { findFirstVersion } from '../versions';
import { VALID_RAY_SERVICE_TEXT, withUpgradeOption } from './examples';
import { formatOperatorRejection, operatorRejectionOf, SAMPLE_REJECTION } from './rejection';
import type { OperatorRejection } from './rejection';

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
export const stepExceedsSurge = defineRule({
  code: 'kuberay/step-exceeds-surge',
  since: '0.1.0',
  severity: ['error', 'warning'],
  fires: 'stepSizePercent is above maxSurgePercent.',
  why:
    'Traffic never exceeds the capacity that is there, so a larger step means nothing. KubeRay 1.7 refuses it; ' +
    'before, the step is capped without a word (a warning): as much traffic moves at once as capacity came.',
  fix: 'Write a stepSizePercent of at most maxSurgePercent.',
  example: withUpgradeOption('stepSizePercent: 5', 'stepSizePercent: 40'),
  fixedExample: VALID_RAY_SERVICE_TEXT,
  messages: {
    refused: defineMessage<StepData & OperatorRejection>({
      text: ({ stepSizePercent, maxSurgePercent, ...rejection }) =>
        `stepSizePercent ${stepSizePercent} is above maxSurgePercent ${maxSurgePercent}. ` +
        formatOperatorRejection(rejection, 'stepSizePercent must be less than or equal to maxSurgePercent'),
      help: ({ maxSurgePercent }) =>
        maxSurgePercent === 0
          ? 'Write a maxSurgePercent from 1, and a stepSizePercent from 1 to that.'
          : `Write a stepSizePercent from 1 to ${maxSurgePercent}, or a larger maxSurgePercent.`,
      suggestedFix: ({ maxSurgePercent }, path) => (maxSurgePercent === 0 ? undefined : suggestManualFix(setField(path, maxSurgePercent))),
      sample: { stepSizePercent: 40, maxSurgePercent: 20, ...SAMPLE_REJECTION },
    }),
    capped: defineMessage<CappedData>({
      text: ({ stepSizePercent, maxSurgePercent, version, refusedSince }) =>
        `stepSizePercent ${stepSizePercent} is above maxSurgePercent ${maxSurgePercent}: ` +
        `KubeRay ${version} moves no more than ${maxSurgePercent} at a time, and says nothing. KubeRay ${refusedSince} refuses it.`,
      help: ({ maxSurgePercent }) => `Write a stepSizePercent from 1 to ${maxSurgePercent}, or a larger maxSurgePercent.`,
      // What is written is what happens already.
      suggestedFix: ({ maxSurgePercent }, path) => suggestAutomaticFix(setField(path, maxSurgePercent)),
      sample: { stepSizePercent: 40, maxSurgePercent: 20, version: '1.6', refusedSince: '1.7' },
    }),
  },
});

/** A step that the operator refuses. */
export function checkStepExceedsSurge(service: ParsedRayService, options: Fields): Finding[] {
  const { type, behaviour, paths } = service;
  const { stepSizePercent } = options;
  const maxSurgePercent = surgePercentOf(options);
  if (type !== INCREMENTAL_UPGRADE || behaviour.stepAboveSurge === 'capped') return [];
  if (!isPercentage(maxSurgePercent) || !isPercentage(stepSizePercent) || stepSizePercent <= maxSurgePercent) return [];
  const data = { stepSizePercent, maxSurgePercent, ...operatorRejectionOf(service) };
  return [stepExceedsSurge.createFinding('refused', { path: toFieldPath`${paths.options}.stepSizePercent`, data })];
}

/** A step that is capped: only versions that do so get this far. */
export function checkCappedStep({ paths, version }: ParsedRayService, { maxSurgePercent, stepSizePercent }: UpgradePace): Finding[] {
  if (maxSurgePercent === 0 || stepSizePercent <= maxSurgePercent) return [];
  const refusedSince = findFirstVersion(({ stepAboveSurge }) => stepAboveSurge === 'refused');
  return [
    stepExceedsSurge.createFinding('capped', {
      path: toFieldPath`${paths.options}.stepSizePercent`,
      severity: 'warning',
      data: { stepSizePercent, maxSurgePercent, version, refusedSince },
    }),
  ];
}
