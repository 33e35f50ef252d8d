import type { FindingGroup } from '../findings/finding-groups';
import { formatFindingLocation, formatResourceLabel } from '../findings/text-findings';
import { escapeMarkup } from '../svg/markup';
import { insertWordBreaks } from './word-breaks';
import { renderHtmlElement } from './html-element';

/** Largest number of locations listed for one finding. Its rows and the JSON have all. */
const MAX_LOCATIONS = 50;

function renderLocations({ all }: FindingGroup): string {
  const locations = all
    .slice(0, MAX_LOCATIONS)
    .map(({ finding, about }) =>
      [about ? formatResourceLabel(about) : '', formatFindingLocation(finding)].filter((part) => part !== '').join('  '),
    )
    .filter((location) => location !== '');
  if (locations.length === 0) return '';
  const omittedCount = all.length - MAX_LOCATIONS;
  const list = renderHtmlElement(
    'ul',
    { class: 'places' },
    ...[...locations, ...(omittedCount > 0 ? [`and ${omittedCount} more`] : [])].map((location) =>
      renderHtmlElement('li', {}, insertWordBreaks(location)),
    ),
  );
  return all.length === 1
    ? list
    : renderHtmlElement('details', { class: 'fold' }, renderHtmlElement('summary', {}, `${all.length} locations`), list);
}

/** Renders a group of findings once, with its count and locations. */
export function renderFindingGroup(group: FindingGroup): string {
  const { first, all } = group;
  const { severity, code, message, help } = first.finding;
  const text = all.every(({ finding }) => finding.message === message) ? message : `the first: ${message}`;
  const times = all.length > 1 ? renderHtmlElement('span', { class: 'times' }, `${all.length} times`) : '';
  return renderHtmlElement(
    'article',
    { class: `finding ${severity}` },
    renderHtmlElement(
      'p',
      { class: 'head' },
      renderHtmlElement('span', { class: `pill ${severity}` }, escapeMarkup(severity)),
      renderHtmlElement('code', {}, escapeMarkup(code)),
      times,
    ),
    renderHtmlElement('p', {}, escapeMarkup(text)),
    help === undefined ? '' : renderHtmlElement('p', { class: 'fix' }, '<b>fix</b> ', escapeMarkup(help)),
    renderLocations(group),
  );
}
