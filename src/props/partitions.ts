import { describeValue } from '../core/text/display-value';
import type { IntOrPercent } from '../core/values/int-or-percent';
import { getOwnValue } from '../core/manifest/manifest';
import { joinWords } from '../core/text/text-format';
import { readPropsMapOf, readPropsOf } from '../input/read-props';
import type { AutomaticPartitions, CanaryPartitions, PartitionProps } from '../systems/fleet/partition-intents';
import { locateErrors } from './call-site';

/**
 * Returns a partition for each value of a label, in this order.
 *
 * @param limits maxUnavailable of each partition, by label value
 *
 * @example
 * partitionsByLabel('env', ['staging', 'prod'], { prod: '10%' });
 */
export function partitionsByLabel(
  label: string,
  values: readonly string[],
  limits: Readonly<Record<string, IntOrPercent>> = {},
): readonly PartitionProps[] {
  return locateErrors(() => {
    if (typeof label !== 'string' || label === '')
      throw new Error(`partitionsByLabel: the label is ${describeValue(label)}, but must be the name of a label, such as env`);
    const read = readPropsOf<unknown>('partitionsByLabel', values);
    if (!Array.isArray(read)) throw new Error(`partitionsByLabel: the values are ${describeValue(read)}, but must be a list`);
    if (read.length === 0) throw new Error(`partitionsByLabel: the list of values is empty; write the values of ${label}, in order`);
    const names = read as readonly string[];
    const repeated = names.find((value, index) => names.indexOf(value) !== index);
    if (repeated !== undefined)
      throw new Error(`partitionsByLabel: the value ${JSON.stringify(repeated)} is listed twice; delete one of them`);
    const readLimits = readPropsMapOf('partitionsByLabel', limits);
    const stray = Object.keys(readLimits).find((value) => !names.includes(value));
    if (stray !== undefined)
      throw new Error(`partitionsByLabel: a limit is set for ${JSON.stringify(stray)}, which is not one of the values ${joinWords(names)}`);
    return names.map((value) => {
      const maxUnavailable = getOwnValue(readLimits, value);
      return { name: value, clusterSelector: { matchLabels: { [label]: value } }, ...(maxUnavailable !== undefined && { maxUnavailable }) };
    });
  });
}

/**
 * Returns canary partitions: the other clusters roll out only once every canary cluster is ready, in an install and in an update.
 *
 * @example
 * canary({ clusters: 1, then: partitionsByLabel('env', ['staging', 'prod']) }); // the first cluster by name; needs an inventory
 * canary({ clusters: { matchLabels: { canary: 'true' } } });
 */
export function canary(options: Omit<CanaryPartitions, 'kind'>): CanaryPartitions {
  return locateErrors(() => ({ kind: 'canary', ...readPropsMapOf('canary', options) }));
}

/**
 * Returns partitions that Fleet forms automatically.
 *
 * @example
 * automaticPartitions({ size: '10%', from: 1 }); // even with few clusters
 */
export function automaticPartitions(options: Omit<AutomaticPartitions, 'kind'> = {}): AutomaticPartitions {
  return locateErrors(() => ({ kind: 'automatic', ...readPropsMapOf('automaticPartitions', options) }));
}
