import { renderSvgElement } from './markup';

/** Stripes on a ground. */
interface Stripes {
  readonly id: string;
  /** Edge of a tile, in pixels. */
  readonly size: number;
  readonly degrees: number;
  /** Class of the ground. */
  readonly ground: string;
  /** Class, width and opacity of a stripe. */
  readonly stripe: { readonly class: string; readonly width: number; readonly opacity?: string };
}

function renderPattern({ id, size, degrees, ground, stripe }: Stripes): string {
  return renderSvgElement(
    'pattern',
    { id, width: size, height: size, patternUnits: 'userSpaceOnUse', patternTransform: `rotate(${degrees})` },
    renderSvgElement('rect', { class: ground, width: size, height: size }),
    renderSvgElement('rect', { ...stripe, height: size }),
  );
}

/** Stripes for pods that are not ready, pods that do not fit, and rows that are left out: a second sign in addition to their colours. */
export const SVG_PATTERNS = renderSvgElement(
  'defs',
  {},
  renderPattern({ id: 'rk-starting', size: 6, degrees: 45, ground: 'p-starting', stripe: { class: 'b', width: 2, opacity: '.7' } }),
  renderPattern({ id: 'rk-gone', size: 6, degrees: -45, ground: 'b', stripe: { class: 'q', width: 1.5, opacity: '.6' } }),
  renderPattern({ id: 'rk-refused', size: 8, degrees: 45, ground: 'b', stripe: { class: 'p-stop', width: 3 } }),
);
