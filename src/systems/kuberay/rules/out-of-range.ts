import { suggestManualFix, setField } from '../../../core/suggested-fix';
import type { SuggestedFix } from '../../../core/suggested-fix';
import { toFieldPath, getFieldName } from '../../../core/field-path';
import { parseGoDuration } from '../../../core/go-duration';
import type { FieldPath } from '../../../core/field-path';
import { defineMessage, defineRule } from '../../../core/finding';
import type { Finding } from '../../../core/finding';
import { MAX_INT32 } from '../../../core/int-or-percent';
import { annotationOf } from '../../../core/manifest';
import type { Fields } from '../../../core/manifest';
import { toDisplayValue, formatDisplayValue } from '../../../core/display-value';
import type { DisplayValue } from '../../../core/display-value';
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
  /** The largest step that goes with the surge; absent where the surge is none. */
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
}

function formatStepHelp({ largest }: StepRangeData): string {
  return `Write a whole number from 1 to ${largest ?? 'maxSurgePercent'}.`;
}

function suggestStep({ largest }: StepRangeData, path: FieldPath): SuggestedFix | undefined {
  return largest === undefined ? undefined : suggestManualFix(setField(path, largest));
}

/** A number outside its range. */
export const outOfRange = defineRule({
  code: 'kuberay/out-of-range',
  since: '0.1.0',
  severity: 'error',
  fires:
    'maxSurgePercent or stepSizePercent is not within 0 to 100, ' +
    'or another number of the RayService is outside its range (rayClusterDeletionDelaySeconds, ' +
    'the annotation ray.io/initializing-timeout).',
  why:
    'maxSurgePercent may be left out (then it is 100), stepSizePercent may not. ' +
    'The CRD sets no bounds, so the API server accepts such a percentage and the operator refuses it afterwards.',
  fix: 'Write a whole number within the range that the message names.',
  example: withUpgradeOption('maxSurgePercent: 20', 'maxSurgePercent: 200'),
  fixedExample: VALID_RAY_SERVICE_TEXT,
  messages: {
    surge: defineMessage<ValueData & OperatorRejection>({
      text: ({ value, ...rejection }) =>
        `maxSurgePercent is ${formatDisplayValue(value)}. ${formatOperatorRejection(rejection, 'maxSurgePercent must be between 0 and 100')}`,
      help: () => 'Write a whole number from 1 to 100.',
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
      help: () => 'Write 0 seconds or more, or leave it out for 60.',
      sample: { value: -1 },
    }),
    timeout: defineMessage<AnnotationData>({
      text: ({ annotation, value }) =>
        `The annotation ${annotation} is ${formatDisplayValue(value)}, and KubeRay takes only a time above 0.`,
      help: () => 'Write seconds ("300") or a duration ("5m").',
      sample: { annotation: TIMEOUT_ANNOTATION, value: '0' },
    }),
    tooLarge: defineMessage<TooLargeData>({
      text: ({ field, value }) =>
        `${field} is ${formatDisplayValue(value)}, which does not fit into 32 bits (at most ${MAX_INT32}), so the API server refuses the object.`,
      help: () => 'Write a smaller number.',
      sample: { field: 'intervalSeconds', value: 3_000_000_000 },
    }),
    stage: defineMessage<StageData>({
      text: ({ stage, last }) => `stage is ${stage}, and this upgrade has the stages 0 to ${last}.`,
      help: () => "Write one of them, or 'all'.",
      sample: { stage: 9, last: 8 },
    }),
  },
});

/** A surge that the operator refuses. */
export function checkSurgeRange(service: ParsedRayService, options: Fields): Finding[] {
  const surge = surgePercentOf(options);
  if (service.type !== INCREMENTAL_UPGRADE || isPercentage(surge)) return [];
  const path = toFieldPath`${service.paths.options}.maxSurgePercent`;
  return [outOfRange.createFinding('surge', { path, data: { value: toDisplayValue(surge), ...operatorRejectionOf(service) } })];
}

/** A step that is missing, which the API server refuses under any type, or one that the operator refuses. */
export function checkStepRange(service: ParsedRayService, options: Fields): Finding[] {
  const path = toFieldPath`${service.paths.options}.stepSizePercent`;
  const step = options.stepSizePercent ?? undefined;
  const surge = surgePercentOf(options);
  const range: StepRangeData = isPercentage(surge) && surge > 0 ? { largest: surge } : {};
  if (step === undefined) return [outOfRange.createFinding('missingStep', { path, data: range })];
  if (service.type !== INCREMENTAL_UPGRADE || isPercentage(step)) return [];
  return [outOfRange.createFinding('step', { path, data: { value: toDisplayValue(step), ...range, ...operatorRejectionOf(service) } })];
}

/** A deletion delay below 0. */
export function checkDeletionDelay({ spec, paths }: ParsedRayService): Finding[] {
  const delay = spec.rayClusterDeletionDelaySeconds;
  if (typeof delay !== 'number' || delay >= 0) return [];
  return [
    outOfRange.createFinding('deletionDelay', { path: toFieldPath`${paths.spec}.rayClusterDeletionDelaySeconds`, data: { value: delay } }),
  ];
}

/** Is this a time above 0, as a Go duration or in seconds, as an int64? An empty text is none, and is not looked at. */
function isTimeout(text: string): boolean {
  if (text === '') return true;
  const nanoseconds = parseGoDuration(text);
  if (nanoseconds !== undefined) return nanoseconds > 0n;
  const [, digits] = /^\+?0*([0-9]{1,19})$/.exec(text) ?? [];
  return digits !== undefined && BigInt(digits) > 0n && BigInt(digits) < 2n ** 63n;
}

/** A time to start that the webhook refuses. */
export function checkInitializingTimeout({ object, paths }: ParsedRayService): Finding[] {
  const timeout = annotationOf(object, TIMEOUT_ANNOTATION);
  if (timeout === undefined || isTimeout(timeout)) return [];
  const path = toFieldPath`${paths.metadata}.annotations[${TIMEOUT_ANNOTATION}]`;
  return [outOfRange.createFinding('timeout', { path, data: { annotation: TIMEOUT_ANNOTATION, value: toDisplayValue(timeout) } })];
}

/** A whole number beyond 32 bits. */
export function createInt32OverflowFinding(path: FieldPath, value: number): Finding {
  return outOfRange.createFinding('tooLarge', { path, data: { field: getFieldName(path), value: toDisplayValue(value) } });
}

/** A stage to emit that an upgrade by Git does not have; a refused upgrade has none at all. */
export function checkStageRange(stages: readonly unknown[], stage: number | 'all'): Finding[] {
  if (stage === 'all' || stages.length === 0 || stages[stage] !== undefined) return [];
  return [outOfRange.createFinding('stage', { path: toFieldPath`stage`, data: { stage, last: stages.length - 1 } })];
}
