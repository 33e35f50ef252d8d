import type { CelFunc, CelList, CelValue } from '@bufbuild/cel';
import { assertValue } from './function-kit';
import type { FunctionKit } from './function-kit';

/** Returns the item that precedes all others. */
function findFirst(list: CelList, isBefore: (one: CelValue, other: CelValue) => boolean): CelValue {
  const [start, ...others] = list;
  return others.reduce((best, item) => (isBefore(item, best) ? item : best), assertValue(start, 'called on empty list'));
}

function slice(list: CelList, from: bigint, to: bigint): CelValue[] {
  if (from < 0n || from > to || to > BigInt(list.size)) throw new Error(`cannot slice(${from}, ${to})`);
  return [...list].slice(Number(from), Number(to));
}

/** Creates the functions that compare the items of a list by their order. */
function createOrderFunctions({ cel, types: { LIST }, isLess, func, method }: FunctionKit): CelFunc[] {
  function sortByKeys(list: CelList, keys: CelList): CelValue[] {
    const keyed = [...list].map((item, index) => ({ item, key: keys.get(index)! }));
    if (keyed.some(({ key }) => cel.celType(key).name !== cel.celType(keyed[0]!.key).name))
      throw new Error('list elements must have the same type');
    return keyed.toSorted((one, other) => (isLess(one.key, other.key) ? -1 : isLess(other.key, one.key) ? 1 : 0)).map(({ item }) => item);
  }

  return [
    method('isSorted', LIST, [], (list: CelList) => [...list].every((item, index, all) => index === 0 || !isLess(item, all[index - 1]!))),
    method('min', LIST, [], (list: CelList) => findFirst(list, isLess)),
    method('max', LIST, [], (list: CelList) => findFirst(list, (one, other) => isLess(other, one))),
    method('sort', LIST, [], (list: CelList) => sortByKeys(list, list)),
    func('sorted__', [LIST, LIST], sortByKeys),
  ];
}

/** Creates the functions that look for equal items in lists and sets. */
function createEqualItemFunctions({ types: { DYN, LIST }, isEqual, contains, func, method }: FunctionKit): CelFunc[] {
  function distinct(list: CelList): CelValue[] {
    const distinctItems: CelValue[] = [];
    for (const item of list) if (!distinctItems.some((each) => isEqual(item, each))) distinctItems.push(item);
    return distinctItems;
  }

  const containsAll = (list: CelList, others: CelList) => [...others].every((item) => contains(list, item));

  return [
    method('indexOf', LIST, [DYN], (list: CelList, item: CelValue) => BigInt([...list].findIndex((each) => isEqual(each, item)))),
    method('lastIndexOf', LIST, [DYN], (list: CelList, item: CelValue) => BigInt([...list].findLastIndex((each) => isEqual(each, item)))),
    method('distinct', LIST, [], distinct),
    func('sets.contains', [LIST, LIST], containsAll),
    func('sets.equivalent', [LIST, LIST], (one: CelList, other: CelList) => containsAll(one, other) && containsAll(other, one)),
    func('sets.intersects', [LIST, LIST], (one: CelList, other: CelList) => [...one].some((item) => contains(other, item))),
  ];
}

/** Creates the functions of lists and sets. */
export function createListFunctions(kit: FunctionKit): CelFunc[] {
  const {
    limits: { reserve },
    types: { DYN, INT, LIST },
    operator,
    flattenTo,
    func,
    method,
  } = kit;

  return [
    ...createOrderFunctions(kit),
    ...createEqualItemFunctions(kit),
    // The type of an empty list is not known here, so the macro expansion passes the zero of its item type.
    func('sum__', [LIST, DYN], (list: CelList, zero: CelValue) => [...list].reduce((sum, item) => operator('_+_', sum, item), zero)),
    method('slice', LIST, [INT, INT], slice),
    method('flatten', LIST, [], (list: CelList) => flattenTo(list, 1n)),
    method('flatten', LIST, [INT], flattenTo),
    method('reverse', LIST, [], (list: CelList) => [...list].toReversed()),
    func('lists.range', [INT], (count: bigint) => {
      reserve(Number(count));
      return Array.from({ length: Math.max(0, Number(count)) }, (_, index) => BigInt(index));
    }),
  ];
}
