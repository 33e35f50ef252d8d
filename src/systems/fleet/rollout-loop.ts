import type { TargetPartition } from './partitions';

/** What one run of the loop is about. Targets are known by their position in name order. */
export interface RolloutSettings {
  readonly targets: number;
  readonly partitions: readonly TargetPartition[];
  readonly maxUnavailable: number;
  readonly maxUnavailablePartitions: number;
  readonly maxNew: number;
  isPaused(position: number): boolean;
  isNeverReady(position: number): boolean;
  /** Is this a target that is not ready before the update starts, and stays so? */
  isDown(position: number): boolean;
  /** Is this a target that has what it is to have, and is ready? @default - none is */
  isUpToDate?(position: number): boolean;
  /** Whether to say which targets a wave holds, and not only how many. */
  readonly listsTargets: boolean;
}

/** What is released between two rounds of agents reporting. */
export interface ReleasedWave {
  readonly count: number;
  /** Positions in the order of release: reconcile by reconcile, ascending within. */
  readonly released: readonly number[];
}

export interface RolloutLoopResult {
  readonly waves: readonly ReleasedWave[];
  /** Ascending; targets in no partition are among them. */
  readonly notReleased: readonly number[];
  /** What the last reconcile came to: the partition after which the loop broke off, null when it ran through. */
  readonly end: { readonly partition: string | null; readonly unavailablePartitions: number };
}

const WAITING = 0;
/** Created by an install and paused: it is released never. */
const PAUSED = 1;
const RELEASED = 2;

const NO_POSITIONS: readonly number[] = [];

/** A partition as the rounds change it. */
interface PartitionState extends TargetPartition {
  /** Members before it were looked at: they are released, or paused for good. */
  next: number;
  /** Members that are not ready on the new version. */
  notUpToDate: number;
  /** Members that hold a place for good: they are down, or were released and never get ready. */
  failed: number;
  /** Members that are down, and not released yet. */
  down: readonly number[];
}

/**
 * Runs Fleet's rollout loop until it releases nothing any more.
 *
 * A round is: reconcile until nothing changes, then every agent reports, and each released cluster is ready or never will be. Creating
 * or releasing a cluster does not bring it up to date, so within a round the loop breaks off at the same partition in every reconcile,
 * and the round is one pass over the partitions up to there:
 *
 * - **install**: they are created and released whole, `maxNew` clusters a reconcile; a new cluster is unavailable already, and so passes
 *   both maxUnavailable tests
 * - **update**: a cluster is released while fewer than `maxUnavailable` clusters are unavailable, in its partition and in the bundle;
 *   one that is down already holds a place from the start, and is released past every limit
 *
 * The loop breaks off after the partition with which more than `maxUnavailablePartitions` have more
 * than their `maxUnavailable` clusters not ready on the new version.
 *
 * Source: rancher/fleet v0.16.1 internal/cmd/controller/target/partition.go; held to that loop, reconcile by reconcile,
 * by a property test (`fleet-controller.ts`).
 */
export function runRollout(kind: 'install' | 'update', settings: RolloutSettings): RolloutLoopResult {
  const run = new RolloutRun(kind, settings);
  const waves: ReleasedWave[] = [];
  for (;;) {
    const { created, released, end } = run.runRound();
    if (released.length === 0) return { waves, notReleased: run.listNotReleased(), end };
    waves.push({ count: released.length, released: settings.listsTargets ? sortByRelease(created, released, settings.maxNew) : [] });
    run.report(released);
  }
}

/** An update releases in one reconcile, an install in as many as it takes to create the clusters. */
function sortByRelease(created: readonly number[], released: readonly number[], maxNew: number): number[] {
  if (created.length === 0) return released.toSorted((a, b) => a - b);
  const isReleased = new Set(released);
  const order: number[] = [];
  for (let from = 0; from < created.length; from += maxNew) {
    const reconcile = created.slice(from, from + maxNew).filter((position) => isReleased.has(position));
    for (const position of reconcile.toSorted((a, b) => a - b)) order.push(position);
  }
  return order;
}

interface Round {
  /** Positions whose BundleDeployment is new, in the order of the loop. */
  readonly created: readonly number[];
  readonly released: readonly number[];
  readonly end: RolloutLoopResult['end'];
}

/** Places that are taken in the bundle, in the course of one round. */
interface Slots {
  taken: number;
}

class RolloutRun {
  private readonly state: Uint8Array;
  private readonly partitions: readonly PartitionState[];
  /** The first partition of each target, by its place; -1 for none. */
  private readonly firstOf: Int32Array;
  /** Further partitions of the few targets that are in several. */
  private readonly furtherOf = new Map<number, number[]>();
  /** Partitions that can still change anything, as a chain: the one after each. What a long rollout has left behind costs nothing. */
  private readonly following: Int32Array;
  private first = 0;
  /** Targets that hold a place in the bundle for good. */
  private failed = 0;
  /** Targets in partitions that are down and not released yet, those that are paused apart. */
  private waitingDown = 0;

  constructor(
    private readonly kind: 'install' | 'update',
    private readonly settings: RolloutSettings,
  ) {
    const isUpToDate = (position: number) => settings.isUpToDate?.(position) ?? false;
    this.state = new Uint8Array(settings.targets).fill(WAITING);
    for (let position = 0; position < settings.targets; position++) if (isUpToDate(position)) this.state[position] = RELEASED;
    this.partitions = settings.partitions.map(({ name, maxUnavailable, members }) => {
      const down = kind === 'update' ? members.filter((member) => settings.isDown(member)) : [];
      const notUpToDate = members.filter((member) => !isUpToDate(member)).length;
      return { name, maxUnavailable, members, next: 0, notUpToDate, failed: down.length, down };
    });
    if (kind === 'update') this.countDown();
    this.firstOf = new Int32Array(settings.targets).fill(-1);
    this.partitions.forEach(({ members }, index) => this.addMembers(members, index));
    this.following = Int32Array.from(this.partitions, (_, index) => index + 1);
  }

  private countDown(): void {
    for (let position = 0; position < this.settings.targets; position++) if (this.settings.isDown(position)) this.failed++;
    this.waitingDown = new Set(this.partitions.flatMap(({ down }) => down.filter((member) => !this.settings.isPaused(member)))).size;
  }

  private addMembers(members: readonly number[], index: number): void {
    for (const position of members) {
      const further = this.furtherOf.get(position);
      if (this.firstOf[position] === -1) this.firstOf[position] = index;
      else if (further) further.push(index);
      else this.furtherOf.set(position, [index]);
    }
  }

  /** One pass over the partitions. */
  runRound(): Round {
    const { maxUnavailablePartitions, maxUnavailable } = this.settings;
    const created: number[] = [];
    const released: number[] = [];
    const slots: Slots = { taken: this.failed };
    let unavailablePartitions = 0;
    let before = -1;
    for (let index = this.first; index < this.partitions.length; index = this.following[index]!) {
      const partition = this.partitions[index]!;
      if (this.kind === 'install') this.createAll(partition, created, released);
      else this.releaseSome(partition, released, slots);

      if (partition.notUpToDate > partition.maxUnavailable) unavailablePartitions++;
      if (unavailablePartitions > maxUnavailablePartitions)
        return { created, released, end: { partition: partition.name, unavailablePartitions } };
      // No slot is left in the bundle; where the loop ends is asked only when nothing was released.
      if (this.kind === 'update' && released.length > 0 && this.waitingDown === 0 && slots.taken >= maxUnavailable) break;

      // Within its limit and released whole it can change nothing any more.
      if (partition.notUpToDate > partition.maxUnavailable || partition.next < partition.members.length) before = index;
      else if (before < 0) this.first = this.following[index]!;
      else this.following[before] = this.following[index]!;
    }
    return { created, released, end: { partition: null, unavailablePartitions } };
  }

  private createAll(partition: PartitionState, created: number[], released: number[]): void {
    if (this.settings.maxNew <= 0) return;
    for (; partition.next < partition.members.length; partition.next++) {
      const position = partition.members[partition.next]!;
      if (this.state[position] !== WAITING) continue;
      created.push(position);
      const paused = this.settings.isPaused(position);
      this.state[position] = paused ? PAUSED : RELEASED;
      if (!paused) released.push(position);
    }
  }

  private releaseSome(partition: PartitionState, released: number[], slots: Slots): void {
    this.releaseDown(partition, released);
    let unavailable = partition.failed;
    for (; partition.next < partition.members.length; partition.next++) {
      const position = partition.members[partition.next]!;
      if (this.state[position] !== WAITING || this.settings.isPaused(position)) continue;
      if (unavailable >= partition.maxUnavailable || slots.taken >= this.settings.maxUnavailable) return;
      this.state[position] = RELEASED;
      released.push(position);
      unavailable++;
      slots.taken++;
    }
  }

  /** What is down already takes no further place, so no limit holds it back. */
  private releaseDown(partition: PartitionState, released: number[]): void {
    for (const position of partition.down) {
      if (this.state[position] !== WAITING || this.settings.isPaused(position)) continue;
      this.state[position] = RELEASED;
      released.push(position);
      this.waitingDown--;
    }
    partition.down = NO_POSITIONS;
  }

  /** Every agent reports: what was released is ready, or never will be. */
  report(released: readonly number[]): void {
    for (const position of released) {
      if (this.kind === 'update' && this.settings.isDown(position)) continue;
      const fails = this.settings.isNeverReady(position) || this.settings.isDown(position);
      if (fails) this.failed++;
      this.reportTo(this.firstOf[position]!, fails);
      for (const index of this.furtherOf.get(position) ?? NO_POSITIONS) this.reportTo(index, fails);
    }
  }

  private reportTo(index: number, fails: boolean): void {
    const partition = this.partitions[index]!;
    if (fails) partition.failed++;
    else partition.notUpToDate--;
  }

  listNotReleased(): number[] {
    const positions: number[] = [];
    this.state.forEach((state, position) => {
      if (state !== RELEASED) positions.push(position);
    });
    return positions;
  }
}
