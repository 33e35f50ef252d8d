import { SHOWN_AT_EACH_END } from '../core/simulations/shown-rows';
import type { Palette } from './palette';
import { alignRows } from './table';
import type { Align } from './table';

/** A table with a quiet head; rows that the document leaves out are one line in the middle. */
export function rowTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  align: readonly Align[],
  palette: Palette,
  more = '',
): string[] {
  const [headLine, ...lines] = alignRows([head, ...rows], align);
  if (more !== '') lines.splice(SHOWN_AT_EACH_END, 0, palette.quiet(`  ${more}`));
  return [palette.quiet(headLine!), ...lines];
}

/** `… 900 more waves …`, nothing where none is left out. */
export function moreText(elided: number | undefined, noun: string): string {
  return elided === undefined ? '' : `… ${elided} more ${elided === 1 ? noun : `${noun}s`} …`;
}
