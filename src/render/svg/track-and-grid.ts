import { area, curveStepAfter } from 'd3-shape';
import type { GridPanel, TimeAxis, Track, TrackPanel } from './chart';
import { createLinearScale, renderStop, TEXT_SIZE, computeUnitHeight } from './frame';
import type { Box } from './frame';
import { renderSvgElement, renderSvgText } from './markup';
import { truncateSvgText, measureTextWidth } from './text-width';

export const TRACK_HEIGHT = 44;
export const GRID_HEIGHT = 16;
const BAR_HEIGHT = 18;

/** Renders a bar with its name above it, filled over time. */
function renderTrack(track: Track, top: number, axis: TimeAxis, box: Box, end: number): string {
  const right = box.left + box.width;
  const x = createLinearScale(axis.from, axis.to, box.left, right);
  const noteAt = end < axis.to ? x(end) - 10 : right;
  const y = createLinearScale(0, track.size, top + 18 + BAR_HEIGHT, top + 18);
  const shape = area<{ readonly at: number; readonly value: number }>()
    .x(({ at }) => x(at))
    .y0(y(0))
    .y1(({ value }) => y(value))
    .curve(curveStepAfter);
  const last = track.rows.at(-1);
  const points = last ? [...track.rows, { at: end, value: last.value }] : [];
  const note = measureTextWidth(track.note, TEXT_SIZE);
  return [
    renderSvgText(truncateSvgText(track.name, TEXT_SIZE, noteAt - box.left - note - 12), { x: box.left, y: top + 12 }),
    renderSvgText(track.note, { class: 'e q', x: noteAt, y: top + 12 }),
    // A bar of size 0 would look like one that is never filled.
    track.size === 0
      ? renderSvgElement('path', { class: 'axis', d: `M${box.left} ${top + 18 + BAR_HEIGHT}H${x(end)}` })
      : renderSvgElement('rect', { class: 'left', x: box.left, y: top + 18, width: x(end) - box.left, height: BAR_HEIGHT }),
    ...(points.length > 0 ? [renderSvgElement('path', { class: 'new', d: shape(points) ?? '' })] : []),
  ].join('');
}

/** Renders bars that fill over time, one above the other. */
export function renderTracks(panel: TrackPanel, axis: TimeAxis, box: Box): string {
  const { heading, tracks, stop } = panel;
  const x = createLinearScale(axis.from, axis.to, box.left, box.left + box.width);
  const end = stop ? stop.at : axis.to;
  return [
    renderSvgText(heading, { class: 'q', x: box.left, y: box.top - computeUnitHeight(panel) }),
    ...tracks.map((track, index) => renderTrack(track, box.top + index * TRACK_HEIGHT, axis, box, end)),
    ...(stop ? [renderStop(x(stop.at), stop.text, box, 18 + BAR_HEIGHT / 2)] : []),
  ].join('');
}

/** Groups consecutive cells with the same role into one rectangle. */
function groupRuns(cells: GridPanel['lines'][number]['cells']): { readonly from: number; readonly to: number; readonly role: string }[] {
  const runs: { from: number; to: number; role: string }[] = [];
  cells.forEach((role, index) => {
    const run = runs.at(-1);
    if (run?.role === role) run.to = index + 1;
    else runs.push({ from: index, to: index + 1, role });
  });
  return runs;
}

/** Renders a line for each ordinal with a cell for each step. */
export function renderGrid(panel: GridPanel, axis: TimeAxis, box: Box): string {
  const { unit, lines, stop, starts } = panel;
  const toPixels = createLinearScale(axis.from, axis.to, box.left, box.left + box.width);
  const columns = lines[0]?.cells.length ?? 0;
  const end = stop ? stop.at : axis.to;
  /** Returns where a column begins. The one after the last is where the drawing ends. */
  const x = (column: number) => toPixels(column >= columns ? end : starts ? starts[column]! : column);
  const separators =
    axis.ticks === undefined
      ? []
      : Array.from({ length: Math.max(0, columns - 1) }, (_, index) => `M${x(index + 1)} ${box.top}V${box.top + box.height}`);
  return [
    renderSvgText(unit, { class: 'q', x: box.left, y: box.top - computeUnitHeight(panel) }),
    ...lines.flatMap(({ name, cells }, index) => [
      renderSvgText(name, { class: 'e q', x: box.left - 8, y: box.top + index * GRID_HEIGHT + 12 }),
      ...groupRuns(cells).map(({ from, to, role }) =>
        renderSvgElement('rect', {
          class: role,
          x: x(from),
          y: box.top + index * GRID_HEIGHT + 1,
          width: x(to) - x(from),
          height: GRID_HEIGHT - 2,
        }),
      ),
    ]),
    ...(separators.length > 0 && separators.length <= 40 ? [renderSvgElement('path', { class: 'over', d: separators.join('') })] : []),
    ...(stop ? [renderStop(toPixels(stop.at), stop.text, box)] : []),
  ].join('');
}
