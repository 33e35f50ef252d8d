import picocolors from 'picocolors';
import type { Severity } from '../core/finding';

type Paint = (text: string) => string;

/** The colours of the text renderings; without colour each leaves its text as it is. */
export interface Palette {
  readonly heading: Paint;
  readonly quiet: Paint;
  readonly winner: Paint;
  readonly severity: Readonly<Record<Severity, Paint>>;
}

/** @param colour - only true for a terminal whose user has not set NO_COLOR */
export function paletteOf(colour: boolean): Palette {
  const { bold, dim, green, red, yellow, cyan } = picocolors.createColors(colour);
  return { heading: bold, quiet: dim, winner: green, severity: { error: red, warning: yellow, info: cyan } };
}
