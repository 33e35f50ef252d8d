import { combineBounds, repeatBounds, NO_OLD_PODS } from '../exact/node-bounds';
import type { NewPodBounds } from '../exact/node-bounds';

/** Pods of one shape to place. */
export interface PlacedShape<Node> {
  readonly pods: number;
  /** Whether its pods run already, on whichever nodes. @default false */
  readonly isRunning?: boolean;
  /** Returns how many pods of the shape a node takes next to a number of pods of another shape, which is 0 without one. */
  capacityOf(node: Node, beside: PlacedShape<Node> | undefined, pods: number): number;
}

/** A number of equal nodes. */
export interface CountedNode<Node> {
  readonly node: Node;
  readonly count: number;
}

/** Whether the scheduler finds a node for each pod in every order and on whichever nodes, in some, or in none. */
export type PlacementOutcome = 'every' | 'some' | 'none';

/** Computes the fewest and most pods of a shape that all nodes take next to each number of pods of another. */
function computeBeside<Node>(nodes: readonly CountedNode<Node>[], shape: PlacedShape<Node>, beside: PlacedShape<Node>): NewPodBounds {
  const byKey = new Map<string, { count: number; readonly bounds: NewPodBounds }>();
  for (const { node, count } of nodes) {
    const limit = Math.min(beside.pods, beside.capacityOf(node, undefined, 0));
    const counts = Array.from({ length: limit + 1 }, (_, pods) => Math.min(shape.pods, shape.capacityOf(node, beside, pods)));
    const key = counts.join(',');
    const known = byKey.get(key);
    if (known) known.count += count;
    else byKey.set(key, { count, bounds: { least: counts, most: counts } });
  }
  return [...byKey.values()].reduce(
    (total, { count, bounds }) => combineBounds(total, repeatBounds(bounds, count, beside.pods), beside.pods),
    NO_OLD_PODS,
  );
}

/** Counts the pods of a shape that nodes without any pods take. */
export function countAlone<Node>(nodes: readonly CountedNode<Node>[], shape: PlacedShape<Node>): number {
  return nodes.reduce((total, { node, count }) => total + count * Math.min(shape.pods, shape.capacityOf(node, undefined, 0)), 0);
}

/**
 * Decides whether pods of a few shapes find room on nodes.
 *
 * One shape fits if all nodes together take enough. With two shapes, the pods of each must fit next to any placement of the other: a leader of
 * 1 GPU and a worker of 2 on nodes with 1 and 2 GPUs fit only if the leader goes to the smaller node. Pods that run already need no room, but
 * leave less of it. More shapes fit for certain if as many
 * pods of a shape with the largest requests of all fit.
 *
 * @param largest a shape that requests as much as any of the shapes, on nodes that all of them accept
 */
export function decidePlacement<Node>(
  nodes: readonly CountedNode<Node>[],
  shapes: readonly PlacedShape<Node>[],
  largest: PlacedShape<Node>,
): PlacementOutcome {
  const needed = shapes.filter(({ pods }) => pods > 0);
  const isPlaced = ({ isRunning = false }: PlacedShape<Node>) => !isRunning;
  if (needed.some((shape) => isPlaced(shape) && countAlone(nodes, shape) < shape.pods)) return 'none';
  if (!needed.some(isPlaced)) return 'every';
  const [first, second] = needed.toSorted((x, y) => Number(x.isRunning ?? false) - Number(y.isRunning ?? false)) as [
    PlacedShape<Node>,
    PlacedShape<Node>?,
  ];
  if (second === undefined) return 'every';
  if (countAlone(nodes, largest) >= largest.pods) return 'every';
  if (needed.length > 2) return 'some';
  const a = computeBeside(nodes, first, second);
  if ((a.most[second.pods] ?? -1) < first.pods) return 'none';
  if ((a.least[second.pods] ?? -1) < first.pods) return 'some';
  if (second.isRunning) return 'every';
  return (computeBeside(nodes, second, first).least[first.pods] ?? -1) >= second.pods ? 'every' : 'some';
}
