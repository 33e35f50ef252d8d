import type { PlanRow } from '../plan-rows';
import { escapeMarkup } from '../svg/markup';
import { renderHtmlElement } from './html-element';
import { getOwnValue } from '../../core/manifest';

/** What rows are filtered by: the name of the choice, its title, and what a row has of it. */
const FILTERS: readonly (readonly [name: string, title: string, valuesOf: (row: PlanRow) => readonly string[]])[] = [
  ['severity', 'worst finding', ({ severity }) => [severity]],
  ['finding', 'code', ({ codes }) => codes],
  ['kind', 'kind', ({ resource }) => [resource.kind]],
  ['namespace', 'namespace', ({ resource }) => [resource.namespace ?? '-']],
  ['effect', 'effect', ({ effect }) => (effect === undefined ? [] : [effect])],
];

/** Of a value that stands for nothing, what is shown. */
const EMPTY_VALUE_LABELS: Readonly<Record<string, string>> = { '-': 'none' };

function renderChoice(name: string, title: string, values: readonly string[]): string {
  const distinct = [...new Set(values)].toSorted();
  if (distinct.length < 2) return '';
  const options = distinct.map((value) =>
    renderHtmlElement('option', { value }, escapeMarkup(getOwnValue(EMPTY_VALUE_LABELS, value) ?? value)),
  );
  return renderHtmlElement('label', {}, title, renderHtmlElement('select', { name }, '<option value="">all</option>', ...options));
}

/** The rows that are shown, by words and by what they are; nothing where there is nothing to choose from. */
export function renderFilters(rows: readonly PlanRow[]): string {
  if (rows.length < 2) return '';
  return renderHtmlElement(
    'form',
    { role: 'search', 'aria-label': 'Filter' },
    '<label class="find">find <kbd aria-hidden="true">/</kbd><input type="search" name="text" autocomplete="off" aria-keyshortcuts="/"/></label>',
    ...FILTERS.map(([name, title, valuesOf]) => renderChoice(name, title, rows.flatMap(valuesOf))),
    '<button type="reset">Reset</button>',
    renderHtmlElement('p', { id: 'shown', role: 'status' }, `${rows.length} of ${rows.length} shown`),
  );
}

/** What a row is found by, as attributes of its element. */
export function buildFilterAttributes(row: PlanRow): Record<string, string | undefined> {
  return Object.fromEntries(
    FILTERS.map(([name, , valuesOf]) => {
      const values = valuesOf(row);
      return [`data-${name}`, values.length === 0 ? undefined : values.join(' ')];
    }),
  );
}
