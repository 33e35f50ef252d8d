import { toFieldPath, buildFieldPath } from '../../core/field-path';
import type { OverriddenLevel, Provenance } from '../../core/provenance';
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
  const overridden = [
    { layer: 'fleet-default', value: FLEET_DEFAULTS[field], reason: `counts only where rolloutStrategy has no ${field}` },
  ];
  return { field, value, layer: 'rollout-strategy', reason: `rolloutStrategy sets ${field}`, overridden };
}

/** How provenance calls a partition: by its name, else by its place. */
function formatPartitionLabel({ name }: Partition, index: number): string {
  return name || buildFieldPath('partitions', index);
}

/** The levels below a partition's own limit. */
function listOverriddenLevels({ maxUnavailable }: RolloutStrategy): OverriddenLevel[] {
  const fleetDefault = {
    layer: 'fleet-default',
    value: FLEET_DEFAULTS.maxUnavailable,
    reason: 'counts only where neither the partition nor rolloutStrategy has maxUnavailable',
  };
  if (maxUnavailable === undefined) return [fleetDefault];
  const reason = 'holds as well, for the clusters of all partitions together';
  return [{ layer: 'rollout-strategy', value: maxUnavailable, reason }, fleetDefault];
}

/** The partitions that set a limit of their own. */
function buildPartitionProvenance(strategy: RolloutStrategy): Provenance[] {
  const overridden = listOverriddenLevels(strategy);
  return (strategy.partitions ?? []).flatMap((partition, index) => {
    if (partition.maxUnavailable === undefined) return [];
    return {
      field: 'maxUnavailable',
      value: partition.maxUnavailable,
      layer: `partition ${formatPartitionLabel(partition, index)}`,
      reason: 'a partition’s own maxUnavailable holds within it',
      overridden,
    };
  });
}

/** Which level decides each limit. Limits of automatic partitions are left out where the partitions are written by hand. */
export function buildFleetProvenance(strategy: RolloutStrategy): Provenance[] {
  const automatic: Limit[] = hasManualPartitions(strategy) ? [] : ['autoPartitionSize', 'autoPartitionThreshold'];
  const others: Limit[] = ['maxUnavailablePartitions', ...automatic, 'maxNew'];
  return [
    buildLimitProvenance(strategy, 'maxUnavailable'),
    ...buildPartitionProvenance(strategy),
    ...others.map((field) => buildLimitProvenance(strategy, field)),
  ];
}

/** Whom a bundle is planned for where nobody in view says whom it targets. */
export function buildAssumedTargetsProvenance(): Provenance {
  const reason = 'no GitRepo in view finds this fleet.yaml, and its targets decide: until it is given, every cluster in view is assumed';
  return { field: 'targets', value: 'every cluster in view', layer: 'assumed', reason, overridden: [] };
}

/** Which customization won for each cluster, and which lost; nothing for a cluster that none matches. */
export function buildCustomizationProvenance(chosen: readonly CustomizedCluster[], { targets, mode }: Targeting): Provenance[] {
  const nameAt = (position: number) => targetNameOf(targets[position]!, position);
  return chosen.flatMap(({ cluster, choice }) => {
    const { applied, skipped, deployed } = choice;
    if (applied.length === 0) return [];
    const names = applied.map(nameAt);
    const rule = mode === 'AllMatches' ? 'all customizations that match are merged in order' : 'the first customization that matches';
    return {
      field: toFieldPath`targetCustomizations[${cluster.name}]`,
      value: mode === 'AllMatches' ? names : names[0],
      layer: 'target-customization',
      reason: deployed ? `${mode}: ${rule}` : `${mode}: ${rule}; doNotDeploy leaves the cluster out`,
      overridden: skipped.map((position) => ({
        layer: 'target-customization',
        value: nameAt(position),
        reason: 'an earlier customization matches the cluster too',
      })),
    };
  });
}
