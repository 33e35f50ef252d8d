import { MAX_INT32 } from './int-or-percent';
import { getOwnValue, getValueAt } from '../manifest/manifest';

/** Annotation of a pod template: seconds until its pods become ready. */
export const STARTUP_ANNOTATION = 'rolloutkit/startup-seconds';

/** Seconds until a pod is ready that advice and goals assume if nothing says how long it takes. */
export const ASSUMED_STARTUP_SECONDS = 60;

/** Returns the annotation as written; undefined if there is none. @param metadata object that contains the annotations */
export function startupAnnotationOf(metadata: unknown): unknown {
  return getValueAt(metadata, 'annotations', STARTUP_ANNOTATION);
}

/**
 * Reports whether a value is a valid number of seconds for a pod to start. It is at least 0 and at most the maximum of the API's own times,
 * so that sums stay numbers.
 */
export function isStartupSeconds(seconds: unknown): seconds is number {
  return typeof seconds === 'number' && seconds >= 0 && seconds <= MAX_INT32;
}

/** Parses a number of seconds; undefined for anything else. */
export function parseStartupSeconds(annotation: unknown): number | undefined {
  const seconds = typeof annotation === 'string' && annotation.trim() !== '' ? Number(annotation) : NaN;
  return isStartupSeconds(seconds) ? seconds : undefined;
}

/**
 * Returns the seconds until pods of a template become ready: its annotation, otherwise the default of the plan; undefined if there is
 * neither.
 * An annotation that is not a number of seconds is ignored here and reported as a separate finding.
 */
export function resolveStartupSeconds(template: unknown, defaultSeconds: number): number | undefined {
  return parseStartupSeconds(startupAnnotationOf(getValueAt(template, 'metadata'))) ?? (defaultSeconds > 0 ? defaultSeconds : undefined);
}

/** What identifies a workload. */
interface WorkloadName {
  readonly kind: string;
  readonly namespace?: string | undefined;
  readonly name: string;
}

/** Formats the name of a workload as measured start-up times have it: `Deployment/shop/web`. */
export function formatStartupKey({ kind, namespace, name }: WorkloadName): string {
  return [kind, namespace, name].filter((part) => part !== undefined).join('/');
}

/** The start-up times of a plan. */
interface StartupTimes {
  readonly startupSeconds: number;
  /** By workload. @default - nothing is measured */
  readonly measuredStartupSeconds?: Readonly<Record<string, number>>;
}

/** Returns the seconds until pods of a workload are ready, if its template does not say: what was measured, else the default of the plan. */
export function getStartupDefault(workload: WorkloadName, { startupSeconds, measuredStartupSeconds }: StartupTimes): number {
  return (measuredStartupSeconds && getOwnValue(measuredStartupSeconds, formatStartupKey(workload))) ?? startupSeconds;
}
