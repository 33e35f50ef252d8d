import { isInt32 } from '../core/int-or-percent';
import { valueAt } from '../core/manifest';
import type { Manifest } from '../core/manifest';
import type { Autoscaler } from '../cluster/autoscaler';
import { DEPLOYMENT_DEFAULTS } from './deployment/strategy';

/** The pods that a workload runs: its replicas; where they are left out, those that its autoscaler begins with, and 1 without one. */
export function replicasOf(workload: Manifest, autoscaler: Autoscaler | undefined): number {
  const replicas = valueAt(workload, 'spec', 'replicas');
  if (isInt32(replicas)) return replicas;
  return autoscaler?.initial ?? DEPLOYMENT_DEFAULTS.replicas;
}
