import type { Fields } from '../../../core/manifest/manifest';
import type { FewerGroups } from '../../rollout/pod-groups';
import type { CapacityOutcome } from '../../rollout/pod-rollout';
import type { PodSet } from '../../rollout/pod-set';

/** Number of pods of each set, old and new. */
export type RowCounts = readonly number[];

/** A rollout of several pod sets, row by row. */
export interface SetRollout extends SetRows {
  /** Pods of each set at every row, including those that the row deletes. @default - no row waits until they are gone */
  readonly rowsWithDeleted?: readonly RowCounts[];
  /** The equal groups that it replaces. It continues with fewer of them at once. @default - every row must fit */
  readonly groups?: FewerGroups;
  /** Returns the outcome if a row does not fit, from 0, for certain. */
  outcomeAt(row: number): CapacityOutcome;
  /**
   * Formats an outcome, before its reason: `deadlocks at wave 2`.
   *
   * @param row the first row that does not fit, from 0
   */
  describeOutcome(outcome: CapacityOutcome, row: number): string;
}

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
