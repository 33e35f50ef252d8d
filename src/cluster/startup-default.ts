import { getOwnValue } from '../core/manifest';
import type { PlanContext } from './context';

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

/** Returns the seconds until pods of a workload are ready, if its template does not say: what was measured, else the default of the plan. */
export function getStartupDefault(
  workload: WorkloadName,
  { startupSeconds, measuredStartupSeconds = {} }: Pick<PlanContext, 'startupSeconds' | 'measuredStartupSeconds'>,
): number {
  return getOwnValue(measuredStartupSeconds, formatStartupKey(workload)) ?? startupSeconds;
}
