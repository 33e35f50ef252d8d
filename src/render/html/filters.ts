import type { PlanRow } from '../changes/plan-rows';
import { escapeMarkup } from '../svg/markup';
import { renderHtmlElement } from './html-element';
import { getOwnValue } from '../../core/manifest/manifest';

/** Filters of rows: the name of the filter, its title, and a row's values for it. */
const FILTERS: readonly (readonly [name: string, title: string, valuesOf: (row: PlanRow) => readonly string[]])[] = [
  ['severity', 'worst finding', ({ severity }) => [severity]],
  ['finding', 'code', ({ codes }) => codes],
  ['kind', 'kind', ({ resource }) => [resource.kind]],
  ['namespace', 'namespace', ({ resource }) => [resource.namespace ?? '-']],
  ['effect', 'effect', ({ effect }) => (effect === undefined ? [] : [effect])],
];

/** Label of a value that means none. */
const EMPTY_VALUE_LABELS: Readonly<Record<string, string>> = { '-': 'none' };

function renderChoice(name: string, title: string, values: readonly string[]): string {
  const distinct = [...new Set(values)].toSorted();
  if (distinct.length < 2) return '';
  const options = distinct.map((value) =>
    renderHtmlElement('option', { value }, escapeMarkup(getOwnValue(EMPTY_VALUE_LABELS, value) ?? value)),
  );
  return renderHtmlElement('label', {}, title, renderHtmlElement('select', { name }, '<option value="">all</option>', ...options));
}

/** Renders a text search and the filters, or nothing if there are fewer than two rows. */
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

/** Builds the attributes of a row's element by which it is filtered. */
export function buildFilterAttributes(row: PlanRow): Record<string, string | undefined> {
  return Object.fromEntries(
    FILTERS.map(([name, , valuesOf]) => {
      const values = valuesOf(row);
      return [`data-${name}`, values.length === 0 ? undefined : values.join(' ')];
    }),
  );
}
