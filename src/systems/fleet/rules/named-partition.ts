import { buildFieldPath } from '../../../core/field-path';
import type { Partition } from '../types';

/** A written partition as data of a finding: its name, where it has one, and its place among the others. */
export interface NamedPartition {
  readonly name?: string;
  readonly index: number;
}

/** The partition at this place, as data of a finding. */
export function toNamedPartition({ name }: Partition, index: number): NamedPartition {
  return name ? { name, index } : { index };
}

/** A partition as a message names it: `partition staging`, or by its place where it has no name. */
export function formatPartitionName({ name, index }: NamedPartition): string {
  return name === undefined ? `the partition at ${buildFieldPath('partitions', index)}` : `partition ${name}`;
}
