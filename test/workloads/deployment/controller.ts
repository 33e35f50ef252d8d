/**
 * The Deployment controller's loop, step by step. The tests compare the closed forms of `simulateDeployment` with it.
 *
 * Source: k/k pkg/controller/deployment/rolling.go and sync.go. One object is one ReplicaSet.
 * Deleted pods are gone immediately, and the ReplicaSet controller deletes unavailable pods first.
 */
export interface ReplicaSet {
  /** `spec.replicas` */
  readonly replicas: number;
  /** `status.availableReplicas` */
  readonly available: number;
}

/** The replicas and resolved limits of a Deployment. Unavailable is at most `replicas`. */
export interface Limits {
  readonly replicas: number;
  readonly surge: number;
  readonly unavailable: number;
}

export interface State {
  /** The new ReplicaSet. Unset until the controller's first sync creates it. */
  readonly newSet?: ReplicaSet;
  /** The old ReplicaSets, oldest first. */
  readonly oldSets: readonly ReplicaSet[];
}

function sum(sets: readonly ReplicaSet[], field: keyof ReplicaSet): number {
  return sets.reduce((total, set) => total + set[field], 0);
}

export function scaled(set: ReplicaSet, replicas: number): ReplicaSet {
  return { replicas, available: Math.min(set.available, replicas) };
}

/** Implements `NewRSNewReplicas`: as many as fit under replicas + surge, including the desired pods of every ReplicaSet. */
export function newReplicaSetSize(
  { replicas, surge }: Pick<Limits, 'replicas' | 'surge'>,
  sets: readonly ReplicaSet[],
  size: number,
): number {
  const headroom = replicas + surge - sum(sets, 'replicas');
  return headroom <= 0 ? size : size + Math.min(headroom, replicas - size);
}

/** Implements `reconcileNewReplicaSet`. */
export function reconcileNewReplicaSet(limits: Limits, newSet: ReplicaSet, oldSets: readonly ReplicaSet[]): ReplicaSet {
  if (newSet.replicas >= limits.replicas) return scaled(newSet, limits.replicas);
  return scaled(newSet, newReplicaSetSize(limits, [...oldSets, newSet], newSet.replicas));
}

/** Implements `reconcileOldReplicaSets`. */
export function reconcileOldReplicaSets(limits: Limits, newSet: ReplicaSet, oldSets: readonly ReplicaSet[]): readonly ReplicaSet[] {
  if (sum(oldSets, 'replicas') === 0) return oldSets;
  const minAvailable = limits.replicas - limits.unavailable;
  const newUnavailable = newSet.replicas - newSet.available;
  const maxScaledDown = sum([...oldSets, newSet], 'replicas') - minAvailable - newUnavailable;
  if (maxScaledDown <= 0) return oldSets;
  return scaleDownOldReplicaSets(limits, newSet, cleanupUnhealthyReplicas(oldSets, maxScaledDown));
}

/** Implements `cleanupUnhealthyReplicas`: deletes unavailable pods first, oldest ReplicaSet first. */
export function cleanupUnhealthyReplicas(oldSets: readonly ReplicaSet[], max: number): readonly ReplicaSet[] {
  let left = max;
  return oldSets.map((set) => {
    const removed = Math.min(left, set.replicas - set.available);
    left -= removed;
    return scaled(set, set.replicas - removed);
  });
}

/** Implements `scaleDownOldReplicaSetsForRollingUpdate`: deletes as many pods as availability allows, oldest ReplicaSet first. */
export function scaleDownOldReplicaSets(limits: Limits, newSet: ReplicaSet, oldSets: readonly ReplicaSet[]): readonly ReplicaSet[] {
  const minAvailable = limits.replicas - limits.unavailable;
  let left = Math.max(0, sum([...oldSets, newSet], 'available') - minAvailable);
  return oldSets.map((set) => {
    const removed = Math.min(left, set.replicas);
    left -= removed;
    return scaled(set, set.replicas - removed);
  });
}

/**
 * Implements `syncDeployment` for a rolling update without a change of replicas. The sync that creates the new ReplicaSet also scales
 * the old ones, since a creation does not count as scaling. Any later sync scales either the new or the old ones.
 */
export function sync(limits: Limits, { newSet, oldSets }: State): State {
  if (!newSet) {
    const created = { replicas: newReplicaSetSize(limits, oldSets, 0), available: 0 };
    return { newSet: created, oldSets: reconcileOldReplicaSets(limits, created, oldSets) };
  }
  const reconciled = reconcileNewReplicaSet(limits, newSet, oldSets);
  if (reconciled.replicas !== newSet.replicas) return { newSet: reconciled, oldSets };
  return { newSet, oldSets: reconcileOldReplicaSets(limits, newSet, oldSets) };
}

/** Pod counts at one point of a rollout. */
export interface Moment {
  readonly newReplicas: number;
  readonly oldReplicas: number;
  readonly total: number;
  readonly available: number;
}

function momentOf({ newSet = { replicas: 0, available: 0 }, oldSets }: State): Moment {
  const newReplicas = newSet.replicas;
  const oldReplicas = sum(oldSets, 'replicas');
  return { newReplicas, oldReplicas, total: newReplicas + oldReplicas, available: sum([...oldSets, newSet], 'available') };
}

function isSame(a: Moment, b: Moment): boolean {
  return a.newReplicas === b.newReplicas && a.oldReplicas === b.oldReplicas;
}

/** When pods become available: all new pods at each fixed point, all new pods after every sync, or one new pod at each fixed point. */
export type Readiness = 'wave' | 'sync' | 'staggered';

function syncUntilStable(limits: Limits, state: State): State {
  const next = sync(limits, state);
  return isSame(momentOf(next), momentOf(state)) ? next : syncUntilStable(limits, next);
}

function markReady(set: ReplicaSet, pods: number): ReplicaSet {
  return { ...set, available: Math.min(set.replicas, set.available + pods) };
}

/** Returns the rows of a rollout from one old ReplicaSet whose pods are all available. It ends before the first row without a change. */
export function rollOut(limits: Limits, readiness: Readiness = 'wave'): Moment[] {
  const rows: Moment[] = [];
  let state: State = { oldSets: [{ replicas: limits.replicas, available: limits.replicas }] };
  for (;;) {
    const next = readiness === 'sync' ? sync(limits, state) : syncUntilStable(limits, state);
    const isUnchanged = isSame(momentOf(next), momentOf(state));
    const waitsForReadiness = readiness === 'staggered' && next.newSet!.available < next.newSet!.replicas;
    if (isUnchanged && !waitsForReadiness) return rows;
    if (!isUnchanged) rows.push(momentOf(next));
    state = { ...next, newSet: markReady(next.newSet!, readiness === 'staggered' ? 1 : limits.replicas) };
  }
}

/**
 * Returns the rows and the peak of a rollout from any state. The new ReplicaSet exists, and unavailable old pods never become available.
 */
export function rollOutFrom(limits: Limits, start: State): { readonly rows: readonly Moment[]; readonly peak: number } {
  const rows: Moment[] = [];
  let state = start;
  let peak = momentOf(start).total;
  for (;;) {
    const before = momentOf(state);
    for (let next = sync(limits, state); !isSame(momentOf(next), momentOf(state)); next = sync(limits, state)) {
      state = next;
      peak = Math.max(peak, momentOf(state).total);
    }
    const { newSet } = state;
    if (!isSame(momentOf(state), before)) rows.push(momentOf(state));
    else if (newSet!.available === newSet!.replicas) return { rows, peak };
    state = { ...state, newSet: markReady(newSet!, limits.replicas) };
  }
}

/** Counts the waves, or syncs, that create a pod. */
export function iterationsOf(rows: readonly Moment[]): number {
  return rows.filter((row, index) => row.newReplicas > (rows[index - 1]?.newReplicas ?? 0)).length;
}

/** An active ReplicaSet when the Deployment's replicas change during a rollout. */
export interface ScaledSet {
  readonly replicas: number;
  /** The annotation `deployment.kubernetes.io/max-replicas`: replicas + surge when the set was last scaled. */
  readonly maxReplicas: number;
}

function roundHalfAwayFromZero(value: number): number {
  return Math.sign(value) * Math.round(Math.abs(value));
}

/**
 * Implements `scale`: added or removed pods are distributed by size, and the rounding remainder goes to the largest set.
 * On a tie, newer sets come first when scaling up, and older ones when scaling down. `sets` are sorted oldest first.
 */
export function scaleProportionally(replicas: number, surge: number, sets: readonly ScaledSet[]): number[] {
  const allowed = replicas > 0 ? replicas + surge : 0;
  const toAdd = allowed - sets.reduce((total, set) => total + set.replicas, 0);
  if (toAdd === 0) return sets.map((set) => set.replicas);
  const onTie = toAdd > 0 ? -1 : 1;
  const byAge = sets.map((set, age) => ({ set, age }));
  const bySize = byAge.toSorted((a, b) => b.set.replicas - a.set.replicas || onTie * (a.age - b.age));
  const sizes = sets.map((set) => set.replicas);
  let added = 0;
  for (const { set, age } of bySize) {
    const fraction = roundHalfAwayFromZero((set.replicas * (replicas + surge)) / set.maxReplicas) - set.replicas;
    const share = toAdd > 0 ? Math.min(fraction, toAdd - added) : Math.max(fraction, toAdd - added);
    sizes[age] = set.replicas + share;
    added += share;
  }
  const largest = bySize[0]!.age;
  sizes[largest] = Math.max(0, sizes[largest]! + toAdd - added);
  return sizes;
}
