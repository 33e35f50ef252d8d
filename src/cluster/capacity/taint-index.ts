import { findBlockingTaint, collectToleratedTaints } from './node-affinity';
import type { NodeRules, NodeTraits, Taint } from './node-affinity';

/** Things with one key of a taint: all of them, and by its value, of which each team may have its own. */
interface TaintKeyEntry<Thing> {
  readonly all: Thing[];
  readonly byValue: Map<string, Thing[]>;
}

/** Things by the taint that keeps pods off their nodes, which only those that tolerate it need ask. */
export class TaintIndex<Thing> {
  private readonly untainted: Thing[] = [];
  private readonly byKey = new Map<string, TaintKeyEntry<Thing>>();

  constructor(items: Iterable<Thing>, traitsOf: (item: Thing) => NodeTraits) {
    for (const item of items) {
      const taint = findBlockingTaint(traitsOf(item));
      if (taint) this.addTainted(item, taint);
      else this.untainted.push(item);
    }
  }

  private addTainted(item: Thing, { key, value = '' }: Taint): void {
    const known = this.byKey.get(key) ?? { all: [], byValue: new Map<string, Thing[]>() };
    this.byKey.set(key, known);
    known.all.push(item);
    const sameValue = known.byValue.get(value);
    if (sameValue) sameValue.push(item);
    else known.byValue.set(value, [item]);
  }

  /** Lists that hold all things whose taints pods with these rules may tolerate; undefined where those are all. */
  findTolerated(rules: NodeRules): (readonly Thing[])[] | undefined {
    const taints = collectToleratedTaints(rules);
    return taints && [this.untainted, ...Array.from(taints, ([key, values]) => this.findByKey(key, values)).flat()];
  }

  private findByKey(key: string, values: ReadonlySet<string> | 'any'): (readonly Thing[])[] {
    const known = this.byKey.get(key);
    if (!known) return [];
    return values === 'any' ? [known.all] : Array.from(values, (value) => known.byValue.get(value) ?? []);
  }
}
