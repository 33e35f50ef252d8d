import { ticks } from 'd3-array';
import { greatest } from '../../core/extremes';
import type { Stop, Tick, TimeAxis } from './chart';
import { element, label, rounded } from './markup';
import { textWidth } from './text-width';

/** Where a panel is drawn, in pixels. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** From this width on there is room for labels beside the lines that they name. */
export const WIDE = 560;

export const TEXT = 12;

/** Puts a value on a stretch of pixels. */
export function linear(from: number, to: number, start: number, end: number): (value: number) => number {
  const span = to - from || 1;
  return (value) => rounded(start + ((value - from) / span) * (end - start));
}

/** Whole numbers from 0 up, at most about so many. */
export function wholeTicks(to: number, count: number): number[] {
  return ticks(0, to, count).filter((tick) => Number.isInteger(tick));
}

/** Pixels that a mark may stand out over the ends of its axis. */
const OVER = 10;

/** Marks of an axis that do not run into each other: every one, every second, every fifth, …, and words where they have room. */
function fittingTicks(marks: readonly Tick[], place: (value: number) => number, { left, width }: Box): Tick[] {
  const isNumber = ({ text }: Tick) => /^\d+$/.test(text);
  const numbered = marks.filter(isNumber);
  const [first, second] = numbered;
  const apart = first && second ? place(second.at) - place(first.at) : Infinity;
  const half = ({ text }: Tick) => textWidth(text, TEXT) / 2 + 4;
  const widest = greatest(numbered.map(half), 0) * 2;
  const every = [1, 2, 5, 10, 20, 50, 100, 200, 500].find((step) => step * apart >= widest) ?? 1000;
  const kept: Tick[] = [];
  const isInside = (tick: Tick) => place(tick.at) - half(tick) >= left - OVER && place(tick.at) + half(tick) <= left + width + OVER;
  const isFree = (tick: Tick) =>
    isInside(tick) && kept.every((other) => Math.abs(place(other.at) - place(tick.at)) >= half(other) + half(tick));
  const even = numbered.filter(({ text }) => every === 1 || Number(text) % every === 0);
  for (const tick of [...even, ...(first ? [first] : []), ...marks.filter((mark) => !isNumber(mark))]) if (isFree(tick)) kept.push(tick);
  return kept;
}

/** The axis below a part, with its name under the marks. */
export function axisMarkup(axis: TimeAxis, box: Box, place: (value: number) => number): string {
  const bottom = box.top + box.height;
  const marks =
    axis.ticks === undefined
      ? ticks(0, axis.to, Math.max(2, Math.floor(box.width / 80))).map((at) => ({ at, text: String(at) }))
      : fittingTicks(axis.ticks, place, box);
  return [
    element('path', { class: 'axis', d: `M${box.left} ${bottom}H${box.left + box.width}` }),
    ...marks.map(({ at, text }) => label(text, { class: 'm q', x: place(at), y: bottom + 16 })),
    label(axis.name, { class: 'e q', x: box.left + box.width, y: bottom + 32 }),
  ].join('');
}

/** Height of what stands below an axis. */
export const AXIS_HEIGHT = 40;

/** Does it say where it stands still? */
export function hasStopWords(stop: Stop | undefined): boolean {
  return stop !== undefined && stop.text !== '';
}

/** How high over a panel it says what is counted: over the words about where it stands still, if there are any. */
export function unitHeight({ stop, keepsStopRoom = false }: { readonly stop?: Stop; readonly keepsStopRoom?: boolean }): number {
  return keepsStopRoom || hasStopWords(stop) ? 24 : 8;
}

/** Where it waits for more than pods: the sign of a pause over the line that ends the wait. */
export function pauseMarkup(at: number, { top, height }: Box): string {
  const y = top + 9;
  return [
    element('path', { class: 'l-wanted', d: `M${at} ${y}V${top + height}` }),
    element('circle', { class: 'b', cx: at, cy: y, r: 9 }),
    element('path', { class: 'l-pause', d: `M${at - 3} ${y - 5}v10M${at + 3} ${y - 5}v10` }),
  ].join('');
}

/** Where a text about a place stands: in its middle, or at an edge of the box that it would leave. */
export function aboutPlace(at: number, text: string, { left, width }: Box): { readonly x: number; readonly class: 's' | 'm' | 'e' } {
  const half = textWidth(text, TEXT) / 2;
  if (at + half > left + width) return { x: left + width, class: 'e' };
  return at - half < left ? { x: left, class: 's' } : { x: at, class: 'm' };
}

/** Where it stands still: a line from a cross downwards, so many pixels below the top, and above the panel what it is. */
export function stopMarkup(at: number, text: string, box: Box, crossAt = 9): string {
  const { top, height } = box;
  const arm = 5;
  const y = top + crossAt;
  const words = aboutPlace(at, text, box);
  return [
    element('path', { class: 'l-stop', d: `M${at} ${y}V${top + height}` }),
    element('circle', { class: 'b', cx: at, cy: y, r: arm + 4 }),
    element('path', { class: 'l-stop', d: `M${at - arm} ${y - arm}l${2 * arm} ${2 * arm}m0 ${-2 * arm}l${-2 * arm} ${2 * arm}` }),
    ...(text === '' ? [] : [label(text, { x: words.x, class: words.class === 's' ? 'stop-t' : `stop-t ${words.class}`, y: top - 8 })]),
  ].join('');
}
