import { valueAt } from './manifest';

/** Annotation of a pod template: seconds that its pods take to become ready. */
export const STARTUP_ANNOTATION = 'rolloutkit/startup-seconds';

/** The annotation as it is written; undefined where there is none. @param metadata what holds the annotations */
export function startupAnnotationOf(metadata: unknown): unknown {
  return valueAt(metadata, 'annotations', STARTUP_ANNOTATION);
}

/** A number of at least 0, as text; undefined for anything else. */
export function annotatedSeconds(annotation: unknown): number | undefined {
  const seconds = typeof annotation === 'string' && annotation.trim() !== '' ? Number(annotation) : NaN;
  return Number.isFinite(seconds) && seconds >= 0 ? seconds : undefined;
}

/**
 * The seconds that pods of a template take to become ready: its annotation, else what is given for the plan; undefined where neither says.
 * An annotation that is no number of seconds is passed over, which is a finding of its own.
 */
export function startupSecondsOf(template: unknown, given: number): number | undefined {
  return annotatedSeconds(startupAnnotationOf(valueAt(template, 'metadata'))) ?? (given > 0 ? given : undefined);
}
