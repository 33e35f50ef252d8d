import { blockingTaint, toleratedTaints } from './node-affinity';
import type { NodeRules, NodeTraits, Taint } from './node-affinity';

/** Things with one key of a taint: all of them, and by its value, of which each team may have its own. */
interface WithKey<Thing> {
  readonly all: Thing[];
  readonly byValue: Map<string, Thing[]>;
}

/** Things by the taint that keeps pods off their nodes, which only those that tolerate it need ask. */
export class ByTaint<Thing> {
  private readonly free: Thing[] = [];
  private readonly byKey = new Map<string, WithKey<Thing>>();

  constructor(things: Iterable<Thing>, traitsOf: (thing: Thing) => NodeTraits) {
    for (const thing of things) {
      const taint = blockingTaint(traitsOf(thing));
      if (taint) this.note(thing, taint);
      else this.free.push(thing);
    }
  }

  private note(thing: Thing, { key, value = '' }: Taint): void {
    const known = this.byKey.get(key) ?? { all: [], byValue: new Map<string, Thing[]>() };
    this.byKey.set(key, known);
    known.all.push(thing);
    const alike = known.byValue.get(value);
    if (alike) alike.push(thing);
    else known.byValue.set(value, [thing]);
  }

  /** Lists that hold all things whose taints pods with these rules may tolerate; undefined where those are all. */
  tolerated(rules: NodeRules): (readonly Thing[])[] | undefined {
    const taints = toleratedTaints(rules);
    return taints && [this.free, ...Array.from(taints, ([key, values]) => this.with(key, values)).flat()];
  }

  private with(key: string, values: ReadonlySet<string> | 'any'): (readonly Thing[])[] {
    const known = this.byKey.get(key);
    if (!known) return [];
    return values === 'any' ? [known.all] : Array.from(values, (value) => known.byValue.get(value) ?? []);
  }
}
