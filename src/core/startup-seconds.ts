import { MAX_INT32 } from './int-or-percent';
import { getValueAt } from './manifest';

/** Annotation of a pod template: seconds that its pods take to become ready. */
export const STARTUP_ANNOTATION = 'rolloutkit/startup-seconds';

/** The annotation as it is written; undefined where there is none. @param metadata what holds the annotations */
export function startupAnnotationOf(metadata: unknown): unknown {
  return getValueAt(metadata, 'annotations', STARTUP_ANNOTATION);
}

/** Is this a number of seconds that a pod may take: from 0 up, and no more than the API's own times can be, so that sums of them stay numbers? */
export function isStartupSeconds(seconds: unknown): seconds is number {
  return typeof seconds === 'number' && seconds >= 0 && seconds <= MAX_INT32;
}

/** A number of seconds, as text; undefined for anything else. */
export function parseStartupSeconds(annotation: unknown): number | undefined {
  const seconds = typeof annotation === 'string' && annotation.trim() !== '' ? Number(annotation) : NaN;
  return isStartupSeconds(seconds) ? seconds : undefined;
}

/**
 * The seconds that pods of a template take to become ready: its annotation, else what is given for the plan; undefined where neither says.
 * An annotation that is no number of seconds is passed over, which is a finding of its own.
 */
export function resolveStartupSeconds(template: unknown, defaultSeconds: number): number | undefined {
  return parseStartupSeconds(startupAnnotationOf(getValueAt(template, 'metadata'))) ?? (defaultSeconds > 0 ? defaultSeconds : undefined);
}
