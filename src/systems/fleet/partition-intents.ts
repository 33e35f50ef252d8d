import { isDeepEqual } from '../../core/collections/deep-equal';
import type { IntOrPercent } from '../../core/values/int-or-percent';
import { IntentError } from '../../core/errors/intent-error';
import type { ClusterCriteria, ClusterGroupSpec, LabelSelector, LabelSelectorRequirement, Partition } from './types';

/** Thrown for an intent that no rolloutStrategy can implement. The message says how to change it. */
export class FleetIntentError extends IntentError {
  override readonly name = 'FleetIntentError';
}

/** A ClusterGroup that is emitted together with the bundle. */
export interface ClusterGroupProps extends Required<ClusterGroupSpec> {
  /** Name of the ClusterGroup, which partitions and targets use to refer to it. */
  readonly name: string;
  /** Labels that a `clusterGroupSelector` matches. @default - none */
  readonly labels?: Readonly<Record<string, string>>;
}

/** A partition with its own ClusterGroup. */
export interface PartitionOfGroup extends Omit<Partition, 'clusterGroup'> {
  /** A ClusterGroup to emit together with the bundle. Its members form the partition. */
  readonly group: ClusterGroupProps;
  readonly clusterGroup?: never;
}

/** Criteria with at least one criterion. A partition without criteria matches no cluster. */
export type RequiredCriterion = {
  readonly [Name in keyof ClusterCriteria]-?: Required<Pick<ClusterCriteria, Name>>;
}[keyof ClusterCriteria];

/** A manual partition: its clusters are selected by at least one criterion, or by its own group instead of a `clusterGroup`. */
export type PartitionProps = PartitionOfGroup | (Partition & RequiredCriterion & { readonly group?: never });

/** A canary: some clusters roll out first, and the others only once these are ready. */
export interface CanaryPartitions {
  readonly kind: 'canary';
  /** The canary clusters: a number (the first targeted clusters by name), a list of names, or a label selector. */
  readonly clusters: number | readonly string[] | LabelSelector;
  /** Partitions for the other clusters, in this order. @default - one partition for all others */
  readonly then?: readonly PartitionProps[];
}

/** Partitions that Fleet forms automatically, ordered by cluster name. */
export interface AutomaticPartitions {
  readonly kind: 'automatic';
  /** Number or share of clusters in each partition, rounded down. @default 25% */
  readonly size?: IntOrPercent;
  /** Minimum number of clusters to form partitions; since Fleet 0.15. @default 200 */
  readonly from?: number;
}

/** The partitions: manual ones, a canary, or automatic ones. */
export type PartitionsIntent = readonly PartitionProps[] | CanaryPartitions | AutomaticPartitions;

const NEGATIONS: Readonly<Record<LabelSelectorRequirement['operator'], LabelSelectorRequirement['operator']>> = {
  In: 'NotIn',
  NotIn: 'In',
  Exists: 'DoesNotExist',
  DoesNotExist: 'Exists',
};

/** Returns the requirements of a selector. JavaScript callers may pass null for a field, which is the same as no value to the API server. */
function requirementsOf({ matchLabels, matchExpressions }: LabelSelector): LabelSelectorRequirement[] {
  const labels = Object.entries(matchLabels ?? {}).map(([key, value]) => ({ key, operator: 'In' as const, values: [value] }));
  return [...labels, ...(matchExpressions ?? [])];
}

/** Reports whether a partition selects only by cluster labels, and not by name or group (including its own group). */
function hasOnlyLabelCriteria({ clusterName, clusterGroup, clusterGroupSelector, group }: PartitionProps): boolean {
  return !clusterName && !clusterGroup && !clusterGroupSelector && !group;
}

/** Returns the requirement that excludes a partition's clusters; undefined unless the partition has exactly one requirement. */
export function negationOf(partition: PartitionProps): LabelSelectorRequirement | undefined {
  if (!hasOnlyLabelCriteria(partition) || !partition.clusterSelector) return undefined;
  const [requirement, ...more] = requirementsOf(partition.clusterSelector);
  return requirement && more.length === 0 ? { ...requirement, operator: NEGATIONS[requirement.operator] } : undefined;
}

/** Merges `NotIn` requirements on one label: `NotIn [staging]` and `NotIn [prod]` become `NotIn [staging, prod]`. */
function mergeRequirements(requirements: readonly LabelSelectorRequirement[]): LabelSelectorRequirement[] {
  const result: LabelSelectorRequirement[] = [];
  for (const requirement of requirements) {
    const index = result.findIndex(
      ({ key, operator }) => operator === 'NotIn' && requirement.operator === 'NotIn' && key === requirement.key,
    );
    if (index < 0) result.push(requirement);
    else result[index] = { ...requirement, values: [...(result[index]!.values ?? []), ...(requirement.values ?? [])] };
  }
  return result;
}

/** Computes a selector for the clusters that no partition matches. It can also match clusters of partitions by name or group. */
function computeComplement(partitions: readonly PartitionProps[]): LabelSelector {
  const requirements = mergeRequirements(partitions.flatMap((partition) => negationOf(partition) ?? []));
  return requirements.length === 0 ? {} : { matchExpressions: requirements };
}

/** Reports whether a partition matches every possible cluster. */
function isCatchAll({ clusterName, clusterGroup, clusterSelector, clusterGroupSelector, group }: PartitionProps): boolean {
  const selectors = [clusterSelector, clusterGroupSelector].filter((selector) => selector !== undefined);
  const isNamed = Boolean(clusterName) || Boolean(clusterGroup) || group !== undefined;
  return !isNamed && selectors.length > 0 && selectors.every((selector) => requirementsOf(selector).length === 0);
}

/** Name of the last partition, for all clusters that no other partition matches. A rule reads it in the manifest. */
const CATCH_ALL_NAME = 'rest';

/**
 * Reports whether a partition is declared as the one for the rest: the last one, with this name. Labels can't exclude the clusters of a name
 * or a group, so it may contain clusters of earlier partitions on purpose. They are released with those.
 */
export function isDeclaredCatchAll(partitions: readonly Partition[], index: number): boolean {
  return index === partitions.length - 1 && partitions[index]!.name === CATCH_ALL_NAME;
}

/**
 * Adds a last partition for all clusters that no other partition matches, if one is needed.
 *
 * Without it, Fleet would silently never install or update these clusters.
 */
export function withCatchAll(partitions: readonly PartitionProps[]): readonly PartitionProps[] {
  const last = partitions.at(-1);
  if (!last || partitions.some(isCatchAll)) return partitions;
  if (hasOnlyLabelCriteria(last) && isDeepEqual(last.clusterSelector, computeComplement(partitions.slice(0, -1)))) return partitions;
  return [...partitions, { name: CATCH_ALL_NAME, clusterSelector: computeComplement(partitions) }];
}
