import type { CelFunc, CelList, CelValue } from '@bufbuild/cel';
import { assertValue } from './function-kit';
import type { FunctionKit } from './function-kit';

/** Creates the functions of lists and sets. */
export function createListFunctions({
  cel,
  limits: { reserve },
  types: { DYN, INT, LIST },
  operator,
  isLess,
  isEqual,
  itemsOf,
  contains,
  flattenTo,
  func,
  method,
  integer,
}: FunctionKit): CelFunc[] {
  /** Returns the item that precedes all others. */
  function findFirst(list: CelList, isBefore: (one: CelValue, other: CelValue) => boolean): CelValue {
    const [start, ...others] = itemsOf(list);
    return others.reduce((best, item) => (isBefore(item, best) ? item : best), assertValue(start, 'called on empty list'));
  }

  function sortByKeys(list: CelList, keys: CelList): CelValue[] {
    const keyed = itemsOf(list).map((item, index) => ({ item, key: keys.get(index)! }));
    if (keyed.some(({ key }) => cel.celType(key).name !== cel.celType(keyed[0]!.key).name))
      throw new Error('list elements must have the same type');
    return keyed.toSorted((one, other) => (isLess(one.key, other.key) ? -1 : isLess(other.key, one.key) ? 1 : 0)).map(({ item }) => item);
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

  return lists;
}
