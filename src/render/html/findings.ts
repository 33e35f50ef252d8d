import type { FindingGroup } from '../finding-groups';
import { placeText, resourceText } from '../text-findings';
import { escaped } from '../svg/markup';
import { breakable } from './breakable';
import { tag } from './tag';

/** Places of one finding that are listed; its rows and the JSON have all. */
const MOST_PLACES = 50;

function placesMarkup({ all }: FindingGroup): string {
  const places = all
    .slice(0, MOST_PLACES)
    .map(({ finding, about }) => [about ? resourceText(about) : '', placeText(finding)].filter((part) => part !== '').join('  '))
    .filter((place) => place !== '');
  if (places.length === 0) return '';
  const more = all.length - MOST_PLACES;
  const list = tag(
    'ul',
    { class: 'places' },
    ...[...places, ...(more > 0 ? [`and ${more} more`] : [])].map((place) => tag('li', {}, breakable(place))),
  );
  return all.length === 1 ? list : tag('details', { class: 'fold' }, tag('summary', {}, `where: ${all.length} places`), list);
}

/** What is found, once, with how often and where. */
export function findingMarkup(group: FindingGroup): string {
  const { first, all } = group;
  const { severity, code, message, help } = first.finding;
  const words = all.every(({ finding }) => finding.message === message) ? message : `the first: ${message}`;
  const times = all.length > 1 ? tag('span', { class: 'times' }, `${all.length} times`) : '';
  return tag(
    'article',
    { class: `finding ${severity}` },
    tag('p', { class: 'head' }, tag('span', { class: `pill ${severity}` }, escaped(severity)), tag('code', {}, escaped(code)), times),
    tag('p', {}, escaped(words)),
    help === undefined ? '' : tag('p', { class: 'fix' }, '<b>fix</b> ', escaped(help)),
    placesMarkup(group),
  );
}
