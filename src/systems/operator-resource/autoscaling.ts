import { isInt32 } from '../../core/int-or-percent';
import { getFieldsAt, groupOf } from '../../core/manifest';
import type { Manifest } from '../../core/manifest';
import type { ReplicaRange } from '../../cluster/workload';
import { IBM_GROUP } from './embedded-strategy';
import type { StrategyLocation } from './embedded-strategy';
import { parseQuotedNumber } from './strategy';

/** What IBM's templates of a custom resource have. */
const AUTOSCALING_DEFAULTS = { min_replicas: 2, max_replicas: 3 } as const;

/**
 * The numbers of pods between which `autoscaling` beside the strategy keeps them, in IBM's own group and where it is enabled.
 * A bound that is left out or negative is the default, taken to be that of the templates.
 *
 * Source: icp4a/cert-kubernetes 24.0.0, descriptors/patterns/ibm_cp4a_cr_production_FC_workflow-standalone.yaml.
 */
export function resolveOperatorReplicaRange(object: Manifest, { holder }: StrategyLocation): ReplicaRange | undefined {
  const autoscaling = getFieldsAt(holder, 'autoscaling');
  if (groupOf(object) !== IBM_GROUP || autoscaling.enabled !== true) return undefined;
  const bound = (field: keyof typeof AUTOSCALING_DEFAULTS) => {
    const value = parseQuotedNumber(autoscaling[field]);
    return isInt32(value) && value >= 0 ? value : AUTOSCALING_DEFAULTS[field];
  };
  const minimum = bound('min_replicas');
  return { by: 'autoscaling of the custom resource', minimum, maximum: Math.max(minimum, bound('max_replicas')) };
}
