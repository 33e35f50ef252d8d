/** Returns the nodes that wait for each other, and those that wait for such nodes: a needs b, b needs a, and c needs a. */
export function findCircularNodes<Node>(dependencies: ReadonlyMap<Node, readonly Node[]>): ReadonlySet<Node> {
  const waiting = new Set(dependencies.keys());
  const open = new Map([...dependencies].map(([node, needed]) => [node, needed.length]));
  const dependents = new Map<Node, Node[]>();
  for (const [node, needed] of dependencies) {
    for (const one of needed) {
      const others = dependents.get(one) ?? [];
      dependents.set(one, others);
      others.push(node);
    }
  }
  const free = [...open].flatMap(([node, count]) => (count === 0 ? [node] : []));
  for (let node = free.pop(); node !== undefined; node = free.pop()) {
    waiting.delete(node);
    for (const dependent of dependents.get(node) ?? []) {
      const left = open.get(dependent)! - 1;
      open.set(dependent, left);
      if (left === 0) free.push(dependent);
    }
  }
  return waiting;
}
