import { ticks } from 'd3-array';
import { findMax } from '../../core/values/min-max';
import type { ChartStop, AxisTick, TimeAxis } from './chart';
import { renderSvgElement, renderSvgText, roundCoordinate } from './markup';
import { measureTextWidth } from './text-width';

/** Position and size of a panel, in pixels. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** Smallest width at which labels fit next to the lines that they name. */
export const WIDE_CHART_MIN_WIDTH = 560;

export const TEXT_SIZE = 12;

/** Creates a function that maps values to pixels. */
export function createLinearScale(from: number, to: number, start: number, end: number): (value: number) => number {
  const span = to - from || 1;
  return (value) => roundCoordinate(start + ((value - from) / span) * (end - start));
}

/** Returns about `count` integer ticks from 0 to `to`. */
export function computeIntegerTicks(to: number, count: number): number[] {
  return ticks(0, to, count).filter((tick) => Number.isInteger(tick));
}

/** Pixels by which a mark may extend beyond the ends of its axis. */
const AXIS_OVERHANG = 10;

/** Selects marks of an axis that do not overlap: every one, every second, every fifth, …, and words if they fit. */
function selectTicks(marks: readonly AxisTick[], toPixels: (value: number) => number, { left, width }: Box): AxisTick[] {
  const isNumber = ({ text }: AxisTick) => /^\d+$/.test(text);
  const numbered = marks.filter(isNumber);
  const [first, second] = numbered;
  const spacing = first && second ? toPixels(second.at) - toPixels(first.at) : Infinity;
  const half = ({ text }: AxisTick) => measureTextWidth(text, TEXT_SIZE) / 2 + 4;
  const widest = findMax(numbered.map(half), 0) * 2;
  const every = [1, 2, 5, 10, 20, 50, 100, 200, 500].find((step) => step * spacing >= widest) ?? 1000;
  const selected: AxisTick[] = [];
  const isInside = (tick: AxisTick) =>
    toPixels(tick.at) - half(tick) >= left - AXIS_OVERHANG && toPixels(tick.at) + half(tick) <= left + width + AXIS_OVERHANG;
  const isFree = (tick: AxisTick) =>
    isInside(tick) && selected.every((other) => Math.abs(toPixels(other.at) - toPixels(tick.at)) >= half(other) + half(tick));
  const even = numbered.filter(({ text }) => every === 1 || Number(text) % every === 0);
  for (const tick of [...even, ...(first ? [first] : []), ...marks.filter((mark) => !isNumber(mark))])
    if (isFree(tick)) selected.push(tick);
  return selected;
}

/** Renders the axis below a part, with its name under the marks. */
export function renderAxis(axis: TimeAxis, box: Box, toPixels: (value: number) => number): string {
  const bottom = box.top + box.height;
  const marks =
    axis.ticks === undefined
      ? ticks(0, axis.to, Math.max(2, Math.floor(box.width / 80))).map((at) => ({ at, text: String(at) }))
      : selectTicks(axis.ticks, toPixels, box);
  return [
    renderSvgElement('path', { class: 'axis', d: `M${box.left} ${bottom}H${box.left + box.width}` }),
    ...marks.map(({ at, text }) => renderSvgText(text, { class: 'm q', x: toPixels(at), y: bottom + 16 })),
    renderSvgText(axis.name, { class: 'e q', x: box.left + box.width, y: bottom + 32 }),
  ].join('');
}

/** Height of the text below an axis. */
export const AXIS_HEIGHT = 40;

/** Reports whether a stop has a text. */
export function hasStopText(stop: ChartStop | undefined): boolean {
  return stop !== undefined && stop.text !== '';
}

/** Returns the distance of the unit above a panel. It is larger if the text of a stop is between them. */
export function computeUnitHeight({
  stop,
  reservesStopSpace = false,
}: {
  readonly stop?: ChartStop;
  readonly reservesStopSpace?: boolean;
}): number {
  return reservesStopSpace || hasStopText(stop) ? 24 : 8;
}

/** Renders a wait for more than pods: a pause sign above a line at the end of the wait. */
export function renderPause(at: number, { top, height }: Box): string {
  const y = top + 9;
  return [
    renderSvgElement('path', { class: 'l-desired', d: `M${at} ${y}V${top + height}` }),
    renderSvgElement('circle', { class: 'b', cx: at, cy: y, r: 9 }),
    renderSvgElement('path', { class: 'l-pause', d: `M${at - 3} ${y - 5}v10M${at + 3} ${y - 5}v10` }),
  ].join('');
}

/** Computes the anchor of a text about a position: centred on it, or at an edge of the box that it would leave. */
export function computeTextAnchor(at: number, text: string, { left, width }: Box): { readonly x: number; readonly class: 's' | 'm' | 'e' } {
  const half = measureTextWidth(text, TEXT_SIZE) / 2;
  if (at + half > left + width) return { x: left + width, class: 'e' };
  return at - half < left ? { x: left, class: 's' } : { x: at, class: 'm' };
}

/** Renders where the rollout stops: a cross, `crossAt` pixels below the top, a line down from it, and the text above the panel. */
export function renderStop(at: number, text: string, box: Box, crossAt = 9): string {
  const { top, height } = box;
  const arm = 5;
  const y = top + crossAt;
  const anchor = computeTextAnchor(at, text, box);
  return [
    renderSvgElement('path', { class: 'l-stop', d: `M${at} ${y}V${top + height}` }),
    renderSvgElement('circle', { class: 'b', cx: at, cy: y, r: arm + 4 }),
    renderSvgElement('path', { class: 'l-stop', d: `M${at - arm} ${y - arm}l${2 * arm} ${2 * arm}m0 ${-2 * arm}l${-2 * arm} ${2 * arm}` }),
    ...(text === ''
      ? []
      : [renderSvgText(text, { x: anchor.x, class: anchor.class === 's' ? 'stop-t' : `stop-t ${anchor.class}`, y: top - 8 })]),
  ].join('');
}
