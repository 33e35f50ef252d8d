import { createNodeCheck } from './placement-constraints';
import { countKeptOldPods } from './rollout-model';
import type { RolloutModel, RolloutOutcomes } from './rollout-model';
import { encodeCells, SearchStates } from './search-states';
import type { SearchState } from './search-states';

/** Maximum number of states that a search visits. Beyond it the search is given up. */
const MAX_STATES = 20_000;

/** Maximum number of nodes of all states that a search visits, so that a search of many nodes takes no longer than one of few. */
const MAX_STATE_NODES = 60_000;

class SearchLimitError extends Error {}

/**
 * Visits every state that a rollout can reach: each node that the scheduler may choose, each tie among old pods, and new pods that become
 * ready together or one at a time.
 *
 * The controller deletes old pods first, then the scheduler places pods, then pods become ready. Source: k/k
 * pkg/controller/deployment/rolling.go; pkg/controller/replicaset/replica_set.go, `getPodsToDelete`.
 */
class RolloutSearch {
  private readonly visited = new Set<string>();
  private readonly states: SearchStates;
  private readonly maxStates: number;
  /** Old pods that no new one replaces. */
  private readonly keptOld: number;
  private finishes = false;
  private least = Infinity;
  private most = -1;
  private isStuckSomewhere = false;

  /** @param isRaced whether the scheduler may act before the controller is done */
  constructor(
    private readonly model: RolloutModel,
    private readonly isRaced: boolean,
  ) {
    this.states = new SearchStates(model);
    this.keptOld = model.keptOld ?? 0;
    this.maxStates = Math.min(MAX_STATES, Math.ceil(MAX_STATE_NODES / Math.max(1, model.nodes.length)));
  }

  run(): RolloutOutcomes | undefined {
    try {
      for (const start of this.states.listStarts()) this.advance(start);
    } catch (error) {
      if (error instanceof SearchLimitError) return undefined;
      throw error;
    }
    const outcome = this.finishes ? (this.isStuckSomewhere ? 'some' : 'every') : 'none';
    return { outcome, newAtLeast: this.least, newAtMost: this.most };
  }

  private isVisited({ cells, ready }: SearchState, phase: string): boolean {
    const key = `${phase}${ready} ${encodeCells(cells)}`;
    if (this.visited.has(key)) return true;
    if (this.visited.size >= this.maxStates) throw new SearchLimitError();
    this.visited.add(key);
    return false;
  }

  /** Lists the nodes that the scheduler may choose for the next new pod, one of each kind of node in the same state. */
  private listAllowedNodes(state: SearchState): number[] {
    const own = this.model.nodesByPod?.[state.ready + state.starting];
    const isAllowed = createNodeCheck(this.model, this.states.toPodsByNode(state));
    return this.states.listRepresentatives(state.cells, (node) => own?.[node] !== false && isAllowed(node));
  }

  /** Lets the controller delete old pods until it waits for a pod to become ready. */
  private advance(state: SearchState): void {
    if (this.isRaced) {
      this.race(state);
      return;
    }
    if (this.isVisited(state, 'a')) return;
    const excess = state.old - this.keptOld - countKeptOldPods(this.model, state.ready);
    for (const next of excess > 0 ? this.states.listAfterDeletion(state, excess) : [state]) this.place(next);
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
    for (const node of nodes) this.race(this.states.withStarted(state, node));
    if (old > keep) for (const next of this.states.listAfterDeletion(state, old - keep)) this.race(next);
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
      for (const node of nodes) this.place(this.states.withStarted(state, node));
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

/** Returns the outcomes over all placements. Returns undefined if there are too many states, or no place for the old pods. */
export function searchRollout(model: RolloutModel): RolloutOutcomes | undefined {
  const inTurns = new RolloutSearch(model, false).run();
  const isOpen = inTurns !== undefined && inTurns.outcome !== 'some' && isRacing(model);
  const outcomes = (isOpen ? new RolloutSearch(model, true).run() : undefined) ?? inTurns;
  return outcomes && outcomes.newAtMost >= 0 ? outcomes : undefined;
}
