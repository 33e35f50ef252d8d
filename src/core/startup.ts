import { at } from './field-path';
import type { Finding } from './finding';
import { valueAt } from './manifest';
import { wrongType } from './rules/wrong-type';
import { seen } from './seen';

/** Annotation of a pod template: seconds that its pods take to become ready. */
const STARTUP_ANNOTATION = 'rolloutkit/startup-seconds';

/** A number of at least 0, as text; undefined for anything else. */
function secondsOf(annotation: unknown): number | undefined {
  const seconds = typeof annotation === 'string' && annotation.trim() !== '' ? Number(annotation) : NaN;
  return Number.isFinite(seconds) && seconds >= 0 ? seconds : undefined;
}

/**
 * The seconds that pods of a template take to become ready: its annotation, else what is given for the plan; undefined where neither says.
 * An annotation that is no number of seconds is passed over (`startupAnnotationFindings` says so).
 */
export function startupSecondsOf(template: unknown, given: number): number | undefined {
  return secondsOf(valueAt(template, 'metadata', 'annotations', STARTUP_ANNOTATION)) ?? (given > 0 ? given : undefined);
}

/**
 * Warns of a start-up annotation that is no number of seconds, which the plan passes over.
 *
 * @param metadata what holds the annotations
 * @param path its field path: `spec.template.metadata`
 */
export function startupAnnotationFindings(metadata: unknown, path: string): Finding[] {
  const annotation = valueAt(metadata, 'annotations', STARTUP_ANNOTATION);
  if (annotation === undefined || secondsOf(annotation) !== undefined) return [];
  const place = at`${path}.annotations[${STARTUP_ANNOTATION}]`;
  return [
    wrongType.finding('startupSeconds', {
      path: place,
      severity: 'warning',
      data: { annotation: STARTUP_ANNOTATION, value: seen(annotation) },
    }),
  ];
}
