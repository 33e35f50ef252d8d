import { pluralize } from '../../core/text/text-format';
import type { FleetCluster } from './clusters';
import { DISPLAY_NAME_LABEL } from './lookup';
import { FleetIntentError, negationOf } from './partition-intents';
import type { CanaryPartitions, PartitionProps } from './partition-intents';
import type { LabelSelector, LabelSelectorRequirement } from './types';
import { getOwnValue } from '../../core/manifest/manifest';

/** Labels that Rancher sets on each cluster with a unique value. */
const CLUSTER_NAME_LABELS = ['management.cattle.io/cluster-name', DISPLAY_NAME_LABEL];

function isNameList(clusters: readonly string[] | LabelSelector): clusters is readonly string[] {
  return Array.isArray(clusters);
}

function selectFirstByName(count: number, targets: readonly FleetCluster[] | undefined): readonly string[] {
  if (!targets) {
    throw new FleetIntentError(
      `a canary of ${count} needs an inventory to choose clusters from; pass one, or set names or labels of the canary's clusters`,
    );
  }
  if (!Number.isInteger(count) || count < 1 || count > targets.length) {
    throw new FleetIntentError(
      `a canary of ${count} can't be chosen from ${pluralize(targets.length, 'targeted cluster')}; set an integer from 1 to ${targets.length}`,
    );
  }
  return targets.slice(0, count).map(({ name }) => name);
}

/** Finds a label that distinguishes these clusters: no other target has one of their values. */
function findDistinguishingLabel(names: readonly string[], targets: readonly FleetCluster[]): LabelSelectorRequirement | undefined {
  const canaryNames = new Set(names);
  const canaries = targets.filter(({ name }) => canaryNames.has(name));
  const keys = Object.keys(canaries[0]?.labels ?? {}).toSorted();
  const ordered = [...CLUSTER_NAME_LABELS.filter((key) => keys.includes(key)), ...keys.filter((key) => !CLUSTER_NAME_LABELS.includes(key))];
  for (const key of ordered) {
    const values = new Set(canaries.map(({ labels }) => labels && getOwnValue(labels, key)));
    const isDistinguishing =
      !values.has(undefined) &&
      targets.every(({ name, labels }) => canaryNames.has(name) || !values.has(labels && getOwnValue(labels, key)));
    if (isDistinguishing && canaries.length === canaryNames.size) return { key, operator: 'In', values: [...values] as string[] };
  }
  return undefined;
}

/**
 * Builds the partitions of the canary: one by labels, or one for each cluster that only its name distinguishes.
 *
 * Clusters that are chosen by number or name are selected by a label value that no other targeted cluster has,
 * if the inventory has such a label. Later partitions can then exclude them.
 *
 * @param targets the targeted clusters, sorted by name, if there is an inventory
 * @throws FleetIntentError if a number is requested and the inventory does not have that many clusters
 */
export function buildCanaryPartitions(
  { clusters }: CanaryPartitions,
  targets: readonly FleetCluster[] | undefined,
): readonly PartitionProps[] {
  if (clusters === undefined) throw new FleetIntentError('a canary has no clusters: write clusters: 1, or names or a label selector');
  if (typeof clusters !== 'number' && !isNameList(clusters)) return [{ name: 'canary', clusterSelector: clusters }];
  const names = typeof clusters === 'number' ? selectFirstByName(clusters, targets) : clusters;
  if (names.length === 0) throw new FleetIntentError('a canary without clusters delays nothing; name at least one cluster');
  const requirement = targets && findDistinguishingLabel(names, targets);
  if (requirement) return [{ name: 'canary', clusterSelector: { matchExpressions: [requirement] } }];
  return names.map((clusterName) => ({ name: names.length === 1 ? 'canary' : `canary-${clusterName}`, clusterName }));
}

/** Excludes the clusters of the canary from a partition, if a label can express this. */
export function excludeCanary(partition: PartitionProps, canary: PartitionProps): PartitionProps {
  const negation = negationOf(canary);
  const { clusterSelector } = partition;
  if (!negation || !clusterSelector) return partition;
  return {
    ...partition,
    clusterSelector: { ...clusterSelector, matchExpressions: [...(clusterSelector.matchExpressions ?? []), negation] },
  };
}
