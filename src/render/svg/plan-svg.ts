import { greatest } from '../../core/extremes';
import type { PlanDocument } from '../../core/plan-document';
import type { PlannedRollout } from '../../core/rollout';
import type { Chart } from './chart';
import { notPlannedLines } from '../text-not-planned';
import { drawChart } from './draw';
import type { Drawn } from './draw';
import { TEXT } from './frame';
import { element, escaped, label } from './markup';
import { rolloutChart } from './rollout-chart';
import { brokenLines } from './text-width';
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
/** From this width on old and new stand beside each other, else one over the other. */
const BESIDE = 700;

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

/** Pictures of a rollout: how it goes, and beside it how it goes today where that is known. */
interface Pictures {
  readonly now: Chart;
  readonly before?: Chart;
}

function picturesOf({ rollouts }: PlanDocument, before: PlanDocument | undefined): Pictures[] {
  const known = new Map((before?.rollouts ?? []).map((rollout) => [keyOf(rollout), rolloutChart(rollout)]));
  return rollouts.map((rollout) => {
    const old = known.get(keyOf(rollout));
    const now = rolloutChart(rollout);
    return { now, ...(old && old.parts.length > 0 && now.parts.length > 0 && { before: old }) };
  });
}

function named(chart: Chart, word: string): Chart {
  return { ...chart, title: `${word}: ${chart.title}` };
}

/** Lines of text, one under the other, each broken where the picture ends. */
function linesDrawn(lines: readonly string[], top: number, width: number): Drawn {
  const broken = lines.flatMap((line) => brokenLines(line, TEXT, width - 2 * EDGE));
  const markup = broken.map((line, index) => label(line, { class: 'q', x: EDGE, y: top + TEXT + index * LINE })).join('');
  return { markup, height: broken.length * LINE };
}

/** The rollouts of a plan as one picture, one under the other, and below them what is not planned. */
export function planSvg(plan: PlanDocument, { width: wanted = USUAL_WIDTH, before }: SvgOptions = {}): string {
  const width = Math.max(LEAST_WIDTH, Math.round(wanted));
  let y = 0;
  let markup = '';
  const charts: Chart[] = [];
  for (const { now, before: old } of picturesOf(plan, before)) {
    charts.push(now);
    if (!old) {
      const drawn = drawChart(now, width);
      markup += element('g', { transform: `translate(0 ${y})` }, drawn.markup);
      y += drawn.height;
    } else if (width >= BESIDE) {
      const half = Math.floor((width - 16) / 2);
      const pair = [drawChart(named(old, 'now'), half), drawChart(named(now, 'changed'), half)];
      markup += pair.map((drawn, index) => element('g', { transform: `translate(${index * (half + 16)} ${y})` }, drawn.markup)).join('');
      y += greatest(pair.map(({ height }) => height));
    } else {
      for (const drawn of [drawChart(named(old, 'now'), width), drawChart(named(now, 'changed'), width)]) {
        markup += element('g', { transform: `translate(0 ${y})` }, drawn.markup);
        y += drawn.height;
      }
    }
    y += 12;
  }
  const lines = notPlannedLines(plan);
  const left = linesDrawn(lines, Math.max(20, y), width);
  const height = Math.max(20, y) + left.height;
  const words = [...(charts.length === 0 ? ['no rollouts'] : charts.map(describedAs)), ...lines].join('. ');
  return `${element(
    'svg',
    { xmlns: 'http://www.w3.org/2000/svg', viewBox: `0 0 ${width} ${height}`, width, height, role: 'img', 'aria-label': words },
    `<style>${PICTURE_STYLE}</style>`,
    PATTERNS,
    element('rect', { class: 'b', width, height }),
    ...(charts.length === 0 ? [element('text', { x: 12, y: 15 }, escaped('no rollouts'))] : []),
    markup,
    left.markup,
  )}\n`;
}
