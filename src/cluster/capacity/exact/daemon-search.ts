import { findMax, findMin } from '../../../core/min-max';
import type { RolloutModel, RolloutOutcomes } from './rollout-model';
import { createNodeCheck } from './placement-constraints';

/** Maximum number of states that a search visits. Beyond it the search is given up. */
const MAX_STATES = 20_000;

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
function listControllerSteps(state: State, { model: { surge, unavailable }, isWanted, stuck }: DaemonModel): State[] {
  const isUnavailable = (pod: NewPod) => pod === 'pending' || pod === 'starting';
  const canReplace =
    surge > 0
      ? countNodes(state, (old, pod) => old && isUnavailable(pod)) < surge
      : countNodes(state, (_, pod) => isUnavailable(pod)) + stuck < unavailable;
  return state.next.flatMap((pod, node) => {
    const hasOld = state.old[node]!;
    if (!isWanted[node]!) return hasOld ? [withoutOld(state, node)] : [];
    if (pod === 'none' && !hasOld) return [withNext(state, node, 'pending')];
    if (pod === 'ready' && hasOld) return [withoutOld(state, node)];
    if (pod !== 'none' || !canReplace) return [];
    // A pod that is deleted leaves its node to the new one at once.
    return [withNext(surge > 0 ? state : withoutOld(state, node), node, 'pending')];
  });
}

function listPlacements(state: State, { model }: DaemonModel): State[] {
  const toCounts = (isCounted: (node: number) => boolean) => state.next.map((_, node) => (isCounted(node) ? 1 : 0));
  const counts = {
    old: toCounts((node) => state.old[node]!),
    next: toCounts((node) => state.next[node] === 'ready' || state.next[node] === 'starting'),
  };
  const isAllowed = createNodeCheck(model, counts);
  return state.next.flatMap((pod, node) => (pod === 'pending' && isAllowed(node) ? [withNext(state, node, 'starting')] : []));
}

function listReadinesses(state: State): State[] {
  return state.next.flatMap((pod, node) => (pod === 'starting' ? [withNext(state, node, 'ready')] : []));
}

function keyOf({ old, next }: State): string {
  return next.map((pod, node) => `${pod[0]}${old[node] ? '+' : ''}`).join(' ');
}

/**
 * Visits every state that the rollout of a DaemonSet can reach: the controller, the scheduler and the pods act in any order. Returns undefined
 * if there are too many states.
 */
export function searchDaemonSet(daemon: DaemonModel): RolloutOutcomes | undefined {
  const { model, isWanted, stuck } = daemon;
  const start: State = { old: model.oldByNode!.map((pods) => pods > 0), next: isWanted.map(() => 'none') };
  const visited = new Set([keyOf(start)]);
  const pending = [start];
  const ends: { readonly ready: number; readonly isFinished: boolean }[] = [];
  for (let state = pending.pop(); state; state = pending.pop()) {
    const following = [...listControllerSteps(state, daemon), ...listPlacements(state, daemon), ...listReadinesses(state)];
    if (following.length === 0) {
      const ready = countNodes(state, (_, pod) => pod === 'ready');
      ends.push({ ready, isFinished: stuck === 0 && ready === isWanted.filter(Boolean).length });
    }
    for (const next of following) {
      const key = keyOf(next);
      if (visited.has(key)) continue;
      if (visited.size >= MAX_STATES) return undefined;
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
