import { checkTimeNow } from '../../core/budget/deadline';
import type { ObjectChange } from '../../core/document/change';
import { namespaceOf } from '../../core/manifest/manifest';
import type { PlanDocument } from '../../core/document/plan-document';
import { findMin } from '../../core/values/min-max';
import type { PlannedRollout, ResourceRef } from '../../core/document/rollout';
import { sortBy } from '../../core/collections/sort-by';
import type { VerifiedRollout, VerifyReport } from '../../core/document/verify-report';
import { RolloutFollower } from './follow-rollout';
import type { FollowedResource } from './follow-rollout';
import { ObservedObjects } from './observed-objects';
import { FOLLOWED_KINDS, isFollowedKind } from './rollout-progress';
import type { WatchEvent } from './watch-events';

/** Effects of an apply that start a rollout, or change the number of pods. */
const STARTING_EFFECTS: ReadonlySet<string> = new Set(['create', 'replace', 'roll', 'roll-and-scale', 'scale', 'unknown']);

/** Returns a key of the object that a reference names, which all of its rollouts have in common. */
const keyOf = ({ apiVersion, kind, namespace, name }: ResourceRef) => JSON.stringify([apiVersion, kind, namespace, name]);

/** A type to watch in a namespace. */
export interface WatchQuery {
  readonly resource: string;
  /** Namespace; absent for that of the context. */
  readonly namespace?: string;
}

/** Returns the objects whose pods a rollout replaces: itself, or what its controller creates. */
function listFollowed(rollout: PlannedRollout, change: ObjectChange | undefined, defaultNamespace: string | undefined): FollowedResource[] {
  const { resource, creates = [] } = rollout;
  const candidates = resource.apiVersion === 'apps/v1' ? [resource] : creates;
  return candidates.flatMap(({ apiVersion, kind, name, namespace = resource.namespace ?? defaultNamespace }) =>
    apiVersion === 'apps/v1' && isFollowedKind(kind)
      ? [
          {
            rollout,
            kind,
            name,
            ...(namespace !== undefined && { namespace }),
            ...(change && resource.apiVersion === 'apps/v1' && { change }),
          },
        ]
      : [],
  );
}

/** Compares the rollouts of a plan with the events of a cluster. */
export class PlanVerifier {
  private readonly observed = new ObservedObjects();
  private readonly followers: readonly RolloutFollower[];
  private readonly others: readonly VerifiedRollout[];

  /** @param defaultNamespace - namespace of objects that name none. @default - the only object of the name */
  constructor(plan: PlanDocument, defaultNamespace?: string) {
    // The first of several changes of an object counts.
    const changes = new Map((plan.change?.objects ?? []).toReversed().map((object) => [keyOf(object.resource), object]));
    const started = plan.rollouts.flatMap((rollout) => {
      const change = changes.get(keyOf(rollout.resource));
      return change && !STARTING_EFFECTS.has(change.effect) ? [] : [{ rollout, change }];
    });
    const followed = started.map(({ rollout, change }) => ({ rollout, resources: listFollowed(rollout, change, defaultNamespace) }));
    this.followers = followed.flatMap(({ resources }) => resources.map((resource) => new RolloutFollower(resource)));
    this.others = followed
      .filter(({ resources }) => resources.length === 0)
      .map(({ rollout: { resource } }) => ({
        resource,
        status: 'not-followed',
        message: `Not followed: verify compares Deployments, StatefulSets and DaemonSets, and no plan shows those of this ${resource.kind}.`,
        waves: [],
        reasons: [],
      }));
  }

  /** Number of rollouts that are followed. */
  get size(): number {
    return this.followers.length;
  }

  /** Whether nothing that happens later changes the result. */
  get hasEnded(): boolean {
    return this.followers.every((follower) => follower.hasEnded);
  }

  /** Returns the types to watch, each once per namespace. */
  listWatches(): readonly WatchQuery[] {
    const queries = this.followers.flatMap(({ followed: { kind, namespace } }) =>
      FOLLOWED_KINDS[kind].resources.map((resource) => ({ resource, ...(namespace !== undefined && { namespace }) })),
    );
    const unique = new Map(queries.map((query) => [`${query.namespace ?? ''}/${query.resource}`, query]));
    return sortBy([...unique.values()], ({ resource, namespace = '' }) => `${namespace}/${resource}`);
  }

  /** Takes over events without comparing: the first ones list what already runs. */
  load(events: readonly WatchEvent[]): void {
    for (const event of events) this.observed.apply(event);
  }

  /** Returns what forgets, once a watch lists a type again, the objects that are not listed any more. */
  relist(kind: string, namespace: string | undefined): () => void {
    return this.observed.relist((object) => object.kind === kind && (namespace === undefined || namespaceOf(object) === namespace));
  }

  /** Sets the milliseconds that have passed since the latest event. */
  advance(elapsed: number): void {
    this.observed.advance(elapsed);
  }

  /**
   * Compares the rollouts with the objects as they are now. Returns those whose result changed.
   *
   * @throws DeadlineError if the time of the caller is over. A rollout that is not compared then has not ended
   */
  compare(): readonly VerifiedRollout[] {
    const active = this.followers.filter((follower) => !follower.hasEnded);
    const before = active.map((follower) => follower.report(this.observed.now).message);
    for (const follower of active) {
      checkTimeNow();
      follower.update(this.observed);
    }
    // Rollouts that lack capacity wait for each other. Only if none can move, none ever will.
    const start = findMin(this.followers.flatMap(({ startedAt }) => startedAt ?? []));
    const mayFreeCapacity = active.some((follower) => follower.mayFreeCapacity(this.observed.now, start));
    if (!mayFreeCapacity) for (const follower of active.filter(({ isStuck }) => isStuck)) follower.endStuck();
    return active.map((follower) => follower.report(this.observed.now)).filter(({ message }, index) => message !== before[index]);
  }

  report(): VerifyReport {
    const { now } = this.observed;
    return {
      formatVersion: '1.2',
      endedAsPlanned: this.followers.every((follower) => follower.hasEndedAsPlanned(now)),
      rollouts: [...this.followers.map((follower) => follower.report(now)), ...this.others],
    };
  }
}
