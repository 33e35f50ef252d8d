import { parseTime } from '../../core/values/time';
import type { ObjectChange } from '../../core/document/change';
import { formatSeconds } from '../../core/document/goal-text';
import { isDeepEqual } from '../../core/collections/deep-equal';
import { findMin } from '../../core/values/min-max';
import { getValueAt, isFields, nameOf } from '../../core/manifest/manifest';
import type { Manifest } from '../../core/manifest/manifest';
import type { PlannedRollout, ResourceRef } from '../../core/document/rollout';
import { pluralize } from '../../core/text/text-format';
import type {
  MeasuredStartup,
  ObservedCounts,
  VerifiedRollout,
  VerifiedWave,
  VerifyReason,
  VerifyStatus,
} from '../../core/document/verify-report';
import { isChangeApplied } from './applied-change';
import { findCondition } from './observed-objects';
import type { ObservedObjects } from './observed-objects';
import { toPlannedLimits } from './planned-rows';
import type { PlannedLimits } from './planned-rows';
import { FOLLOWED_KINDS, isReady } from './rollout-progress';
import type { FollowedKind, RolloutProgress } from './rollout-progress';

/** A rollout of a plan that is followed. */
export interface FollowedResource {
  readonly rollout: PlannedRollout;
  readonly kind: FollowedKind;
  /** Namespace; undefined if neither the object nor the context names one. */
  readonly namespace?: string;
  readonly name: string;
  /** What the plan says about the apply of the object. @default - the plan compares nothing */
  readonly change?: ObjectChange;
}

/** Share by which a rollout may take longer than planned before it is late, and seconds that it may in any case. */
const LATE_SHARE = 1.25;
const LATE_SECONDS = 10;

/** Milliseconds from the start of one rollout after which another one that has not started counts as not applied. */
const MAX_WAIT_FOR_START_MILLISECONDS = 30_000;

/** Returns the value at a share of sorted values, by nearest rank. */
function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)]!;
}

/** Returns the seconds from the scheduling of a pod until it was ready; undefined if it is not. */
function startupSecondsOf(pod: Manifest): number | undefined {
  if (!isReady(pod)) return undefined;
  const ready = parseTime(findCondition(pod, 'Ready').lastTransitionTime);
  const scheduled =
    parseTime(findCondition(pod, 'PodScheduled').lastTransitionTime) ?? parseTime(getValueAt(pod, 'metadata', 'creationTimestamp'));
  return ready === undefined || scheduled === undefined || ready < scheduled ? undefined : (ready - scheduled) / 1_000;
}

/** Effects after which all pods of the new version are new. */
const FRESH_EFFECTS: ReadonlySet<string> = new Set(['create', 'replace', 'roll', 'roll-and-scale']);

/** Returns when a rollout began, in milliseconds: now, or when its first pod was created if it began before it was followed. */
function findStart({ kind, change, rollout }: FollowedResource, { newPods }: RolloutProgress, now: number): number {
  const isFresh = kind === 'Deployment' && FRESH_EFFECTS.has(change?.effect ?? '') && rollout.initialState?.underWay !== true;
  const created = newPods.flatMap((pod) => parseTime(getValueAt(pod, 'metadata', 'creationTimestamp')) ?? []);
  return isFresh ? findMin(created, now) : now;
}

function isInAutoscaledRange({ autoscaled }: PlannedRollout, replicas: number): boolean {
  if (!autoscaled) return false;
  const [minimum, maximum] = [autoscaled.minimum, autoscaled.maximum].map((simulation) => toPlannedLimits(simulation)?.replicas);
  return minimum !== undefined && maximum !== undefined && minimum <= replicas && replicas <= maximum;
}

function isDeadlockPlanned({ capacity, simulation }: PlannedRollout): boolean {
  const isHalted = simulation !== null && 'halted' in simulation && simulation.halted !== undefined && simulation.halted !== null;
  return capacity?.verdict === 'deadlocks' || isHalted;
}

/** Compares one rollout with its plan, event by event. */
export class RolloutFollower {
  private readonly limits: PlannedLimits | undefined;
  private readonly waves: { observed?: ObservedCounts; seconds?: number }[];
  private readonly deviations = new Map<string, VerifyReason>();
  private readonly startups = new Map<string, number>();
  private progress: RolloutProgress | undefined;
  /** When it began, in milliseconds; undefined if it has not. */
  startedAt: number | undefined;
  private endedAt: number | undefined;
  private revision: string | undefined;
  private leastAvailable: number | undefined;
  private isApplied = false;
  /** Whether the object was seen as it is before the apply. */
  private isFollowedFromStart = false;
  private isAutoscaled = false;
  private isGone = false;
  private isDeadlocked = false;

  constructor(readonly followed: FollowedResource) {
    this.limits = toPlannedLimits(followed.rollout.simulation);
    this.waves = (this.limits?.rows ?? []).map(() => ({}));
  }

  /** Whether nothing that happens later changes the result. */
  get hasEnded(): boolean {
    return this.isGone || this.isDeadlocked || this.endedAt !== undefined;
  }

  /** Looks at the objects after an event. */
  update(observed: ObservedObjects): void {
    if (this.hasEnded) return;
    const { kind, namespace, name, rollout, change } = this.followed;
    const object = observed.get('apps', kind, namespace, name);
    if (!object) {
      this.isGone = this.isApplied;
      this.isFollowedFromStart ||= change?.effect === 'create';
      return;
    }
    if (!this.isApplied && change && !isChangeApplied(change, object)) {
      this.isFollowedFromStart = true;
      return;
    }
    if (!this.isApplied && !this.isFollowedFromStart) observed.join();
    this.isApplied = true;
    const progress = FOLLOWED_KINDS[kind].measure(object, observed, rollout.simulation);
    if (!progress.isObserved) return;
    this.progress = progress;
    this.startedAt ??= findStart(this.followed, progress, observed.now);
    this.checkSpec(object);
    this.checkRevision(progress);
    this.checkLimits(progress, object);
    this.recordWaves(progress, observed.now);
    for (const pod of progress.newPods) {
      const seconds = startupSecondsOf(pod);
      if (seconds !== undefined) this.startups.set(nameOf(pod), seconds);
    }
    if (progress.isComplete) {
      this.endedAt = observed.now;
      if (isDeadlockPlanned(rollout)) this.deviate('finished', 'it has finished, and the plan expects a deadlock');
    } else if (progress.isStuck && !this.lacksCapacity) this.isDeadlocked = true;
  }

  /** Whether nothing that its own controller does makes progress. */
  get isStuck(): boolean {
    return this.isDeadlocked || (!this.hasEnded && this.progress?.isStuck === true);
  }

  /** Whether it may still leave capacity to others: it makes progress, or is about to start. */
  mayFreeCapacity(now: number, start: number | undefined): boolean {
    const isLeft = start !== undefined && this.startedAt === undefined && now - start > MAX_WAIT_FOR_START_MILLISECONDS;
    return !this.hasEnded && !this.isStuck && !isLeft;
  }

  /** Whether its pods lack a share of a quota or of a node, which other rollouts may leave when they end. */
  private get lacksCapacity(): boolean {
    return this.progress?.troubles.some(({ lacksCapacity }) => lacksCapacity) === true;
  }

  /** Ends a rollout that is stuck: no other rollout leaves the capacity that it lacks. */
  endStuck(): void {
    this.isDeadlocked = true;
  }

  /** Compares the spec with what the plan is for. */
  private checkSpec(object: Manifest): void {
    const { rollout } = this.followed;
    const replicas = getValueAt(object, 'spec', 'replicas');
    const planned = this.limits?.replicas;
    if (planned !== undefined && typeof replicas === 'number' && replicas !== planned) {
      // An autoscaler that the plan knows may choose any number in its range, and the waves are of another number then.
      if (isInAutoscaledRange(rollout, replicas)) this.isAutoscaled = true;
      else this.deviate('replicas', `it has ${pluralize(replicas, 'replica')} now, and the plan is for ${planned}: something scaled it`);
    }
    if (getValueAt(object, 'spec', 'paused') === true) this.deviate('paused', 'it is paused, and waits until it is resumed');
    const strategy = getValueAt(object, 'spec', object.kind === 'Deployment' ? 'strategy' : 'updateStrategy');
    if (isFields(rollout.strategy) && isFields(strategy) && !isDeepEqual(rollout.strategy, strategy)) {
      this.deviate('strategy', `its strategy is ${JSON.stringify(strategy)}, and the plan is for ${JSON.stringify(rollout.strategy)}`);
    }
  }

  private checkRevision({ revision }: RolloutProgress): void {
    this.revision ??= revision;
    if (revision !== undefined && revision !== this.revision) {
      this.deviate('overtaken', `another version overtakes it: ${revision} follows ${this.revision}`);
    }
  }

  /** Compares the pods with the limits of the plan. The status and the pods must agree, because their events come one after the other. */
  private checkLimits({ counts }: RolloutProgress, object: Manifest): void {
    if (!this.limits || this.isAutoscaled) return;
    const status = (field: string) => getValueAt(object, 'status', field);
    const reported = status('availableReplicas') ?? status('numberAvailable') ?? 0;
    const available = Math.max(counts.available, typeof reported === 'number' ? reported : 0);
    this.leastAvailable = Math.min(this.leastAvailable ?? available, available);
    const { minAvailable, peakPods } = this.limits;
    if (available < minAvailable) {
      this.deviate(
        'available',
        `only ${available} of its pods ${available === 1 ? 'is' : 'are'} ready at once, and the plan keeps ${minAvailable}`,
      );
    }
    // Names keep the pods of a StatefulSet apart, so it never has more than its replicas.
    if (this.followed.kind === 'StatefulSet') return;
    const size = status('replicas');
    const total = typeof size === 'number' ? Math.min(counts.total, size) : counts.total;
    if (total > peakPods) this.deviate('peak', `${pluralize(total, 'pod')} run at once, and the plan has at most ${peakPods}`);
  }

  private recordWaves({ counts, newReady }: RolloutProgress, now: number): void {
    this.limits?.rows.forEach((row, index) => {
      const wave = this.waves[index]!;
      if (counts.new >= row.new && counts.old <= row.old) wave.observed ??= counts;
      if (newReady >= row.new && counts.old <= row.old) wave.seconds ??= (now - this.startedAt!) / 1_000;
    });
  }

  private deviate(reason: string, message: string): void {
    if (!this.deviations.has(reason)) this.deviations.set(reason, { reason, message });
  }

  /**
   * Returns the wave whose pods are not all ready: the last one whose pods exist, or the one after it. The rows of a plan that deadlocks end
   * there, and earlier waves may be unfinished too.
   */
  private get currentWave(): number | undefined {
    const last = this.waves.findLastIndex(({ observed }) => observed !== undefined);
    const index = last < 0 || this.waves[last]!.seconds !== undefined ? last + 1 : last;
    return this.limits?.rows[index]?.wave ?? this.followed.rollout.capacity?.deadlockWave;
  }

  private elapsedSeconds(now: number): number {
    return this.startedAt === undefined ? 0 : ((this.endedAt ?? now) - this.startedAt) / 1_000;
  }

  private isLate(now: number): boolean {
    const expected = this.followed.rollout.duration?.expectedSeconds;
    return (
      expected !== undefined && expected !== null && this.elapsedSeconds(now) > Math.max(expected * LATE_SHARE, expected + LATE_SECONDS)
    );
  }

  private getStatus(now: number): VerifyStatus {
    if (this.isDeadlocked) return 'deadlocks';
    if (this.isGone || this.deviations.size > 0) return 'deviating';
    if (!this.isApplied || !this.progress) return 'not-started';
    if (this.isLate(now)) return 'late';
    return this.endedAt === undefined ? 'running' : 'as-planned';
  }

  /** Reports whether it has ended within the plan, late or not. */
  hasEndedAsPlanned(now: number): boolean {
    const status = this.getStatus(now);
    return this.endedAt !== undefined && (status === 'as-planned' || status === 'late');
  }

  /** Returns the result so far. */
  report(now: number): VerifiedRollout {
    const { rollout, kind, namespace, name } = this.followed;
    const status = this.getStatus(now);
    const created: ResourceRef = { apiVersion: 'apps/v1', kind, ...(namespace !== undefined && { namespace }), name };
    const troubles = this.endedAt === undefined ? (this.progress?.troubles ?? []) : [];
    const sorted = [...this.startups.values()].toSorted((a, b) => a - b);
    const startup: MeasuredStartup | undefined =
      sorted.length === 0 ? undefined : { p50: percentile(sorted, 0.5), p95: percentile(sorted, 0.95), pods: sorted.length };
    return {
      resource: rollout.resource,
      ...(rollout.resource.kind !== kind && { follows: created }),
      status,
      message: this.formatMessage(status, now),
      waves: (this.limits?.rows ?? []).map((row, index): VerifiedWave => {
        const { wave, ...planned } = row;
        return { wave, planned, ...this.waves[index] };
      }),
      ...(this.limits &&
        this.leastAvailable !== undefined && { leastAvailable: { planned: this.limits.minAvailable, observed: this.leastAvailable } }),
      reasons: [...this.deviations.values(), ...troubles.map(({ reason, message }) => ({ reason, message }))],
      ...(startup && { startup }),
    };
  }

  private formatMessage(status: VerifyStatus, now: number): string {
    const wave = this.currentWave;
    const at = wave === undefined ? '' : ` at wave ${wave}`;
    const elapsed = formatSeconds(this.elapsedSeconds(now));
    switch (status) {
      case 'deadlocks':
        return this.formatDeadlock(at);
      case 'deviating': {
        if (this.isGone) return 'Deviates from the plan: the object was deleted.';
        const what = [...this.deviations.values()].map(({ message }) => message).join('; ');
        const end = this.endedAt === undefined ? ` It still runs${at}.` : this.deviations.has('finished') ? '' : ' It has finished.';
        return `Deviates from the plan: ${what}.${end}`;
      }
      case 'late': {
        const planned = `the plan expects ${formatSeconds(this.followed.rollout.duration!.expectedSeconds!)}`;
        return this.endedAt === undefined
          ? `Late${at}: it runs for ${elapsed}, and ${planned}.`
          : `Finished late: after ${elapsed}, and ${planned}.`;
      }
      case 'as-planned':
        return `Finished as planned${this.limits ? `, after ${elapsed}` : ''}.`;
      case 'running':
        return `As planned so far${at}.`;
      default:
        return 'Not started: the change is not applied yet, or its controller has not read it.';
    }
  }

  private formatDeadlock(at: string): string {
    const { available, total } = this.progress!.counts;
    const { capacity } = this.followed.rollout;
    const [trouble] = this.progress!.troubles.filter(({ isFinal }) => isFinal);
    const foreseen = capacity?.verdict === 'deadlocks' ? `The plan says so: ${capacity.message}` : 'The plan does not expect it.';
    return `It deadlocks${at}: ${trouble!.reason}: ${trouble!.message.replace(/\.$/, '')}. ${available} of ${pluralize(total, 'pod')} ${available === 1 ? 'is' : 'are'} ready. ${foreseen}`;
  }
}
