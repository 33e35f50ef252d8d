import { area, curveStepAfter } from 'd3-shape';
import type { GridPanel, TimeAxis, Track, TrackPanel } from './chart';
import { linear, stopMarkup, TEXT, unitHeight } from './frame';
import type { Box } from './frame';
import { element, label } from './markup';
import { shortened, textWidth } from './text-width';

export const TRACK_HEIGHT = 44;
export const GRID_HEIGHT = 16;
const BAR = 18;

/** A bar with its name over it, filled over time. */
function trackMarkup(track: Track, top: number, axis: TimeAxis, box: Box, end: number): string {
  const right = box.left + box.width;
  const x = linear(axis.from, axis.to, box.left, right);
  const noteAt = end < axis.to ? x(end) - 10 : right;
  const y = linear(0, track.size, top + 18 + BAR, top + 18);
  const shape = area<{ readonly at: number; readonly value: number }>()
    .x(({ at }) => x(at))
    .y0(y(0))
    .y1(({ value }) => y(value))
    .curve(curveStepAfter);
  const last = track.rows.at(-1);
  const points = last ? [...track.rows, { at: end, value: last.value }] : [];
  const note = textWidth(track.note, TEXT);
  return [
    label(shortened(track.name, TEXT, noteAt - box.left - note - 12), { x: box.left, y: top + 12 }),
    label(track.note, { class: 'e q', x: noteAt, y: top + 12 }),
    // A bar of nothing would look like one that nothing reaches.
    track.size === 0
      ? element('path', { class: 'axis', d: `M${box.left} ${top + 18 + BAR}H${x(end)}` })
      : element('rect', { class: 'left', x: box.left, y: top + 18, width: x(end) - box.left, height: BAR }),
    ...(points.length > 0 ? [element('path', { class: 'new', d: shape(points) ?? '' })] : []),
  ].join('');
}

/** Bars that fill up over time, one over the other. */
export function tracksMarkup(panel: TrackPanel, axis: TimeAxis, box: Box): string {
  const { heading, tracks, stop } = panel;
  const x = linear(axis.from, axis.to, box.left, box.left + box.width);
  const end = stop ? stop.at : axis.to;
  return [
    label(heading, { class: 'q', x: box.left, y: box.top - unitHeight(panel) }),
    ...tracks.map((track, index) => trackMarkup(track, box.top + index * TRACK_HEIGHT, axis, box, end)),
    ...(stop ? [stopMarkup(x(stop.at), stop.text, box, 18 + BAR / 2)] : []),
  ].join('');
}

/** Neighbours of one meaning as one rectangle. */
function runsOf(cells: GridPanel['lines'][number]['cells']): { readonly from: number; readonly to: number; readonly role: string }[] {
  const runs: { from: number; to: number; role: string }[] = [];
  cells.forEach((role, index) => {
    const run = runs.at(-1);
    if (run?.role === role) run.to = index + 1;
    else runs.push({ from: index, to: index + 1, role });
  });
  return runs;
}

/** A line for each ordinal, a cell for each step. */
export function gridMarkup(panel: GridPanel, axis: TimeAxis, box: Box): string {
  const { unit, lines, stop, starts } = panel;
  const place = linear(axis.from, axis.to, box.left, box.left + box.width);
  const columns = lines[0]?.cells.length ?? 0;
  const end = stop ? stop.at : axis.to;
  /** Where a column begins; the one behind the last where the drawing ends. */
  const x = (column: number) => place(column >= columns ? end : starts ? starts[column]! : column);
  const separators =
    axis.ticks === undefined
      ? []
      : Array.from({ length: Math.max(0, columns - 1) }, (_, index) => `M${x(index + 1)} ${box.top}V${box.top + box.height}`);
  return [
    label(unit, { class: 'q', x: box.left, y: box.top - unitHeight(panel) }),
    ...lines.flatMap(({ name, cells }, index) => [
      label(name, { class: 'e q', x: box.left - 8, y: box.top + index * GRID_HEIGHT + 12 }),
      ...runsOf(cells).map(({ from, to, role }) =>
        element('rect', { class: role, x: x(from), y: box.top + index * GRID_HEIGHT + 1, width: x(to) - x(from), height: GRID_HEIGHT - 2 }),
      ),
    ]),
    ...(separators.length > 0 && separators.length <= 40 ? [element('path', { class: 'over', d: separators.join('') })] : []),
    ...(stop ? [stopMarkup(place(stop.at), stop.text, box)] : []),
  ].join('');
}
