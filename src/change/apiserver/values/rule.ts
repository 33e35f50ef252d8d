import { isFields } from '../../../core/manifest';
import type { Fields } from '../../../core/manifest';
import type { ApplyRejection } from '../types';

/** Where a value stands, and what stands beside it. */
export interface ValueLocation {
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
export type Check = (value: unknown, location: ValueLocation) => string | undefined;

/** One part of a place: a field, each item of a list (`ports[]`), each entry of a map (`data{}`). */
interface PathStep {
  readonly name: string;
  readonly each?: 'item' | 'entry';
}

/** What has to hold of the values at a place. */
export interface ValueRule {
  readonly steps: readonly PathStep[];
  readonly checks: readonly Check[];
  /** The path that the server names, with `[]` for the index of the item. @default - that of the value */
  readonly as?: string;
}

function parseStep(text: string): PathStep {
  if (text.endsWith('[]')) return { name: text.slice(0, -2), each: 'item' };
  return text.endsWith('{}') ? { name: text.slice(0, -2), each: 'entry' } : { name: text };
}

/** `on('spec.ports[].port', port)`: a check of a field of each item of a list. */
export function checkField(at: string, ...checks: readonly Check[]): ValueRule {
  return { steps: at.split('.').map(parseStep), checks };
}

/** The same where the server names another place. */
export function reportAs(path: string, rule: ValueRule): ValueRule {
  return { ...rule, as: path };
}

/** A field of a container of one kind is judged as it is elsewhere: `spec` of a Job in a CronJob. */
export function prependRulePath(at: string, rules: readonly ValueRule[]): ValueRule[] {
  const steps = at.split('.').map(parseStep);
  return rules.map((rule) => ({ ...rule, steps: [...steps, ...rule.steps], ...(rule.as !== undefined && { as: `${at}.${rule.as}` }) }));
}

interface LocatedValue {
  readonly value: unknown;
  readonly location: ValueLocation;
}

/** What every place of an object has, and the item that a place is in. */
type LocationContext = Pick<ValueLocation, 'object' | 'version' | 'list' | 'index'>;

function findBelow(value: unknown, location: ValueLocation, rest: readonly PathStep[]): LocatedValue[] {
  if (rest.length === 0) return [{ value, location }];
  return isFields(value) ? findValues(value, location.path, rest, location) : [];
}

function findValues(
  holder: Fields,
  parentPath: string,
  [step, ...rest]: readonly PathStep[],
  { object, version, list, index }: LocationContext,
): LocatedValue[] {
  const { name, each } = step!;
  const value = holder[name];
  const path = parentPath === '' ? name : `${parentPath}.${name}`;
  const location = { object, version, list, index, key: '', holder };
  if (each === undefined) return findBelow(value, { ...location, path }, rest);
  if (each === 'item') {
    const items: readonly unknown[] = Array.isArray(value) ? value : [];
    return items.flatMap((item, at) =>
      findBelow(rest.length > 0 ? (item ?? {}) : item, { ...location, path: `${path}[${at}]`, list: items, index: at }, rest),
    );
  }
  if (!isFields(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) => findBelow(inner, { ...location, path: `${path}[${key}]`, key }, rest));
}

/** The first that the server says to the values of an object; undefined where it takes them all. */
export function findFirstValueError(object: Fields, rules: readonly ValueRule[], version: string): ApplyRejection | undefined {
  const root = { object, version, list: [], index: 0 };
  for (const { steps, checks, as: reportedPath } of rules) {
    for (const { value, location } of findValues(object, '', steps, root)) {
      for (const check of checks) {
        const message = check(value, location);
        if (message !== undefined) return { path: reportedPath?.replace('[]', `[${location.index}]`) ?? location.path, message };
      }
    }
  }
  return undefined;
}
