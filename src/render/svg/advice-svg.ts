import { findMax } from '../../core/values/min-max';
import { ticks } from 'd3-array';
import { formatGoal, formatSeconds } from '../../core/document/goal-text';
import type { AdviceDocument, AdvisedRollout, Candidate } from '../../core/document/advice';
import { formatStrategy, formatVerdict, isSameCandidate, isSameOutcome, listAssumptions } from '../text/advice-words';
import { formatResourceLabel } from '../findings/text-findings';
import type { Drawing } from './draw';
import { computeIntegerTicks, createLinearScale, TEXT_SIZE } from './frame';
import { renderSvgElement, renderSvgText } from './markup';
import { CHART_STYLE, TEXT_ATTRIBUTES } from './theme';
import { truncateSvgText, wrapSvgText } from './text-width';

const WIDTH = 760;
const EDGE_MARGIN = 12;
const LINE_HEIGHT = 17;
const PLOT_LEFT = 56;
const PLOT_RIGHT = 24;
const PLOT_HEIGHT = 220;
const DRAWING_GAP = 16;
const HEADING_SIZE = 15;

/** Most strategies that one picture shows. */
const MAX_POINTS = 200;

/** Availability classes: the least share of replicas, the class, and its name in the legend. */
const CLASSES = [
  { from: 1, name: 'p-most', text: 'all available' },
  { from: 0.75, name: 'p-some', text: 'at least 75%' },
  { from: Number.MIN_VALUE, name: 'p-few', text: 'fewer' },
  { from: 0, name: 'p-none', text: 'none' },
] as const;

function findClass({ leastAvailable }: Candidate, replicas: number): (typeof CLASSES)[number] {
  const share = replicas === 0 ? 1 : leastAvailable / replicas;
  return CLASSES.find(({ from }) => share >= from)!;
}

/** Value on the vertical axis: extra GPUs if the pods request any, else extra pods. */
function measureCost({ extraGpus, extraPods }: Candidate): number {
  return extraGpus ?? extraPods;
}

function drawLines(lines: readonly string[], top: number, className: string): Drawing {
  const wrapped = lines.flatMap((line) => wrapSvgText(line, TEXT_SIZE, WIDTH - 2 * EDGE_MARGIN));
  const markup = wrapped.map((line, index) =>
    renderSvgText(line, { class: className, x: EDGE_MARGIN, y: top + TEXT_SIZE + index * LINE_HEIGHT }),
  );
  return { markup: markup.join(''), height: wrapped.length * LINE_HEIGHT };
}

/** Points at one position: only the one with the most available pods is visible, because it is drawn last. */
function listPoints({ front, current }: AdvisedRollout): Candidate[] {
  const shown = front.slice(0, MAX_POINTS);
  const all = shown.some((candidate) => isSameOutcome(candidate, current)) ? shown : [...shown, current];
  return all.filter(({ seconds }) => seconds !== null).toSorted((a, b) => a.leastAvailable - b.leastAvailable);
}

function drawPlot(rollout: AdvisedRollout, top: number): Drawing {
  const { replicas, best, current } = rollout;
  const points = listPoints(rollout);
  const slowest = findMax(
    points.map(({ seconds }) => seconds!),
    1,
  );
  const dearest = findMax(points.map(measureCost), 1);
  const bottom = top + 16 + PLOT_HEIGHT;
  const toX = createLinearScale(0, slowest, PLOT_LEFT, WIDTH - PLOT_RIGHT);
  const toY = createLinearScale(0, dearest, bottom, top + 26);
  const unit = current.extraGpus === undefined ? 'extra pods' : 'extra GPUs';
  const grid = computeIntegerTicks(dearest, 5).map(
    (tick) =>
      renderSvgElement('path', { class: 'rule', d: `M${PLOT_LEFT} ${toY(tick)}H${WIDTH - PLOT_RIGHT}` }) +
      renderSvgText(String(tick), { class: 'e q', x: PLOT_LEFT - 8, y: toY(tick) + 4 }),
  );
  const times = ticks(0, slowest, 6).map((tick) => renderSvgText(formatSeconds(tick), { class: 'm q', x: toX(tick), y: bottom + 18 }));
  const dots = points.map((candidate) => {
    const at = { cx: toX(candidate.seconds!), cy: toY(measureCost(candidate)) };
    const title = renderSvgElement('title', {}, renderTitle(candidate));
    const dot = renderSvgElement(
      'circle',
      { ...at, r: 6, class: `p ${candidate.meets ? findClass(candidate, replicas).name : 'p-out'}` },
      title,
    );
    return dot + renderSvgText(String(candidate.leastAvailable), { class: 'q', x: at.cx + 8, y: at.cy - 5 });
  });
  const ring = (candidate: Candidate, radius: number, text: string) =>
    candidate.seconds === null
      ? ''
      : renderSvgElement('circle', { class: 'p-best', cx: toX(candidate.seconds), cy: toY(measureCost(candidate)), r: radius }) +
        renderSvgText(text, { class: 'm', x: toX(candidate.seconds), y: toY(measureCost(candidate)) + 24 });
  const isKept = best !== undefined && isSameCandidate(best, current);
  const rings = [...(best ? [ring(best, 10, isKept ? 'keep' : 'best')] : []), ...(isKept ? [] : [ring(current, 10, 'now')])];
  return {
    markup: [
      renderSvgText(unit, { class: 'q', x: EDGE_MARGIN, y: top + 10 }),
      ...grid,
      renderSvgElement('path', { class: 'axis', d: `M${PLOT_LEFT} ${bottom}H${WIDTH - PLOT_RIGHT}` }),
      ...times,
      renderSvgText('time', { class: 'e q', x: WIDTH - PLOT_RIGHT, y: bottom + 34 }),
      ...dots,
      ...rings,
    ].join(''),
    height: bottom + 42 - top,
  };
}

function renderTitle(candidate: Candidate): string {
  const text = `${formatStrategy(candidate.strategy)}: ${candidate.leastAvailable} available, ${formatSeconds(candidate.seconds!)}`;
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

function drawLegend(top: number, hasUnmet: boolean): Drawing {
  const entries = [
    ...CLASSES.map(({ name, text }) => ({ name, text })),
    ...(hasUnmet ? [{ name: 'p-out', text: 'does not meet the goal' }] : []),
  ];
  let x = EDGE_MARGIN + 6;
  const markup = entries.map(({ name, text }) => {
    const entry =
      renderSvgElement('circle', { class: `p ${name}`, cx: x, cy: top + 8, r: 6 }) + renderSvgText(text, { x: x + 12, y: top + 12 });
    x += 36 + text.length * 7;
    return entry;
  });
  return { markup: markup.join('') + renderSvgText('Numbers: fewest available pods', { class: 'q', x, y: top + 12 }), height: 24 };
}

/** Draws the front of one rollout: extra GPUs or pods against time. */
export function drawAdvice(rollout: AdvisedRollout, hasTitle = true): Drawing {
  const goal = formatGoal(rollout.goal);
  const parts: string[] = [];
  let y = 4;
  const add = ({ markup, height }: Drawing) => {
    parts.push(markup);
    y += height;
  };
  if (hasTitle) {
    const title = truncateSvgText(formatResourceLabel(rollout.resource), HEADING_SIZE, WIDTH - 2 * EDGE_MARGIN);
    add({ markup: renderSvgText(title, { class: 'h', x: EDGE_MARGIN, y: y + 14 }), height: 22 });
    add(drawLines([...(goal === undefined ? [] : [`goal: ${goal}`]), formatVerdict(rollout)], y, rollout.unmet ? 'stop-t' : 'q'));
    y += 6;
  }
  add(drawPlot(rollout, y));
  add(
    drawLegend(
      y,
      rollout.front.some(({ meets }) => !meets),
    ),
  );
  if (hasTitle) add(drawLines(listAssumptions(rollout), y, 'q'));
  return { markup: parts.join(''), height: y };
}

/** Renders one picture, for a page that has the style. */
export function renderAdviceElement(rollout: AdvisedRollout): string {
  const { markup, height } = drawAdvice(rollout, false);
  const label = `${formatResourceLabel(rollout.resource)}: ${formatVerdict(rollout)}`;
  return renderSvgElement(
    'svg',
    { viewBox: `0 0 ${WIDTH} ${height}`, width: WIDTH, height, ...TEXT_ATTRIBUTES, role: 'img', 'aria-label': label },
    markup,
  );
}

/** Draws the front of each rollout, one below the other. */
export function drawAdviceSvg({ rollouts }: AdviceDocument): string {
  let y = 8;
  const drawings = rollouts.map((rollout) => {
    const { markup, height } = drawAdvice(rollout);
    const drawn = renderSvgElement('g', { transform: `translate(0 ${y})` }, markup);
    y += height + DRAWING_GAP;
    return drawn;
  });
  if (rollouts.length === 0) {
    drawings.push(renderSvgText('no rollouts', { class: 'q', x: EDGE_MARGIN, y: 20 }));
    y = 32;
  }
  const label = rollouts.map((rollout) => `${formatResourceLabel(rollout.resource)}: ${formatVerdict(rollout)}`).join(' ') || 'no rollouts';
  return `${renderSvgElement(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      viewBox: `0 0 ${WIDTH} ${y}`,
      width: WIDTH,
      height: y,
      ...TEXT_ATTRIBUTES,
      role: 'img',
      'aria-label': label,
    },
    `<style>${CHART_STYLE}</style>`,
    renderSvgElement('rect', { class: 'b', width: WIDTH, height: y }),
    ...drawings,
  )}\n`;
}
