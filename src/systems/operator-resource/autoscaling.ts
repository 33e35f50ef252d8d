import { isInt32 } from '../../core/values/int-or-percent';
import { getFieldsAt, groupOf } from '../../core/manifest/manifest';
import type { Manifest } from '../../core/manifest/manifest';
import type { ReplicaRange } from '../../cluster/rollout/workload';
import { IBM_GROUP } from './embedded-strategy';
import type { StrategyLocation } from './embedded-strategy';
import { parseQuotedNumber } from './strategy';

/** The defaults in IBM's templates of a custom resource. */
const AUTOSCALING_DEFAULTS = { min_replicas: 2, max_replicas: 3 } as const;

/**
 * Returns the range in which the `autoscaling` next to a strategy keeps the replicas, if it is enabled and the resource belongs to IBM's
 * group. An omitted or negative bound gets the default of the templates.
 *
 * Source: icp4a/cert-kubernetes 24.0.0, descriptors/patterns/ibm_cp4a_cr_production_FC_workflow-standalone.yaml.
 */
export function resolveOperatorReplicaRange(object: Manifest, { holder }: StrategyLocation): ReplicaRange | undefined {
  const autoscaling = getFieldsAt(holder, 'autoscaling');
  if (groupOf(object) !== IBM_GROUP || autoscaling.enabled !== true) return undefined;
  const readBound = (field: keyof typeof AUTOSCALING_DEFAULTS) => {
    const value = parseQuotedNumber(autoscaling[field]);
    return isInt32(value) && value >= 0 ? value : AUTOSCALING_DEFAULTS[field];
  };
  const minimum = readBound('min_replicas');
  return { by: 'autoscaling of the custom resource', minimum, maximum: Math.max(minimum, readBound('max_replicas')) };
}
