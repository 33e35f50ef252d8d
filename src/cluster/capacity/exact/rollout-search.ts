import { groupBy } from '../../../core/group-by';
import { groupEqualDomains } from './equal-domains';
import type { DomainNodes } from './equal-domains';
import { createNodeCheck } from './placement-constraints';
import type { PodsByNode } from './placement-constraints';
import { countKeptOldPods, countOldPods } from './rollout-model';
import type { DomainConstraint, RolloutModel, RolloutOutcomes } from './rollout-model';

/** Maximum number of states that a search visits. Beyond it the search is given up. */
const MAX_STATES = 20_000;

/** Maximum number of nodes of all states that a search visits, so that a search of many nodes takes no longer than one of few. */
const MAX_STATE_NODES = 60_000;

/** Maximum number of states that a search visits once some placements finish and others do not. More of them only narrow the numbers of pods. */
const MAX_STATES_OF_BOTH = 2_000;

class SearchLimitError extends Error {}

/**
 * A state of a rollout. Each node has a cell, a number that encodes its old pods and its new ones. Interchangeable nodes are in the order of
 * their cells. Neither the scheduler nor the controller distinguishes the new pods that are ready from others on the same nodes.
 */
interface SearchState {
  readonly cells: readonly number[];
  /** Old pods on all nodes. */
  readonly old: number;
  /** New pods that are ready, on all nodes. */
  readonly ready: number;
  /** New pods that start, on all nodes. */
  readonly starting: number;
}

/** Returns a text that is the same for the same cells only. A cell is below 2 to the power of 16, so that it is one character. */
function encodeCells(cells: readonly number[]): string {
  let text = '';
  for (const cell of cells) text += String.fromCharCode(cell);
  return text;
}

/**
 * Visits every state that a rollout can reach: each node that the scheduler may choose, each tie among old pods, and new pods that become
 * ready together or one at a time.
 *
 * The controller deletes old pods first, then the scheduler places pods, then pods become ready. Source: k/k
 * pkg/controller/deployment/rolling.go; pkg/controller/replicaset/replica_set.go, `getPodsToDelete`.
 */
class RolloutSearch {
  private readonly visited = new Set<string>();
  /** Interchangeable nodes. */
  private readonly groups: readonly (readonly number[])[];
  /** Group of each node. */
  private readonly groupOf: readonly number[];
  private readonly maxStates: number;
  /** Topology domains that no pod can distinguish. */
  private readonly equalDomains: readonly (readonly DomainNodes[])[];
  /** Old pods that no new one replaces. */
  private readonly keptOld: number;
  /** What an old pod adds to a cell. A new one adds 1. */
  private readonly oldUnit: number;
  private finishes = false;
  private least = Infinity;
  private most = -1;
  private isStuckSomewhere = false;

  /** @param isRaced whether the scheduler may act before the controller is done */
  constructor(
    private readonly model: RolloutModel,
    private readonly isRaced: boolean,
  ) {
    const { nodes, replicas, deletionOrder } = model;
    // An order of deletion distinguishes the nodes of old pods.
    const keyOf = (node: number) => (deletionOrder?.includes(node) ? `${node}` : nodes[node]!.signature);
    this.groups = [...groupBy(nodes.keys(), keyOf).values()];
    const groupOf = nodes.map(() => 0);
    this.groups.forEach((group, index) => group.forEach((node) => (groupOf[node] = index)));
    this.groupOf = groupOf;
    this.equalDomains = groupEqualDomains(model);
    this.keptOld = model.keptOld ?? 0;
    this.oldUnit = replicas + 1;
    this.maxStates = Math.min(MAX_STATES, Math.ceil(MAX_STATE_NODES / Math.max(1, nodes.length)));
  }

  run(): RolloutOutcomes | undefined {
    try {
      for (const old of this.listStarts()) this.advance(this.createState(old));
    } catch (error) {
      if (error instanceof SearchLimitError) return undefined;
      throw error;
    }
    const outcome = this.finishes ? (this.isStuckSomewhere ? 'some' : 'every') : 'none';
    return { outcome, newAtLeast: this.least, newAtMost: this.most };
  }

  private createState(oldByNode: readonly number[]): SearchState {
    const cells = this.sortGroups(oldByNode.map((pods) => pods * this.oldUnit));
    return { cells, old: oldByNode.reduce((sum, pods) => sum + pods, 0), ready: 0, starting: 0 };
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

  private toPodsByNode({ cells }: SearchState): PodsByNode {
    return { old: cells.map((cell) => this.oldAt(cell)), next: cells.map((cell) => cell % this.oldUnit) };
  }

  /** Lists the placements of the old pods. If their nodes are not known, each that the nodes allow, once for interchangeable nodes. */
  private *listStarts(): Generator<readonly number[]> {
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

  /** Returns a key of a state, the same for states that differ by an exchange of equal domains. */
  private formatKey({ cells, ready }: SearchState, phase: string): string {
    let key = `${phase}${ready} `;
    for (const domains of this.equalDomains) {
      const texts = domains.map((nodes) => encodeCells(nodes.map((node) => cells[node]!)));
      for (const text of texts.toSorted()) key += text;
    }
    return key;
  }

  private isVisited(state: SearchState, phase: string): boolean {
    const key = this.formatKey(state, phase);
    if (this.visited.has(key)) return true;
    const isDecided = this.finishes && this.isStuckSomewhere;
    if (this.visited.size >= (isDecided ? Math.min(MAX_STATES_OF_BOTH, this.maxStates) : this.maxStates)) throw new SearchLimitError();
    this.visited.add(key);
    return false;
  }

  /** Returns one node of each kind of node in the same state. Equal cells of interchangeable nodes are next to each other. */
  private representatives(cells: readonly number[], isCandidate: (node: number) => boolean): number[] {
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

  /** Lists the nodes that the scheduler may choose for the next new pod, one of each kind of node in the same state. */
  private listAllowedNodes(state: SearchState): number[] {
    const own = this.model.nodesByPod?.[state.ready + state.starting];
    const isAllowed = createNodeCheck(this.model, this.toPodsByNode(state));
    return this.representatives(state.cells, (node) => own?.[node] !== false && isAllowed(node));
  }

  /**
   * Lists what is left if the controller deletes a number of old pods. Without an order, pods on nodes with the most pods of the workload are
   * first.
   */
  private listAfterDeletion(state: SearchState, count: number): SearchState[] {
    const { deletionOrder, deletesInUnknownOrder, replicas } = this.model;
    const rest = { ...state, old: state.old - count };
    if (deletionOrder) {
      const deleted = replicas - state.old;
      let { cells } = state;
      for (const node of deletionOrder.slice(deleted, deleted + count)) cells = this.withChange(cells, node, -this.oldUnit);
      return [{ ...rest, cells }];
    }
    const rankOf = state.cells.map((cell) => (deletesInUnknownOrder ? 0 : this.oldAt(cell) + (cell % this.oldUnit)));
    const ranks = [...new Set(rankOf.filter((_, node) => state.cells[node]! >= this.oldUnit))].toSorted((a, b) => b - a);
    let { cells } = state;
    let left = count;
    for (const rank of ranks) {
      // A change moves interchangeable nodes, so the cells of this rank are read from the state before.
      const nodes = rankOf.flatMap((own, node) => (own === rank && state.cells[node]! >= this.oldUnit ? [node] : []));
      const available = nodes.reduce((total, node) => total + this.oldAt(state.cells[node]!), 0);
      if (available > left) return this.listDeletions(state.cells, cells, nodes, left).map((deleted) => ({ ...rest, cells: deleted }));
      cells = nodes.reduce((without, node) => this.withCell(without, state.cells[node]!, node, this.oldAt(state.cells[node]!)), cells);
      left -= available;
      if (left === 0) break;
    }
    return [{ ...rest, cells }];
  }

  /** Returns cells without old pods of one node that has a cell, in the group of a node. */
  private withCell(cells: readonly number[], cell: number, node: number, pods: number): readonly number[] {
    const found = this.groups[this.groupOf[node]!]!.find((other) => cells[other] === cell)!;
    return pods === 0 ? cells : this.withChange(cells, found, -pods * this.oldUnit);
  }

  /**
   * Lists each way to delete a number of old pods from some nodes, once for interchangeable nodes in the same state.
   *
   * @param before cells before any deletion, which the nodes are those of
   * @param cells cells to delete from
   */
  private listDeletions(
    before: readonly number[],
    cells: readonly number[],
    nodes: readonly number[],
    count: number,
  ): (readonly number[])[] {
    const isSameKind = (a: number, b: number) => this.groupOf[a] === this.groupOf[b] && before[a] === before[b];
    const order = nodes.toSorted((a, b) => this.groupOf[a]! - this.groupOf[b]! || before[a]! - before[b]!);
    const found = new Map<string, readonly number[]>();
    const remove = (rest: readonly number[], position: number, left: number, last: number): void => {
      if (left === 0) {
        if (found.size >= this.maxStates) throw new SearchLimitError();
        found.set(encodeCells(rest), rest);
        return;
      }
      const node = order[position];
      if (node === undefined) return;
      const previous = order[position - 1];
      // Interchangeable nodes lose pods in descending order.
      const limit = previous !== undefined && isSameKind(previous, node) ? last : Infinity;
      for (let pods = Math.min(left, this.oldAt(before[node]!), limit); pods >= 0; pods--) {
        remove(this.withCell(rest, before[node]!, node, pods), position + 1, left - pods, pods);
      }
    };
    remove(cells, 0, count, Infinity);
    return [...found.values()];
  }

  /** Lets the controller delete old pods until it waits for a pod to become ready. */
  private advance(state: SearchState): void {
    if (this.isRaced) {
      this.race(state);
      return;
    }
    if (this.isVisited(state, 'a')) return;
    const excess = state.old - this.keptOld - countKeptOldPods(this.model, state.ready);
    for (const next of excess > 0 ? this.listAfterDeletion(state, excess) : [state]) this.place(next);
  }

  private withStarted(state: SearchState, node: number): SearchState {
    return { ...state, cells: this.withChange(state.cells, node, 1), starting: state.starting + 1 };
  }

  /**
   * Lets the controller delete old pods, the scheduler place one pod, or pods become ready, in any order. New pods exist before the old ones
   * that they replace are gone, and an old pod that is being deleted still counts for pod affinity.
   */
  private race(state: SearchState): void {
    if (this.isVisited(state, 'r')) return;
    const { replicas, surge, newPodsAdmitted } = this.model;
    const { ready, starting } = state;
    const old = state.old - this.keptOld;
    const keep = Math.min(old, countKeptOldPods(this.model, ready));
    const wanted = Math.min(replicas, replicas + surge - keep, newPodsAdmitted[old]!);
    const nodes = ready + starting < wanted ? this.listAllowedNodes(state) : [];
    for (const node of nodes) this.race(this.withStarted(state, node));
    if (old > keep) for (const next of this.listAfterDeletion(state, old - keep)) this.race(next);
    const canAct = nodes.length > 0 || old > keep;
    if (!canAct || starting > 0) this.becomeReady(state);
  }

  /** Lets the scheduler place the pods that exist, each on every node that it may choose. */
  private place(state: SearchState): void {
    if (this.isVisited(state, 'p')) return;
    const { replicas, surge, newPodsAdmitted } = this.model;
    const { ready, starting } = state;
    const old = state.old - this.keptOld;
    const wanted = Math.min(replicas, replicas + surge - old, newPodsAdmitted[old]!);
    if (ready + starting < wanted) {
      const nodes = this.listAllowedNodes(state);
      for (const node of nodes) this.place(this.withStarted(state, node));
      if (nodes.length > 0) return;
    }
    this.becomeReady(state);
  }

  /** Lets all new pods become ready, or one of them. */
  private becomeReady(state: SearchState): void {
    const { ready, starting } = state;
    if (starting === 0) {
      this.end(state);
      return;
    }
    this.advance({ ...state, ready: ready + starting, starting: 0 });
    if (starting > 1) this.advance({ ...state, ready: ready + 1, starting: starting - 1 });
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

  private end({ old, ready }: SearchState): void {
    this.least = Math.min(this.least, ready);
    this.most = Math.max(this.most, ready);
    if (ready >= this.model.replicas && old === this.keptOld) this.finishes = true;
    else this.isStuckSomewhere = true;
  }
}

/** Reports whether it matters that an old pod is still there when a new one is placed. Without such a constraint it only takes capacity. */
function isRacing({ createsBeforeDeletion, affinity, spreads }: RolloutModel): boolean {
  return createsBeforeDeletion === true && (affinity?.countsOld === true || spreads.some(({ countsOld }) => countsOld));
}

/** Reports whether new pods find the same nodes wherever the old pods are. */
function areOldPlacesIrrelevant(model: RolloutModel): boolean {
  const { nodes, oldByNode, oldLimitByNode, spreads, antiAffinities, affinity } = model;
  const isOldRead =
    spreads.some(({ countsOld }) => countsOld) || antiAffinities.some(({ avoidsOld }) => avoidsOld) || affinity?.countsOld === true;
  return (
    !isOldRead &&
    nodes.every(({ newPodsBesideOld: [first, ...beside] }, node) =>
      beside.slice(0, Math.min(countOldPods(model), oldByNode?.[node] ?? oldLimitByNode[node]!)).every((pods) => pods === first),
    )
  );
}

/** Returns a model whose old pods are on a node of their own, so that their places distinguish no states. */
function withoutOldPlaces(model: RolloutModel): RolloutModel {
  const { nodes, spreads, antiAffinities, affinity, nodesByPod } = model;
  const oldPods = countOldPods(model);
  const outside = <Constraint extends DomainConstraint>(constraint: Constraint) => ({
    ...constraint,
    domainOf: [...constraint.domainOf, -1],
  });
  return {
    ...model,
    nodes: [
      ...nodes,
      { newPodsBesideOld: Array.from({ length: oldPods + 1 }, () => 0), signature: 'old pods', domainlessSignature: 'old pods' },
    ],
    oldByNode: [...nodes.map(() => 0), oldPods],
    oldLimitByNode: [...nodes.map(() => 0), oldPods],
    exclusiveForOld: [],
    ...(model.deletionOrder && { deletionOrder: model.deletionOrder.map(() => nodes.length) }),
    spreads: spreads.map((spread) => ({ ...outside(spread), isCounted: [...spread.isCounted, false] })),
    antiAffinities: antiAffinities.map(outside),
    ...(affinity && { affinity: { ...affinity, terms: affinity.terms.map(outside) } }),
    ...(nodesByPod && { nodesByPod: nodesByPod.map((own) => [...own, false]) }),
  };
}

/** Returns the outcomes over all placements. Returns undefined if there are too many states, or no place for the old pods. */
export function searchRollout(given: RolloutModel): RolloutOutcomes | undefined {
  const model = areOldPlacesIrrelevant(given) ? withoutOldPlaces(given) : given;
  const inTurns = new RolloutSearch(model, false).run();
  const isOpen = inTurns !== undefined && inTurns.outcome !== 'some' && isRacing(model);
  const outcomes = (isOpen ? new RolloutSearch(model, true).run() : undefined) ?? inTurns;
  return outcomes && outcomes.newAtMost >= 0 ? outcomes : undefined;
}
