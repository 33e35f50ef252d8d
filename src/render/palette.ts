import picocolors from 'picocolors';
import type { Severity } from '../core/finding';

type Paint = (text: string) => string;

/** What parts of a text look like; without colour each leaves its text as it is. */
export interface Palette {
  readonly heading: Paint;
  readonly quiet: Paint;
  readonly winner: Paint;
  readonly severity: Readonly<Record<Severity, Paint>>;
  /** A line of a table, whose cells stand below each other. */
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

/** @param colour - only true for a terminal whose user has not set NO_COLOR */
export function createPalette(colour: boolean): Palette {
  // Not asked for without need: it looks at standard output, of which Node.js makes a stream then.
  if (!colour) return PLAIN_PALETTE;
  const { bold, dim, green, red, yellow, cyan } = picocolors.createColors(true);
  return { heading: bold, quiet: dim, winner: green, severity: { error: red, warning: yellow, info: cyan }, row: leaveUnchanged };
}
