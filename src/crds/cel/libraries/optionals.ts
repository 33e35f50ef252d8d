import type { CelFunc, CelInput, CelList, CelMap, CelValue } from '@bufbuild/cel';
import { unwrapKubernetesValue } from '../kubernetes-value';
import { assertValue } from './function-kit';
import type { FunctionKit } from './function-kit';

/** Creates the functions of optional values, and those that the expansion of macros and optional syntax calls. */
export function createOptionalFunctions({ cel, types: { DYN, LIST }, itemsOf, flattenTo, func, method, integer }: FunctionKit): CelFunc[] {
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
    method('value', LIST, [], (optional: CelList) => assertValue(optional.get(0), 'optional.none() dereference')),
  ];

  return optionals;
}
