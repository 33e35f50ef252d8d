/** Marks on a node, in sets of which each is smaller than the one before, so that an addition copies few marks: 1,000 additions copy 10,000. */
export type MarkSets = readonly ReadonlySet<unknown>[];

export const NO_MARKS: MarkSets = [];

export function hasMark(sets: MarkSets, mark: unknown): boolean {
  return sets.some((set) => set.has(mark));
}

/** Returns sets with more marks. Sets that are no larger than the added one are merged with it. */
export function addMarks(sets: MarkSets, marks: readonly unknown[]): MarkSets {
  if (marks.length === 0) return sets;
  let added: ReadonlySet<unknown> = new Set(marks);
  let kept = sets.length;
  for (; kept > 0 && sets[kept - 1]!.size <= added.size; kept--) added = new Set([...sets[kept - 1]!, ...added]);
  return [...sets.slice(0, kept), added];
}
