import { blockingKey, toleratedKeys } from './node-affinity';
import type { NodeRules, NodeTraits } from './node-affinity';

/** Things by the taint that keeps pods off their nodes, which only those that tolerate its key need ask. */
export class ByTaint<Thing> {
  private readonly free: Thing[] = [];
  private readonly byKey = new Map<string, Thing[]>();

  constructor(things: Iterable<Thing>, traitsOf: (thing: Thing) => NodeTraits) {
    for (const thing of things) {
      const key = blockingKey(traitsOf(thing));
      const known = key === undefined ? this.free : this.byKey.get(key);
      if (known) known.push(thing);
      else this.byKey.set(key!, [thing]);
    }
  }

  /** Lists that hold all things whose taints pods with these rules may tolerate; undefined where those are all. */
  tolerated(rules: NodeRules): (readonly Thing[])[] | undefined {
    const keys = toleratedKeys(rules);
    return keys && [this.free, ...Array.from(keys, (key) => this.byKey.get(key) ?? [])];
  }
}
