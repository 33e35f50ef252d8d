import { isInt32 } from '../../core/int-or-percent';
import { fieldsAt, groupOf } from '../../core/manifest';
import type { Manifest } from '../../core/manifest';
import type { ReplicaRange } from '../../cluster/workload';
import { IBM_GROUP } from './mount';
import type { Mount } from './mount';
import { unquoted } from './strategy';

/** What IBM's templates of a custom resource have. */
const DEFAULTS = { min_replicas: 2, max_replicas: 3 } as const;

/**
 * The numbers of pods between which `autoscaling` beside the strategy keeps them, in IBM's own group and where it is enabled.
 * A bound that is left out or negative is the default, taken to be that of the templates.
 *
 * Source: icp4a/cert-kubernetes 24.0.0, descriptors/patterns/ibm_cp4a_cr_production_FC_workflow-standalone.yaml.
 */
export function replicaRangeOf(object: Manifest, { holder }: Mount): ReplicaRange | undefined {
  const autoscaling = fieldsAt(holder, 'autoscaling');
  if (groupOf(object) !== IBM_GROUP || autoscaling.enabled !== true) return undefined;
  const bound = (field: keyof typeof DEFAULTS) => {
    const value = unquoted(autoscaling[field]);
    return isInt32(value) && value >= 0 ? value : DEFAULTS[field];
  };
  const minimum = bound('min_replicas');
  return { by: 'autoscaling of the custom resource', minimum, maximum: Math.max(minimum, bound('max_replicas')) };
}
