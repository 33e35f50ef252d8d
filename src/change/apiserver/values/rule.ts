import { isFields } from '../../../core/manifest/manifest';
import type { Fields } from '../../../core/manifest/manifest';
import type { ApplyRejection } from '../types';

/** The location of a value, and the values around it. */
export interface ValueLocation {
  /** The path as the server writes it. */
  readonly path: string;
  /** The map that contains the field; for an item or entry, the map that contains its list or map. */
  readonly holder: Fields;
  /** The innermost list that contains the value; empty if there is none. */
  readonly list: readonly unknown[];
  /** The index in `list`. */
  readonly index: number;
  /** The key of an entry; empty for other values. */
  readonly key: string;
  readonly object: Fields;
  /** The Kubernetes version. */
  readonly version: string;
}

/** Returns the server's message after the path of a value; undefined if the value is valid. An omitted value is undefined. */
export type Check = (value: unknown, location: ValueLocation) => string | undefined;

/** One step of a path: a field, each item of a list (`ports[]`), each entry of a map (`data{}`). */
interface PathStep {
  readonly name: string;
  readonly each?: 'item' | 'entry';
}

/** Checks of the values at a path. */
export interface ValueRule {
  readonly steps: readonly PathStep[];
  readonly checks: readonly Check[];
  /** The path that the server reports, with `[]` for each index. @default - that of the value */
  readonly as?: string;
}

function parseStep(text: string): PathStep {
  if (text.endsWith('[]')) return { name: text.slice(0, -2), each: 'item' };
  return text.endsWith('{}') ? { name: text.slice(0, -2), each: 'entry' } : { name: text };
}

/** Builds a rule for a path: `checkField('spec.ports[].port', checkPort)` checks a field of each item of a list. */
export function checkField(at: string, ...checks: readonly Check[]): ValueRule {
  return { steps: at.split('.').map(parseStep), checks };
}

/** Returns a rule that reports another path. */
export function reportAs(path: string, rule: ValueRule): ValueRule {
  return { ...rule, as: path };
}

/** Prepends a path to rules, so that a type is validated alike in several kinds: `spec` of a Job in a CronJob. */
export function prependRulePath(at: string, rules: readonly ValueRule[]): ValueRule[] {
  const steps = at.split('.').map(parseStep);
  return rules.map((rule) => ({ ...rule, steps: [...steps, ...rule.steps], ...(rule.as !== undefined && { as: `${at}.${rule.as}` }) }));
}

interface LocatedValue {
  readonly value: unknown;
  readonly location: ValueLocation;
}

/** The parts of a location that every value of an object has, and the item that contains it. */
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

/** Fills the indexes of a path in: `spec.egress[].to[].podSelector` with those of `spec.egress[0].to[1].podSelector.matchLabels[app]`. */
function fillIndexes(reportedPath: string, path: string): string {
  const indexes = path.match(/\[\d+\]/g) ?? [];
  let used = 0;
  return reportedPath.replaceAll('[]', () => indexes[used++] ?? '[]');
}

/** Returns the first error in the values of an object; undefined if all are valid. */
export function findFirstValueError(object: Fields, rules: readonly ValueRule[], version: string): ApplyRejection | undefined {
  const root = { object, version, list: [], index: 0 };
  for (const { steps, checks, as: reportedPath } of rules) {
    for (const { value, location } of findValues(object, '', steps, root)) {
      for (const check of checks) {
        const message = check(value, location);
        if (message !== undefined) return { path: reportedPath ? fillIndexes(reportedPath, location.path) : location.path, message };
      }
    }
  }
  return undefined;
}
