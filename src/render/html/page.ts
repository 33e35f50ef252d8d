import type { PlanDocument } from '../../core/plan-document';
import { keptText, startTexts } from '../change-words';
import { findingGroups, placedFindings } from '../finding-groups';
import type { FindingGroup } from '../finding-groups';
import { paletteOf } from '../palette';
import { planRows } from '../plan-rows';
import { escaped } from '../svg/markup';
import { PATTERNS, PICTURE_STYLE } from '../svg/theme';
import { planHeadline } from '../text';
import { behaviourLines } from '../text-behaviour';
import { notPlannedLines } from '../text-not-planned';
import { filtersMarkup } from './filters';
import { findingMarkup } from './findings';
import { overviewMarkup } from './overview';
import { PAGE_SCRIPT } from './page-script';
import { PAGE_STYLE } from './page-style';
import { rolloutKey, rowMarkup } from './rows';
import { tag } from './tag';

/** How a page is made. */
export interface HtmlOptions {
  /** The plan of what is there now: each rollout is drawn beside how it goes today. @default - nothing is compared */
  readonly before?: PlanDocument;
}

/** How rollouts behave otherwise than in an older plan. */
function behaviourMarkup({ behaviour }: PlanDocument): string {
  if (!behaviour) return '';
  const lines = behaviourLines(behaviour, paletteOf(false)).map(escaped).join('\n');
  return `<section aria-labelledby="behaviour"><h2 id="behaviour">What goes otherwise than before</h2>${tag('pre', {}, lines)}</section>`;
}

function decisionsMarkup(groups: readonly FindingGroup[]): string {
  if (groups.length === 0) return '';
  return `<section aria-labelledby="decide"><h2 id="decide">Needs a decision</h2>${groups.map(findingMarkup).join('')}</section>`;
}

/** What only explains and is about no rollout; what is about one stands in its row. */
function explanationsMarkup(groups: readonly FindingGroup[]): string {
  if (groups.length === 0) return '';
  return `<section aria-labelledby="know"><h2 id="know">Good to know</h2>${groups.map(findingMarkup).join('')}</section>`;
}

/** Nothing is fetched and nothing is sent: a browser that reads this lets no part of the page do so. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

const WORDS =
  '<dl class="words"><div><dt>wave</dt><dd>pods that are started and stopped before anything has to wait for new pods to become ready</dd></div>' +
  '<div><dt>floor, ceiling</dt><dd>the fewest pods that may be available, and the most that there may be</dd></div></dl>';

/** Where scripts are switched off a row can't be opened, and what would do nothing is not shown. */
const NO_SCRIPT =
  '<noscript><style>form{display:none}.row summary,.shares button{cursor:auto;pointer-events:none}.row summary::after{content:none}</style>' +
  '<p class="quiet">Scripts are switched off here. The filters, and the picture and the waves of each row, need the page’s own.</p></noscript>';

/** A plan as one page that needs nothing else. */
export function planPage(plan: PlanDocument, { before }: HtmlOptions = {}): string {
  const rows = planRows(plan);
  const known = new Map((before?.rollouts ?? []).map((rollout) => [rolloutKey(rollout), rollout]));
  const placed = placedFindings(plan);
  const decisions = findingGroups(placed.filter(({ finding }) => finding.severity !== 'info'));
  const explanations = findingGroups(placed.filter(({ finding, about }) => finding.severity === 'info' && about === undefined));
  const headline = planHeadline(plan);
  const kept = plan.change && keptText(plan.change);
  const under = [
    ...startTexts(plan.rollouts),
    ...(plan.room ? [`room in what they share: ${plan.room.message}`] : []),
    ...notPlannedLines(plan),
    ...(kept === undefined ? [] : [kept]),
  ];
  const nothing = plan.change ? 'No object differs.' : 'There are no rollouts here.';
  return [
    '<!doctype html>\n<html lang="en"><head><meta charset="utf-8"/>',
    `<meta http-equiv="Content-Security-Policy" content="${POLICY}"/>`,
    '<meta name="viewport" content="width=device-width, initial-scale=1"/>',
    `<title>${escaped(headline)}</title><style>${PICTURE_STYLE}${PAGE_STYLE}</style></head><body>`,
    '<a class="skip" href="#rollouts">Skip to the rollouts</a>',
    `<svg width="0" height="0" style="position:absolute" aria-hidden="true" focusable="false">${PATTERNS}</svg>`,
    `<header><h1>${escaped(headline)}</h1>`,
    ...under.map((line) => tag('p', { class: 'quiet' }, escaped(line))),
    overviewMarkup(plan, rows),
    '</header><main>',
    behaviourMarkup(plan),
    decisionsMarkup(decisions),
    `<section aria-labelledby="rollouts"><h2 id="rollouts" tabindex="-1">${plan.change ? 'What happens to each object' : 'Rollouts'}</h2>`,
    rows.length > 0 ? WORDS : '',
    NO_SCRIPT,
    filtersMarkup(rows),
    rows.length > 0
      ? `<ul class="${plan.change ? 'rows by-effect' : 'rows'}">${rows.map((row) => rowMarkup(row, known)).join('\n')}</ul>`
      : tag('p', { class: 'empty' }, nothing),
    '<p id="empty" class="empty" hidden>Nothing fits these filters.</p>',
    '</section>',
    explanationsMarkup(explanations),
    '</main>',
    `<script>${PAGE_SCRIPT}</script></body></html>\n`,
  ].join('\n');
}
