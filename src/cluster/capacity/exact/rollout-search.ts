import { createNodeCheck } from './placement-constraints';
import type { NodeCheck, PodsByNode } from './placement-constraints';
import { countKeptOldPods } from './rollout-model';
import type { RolloutModel, RolloutOutcomes } from './rollout-model';

/** Maximum number of states that a search visits. Beyond it the search is given up. */
const MAX_STATES = 20_000;

class SearchLimitError extends Error {}

function sum(counts: readonly number[]): number {
  let total = 0;
  for (const count of counts) total += count;
  return total;
}

function withAdded(counts: readonly number[], index: number, change: number): number[] {
  const changed = [...counts];
  changed[index] = changed[index]! + change;
  return changed;
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
  private readonly groups: readonly (readonly number[])[];
  /** Group of each node. */
  private readonly groupOf: ReadonlyMap<number, number>;
  private finishes = false;
  private least = Infinity;
  private most = -1;
  private isStuckSomewhere = false;

  /** @param isRaced whether the scheduler may act before the controller is done */
  constructor(
    private readonly model: RolloutModel,
    private readonly isRaced: boolean,
  ) {
    const bySignature = new Map<string, number[]>();
    model.nodes.forEach(({ signature }, index) => {
      const known = bySignature.get(signature);
      if (known) known.push(index);
      else bySignature.set(signature, [index]);
    });
    this.groups = [...bySignature.values()];
    this.groupOf = new Map(this.groups.flatMap((group, index) => group.map((node) => [node, index] as const)));
  }

  run(): RolloutOutcomes | undefined {
    try {
      for (const old of this.listStarts()) {
        const none = this.model.nodes.map(() => 0);
        this.advance({ old, ready: none, starting: none });
      }
    } catch (error) {
      if (error instanceof SearchLimitError) return undefined;
      throw error;
    }
    const outcome = this.finishes ? (this.isStuckSomewhere ? 'some' : 'every') : 'none';
    return { outcome, newAtLeast: this.least, newAtMost: this.most };
  }

  /** Lists the placements of the old pods. If their nodes are not known, each that the nodes allow, once for interchangeable nodes. */
  private *listStarts(): Generator<readonly number[]> {
    const { oldByNode, oldLimitByNode, replicas } = this.model;
    if (oldByNode) {
      yield oldByNode;
      return;
    }
    const order = this.groups.flat();
    const { groupOf } = this;
    const counts = oldLimitByNode.map(() => 0);
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
      const limit = before !== undefined && groupOf.get(before) === groupOf.get(node) ? counts[before]! : Infinity;
      for (let pods = Math.min(left, oldLimitByNode[node]!, limit); pods >= 0; pods--) {
        counts[node] = pods;
        yield* place(position + 1, left - pods);
      }
      counts[node] = 0;
    };
    yield* place(0, replicas);
  }

  /** Returns a number that is the same for nodes with as many pods of each kind. */
  private cellOf({ old, ready, starting }: PodsByNode, node: number): number {
    const base = this.model.replicas + 1;
    return (old[node]! * base + ready[node]!) * base + starting[node]!;
  }

  private keyOf(state: PodsByNode): string {
    let key = '';
    for (const group of this.groups) {
      const cells = group.map((node) => this.cellOf(state, node));
      if (cells.length > 1) cells.sort((a, b) => a - b);
      key += `${cells.join(' ')}|`;
    }
    return key;
  }

  private isVisited(state: PodsByNode, phase: string): boolean {
    const key = phase + this.keyOf(state);
    if (this.visited.has(key)) return true;
    if (this.visited.size >= MAX_STATES) throw new SearchLimitError();
    this.visited.add(key);
    return false;
  }

  /** Returns one node of each kind of node in the same state. */
  private representatives(state: PodsByNode, isCandidate: NodeCheck): number[] {
    const found: number[] = [];
    for (const group of this.groups) {
      const seen = new Set<number>();
      for (const node of group) {
        const cell = this.cellOf(state, node);
        if (seen.has(cell) || !isCandidate(node)) continue;
        seen.add(cell);
        found.push(node);
      }
    }
    return found;
  }

  /** Lists the nodes that the scheduler may choose for the next new pod, one of each kind of node in the same state. */
  private listAllowedNodes(state: PodsByNode): number[] {
    const { nodesByPod } = this.model;
    const own = nodesByPod?.[sum(state.ready) + sum(state.starting)];
    const isAllowed = createNodeCheck(this.model, state);
    return this.representatives(state, (node) => own?.[node] !== false && isAllowed(node));
  }

  /** Lists what is left if the controller deletes a number of old pods. Without an order, pods on nodes with the most pods of the workload are first. */
  private listAfterDeletion(state: PodsByNode, count: number): PodsByNode[] {
    const { deletionOrder, replicas } = this.model;
    if (deletionOrder) {
      const deleted = replicas - sum(state.old);
      let rest: readonly number[] = state.old;
      for (const node of deletionOrder.slice(deleted, deleted + count)) rest = withAdded(rest, node, -1);
      return [{ ...state, old: rest }];
    }
    const rankOf = state.old.map((pods, node) => pods + state.ready[node]! + state.starting[node]!);
    const ranks = [...new Set(rankOf.filter((_, node) => state.old[node]! > 0))].toSorted((a, b) => b - a);
    let old = [...state.old];
    let left = count;
    for (const rank of ranks) {
      const nodes = rankOf.flatMap((own, node) => (own === rank && old[node]! > 0 ? [node] : []));
      const available = nodes.reduce((total, node) => total + old[node]!, 0);
      if (available <= left) {
        for (const node of nodes) old[node] = 0;
        left -= available;
        if (left === 0) break;
        continue;
      }
      return this.listDeletions({ ...state, old }, nodes, left);
    }
    return [{ ...state, old }];
  }

  /** Lists each way to delete a number of old pods from some nodes, once for interchangeable nodes in the same state. */
  private listDeletions(state: PodsByNode, nodes: readonly number[], count: number): PodsByNode[] {
    const kindOf = (node: number) => `${this.groupOf.get(node)} ${this.cellOf(state, node)}`;
    const order = nodes.toSorted((a, b) => kindOf(a).localeCompare(kindOf(b)));
    const found = new Map<string, PodsByNode>();
    const remove = (old: readonly number[], position: number, left: number): void => {
      if (left === 0) {
        if (found.size >= MAX_STATES) throw new SearchLimitError();
        const next = { ...state, old };
        found.set(this.keyOf(next), next);
        return;
      }
      if (position === order.length) return;
      const node = order[position]!;
      const before = order[position - 1];
      // Interchangeable nodes lose pods in descending order.
      const limit = before !== undefined && kindOf(before) === kindOf(node) ? state.old[before]! - old[before]! : Infinity;
      for (let pods = Math.min(left, old[node]!, limit); pods >= 0; pods--) remove(withAdded(old, node, -pods), position + 1, left - pods);
    };
    remove(state.old, 0, count);
    return [...found.values()];
  }

  /** Lets the controller delete old pods until it waits for a pod to become ready. */
  private advance(state: PodsByNode): void {
    if (this.isRaced) {
      this.race(state);
      return;
    }
    if (this.isVisited(state, 'a')) return;
    const excess = sum(state.old) - countKeptOldPods(this.model, sum(state.ready));
    for (const next of excess > 0 ? this.listAfterDeletion(state, excess) : [state]) this.place(next);
  }

  /**
   * Lets the controller delete old pods, the scheduler place one pod, or pods become ready, in any order. New pods exist before the old ones
   * that they replace are gone, and an old pod that is being deleted still counts for pod affinity.
   */
  private race(state: PodsByNode): void {
    if (this.isVisited(state, 'r')) return;
    const { replicas, surge, newPodsAdmitted } = this.model;
    const old = sum(state.old);
    const keep = Math.min(old, countKeptOldPods(this.model, sum(state.ready)));
    const placed = sum(state.ready) + sum(state.starting);
    const wanted = Math.min(replicas, replicas + surge - keep, newPodsAdmitted[old]!);
    const nodes = placed < wanted ? this.listAllowedNodes(state) : [];
    for (const node of nodes) this.race({ ...state, starting: withAdded(state.starting, node, 1) });
    if (old > keep) for (const next of this.listAfterDeletion(state, old - keep)) this.race(next);
    const canAct = nodes.length > 0 || old > keep;
    if (!canAct || sum(state.starting) > 0) this.becomeReady(state);
  }

  /** Lets the scheduler place the pods that exist, each on every node that it may choose. */
  private place(state: PodsByNode): void {
    if (this.isVisited(state, 'p')) return;
    const { replicas, surge, newPodsAdmitted } = this.model;
    const old = sum(state.old);
    const placed = sum(state.ready) + sum(state.starting);
    const wanted = Math.min(replicas, replicas + surge - old, newPodsAdmitted[old]!);
    if (placed < wanted) {
      const nodes = this.listAllowedNodes(state);
      for (const node of nodes) this.place({ ...state, starting: withAdded(state.starting, node, 1) });
      if (nodes.length > 0) return;
    }
    this.becomeReady(state);
  }

  private becomeReady(state: PodsByNode): void {
    const starting = sum(state.starting);
    if (starting === 0) {
      this.end(state);
      return;
    }
    this.advance({
      ...state,
      ready: state.ready.map((pods, node) => pods + state.starting[node]!),
      starting: state.starting.map(() => 0),
    });
    if (starting === 1) return;
    for (const node of this.representatives(state, (index) => state.starting[index]! > 0)) {
      this.advance({ ...state, ready: withAdded(state.ready, node, 1), starting: withAdded(state.starting, node, -1) });
    }
  }

  private end(state: PodsByNode): void {
    const ready = sum(state.ready);
    this.least = Math.min(this.least, ready);
    this.most = Math.max(this.most, ready);
    if (ready >= this.model.replicas && sum(state.old) === 0) this.finishes = true;
    else this.isStuckSomewhere = true;
  }
}

/** Reports whether it matters that an old pod is still there when a new one is placed. Without such a constraint it only takes capacity. */
function isRacing({ createsBeforeDeletion, affinity, spreads }: RolloutModel): boolean {
  return createsBeforeDeletion === true && (affinity?.countsOld === true || spreads.some(({ countsOld }) => countsOld));
}

/** Returns the outcomes over all placements. Returns undefined if there are too many states, or no place for the old pods. */
export function searchRollout(model: RolloutModel): RolloutOutcomes | undefined {
  const inTurns = new RolloutSearch(model, false).run();
  const isOpen = inTurns !== undefined && inTurns.outcome !== 'some' && isRacing(model);
  const outcomes = (isOpen ? new RolloutSearch(model, true).run() : undefined) ?? inTurns;
  return outcomes && outcomes.newAtMost >= 0 ? outcomes : undefined;
}
