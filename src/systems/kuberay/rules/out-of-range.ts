import { byChoice, set } from '../../../core/advice';
import type { Advice } from '../../../core/advice';
import { at, fieldName } from '../../../core/field-path';
import { durationNanos } from '../../../core/go-duration';
import type { FieldPath } from '../../../core/field-path';
import { message, rule } from '../../../core/finding';
import type { Finding } from '../../../core/finding';
import { MAX_INT32 } from '../../../core/int-or-percent';
import { annotationOf } from '../../../core/manifest';
import type { Fields } from '../../../core/manifest';
import { seen, show } from '../../../core/seen';
import type { Seen } from '../../../core/seen';
import type { ReadRayService } from '../ray-service';
import { INCREMENTAL, isPercentage, surgeOf } from '../strategy';
import { WHOLE_SERVICE, withOption } from './examples';
import { API_SERVER_REFUSES, operatorRefuses, refusalOf, SAMPLE_REFUSAL } from './refusal';
import type { Refusal } from './refusal';

const TIMEOUT_ANNOTATION = 'ray.io/initializing-timeout';

interface ValueData {
  readonly value: Seen;
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

function stepHelp({ largest }: StepRangeData): string {
  return `Write a whole number from 1 to ${largest ?? 'maxSurgePercent'}.`;
}

function stepAdvice({ largest }: StepRangeData, path: FieldPath): Advice | undefined {
  return largest === undefined ? undefined : byChoice(set(path, largest));
}

/** A number outside its range. */
export const outOfRange = rule({
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
  example: withOption('maxSurgePercent: 20', 'maxSurgePercent: 200'),
  fixed: WHOLE_SERVICE,
  messages: {
    surge: message<ValueData & Refusal>({
      text: ({ value, ...refusal }) =>
        `maxSurgePercent is ${show(value)}. ${operatorRefuses(refusal, 'maxSurgePercent must be between 0 and 100')}`,
      help: () => 'Write a whole number from 1 to 100.',
      sample: { value: 200, ...SAMPLE_REFUSAL },
    }),
    step: message<ValueData & StepRangeData & Refusal>({
      text: ({ value, version, onRefusal }) =>
        `stepSizePercent is ${show(value)}. ${operatorRefuses({ version, onRefusal }, 'stepSizePercent must be between 0 and 100')}`,
      help: stepHelp,
      advice: stepAdvice,
      sample: { value: 101, largest: 20, ...SAMPLE_REFUSAL },
    }),
    missingStep: message<StepRangeData>({
      text: () => `stepSizePercent is missing. ${API_SERVER_REFUSES}`,
      help: stepHelp,
      advice: stepAdvice,
      sample: { largest: 20 },
    }),
    deletionDelay: message<ValueData>({
      text: ({ value }) => `rayClusterDeletionDelaySeconds is ${show(value)}. ${API_SERVER_REFUSES}`,
      help: () => 'Write 0 seconds or more, or leave it out for 60.',
      sample: { value: -1 },
    }),
    timeout: message<AnnotationData>({
      text: ({ annotation, value }) => `The annotation ${annotation} is ${show(value)}, and KubeRay takes only a time above 0.`,
      help: () => 'Write seconds ("300") or a duration ("5m").',
      sample: { annotation: TIMEOUT_ANNOTATION, value: '0' },
    }),
    tooLarge: message<TooLargeData>({
      text: ({ field, value }) =>
        `${field} is ${show(value)}, which does not fit into 32 bits (at most ${MAX_INT32}), so the API server refuses the object.`,
      help: () => 'Write a smaller number.',
      sample: { field: 'intervalSeconds', value: 3_000_000_000 },
    }),
    stage: message<StageData>({
      text: ({ stage, last }) => `stage is ${stage}, and this upgrade has the stages 0 to ${last}.`,
      help: () => "Write one of them, or 'all'.",
      sample: { stage: 9, last: 8 },
    }),
  },
});

/** A surge that the operator refuses. */
export function surgeFindings(service: ReadRayService, options: Fields): Finding[] {
  const surge = surgeOf(options);
  if (service.type !== INCREMENTAL || isPercentage(surge)) return [];
  const path = at`${service.places.options}.maxSurgePercent`;
  return [outOfRange.finding('surge', { path, data: { value: seen(surge), ...refusalOf(service) } })];
}

/** A step that is missing, which the API server refuses under any type, or one that the operator refuses. */
export function stepFindings(service: ReadRayService, options: Fields): Finding[] {
  const path = at`${service.places.options}.stepSizePercent`;
  const step = options.stepSizePercent ?? undefined;
  const surge = surgeOf(options);
  const range: StepRangeData = isPercentage(surge) && surge > 0 ? { largest: surge } : {};
  if (step === undefined) return [outOfRange.finding('missingStep', { path, data: range })];
  if (service.type !== INCREMENTAL || isPercentage(step)) return [];
  return [outOfRange.finding('step', { path, data: { value: seen(step), ...range, ...refusalOf(service) } })];
}

/** A deletion delay below 0. */
export function deletionDelayFindings({ spec, places }: ReadRayService): Finding[] {
  const delay = spec.rayClusterDeletionDelaySeconds;
  if (typeof delay !== 'number' || delay >= 0) return [];
  return [outOfRange.finding('deletionDelay', { path: at`${places.spec}.rayClusterDeletionDelaySeconds`, data: { value: delay } })];
}

/** Is this a time above 0, as a Go duration or in seconds, as an int64? An empty text is none, and is not looked at. */
function isTimeout(text: string): boolean {
  if (text === '') return true;
  const nanoseconds = durationNanos(text);
  if (nanoseconds !== undefined) return nanoseconds > 0n;
  const [, digits] = /^\+?0*([0-9]{1,19})$/.exec(text) ?? [];
  return digits !== undefined && BigInt(digits) > 0n && BigInt(digits) < 2n ** 63n;
}

/** A time to start that the webhook refuses. */
export function timeoutFindings({ object, places }: ReadRayService): Finding[] {
  const timeout = annotationOf(object, TIMEOUT_ANNOTATION);
  if (timeout === undefined || isTimeout(timeout)) return [];
  const path = at`${places.metadata}.annotations[${TIMEOUT_ANNOTATION}]`;
  return [outOfRange.finding('timeout', { path, data: { annotation: TIMEOUT_ANNOTATION, value: seen(timeout) } })];
}

/** A whole number beyond 32 bits. */
export function tooLargeFinding(path: FieldPath, value: number): Finding {
  return outOfRange.finding('tooLarge', { path, data: { field: fieldName(path), value: seen(value) } });
}

/** A stage to emit that an upgrade by Git does not have; a refused upgrade has none at all. */
export function stageFindings(stages: readonly unknown[], stage: number | 'all'): Finding[] {
  if (stage === 'all' || stages.length === 0 || stages[stage] !== undefined) return [];
  return [outOfRange.finding('stage', { path: at`stage`, data: { stage, last: stages.length - 1 } })];
}
