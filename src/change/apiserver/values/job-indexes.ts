/** The number of indexes in a list, or what is wrong with the list. */
export type ParsedIndexes = { readonly total: number } | { readonly why: string };

function parseIndex(text: string): number | undefined {
  return /^[+-]?[0-9]+$/.test(text) ? Number(text) : undefined;
}

/**
 * Parses the indexes of a Job's pods, in increasing order without duplicates: `0,2-3` has three.
 *
 * Source: k/k pkg/apis/batch/validation/validation.go, `validateIndexesFormat`.
 */
export function parseIndexes(text: string, completions: number): ParsedIndexes {
  if (text === '') return { total: 0 };
  let last: number | undefined;
  let total = 0;
  for (const part of text.split(',')) {
    const limits = part.split('-');
    if (limits.length > 2)
      return {
        why: `the fragment ${JSON.stringify(part)} violates the requirement that an index interval can have at most two parts separated by '-'`,
      };
    const [first, end] = limits.map(parseIndex);
    if (first === undefined) return { why: `cannot convert string to integer for index: ${JSON.stringify(limits[0])}` };
    if (first >= completions) return { why: `too large index: ${JSON.stringify(limits[0])}` };
    if (last !== undefined && first <= last) return { why: `non-increasing order, previous: ${last}, current: ${first}` };
    if (limits.length === 1) {
      last = first;
      total++;
      continue;
    }
    if (end === undefined) return { why: `cannot convert string to integer for index: ${JSON.stringify(limits[1])}` };
    if (end >= completions) return { why: `too large index: ${JSON.stringify(limits[1])}` };
    if (first >= end) return { why: `non-increasing order, previous: ${first}, current: ${end}` };
    last = end;
    total += end - first + 1;
  }
  return { total };
}
