import { groupBy } from '../../../core/collections/group-by';
import { findMax, findMin } from '../../../core/values/min-max';
import { createNodeCheck } from '../exact/placement-constraints';
import type { RolloutModel, RolloutOutcomes } from '../exact/rollout-model';

/** Maximum number of states that a search visits, and of nodes in all of them. Beyond either the search is given up. */
const MAX_STATES = 20_000;
const MAX_STATE_NODES = 600_000;

/** A DaemonSet on nodes. Each new pod is for one node. */
export interface DaemonModel {
  readonly model: RolloutModel;
  /** Whether the DaemonSet creates a new pod for a node of the model. An old pod on any other node is deleted. */
  readonly isWanted: readonly boolean[];
  /** Number of nodes that need a pod and are not in the model, because they have capacity for none. */
  readonly stuck: number;
}

/** The new pod of a node. */
type NewPod = 'none' | 'pending' | 'starting' | 'ready';

/** Old and new pods by node. */
interface State {
  readonly old: readonly boolean[];
  readonly next: readonly NewPod[];
}

function withNext(state: State, node: number, pod: NewPod): State {
  return { ...state, next: state.next.with(node, pod) };
}

function withoutOld(state: State, node: number): State {
  return { ...state, old: state.old.with(node, false) };
}

function countNodes({ old, next }: State, matches: (old: boolean, next: NewPod) => boolean): number {
  return next.filter((pod, node) => matches(old[node]!, pod)).length;
}

/**
 * Lists the states that the controller may create in one step, for any order of nodes.
 *
 * Without a surge it deletes an old pod while fewer than maxUnavailable new ones are not available. With a surge it creates a new pod next to
 * an old one while fewer than maxSurge of these are not available, and then deletes the old one. Source: k/k pkg/controller/daemon/update.go,
 * `rollingUpdate`, and daemon_controller.go, `manage`.
 */
function listControllerSteps(
  state: State,
  { model: { surge, unavailable }, isWanted, stuck }: DaemonModel,
  nodes: readonly number[],
): State[] {
  const isUnavailable = (pod: NewPod) => pod === 'pending' || pod === 'starting';
  const canReplace =
    surge > 0
      ? countNodes(state, (old, pod) => old && isUnavailable(pod)) < surge
      : countNodes(state, (_, pod) => isUnavailable(pod)) + stuck < unavailable;
  return nodes.flatMap((node) => {
    const pod = state.next[node]!;
    const hasOld = state.old[node]!;
    if (!isWanted[node]!) return hasOld ? [withoutOld(state, node)] : [];
    if (pod === 'none' && !hasOld) return [withNext(state, node, 'pending')];
    if (pod === 'ready' && hasOld) return [withoutOld(state, node)];
    if (pod !== 'none' || !canReplace) return [];
    // A pod that is deleted leaves its node to the new one at once.
    return [withNext(surge > 0 ? state : withoutOld(state, node), node, 'pending')];
  });
}

function listPlacements(state: State, { model }: DaemonModel, nodes: readonly number[]): State[] {
  const toCounts = (isCounted: (node: number) => boolean) => state.next.map((_, node) => (isCounted(node) ? 1 : 0));
  const counts = {
    old: toCounts((node) => state.old[node]!),
    next: toCounts((node) => state.next[node] === 'ready' || state.next[node] === 'starting'),
  };
  const isAllowed = createNodeCheck(model, counts);
  return nodes.flatMap((node) => (state.next[node] === 'pending' && isAllowed(node) ? [withNext(state, node, 'starting')] : []));
}

function listReadinesses(state: State, nodes: readonly number[]): State[] {
  return nodes.flatMap((node) => (state.next[node] === 'starting' ? [withNext(state, node, 'ready')] : []));
}

function formatNode({ old, next }: State, node: number): string {
  return `${next[node]![0]}${old[node] ? '+' : ''}`;
}

/** Groups the nodes that no pod can distinguish. */
function groupEqualNodes({ model: { nodes }, isWanted }: DaemonModel): readonly (readonly number[])[] {
  return [...groupBy([...nodes.keys()], (node) => `${isWanted[node]} ${nodes[node]!.signature}`).values()];
}

/** Returns a key of a state, the same for states that differ by an exchange of equal nodes. */
function keyOf(state: State, groups: readonly (readonly number[])[]): string {
  return groups
    .map((nodes) =>
      nodes
        .map((node) => formatNode(state, node))
        .toSorted()
        .join(' '),
    )
    .join('|');
}

/** Returns one node of each group for each state of a node. */
function listRepresentatives(state: State, groups: readonly (readonly number[])[]): number[] {
  return groups.flatMap((nodes) => [...new Map(nodes.map((node) => [formatNode(state, node), node])).values()]);
}

/**
 * Visits every state that the rollout of a DaemonSet can reach: the controller, the scheduler and the pods act in any order. Returns undefined
 * if there are too many states.
 */
export function searchDaemonSet(daemon: DaemonModel): RolloutOutcomes | undefined {
  const { model, isWanted, stuck } = daemon;
  const start: State = { old: model.oldByNode!.map((pods) => pods > 0), next: isWanted.map(() => 'none') };
  const groups = groupEqualNodes(daemon);
  const maxStates = Math.min(MAX_STATES, Math.ceil(MAX_STATE_NODES / isWanted.length));
  const visited = new Set([keyOf(start, groups)]);
  const pending = [start];
  const ends: { readonly ready: number; readonly isFinished: boolean }[] = [];
  for (let state = pending.pop(); state; state = pending.pop()) {
    const nodes = listRepresentatives(state, groups);
    const following = [
      ...listControllerSteps(state, daemon, nodes),
      ...listPlacements(state, daemon, nodes),
      ...listReadinesses(state, nodes),
    ];
    if (following.length === 0) {
      const ready = countNodes(state, (_, pod) => pod === 'ready');
      ends.push({ ready, isFinished: stuck === 0 && ready === isWanted.filter(Boolean).length });
    }
    for (const next of following) {
      const key = keyOf(next, groups);
      if (visited.has(key)) continue;
      if (visited.size >= maxStates) return undefined;
      visited.add(key);
      pending.push(next);
    }
  }
  const finished = ends.filter(({ isFinished }) => isFinished).length;
  const ready = ends.map((end) => end.ready);
  return {
    outcome: finished === 0 ? 'none' : finished < ends.length ? 'some' : 'every',
    newAtLeast: findMin(ready),
    newAtMost: findMax(ready),
  };
}
