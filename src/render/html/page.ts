import type { PlanDocument } from '../../core/plan-document';
import type { PlannedRollout } from '../../core/rollout';
import { keptText, startTexts } from '../change-words';
import { findingGroups, placedFindings } from '../finding-groups';
import type { FindingGroup } from '../finding-groups';
import { paletteOf } from '../palette';
import { chartElement } from '../svg/plan-svg';
import type { Chart } from '../svg/chart';
import { element, escaped } from '../svg/markup';
import { onOneScale } from '../svg/one-scale';
import { rolloutChart } from '../svg/rollout-chart';
import { PATTERNS, PICTURE_STYLE } from '../svg/theme';
import { planHeadline, rolloutLines } from '../text';
import { behaviourLines } from '../text-behaviour';
import { planRows } from '../plan-rows';
import type { PlanRow } from '../plan-rows';
import { placeText, resourceText } from '../text-findings';
import { notPlannedLines } from '../text-not-planned';
import { PAGE_SCRIPT } from './page-script';
import { PAGE_STYLE } from './page-style';

/** How a page is made. */
export interface HtmlOptions {
  /** The plan of what is there now: each rollout is drawn beside how it goes today. @default - nothing is compared */
  readonly before?: PlanDocument;
}

/** How wide a picture is drawn on a narrow and on a wide screen, of which the style shows one. */
type Widths = readonly (readonly [width: number, className: string])[];

const ALONE: Widths = [
  [340, 'narrow'],
  [760, 'wide'],
];
const BESIDE: Widths = [
  [340, 'narrow'],
  [480, 'wide'],
];
const MOST_PLACES = 8;
const NOTHING = paletteOf(false);

function keyOf({ resource }: PlannedRollout): string {
  return JSON.stringify([resource.apiVersion, resource.kind, resource.namespace, resource.name, resource.component]);
}

function figure(chart: Chart, caption: string, widths: Widths): string {
  if (chart.parts.length === 0) return '';
  const drawings = widths.map(([width, className]) => chartElement(chart, width, className));
  return element('figure', {}, ...(caption === '' ? [] : [element('figcaption', {}, escaped(caption))]), ...drawings);
}

/** Pictures of a rollout, alone or beside how it goes today. */
function pictures(rollout: PlannedRollout, before: PlannedRollout | undefined): string {
  const now = rolloutChart(rollout);
  const old = before && rolloutChart(before);
  if (!old || old.parts.length === 0 || now.parts.length === 0) return element('div', { class: 'single' }, figure(now, '', ALONE));
  const [was, after] = onOneScale(old, now);
  return element('div', { class: 'pair' }, figure(was, 'now', BESIDE), figure(after, 'changed', BESIDE));
}

function rowMarkup(row: PlanRow, before: ReadonlyMap<string, PlannedRollout>): string {
  const { mark, name, what, resource, effect, rollouts, codes, severity } = row;
  const data = {
    class: 'row',
    'data-kind': resource.kind,
    'data-namespace': resource.namespace ?? '-',
    'data-severity': severity,
    'data-finding': codes.join(' '),
    'data-effect': effect,
  };
  const inside = rollouts.map((rollout) => {
    const lines = rolloutLines(rollout, NOTHING, { said: new Set(), isAlone: true, minSeverity: 'info', isNew: effect === 'create' });
    return `${pictures(rollout, before.get(keyOf(rollout)))}${element('pre', {}, escapedLines(lines))}`;
  });
  const cells = [
    element('span', { class: `mark ${severity}`, 'aria-hidden': 'true' }, escaped(mark), ' '),
    element('span', { class: 'name' }, escaped(name)),
    element(
      'span',
      { class: 'what' },
      severity === 'none' ? '' : element('span', { class: 'quiet' }, escaped(severity), ' · '),
      escaped(what),
    ),
  ];
  const content = inside.length === 0 ? `<p class="quiet">no rollout</p>` : inside.join('');
  return element(
    'li',
    data,
    element('details', {}, element('summary', {}, ...cells), `<template>${element('div', { class: 'inside' }, content)}</template>`),
  );
}

function escapedLines(lines: readonly string[]): string {
  return lines.map(escaped).join('\n');
}

function groupMarkup({ first, all }: FindingGroup): string {
  const { finding, about } = first;
  const { severity, code, message, help } = finding;
  const places = all
    .slice(0, MOST_PLACES)
    .map((one) => [one.about ? resourceText(one.about) : '', placeText(one.finding)].filter((part) => part !== '').join('  '));
  const more = all.length - places.length;
  const times = all.length > 1 ? ` · ${all.length} times` : '';
  const words = all.every((one) => one.finding.message === message) ? message : `the first: ${message}`;
  return element(
    'div',
    { class: `finding ${severity}` },
    element('span', { class: 'mark', 'aria-hidden': 'true' }, severity === 'error' ? '✗' : '!'),
    element('strong', {}, escaped(severity)),
    ` <code>${escaped(code)}</code>`,
    element('span', { class: 'quiet' }, escaped(times === '' && about ? ` · ${resourceText(about)}` : times)),
    element('p', {}, escaped(words)),
    ...(help === undefined ? [] : [element('p', {}, '<span class="quiet">fix:</span> ', escaped(help))]),
    element(
      'ul',
      { class: 'places' },
      ...[...places, ...(more > 0 ? [`and ${more} more`] : [])].map((place) => element('li', {}, escaped(place))),
    ),
  );
}

function select(name: string, title: string, values: readonly string[]): string {
  const known = [...new Set(values)].toSorted();
  if (known.length < 2) return '';
  const options = [['', 'all'], ...known.map((value) => [value, value === '-' ? 'none' : value])];
  return element(
    'label',
    {},
    title,
    element('select', { name }, ...options.map(([value, text]) => `<option value="${escaped(value!)}">${escaped(text!)}</option>`)),
  );
}

function filters(rows: readonly PlanRow[]): string {
  return element(
    'form',
    { role: 'search', 'aria-label': 'Filter' },
    '<label>find (press /)<input type="search" name="text" autocomplete="off"/></label>',
    select(
      'severity',
      'finding of',
      rows.map(({ severity }) => severity),
    ),
    select(
      'finding',
      'code',
      rows.flatMap(({ codes }) => codes),
    ),
    select(
      'kind',
      'kind',
      rows.map(({ resource }) => resource.kind),
    ),
    select(
      'namespace',
      'namespace',
      rows.map(({ resource }) => resource.namespace ?? '-'),
    ),
    select(
      'effect',
      'effect',
      rows.flatMap(({ effect }) => effect ?? []),
    ),
    '<button type="reset">Reset</button>',
    element('p', { id: 'shown', role: 'status', class: 'quiet' }, `${rows.length} of ${rows.length} shown`),
  );
}

/** How rollouts behave otherwise than in an older plan. */
function behaviourMarkup({ behaviour }: PlanDocument): string[] {
  if (!behaviour) return [];
  const lines = element('pre', {}, escapedLines(behaviourLines(behaviour, NOTHING)));
  return ['<section aria-labelledby="behaviour"><h2 id="behaviour">What goes otherwise than before</h2>', lines, '</section>'];
}

/** Nothing is fetched and nothing is sent: a browser that reads this lets no part of the page do so. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

const WORDS =
  'A wave: pods that are started and stopped before anything has to wait for new pods to become ready. ' +
  'The floor is the fewest pods that may be available, the ceiling the most that there may be.';

/** Where scripts are switched off a row can't be opened, and what would do nothing is not shown. */
const NO_SCRIPT =
  '<noscript><style>form{display:none}summary{cursor:auto;pointer-events:none}.name::after{content:none}</style>' +
  '<p class="quiet words">Scripts are switched off here. The filters, and the picture and the waves of each row, need the page’s own.</p></noscript>';

/** A plan as one page that needs nothing else. */
export function planPage(plan: PlanDocument, { before }: HtmlOptions = {}): string {
  const rows = planRows(plan);
  const known = new Map((before?.rollouts ?? []).map((rollout) => [keyOf(rollout), rollout]));
  const groups = findingGroups(placedFindings(plan));
  const decisions = groups.filter(({ first }) => first.finding.severity !== 'info');
  const headline = planHeadline(plan);
  const kept = plan.change && keptText(plan.change);
  const under = [
    ...startTexts(plan.rollouts),
    ...(plan.room ? [`room in what they share: ${plan.room.message}`] : []),
    ...notPlannedLines(plan),
    ...(kept === undefined ? [] : [kept]),
  ];
  return [
    '<!doctype html>\n<html lang="en"><head><meta charset="utf-8"/>',
    `<meta http-equiv="Content-Security-Policy" content="${POLICY}"/>`,
    '<meta name="viewport" content="width=device-width, initial-scale=1"/>',
    `<title>${escaped(headline)}</title><style>${PICTURE_STYLE}${PAGE_STYLE}</style></head><body>`,
    '<a class="skip" href="#rollouts">Skip to the rollouts</a>',
    `<svg width="0" height="0" style="position:absolute" aria-hidden="true" focusable="false">${PATTERNS}</svg>`,
    `<header><h1>${escaped(headline)}</h1>`,
    ...under.map((line) => element('p', { class: 'quiet' }, escaped(line))),
    '</header><main>',
    ...behaviourMarkup(plan),
    ...(decisions.length > 0
      ? ['<section aria-labelledby="decide"><h2 id="decide">Needs a decision</h2>', ...decisions.map(groupMarkup), '</section>']
      : []),
    `<section aria-labelledby="rollouts"><h2 id="rollouts" tabindex="-1">${plan.change ? 'What happens to each object' : 'Rollouts'}</h2>`,
    element('p', { class: 'quiet words' }, escaped(WORDS)),
    NO_SCRIPT,
    filters(rows),
    `<ul>${rows.map((row) => rowMarkup(row, known)).join('\n')}</ul>`,
    '<p id="empty" class="empty quiet" hidden>Nothing fits these filters.</p></section></main>',
    `<script>${PAGE_SCRIPT}</script></body></html>\n`,
  ].join('\n');
}
