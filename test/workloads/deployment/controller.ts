/**
 * The Deployment controller's loop, step by step, as the real one does it: what the closed forms of `simulateDeployment` are held to.
 *
 * Source: k/k pkg/controller/deployment/rolling.go and sync.go. One object is one ReplicaSet;
 * deleted pods are gone at once, and the ReplicaSet controller deletes pods that are not available first.
 */
export interface ReplicaSet {
  /** `spec.replicas` */
  readonly replicas: number;
  /** `status.availableReplicas` */
  readonly available: number;
}

/** A Deployment with its limits resolved, unavailable at most `replicas`. */
export interface Limits {
  readonly replicas: number;
  readonly surge: number;
  readonly unavailable: number;
}

export interface State {
  /** Absent until the controller's first sync creates it. */
  readonly newSet?: ReplicaSet;
  /** Oldest first. */
  readonly oldSets: readonly ReplicaSet[];
}

function sum(sets: readonly ReplicaSet[], field: keyof ReplicaSet): number {
  return sets.reduce((total, set) => total + set[field], 0);
}

export function scaled(set: ReplicaSet, replicas: number): ReplicaSet {
  return { replicas, available: Math.min(set.available, replicas) };
}

/** `NewRSNewReplicas`: as many as fit under replicas + surge, counting what every ReplicaSet asks for. */
export function newReplicaSetSize(
  { replicas, surge }: Pick<Limits, 'replicas' | 'surge'>,
  sets: readonly ReplicaSet[],
  size: number,
): number {
  const room = replicas + surge - sum(sets, 'replicas');
  return room <= 0 ? size : size + Math.min(room, replicas - size);
}

/** `reconcileNewReplicaSet` */
export function reconcileNewReplicaSet(limits: Limits, newSet: ReplicaSet, oldSets: readonly ReplicaSet[]): ReplicaSet {
  if (newSet.replicas >= limits.replicas) return scaled(newSet, limits.replicas);
  return scaled(newSet, newReplicaSetSize(limits, [...oldSets, newSet], newSet.replicas));
}

/** `reconcileOldReplicaSets` */
export function reconcileOldReplicaSets(limits: Limits, newSet: ReplicaSet, oldSets: readonly ReplicaSet[]): readonly ReplicaSet[] {
  if (sum(oldSets, 'replicas') === 0) return oldSets;
  const minAvailable = limits.replicas - limits.unavailable;
  const newUnavailable = newSet.replicas - newSet.available;
  const maxScaledDown = sum([...oldSets, newSet], 'replicas') - minAvailable - newUnavailable;
  if (maxScaledDown <= 0) return oldSets;
  return scaleDownOldReplicaSets(limits, newSet, cleanupUnhealthyReplicas(oldSets, maxScaledDown));
}

/** `cleanupUnhealthyReplicas`: pods that serve nobody go first, oldest ReplicaSet first. */
export function cleanupUnhealthyReplicas(oldSets: readonly ReplicaSet[], max: number): readonly ReplicaSet[] {
  let left = max;
  return oldSets.map((set) => {
    const removed = Math.min(left, set.replicas - set.available);
    left -= removed;
    return scaled(set, set.replicas - removed);
  });
}

/** `scaleDownOldReplicaSetsForRollingUpdate`: as many as availability allows, oldest ReplicaSet first. */
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
 * `syncDeployment` of a rolling update whose replicas have not changed. The sync that creates the new ReplicaSet goes on to the old ones,
 * for a creation is no scaling; any later sync goes one way only.
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

/** What a rollout shows at one moment. */
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

/** When pods become available: all new ones at each fix point, all after every sync, or one new one at each fix point. */
export type Readiness = 'wave' | 'sync' | 'staggered';

function settled(limits: Limits, state: State): State {
  const next = sync(limits, state);
  return isSame(momentOf(next), momentOf(state)) ? next : settled(limits, next);
}

function ready(set: ReplicaSet, pods: number): ReplicaSet {
  return { ...set, available: Math.min(set.replicas, set.available + pods) };
}

/** The rows of a rollout from one old ReplicaSet whose pods are all available; a row that changes nothing ends it and is left out. */
export function rollOut(limits: Limits, readiness: Readiness = 'wave'): Moment[] {
  const rows: Moment[] = [];
  let state: State = { oldSets: [{ replicas: limits.replicas, available: limits.replicas }] };
  for (;;) {
    const next = readiness === 'sync' ? sync(limits, state) : settled(limits, state);
    const isUnchanged = isSame(momentOf(next), momentOf(state));
    const waitsForReadiness = readiness === 'staggered' && next.newSet!.available < next.newSet!.replicas;
    if (isUnchanged && !waitsForReadiness) return rows;
    if (!isUnchanged) rows.push(momentOf(next));
    state = { ...next, newSet: ready(next.newSet!, readiness === 'staggered' ? 1 : limits.replicas) };
  }
}

/** The rows of a rollout from wherever it stands, and the most pods at any moment; the new ReplicaSet is there, and pods of old ones that are not available never will be. */
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
    state = { ...state, newSet: ready(newSet!, limits.replicas) };
  }
}

/** Waves, or syncs, that create a pod. */
export function iterationsOf(rows: readonly Moment[]): number {
  return rows.filter((row, index) => row.newReplicas > (rows[index - 1]?.newReplicas ?? 0)).length;
}

/** An active ReplicaSet when the Deployment's replicas change in the middle of a rollout. */
export interface ScaledSet {
  readonly replicas: number;
  /** The annotation `deployment.kubernetes.io/max-replicas`: replicas + surge when the set was last scaled. */
  readonly maxReplicas: number;
}

function roundHalfAwayFromZero(value: number): number {
  return Math.sign(value) * Math.round(Math.abs(value));
}

/**
 * `scale`: what is added or taken away is spread by size, and what rounding leaves goes to the largest;
 * on a tie newer sets come first when scaling up, older ones when scaling down. `sets` are oldest first.
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
