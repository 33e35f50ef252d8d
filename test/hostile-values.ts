/** Values that a JavaScript caller can pass as a prop, with descriptions. */
export const HOSTILE_VALUES: readonly (readonly [name: string, value: () => unknown])[] = [
  ['undefined', () => undefined],
  ['null', () => null],
  ['a bigint', () => 12n],
  ['NaN', () => NaN],
  ['infinity', () => Infinity],
  ['minus one', () => -1],
  ['no text', () => ''],
  ['a text', () => '__proto__'],
  ['true', () => true],
  ['a symbol', () => Symbol('hostile')],
  ['a function', () => () => 'hostile'],
  ['an empty list', () => []],
  ['a list of nothing', () => [undefined, null]],
  ['a list with holes', () => Array.from({ length: 3 }).map((_, index) => (index === 1 ? [] : undefined))],
  ['an empty map', () => ({})],
  ['a map of nothing', () => ({ metadata: null, spec: undefined, template: null, name: null })],
  ['a date', () => new Date(NaN)],
  ['a Map', () => new Map([['a', 1]])],
  ['a regular expression', () => /a/],
  ['a map without prototype', () => Object.create(null) as object],
  ['a map that contains itself', () => cyclic()],
  ['a list that contains itself', () => cyclicList()],
  ['a getter that throws', () => throwing()],
  ['a Proxy that throws', () => new Proxy({}, { get: fail, ownKeys: fail, getPrototypeOf: fail, has: fail })],
  ['a revoked Proxy', () => revoked()],
  ['10,000 levels', () => levels(10_000)],
  ['30 levels of two', () => doubled(30)],
];

function fail(): never {
  throw new TypeError('hostile');
}

/** Returns a map that contains itself at `inner.again`. */
export function cyclic(): object {
  const value: Record<string, unknown> = {};
  value.inner = { again: value };
  return value;
}

/** Returns a map whose `maxSurge` throws when it is read. */
export function throwing(): object {
  return {
    get maxSurge() {
      throw new Error('no');
    },
  };
}

function cyclicList(): unknown[] {
  const list: unknown[] = [];
  list.push(list);
  return list;
}

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

function levels(count: number): object {
  let value = {};
  for (let level = 0; level < count; level++) value = { inner: value };
  return value;
}

function doubled(count: number): object {
  let value = {};
  for (let level = 0; level < count; level++) value = { left: value, right: value };
  return value;
}

/** A path in props: field names, and 0 for the first item of a list. */
export type Place = readonly (string | number)[];

/** Returns every path in a value, starting with the value itself. */
export function placesIn(value: unknown, place: Place = []): Place[] {
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== prototypeOf(value)) return [place];
  return [place, ...Object.entries(value).flatMap(([key, inner]) => placesIn(inner, [...place, Array.isArray(value) ? Number(key) : key]))];
}

function prototypeOf(value: object): object {
  return Array.isArray(value) ? Array.prototype : Object.prototype;
}

/** Returns a copy of the value with another one at the path. */
export function withValueAt(value: unknown, [part, ...rest]: Place, replacement: unknown): unknown {
  if (part === undefined) return replacement;
  if (Array.isArray(value)) return value.map((item: unknown, index) => (index === part ? withValueAt(item, rest, replacement) : item));
  const fields = value as Record<string | number, unknown>;
  return { ...fields, [part]: withValueAt(fields[part], rest, replacement) };
}
