import { utf8Length } from '../../../core/bytes';
import { WHOLE_OBJECT } from '../../../core/field-path';
import type { Finding } from '../../../core/finding';
import type { Fields } from '../../../core/manifest';
import { entryOf, inside } from '../../../core/place';
import type { Place } from '../../../core/place';
import { ofEach, together } from '../../../core/together';
import {
  choiceFinding,
  formatFindings,
  isFilled,
  isGiven,
  itemsOf,
  lengthFindings,
  mapOf,
  missing,
  nameFindings,
  refused,
  textOf,
  textsOf,
} from './refusal';

/** Bytes of all annotations of an object together. */
const ANNOTATIONS_LIMIT = 256 * 1024;

/** Source of this file: apimachinery pkg/apis/meta/v1/validation/validation.go and pkg/api/validation/objectmeta.go. */
export function labelFindings(labels: unknown, place: Place): readonly Finding[] {
  if (!isGiven(labels)) return [];
  return ofEach(Object.entries(mapOf(labels) ?? {}), ([name, value]) =>
    together(
      formatFindings(name, 'qualified-name', entryOf(place, name)),
      formatFindings(textOf(value), 'label-value', entryOf(place, name)),
    ),
  );
}

export function annotationFindings(annotations: unknown, place: Place): readonly Finding[] {
  if (!isGiven(annotations)) return [];
  const entries = Object.entries(mapOf(annotations) ?? {});
  const size = entries.reduce((sum, [name, value]) => sum + utf8Length(name) + utf8Length(textOf(value) ?? ''), 0);
  return together(
    ofEach(entries, ([name]) => formatFindings(name, 'annotation-name', entryOf(place, name))),
    lengthFindings(size, ANNOTATIONS_LIMIT, 'byte', place),
  );
}

const SELECTOR_OPERATORS = ['In', 'NotIn', 'Exists', 'DoesNotExist'];

/** The values that an operator asks for: some for In and NotIn, none for Exists and DoesNotExist. */
export function operandFindings(operator: unknown, values: unknown, place: Place): readonly Finding[] {
  if ((operator === 'In' || operator === 'NotIn') && !isFilled(values)) return [missing(inside(place, 'values'))];
  if ((operator === 'Exists' || operator === 'DoesNotExist') && isFilled(values)) {
    return [refused('valuesWithExists', values, inside(place, 'values'))];
  }
  return [];
}

function requirementFindings({ key, operator, values }: Fields, place: Place): readonly Finding[] {
  const text = textOf(operator);
  const isKnown = text === undefined || SELECTOR_OPERATORS.includes(text);
  return together(
    isKnown ? operandFindings(operator, values, place) : [choiceFinding(text, SELECTOR_OPERATORS, inside(place, 'operator'))],
    formatFindings(textOf(key), 'qualified-name', inside(place, 'key')),
    ofEach(textsOf(values, inside(place, 'values')), (item) => formatFindings(item.value, 'label-value', item.place)),
  );
}

export function selectorFindings(selector: unknown, place: Place): readonly Finding[] {
  const fields = mapOf(selector);
  if (!fields) return [];
  return together(
    labelFindings(fields.matchLabels, inside(place, 'matchLabels')),
    ofEach(itemsOf(fields.matchExpressions, inside(place, 'matchExpressions')), (item) => requirementFindings(item.value, item.place)),
  );
}

/** The keys that a selector goes by. */
export function selectorKeys(selector: Fields): string[] {
  return [
    ...Object.keys(mapOf(selector.matchLabels) ?? {}),
    ...itemsOf(selector.matchExpressions, WHOLE_OBJECT).flatMap(({ value: { key } }) => (typeof key === 'string' ? [key] : [])),
  ];
}

/** As of `generateName`, to whose end the server appends. */
function withoutTrailingDash(name: string): string {
  return name.length > 1 && name.endsWith('-') ? `${name.slice(0, -2)}a` : name;
}

function ownerFindings(owners: unknown, place: Place): readonly Finding[] {
  if (!isGiven(owners)) return [];
  const items = itemsOf(owners, place);
  const controllers = items.filter(({ value }) => value.controller === true);
  return together(
    ofEach(items, (item) =>
      ofEach(['apiVersion', 'kind', 'name', 'uid'], (name) => (textOf(item.value[name]) === '' ? [missing(inside(item.place, name))] : [])),
    ),
    controllers.length > 1 ? [refused('twoControllers', owners, place)] : [],
  );
}

/**
 * The metadata of an object in a namespace; the client fills in a namespace that is left out.
 *
 * @param format of its name
 */
export function objectMetaFindings(metadata: unknown, format: 'dns-label' | 'dns-subdomain', place: Place): readonly Finding[] {
  const { name, generateName, namespace, labels, annotations, ownerReferences, finalizers } = mapOf(metadata) ?? {};
  const generated = textOf(generateName);
  return together(
    generated ? formatFindings(withoutTrailingDash(generated), format, inside(place, 'generateName')) : [],
    generated && textOf(name) === '' ? [] : nameFindings(name, format, inside(place, 'name')),
    textOf(namespace) ? formatFindings(textOf(namespace), 'dns-label', inside(place, 'namespace')) : [],
    labelFindings(labels, inside(place, 'labels')),
    annotationFindings(annotations, inside(place, 'annotations')),
    ownerFindings(ownerReferences, inside(place, 'ownerReferences')),
    ofEach(textsOf(finalizers, inside(place, 'finalizers')), (item) => formatFindings(item.value, 'finalizer', item.place)),
  );
}
