import { findMax } from '../../core/values/min-max';
import type { PlanDocument } from '../../core/document/plan-document';
import type { PlannedRollout } from '../../core/document/rollout';
import { pluralize } from '../../core/text/text-format';
import type { Chart } from './chart';
import { formatRetainedObjects } from '../changes/headline';
import { formatInitialStates } from '../changes/initial-states';
import { buildPlanRows, formatPlanRow } from '../changes/plan-rows';
import type { PlanRow } from '../changes/plan-rows';
import { formatPlanHeadline, hasChange } from '../text/plan';
import { renderNotPlannedLines } from '../findings/not-planned';
import { SERVICE_COLUMNS, describeServices } from '../text/services';
import type { DescribedService } from '../text/services';
import { drawChart, countOutcomeLines } from './draw';
import type { Drawing } from './draw';
import { TEXT_SIZE } from './frame';
import { renderSvgElement, renderSvgText } from './markup';
import { alignChartScales } from './shared-scale';
import { buildRolloutChart } from './rollout-chart';
import { wrapSvgText, truncateSvgText } from './text-width';
import { SVG_PATTERNS } from './patterns';
import { CHART_STYLE, TEXT_ATTRIBUTES } from './theme';

/** Options of a picture. */
export interface SvgOptions {
  /** Width in pixels, at least 280. @default 760 */
  readonly width?: number;
  /** The plan of the current state. Each rollout is drawn next to its current rollout. @default - no comparison */
  readonly before?: PlanDocument;
}

const MIN_WIDTH = 280;
const DEFAULT_WIDTH = 760;
/** Margin left and right of a line of text. */
const EDGE_MARGIN = 12;
const LINE_HEIGHT = 17;
/** Gap between drawings one below the other. */
const DRAWING_GAP = 12;
/** Gap between drawings side by side. */
const COLUMN_GAP = 16;
/** Text size of the heading of a drawing. */
const HEADING_SIZE = 15;
/** Smallest width at which old and new are drawn side by side. */
const SIDE_BY_SIDE_MIN_WIDTH = 640;

function describeChart({ title, outcome }: Chart): string {
  return `${title}: ${outcome}`;
}

/** Renders one picture, for a page that has the style and the patterns. */
export function renderChartElement(chart: Chart, width: number, className?: string): string {
  const { markup, height } = drawChart(chart, width, { hasTitle: false });
  const attributes = {
    class: className,
    viewBox: `0 0 ${width} ${height}`,
    width,
    height,
    ...TEXT_ATTRIBUTES,
    role: 'img',
    'aria-label': describeChart(chart),
  };
  return renderSvgElement('svg', attributes, markup);
}

function rolloutKeyOf({ resource }: PlannedRollout): string {
  return JSON.stringify([resource.apiVersion, resource.kind, resource.namespace, resource.name, resource.component]);
}

/** Builds the charts of the plan of the current state, by rollout. */
function buildPreviousCharts({ rollouts }: PlanDocument): ReadonlyMap<string, Chart> {
  return new Map(rollouts.map((rollout) => [rolloutKeyOf(rollout), buildRolloutChart(rollout)]));
}

/** Joins drawings one below the other. */
function joinVertically(drawings: readonly Drawing[], gap: number): Drawing {
  let height = 0;
  let markup = '';
  for (const drawing of drawings) {
    markup += renderSvgElement('g', { transform: `translate(0 ${height})` }, drawing.markup);
    height += drawing.height + gap;
  }
  return { markup, height };
}

/** Draws the current rollout and the planned one: side by side if they fit, else one below the other. */
function drawPair(before: Chart, after: Chart, width: number): Drawing {
  const pair = alignChartScales(before, after);
  if (width < SIDE_BY_SIDE_MIN_WIDTH)
    return joinVertically(
      pair.map((chart) => drawChart(chart, width)),
      DRAWING_GAP,
    );
  const half = Math.floor((width - COLUMN_GAP) / 2);
  const outcomeLines = findMax(pair.map((chart) => countOutcomeLines(chart, half)));
  const drawings = pair.map((chart) => drawChart(chart, half, { outcomeLines }));
  const markup = drawings.map((drawing, index) =>
    renderSvgElement('g', { transform: `translate(${index * (half + COLUMN_GAP)} 0)` }, drawing.markup),
  );
  return { markup: markup.join(''), height: findMax(drawings.map(({ height }) => height)) };
}

function isDrawable(chart: Chart | undefined): chart is Chart {
  return chart !== undefined && chart.parts.length > 0;
}

function withTitle(chart: Chart, title: string): Chart {
  return { ...chart, title };
}

/** Draws each rollout, next to its current rollout if that is known. */
function drawRollouts({ rollouts }: PlanDocument, before: ReadonlyMap<string, Chart>, width: number): Drawing[] {
  return rollouts.map((rollout) => {
    const old = before.get(rolloutKeyOf(rollout));
    const now = buildRolloutChart(rollout);
    if (!isDrawable(old) || !isDrawable(now)) return drawChart(now, width);
    return drawPair(withTitle(old, `now: ${old.title}`), withTitle(now, `changed: ${now.title}`), width);
  });
}

/** Draws what happens to one object, with the pictures of its rollouts. */
function drawRow(row: PlanRow, before: ReadonlyMap<string, Chart>, width: number): Drawing {
  const { mark, name, severity, rollouts } = row;
  const pictures = rollouts.flatMap((rollout) => {
    const now = buildRolloutChart(rollout);
    if (!isDrawable(now)) return [];
    const old = before.get(rolloutKeyOf(rollout));
    const part = rollout.resource.component === undefined ? '' : ` ${rollout.resource.component}`;
    if (!isDrawable(old)) return [drawChart(withTitle(now, `changed${part}`), width)];
    return [drawPair(withTitle(old, `now${part}`), withTitle(now, `changed${part}`), width)];
  });
  const heading = renderSvgText(truncateSvgText(name, HEADING_SIZE, width - 2 * EDGE_MARGIN), {
    class: 'h',
    x: EDGE_MARGIN,
    y: HEADING_SIZE,
  });
  const headingText = drawLines([`${mark} ${formatPlanRow(row)}`], 22, width, severity === 'error' ? 'stop-t' : 'q');
  const top = 22 + headingText.height + 4;
  const below = joinVertically(pictures, DRAWING_GAP);
  return {
    markup: heading + headingText.markup + renderSvgElement('g', { transform: `translate(0 ${top})` }, below.markup),
    height: top + below.height,
  };
}

/** Draws a change: a headline, the rollouts that were unhealthy before the apply, and each object that differs, worst first. */
function drawChange(plan: PlanDocument, before: ReadonlyMap<string, Chart>, width: number): Drawing[] {
  const headline = wrapSvgText(formatPlanHeadline(plan), HEADING_SIZE, width - 2 * EDGE_MARGIN);
  const heading: Drawing = {
    markup: headline.map((line, index) => renderSvgText(line, { class: 'h', x: EDGE_MARGIN, y: HEADING_SIZE + index * 20 })).join(''),
    height: headline.length * 20,
  };
  const initialStates = formatInitialStates(plan.rollouts);
  return [
    heading,
    ...(initialStates.length > 0 ? [drawLines(initialStates, 0, width, 'stop-t')] : []),
    ...buildPlanRows(plan).map((row) => drawRow(row, before, width)),
    ...drawServices(plan, width),
  ];
}

/** Largest number of waves of a Service in a picture. The JSON has all of them. */
const MAX_SERVICE_ROWS = 20;
/** Positions of the columns of a Service, in pixels from the margin. */
const SERVICE_COLUMN_OFFSETS = [12, 62, 112, 172];

function drawServiceRow(row: readonly string[], index: number): string {
  return row
    .map((cell, column) =>
      renderSvgText(cell, { class: 'q', x: EDGE_MARGIN + SERVICE_COLUMN_OFFSETS[column]!, y: TEXT_SIZE + index * LINE_HEIGHT }),
    )
    .join('');
}

/** Draws a Service: its ready endpoints, and the columns of its waves if it has none at some moment. */
function drawService({ label, summary, notes, rows }: DescribedService, width: number): Drawing {
  const head = drawLines([`${label}: ${summary}`, ...notes], 0, width);
  if (rows.length === 0) return head;
  const shown = rows.slice(0, MAX_SERVICE_ROWS);
  const table = [SERVICE_COLUMNS, ...shown].map(drawServiceRow).join('');
  const more = rows.length - shown.length;
  const rest = drawLines(more > 0 ? [`and ${pluralize(more, 'more wave')}`] : [], 0, width);
  const tableHeight = (shown.length + 1) * LINE_HEIGHT;
  return {
    markup:
      head.markup +
      renderSvgElement('g', { transform: `translate(0 ${head.height})` }, table) +
      renderSvgElement('g', { transform: `translate(0 ${head.height + tableHeight})` }, rest.markup),
    height: head.height + tableHeight + rest.height,
  };
}

/** Draws the ready endpoints of the Services, those with the fewest first. */
function drawServices({ services = [] }: PlanDocument, width: number): Drawing[] {
  const { shown, omitted } = describeServices(services);
  return [
    ...shown.map((service) => drawService(service, width)),
    ...(omitted > 0 ? [drawLines([`and ${pluralize(omitted, 'more Service')}`], 0, width)] : []),
  ];
}

/** Draws lines of text, wrapped to the width of the picture. */
function drawLines(lines: readonly string[], top: number, width: number, className = 'q'): Drawing {
  const wrapped = lines.flatMap((line) => wrapSvgText(line, TEXT_SIZE, width - 2 * EDGE_MARGIN));
  const markup = wrapped
    .map((line, index) => renderSvgText(line, { class: className, x: EDGE_MARGIN, y: top + TEXT_SIZE + index * LINE_HEIGHT }))
    .join('');
  return { markup, height: wrapped.length * LINE_HEIGHT };
}

/** Describes a picture in text, for screen readers. */
function describePlan(plan: PlanDocument): string[] {
  if (plan.change) return [formatPlanHeadline(plan), ...buildPlanRows(plan).map((row) => `${row.name}: ${formatPlanRow(row)}`)];
  return plan.rollouts.length === 0 ? ['no rollouts'] : plan.rollouts.map((rollout) => describeChart(buildRolloutChart(rollout)));
}

/** Draws the rollouts of a plan, or the objects of its change, one below the other, then the kinds that are not planned. */
export function drawPlanSvg(plan: PlanDocument, { width: requestedWidth = DEFAULT_WIDTH, before }: SvgOptions = {}): string {
  const width = Math.max(MIN_WIDTH, Math.round(requestedWidth));
  const previousCharts = before ? buildPreviousCharts(before) : new Map<string, Chart>();
  const isEmpty = plan.rollouts.length === 0 && !plan.change;
  const drawings = plan.change ? drawChange(plan, previousCharts, width) : drawRollouts(plan, previousCharts, width);
  const all = joinVertically(isEmpty ? [drawLines(['no rollouts'], 3, width)] : drawings, DRAWING_GAP);
  const retainedText = hasChange(plan) ? formatRetainedObjects(plan) : undefined;
  const lines = [...renderNotPlannedLines(plan), ...(retainedText === undefined ? [] : [retainedText])];
  const top = plan.change ? DRAWING_GAP : 0;
  const remainder = drawLines(lines, top + Math.max(20, all.height), width);
  const height = top + Math.max(20, all.height) + remainder.height + (plan.change ? DRAWING_GAP : 0);
  return `${renderSvgElement(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      viewBox: `0 0 ${width} ${height}`,
      width,
      height,
      ...TEXT_ATTRIBUTES,
      role: 'img',
      'aria-label': [...describePlan(plan), ...lines].join('. '),
    },
    `<style>${CHART_STYLE}</style>`,
    SVG_PATTERNS,
    renderSvgElement('rect', { class: 'b', width, height }),
    renderSvgElement('g', { transform: `translate(0 ${top})` }, all.markup),
    remainder.markup,
  )}\n`;
}
