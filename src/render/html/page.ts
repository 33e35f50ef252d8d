import type { PlanDocument } from '../../core/document/plan-document';
import { ADMISSION_NOTE, formatRetainedObjects } from '../changes/headline';
import { formatInitialStates } from '../changes/initial-states';
import { groupSimilarFindings, collectPlanFindings } from '../findings/finding-groups';
import type { FindingGroup } from '../findings/finding-groups';
import { createPalette } from '../layout/palette';
import { buildPlanRows } from '../changes/plan-rows';
import { escapeMarkup } from '../svg/markup';
import { SVG_PATTERNS } from '../svg/patterns';
import { CHART_STYLE, COLOUR_VARIABLES } from '../svg/theme';
import { formatPlanHeadline, hasChange } from '../text/plan';
import { renderBehaviourLines } from '../text/behaviour';
import { renderNotPlannedLines } from '../findings/not-planned';
import { renderFilters } from './filters';
import { renderFindingGroup } from './findings';
import { renderOverview } from './overview';
import { PAGE_SCRIPT } from './page-script';
import { PAGE_STYLE } from './page-style';
import { previousRolloutKeyOf, renderPlanRow } from './rows';
import { renderHtmlElement } from './html-element';

/** Options of a page. */
export interface HtmlOptions {
  /** The plan of the current state. Each rollout is drawn next to its current rollout. @default - no comparison */
  readonly before?: PlanDocument;
}

/** Renders how rollouts behave differently from an older plan. */
function renderBehaviour({ behaviour }: PlanDocument): string {
  if (!behaviour) return '';
  const lines = renderBehaviourLines(behaviour, createPalette(false)).map(escapeMarkup).join('\n');
  return `<section aria-labelledby="behaviour"><h2 id="behaviour">Changed behaviour</h2>${renderHtmlElement('pre', {}, lines)}</section>`;
}

function renderDecisions(groups: readonly FindingGroup[]): string {
  if (groups.length === 0) return '';
  return `<section aria-labelledby="decide"><h2 id="decide">Needs a decision</h2>${groups.map(renderFindingGroup).join('')}</section>`;
}

/** Renders infos that are about no rollout. Infos about a rollout are in its row. */
function renderExplanatoryFindings(groups: readonly FindingGroup[]): string {
  if (groups.length === 0) return '';
  return `<section aria-labelledby="know"><h2 id="know">Good to know</h2>${groups.map(renderFindingGroup).join('')}</section>`;
}

/** Policy that prevents every part of the page from fetching or sending anything. */
const CONTENT_SECURITY_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

const GLOSSARY =
  '<dl class="glossary"><div><dt>wave</dt><dd>one step: the controller creates and deletes pods, then waits until the new ones are ready</dd></div>' +
  '<div><dt>floor, ceiling</dt><dd>the minimum number of available pods, and the maximum number of pods</dd></div></dl>';

/** Without scripts, rows can't be opened, so elements that would do nothing are hidden. */
const NO_SCRIPT_STYLE =
  '<noscript><style>form{display:none}.row summary,.shares button{cursor:auto;pointer-events:none}.row summary::after{content:none}</style>' +
  '<p class="quiet">Scripts are disabled. The filters, and the picture and the waves of each row, need the script of this page.</p></noscript>';

/** Builds a plan as one self-contained page. */
export function buildPlanPage(plan: PlanDocument, { before }: HtmlOptions = {}): string {
  const rows = buildPlanRows(plan);
  const previousRollouts = new Map((before?.rollouts ?? []).map((rollout) => [previousRolloutKeyOf(rollout), rollout]));
  const attributed = collectPlanFindings(plan);
  const decisions = groupSimilarFindings(attributed.filter(({ finding }) => finding.severity !== 'info'));
  const explanations = groupSimilarFindings(attributed.filter(({ finding, about }) => finding.severity === 'info' && about === undefined));
  const headline = formatPlanHeadline(plan);
  const retainedText = hasChange(plan) ? formatRetainedObjects(plan) : undefined;
  const under = [
    ...formatInitialStates(plan.rollouts),
    ...(plan.capacity ? [`shared capacity: ${plan.capacity.message}`] : []),
    ...renderNotPlannedLines(plan),
    ...(retainedText === undefined ? [] : [retainedText]),
    ...(plan.change?.admissionNotChecked === true ? [ADMISSION_NOTE] : []),
  ];
  const emptyText = plan.change ? 'No object differs.' : 'There are no rollouts.';
  return [
    '<!doctype html>\n<html lang="en"><head><meta charset="utf-8"/>',
    `<meta http-equiv="Content-Security-Policy" content="${CONTENT_SECURITY_POLICY}"/>`,
    '<meta name="viewport" content="width=device-width, initial-scale=1"/>',
    `<title>${escapeMarkup(headline)}</title><style>${COLOUR_VARIABLES}${CHART_STYLE}${PAGE_STYLE}</style></head><body>`,
    '<a class="skip" href="#rollouts">Skip to the rollouts</a>',
    `<svg width="0" height="0" style="position:absolute" aria-hidden="true" focusable="false">${SVG_PATTERNS}</svg>`,
    `<header><h1>${escapeMarkup(headline)}</h1>`,
    ...under.map((line) => renderHtmlElement('p', { class: 'quiet' }, escapeMarkup(line))),
    renderOverview(plan, rows),
    '</header><main>',
    renderBehaviour(plan),
    renderDecisions(decisions),
    `<section aria-labelledby="rollouts"><h2 id="rollouts" tabindex="-1">${plan.change ? 'What happens to each object' : 'Rollouts'}</h2>`,
    rows.length > 0 ? GLOSSARY : '',
    NO_SCRIPT_STYLE,
    renderFilters(rows),
    rows.length > 0
      ? `<ul class="${plan.change ? 'rows by-effect' : 'rows'}">${rows.map((row) => renderPlanRow(row, previousRollouts)).join('\n')}</ul>`
      : renderHtmlElement('p', { class: 'empty' }, emptyText),
    '<p id="empty" class="empty" hidden>No row matches these filters.</p>',
    '</section>',
    renderExplanatoryFindings(explanations),
    '</main>',
    `<script>${PAGE_SCRIPT}</script></body></html>\n`,
  ].join('\n');
}
