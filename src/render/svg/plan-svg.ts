import { greatest } from '../../core/extremes';
import type { PlanDocument } from '../../core/plan-document';
import type { PlannedRollout } from '../../core/rollout';
import type { Chart } from './chart';
import { keptText, startTexts } from '../change-words';
import { planRows, rowText } from '../plan-rows';
import type { PlanRow } from '../plan-rows';
import { planHeadline } from '../text';
import { notPlannedLines } from '../text-not-planned';
import { drawChart, outcomeLinesOf } from './draw';
import type { Drawn } from './draw';
import { TEXT } from './frame';
import { element, label } from './markup';
import { onOneScale } from './one-scale';
import { rolloutChart } from './rollout-chart';
import { brokenLines, shortened } from './text-width';
import { PATTERNS, PICTURE_STYLE } from './theme';

/** How a picture is drawn. */
export interface SvgOptions {
  /** Pixels, from 280 up. @default 760 */
  readonly width?: number;
  /** The plan of what is there now: each rollout is drawn beside how it goes today. @default - nothing is compared */
  readonly before?: PlanDocument;
}

const LEAST_WIDTH = 280;
const USUAL_WIDTH = 760;
/** Left and right of a line of text. */
const EDGE = 12;
const LINE = 17;
/** Between drawings that stand under each other. */
const GAP = 12;
/** Between those that stand beside each other. */
const BETWEEN = 16;
/** Size of what a drawing is named with. */
const HEADING = 15;
/** From this width on old and new stand beside each other, else one over the other. */
const BESIDE = 640;

function describedAs({ title, outcome }: Chart): string {
  return `${title}: ${outcome}`;
}

/** One picture of its own, for a page that has the style and the patterns. */
export function chartElement(chart: Chart, width: number, className?: string): string {
  const { markup, height } = drawChart(chart, width, { hasTitle: false });
  const attributes = { class: className, viewBox: `0 0 ${width} ${height}`, width, height, role: 'img', 'aria-label': describedAs(chart) };
  return element('svg', attributes, markup);
}

function keyOf({ resource }: PlannedRollout): string {
  return JSON.stringify([resource.apiVersion, resource.kind, resource.namespace, resource.name, resource.component]);
}

/** The rollouts of the plan of what is there now, by what they are of. */
function chartsOf({ rollouts }: PlanDocument): ReadonlyMap<string, Chart> {
  return new Map(rollouts.map((rollout) => [keyOf(rollout), rolloutChart(rollout)]));
}

/** Drawings one under the other. */
function stacked(drawings: readonly Drawn[], gap: number): Drawn {
  let height = 0;
  let markup = '';
  for (const drawn of drawings) {
    markup += element('g', { transform: `translate(0 ${height})` }, drawn.markup);
    height += drawn.height + gap;
  }
  return { markup, height };
}

/** How a rollout goes today and how it will go: beside each other where there is room, else one under the other. */
function pairDrawn(before: Chart, after: Chart, width: number): Drawn {
  const pair = onOneScale(before, after);
  if (width < BESIDE)
    return stacked(
      pair.map((chart) => drawChart(chart, width)),
      GAP,
    );
  const half = Math.floor((width - BETWEEN) / 2);
  const outcomeLines = greatest(pair.map((chart) => outcomeLinesOf(chart, half)));
  const drawings = pair.map((chart) => drawChart(chart, half, { outcomeLines }));
  const markup = drawings.map((drawn, index) => element('g', { transform: `translate(${index * (half + BETWEEN)} 0)` }, drawn.markup));
  return { markup: markup.join(''), height: greatest(drawings.map(({ height }) => height)) };
}

function isDrawn(chart: Chart | undefined): chart is Chart {
  return chart !== undefined && chart.parts.length > 0;
}

function named(chart: Chart, title: string): Chart {
  return { ...chart, title };
}

/** A picture of each rollout, beside how it goes today where that is known. */
function rolloutDrawings({ rollouts }: PlanDocument, before: ReadonlyMap<string, Chart>, width: number): Drawn[] {
  return rollouts.map((rollout) => {
    const old = before.get(keyOf(rollout));
    const now = rolloutChart(rollout);
    if (!isDrawn(old) || !isDrawn(now)) return drawChart(now, width);
    return pairDrawn(named(old, `now: ${old.title}`), named(now, `changed: ${now.title}`), width);
  });
}

/** What happens to one object, with the pictures of what rolls of it. */
function rowDrawing(row: PlanRow, before: ReadonlyMap<string, Chart>, width: number): Drawn {
  const { mark, name, severity, rollouts } = row;
  const pictures = rollouts.flatMap((rollout) => {
    const now = rolloutChart(rollout);
    if (!isDrawn(now)) return [];
    const old = before.get(keyOf(rollout));
    const part = rollout.resource.component === undefined ? '' : ` ${rollout.resource.component}`;
    if (!isDrawn(old)) return [drawChart(named(now, `changed${part}`), width)];
    return [pairDrawn(named(old, `now${part}`), named(now, `changed${part}`), width)];
  });
  const heading = label(shortened(name, HEADING, width - 2 * EDGE), { class: 'h', x: EDGE, y: HEADING });
  const words = linesDrawn([`${mark} ${rowText(row)}`], 22, width, severity === 'error' ? 'stop-t' : 'q');
  const top = 22 + words.height + 4;
  const below = stacked(pictures, GAP);
  return {
    markup: heading + words.markup + element('g', { transform: `translate(0 ${top})` }, below.markup),
    height: top + below.height,
  };
}

/** What a change does: one line for all of it, what was not well before, and each object that differs, worst first. */
function changeDrawings(plan: PlanDocument, before: ReadonlyMap<string, Chart>, width: number): Drawn[] {
  const headline = brokenLines(planHeadline(plan), HEADING, width - 2 * EDGE);
  const heading: Drawn = {
    markup: headline.map((line, index) => label(line, { class: 'h', x: EDGE, y: HEADING + index * 20 })).join(''),
    height: headline.length * 20,
  };
  const start = startTexts(plan.rollouts);
  return [
    heading,
    ...(start.length > 0 ? [linesDrawn(start, 0, width, 'stop-t')] : []),
    ...planRows(plan).map((row) => rowDrawing(row, before, width)),
  ];
}

/** Lines of text, one under the other, each broken where the picture ends. */
function linesDrawn(lines: readonly string[], top: number, width: number, className = 'q'): Drawn {
  const broken = lines.flatMap((line) => brokenLines(line, TEXT, width - 2 * EDGE));
  const markup = broken.map((line, index) => label(line, { class: className, x: EDGE, y: top + TEXT + index * LINE })).join('');
  return { markup, height: broken.length * LINE };
}

/** A picture in words, for whoever does not see it. */
function wordsOf(plan: PlanDocument): string[] {
  if (plan.change) return [planHeadline(plan), ...planRows(plan).map((row) => `${row.name}: ${rowText(row)}`)];
  return plan.rollouts.length === 0 ? ['no rollouts'] : plan.rollouts.map((rollout) => describedAs(rolloutChart(rollout)));
}

/** The rollouts of a plan as one picture, one under the other, and below them what is not planned; of a change what happens to each object. */
export function planSvg(plan: PlanDocument, { width: wanted = USUAL_WIDTH, before }: SvgOptions = {}): string {
  const width = Math.max(LEAST_WIDTH, Math.round(wanted));
  const known = before ? chartsOf(before) : new Map<string, Chart>();
  const isEmpty = plan.rollouts.length === 0 && !plan.change;
  const drawings = plan.change ? changeDrawings(plan, known, width) : rolloutDrawings(plan, known, width);
  const all = stacked(isEmpty ? [linesDrawn(['no rollouts'], 3, width)] : drawings, GAP);
  const kept = plan.change && keptText(plan.change);
  const lines = [...notPlannedLines(plan), ...(kept === undefined ? [] : [kept])];
  const top = plan.change ? GAP : 0;
  const left = linesDrawn(lines, top + Math.max(20, all.height), width);
  const height = top + Math.max(20, all.height) + left.height + (plan.change ? GAP : 0);
  return `${element(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      viewBox: `0 0 ${width} ${height}`,
      width,
      height,
      role: 'img',
      'aria-label': [...wordsOf(plan), ...lines].join('. '),
    },
    `<style>${PICTURE_STYLE}</style>`,
    PATTERNS,
    element('rect', { class: 'b', width, height }),
    element('g', { transform: `translate(0 ${top})` }, all.markup),
    left.markup,
  )}\n`;
}
