import { formatGoal, formatUnmetLimit } from '../../core/document/goal-text';
import type { AdviceDocument, AdvisedRollout } from '../../core/document/advice';
import { pluralize } from '../../core/text/text-format';
import {
  formatGpus,
  formatScaledFigures,
  formatStrategy,
  formatTime,
  formatVerdict,
  listAdviceRows,
  listAssumptions,
  listUnmetReasons,
} from '../text/advice-words';
import { renderAdviceElement } from '../svg/advice-svg';
import { escapeMarkup } from '../svg/markup';
import { CHART_STYLE, COLOUR_VARIABLES } from '../svg/theme';
import { formatResourceLabel } from '../findings/text-findings';
import { renderHtmlElement } from './html-element';
import { PAGE_STYLE } from './page-style';

/** Policy that prevents the page from fetching, running or sending anything. */
const CONTENT_SECURITY_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

const TABLE_STYLE =
  'section svg{max-width:100%;height:auto}section table{border-collapse:collapse;margin:8px 0}section th,section td{padding:3px 10px;text-align:right;border-bottom:1px solid var(--edge)}' +
  'section th:nth-child(-n+2),section td:nth-child(-n+2){text-align:left}';

function renderTable(rollout: AdvisedRollout): string {
  const { rows } = listAdviceRows(rollout);
  const names = ['', 'strategy', 'time', 'extra pods', 'extra GPUs', 'available', 'broken', 'capacity'];
  const head = names.map((name) => renderHtmlElement('th', { scope: 'col' }, name)).join('');
  const body = rows.map(({ mark, candidate }) =>
    [
      mark,
      formatStrategy(candidate.strategy),
      formatTime(candidate),
      String(candidate.extraPods),
      formatGpus(candidate),
      String(candidate.leastAvailable),
      String(candidate.brokenByBadVersion),
      candidate.verdict,
    ]
      .map((cell) => renderHtmlElement('td', {}, escapeMarkup(cell)))
      .join(''),
  );
  return renderHtmlElement('table', {}, renderHtmlElement('tr', {}, head), ...body.map((cells) => renderHtmlElement('tr', {}, cells)));
}

function renderRollout(rollout: AdvisedRollout): string {
  const { resource, replicas, goal, best, unmet = [] } = rollout;
  const goalText = formatGoal(goal);
  const lines = [
    ...(goalText === undefined ? [] : [`Goal for ${pluralize(replicas, 'replica')}: ${goalText}.`]),
    ...unmet.map(formatUnmetLimit),
    ...listUnmetReasons(unmet),
    ...(best ? formatScaledFigures(best) : []),
  ];
  return renderHtmlElement(
    'section',
    {},
    renderHtmlElement('h2', {}, escapeMarkup(formatResourceLabel(resource))),
    renderHtmlElement('p', {}, renderHtmlElement('b', {}, escapeMarkup(formatVerdict(rollout)))),
    ...lines.map((line) => renderHtmlElement('p', {}, escapeMarkup(line))),
    renderAdviceElement(rollout),
    renderTable(rollout),
    ...listAssumptions(rollout).map((line) => renderHtmlElement('p', { class: 'quiet' }, escapeMarkup(line))),
  );
}

/** Builds advice as one self-contained page without scripts. */
export function buildAdvicePage({ rollouts, notAdvised }: AdviceDocument): string {
  const title = `Advice on ${pluralize(rollouts.length, 'rollout')}`;
  return [
    '<!doctype html>\n<html lang="en"><head><meta charset="utf-8"/>',
    `<meta http-equiv="Content-Security-Policy" content="${CONTENT_SECURITY_POLICY}"/>`,
    '<meta name="viewport" content="width=device-width, initial-scale=1"/>',
    `<title>${title}</title><style>${COLOUR_VARIABLES}${CHART_STYLE}${PAGE_STYLE}${TABLE_STYLE}</style></head><body>`,
    `<header><h1>${title}</h1></header><main>`,
    ...rollouts.map(renderRollout),
    ...notAdvised.map(({ resource, reason }) =>
      renderHtmlElement('p', { class: 'quiet' }, escapeMarkup(`No advice: ${formatResourceLabel(resource)}: ${reason}`)),
    ),
    '</main></body></html>\n',
  ].join('\n');
}
