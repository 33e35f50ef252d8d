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

const asItIs: Paint = (text) => text;

const COLOURLESS: Palette = {
  heading: asItIs,
  quiet: asItIs,
  winner: asItIs,
  severity: { error: asItIs, warning: asItIs, info: asItIs },
  row: asItIs,
};

/** @param colour - only true for a terminal whose user has not set NO_COLOR */
export function paletteOf(colour: boolean): Palette {
  // Not asked for without need: it looks at standard output, of which Node.js makes a stream then.
  if (!colour) return COLOURLESS;
  const { bold, dim, green, red, yellow, cyan } = picocolors.createColors(true);
  return { heading: bold, quiet: dim, winner: green, severity: { error: red, warning: yellow, info: cyan }, row: asItIs };
}
