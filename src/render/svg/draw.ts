import type { Chart, GridPanel, Layer, StackPanel, TimeAxis, TrackPanel } from './chart';
import { AXIS_HEIGHT, axisMarkup, linear, TEXT, unitHeight, WIDE } from './frame';
import type { Box } from './frame';
import { element, label } from './markup';
import { GRID_HEIGHT, gridMarkup, TRACK_HEIGHT, tracksMarkup } from './rows';
import { stackMarkup } from './stack';
import { brokenLines, shortened, textWidth } from './text-width';

type Panel = StackPanel | TrackPanel | GridPanel;

/** Markup of a known height. */
export interface Drawn {
  readonly markup: string;
  readonly height: number;
}

const LINE = 17;
const EDGE = 12;
const NUMBERS = 46;
/** Beside the panels, for the names of levels. */
const LABELS = 150;

function panelHeight(panel: Panel, isFirst: boolean, width: number): number {
  if (panel.kind === 'tracks') return Math.max(1, panel.tracks.length) * TRACK_HEIGHT;
  if (panel.kind === 'grid') return Math.max(1, panel.lines.length) * GRID_HEIGHT;
  if (!isFirst || panel.isLow === true) return 90;
  return width >= WIDE ? 200 : 170;
}

/** Height of what stands over a panel: what is counted, and where it stands still. */
function headHeight(panel: Panel): number {
  return unitHeight(panel) + 18;
}

function panelMarkup(panel: Panel, axis: TimeAxis, box: Box, width: number): string {
  if (panel.kind === 'stack') return stackMarkup(panel, axis, box, width);
  return panel.kind === 'tracks' ? tracksMarkup(panel, axis, box) : gridMarkup(panel, axis, box);
}

function hasLevels(chart: Chart): boolean {
  return chart.parts.some(({ panels }) => panels.some((panel) => panel.kind === 'stack' && panel.levels.length > 0));
}

function partDrawn({ axis, panels }: Chart['parts'][number], top: number, width: number, labels: number): Drawn {
  const left = panels.some(({ kind }) => kind !== 'tracks') ? NUMBERS : EDGE;
  let y = top;
  let markup = '';
  let box: Box = { left, top, width: width - left - labels, height: 0 };
  panels.forEach((panel, index) => {
    box = { ...box, top: y + headHeight(panel), height: panelHeight(panel, index === 0, width) };
    markup += panelMarkup(panel, axis, box, width);
    y = box.top + box.height;
  });
  markup += axisMarkup(axis, box, linear(axis.from, axis.to, box.left, box.left + box.width));
  return { markup, height: y - top + AXIS_HEIGHT };
}

/** What each colour and line is, each once. */
function legendOf(chart: Chart, width: number): (Layer & { readonly isLine: boolean })[] {
  const panels = chart.parts.flatMap((part) => part.panels);
  const entries = panels.flatMap((panel) => [
    ...panel.layers.filter((layer, index) => isSeen(panel, layer, index)).map((layer) => ({ ...layer, isLine: false })),
    ...(panel.kind === 'stack' ? panel.bands.map(({ name, role }) => ({ name, role, isLine: false })) : []),
    ...(panel.kind === 'stack' && width < WIDE ? panel.levels.map(({ name, role }) => ({ name, role, isLine: true })) : []),
  ]);
  return [...new Map(entries.map((entry) => [`${entry.name} ${entry.role}`, entry])).values()];
}

/** Is there any of a layer in its panel? */
function isSeen(panel: Panel, layer: Layer, index: number): boolean {
  if (panel.kind === 'stack') return panel.rows.some(({ values }) => (values[index] ?? 0) > 0);
  return panel.kind === 'tracks' || panel.lines.some(({ cells }) => cells.includes(layer.role));
}

function legendDrawn(chart: Chart, top: number, width: number): Drawn {
  let x = EDGE;
  let y = top + TEXT;
  let markup = '';
  for (const { name, role, isLine } of legendOf(chart, width)) {
    const room = 20 + textWidth(name, TEXT) + 14;
    if (x + room > width && x > EDGE) {
      x = EDGE;
      y += LINE + 2;
    }
    markup += isLine
      ? element('path', { class: `l-${role}`, d: `M${x} ${y - 4}h14` })
      : element('rect', { class: role, x, y: y - 10, width: 14, height: 12 });
    markup += label(shortened(name, TEXT, width - x - 24), { x: x + 20, y });
    x += room;
  }
  return { markup, height: y - top + 10 };
}

function linesDrawn(text: string, top: number, width: number, className: string): Drawn {
  const lines = brokenLines(text, TEXT, width - 2 * EDGE);
  return {
    markup: lines.map((line, index) => label(line, { class: className, x: EDGE, y: top + TEXT + index * LINE })).join(''),
    height: lines.length * LINE,
  };
}

/** How a picture is headed. */
export interface ChartHead {
  /** Does it name what it is of, which whoever holds it may do as well? @default true */
  readonly hasTitle?: boolean;
  /** Lines that are kept free for what becomes of it, so that the pictures of a pair begin at one height. @default - as many as it has */
  readonly outcomeLines?: number;
}

/** How many lines a picture takes to say what becomes of its rollout. */
export function outcomeLinesOf({ outcome }: Chart, width: number): number {
  return brokenLines(outcome, TEXT, width - 2 * EDGE).length;
}

/** The picture of a rollout for a width, as the children of an svg element. */
export function drawChart(chart: Chart, width: number, { hasTitle = true, outcomeLines = 0 }: ChartHead = {}): Drawn {
  let y = hasTitle ? 10 : 2;
  let markup = '';
  const add = ({ markup: more, height }: Drawn) => {
    markup += more;
    y += height;
  };
  if (hasTitle) {
    add({ markup: label(shortened(chart.title, 15, width - 2 * EDGE), { class: 'h', x: EDGE, y: y + 14 }), height: 22 });
    const said = linesDrawn(`${chart.isStuck ? '✗ ' : ''}${chart.outcome}`, y, width, chart.isStuck ? 'stop-t' : 'q');
    add({ ...said, height: Math.max(said.height, outcomeLines * LINE) });
    y += 4;
  }
  const labels = width >= WIDE && hasLevels(chart) ? LABELS : EDGE;
  for (const part of chart.parts) add(partDrawn(part, y, width, labels));
  if (chart.parts.length > 0) add(legendDrawn(chart, y, width));
  for (const note of chart.notes) add(linesDrawn(note, y + 4, width, 'q'));
  return { markup, height: Math.ceil(y + 8) };
}
