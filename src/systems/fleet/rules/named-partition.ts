import { buildFieldPath } from '../../../core/manifest/field-path';
import type { Partition } from '../types';

/** A partition of the strategy as finding data: its name, if it has one, and its index. */
export interface NamedPartition {
  readonly name?: string;
  readonly index: number;
}

/** Returns the partition at this index as finding data. */
export function toNamedPartition({ name }: Partition, index: number): NamedPartition {
  return name ? { name, index } : { index };
}

/** Formats a partition for a message: `partition staging`, or its path if it has no name. */
export function formatPartitionName({ name, index }: NamedPartition): string {
  return name === undefined ? `the partition at ${buildFieldPath('partitions', index)}` : `partition ${name}`;
}
