import type { AnyRule } from '../../../core/findings/finding';
import { batchesNotChecked } from './batches-not-checked';
import { fleetInt32Overflow } from './int32-overflow';
import { clusterNotReached } from './cluster-not-reached';
import { criteriaLessPartition } from './criteria-less-partition';
import { dependsOnMissing } from './depends-on-missing';
import { emptyPartition } from './empty-partition';
import { invalidLimit } from './invalid-limit';
import { invalidSelector } from './invalid-selector';
import { maxNewZero } from './max-new-zero';
import { neverPauses } from './never-pauses';
import { noInventory } from './no-inventory';
import { noTarget } from './no-target';
import { overlappingPartitions } from './overlapping-partitions';
import { partitionAboveBundleLimit } from './partition-above-bundle-limit';
import { unknownCluster } from './unknown-cluster';
import { fleetUnknownField } from './unknown-field';
import { unmatchedClusters } from './unmatched-clusters';
import { fleetWrongType } from './wrong-type';
import { zeroMaxUnavailable } from './zero-max-unavailable';
import { zeroPercentIsOne } from './zero-percent-is-one';

/** Rules about Bundles, HelmOps and fleet.yaml files. */
export const FLEET_RULES: readonly AnyRule[] = [
  unmatchedClusters,
  overlappingPartitions,
  dependsOnMissing,
  emptyPartition,
  criteriaLessPartition,
  zeroMaxUnavailable,
  zeroPercentIsOne,
  neverPauses,
  batchesNotChecked,
  partitionAboveBundleLimit,
  invalidLimit,
  invalidSelector,
  maxNewZero,
  noInventory,
  noTarget,
  clusterNotReached,
  unknownCluster,
  fleetUnknownField,
  fleetWrongType,
  fleetInt32Overflow,
];
