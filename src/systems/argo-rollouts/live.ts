import type { InContext } from '../../cluster/context';
import { isInt32 } from '../../core/int-or-percent';
import { fieldsAt, listAt, valueAt } from '../../core/manifest';
import type { Manifest } from '../../core/manifest';
import type { Health, RolloutStart, StartingRevision } from '../../core/rollout-start';

/** The label by which the controller tells the ReplicaSets of a Rollout. */
const HASH_LABEL = 'rollouts-pod-template-hash';

function replicaSetsOf({ object, live }: InContext): readonly Manifest[] {
  return live?.of(object, 'ReplicaSet') ?? [];
}

/** The pods of a live Rollout, as far as they are in view. */
export function livePods(rollout: InContext): readonly Manifest[] {
  return replicaSetsOf(rollout).flatMap((set) => rollout.live!.of(set, 'Pod'));
}

function countAt(object: Manifest, ...path: readonly string[]): number {
  const value = valueAt(object, ...path);
  return isInt32(value) && value >= 0 ? value : 0;
}

/** The ReplicaSets that have pods, that of the newest template last. */
function revisionsOf(rollout: InContext, current: unknown): StartingRevision[] {
  const sets = replicaSetsOf(rollout).map((set) => ({
    revision: valueAt(set, 'metadata', 'labels', HASH_LABEL),
    replicas: countAt(set, 'spec', 'replicas'),
    available: countAt(set, 'status', 'availableReplicas'),
  }));
  return sets
    .filter(({ replicas }) => replicas > 0)
    .toSorted((a, b) => Number(a.revision === current) - Number(b.revision === current))
    .map(({ revision, ...pods }) => ({ ...(typeof revision === 'string' && { revision }), ...pods }));
}

function revisionsByStatus({ object }: InContext): StartingRevision[] {
  const [replicas, updated, available] = ['replicas', 'updatedReplicas', 'availableReplicas'].map((field) =>
    countAt(object, 'status', field),
  ) as [number, number, number];
  const oldAvailable = Math.min(replicas - updated, available);
  const revisions = [
    { replicas: replicas - updated, available: oldAvailable },
    { replicas: updated, available: available - oldAvailable },
  ];
  return revisions.filter((revision) => revision.replicas > 0);
}

function healthOf(object: Manifest): Health | undefined {
  const isLate = listAt(object, 'status', 'conditions').some((condition) => valueAt(condition, 'reason') === 'ProgressDeadlineExceeded');
  if (isLate) return 'deadline-exceeded';
  const phase = valueAt(object, 'status', 'phase');
  return phase === 'Paused' ? 'paused' : phase === 'Progressing' ? 'progressing' : undefined;
}

/**
 * Where a live Rollout stands; undefined where it was not read from a cluster.
 *
 * Source: Argo Rollouts v1.9.1, utils/rollout/rolloututil.go, `IsFullyPromoted`.
 */
export function liveStart(rollout: InContext, replicas: number): RolloutStart | undefined {
  if (!rollout.live) return undefined;
  const { stableRS, currentPodHash } = fieldsAt(rollout.object, 'status');
  const revisions = revisionsOf(rollout, currentPodHash);
  const underWay = typeof stableRS === 'string' && stableRS !== currentPodHash;
  const health = underWay ? healthOf(rollout.object) : undefined;
  return {
    replicas,
    revisions: revisions.length > 0 ? revisions : revisionsByStatus(rollout),
    underWay,
    ...(health && { health }),
  };
}
