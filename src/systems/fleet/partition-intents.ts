import { isDeepEqual } from '../../core/deep-equal';
import type { IntOrPercent } from '../../core/int-or-percent';
import { IntentError } from '../../core/intent-error';
import { getValueAt } from '../../core/manifest';
import { describeValue } from '../../core/display-value';
import { readPropsOf, readPropsMapOf } from '../../input/read-props';
import type { ClusterCriteria, ClusterGroupSpec, LabelSelector, LabelSelectorRequirement, Partition } from './types';

/** Thrown for an intent that no rolloutStrategy can carry out; the message says what to write instead. */
export class FleetIntentError extends IntentError {
  override readonly name = 'FleetIntentError';
}

/** A ClusterGroup that is written along with the bundle. */
export interface ClusterGroupProps extends Required<ClusterGroupSpec> {
  /** Name of the ClusterGroup, by which partitions and targets refer to it. */
  readonly name: string;
  /** What a `clusterGroupSelector` selects by. @default - none */
  readonly labels?: Readonly<Record<string, string>>;
}

/** A partition that brings its ClusterGroup along. */
export interface PartitionOfGroup extends Omit<Partition, 'clusterGroup'> {
  /** A ClusterGroup to emit along with the bundle; its members are the partition. */
  readonly group: ClusterGroupProps;
  readonly clusterGroup?: never;
}

/** A criterion at least: a partition without any matches no cluster. */
export type RequiredCriterion = {
  readonly [Name in keyof ClusterCriteria]-?: Required<Pick<ClusterCriteria, Name>>;
}[keyof ClusterCriteria];

/** A partition by hand: which clusters, by a criterion at least, or by a group that it brings along in place of a `clusterGroup`. */
export type PartitionProps = PartitionOfGroup | (Partition & RequiredCriterion & { readonly group?: never });

/** Some clusters first, and the others only once they are ready. */
export interface CanaryPartitions {
  readonly kind: 'canary';
  /** So many of the targeted clusters, the first by name; or these, by name; or those with these labels. */
  readonly clusters: number | readonly string[] | LabelSelector;
  /** Partitions for the other clusters, in this order. @default - all others together */
  readonly then?: readonly PartitionProps[];
}

/** Partitions that Fleet forms by itself, in the order of names. */
export interface AutomaticPartitions {
  readonly kind: 'automatic';
  /** Clusters in each, rounded down. @default 25% */
  readonly size?: IntOrPercent;
  /** Clusters from which on they are formed. From Fleet 0.15. @default 200 */
  readonly from?: number;
}

/** Which clusters are rolled out together. */
export type PartitionsIntent = readonly PartitionProps[] | CanaryPartitions | AutomaticPartitions;

/**
 * A partition for each value of a label, in this order.
 *
 * @param limits a partition's own maxUnavailable, by value
 *
 * @example
 * partitionsByLabel('env', ['staging', 'prod'], { prod: '10%' });
 */
export function partitionsByLabel(
  label: string,
  values: readonly string[],
  limits: Readonly<Record<string, IntOrPercent>> = {},
): readonly PartitionProps[] {
  if (typeof label !== 'string') throw new Error(`partitionsByLabel: the label is ${describeValue(label)}; write a text`);
  const read = readPropsOf('partitionsByLabel', values);
  if (!Array.isArray(read)) throw new Error(`partitionsByLabel: ${describeValue(read)} is given; write a list of values`);
  return (read as readonly string[]).map((value) => ({
    name: value,
    clusterSelector: { matchLabels: { [label]: value } },
    ...(getValueAt(limits, value) !== undefined && { maxUnavailable: limits[value] }),
  }));
}

/**
 * A few clusters first, and the others only once every one of them is ready: for an install and for an update.
 *
 * @example
 * canary({ clusters: 1, then: partitionsByLabel('env', ['staging', 'prod']) }); // the first cluster by name;
 * needs an inventory canary({ clusters: { matchLabels: { canary: 'true' } } });
 */
export function canary(options: Omit<CanaryPartitions, 'kind'>): CanaryPartitions {
  return { kind: 'canary', ...readPropsMapOf('canary', options) };
}

/**
 * Partitions that Fleet forms by itself.
 *
 * @example
 * automaticPartitions({ size: '10%', from: 1 }); // of a few clusters already
 */
export function automaticPartitions(options: Omit<AutomaticPartitions, 'kind'> = {}): AutomaticPartitions {
  return { kind: 'automatic', ...readPropsMapOf('automaticPartitions', options) };
}

const NEGATIONS: Readonly<Record<LabelSelectorRequirement['operator'], LabelSelectorRequirement['operator']>> = {
  In: 'NotIn',
  NotIn: 'In',
  Exists: 'DoesNotExist',
  DoesNotExist: 'Exists',
};

function requirementsOf({ matchLabels = {}, matchExpressions = [] }: LabelSelector): LabelSelectorRequirement[] {
  const labels = Object.entries(matchLabels).map(([key, value]) => ({ key, operator: 'In' as const, values: [value] }));
  return [...labels, ...matchExpressions];
}

/** Does a partition ask for nothing but labels of clusters: neither for a name nor for a group, be it one that it brings along? */
function hasOnlyLabelCriteria({ clusterName, clusterGroup, clusterGroupSelector, group }: PartitionProps): boolean {
  return !clusterName && !clusterGroup && !clusterGroupSelector && !group;
}

/** What is left of a partition without its clusters, if one requirement can say it: the partition must have one requirement alone. */
export function negationOf(partition: PartitionProps): LabelSelectorRequirement | undefined {
  if (!hasOnlyLabelCriteria(partition) || !partition.clusterSelector) return undefined;
  const [requirement, ...more] = requirementsOf(partition.clusterSelector);
  return requirement && more.length === 0 ? { ...requirement, operator: NEGATIONS[requirement.operator] } : undefined;
}

/** `NotIn [staging]` and `NotIn [prod]` of one label as `NotIn [staging, prod]`. */
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

/** Every cluster that none of the partitions matches, as far as labels can say it; clusters told by name or group may be in it too. */
function computeComplement(partitions: readonly PartitionProps[]): LabelSelector {
  const requirements = mergeRequirements(partitions.flatMap((partition) => negationOf(partition) ?? []));
  return requirements.length === 0 ? {} : { matchExpressions: requirements };
}

/** Does a partition match every cluster there may ever be? */
function isCatchAll({ clusterName, clusterGroup, clusterSelector, clusterGroupSelector, group }: PartitionProps): boolean {
  const selectors = [clusterSelector, clusterGroupSelector].filter((selector) => selector !== undefined);
  const isNamed = Boolean(clusterName) || Boolean(clusterGroup) || group !== undefined;
  return !isNamed && selectors.length > 0 && selectors.every((selector) => requirementsOf(selector).length === 0);
}

/**
 * The partitions, and a last one for all clusters that none of them matches, where one is needed:
 * Fleet would never install nor update those, and say nothing.
 */
export function withCatchAll(partitions: readonly PartitionProps[]): readonly PartitionProps[] {
  const last = partitions.at(-1);
  if (!last || partitions.some(isCatchAll)) return partitions;
  if (hasOnlyLabelCriteria(last) && isDeepEqual(last.clusterSelector, computeComplement(partitions.slice(0, -1)))) return partitions;
  return [...partitions, { name: 'rest', clusterSelector: computeComplement(partitions) }];
}
