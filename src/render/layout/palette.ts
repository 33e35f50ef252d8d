import picocolors from 'picocolors';
import type { Severity } from '../../core/findings/finding';

type Paint = (text: string) => string;

/** Styles for parts of a text. Without colour, each returns its text unchanged. */
export interface Palette {
  readonly heading: Paint;
  readonly quiet: Paint;
  readonly winner: Paint;
  readonly severity: Readonly<Record<Severity, Paint>>;
  /** A line of a table with aligned cells. */
  readonly row: Paint;
}

const leaveUnchanged: Paint = (text) => text;

const PLAIN_PALETTE: Palette = {
  heading: leaveUnchanged,
  quiet: leaveUnchanged,
  winner: leaveUnchanged,
  severity: { error: leaveUnchanged, warning: leaveUnchanged, info: leaveUnchanged },
  row: leaveUnchanged,
};

/**
 * Creates a palette.
 *
 * @param colour - only true for a terminal whose user has not set NO_COLOR
 */
export function createPalette(colour: boolean): Palette {
  // Only called if needed: it accesses standard output, for which Node.js then creates a stream.
  if (!colour) return PLAIN_PALETTE;
  const { bold, dim, green, red, yellow, cyan } = picocolors.createColors(true);
  return { heading: bold, quiet: dim, winner: green, severity: { error: red, warning: yellow, info: cyan }, row: leaveUnchanged };
}
