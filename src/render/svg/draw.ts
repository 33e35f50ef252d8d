import type { Chart, GridPanel, ChartLayer, StackPanel, TimeAxis, TrackPanel } from './chart';
import { AXIS_HEIGHT, renderAxis, createLinearScale, TEXT_SIZE, computeUnitHeight, WIDE_CHART_MIN_WIDTH } from './frame';
import type { Box } from './frame';
import { renderSvgElement, renderSvgText } from './markup';
import { GRID_HEIGHT, renderGrid, TRACK_HEIGHT, renderTracks } from './track-and-grid';
import { renderStack } from './stack';
import { wrapSvgText, truncateSvgText, measureTextWidth } from './text-width';

type Panel = StackPanel | TrackPanel | GridPanel;

/** Markup of a known height. */
export interface Drawing {
  readonly markup: string;
  readonly height: number;
}

const LINE_HEIGHT = 17;
const EDGE_MARGIN = 12;
const NUMBER_COLUMN_WIDTH = 46;
/** Width next to the panels for the names of levels. */
const LABEL_COLUMN_WIDTH = 150;

function computePanelHeight(panel: Panel, isFirst: boolean, width: number): number {
  if (panel.kind === 'tracks') return Math.max(1, panel.tracks.length) * TRACK_HEIGHT;
  if (panel.kind === 'grid') return Math.max(1, panel.lines.length) * GRID_HEIGHT;
  if (!isFirst || panel.isLow === true) return 90;
  return width >= WIDE_CHART_MIN_WIDTH ? 200 : 170;
}

/** Returns the height of the head of a panel: its unit, and the text where the rollout stops. */
function computeHeadHeight(panel: Panel): number {
  return computeUnitHeight(panel) + 18;
}

function renderPanel(panel: Panel, axis: TimeAxis, box: Box, width: number): string {
  if (panel.kind === 'stack') return renderStack(panel, axis, box, width);
  return panel.kind === 'tracks' ? renderTracks(panel, axis, box) : renderGrid(panel, axis, box);
}

function hasLevels(chart: Chart): boolean {
  return chart.parts.some(({ panels }) => panels.some((panel) => panel.kind === 'stack' && panel.levels.length > 0));
}

function drawPart({ axis, panels }: Chart['parts'][number], top: number, width: number, labels: number): Drawing {
  const left = panels.some(({ kind }) => kind !== 'tracks') ? NUMBER_COLUMN_WIDTH : EDGE_MARGIN;
  let y = top;
  let markup = '';
  let box: Box = { left, top, width: width - left - labels, height: 0 };
  panels.forEach((panel, index) => {
    box = { ...box, top: y + computeHeadHeight(panel), height: computePanelHeight(panel, index === 0, width) };
    markup += renderPanel(panel, axis, box, width);
    y = box.top + box.height;
  });
  markup += renderAxis(axis, box, createLinearScale(axis.from, axis.to, box.left, box.left + box.width));
  return { markup, height: y - top + AXIS_HEIGHT };
}

/** Lists what each colour and line means, each once. */
function listLegendEntries(chart: Chart, width: number): (ChartLayer & { readonly isLine: boolean })[] {
  const panels = chart.parts.flatMap((part) => part.panels);
  const entries = panels.flatMap((panel) => [
    ...panel.layers.filter((layer, index) => isLayerVisible(panel, layer, index)).map((layer) => ({ ...layer, isLine: false })),
    ...(panel.kind === 'stack' ? panel.bands.map(({ name, role }) => ({ name, role, isLine: false })) : []),
    ...(panel.kind === 'stack' && width < WIDE_CHART_MIN_WIDTH ? panel.levels.map(({ name, role }) => ({ name, role, isLine: true })) : []),
  ]);
  return [...new Map(entries.map((entry) => [`${entry.name} ${entry.role}`, entry])).values()];
}

/** Reports whether a layer occurs in its panel. */
function isLayerVisible(panel: Panel, layer: ChartLayer, index: number): boolean {
  if (panel.kind === 'stack') return panel.rows.some(({ values }) => (values[index] ?? 0) > 0);
  return panel.kind === 'tracks' || panel.lines.some(({ cells }) => cells.includes(layer.role));
}

function drawLegend(chart: Chart, top: number, width: number): Drawing {
  let x = EDGE_MARGIN;
  let y = top + TEXT_SIZE;
  let markup = '';
  for (const { name, role, isLine } of listLegendEntries(chart, width)) {
    const entryWidth = 20 + measureTextWidth(name, TEXT_SIZE) + 14;
    if (x + entryWidth > width && x > EDGE_MARGIN) {
      x = EDGE_MARGIN;
      y += LINE_HEIGHT + 2;
    }
    markup += isLine
      ? renderSvgElement('path', { class: `l-${role}`, d: `M${x} ${y - 4}h14` })
      : renderSvgElement('rect', { class: role, x, y: y - 10, width: 14, height: 12 });
    markup += renderSvgText(truncateSvgText(name, TEXT_SIZE, width - x - 24), { x: x + 20, y });
    x += entryWidth;
  }
  return { markup, height: y - top + 10 };
}

function drawLines(text: string, top: number, width: number, className: string): Drawing {
  const lines = wrapSvgText(text, TEXT_SIZE, width - 2 * EDGE_MARGIN);
  return {
    markup: lines
      .map((line, index) => renderSvgText(line, { class: className, x: EDGE_MARGIN, y: top + TEXT_SIZE + index * LINE_HEIGHT }))
      .join(''),
    height: lines.length * LINE_HEIGHT,
  };
}

/** Head of a picture. */
export interface ChartHead {
  /** Whether it has a title. The surrounding page may have one instead. @default true */
  readonly hasTitle?: boolean;
  /** Lines reserved for the outcome, so that the pictures of a pair begin at the same height. @default - as many as it has */
  readonly outcomeLines?: number;
}

/** Counts the lines that the outcome takes in a picture. */
export function countOutcomeLines({ outcome }: Chart, width: number): number {
  return wrapSvgText(outcome, TEXT_SIZE, width - 2 * EDGE_MARGIN).length;
}

/** Draws the picture of a rollout for a width, as the children of an svg element. */
export function drawChart(chart: Chart, width: number, { hasTitle = true, outcomeLines = 0 }: ChartHead = {}): Drawing {
  let y = hasTitle ? 10 : 2;
  let markup = '';
  const add = ({ markup: added, height }: Drawing) => {
    markup += added;
    y += height;
  };
  if (hasTitle) {
    add({
      markup: renderSvgText(truncateSvgText(chart.title, 15, width - 2 * EDGE_MARGIN), { class: 'h', x: EDGE_MARGIN, y: y + 14 }),
      height: 22,
    });
    const outcomeDrawing = drawLines(`${chart.isStuck ? '✗ ' : ''}${chart.outcome}`, y, width, chart.isStuck ? 'stop-t' : 'q');
    add({ ...outcomeDrawing, height: Math.max(outcomeDrawing.height, outcomeLines * LINE_HEIGHT) });
    y += 4;
  }
  const labels = width >= WIDE_CHART_MIN_WIDTH && hasLevels(chart) ? LABEL_COLUMN_WIDTH : EDGE_MARGIN;
  for (const part of chart.parts) add(drawPart(part, y, width, labels));
  if (chart.parts.length > 0) add(drawLegend(chart, y, width));
  for (const note of chart.notes) add(drawLines(note, y + 4, width, 'q'));
  return { markup, height: Math.ceil(y + 8) };
}
