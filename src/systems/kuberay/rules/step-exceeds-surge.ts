import { suggestManualFix, suggestAutomaticFix, setField } from '../../../core/findings/suggested-fix';
import { toFieldPath } from '../../../core/manifest/field-path';
import { defineMessage, defineRule } from '../../../core/findings/finding';
import type { Finding } from '../../../core/findings/finding';
import type { Fields } from '../../../core/manifest/manifest';
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
  /** KubeRay version. */
  readonly version: string;
  /** The version that refuses the step. */
  readonly refusedSince: string;
}

/** Rule about a traffic step that is larger than the capacity step. */
export const stepExceedsSurge = defineRule({
  code: 'kuberay/step-exceeds-surge',
  since: '0.1.0',
  severity: ['error', 'warning'],
  fires: 'stepSizePercent is above maxSurgePercent.',
  why:
    'Traffic never exceeds the available capacity, so a larger step has no effect. KubeRay 1.7 refuses it. ' +
    'Earlier versions silently cap the step at maxSurgePercent (a warning).',
  fix: 'Set stepSizePercent to at most maxSurgePercent.',
  example: withUpgradeOption('stepSizePercent: 5', 'stepSizePercent: 40'),
  fixedExample: VALID_RAY_SERVICE_TEXT,
  messages: {
    refused: defineMessage<StepData & OperatorRejection>({
      text: ({ stepSizePercent, maxSurgePercent, ...rejection }) =>
        `stepSizePercent ${stepSizePercent} is above maxSurgePercent ${maxSurgePercent}. ` +
        formatOperatorRejection(rejection, 'stepSizePercent must be less than or equal to maxSurgePercent'),
      help: ({ maxSurgePercent }) =>
        maxSurgePercent === 0
          ? 'Set maxSurgePercent to 1 or more, and stepSizePercent to between 1 and maxSurgePercent.'
          : `Set stepSizePercent to between 1 and ${maxSurgePercent}, or raise maxSurgePercent.`,
      suggestedFix: ({ maxSurgePercent }, path) => (maxSurgePercent === 0 ? undefined : suggestManualFix(setField(path, maxSurgePercent))),
      sample: { stepSizePercent: 40, maxSurgePercent: 20, ...SAMPLE_REJECTION },
    }),
    capped: defineMessage<CappedData>({
      text: ({ stepSizePercent, maxSurgePercent, version, refusedSince }) =>
        `stepSizePercent ${stepSizePercent} is above maxSurgePercent ${maxSurgePercent}: ` +
        `KubeRay ${version} silently moves at most ${maxSurgePercent} percent at a time. KubeRay ${refusedSince} refuses it.`,
      help: ({ maxSurgePercent }) => `Set stepSizePercent to between 1 and ${maxSurgePercent}, or raise maxSurgePercent.`,
      // The fix is automatic because it writes the value that the operator already uses.
      suggestedFix: ({ maxSurgePercent }, path) => suggestAutomaticFix(setField(path, maxSurgePercent)),
      sample: { stepSizePercent: 40, maxSurgePercent: 20, version: '1.6', refusedSince: '1.7' },
    }),
  },
});

/** Reports a step that the operator refuses. */
export function checkStepExceedsSurge(service: ParsedRayService, options: Fields): Finding[] {
  const { type, behaviour, paths } = service;
  const { stepSizePercent } = options;
  const maxSurgePercent = surgePercentOf(options);
  if (type !== INCREMENTAL_UPGRADE || behaviour.stepAboveSurge === 'capped') return [];
  if (!isPercentage(maxSurgePercent) || !isPercentage(stepSizePercent) || stepSizePercent <= maxSurgePercent) return [];
  const data = { stepSizePercent, maxSurgePercent, ...operatorRejectionOf(service) };
  return [stepExceedsSurge.createFinding('refused', { path: toFieldPath`${paths.options}.stepSizePercent`, data })];
}

/** Reports a step that is capped. Only versions that cap the step get this far. */
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
