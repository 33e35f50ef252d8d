import { addToGroup } from '../../../core/group-by';
import { findBlockingTaint, collectToleratedTaints } from './node-affinity';
import type { NodeRules, NodeTraits, Taint } from './node-affinity';

/** Items with one taint key: all of them, and by taint value, because each team may use its own. */
interface TaintKeyEntry<Item> {
  readonly all: Item[];
  readonly byValue: Map<string, Item[]>;
}

/** Items by the taint that excludes pods from their nodes, so that only pods that tolerate it check them. */
export class TaintIndex<Item> {
  private readonly untainted: Item[] = [];
  private readonly byKey = new Map<string, TaintKeyEntry<Item>>();

  constructor(items: Iterable<Item>, traitsOf: (item: Item) => NodeTraits) {
    for (const item of items) {
      const taint = findBlockingTaint(traitsOf(item));
      if (taint) this.addTainted(item, taint);
      else this.untainted.push(item);
    }
  }

  private addTainted(item: Item, { key, value = '' }: Taint): void {
    const known = this.byKey.get(key) ?? { all: [], byValue: new Map<string, Item[]>() };
    this.byKey.set(key, known);
    known.all.push(item);
    addToGroup(known.byValue, value, item);
  }

  /** Returns lists that contain all items whose taints pods with these rules may tolerate. Returns undefined if that is all items. */
  findTolerated(rules: NodeRules): (readonly Item[])[] | undefined {
    const taints = collectToleratedTaints(rules);
    return taints && [this.untainted, ...Array.from(taints, ([key, values]) => this.findByKey(key, values)).flat()];
  }

  private findByKey(key: string, values: ReadonlySet<string> | 'any'): (readonly Item[])[] {
    const known = this.byKey.get(key);
    if (!known) return [];
    return values === 'any' ? [known.all] : Array.from(values, (value) => known.byValue.get(value) ?? []);
  }
}
