import type { Manifest, ObjectMeta } from '../../core/manifest';
import { buildGroupsSpec, resolveGroupsRollout } from '../../workloads/leader-worker-set/props';
import type { GroupVersionsProps, GroupsProps, GroupsRollout } from '../../workloads/leader-worker-set/props';

/** What is written. */
export const LEADER_WORKER_SET_TYPE_META = { apiVersion: 'leaderworkerset.x-k8s.io/v1', kind: 'LeaderWorkerSet' } as const;

/** Properties of a `LeaderWorkerSetRollout`. */
export interface LeaderWorkerSetRolloutProps extends GroupsProps, GroupVersionsProps {
  /** Name, namespace, labels, annotations. @default - the adapter's id or name as name */
  readonly metadata?: ObjectMeta;
  /** How groups may be replaced. @default - one at a time, with none beyond the replicas */
  readonly rollout?: GroupsRollout;
  /** Groups whose ordinal is below it keep their version. @default 0 */
  readonly partition?: number;
}

/**
 * The LeaderWorkerSet with the limits of its rollout written out, so that no default of another version decides.
 *
 * @throws IntentError for a rollout of a Deployment, such as `Rollout.availability`: its limits count pods
 */
export function buildLeaderWorkerSet(name: string, props: LeaderWorkerSetRolloutProps): Manifest {
  const { metadata, rollout = {}, partition } = props;
  return {
    ...LEADER_WORKER_SET_TYPE_META,
    metadata: { name, ...metadata },
    spec: buildGroupsSpec(props, { ...(partition !== undefined && { partition }), ...resolveGroupsRollout(rollout, 'rollout') }),
  };
}
