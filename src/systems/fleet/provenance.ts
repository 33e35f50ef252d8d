import { toFieldPath, buildFieldPath } from '../../core/manifest/field-path';
import type { OverriddenLevel, Provenance } from '../../core/document/provenance';
import { targetNameOf } from './bundle';
import { DEFAULT_AUTO_PARTITION_SIZE, DEFAULT_AUTO_PARTITION_THRESHOLD, hasManualPartitions } from './partitions';
import { DEFAULT_MAX_NEW } from './simulate';
import type { CustomizedCluster, Targeting } from './targets';
import type { Partition, RolloutStrategy } from './types';

const FLEET_DEFAULTS = {
  maxUnavailable: '100%',
  maxUnavailablePartitions: 0,
  autoPartitionSize: DEFAULT_AUTO_PARTITION_SIZE,
  autoPartitionThreshold: DEFAULT_AUTO_PARTITION_THRESHOLD,
  maxNew: DEFAULT_MAX_NEW,
} as const;

type Limit = keyof typeof FLEET_DEFAULTS;

function buildLimitProvenance(strategy: RolloutStrategy, field: Limit): Provenance {
  const value = strategy[field];
  if (value === undefined) {
    return { field, value: FLEET_DEFAULTS[field], layer: 'fleet-default', reason: `rolloutStrategy has no ${field}`, overridden: [] };
  }
  const overridden = [{ layer: 'fleet-default', value: FLEET_DEFAULTS[field], reason: `applies only if rolloutStrategy has no ${field}` }];
  return { field, value, layer: 'rollout-strategy', reason: `rolloutStrategy sets ${field}`, overridden };
}

/** Formats a partition for provenance: its name, or its path. */
function formatPartitionLabel({ name }: Partition, index: number): string {
  return name || buildFieldPath('partitions', index);
}

/** Lists the levels that a partition's own limit overrides. */
function listOverriddenLevels({ maxUnavailable }: RolloutStrategy): OverriddenLevel[] {
  const fleetDefault = {
    layer: 'fleet-default',
    value: FLEET_DEFAULTS.maxUnavailable,
    reason: 'applies only if neither the partition nor rolloutStrategy has maxUnavailable',
  };
  if (maxUnavailable === undefined) return [fleetDefault];
  const reason = 'also applies, to the clusters of all partitions together';
  return [{ layer: 'rollout-strategy', value: maxUnavailable, reason }, fleetDefault];
}

/** Builds the provenance of the partitions that set their own limit. */
function buildPartitionProvenance(strategy: RolloutStrategy): Provenance[] {
  const overridden = listOverriddenLevels(strategy);
  return (strategy.partitions ?? []).flatMap((partition, index) => {
    if (partition.maxUnavailable === undefined) return [];
    return {
      field: 'maxUnavailable',
      value: partition.maxUnavailable,
      layer: `partition ${formatPartitionLabel(partition, index)}`,
      reason: 'a partition’s own maxUnavailable applies within it',
      overridden,
    };
  });
}

/** Builds the provenance of each limit. The limits of automatic partitions are omitted if the strategy sets its own partitions. */
export function buildFleetProvenance(strategy: RolloutStrategy): Provenance[] {
  const automatic: Limit[] = hasManualPartitions(strategy) ? [] : ['autoPartitionSize', 'autoPartitionThreshold'];
  const others: Limit[] = ['maxUnavailablePartitions', ...automatic, 'maxNew'];
  return [
    buildLimitProvenance(strategy, 'maxUnavailable'),
    ...buildPartitionProvenance(strategy),
    ...others.map((field) => buildLimitProvenance(strategy, field)),
  ];
}

/** Builds the provenance of the assumed targets of a fleet.yaml without a GitRepo. */
export function buildAssumedTargetsProvenance(): Provenance {
  const reason = 'no GitRepo in the input finds this fleet.yaml, so its targets are unknown and every cluster in the inventory is assumed';
  return { field: 'targets', value: 'every cluster in the inventory', layer: 'assumed', reason, overridden: [] };
}

/** Builds the provenance of the customizations of each cluster: which apply and which are overridden. Clusters without any are omitted. */
export function buildCustomizationProvenance(chosen: readonly CustomizedCluster[], { targets, mode }: Targeting): Provenance[] {
  const nameAt = (position: number) => targetNameOf(targets[position]!, position);
  return chosen.flatMap(({ cluster, choice }) => {
    const { applied, skipped, deployed } = choice;
    if (applied.length === 0) return [];
    const names = applied.map(nameAt);
    const rule = mode === 'AllMatches' ? 'all matching customizations are merged in order' : 'the first matching customization applies';
    return {
      field: toFieldPath`targetCustomizations[${cluster.name}]`,
      value: mode === 'AllMatches' ? names : names[0],
      layer: 'target-customization',
      reason: deployed ? `${mode}: ${rule}` : `${mode}: ${rule}; doNotDeploy excludes the cluster`,
      overridden: skipped.map((position) => ({
        layer: 'target-customization',
        value: nameAt(position),
        reason: 'an earlier customization also matches the cluster',
      })),
    };
  });
}
