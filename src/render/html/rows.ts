import type { PlannedRollout } from '../../core/document/rollout';
import { NO_NAME } from '../../core/manifest/manifest';
import { formatShortValue } from '../changes/fields';
import { createPalette } from '../layout/palette';
import type { Palette } from '../layout/palette';
import type { PlanRow } from '../changes/plan-rows';
import type { Chart } from '../svg/chart';
import { escapeMarkup } from '../svg/markup';
import { alignChartScales } from '../svg/shared-scale';
import { renderChartElement } from '../svg/plan-svg';
import { buildRolloutChart } from '../svg/rollout-chart';
import { renderSparkline } from '../svg/spark';
import { renderRolloutLines } from '../text/plan';
import { escapeForTerminal } from '../../core/text/escape-output';
import { insertWordBreaks } from './word-breaks';
import { buildFilterAttributes } from './filters';
import { EFFECT_TONES, SEVERITY_TONES } from './overview';
import { renderHtmlElement } from './html-element';

/** Widths of a picture for a narrow and a wide screen. The style shows one of them. */
type ChartWidths = readonly (readonly [width: number, className: string])[];

const FULL_WIDTHS: ChartWidths = [
  [320, 'narrow'],
  [760, 'wide'],
];
const SIDE_BY_SIDE_WIDTHS: ChartWidths = [
  [320, 'narrow'],
  [500, 'wide'],
];

/** Marks a row of a table. No text of the input contains it. */
const TABLE_ROW_MARKER = '\u0000';
const PAGE_PALETTE: Palette = { ...createPalette(false), row: (text) => TABLE_ROW_MARKER + text };

/** Number of columns that fit on a phone. A wider table scrolls sideways, also by keyboard. */
const MAX_COLUMNS = 46;

/** Returns the key by which the same rollout of an older plan is found. */
export function previousRolloutKeyOf({ resource }: PlannedRollout): string {
  return JSON.stringify([resource.apiVersion, resource.kind, resource.namespace, resource.name, resource.component]);
}

function renderFigure(chart: Chart, caption: string, widths: ChartWidths): string {
  if (chart.parts.length === 0) return '';
  const captionElement =
    caption === ''
      ? ''
      : renderHtmlElement('figcaption', {}, renderHtmlElement('b', {}, escapeMarkup(caption)), ` ${escapeMarkup(chart.outcome)}`);
  return renderHtmlElement(
    'figure',
    {},
    captionElement,
    ...widths.map(([width, className]) => renderChartElement(chart, width, className)),
  );
}

/** Renders the picture of a rollout, next to that of its current rollout if there is one. */
function renderCharts(rollout: PlannedRollout, before: PlannedRollout | undefined): string {
  const now = buildRolloutChart(rollout);
  const old = before && buildRolloutChart(before);
  if (!old || old.parts.length === 0 || now.parts.length === 0)
    return renderHtmlElement('div', { class: 'single' }, renderFigure(now, '', FULL_WIDTHS));
  const [oldScaled, newScaled] = alignChartScales(old, now);
  return renderHtmlElement(
    'div',
    { class: 'pair' },
    renderFigure(oldScaled, 'now', SIDE_BY_SIDE_WIDTHS),
    renderFigure(newScaled, 'changed', SIDE_BY_SIDE_WIDTHS),
  );
}

/** Renders a line with a hanging indent. A row of a table is not wrapped. */
function renderLine(line: string): string {
  const content = line.trimStart();
  const indent = line.length - content.length;
  if (content.startsWith(TABLE_ROW_MARKER))
    return renderHtmlElement('span', { class: 'cells' }, ' '.repeat(indent), escapeMarkup(content.slice(TABLE_ROW_MARKER.length)), '\n');
  return renderHtmlElement('span', { style: `--in:${indent}` }, ' '.repeat(indent), escapeMarkup(content), '\n');
}

function renderText(lines: readonly string[]): string {
  const isWide = lines.some((line) => line.includes(TABLE_ROW_MARKER) && line.length - TABLE_ROW_MARKER.length > MAX_COLUMNS);
  return renderHtmlElement('pre', isWide ? { tabindex: 0, role: 'group', 'aria-label': 'Waves' } : {}, ...lines.map(renderLine));
}

/** Renders the fields that differ as a table of old and new values. */
function renderFieldDiff({ because, omittedFieldCount }: PlanRow): string {
  if (because.length === 0) return '';
  const cell = (className: string, value: unknown) =>
    renderHtmlElement(
      'td',
      { class: className },
      value === undefined ? renderHtmlElement('span', { class: 'quiet' }, 'none') : insertWordBreaks(formatShortValue(value)),
    );
  const lines = because.map(({ path, old, new: next }) =>
    renderHtmlElement(
      'tr',
      {},
      renderHtmlElement('th', { scope: 'row' }, insertWordBreaks(escapeForTerminal(path))),
      cell('was', old),
      cell('is', next),
    ),
  );
  const omittedNote = omittedFieldCount > 0 ? renderHtmlElement('caption', {}, `and ${omittedFieldCount} more`) : '';
  return renderHtmlElement(
    'table',
    { class: 'fields' },
    omittedNote,
    renderHtmlElement('thead', {}, '<tr><th scope="col">field</th><th scope="col">now</th><th scope="col">changed</th></tr>'),
    renderHtmlElement('tbody', {}, ...lines),
  );
}

function renderDetails(row: PlanRow, before: ReadonlyMap<string, PlannedRollout>): string {
  const rollouts = row.rollouts.map((rollout) => {
    const lines = renderRolloutLines(rollout, PAGE_PALETTE, {
      printed: new Set(),
      isOnlyRollout: true,
      minSeverity: 'info',
      effect: row.effect,
    });
    return `${renderCharts(rollout, before.get(previousRolloutKeyOf(rollout)))}${renderText(lines)}`;
  });
  const content = [renderFieldDiff(row), ...rollouts].join('');
  return renderHtmlElement('div', { class: 'inside' }, content === '' ? '<p class="quiet">Nothing is rolled out.</p>' : content);
}

function renderName({ resource, rollouts: [first], effect }: PlanRow): string {
  const { kind, namespace, name, component } = resource;
  const path = namespace === undefined ? name : `${namespace}/${name}`;
  const unit = effect === undefined ? first?.unit : undefined;
  return renderHtmlElement(
    'span',
    { class: 'name' },
    renderHtmlElement('span', { class: 'kind' }, escapeMarkup(kind)),
    ' ',
    renderHtmlElement('b', {}, insertWordBreaks(path || NO_NAME)),
    ...(component === undefined ? [] : [' ', escapeMarkup(component)]),
    ...(unit === undefined ? [] : [' ', renderHtmlElement('span', { class: 'quiet' }, '(', insertWordBreaks(unit), ')')]),
  );
}

/** Renders the start of a row: the effect of a change, or the worst severity as a mark and as text for screen readers. */
function renderLead({ mark, effect, severity }: PlanRow): string {
  if (effect !== undefined) return renderHtmlElement('span', { class: `pill ${EFFECT_TONES[effect]}` }, escapeMarkup(effect));
  if (severity === 'none') return renderHtmlElement('span', { class: 'mark' });
  return renderHtmlElement(
    'span',
    { class: `mark ${SEVERITY_TONES[severity]}`, title: severity },
    renderHtmlElement('span', { 'aria-hidden': 'true' }, escapeMarkup(mark)),
    renderHtmlElement('span', { class: 'visually-hidden' }, escapeMarkup(severity)),
  );
}

/** Renders a row as one line, with details that the script fills in when it is opened. */
export function renderPlanRow(row: PlanRow, before: ReadonlyMap<string, PlannedRollout>): string {
  const [first] = row.rollouts;
  const spark = first ? renderSparkline(buildRolloutChart(first)) : '';
  const summary = renderHtmlElement(
    'summary',
    {},
    renderLead(row),
    renderName(row),
    renderHtmlElement('span', { class: 'what' }, escapeMarkup(row.outcome)),
    renderHtmlElement('span', { class: 'small' }, spark),
  );
  return renderHtmlElement(
    'li',
    { class: 'row', ...buildFilterAttributes(row) },
    renderHtmlElement('details', {}, summary, renderHtmlElement('template', {}, renderDetails(row, before))),
  );
}
