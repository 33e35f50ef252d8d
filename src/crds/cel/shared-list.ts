import type * as Cel from '@bufbuild/cel';
import type { CelList, CelValue } from '@bufbuild/cel';

/** The beginning of some items, which longer lists share. */
interface SharedList extends CelList {
  readonly items: CelValue[];
}

/**
 * Creates a function that concatenates two lists. The macros `map` and `filter` append to their result in each iteration. The evaluator
 * nests these lists, so that reading 5,000 items overflows the stack. Here a list shares its items with the list that it extends, so
 * appending takes constant time.
 *
 * @param reserve - reserves the items. @throws if they are too many
 */
export function createListConcatenation(cel: typeof Cel, reserve: (size: number) => void): (left: CelList, right: CelList) => CelList {
  const list = cel.celList([]);
  const prototype = Object.create(list, {
    get: {
      value(this: SharedList, index: number) {
        return index < this.size ? this.items[index] : undefined;
      },
    },
    values: {
      *value(this: SharedList) {
        for (let index = 0; index < this.size; index++) yield this.items[index]!;
      },
    },
    [Symbol.iterator]: {
      value(this: SharedList) {
        return this.values();
      },
    },
  }) as object;

  return (left, right) => {
    reserve(left.size + right.size);
    // A list that another one extends already has the beginning of its items only, so they are copied.
    const shared = left as Partial<SharedList>;
    const items = shared.items?.length === left.size ? shared.items : [...left];
    for (const item of right) items.push(item);
    return Object.create(prototype, { items: { value: items }, size: { value: items.length } }) as SharedList;
  };
}
