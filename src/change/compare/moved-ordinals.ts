import { getValueAt } from '../../core/manifest/manifest';
import type { Manifest } from '../../core/manifest/manifest';

/** Ordinals of pods from `first` to `last`. */
export interface OrdinalRange {
  readonly first: number;
  readonly last: number;
}

/** Pods of a StatefulSet that are deleted and created because its ordinals differ. */
export interface OrdinalChange {
  /** First ordinal before the apply. */
  readonly before: number;
  /** First ordinal after the apply. */
  readonly after: number;
  readonly deleted: readonly OrdinalRange[];
  readonly created: readonly OrdinalRange[];
}

export function countOrdinals(ranges: readonly OrdinalRange[]): number {
  return ranges.reduce((sum, { first, last }) => sum + last - first + 1, 0);
}

export function startOfOrdinals(stored: Manifest): number {
  const start = getValueAt(stored, 'spec', 'ordinals', 'start');
  return typeof start === 'number' ? start : 0;
}

/** Returns the ordinals of a range that are not in another one: 0 to 9 without 3 to 4 is 0 to 2 and 5 to 9. */
function subtract({ first, last }: OrdinalRange, other: OrdinalRange): OrdinalRange[] {
  if (other.last < other.first) return last < first ? [] : [{ first, last }];
  const parts = [
    { first, last: Math.min(last, other.first - 1) },
    { first: Math.max(first, other.last + 1), last },
  ];
  return parts.filter((part) => part.first <= part.last);
}

/** Compares the ordinals of a StatefulSet before and after an apply: of 5 pods from 0, the first 2 are deleted if it keeps 3 from 2, and none is created. */
export function compareOrdinals(
  old: Manifest,
  next: Manifest,
  replicas: { readonly before: number; readonly after: number },
): OrdinalChange {
  const [before, after] = [startOfOrdinals(old), startOfOrdinals(next)];
  const oldRange = { first: before, last: before + replicas.before - 1 };
  const newRange = { first: after, last: after + replicas.after - 1 };
  return { before, after, deleted: subtract(oldRange, newRange), created: subtract(newRange, oldRange) };
}

/** Counts the pods that are replaced by pods with other names. A StatefulSet that keeps its start only gets more or fewer pods. */
export function countMovedPods({ deleted, created }: OrdinalChange): number {
  return Math.min(countOrdinals(deleted), countOrdinals(created));
}
