import type { PodSet } from '../../workload';
import type { Fields } from '../../../core/manifest';

/** Old and new pods of each set at one row of a rollout of several sets. */
export interface SetRow {
  readonly old: readonly number[];
  readonly next: readonly number[];
}

/** The pod sets of a rollout, and the rows that it goes through. */
export interface SetRows {
  readonly podSets: readonly PodSet[];
  readonly rows: readonly SetRow[];
  /** Returns the position of an old pod among those of its set: pods with the highest are deleted first. @default - any may be first */
  readonly positionOf?: (labels: Fields) => number;
}

export function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}
