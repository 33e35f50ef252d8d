import { area, curveStepAfter } from 'd3-shape';
import type { StackPanel, TimeAxis } from './chart';
import { aboutPlace, linear, pauseMarkup, stopMarkup, TEXT, unitHeight, WIDE, wholeTicks } from './frame';
import type { Box } from './frame';
import { element, label } from './markup';
import { greatestShown } from './one-scale';
import { shortened } from './text-width';

/** Waves that are told apart by a line between them. */
const MOST_COLUMNS = 40;

/** A panel that is lower has room for fewer numbers. */
const LOW = 120;

/** Pixels between labels that stand over each other. */
const APART = 15;

interface Edge {
  readonly at: number;
  readonly from: number;
  readonly to: number;
}

/** The lower and the upper edge of a layer over time; it ends where the axis does. */
function edgesOf({ rows }: StackPanel, layer: number, end: number): Edge[] {
  const edges = rows.map(({ at, values }) => {
    const from = values.slice(0, layer).reduce((sum, value) => sum + value, 0);
    return { at, from, to: from + (values[layer] ?? 0) };
  });
  const last = edges.at(-1);
  return last ? [...edges, { ...last, at: end }] : [];
}

function topOf(panel: StackPanel): number {
  return Math.max(1, greatestShown(panel) * 1.08);
}

/** Places for labels beside their lines, pushed apart so that none covers another. */
function spread(wanted: readonly number[], top: number, bottom: number): number[] {
  const order = wanted.map((_, index) => index).toSorted((a, b) => wanted[a]! - wanted[b]!);
  const places = [...wanted];
  let previous = -Infinity;
  for (const index of order) {
    places[index] = Math.max(wanted[index]!, previous + APART);
    previous = places[index];
  }
  let next = bottom + APART;
  for (const index of order.toReversed()) {
    places[index] = Math.max(top, Math.min(places[index]!, next - APART));
    next = places[index];
  }
  return places;
}

/** Layers over time with their levels, in a box. */
export function stackMarkup(panel: StackPanel, axis: TimeAxis, box: Box, width: number): string {
  const { unit, layers, levels, bands, rows, stop, gap, pauses = [] } = panel;
  const right = box.left + box.width;
  const bottom = box.top + box.height;
  const x = linear(axis.from, axis.to, box.left, right);
  const y = linear(0, topOf(panel), bottom, box.top);
  const end = stop ? stop.at : axis.to;
  const shape = area<Edge>()
    .x(({ at }) => x(at))
    .y0(({ from }) => y(from))
    .y1(({ to }) => y(to))
    .curve(curveStepAfter);
  const places = spread(
    levels.map(({ at }) => y(at)),
    box.top + 4,
    bottom - 2,
  );
  const isWide = width >= WIDE;
  const columns =
    axis.ticks !== undefined && rows.length <= MOST_COLUMNS ? rows.slice(1).map(({ at }) => `M${x(at)} ${box.top}V${bottom}`) : [];
  return [
    label(unit, { class: 'q', x: box.left, y: box.top - unitHeight(panel) }),
    ...bands.map(({ role, from, to }) =>
      element('rect', { class: role, x: box.left, y: y(to), width: box.width, height: y(from) - y(to) }),
    ),
    ...wholeTicks(topOf(panel), box.height < LOW ? 2 : 4).flatMap((tick) => [
      element('path', { class: 'rule', d: `M${box.left} ${y(tick)}H${right}` }),
      label(String(tick), { class: 'e q', x: box.left - 6, y: y(tick) + 4 }),
    ]),
    ...layers.map(({ role }, index) => element('path', { class: role, d: shape(edgesOf(panel, index, end)) ?? '' })),
    ...(columns.length > 0 ? [element('path', { class: 'over', d: columns.join('') })] : []),
    ...(gap
      ? [
          element('rect', { class: 'gone', x: x(gap.from), y: box.top, width: x(gap.to) - x(gap.from), height: box.height, opacity: 0.8 }),
          label(gap.text, { ...aboutPlace((x(gap.from) + x(gap.to)) / 2, gap.text, box), y: box.top + box.height / 2 }),
        ]
      : []),
    ...levels.flatMap(({ name, role, at }, index) => [
      element('path', { class: `l-${role}`, d: `M${box.left} ${y(at)}H${right}` }),
      ...(isWide
        ? [
            element('path', { class: 'rule', d: `M${right} ${y(at)}L${right + 8} ${places[index]}` }),
            label(shortened(name, TEXT, width - right - 14), { x: right + 10, y: places[index]! + TEXT / 3 }),
          ]
        : []),
    ]),
    ...pauses.map((at) => pauseMarkup(x(at), box)),
    ...(stop ? [stopMarkup(x(stop.at), stop.text, box)] : []),
  ].join('');
}
