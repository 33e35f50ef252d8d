import type { ReplicaSetState } from '../../cluster/rollout/initial-state';
import { scaleRoundedUp } from '../../core/values/int-or-percent';
import { resolveFenceposts } from './strategy';
import type { DeploymentStrategy } from './types';

interface MutableReplicaSet {
  readonly isNew: boolean;
  size: number;
  available: number;
  /** Old pods that were unavailable at the start and never become available. */
  broken: number;
  desired: number | undefined;
  most: number | undefined;
}

function sum(sets: readonly MutableReplicaSet[], select: (set: MutableReplicaSet) => number): number {
  return sets.reduce((total, set) => total + select(set), 0);
}

function roundHalfAway(value: number): number {
  return value < 0 ? -Math.round(-value) : Math.round(value);
}

/** Pod counts at one point in time. */
export interface ReplicaCounts {
  readonly newReplicas: number;
  readonly oldReplicas: number;
  readonly available: number;
}

/**
 * The reconcile loop of the Deployment controller over ReplicaSets of any size. It covers a change of replicas together with the template,
 * a rollout that overtakes an unfinished one, and a rollback to a template whose pods still run.
 *
 * `reconcile` runs the loop until nothing is left to do before a pod becomes available.
 * `markPodsReady` makes all pods available except those that were broken at the start. ReplicaSets are sorted oldest first.
 * Deleted pods disappear at once, unavailable ones first.
 *
 * Sources: k/k v1.34.4 pkg/controller/deployment: deployment_controller.go (`syncDeployment`, `isScalingEvent`), sync.go (`scale`),
 * rolling.go, recreate.go, util/deployment_util.go (`GetReplicaSetProportion`, `NewRSNewReplicas`, `ResolveFenceposts`).
 */
export class DeploymentController {
  private readonly sets: MutableReplicaSet[];
  private readonly limits: { readonly surge: number; readonly unavailable: number } | undefined;

  constructor(
    strategy: DeploymentStrategy,
    private readonly replicas: number,
    initialReplicaSets: readonly ReplicaSetState[],
  ) {
    this.sets = initialReplicaSets.map(({ isNew, size, available, desired, most }) => ({
      isNew,
      size,
      available,
      broken: isNew ? 0 : size - available,
      desired,
      most,
    }));
    if (strategy.type === 'Recreate') return;
    const { surge, unavailable } = resolveFenceposts(strategy.rollingUpdate, replicas);
    this.limits = { surge, unavailable: Math.min(unavailable, replicas) };
    this.rawSurge = scaleRoundedUp(strategy.rollingUpdate.maxSurge, replicas);
  }

  /** The surge that the creation of a ReplicaSet uses, without the fencepost rule. */
  private readonly rawSurge: number = 0;

  get current(): ReplicaCounts {
    return {
      newReplicas: sum(this.sets, (set) => (set.isNew ? set.size : 0)),
      oldReplicas: sum(this.sets, (set) => (set.isNew ? 0 : set.size)),
      available: sum(this.sets, (set) => set.available),
    };
  }

  /** The highest number of pods so far. */
  peak = 0;

  /** Runs the loop until it has nothing left to do before a pod becomes available. Returns whether it changed anything. */
  reconcile(): boolean {
    let changed = false;
    this.recordPeak();
    // Every sync makes progress or is the last. The bound is a safeguard for a state that no controller produces.
    for (let sync = 0; sync < MAX_SYNCS && this.sync(); sync++) {
      changed = true;
      this.recordPeak();
    }
    return changed;
  }

  /** Makes every pod available that ever becomes available. Returns whether there were any. */
  markPodsReady(): boolean {
    const before = this.current.available;
    for (const set of this.sets) {
      set.broken = Math.min(set.broken, set.size);
      set.available = set.size - set.broken;
    }
    return this.current.available > before;
  }

  /** Skips waves that repeat the last one: in each, the old pod count falls and the new one rises by `step`. */
  skipWaves(waves: number, step: number): void {
    const oldest = this.sets.find(({ isNew, size }) => !isNew && size > 0);
    const newest = this.sets.find(({ isNew }) => isNew);
    if (!oldest || !newest) return;
    this.resize(oldest, oldest.size - waves * step, false);
    this.resize(newest, newest.size + waves * step, false);
    newest.available = newest.size;
  }

  /** The sizes of the old ReplicaSets that have pods. */
  get oldSizes(): number[] {
    return this.sets.filter(({ isNew, size }) => !isNew && size > 0).map(({ size }) => size);
  }

  private recordPeak(): void {
    this.peak = Math.max(
      this.peak,
      sum(this.sets, ({ size }) => size),
    );
  }

  private get maxTotal(): number {
    return this.replicas === 0 ? 0 : this.replicas + (this.limits?.surge ?? 0);
  }

  private get activeSets(): MutableReplicaSet[] {
    return this.sets.filter(({ size }) => size > 0);
  }

  private sync(): boolean {
    if (this.activeSets.some(({ desired }) => desired !== undefined && desired !== this.replicas)) return this.scale();
    return this.limits ? this.roll() : this.recreate();
  }

  /** Sets a ReplicaSet's size, and its annotations if `annotates`. Returns whether anything differed. */
  private resize(set: MutableReplicaSet, size: number, annotates = true): boolean {
    const differs = set.size !== size || (annotates && (set.desired !== this.replicas || set.most !== this.maxTotal));
    const removed = Math.max(0, set.size - size);
    const unready = set.size - set.available;
    set.available -= Math.max(0, removed - unready);
    set.broken = Math.max(0, set.broken - removed);
    set.size = size;
    if (annotates) {
      set.desired = this.replicas;
      set.most = this.maxTotal;
    }
    return differs;
  }

  private scale(): boolean {
    const { activeSets } = this;
    const newest = this.sets.find(({ isNew }) => isNew);
    const only = activeSets.length > 1 ? undefined : (activeSets[0] ?? newest ?? this.sets.at(-1));
    if (only) return only.size === this.replicas ? this.clearAnnotations(only) : this.resize(only, this.replicas);
    if (newest && newest.size === this.replicas && newest.desired === this.replicas && newest.available === this.replicas) {
      return activeSets.filter(({ isNew }) => !isNew).reduce((changed, set) => this.resize(set, 0) || changed, false);
    }
    return this.limits ? this.scaleProportionally(activeSets) : false;
  }

  /**
   * Clears `desired` so that the next sync rolls instead of scaling forever: the controller does not update
   * a single active ReplicaSet that already has the right size.
   */
  private clearAnnotations(set: MutableReplicaSet): boolean {
    set.desired = undefined;
    return true;
  }

  private scaleProportionally(activeSets: readonly MutableReplicaSet[]): boolean {
    const allowed = this.maxTotal;
    const add = allowed - sum(activeSets, ({ size }) => size);
    const position = new Map(this.sets.map((set, index) => [set, index]));
    const bySize = activeSets.toSorted((a, b) => {
      const byAge = position.get(b)! - position.get(a)!;
      return b.size - a.size || (add > 0 ? byAge : -byAge);
    });
    let added = 0;
    const sizes = bySize.map((set) => {
      const part = add === 0 || add === added ? 0 : this.computeShare(set, add, added);
      added += part;
      return set.size + part;
    });
    if (add !== 0 && sizes.length > 0) sizes[0] = Math.max(0, sizes[0]! + add - added);
    return bySize.reduce((changed, set, index) => this.resize(set, sizes[index]!) || changed, false);
  }

  private computeShare(set: MutableReplicaSet, add: number, added: number): number {
    const fraction = this.computeFraction(set);
    return add > 0 ? Math.min(fraction, add - added) : Math.max(fraction, add - added);
  }

  private computeFraction({ size, most }: MutableReplicaSet): number {
    if (this.replicas === 0) return -size;
    const before = most ? most : sum(this.sets, (set) => set.size);
    return before === 0 ? 0 : roundHalfAway((size * (this.replicas + this.limits!.surge)) / before) - size;
  }

  /** Computes how large the new ReplicaSet may be now (`NewRSNewReplicas`). */
  private computeNewSize(size: number): number {
    if (!this.limits) return this.replicas;
    const most = this.replicas + this.rawSurge;
    const current = sum(this.sets, (set) => set.size);
    return current >= most ? size : size + Math.min(most - current, this.replicas - size);
  }

  private create(): MutableReplicaSet {
    const size = this.computeNewSize(0);
    const created = { isNew: true, size, available: 0, broken: 0, desired: this.replicas, most: this.maxTotal };
    this.sets.push(created);
    return created;
  }

  private roll(): boolean {
    const known = this.sets.find(({ isNew }) => isNew);
    const newest = known ?? this.create();
    if (newest.size !== this.replicas) {
      const size = newest.size > this.replicas ? this.replicas : this.computeNewSize(newest.size);
      if (size !== newest.size) return this.resize(newest, size);
    }
    return this.shrinkOld(newest) || (known === undefined && newest.size > 0);
  }

  private shrinkOld(newest: MutableReplicaSet): boolean {
    const old = this.sets.filter(({ isNew, size }) => !isNew && size > 0);
    const minimum = this.replicas - this.limits!.unavailable;
    let headroom = sum(this.sets, ({ size }) => size) - minimum - (newest.size - newest.available);
    if (old.length === 0 || headroom <= 0) return false;
    let changed = false;
    for (const set of old) {
      const removed = Math.min(headroom, set.size - set.available);
      if (removed <= 0) continue;
      headroom -= removed;
      changed = this.resize(set, set.size - removed) || changed;
    }
    let surplus = sum(this.sets, ({ available }) => available) - minimum;
    for (const set of old) {
      const removed = Math.min(Math.max(0, surplus), set.size);
      if (removed === 0) continue;
      surplus -= removed;
      changed = this.resize(set, set.size - removed) || changed;
    }
    return changed;
  }

  private recreate(): boolean {
    const old = this.sets.filter(({ isNew, size }) => !isNew && size > 0);
    if (old.length > 0) {
      for (const set of old) this.resize(set, 0);
      return true;
    }
    // The pods of a wave are gone before the next wave begins.
    return false;
  }

  /**
   * Creates all new pods of type Recreate at once, after every old pod is gone. Returns whether it changed anything.
   *
   * Old pods stay if two ReplicaSets have pods when the replicas change: `scale` resizes neither, so each sync is a scaling event again.
   */
  createNewPods(): boolean {
    if (this.oldSizes.length > 0) return false;
    const known = this.sets.find(({ isNew }) => isNew);
    const newest = known ?? this.create();
    const grew = known === undefined ? newest.size > 0 : known.size !== this.replicas;
    this.resize(newest, this.replicas);
    this.recordPeak();
    return grew;
  }
}

/** A bound far above the number of syncs that any state needs until the next pods become available. */
const MAX_SYNCS = 1_000;
