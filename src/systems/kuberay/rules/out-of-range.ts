import { suggestManualFix, setField } from '../../../core/findings/suggested-fix';
import type { SuggestedFix } from '../../../core/findings/suggested-fix';
import { toFieldPath, getFieldName } from '../../../core/manifest/field-path';
import { parseGoDuration } from '../../../core/values/go-duration';
import type { FieldPath } from '../../../core/manifest/field-path';
import { defineMessage, defineRule } from '../../../core/findings/finding';
import type { Finding } from '../../../core/findings/finding';
import { MAX_INT32 } from '../../../core/values/int-or-percent';
import { annotationOf } from '../../../core/manifest/manifest';
import type { Fields } from '../../../core/manifest/manifest';
import { toDisplayValue, formatDisplayValue } from '../../../core/text/display-value';
import type { DisplayValue } from '../../../core/text/display-value';
import type { ParsedRayService } from '../ray-service';
import { INCREMENTAL_UPGRADE, isPercentage, surgePercentOf } from '../strategy';
import { VALID_RAY_SERVICE_TEXT, withUpgradeOption } from './examples';
import { API_SERVER_REJECTION_TEXT, formatOperatorRejection, operatorRejectionOf, SAMPLE_REJECTION } from './rejection';
import type { OperatorRejection } from './rejection';

const TIMEOUT_ANNOTATION = 'ray.io/initializing-timeout';

interface ValueData {
  readonly value: DisplayValue;
}

interface StepRangeData {
  /** The largest step that the surge allows; unset if the surge is invalid or 0. */
  readonly largest?: number;
}

interface TooLargeData extends ValueData {
  readonly field: string;
}

interface AnnotationData extends ValueData {
  readonly annotation: string;
}

interface StageData {
  readonly stage: number;
  /** The number of the last stage. */
  readonly last: number;
  /** Whether only one stage can be set, as in a stack of Pulumi. */
  readonly isSingle?: true;
}

function formatStepHelp({ largest }: StepRangeData): string {
  return `Set it to an integer from 1 to ${largest ?? 'maxSurgePercent'}.`;
}

function suggestStep({ largest }: StepRangeData, path: FieldPath): SuggestedFix | undefined {
  return largest === undefined ? undefined : suggestManualFix(setField(path, largest));
}

/** Rule about a number outside its range. */
export const outOfRange = defineRule({
  code: 'kuberay/out-of-range',
  since: '0.1.0',
  severity: 'error',
  fires:
    'maxSurgePercent or stepSizePercent is not between 0 and 100, ' +
    'or another number of the RayService is outside its range (rayClusterDeletionDelaySeconds, ' +
    'the annotation ray.io/initializing-timeout).',
  why:
    'maxSurgePercent is optional and defaults to 100; stepSizePercent is required. ' +
    'The CRD sets no bounds, so the API server accepts such a percentage and the operator then refuses it.',
  fix: 'Set the field to an integer within the range that the message names.',
  example: withUpgradeOption('maxSurgePercent: 20', 'maxSurgePercent: 200'),
  fixedExample: VALID_RAY_SERVICE_TEXT,
  messages: {
    surge: defineMessage<ValueData & OperatorRejection>({
      text: ({ value, ...rejection }) =>
        `maxSurgePercent is ${formatDisplayValue(value)}. ${formatOperatorRejection(rejection, 'maxSurgePercent must be between 0 and 100')}`,
      help: () => 'Set it to an integer from 1 to 100.',
      sample: { value: 200, ...SAMPLE_REJECTION },
    }),
    step: defineMessage<ValueData & StepRangeData & OperatorRejection>({
      text: ({ value, version, onRefusal }) =>
        `stepSizePercent is ${formatDisplayValue(value)}. ${formatOperatorRejection({ version, onRefusal }, 'stepSizePercent must be between 0 and 100')}`,
      help: formatStepHelp,
      suggestedFix: suggestStep,
      sample: { value: 101, largest: 20, ...SAMPLE_REJECTION },
    }),
    missingStep: defineMessage<StepRangeData>({
      text: () => `stepSizePercent is missing. ${API_SERVER_REJECTION_TEXT}`,
      help: formatStepHelp,
      suggestedFix: suggestStep,
      sample: { largest: 20 },
    }),
    deletionDelay: defineMessage<ValueData>({
      text: ({ value }) => `rayClusterDeletionDelaySeconds is ${formatDisplayValue(value)}. ${API_SERVER_REJECTION_TEXT}`,
      help: () => 'Set it to 0 seconds or more, or delete it for the default of 60.',
      sample: { value: -1 },
    }),
    timeout: defineMessage<AnnotationData>({
      text: ({ annotation, value }) =>
        `The annotation ${annotation} is ${formatDisplayValue(value)}, but KubeRay accepts only a time above 0.`,
      help: () => 'Set it to seconds ("300") or a duration ("5m").',
      sample: { annotation: TIMEOUT_ANNOTATION, value: '0' },
    }),
    tooLarge: defineMessage<TooLargeData>({
      text: ({ field, value }) =>
        `${field} is ${formatDisplayValue(value)}, which does not fit into 32 bits (at most ${MAX_INT32}), so the API server refuses the object.`,
      help: () => 'Use a smaller number.',
      sample: { field: 'intervalSeconds', value: 3_000_000_000 },
    }),
    stage: defineMessage<StageData>({
      text: ({ stage, last }) => `stage is ${stage}, but this upgrade has the stages 0 to ${last}.`,
      help: ({ isSingle }) => (isSingle ? 'Set stage to one of them.' : "Set stage to one of them, or to 'all'."),
      sample: { stage: 9, last: 8 },
      variants: [{ stage: 9, last: 8, isSingle: true }],
    }),
  },
});

/** Reports a surge that the operator refuses. */
export function checkSurgeRange(service: ParsedRayService, options: Fields): Finding[] {
  const surge = surgePercentOf(options);
  if (service.type !== INCREMENTAL_UPGRADE || isPercentage(surge)) return [];
  const path = toFieldPath`${service.paths.options}.maxSurgePercent`;
  return [outOfRange.createFinding('surge', { path, data: { value: toDisplayValue(surge), ...operatorRejectionOf(service) } })];
}

/** Reports a missing step, which the API server refuses with any type, or a step that the operator refuses. */
export function checkStepRange(service: ParsedRayService, options: Fields): Finding[] {
  const path = toFieldPath`${service.paths.options}.stepSizePercent`;
  const step = options.stepSizePercent ?? undefined;
  const surge = surgePercentOf(options);
  const range: StepRangeData = isPercentage(surge) && surge > 0 ? { largest: surge } : {};
  if (step === undefined) return [outOfRange.createFinding('missingStep', { path, data: range })];
  if (service.type !== INCREMENTAL_UPGRADE || isPercentage(step)) return [];
  return [outOfRange.createFinding('step', { path, data: { value: toDisplayValue(step), ...range, ...operatorRejectionOf(service) } })];
}

/** Reports a deletion delay below 0. */
export function checkDeletionDelay({ spec, paths }: ParsedRayService): Finding[] {
  const delay = spec.rayClusterDeletionDelaySeconds;
  if (typeof delay !== 'number' || delay >= 0) return [];
  return [
    outOfRange.createFinding('deletionDelay', { path: toFieldPath`${paths.spec}.rayClusterDeletionDelaySeconds`, data: { value: delay } }),
  ];
}

/**
 * Reports whether the text is a time above 0: a Go duration, or seconds as an int64.
 *
 * Empty text is valid because the webhook does not check it.
 */
function isTimeout(text: string): boolean {
  if (text === '') return true;
  const nanoseconds = parseGoDuration(text);
  if (nanoseconds !== undefined) return nanoseconds > 0n;
  const [, digits] = /^\+?0*([0-9]{1,19})$/.exec(text) ?? [];
  return digits !== undefined && BigInt(digits) > 0n && BigInt(digits) < 2n ** 63n;
}

/** Reports an initializing timeout that the webhook refuses. */
export function checkInitializingTimeout({ object, paths }: ParsedRayService): Finding[] {
  const timeout = annotationOf(object, TIMEOUT_ANNOTATION);
  if (timeout === undefined || isTimeout(timeout)) return [];
  const path = toFieldPath`${paths.metadata}.annotations[${TIMEOUT_ANNOTATION}]`;
  return [outOfRange.createFinding('timeout', { path, data: { annotation: TIMEOUT_ANNOTATION, value: toDisplayValue(timeout) } })];
}

/** Creates the finding about an integer that does not fit into 32 bits. */
export function createInt32OverflowFinding(path: FieldPath, value: number): Finding {
  return outOfRange.createFinding('tooLarge', { path, data: { field: getFieldName(path), value: toDisplayValue(value) } });
}

/**
 * Reports a stage to emit that an upgrade by Git does not have. A refused upgrade has no stages, so it is not reported.
 *
 * @param allowsAll - whether `stage: 'all'` is possible
 */
export function checkStageRange(stages: readonly unknown[], stage: number | 'all', allowsAll: boolean): Finding[] {
  if (stage === 'all' || stages.length === 0 || stages[stage] !== undefined) return [];
  const data: StageData = { stage, last: stages.length - 1, ...(!allowsAll && { isSingle: true }) };
  return [outOfRange.createFinding('stage', { path: toFieldPath`stage`, data })];
}
