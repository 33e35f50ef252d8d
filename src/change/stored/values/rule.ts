import { isFields } from '../../../core/manifest';
import type { Fields } from '../../../core/manifest';
import type { Refusal } from '../types';

/** Where a value stands, and what stands beside it. */
export interface Place {
  /** As the server writes it. */
  readonly path: string;
  /** The map that holds the field; of an item or entry the one that holds its list or map. */
  readonly holder: Fields;
  /** The innermost list that it stands in; empty where it stands in none. */
  readonly list: readonly unknown[];
  /** In which item of that. */
  readonly index: number;
  /** Of an entry its key. */
  readonly key: string;
  readonly object: Fields;
  /** Of Kubernetes. */
  readonly version: string;
}

/** What the server says behind the path of a value; nothing where it takes it. What is left out is undefined. */
export type Check = (value: unknown, place: Place) => string | undefined;

/** One part of a place: a field, each item of a list (`ports[]`), each entry of a map (`data{}`). */
interface Step {
  readonly name: string;
  readonly each?: 'item' | 'entry';
}

/** What has to hold of the values at a place. */
export interface ValueRule {
  readonly steps: readonly Step[];
  readonly checks: readonly Check[];
  /** The path that the server names, with `[]` for the index of the item. @default - that of the value */
  readonly as?: string;
}

function stepOf(text: string): Step {
  if (text.endsWith('[]')) return { name: text.slice(0, -2), each: 'item' };
  return text.endsWith('{}') ? { name: text.slice(0, -2), each: 'entry' } : { name: text };
}

/** `on('spec.ports[].port', port)`: a check of a field of each item of a list. */
export function on(at: string, ...checks: readonly Check[]): ValueRule {
  return { steps: at.split('.').map(stepOf), checks };
}

/** The same where the server names another place. */
export function as(path: string, rule: ValueRule): ValueRule {
  return { ...rule, as: path };
}

/** A field of a container of one kind is judged as it is elsewhere: `spec` of a Job in a CronJob. */
export function below(at: string, rules: readonly ValueRule[]): ValueRule[] {
  const steps = at.split('.').map(stepOf);
  return rules.map((rule) => ({ ...rule, steps: [...steps, ...rule.steps], ...(rule.as !== undefined && { as: `${at}.${rule.as}` }) }));
}

interface Found {
  readonly value: unknown;
  readonly place: Place;
}

/** What every place of an object has, and the item that a place is in. */
type Around = Pick<Place, 'object' | 'version' | 'list' | 'index'>;

function foundBelow(value: unknown, place: Place, rest: readonly Step[]): Found[] {
  if (rest.length === 0) return [{ value, place }];
  return isFields(value) ? foundIn(value, place.path, rest, place) : [];
}

function foundIn(holder: Fields, above: string, [step, ...rest]: readonly Step[], { object, version, list, index }: Around): Found[] {
  const { name, each } = step!;
  const value = holder[name];
  const path = above === '' ? name : `${above}.${name}`;
  const place = { object, version, list, index, key: '', holder };
  if (each === undefined) return foundBelow(value, { ...place, path }, rest);
  if (each === 'item') {
    const items: readonly unknown[] = Array.isArray(value) ? value : [];
    return items.flatMap((item, at) =>
      foundBelow(rest.length > 0 ? (item ?? {}) : item, { ...place, path: `${path}[${at}]`, list: items, index: at }, rest),
    );
  }
  if (!isFields(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) => foundBelow(inner, { ...place, path: `${path}[${key}]`, key }, rest));
}

/** The first that the server says to the values of an object; undefined where it takes them all. */
export function firstRefusal(object: Fields, rules: readonly ValueRule[], version: string): Refusal | undefined {
  const whole = { object, version, list: [], index: 0 };
  for (const { steps, checks, as: named } of rules) {
    for (const { value, place } of foundIn(object, '', steps, whole)) {
      for (const check of checks) {
        const message = check(value, place);
        if (message !== undefined) return { path: named?.replace('[]', `[${place.index}]`) ?? place.path, message };
      }
    }
  }
  return undefined;
}
