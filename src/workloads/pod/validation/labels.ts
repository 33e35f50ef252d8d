import { utf8Length } from '../../../core/bytes';
import type { Finding } from '../../../core/finding';
import type { Fields } from '../../../core/manifest';
import {
  choiceFinding,
  entryOf,
  formatFindings,
  inside,
  isFilled,
  itemsOf,
  lengthFindings,
  mapOf,
  missing,
  nameFindings,
  refused,
  textOf,
  textsOf,
} from './refusal';
import type { Place } from './refusal';

/** Bytes of all annotations of an object together. */
const ANNOTATIONS_LIMIT = 256 * 1024;

/** Source of this file: apimachinery pkg/apis/meta/v1/validation/validation.go and pkg/api/validation/objectmeta.go. */
export function labelFindings(labels: unknown, place: Place): Finding[] {
  return Object.entries(mapOf(labels) ?? {}).flatMap(([name, value]) => [
    ...formatFindings(name, 'qualified-name', entryOf(place, name)),
    ...formatFindings(textOf(value), 'label-value', entryOf(place, name)),
  ]);
}

export function annotationFindings(annotations: unknown, place: Place): Finding[] {
  const entries = Object.entries(mapOf(annotations) ?? {});
  const size = entries.reduce((sum, [name, value]) => sum + utf8Length(name) + utf8Length(textOf(value) ?? ''), 0);
  return [
    ...entries.flatMap(([name]) => formatFindings(name, 'annotation-name', entryOf(place, name))),
    ...lengthFindings(size, ANNOTATIONS_LIMIT, 'byte', place),
  ];
}

const SELECTOR_OPERATORS = ['In', 'NotIn', 'Exists', 'DoesNotExist'];

/** The values that an operator asks for: some for In and NotIn, none for Exists and DoesNotExist. */
export function operandFindings(operator: unknown, values: unknown, place: Place): Finding[] {
  if ((operator === 'In' || operator === 'NotIn') && !isFilled(values)) return [missing(inside(place, 'values'))];
  if ((operator === 'Exists' || operator === 'DoesNotExist') && isFilled(values)) {
    return [refused('valuesWithExists', values, inside(place, 'values'))];
  }
  return [];
}

function requirementFindings({ key, operator, values }: Fields, place: Place): Finding[] {
  const text = textOf(operator);
  const isKnown = text === undefined || SELECTOR_OPERATORS.includes(text);
  return [
    ...(isKnown ? operandFindings(operator, values, place) : [choiceFinding(text, SELECTOR_OPERATORS, inside(place, 'operator'))]),
    ...formatFindings(textOf(key), 'qualified-name', inside(place, 'key')),
    ...textsOf(values, inside(place, 'values')).flatMap((item) => formatFindings(item.value, 'label-value', item.place)),
  ];
}

export function selectorFindings(selector: unknown, place: Place): Finding[] {
  const fields = mapOf(selector);
  if (!fields) return [];
  return [
    ...labelFindings(fields.matchLabels, inside(place, 'matchLabels')),
    ...itemsOf(fields.matchExpressions, inside(place, 'matchExpressions')).flatMap((item) => requirementFindings(item.value, item.place)),
  ];
}

/** The keys that a selector goes by. */
export function selectorKeys(selector: Fields): string[] {
  return [
    ...Object.keys(mapOf(selector.matchLabels) ?? {}),
    ...itemsOf(selector.matchExpressions, () => '' as never).flatMap(({ value: { key } }) => (typeof key === 'string' ? [key] : [])),
  ];
}

/** As of `generateName`, to whose end the server appends. */
function withoutTrailingDash(name: string): string {
  return name.length > 1 && name.endsWith('-') ? `${name.slice(0, -2)}a` : name;
}

function ownerFindings(owners: unknown, place: Place): Finding[] {
  const items = itemsOf(owners, place);
  const controllers = items.filter(({ value }) => value.controller === true);
  return [
    ...items.flatMap((item) =>
      ['apiVersion', 'kind', 'name', 'uid'].flatMap((name) => (textOf(item.value[name]) === '' ? [missing(inside(item.place, name))] : [])),
    ),
    ...(controllers.length > 1 ? [refused('twoControllers', owners, place)] : []),
  ];
}

/**
 * The metadata of an object in a namespace; the client fills in a namespace that is left out.
 *
 * @param format of its name
 */
export function objectMetaFindings(metadata: unknown, format: 'dns-label' | 'dns-subdomain', place: Place): Finding[] {
  const { name, generateName, namespace, labels, annotations, ownerReferences, finalizers } = mapOf(metadata) ?? {};
  const generated = textOf(generateName);
  return [
    ...(generated ? formatFindings(withoutTrailingDash(generated), format, inside(place, 'generateName')) : []),
    ...(generated && textOf(name) === '' ? [] : nameFindings(name, format, inside(place, 'name'))),
    ...(textOf(namespace) ? formatFindings(textOf(namespace), 'dns-label', inside(place, 'namespace')) : []),
    ...labelFindings(labels, inside(place, 'labels')),
    ...annotationFindings(annotations, inside(place, 'annotations')),
    ...ownerFindings(ownerReferences, inside(place, 'ownerReferences')),
    ...textsOf(finalizers, inside(place, 'finalizers')).flatMap((item) => formatFindings(item.value, 'finalizer', item.place)),
  ];
}
