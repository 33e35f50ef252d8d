import type { CelFunc, CelInput, CelList, CelMap, CelValue } from '@bufbuild/cel';
import { unwrapKubernetesValue } from '../kubernetes-value';
import { assertValue } from './function-kit';
import type { FunctionKit } from './function-kit';

/** Returns the key and the value of each pair in a list. */
function listPairs(list: CelList): (readonly [CelValue, CelValue])[] {
  return [...list].map((pair) => [(pair as CelList).get(0)!, (pair as CelList).get(1)!]);
}

/** Creates the functions of maps that the expansion of macros and optional syntax calls. */
function createMapFunctions({ cel, types: { DYN, LIST }, func }: FunctionKit): CelFunc[] {
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
    if (cel.isCelList(collection)) return [...collection].map((item, index) => [BigInt(index), item]);
    if (!cel.isCelMap(collection)) throw new Error('no such overload');
    return [...collection].map(([key, value]) => [key as CelValue, value]);
  }

  return [
    func('map_of__', [LIST], (list: CelList) => mapOf(listPairs(list))),
    func('map_of_optional__', [LIST], (list: CelList) =>
      mapOf(listPairs(list).flatMap(([key, value]) => [...(value as CelList)].map((each) => [key, each] as const))),
    ),
    func('merged__', [LIST], (list: CelList) => mapOf([...list].flatMap((map) => [...(map as CelMap)] as [CelValue, CelValue][]))),
    func('pairs__', [DYN], pairsOf),
  ];
}

/** Creates the functions of optional values, and those that the expansion of macros and optional syntax calls. */
export function createOptionalFunctions(kit: FunctionKit): CelFunc[] {
  const {
    cel,
    types: { DYN, LIST },
    flattenTo,
    func,
    method,
  } = kit;

  function lookUpOptional(optional: CelList, key: CelValue): CelValue[] {
    const target = optional.get(0);
    if (target === undefined) return [];
    const inMap = cel.isCelMap(target) ? target.get(key as string) : undefined;
    const value = cel.isCelList(target) && typeof key === 'bigint' ? target.get(Number(key)) : inMap;
    return value === undefined ? [] : [value];
  }

  function isZero(value: CelValue): boolean {
    if (unwrapKubernetesValue(value)) return false;
    if (cel.isCelList(value) || cel.isCelMap(value)) return value.size === 0;
    if (value instanceof Uint8Array) return value.length === 0;
    return value === null || value === false || value === '' || value === 0 || value === 0n;
  }

  const unwrap = (list: CelList) => flattenTo(list, 1n);

  return [
    ...createMapFunctions(kit),
    func('chosen__', [LIST, DYN], lookUpOptional),
    func('joined__', [LIST], unwrap),
    func('of_non_zero__', [DYN], (value: CelValue) => (isZero(value) ? [] : [value])),
    method('hasValue', LIST, [], (optional: CelList) => optional.size > 0),
    method('first', LIST, [], (list: CelList) => [...list].slice(0, 1)),
    method('last', LIST, [], (list: CelList) => [...list].slice(-1)),
    method('unwrapOpt', LIST, [], unwrap),
    func('optional.unwrap', [LIST], unwrap),
    method('value', LIST, [], (optional: CelList) => assertValue(optional.get(0), 'optional.none() dereference')),
  ];
}
