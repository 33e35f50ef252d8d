import type { TargetPartition } from './partitions';

/** Settings of one run of the loop. Targets are identified by their position in name order. */
export interface RolloutSettings {
  readonly targets: number;
  readonly partitions: readonly TargetPartition[];
  readonly maxUnavailable: number;
  readonly maxUnavailablePartitions: number;
  readonly maxNew: number;
  isPaused(position: number): boolean;
  isNeverReady(position: number): boolean;
  /** Reports whether a target is not ready before the update starts and stays so. */
  isDown(position: number): boolean;
  /** Reports whether a target is already up to date and ready. @default - none is */
  isUpToDate?(position: number): boolean;
  /** Whether to list the targets of a wave, and not only their number. */
  readonly listsTargets: boolean;
}

/** The targets that are released between two rounds of agent reports. */
export interface ReleasedWave {
  readonly count: number;
  /** Positions in release order: reconcile by reconcile, ascending within each. */
  readonly released: readonly number[];
}

export interface RolloutLoopResult {
  readonly waves: readonly ReleasedWave[];
  /** Positions that were not released, ascending, including targets in no partition. */
  readonly notReleased: readonly number[];
  /** Result of the last reconcile: the partition after which the loop stopped, or null if it completed. */
  readonly end: { readonly partition: string | null; readonly unavailablePartitions: number };
}

const WAITING = 0;
/** Created by an install but paused, so never released. */
const PAUSED = 1;
const RELEASED = 2;

const NO_POSITIONS: readonly number[] = [];

/** The state of a partition, which each round changes. */
interface PartitionState extends TargetPartition {
  /** Index of the next member. Earlier members are released or permanently paused. */
  next: number;
  /** Number of members that are not ready on the new version. */
  notUpToDate: number;
  /** Number of members that permanently count as unavailable: they are down, or were released and never become ready. */
  failed: number;
  /** Members that are down and not released yet. */
  down: readonly number[];
}

/**
 * Runs Fleet's rollout loop until it releases nothing more.
 *
 * In a round, the controller reconciles until nothing changes. Then every agent reports, and each released cluster is ready or never will
 * be.
 * Creating or releasing a cluster does not bring it up to date. So the loop stops at the same partition in every reconcile of a round,
 * and a round is one pass over the partitions up to that one:
 *
 * - **install**: entire partitions are created and released, `maxNew` clusters per reconcile. A new cluster is already unavailable, so it
 *   passes both maxUnavailable tests.
 * - **update**: a cluster is released while fewer than `maxUnavailable` clusters are unavailable, in its partition and in the bundle.
 *   A cluster that is already down counts from the start, and is released regardless of the limits.
 *
 * The loop stops after a partition once more than `maxUnavailablePartitions` partitions have more
 * than their `maxUnavailable` clusters not ready on the new version.
 *
 * Source: rancher/fleet v0.16.1 internal/cmd/controller/target/partition.go. A property test (`fleet-controller.ts`) compares it
 * with that loop, reconcile by reconcile.
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

/** Sorts positions by release. An update releases in one reconcile, an install in as many as it needs to create the clusters. */
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
  /** Positions with a new BundleDeployment, in loop order. */
  readonly created: readonly number[];
  readonly released: readonly number[];
  readonly end: RolloutLoopResult['end'];
}

/** Number of slots of the bundle's limit that are used during one round. */
interface Slots {
  taken: number;
}

class RolloutRun {
  private readonly state: Uint8Array;
  private readonly partitions: readonly PartitionState[];
  /** Index of the first partition of each target; -1 for none. */
  private readonly firstOf: Int32Array;
  /** Further partitions of the few targets that are in several. */
  private readonly furtherOf = new Map<number, number[]>();
  /** Linked list of the partitions that can still change: the index of the next one. Finished partitions of a long rollout cost nothing. */
  private readonly following: Int32Array;
  private first = 0;
  /** Number of targets that permanently count as unavailable in the bundle. */
  private failed = 0;
  /** Number of targets in partitions that are down, not released yet, and not paused. */
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

  /** Runs one pass over the partitions. */
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
      // No slot is left in the bundle. The end of the loop matters only if nothing was released.
      if (this.kind === 'update' && released.length > 0 && this.waitingDown === 0 && slots.taken >= maxUnavailable) break;

      // A partition that is within its limit and fully released can no longer change anything.
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

  /** Releases targets that are already down. They use no further slot, so no limit applies. */
  private releaseDown(partition: PartitionState, released: number[]): void {
    for (const position of partition.down) {
      if (this.state[position] !== WAITING || this.settings.isPaused(position)) continue;
      this.state[position] = RELEASED;
      released.push(position);
      this.waitingDown--;
    }
    partition.down = NO_POSITIONS;
  }

  /** Applies the agent reports: each released target is ready or never will be. */
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
