import { groupBy } from '../../../core/collections/group-by';
import type { PodsByNode } from './placement-constraints';
import { countOldPods } from './rollout-model';
import type { RolloutModel } from './rollout-model';

/**
 * A state of a rollout. Each node has a cell, a number that encodes its old pods and its new ones. Interchangeable nodes are in the order of
 * their cells. Neither the scheduler nor the controller distinguishes the new pods that are ready from others on the same nodes.
 */
export interface SearchState {
  readonly cells: readonly number[];
  /** Old pods on all nodes. */
  readonly old: number;
  /** New pods that are ready, on all nodes. */
  readonly ready: number;
  /** New pods that start, on all nodes. */
  readonly starting: number;
}

/** Returns a text that is the same for the same cells only. A cell is below 2 to the power of 16, so that it is one character. */
export function encodeCells(cells: readonly number[]): string {
  let text = '';
  for (const cell of cells) text += String.fromCharCode(cell);
  return text;
}

/** The states of a rollout on the nodes of a model, in which interchangeable nodes are exchanged freely. */
export class SearchStates {
  /** Interchangeable nodes. */
  private readonly groups: readonly (readonly number[])[];
  /** Group of each node. */
  private readonly groupOf: readonly number[];
  /** What an old pod adds to a cell. A new one adds 1. */
  private readonly oldUnit: number;

  constructor(private readonly model: RolloutModel) {
    const { nodes, replicas, deletionOrder } = model;
    // An order of deletion distinguishes the nodes of old pods.
    const keyOf = (node: number) => (deletionOrder?.includes(node) ? `${node}` : nodes[node]!.signature);
    this.groups = [...groupBy(nodes.keys(), keyOf).values()];
    const groupOf = nodes.map(() => 0);
    this.groups.forEach((group, index) => group.forEach((node) => (groupOf[node] = index)));
    this.groupOf = groupOf;
    this.oldUnit = replicas + 1;
  }

  /** Creates the states before any new pod exists: with the old pods on their nodes, or, if these are not known, in each placement. */
  *listStarts(): Generator<SearchState> {
    for (const oldByNode of this.listOldPlaces()) {
      const cells = this.sortGroups(oldByNode.map((pods) => pods * this.oldUnit));
      yield { cells, old: oldByNode.reduce((sum, pods) => sum + pods, 0), ready: 0, starting: 0 };
    }
  }

  /** Returns a state with one more new pod, which starts on a node. */
  withStarted(state: SearchState, node: number): SearchState {
    return { ...state, cells: this.withChange(state.cells, node, 1), starting: state.starting + 1 };
  }

  toPodsByNode({ cells }: SearchState): PodsByNode {
    return { old: cells.map((cell) => this.oldAt(cell)), next: cells.map((cell) => cell % this.oldUnit) };
  }

  /** Returns cells after one has changed, with interchangeable nodes in order again. */
  private withChange(cells: readonly number[], node: number, change: number): number[] {
    const changed = [...cells];
    const group = this.groups[this.groupOf[node]!]!;
    const cell = changed[node]! + change;
    let position = group.indexOf(node);
    for (; position > 0 && changed[group[position - 1]!]! > cell; position--) changed[group[position]!] = changed[group[position - 1]!]!;
    for (; position < group.length - 1 && changed[group[position + 1]!]! < cell; position++) {
      changed[group[position]!] = changed[group[position + 1]!]!;
    }
    changed[group[position]!] = cell;
    return changed;
  }

  private oldAt(cell: number): number {
    return Math.floor(cell / this.oldUnit);
  }

  /** Lists the placements of the old pods. If their nodes are not known, each that the nodes allow, once for interchangeable nodes. */
  private *listOldPlaces(): Generator<readonly number[]> {
    const { oldByNode, oldLimitByNode, exclusiveForOld = [] } = this.model;
    if (oldByNode) {
      yield oldByNode;
      return;
    }
    const order = this.groups.flat();
    const { groupOf } = this;
    const counts = oldLimitByNode.map(() => 0);
    const isShared = (node: number) =>
      exclusiveForOld.some(
        ({ domainOf }) => domainOf[node]! >= 0 && counts.some((pods, other) => pods > 0 && domainOf[other] === domainOf[node]),
      );
    const rest = order.map((_, position) => order.slice(position).reduce((total, node) => total + oldLimitByNode[node]!, 0));
    const place = function* (position: number, left: number): Generator<readonly number[]> {
      if (left === 0) {
        yield [...counts];
        return;
      }
      if (position === order.length || rest[position]! < left) return;
      const node = order[position]!;
      const before = order[position - 1];
      // Interchangeable nodes get pods in descending order.
      const limit = before !== undefined && groupOf[before] === groupOf[node] ? counts[before]! : Infinity;
      const most = isShared(node) ? 0 : Math.min(left, oldLimitByNode[node]!, limit);
      for (let pods = most; pods >= 0; pods--) {
        counts[node] = pods;
        yield* place(position + 1, left - pods);
      }
      counts[node] = 0;
    };
    yield* place(0, countOldPods(this.model));
  }

  /** Returns one node of each kind of node in the same state. Equal cells of interchangeable nodes are next to each other. */
  listRepresentatives(cells: readonly number[], isCandidate: (node: number) => boolean): number[] {
    const found: number[] = [];
    for (const group of this.groups) {
      let before = -1;
      for (const node of group) {
        const cell = cells[node]!;
        if (cell !== before && isCandidate(node)) found.push(node);
        before = cell;
      }
    }
    return found;
  }

  /**
   * Lists what is left if the controller deletes a number of old pods. Without an order, pods on nodes with the most pods of the workload are
   * first.
   */
  *listAfterDeletion(state: SearchState, count: number): Generator<SearchState> {
    const { deletionOrder, replicas } = this.model;
    const rest = { ...state, old: state.old - count };
    if (deletionOrder) {
      const deleted = replicas - state.old;
      let { cells } = state;
      for (const node of deletionOrder.slice(deleted, deleted + count)) cells = this.withChange(cells, node, -this.oldUnit);
      yield { ...rest, cells };
      return;
    }
    let { cells } = state;
    let left = count;
    for (const nodes of this.listNodesByRank(state.cells)) {
      const available = nodes.reduce((total, node) => total + this.oldAt(state.cells[node]!), 0);
      if (available > left) {
        for (const deleted of this.listDeletions(state.cells, cells, nodes, left)) yield { ...rest, cells: deleted };
        return;
      }
      cells = nodes.reduce((without, node) => this.withoutOld(without, state.cells[node]!, node, this.oldAt(state.cells[node]!)), cells);
      left -= available;
      if (left === 0) break;
    }
    yield { ...rest, cells };
  }

  /** Lists the nodes with old pods, those whose pods are deleted first at the beginning. */
  private listNodesByRank(cells: readonly number[]): number[][] {
    const withOld = [...cells.keys()].filter((node) => cells[node]! >= this.oldUnit);
    const rankOf = (node: number) => (this.model.deletesInUnknownOrder ? 0 : this.oldAt(cells[node]!) + (cells[node]! % this.oldUnit));
    const kindsTogether = withOld.toSorted((a, b) => this.groupOf[a]! - this.groupOf[b]! || cells[a]! - cells[b]!);
    return [...groupBy(kindsTogether, rankOf)].toSorted(([a], [b]) => b - a).map(([, nodes]) => nodes);
  }

  /** Returns cells without old pods of one node that has a cell, in the group of a node. A change moves interchangeable nodes. */
  private withoutOld(cells: readonly number[], cell: number, node: number, pods: number): readonly number[] {
    const found = this.groups[this.groupOf[node]!]!.find((other) => cells[other] === cell)!;
    return pods === 0 ? cells : this.withChange(cells, found, -pods * this.oldUnit);
  }

  /**
   * Lists each way to delete a number of old pods from some nodes, once for interchangeable nodes in the same state: these lose pods in
   * descending order.
   *
   * @param before cells before any deletion
   * @param cells cells to delete from
   * @param nodes the nodes, with those of one kind next to each other
   * @param last the pods that the node before loses
   */
  private *listDeletions(
    before: readonly number[],
    cells: readonly number[],
    [node, ...others]: readonly number[],
    count: number,
    last = Infinity,
  ): Generator<readonly number[]> {
    if (count === 0) yield cells;
    if (count === 0 || node === undefined) return;
    const [next] = others;
    const isNextAlike = next !== undefined && this.groupOf[node] === this.groupOf[next] && before[node] === before[next];
    for (let pods = Math.min(count, this.oldAt(before[node]!), last); pods >= 0; pods--) {
      const rest = this.withoutOld(cells, before[node]!, node, pods);
      yield* this.listDeletions(before, rest, others, count - pods, isNextAlike ? pods : Infinity);
    }
  }

  private sortGroups(cells: number[]): number[] {
    for (const group of this.groups) {
      if (group.length === 1) continue;
      // They are almost in order.
      for (let position = 1; position < group.length; position++) {
        const cell = cells[group[position]!]!;
        let target = position;
        for (; target > 0 && cells[group[target - 1]!]! > cell; target--) cells[group[target]!] = cells[group[target - 1]!]!;
        cells[group[target]!] = cell;
      }
    }
    return cells;
  }
}
