/** A Deployment that shares a few nodes with others. Each of its pods uses `size` of a node. */
export interface SmallDeployment {
  readonly replicas: number;
  readonly surge: number;
  readonly unavailable: number;
  readonly size: number;
}

/** Pods of one Deployment: old and new pods by node, and new pods without a node. */
interface Pods {
  readonly old: readonly number[];
  readonly new: readonly number[];
  readonly pending: number;
}

type State = readonly Pods[];

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}

function addAt(counts: readonly number[], index: number, change: number): number[] {
  return counts.map((count, position) => (position === index ? count + change : count));
}

function freeOn(state: State, deployments: readonly SmallDeployment[], node: number, capacity: number): number {
  return capacity - sum(state.map((pods, index) => (pods.old[node]! + pods.new[node]!) * deployments[index]!.size));
}

/** Returns everything that the controller or a scheduler may do next to one Deployment. A pod with a node is ready at once. */
function movesOf(state: State, index: number, deployments: readonly SmallDeployment[], capacity: number): Pods[] {
  const pods = state[index]!;
  const { replicas, surge, unavailable, size } = deployments[index]!;
  const running = sum(pods.old) + sum(pods.new);
  const moves: Pods[] = [];
  const mayCreate = sum(pods.new) + pods.pending < replicas && running + pods.pending < replicas + surge;
  if (mayCreate) moves.push({ ...pods, pending: pods.pending + 1 });
  pods.old.forEach((count, node) => {
    if (count > 0 && running > replicas - unavailable) moves.push({ ...pods, old: addAt(pods.old, node, -1) });
    if (pods.pending > 0 && freeOn(state, deployments, node, capacity) >= size) {
      moves.push({ ...pods, new: addAt(pods.new, node, 1), pending: pods.pending - 1 });
    }
  });
  return moves;
}

/** Returns every placement of these pods on the nodes. */
function placements(deployments: readonly SmallDeployment[], nodes: number, capacity: number): State[] {
  let states: State[] = [deployments.map(() => ({ old: Array<number>(nodes).fill(0), new: Array<number>(nodes).fill(0), pending: 0 }))];
  deployments.forEach(({ replicas, size }, index) => {
    for (let pod = 0; pod < replicas; pod++) {
      const next = states.flatMap((state) =>
        Array.from({ length: nodes }, (_, node) => node)
          .filter((node) => freeOn(state, deployments, node, capacity) >= size)
          .map((node) => state.map((pods, position) => (position === index ? { ...pods, old: addAt(pods.old, node, 1) } : pods))),
      );
      states = [...new Map(next.map((state) => [JSON.stringify(state), state])).values()];
    }
  });
  return states;
}

/** Reports whether these Deployments can deadlock when all of them roll out at once, for any initial placement and any scheduler. */
export function canDeadlock(deployments: readonly SmallDeployment[], nodes: number, capacity: number): boolean {
  const seen = new Set<string>();
  const open = placements(deployments, nodes, capacity);
  while (open.length > 0) {
    const state = open.pop()!;
    const key = JSON.stringify(state);
    if (seen.has(key)) continue;
    seen.add(key);
    const next = state.flatMap((_, index) =>
      movesOf(state, index, deployments, capacity).map((pods) => state.map((current, position) => (position === index ? pods : current))),
    );
    const isDone = state.every((pods, index) => sum(pods.new) === deployments[index]!.replicas && sum(pods.old) === 0);
    if (next.length === 0 && !isDone) return true;
    open.push(...next);
  }
  return false;
}
