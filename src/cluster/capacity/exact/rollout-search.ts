import { countKeptOldPods } from './rollout-model';
import type { ModelAffinity, ModelSpread, RolloutModel, RolloutOutcomes } from './rollout-model';

/** Maximum number of states that a search visits. Beyond it the search is given up. */
const MAX_STATES = 20_000;

/** Pods by node: old ones, new ones that are ready, and new ones that start. */
interface State {
  readonly old: readonly number[];
  readonly ready: readonly number[];
  readonly starting: readonly number[];
}

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

function isSpreadAllowed(spread: ModelSpread, node: number, { old, ready, starting }: State): boolean {
  const { domainOf, others, exists, isCounted, minDomains, maxSkew, countsOld, countsNew, countsItself, leastOutside, domainsOutside } =
    spread;
  const own = domainOf[node]!;
  if (own < 0) return false;
  const counts = [...others];
  for (let index = 0; index < domainOf.length; index++) {
    if (!isCounted[index]) continue;
    counts[domainOf[index]!]! += (countsOld ? old[index]! : 0) + (countsNew ? ready[index]! + starting[index]! : 0);
  }
  let least = leastOutside;
  let known = domainsOutside;
  for (let domain = 0; domain < counts.length; domain++) {
    if (!exists[domain]) continue;
    known++;
    least = Math.min(least, counts[domain]!);
  }
  if (known < minDomains || least === Infinity) least = 0;
  // A domain without a counted node has no count.
  const count = exists[own] ? counts[own]! : 0;
  return count + (countsItself ? 1 : 0) - least <= maxSkew;
}

function isAffinityAllowed(
  { terms, others, hasOthers, countsOld, countsNew }: ModelAffinity,
  node: number,
  { old, ready, starting }: State,
): boolean {
  if (terms.some(({ domainOf }) => domainOf[node]! < 0)) return false;
  let isAnyCounted = hasOthers;
  let isSatisfied = true;
  terms.forEach(({ domainOf }, term) => {
    const own = domainOf[node]!;
    let isInDomain = others[term]![own]! > 0;
    for (let index = 0; index < domainOf.length; index++) {
      if (domainOf[index]! < 0) continue;
      const count = (countsOld ? old[index]! : 0) + (countsNew ? ready[index]! + starting[index]! : 0);
      if (count === 0) continue;
      isAnyCounted = true;
      isInDomain ||= domainOf[index] === own;
    }
    isSatisfied &&= isInDomain;
  });
  return isSatisfied || (!isAnyCounted && countsNew);
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
    const groupOf = new Map(this.groups.flatMap((group, index) => group.map((node) => [node, index] as const)));
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

  private keyOf({ old, ready, starting }: State): string {
    let key = '';
    for (const group of this.groups) {
      const cells = group.map((node) => `${old[node]},${ready[node]},${starting[node]}`);
      if (cells.length > 1) cells.sort();
      key += `${cells.join(' ')}|`;
    }
    return key;
  }

  private isVisited(state: State, phase: string): boolean {
    const key = phase + this.keyOf(state);
    if (this.visited.has(key)) return true;
    if (this.visited.size >= MAX_STATES) throw new SearchLimitError();
    this.visited.add(key);
    return false;
  }

  /** Returns one node of each kind of node in the same state. */
  private representatives(state: State, isCandidate: (node: number) => boolean): number[] {
    const found: number[] = [];
    for (const group of this.groups) {
      const seen = new Set<string>();
      for (const node of group) {
        if (!isCandidate(node)) continue;
        const key = `${state.old[node]},${state.ready[node]},${state.starting[node]}`;
        if (seen.has(key)) continue;
        seen.add(key);
        found.push(node);
      }
    }
    return found;
  }

  private isAllowed(node: number, state: State): boolean {
    const { nodes, spreads, antiAffinities, affinity, nodesByPod } = this.model;
    const { old, ready, starting } = state;
    if (nodesByPod && nodesByPod[sum(ready) + sum(starting)]![node] === false) return false;
    if (ready[node]! + starting[node]! >= (nodes[node]!.newPodsBesideOld[old[node]!] ?? 0)) return false;
    for (const { domainOf, avoidsOld, avoidsNew } of antiAffinities) {
      const own = domainOf[node]!;
      if (own < 0) continue;
      for (let index = 0; index < domainOf.length; index++) {
        if (domainOf[index] !== own) continue;
        if ((avoidsOld && old[index]! > 0) || (avoidsNew && ready[index]! + starting[index]! > 0)) return false;
      }
    }
    return (
      spreads.every((spread) => isSpreadAllowed(spread, node, state)) &&
      (affinity === undefined || isAffinityAllowed(affinity, node, state))
    );
  }

  /** Lists what is left if the controller deletes a number of old pods. Without an order, pods on nodes with the most pods of the workload are first. */
  private listAfterDeletion(state: State, count: number): State[] {
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

  /** Lists each way to delete a number of old pods from some nodes. */
  private listDeletions(state: State, nodes: readonly number[], count: number): State[] {
    const found = new Map<string, State>();
    const remove = (old: readonly number[], position: number, left: number): void => {
      if (left === 0) {
        const next = { ...state, old };
        found.set(this.keyOf(next), next);
        return;
      }
      if (position === nodes.length) return;
      const node = nodes[position]!;
      for (let pods = 0; pods <= Math.min(left, old[node]!); pods++) remove(withAdded(old, node, -pods), position + 1, left - pods);
      if (found.size > MAX_STATES) throw new SearchLimitError();
    };
    remove(state.old, 0, count);
    return [...found.values()];
  }

  /** Lets the controller delete old pods until it waits for a pod to become ready. */
  private advance(state: State): void {
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
  private race(state: State): void {
    if (this.isVisited(state, 'r')) return;
    const { replicas, surge, newPodsAdmitted } = this.model;
    const old = sum(state.old);
    const keep = Math.min(old, countKeptOldPods(this.model, sum(state.ready)));
    const placed = sum(state.ready) + sum(state.starting);
    const wanted = Math.min(replicas, replicas + surge - keep, newPodsAdmitted[old]!);
    const nodes = placed < wanted ? this.representatives(state, (node) => this.isAllowed(node, state)) : [];
    for (const node of nodes) this.race({ ...state, starting: withAdded(state.starting, node, 1) });
    if (old > keep) for (const next of this.listAfterDeletion(state, old - keep)) this.race(next);
    const canAct = nodes.length > 0 || old > keep;
    if (!canAct || sum(state.starting) > 0) this.becomeReady(state);
  }

  /** Lets the scheduler place the pods that exist, each on every node that it may choose. */
  private place(state: State): void {
    if (this.isVisited(state, 'p')) return;
    const { replicas, surge, newPodsAdmitted } = this.model;
    const old = sum(state.old);
    const placed = sum(state.ready) + sum(state.starting);
    const wanted = Math.min(replicas, replicas + surge - old, newPodsAdmitted[old]!);
    if (placed < wanted) {
      const nodes = this.representatives(state, (node) => this.isAllowed(node, state));
      for (const node of nodes) this.place({ ...state, starting: withAdded(state.starting, node, 1) });
      if (nodes.length > 0) return;
    }
    this.becomeReady(state);
  }

  private becomeReady(state: State): void {
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

  private end(state: State): void {
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
