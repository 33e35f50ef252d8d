import type * as Cel from '@bufbuild/cel';
import type { CelFunc, CelInput, CelList, CelMap, CelValue } from '@bufbuild/cel';
import type * as Re2 from 're2js';
import { parseQuantity } from '../../core/parsed-quantity';
import type { ParsedQuantity } from '../../core/parsed-quantity';
import { isDeepEqual } from '../../core/deep-equal';
import {
  parseAddress,
  formatAddress,
  containsAddress,
  containsNetwork,
  isGlobalUnicast,
  isAddressOfKind,
  applyNetworkMask,
  parseNetwork,
} from './address';
import type { AddressKind } from './address';
import { addQuantities, compareQuantities, toFloat64, toInt64, negateQuantity } from './quantity-arithmetic';
import { NAMED_FORMATS } from './named-formats';
import { URL_GETTERS, parseGoUrl, isRequestUrl, parseQuery } from './go-url';
import { wrapKubernetesValue, unwrapKubernetesValue, unwrapKubernetesValueAs } from './kubernetes-value';
import type { KubernetesValue } from './kubernetes-value';
import { compareSemanticVersions, parseTolerantVersion, parseSemanticVersion } from './semantic-version';
import { CelValueFormatter } from './value-formatter';
import { getCharacterAt, findIndexOf, findLastIndexOf, replaceText, splitText, extractSubstring } from './text-functions';

/*
 * Functions that the Kubernetes API server adds to the language. Source: apiserver v0.34 pkg/cel/environment/base.go and pkg/cel/library,
 * cel-go v0.26 ext.
 */

function requireValue<Value>(value: Value | undefined, what: string): Value {
  if (value === undefined) throw new Error(what);
  return value;
}

/** Limits of functions that take longer than their cost. Both throw when the evaluation must end. */
export interface FunctionLimits {
  /** Called for each comparison of two values. */
  readonly tick: () => void;
  /** Called with the length of a text or list before it is created. */
  readonly reserve: (size: number) => void;
  /** Gives up a rule that formats a number with too many decimal places. @throws always */
  readonly rejectPrecision: () => never;
}

/** Maximum length of a text that is read as a number or as a regular expression. The time for this grows faster than the length. */
export const MAX_PARSED_LENGTH = 10_000;

/** Creates the functions of Kubernetes for an evaluator. */
export function createKubernetesFunctions(
  cel: typeof Cel,
  { RE2JS }: typeof Re2,
  { tick, reserve, rejectPrecision }: FunctionLimits,
): CelFunc[] {
  const { BOOL, DOUBLE, DYN, INT, STRING } = cel.CelScalar;
  const LIST = cel.listType(DYN);
  /** The evaluator represents values of Kubernetes' own types as maps. */
  const OWN = cel.mapType(DYN, DYN);
  const base = cel.celEnv();

  function wrapOwn(value: KubernetesValue): CelMap {
    return wrapKubernetesValue(cel, value);
  }

  function operator(name: string, ...args: CelValue[]): CelValue {
    tick();
    const result = base.funcs.find(name)?.call(0, undefined, args);
    if (result === undefined || cel.isCelError(result)) throw new Error(result === undefined ? 'no such overload' : result.message);
    return result;
  }

  const isLess = (one: CelValue, other: CelValue) => operator('_<_', one, other) === true;

  function itemsOf(list: CelList): CelValue[] {
    return [...list];
  }

  /**
   * Compares values of Kubernetes' own types.
   *
   * @throws if the server cannot compare the two: because of Go's representation, a sum of quantities on the right side is such a value
   */
  function isEqualOwn(one: KubernetesValue, other: KubernetesValue | undefined): boolean {
    if (one.type !== other?.type) throw new Error('no such overload');
    if (one.type === 'quantity' && other.type === 'quantity') {
      if (other.isComputed) throw new Error('no such overload');
      return compareQuantities(one.value, other.value) === 0;
    }
    if (one.type === 'semver' && other.type === 'semver') return compareSemanticVersions(one.value, other.value) === 0;
    return isDeepEqual(one.value, other.value);
  }

  function isEqual(one: CelValue, other: CelValue): boolean {
    tick();
    if (typeof one === typeof other && typeof one !== 'object') return one === other;
    const ownValue = unwrapKubernetesValue(one);
    if (ownValue) return isEqualOwn(ownValue, unwrapKubernetesValue(other));
    if (cel.isCelList(one) && cel.isCelList(other)) {
      return one.size === other.size && itemsOf(one).every((item, index) => isEqual(item, other.get(index)!));
    }
    if (cel.isCelMap(one) && cel.isCelMap(other)) {
      return one.size === other.size && [...one].every(([key, value]) => other.has(key) && isEqual(value, other.get(key)!));
    }
    return operator('_==_', one, other) === true;
  }

  const contains = (list: CelList, item: CelValue) => itemsOf(list).some((each) => isEqual(each, item));

  function func(name: string, args: Parameters<typeof cel.celFunc>[1], impl: (...args: never[]) => CelInput): CelFunc {
    return cel.celFunc(name, args, DYN, impl as never);
  }

  function method(
    name: string,
    target: Parameters<typeof cel.celMethod>[1],
    args: Parameters<typeof cel.celMethod>[2],
    impl: (target: never, ...args: never[]) => CelInput,
  ): CelFunc {
    return cel.celMethod(name, target, args, DYN, function called(this: unknown, ...callArgs: unknown[]) {
      return impl(...([this, ...callArgs] as unknown as [never, ...never[]]));
    } as never);
  }

  const integer = (value: number) => BigInt(value);

  const address = (value: unknown) => wrapOwn({ type: 'ip', value: requireValue(parseAddress(value as string), 'no IP address') });
  const network = (value: unknown) => wrapOwn({ type: 'cidr', value: requireValue(parseNetwork(value as string), 'no network') });
  const ipOf = (value: unknown) => unwrapKubernetesValueAs(value, 'ip').value;
  const cidrOf = (value: unknown) => unwrapKubernetesValueAs(value, 'cidr').value;
  const kinds: readonly AddressKind[] = ['isUnspecified', 'isLoopback', 'isLinkLocalMulticast', 'isLinkLocalUnicast'];

  const addresses = [
    func('ip', [STRING], address),
    func('isIP', [STRING], (text: string) => parseAddress(text) !== undefined),
    func('ip.isCanonical', [STRING], (text: string) => formatAddress(requireValue(parseAddress(text), 'no IP address')) === text),
    method('family', OWN, [], (value) => integer(ipOf(value).family)),
    ...kinds.map((kind) => method(kind, OWN, [], (value) => isAddressOfKind(ipOf(value), kind))),
    method('isGlobalUnicast', OWN, [], (value) => isGlobalUnicast(ipOf(value))),
    func('cidr', [STRING], network),
    func('isCIDR', [STRING], (text: string) => parseNetwork(text) !== undefined),
    method('containsIP', OWN, [DYN], (value, other) =>
      containsAddress(cidrOf(value), typeof other === 'string' ? requireValue(parseAddress(other), 'no IP address') : ipOf(other)),
    ),
    method('containsCIDR', OWN, [DYN], (value, other) =>
      containsNetwork(cidrOf(value), typeof other === 'string' ? requireValue(parseNetwork(other), 'no network') : cidrOf(other)),
    ),
    method('ip', OWN, [], (value) => wrapOwn({ type: 'ip', value: cidrOf(value).address })),
    method('prefixLength', OWN, [], (value) => integer(cidrOf(value).length)),
    method('masked', OWN, [], (value) => wrapOwn({ type: 'cidr', value: applyNetworkMask(cidrOf(value)) })),
  ];

  function readQuantity(text: string): ParsedQuantity | undefined {
    if (text.length > MAX_PARSED_LENGTH) reserve(Infinity);
    return parseQuantity(text);
  }

  const amount = (value: unknown): ParsedQuantity => unwrapKubernetesValueAs(value, 'quantity').value;
  const computed = (quantity: ParsedQuantity) => wrapOwn({ type: 'quantity', value: quantity, isComputed: true });
  const term = (value: unknown): ParsedQuantity =>
    typeof value === 'bigint' ? { unscaled: value, exponent: 0, isDecimal: false } : amount(value);
  const version = (value: unknown) => unwrapKubernetesValueAs(value, 'semver').value;

  /** Compares two quantities or two versions. */
  function compareOwn(one: unknown, other: unknown): number {
    return unwrapKubernetesValue(one)?.type === 'semver'
      ? compareSemanticVersions(version(one), version(other))
      : compareQuantities(amount(one), amount(other));
  }

  const versionOf = (text: string, normalizes: boolean) => (normalizes ? parseTolerantVersion(text) : parseSemanticVersion(text));

  const comparable = [
    func('quantity', [STRING], (text: string) =>
      wrapOwn({ type: 'quantity', value: requireValue(readQuantity(text), 'no quantity'), isComputed: false }),
    ),
    func('isQuantity', [STRING], (text: string) => readQuantity(text) !== undefined),
    func('sign', [OWN], (value) => integer(compareQuantities(amount(value), term(0n)))),
    method('isInteger', OWN, [], (value) => toInt64(amount(value)) !== undefined),
    method('asInteger', OWN, [], (value) => requireValue(toInt64(amount(value)), 'cannot convert value to integer')),
    method('asApproximateFloat', OWN, [], (value) => toFloat64(amount(value))),
    method('add', OWN, [DYN], (value, other) => computed(addQuantities(amount(value), term(other)))),
    method('sub', OWN, [DYN], (value, other) => computed(addQuantities(amount(value), negateQuantity(term(other))))),
    method('isGreaterThan', OWN, [OWN], (one, other) => compareOwn(one, other) > 0),
    method('isLessThan', OWN, [OWN], (one, other) => compareOwn(one, other) < 0),
    method('compareTo', OWN, [OWN], (one, other) => integer(compareOwn(one, other))),
    func('semver', [STRING], (text: string) => wrapOwn({ type: 'semver', value: requireValue(versionOf(text, false), 'no version') })),
    func('semver', [STRING, BOOL], (text: string, normalizes: boolean) =>
      wrapOwn({ type: 'semver', value: requireValue(versionOf(text, normalizes), 'no version') }),
    ),
    func('isSemver', [STRING], (text: string) => versionOf(text, false) !== undefined),
    func('isSemver', [STRING, BOOL], (text: string, normalizes: boolean) => versionOf(text, normalizes) !== undefined),
    ...(['major', 'minor', 'patch'] as const).map((name, index) =>
      method(name, OWN, [], (value) => BigInt.asIntN(64, version(value).numbers[index as 0 | 1 | 2])),
    ),
  ];

  const urls = [
    func('url', [STRING], (text: string) => wrapOwn({ type: 'url', value: requireValue(parseGoUrl(text), 'no URL') })),
    func('isURL', [STRING], isRequestUrl),
    ...Object.entries(URL_GETTERS).map(([name, part]) =>
      method(name, OWN, [], (value) => part(unwrapKubernetesValueAs(value, 'url').value)),
    ),
    method('getQuery', OWN, [], (value) => parseQuery(unwrapKubernetesValueAs(value, 'url').value)),
  ];

  /** Returns the matches of a pattern. An empty match directly after another match does not count, as in Go. */
  function findMatches(text: string, pattern: string, maxCount: bigint): string[] {
    if (pattern.length > MAX_PARSED_LENGTH) reserve(Infinity);
    const matcher = RE2JS.compile(pattern).matcher(text);
    const matches: string[] = [];
    const limit = maxCount < 0n ? Infinity : Number(maxCount);
    let end = -1;
    while (matches.length < limit && matcher.find()) {
      const piece = matcher.group() ?? '';
      if (piece !== '' || matcher.start() !== end) matches.push(piece);
      end = matcher.end();
    }
    return matches;
  }

  const patterns = [
    method('find', STRING, [STRING], (text: string, pattern: string) => findMatches(text, pattern, 1n)[0] ?? ''),
    method('findAll', STRING, [STRING], (text: string, pattern: string) => findMatches(text, pattern, -1n)),
    method('findAll', STRING, [STRING, INT], findMatches),
  ];

  /** Returns the item that precedes all others. */
  function findFirst(list: CelList, isBefore: (one: CelValue, other: CelValue) => boolean): CelValue {
    const [start, ...others] = itemsOf(list);
    return others.reduce((best, item) => (isBefore(item, best) ? item : best), requireValue(start, 'called on empty list'));
  }

  function sortByKeys(list: CelList, keys: CelList): CelValue[] {
    const keyed = itemsOf(list).map((item, index) => ({ item, key: keys.get(index)! }));
    if (keyed.some(({ key }) => cel.celType(key).name !== cel.celType(keyed[0]!.key).name))
      throw new Error('list elements must have the same type');
    return keyed.toSorted((one, other) => (isLess(one.key, other.key) ? -1 : isLess(other.key, one.key) ? 1 : 0)).map(({ item }) => item);
  }

  function flattenTo(items: readonly CelValue[], depth: bigint): CelValue[] {
    if (depth < 0n) throw new Error('level must be non-negative');
    return items.flatMap((item) => (depth > 0n && cel.isCelList(item) ? flattenTo(itemsOf(item), depth - 1n) : [item]));
  }

  function slice(list: CelList, from: bigint, to: bigint): CelValue[] {
    if (from < 0n || from > to || to > integer(list.size)) throw new Error(`cannot slice(${from}, ${to})`);
    return itemsOf(list).slice(Number(from), Number(to));
  }

  function distinct(list: CelList): CelValue[] {
    const distinctItems: CelValue[] = [];
    for (const item of list) if (!distinctItems.some((each) => isEqual(item, each))) distinctItems.push(item);
    return distinctItems;
  }

  const indexOfItem = (list: CelList, item: CelValue) => integer(itemsOf(list).findIndex((each) => isEqual(each, item)));
  const lastIndexOfItem = (list: CelList, item: CelValue) => integer(itemsOf(list).findLastIndex((each) => isEqual(each, item)));
  const containsAll = (list: CelList, others: CelList) => itemsOf(others).every((item) => contains(list, item));

  const lists = [
    method('isSorted', LIST, [], (list: CelList) =>
      itemsOf(list).every((item, index, all) => index === 0 || !isLess(item, all[index - 1]!)),
    ),
    // The type of an empty list is not known here, so the macro expansion passes the zero of its item type.
    func('sum__', [LIST, DYN], (list: CelList, zero: CelValue) => itemsOf(list).reduce((sum, item) => operator('_+_', sum, item), zero)),
    method('min', LIST, [], (list: CelList) => findFirst(list, isLess)),
    method('max', LIST, [], (list: CelList) => findFirst(list, (one, other) => isLess(other, one))),
    method('indexOf', LIST, [DYN], indexOfItem),
    method('lastIndexOf', LIST, [DYN], lastIndexOfItem),
    method('slice', LIST, [INT, INT], slice),
    method('flatten', LIST, [], (list: CelList) => flattenTo(itemsOf(list), 1n)),
    method('flatten', LIST, [INT], (list: CelList, depth: bigint) => flattenTo(itemsOf(list), depth)),
    method('sort', LIST, [], (list: CelList) => sortByKeys(list, list)),
    func('sorted__', [LIST, LIST], sortByKeys),
    method('distinct', LIST, [], distinct),
    method('reverse', LIST, [], (list: CelList) => itemsOf(list).toReversed()),
    func('lists.range', [INT], (count: bigint) => {
      reserve(Number(count));
      return Array.from({ length: Math.max(0, Number(count)) }, (_, index) => integer(index));
    }),
    func('sets.contains', [LIST, LIST], containsAll),
    func('sets.equivalent', [LIST, LIST], (one: CelList, other: CelList) => containsAll(one, other) && containsAll(other, one)),
    func('sets.intersects', [LIST, LIST], (one: CelList, other: CelList) => itemsOf(one).some((item) => contains(other, item))),
  ];

  const texts = [
    method('charAt', STRING, [INT], (text: string, index: bigint) => getCharacterAt(text, Number(index))),
    method('indexOf', STRING, [STRING], (text: string, part: string) => integer(findIndexOf(text, part))),
    method('indexOf', STRING, [STRING, INT], (text: string, part: string, from: bigint) => integer(findIndexOf(text, part, Number(from)))),
    method('lastIndexOf', STRING, [STRING], (text: string, part: string) => integer(findLastIndexOf(text, part))),
    method('lastIndexOf', STRING, [STRING, INT], (text: string, part: string, from: bigint) =>
      integer(findLastIndexOf(text, part, Number(from))),
    ),
    method('replace', STRING, [STRING, STRING], (text: string, part: string, by: string) => replaceText(text, part, by, -1, reserve)),
    method('replace', STRING, [STRING, STRING, INT], (text: string, part: string, by: string, times: bigint) =>
      replaceText(text, part, by, Number(times), reserve),
    ),
    method('split', STRING, [STRING], (text: string, by: string) => splitText(text, by)),
    method('split', STRING, [STRING, INT], (text: string, by: string, maxCount: bigint) => splitText(text, by, Number(maxCount))),
    method('substring', STRING, [INT], (text: string, from: bigint) => extractSubstring(text, Number(from))),
    method('substring', STRING, [INT, INT], (text: string, from: bigint, to: bigint) => extractSubstring(text, Number(from), Number(to))),
  ];

  const writer = new CelValueFormatter(cel, rejectPrecision);
  const stringFunctions = [OWN, DOUBLE, cel.objectType('google.protobuf.Duration'), cel.objectType('google.protobuf.Timestamp')].map(
    (type) => func('string', [type], (value: CelValue) => writer.formatValue(value)),
  );
  const formatFunction = method('format', STRING, [LIST], (text: string, values: CelList) => {
    const lengths = itemsOf(values).map((value) => (typeof value === 'string' || value instanceof Uint8Array ? value.length : 0));
    reserve(text.length + lengths.reduce((sum, length) => sum + length, 0));
    return writer.format(text, values);
  });

  const format = (name: string) => wrapOwn({ type: 'format', value: name });
  const formats = [
    ...Object.keys(NAMED_FORMATS).map((name) => func(`format.${name}`, [], () => format(name))),
    func('format.named', [STRING], (name: string) => (Object.hasOwn(NAMED_FORMATS, name) ? [format(name)] : [])),
    method('validate', OWN, [STRING], (value, text: string) => {
      const messages = NAMED_FORMATS[unwrapKubernetesValueAs(value, 'format').value]!(text);
      return messages.length === 0 ? [] : [[...messages]];
    }),
  ];

  function lookUpOptional(optional: CelList, key: CelValue): CelValue[] {
    const target = optional.get(0);
    const value =
      target !== undefined && cel.isCelMap(target)
        ? target.get(key as string)
        : target !== undefined && cel.isCelList(target) && typeof key === 'bigint'
          ? target.get(Number(key))
          : undefined;
    return value === undefined ? [] : [value];
  }

  function isZero(value: CelValue): boolean {
    if (unwrapKubernetesValue(value)) return false;
    if (cel.isCelList(value) || cel.isCelMap(value)) return value.size === 0;
    if (value instanceof Uint8Array) return value.length === 0;
    return value === null || value === false || value === '' || value === 0 || value === 0n;
  }

  /** Builds a map. @throws if a key occurs twice */
  function mapOf(entries: Iterable<readonly [CelValue, CelValue]>): CelMap {
    const map = new Map<never, CelValue>();
    for (const [key, value] of entries) {
      if (map.has(key as never)) throw new Error('insert failed: key already exists');
      map.set(key as never, value);
    }
    return cel.celMap(map);
  }

  function pairsOf(collection: CelValue): CelInput {
    if (cel.isCelList(collection)) return itemsOf(collection).map((item, index) => [integer(index), item]);
    if (!cel.isCelMap(collection)) throw new Error('no such overload');
    return [...collection].map(([key, value]) => [key as CelValue, value]);
  }

  const pairs = (list: CelList) => itemsOf(list).map((pair) => [(pair as CelList).get(0)!, (pair as CelList).get(1)!] as const);

  /** Functions that the expansion of macros and optional syntax calls. */
  const optionals = [
    func('chosen__', [LIST, DYN], lookUpOptional),
    func('joined__', [LIST], (list: CelList) => flattenTo(itemsOf(list), 1n)),
    func('of_non_zero__', [DYN], (value: CelValue) => (isZero(value) ? [] : [value])),
    func('map_of__', [LIST], (list: CelList) => mapOf(pairs(list))),
    func('map_of_optional__', [LIST], (list: CelList) =>
      mapOf(pairs(list).flatMap(([key, value]) => itemsOf(value as CelList).map((each) => [key, each] as const))),
    ),
    func('merged__', [LIST], (list: CelList) => mapOf(itemsOf(list).flatMap((map) => [...(map as CelMap)] as [CelValue, CelValue][]))),
    func('pairs__', [DYN], pairsOf),
    method('hasValue', LIST, [], (optional: CelList) => optional.size > 0),
    method('first', LIST, [], (list: CelList) => itemsOf(list).slice(0, 1)),
    method('last', LIST, [], (list: CelList) => itemsOf(list).slice(-1)),
    method('unwrapOpt', LIST, [], (list: CelList) => flattenTo(itemsOf(list), 1n)),
    func('optional.unwrap', [LIST], (list: CelList) => flattenTo(itemsOf(list), 1n)),
    method('value', LIST, [], (optional: CelList) => requireValue(optional.get(0), 'optional.none() dereference')),
  ];

  const equality = [
    func('_==_', [DYN, DYN], isEqual),
    func('_!=_', [DYN, DYN], (one: CelValue, other: CelValue) => !isEqual(one, other)),
    func('@in', [DYN, LIST], (item: CelValue, list: CelList) => contains(list, item)),
  ];

  return [
    ...addresses,
    ...comparable,
    ...urls,
    ...patterns,
    ...lists,
    ...texts,
    ...stringFunctions,
    formatFunction,
    ...formats,
    ...optionals,
    ...equality,
  ];
}
