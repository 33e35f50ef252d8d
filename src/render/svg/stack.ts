import { area, curveStepAfter } from 'd3-shape';
import type { StackPanel, TimeAxis } from './chart';
import {
  computeTextAnchor,
  createLinearScale,
  renderPause,
  renderStop,
  TEXT_SIZE,
  computeUnitHeight,
  WIDE_CHART_MIN_WIDTH,
  computeIntegerTicks,
} from './frame';
import type { Box } from './frame';
import { renderSvgElement, renderSvgText } from './markup';
import { computePanelMaximum } from './shared-scale';
import { truncateSvgText } from './text-width';

/** Largest number of waves that are separated by lines. */
const MAX_SEPARATED_COLUMNS = 40;

/** Height below which a panel has fewer numbers. */
const LOW_PANEL_HEIGHT = 120;

/** Pixels between labels one above the other. */
const MIN_LABEL_SPACING = 15;

interface Edge {
  readonly at: number;
  readonly from: number;
  readonly to: number;
}

/** Computes the lower and upper edge of a layer over time, up to `end`. */
function computeEdges({ rows }: StackPanel, layer: number, end: number): Edge[] {
  const edges = rows.map(({ at, values }) => {
    const from = values.slice(0, layer).reduce((sum, value) => sum + value, 0);
    return { at, from, to: from + (values[layer] ?? 0) };
  });
  const last = edges.at(-1);
  return last ? [...edges, { ...last, at: end }] : [];
}

function computePanelTop(panel: StackPanel): number {
  return Math.max(1, computePanelMaximum(panel) * 1.08);
}

/** Places labels next to their lines, moved so that none overlaps another. */
function placeLabels(desired: readonly number[], top: number, bottom: number): number[] {
  const order = desired.map((_, index) => index).toSorted((a, b) => desired[a]! - desired[b]!);
  const positions = [...desired];
  let previous = -Infinity;
  for (const index of order) {
    positions[index] = Math.max(desired[index]!, previous + MIN_LABEL_SPACING);
    previous = positions[index];
  }
  let next = bottom + MIN_LABEL_SPACING;
  for (const index of order.toReversed()) {
    positions[index] = Math.max(top, Math.min(positions[index]!, next - MIN_LABEL_SPACING));
    next = positions[index];
  }
  return positions;
}

/** Renders the rows that are left out. */
function renderGap(gap: NonNullable<StackPanel['gap']>, x: (at: number) => number, box: Box): string[] {
  const [from, to] = [x(gap.from), x(gap.to)];
  return [
    renderSvgElement('rect', { class: 'gone', x: from, y: box.top, width: to - from, height: box.height, opacity: 0.8 }),
    renderSvgText(gap.text, { ...computeTextAnchor((from + to) / 2, gap.text, box), y: box.top + box.height / 2 }),
  ];
}

/** Renders the levels as lines, with their names if there is room next to the box. */
function renderLevels(levels: StackPanel['levels'], y: (value: number) => number, box: Box, width: number): string[] {
  const right = box.left + box.width;
  const positions = placeLabels(
    levels.map(({ at }) => y(at)),
    box.top + 4,
    box.top + box.height - 2,
  );
  const isWide = width >= WIDE_CHART_MIN_WIDTH;
  return levels.flatMap(({ name, role, at }, index) => [
    renderSvgElement('path', { class: `l-${role}`, d: `M${box.left} ${y(at)}H${right}` }),
    ...(isWide
      ? [
          renderSvgElement('path', { class: 'rule', d: `M${right} ${y(at)}L${right + 8} ${positions[index]}` }),
          renderSvgText(truncateSvgText(name, TEXT_SIZE, width - right - 14), { x: right + 10, y: positions[index]! + TEXT_SIZE / 3 }),
        ]
      : []),
  ]);
}

/** Renders layers over time with their levels, in a box. */
export function renderStack(panel: StackPanel, axis: TimeAxis, box: Box, width: number): string {
  const { unit, layers, levels, bands, rows, stop, gap, pauses = [] } = panel;
  const right = box.left + box.width;
  const bottom = box.top + box.height;
  const x = createLinearScale(axis.from, axis.to, box.left, right);
  const y = createLinearScale(0, computePanelTop(panel), bottom, box.top);
  const end = stop ? stop.at : axis.to;
  const shape = area<Edge>()
    .x(({ at }) => x(at))
    .y0(({ from }) => y(from))
    .y1(({ to }) => y(to))
    .curve(curveStepAfter);
  const columns =
    axis.ticks !== undefined && rows.length <= MAX_SEPARATED_COLUMNS ? rows.slice(1).map(({ at }) => `M${x(at)} ${box.top}V${bottom}`) : [];
  return [
    renderSvgText(unit, { class: 'q', x: box.left, y: box.top - computeUnitHeight(panel) }),
    ...bands.map(({ role, from, to }) =>
      renderSvgElement('rect', { class: role, x: box.left, y: y(to), width: box.width, height: y(from) - y(to) }),
    ),
    ...computeIntegerTicks(computePanelTop(panel), box.height < LOW_PANEL_HEIGHT ? 2 : 4).flatMap((tick) => [
      renderSvgElement('path', { class: 'rule', d: `M${box.left} ${y(tick)}H${right}` }),
      renderSvgText(String(tick), { class: 'e q', x: box.left - 6, y: y(tick) + 4 }),
    ]),
    ...layers.map(({ role }, index) => renderSvgElement('path', { class: role, d: shape(computeEdges(panel, index, end)) ?? '' })),
    ...(columns.length > 0 ? [renderSvgElement('path', { class: 'over', d: columns.join('') })] : []),
    ...(gap ? renderGap(gap, x, box) : []),
    ...renderLevels(levels, y, box, width),
    ...pauses.map((at) => renderPause(x(at), box)),
    ...(stop ? [renderStop(x(stop.at), stop.text, box)] : []),
  ].join('');
}
