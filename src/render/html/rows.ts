import type { PlannedRollout } from '../../core/rollout';
import { shortValue } from '../change-words';
import { paletteOf } from '../palette';
import type { Palette } from '../palette';
import type { PlanRow } from '../plan-rows';
import type { Chart } from '../svg/chart';
import { escaped } from '../svg/markup';
import { onOneScale } from '../svg/one-scale';
import { chartElement } from '../svg/plan-svg';
import { rolloutChart } from '../svg/rollout-chart';
import { sparkMarkup } from '../svg/spark';
import { rolloutLines } from '../text';
import { visible } from '../../core/visible';
import { breakable } from './breakable';
import { filterValues } from './filters';
import { EFFECT_TONES, SEVERITY_TONES } from './overview';
import { tag } from './tag';

/** How wide a picture is drawn on a narrow and on a wide screen, of which the style shows one. */
type Widths = readonly (readonly [width: number, className: string])[];

const ALONE: Widths = [
  [320, 'narrow'],
  [760, 'wide'],
];
const BESIDE: Widths = [
  [320, 'narrow'],
  [500, 'wide'],
];

/** What a row of a table is known by here; no text of the input holds it. */
const ROW = '\u0000';
const PAGE: Palette = { ...paletteOf(false), row: (text) => ROW + text };

/** Columns that a phone has room for; of a wider table one moves from side to side, by the keyboard too. */
const MOST_COLUMNS = 46;

/** By what the rollout of an older plan is found. */
export function rolloutKey({ resource }: PlannedRollout): string {
  return JSON.stringify([resource.apiVersion, resource.kind, resource.namespace, resource.name, resource.component]);
}

function figure(chart: Chart, caption: string, widths: Widths): string {
  if (chart.parts.length === 0) return '';
  const said = caption === '' ? '' : tag('figcaption', {}, tag('b', {}, escaped(caption)), ` ${escaped(chart.outcome)}`);
  return tag('figure', {}, said, ...widths.map(([width, className]) => chartElement(chart, width, className)));
}

/** Pictures of a rollout, alone or beside how it goes today. */
function pictures(rollout: PlannedRollout, before: PlannedRollout | undefined): string {
  const now = rolloutChart(rollout);
  const old = before && rolloutChart(before);
  if (!old || old.parts.length === 0 || now.parts.length === 0) return tag('div', { class: 'single' }, figure(now, '', ALONE));
  const [was, after] = onOneScale(old, now);
  return tag('div', { class: 'pair' }, figure(was, 'now', BESIDE), figure(after, 'changed', BESIDE));
}

/** A line that goes on further in than it begins, where it is broken; a row of a table is not. */
function lineMarkup(line: string): string {
  const words = line.trimStart();
  const indent = line.length - words.length;
  if (words.startsWith(ROW)) return tag('span', { class: 'cells' }, ' '.repeat(indent), escaped(words.slice(ROW.length)), '\n');
  return tag('span', { style: `--in:${indent}` }, ' '.repeat(indent), escaped(words), '\n');
}

function textMarkup(lines: readonly string[]): string {
  const isWide = lines.some((line) => line.includes(ROW) && line.length - ROW.length > MOST_COLUMNS);
  return tag('pre', isWide ? { tabindex: 0, role: 'group', 'aria-label': 'Waves' } : {}, ...lines.map(lineMarkup));
}

/** The fields that differ, as a change of lines is shown. */
function fieldsMarkup({ because, moreFields }: PlanRow): string {
  if (because.length === 0) return '';
  const cell = (className: string, value: unknown) =>
    tag('td', { class: className }, value === undefined ? tag('span', { class: 'quiet' }, 'none') : breakable(shortValue(value)));
  const lines = because.map(({ path, old, new: next }) =>
    tag('tr', {}, tag('th', { scope: 'row' }, breakable(visible(path))), cell('was', old), cell('is', next)),
  );
  const more = moreFields > 0 ? tag('caption', {}, `and ${moreFields} more`) : '';
  return tag(
    'table',
    { class: 'fields' },
    more,
    tag('thead', {}, '<tr><th scope="col">field</th><th scope="col">now</th><th scope="col">changed</th></tr>'),
    tag('tbody', {}, ...lines),
  );
}

function detailsMarkup(row: PlanRow, before: ReadonlyMap<string, PlannedRollout>): string {
  const rollouts = row.rollouts.map((rollout) => {
    const lines = rolloutLines(rollout, PAGE, { said: new Set(), isAlone: true, minSeverity: 'info', isNew: row.effect === 'create' });
    return `${pictures(rollout, before.get(rolloutKey(rollout)))}${textMarkup(lines)}`;
  });
  const content = [fieldsMarkup(row), ...rollouts].join('');
  return tag('div', { class: 'inside' }, content === '' ? '<p class="quiet">Nothing rolls out here.</p>' : content);
}

function nameMarkup({ resource, rollouts: [first], effect }: PlanRow): string {
  const { kind, namespace, name, component } = resource;
  const path = namespace === undefined ? name : `${namespace}/${name}`;
  const unit = effect === undefined ? first?.unit : undefined;
  return tag(
    'span',
    { class: 'name' },
    tag('span', { class: 'kind' }, escaped(kind)),
    ' ',
    tag('b', {}, breakable(path === '' ? '(without name)' : path)),
    ...(component === undefined ? [] : [' ', escaped(component)]),
    ...(unit === undefined ? [] : [' ', tag('span', { class: 'quiet' }, '(', breakable(unit), ')')]),
  );
}

/** What a row begins with: the effect of a change, else the worst finding as a mark and in words for who does not see it. */
function leadMarkup({ mark, effect, severity }: PlanRow): string {
  if (effect !== undefined) return tag('span', { class: `pill ${EFFECT_TONES[effect]}` }, escaped(effect));
  if (severity === 'none') return tag('span', { class: 'mark' });
  return tag(
    'span',
    { class: `mark ${SEVERITY_TONES[severity]}`, title: severity },
    tag('span', { 'aria-hidden': 'true' }, escaped(mark)),
    tag('span', { class: 'unseen' }, escaped(severity)),
  );
}

/** One line, and what stands behind it, which the script unfolds when it is opened. */
export function rowMarkup(row: PlanRow, before: ReadonlyMap<string, PlannedRollout>): string {
  const [first] = row.rollouts;
  const spark = first ? sparkMarkup(rolloutChart(first)) : '';
  const summary = tag(
    'summary',
    {},
    leadMarkup(row),
    nameMarkup(row),
    tag('span', { class: 'what' }, escaped(row.happens)),
    tag('span', { class: 'small' }, spark),
  );
  return tag('li', { class: 'row', ...filterValues(row) }, tag('details', {}, summary, tag('template', {}, detailsMarkup(row, before))));
}
