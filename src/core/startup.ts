import { valueAt } from './manifest';

/** Annotation of a pod template: seconds that its pods take to become ready. */
const STARTUP_ANNOTATION = 'rolloutkit/startup-seconds';

/**
 * The seconds that pods of a template take to become ready: its annotation, else what is given for the plan; undefined where neither says.
 * An annotation that is no number of at least 0 is passed over.
 */
export function startupSecondsOf(template: unknown, given: number): number | undefined {
  const annotation = valueAt(template, 'metadata', 'annotations', STARTUP_ANNOTATION);
  const seconds = typeof annotation === 'string' && annotation.trim() !== '' ? Number(annotation) : NaN;
  if (Number.isFinite(seconds) && seconds >= 0) return seconds;
  return given > 0 ? given : undefined;
}
