import { isInt32 } from '../../core/int-or-percent';
import { valueAt } from '../../core/manifest';
import type { Manifest } from '../../core/manifest';
import type { ReplicaRange } from '../../core/workload';
import { DEPLOYMENT_DEFAULTS } from './strategy';

/**
 * The pods that a workload runs: its replicas; where they are left out, the least that its autoscaler keeps, and 1 without one.
 *
 * An autoscaler that may go down to 0, as KEDA's, still starts from the 1 that the API server fills in.
 */
export function replicasOf(workload: Manifest, autoscaler: ReplicaRange | undefined): number {
  const replicas = valueAt(workload, 'spec', 'replicas');
  if (isInt32(replicas)) return replicas;
  return Math.max(DEPLOYMENT_DEFAULTS.replicas, autoscaler?.minimum ?? 0);
}
