import { replicaRangeOf } from '../cluster/autoscaler';
import { serviceOf } from '../cluster/services';
import { KUBERNETES_NAMES } from '../cluster/strategy-terms';
import type { PlanContext } from '../cluster/context';
import type { ChangedPods, StartingPoint } from '../cluster/starting-point';
import type { Workload } from '../cluster/workload';
import { childPath } from '../core/field-path';
import { startupSecondsOf } from '../core/startup';
import { podSeconds } from './pod-seconds';
import type { Review } from './review';
import { podRollout } from './rollout-kind';
import type { PodCount, PodKind } from './rollout-kind';
import type { Settled } from './settled';

/** What is known of the pods of a rollout, whoever makes them. */
type KnownWorkload = Pick<Workload, 'name' | 'namespace' | 'template' | 'podPath' | 'strategyPath'> &
  Partial<
    Pick<
      Workload,
      'sizePath' | 'names' | 'strategyOwner' | 'claims' | 'countOnly' | 'resourcesAreFilledIn' | 'replicaRange' | 'locateTemplate'
    >
  >;

/** What is known for the rules, beside the pods. */
type KnownReview<S extends Settled> = Pick<Review<S>, 'containers' | 'metadata'> &
  Partial<Pick<Review<S>, 'deadline' | 'writtenReplicas' | 'writtenInto' | 'isPaused'>>;

/** An object that names every part of `T`, so that one which is forgotten does not compile. */
type Whole<T> = { readonly [Part in keyof Required<T>]: T[Part] };

/** All of a workload but what its surroundings add. */
type OwnWorkload = Whole<Omit<Workload, 'namespaceLabels' | 'running' | 'isNew' | 'isMaximumRaised' | 'defaultsDiffer'>>;

/** A set of pods of a kind with all that is known of it. */
export interface KnownRollout<S extends Settled> {
  readonly settled: S;
  readonly workload: KnownWorkload;
  /** @default 0 */
  readonly minReadySeconds?: unknown;
  readonly count: PodCount;
  readonly review: KnownReview<S>;
}

/** With another number of pods than those that run, it starts at rest. */
function startAt(replicas: number, start: StartingPoint | undefined): StartingPoint {
  if (start === undefined || start.replicas === replicas) return { ...start, replicas };
  const { replicaSets: _, before: __, stateful: ___, canary: ____, ...others } = start;
  return { ...others, replicas };
}

/** The pods of an object as an apply leaves them and finds them; as they are where nothing is said of one. */
export function countAfter(count: PodCount, changed: ChangedPods | undefined): PodCount {
  if (!changed) return count;
  const { start, ...others } = count;
  const steady = changed.replicas ?? count.steady;
  const replicas = changed.replicas ?? start?.replicas;
  if (!changed.rolls || replicas === undefined || (!start && !changed.start)) return { ...others, steady };
  return { ...others, steady, start: { ...start, ...changed.start, replicas } };
}

/** The pods of a rollout for its surroundings and its rules: of an object of apps/v1, or of what a controller makes of another object. */
export function workloadOf<S extends Settled>(kind: PodKind<S>, known: KnownRollout<S>, context: PlanContext): Workload {
  const { settled, count, minReadySeconds } = known;
  const { template, podPath, names = KUBERNETES_NAMES, sizePath = childPath(podPath, 'containers') } = known.workload;
  const replicas = count.steady;
  const secondsOf = (startup: number) => podSeconds(template, startup, minReadySeconds);
  const rolloutAt = (number: number) => podRollout(kind, settled, startAt(number, count.start), secondsOf);
  const range = known.workload.replicaRange ?? replicaRangeOf(count.autoscaler, replicas);
  const { containers, metadata, isPaused, deadline, writtenReplicas, writtenInto } = known.review;
  const rollout = count.start && rolloutAt(count.start.replicas);
  const startupSeconds = startupSecondsOf(template, context.startupSeconds) ?? 0;
  // Parts that come and go are undefined where they are not there, and each is named:
  // with those of `known.workload` and `kind.traits` spread, `check` of thousands of Deployments took a fifth longer.
  const workload: OwnWorkload = {
    kind: kind.kind,
    name: known.workload.name,
    namespace: known.workload.namespace,
    template,
    podPath,
    countOnly: known.workload.countOnly,
    resourcesAreFilledIn: known.workload.resourcesAreFilledIn,
    claims: known.workload.claims,
    locateTemplate: known.workload.locateTemplate,
    strategyPath: known.workload.strategyPath,
    strategyOwner: known.workload.strategyOwner,
    names,
    sizePath,
    addsReplicaSet: kind.traits.addsReplicaSet,
    hasClaimTemplates: kind.traits.hasClaimTemplates,
    hasSurge: kind.traits.hasSurge,
    canRecreate: kind.traits.canRecreate,
    onePerNode: kind.traits.onePerNode,
    revisionLabel: kind.revisionLabel,
    startsInOrder: kind.startsInOrder?.(settled),
    replicasPath: writtenReplicas?.path,
    replicas,
    replicaRange: range,
    rollout: isPaused ? undefined : rollout,
    rolloutAt,
    // Admission may have changed what the pods ask for since, so the rules look at the workload as it then is.
    review(room) {
      const service = serviceOf(this, context);
      const review: Whole<Review<S>> = {
        settled,
        workload: this,
        rollout,
        room,
        kubernetesVersion: context.versions.kubernetes,
        containers,
        service,
        metadata,
        startupSeconds,
        deadline,
        autoscaler: count.autoscaler,
        writtenReplicas,
        writtenInto,
        isPaused,
      };
      return kind.review(review);
    },
  };
  return workload;
}
