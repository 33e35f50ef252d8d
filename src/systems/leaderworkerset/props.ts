import type { GoalIntent } from '../../workloads/deployment/intent';
import type { Manifest, ObjectMeta } from '../../core/manifest/manifest';
import { buildGroupsSpec, resolveGroupsRollout } from '../../workloads/leader-worker-set/props';
import type { GroupVersionsProps, GroupsProps, GroupsRollout } from '../../workloads/leader-worker-set/props';

/** The apiVersion and kind of LeaderWorkerSets that are emitted. */
export const LEADER_WORKER_SET_TYPE_META = { apiVersion: 'leaderworkerset.x-k8s.io/v1', kind: 'LeaderWorkerSet' } as const;

/** Properties of a `LeaderWorkerSetRollout`. */
export interface LeaderWorkerSetRolloutProps extends GroupsProps, GroupVersionsProps {
  /** Name, namespace, labels, annotations. @default - the adapter's id or name as name */
  readonly metadata?: ObjectMeta;
  /** How groups are replaced. @default - one at a time, without surge groups */
  readonly rollout?: GroupsRollout | GoalIntent;
  /** Groups with a lower ordinal keep their version. @default 0 */
  readonly partition?: number;
}

/**
 * Builds the LeaderWorkerSet with explicit rollout limits, so that it does not depend on the defaults of a version.
 *
 * @throws IntentError for a rollout of a Deployment, such as `Rollout.availability`, because its limits count pods
 */
export function buildLeaderWorkerSet(name: string, props: LeaderWorkerSetRolloutProps): Manifest {
  const { metadata, rollout = {}, partition } = props;
  return {
    ...LEADER_WORKER_SET_TYPE_META,
    metadata: { name, ...metadata },
    spec: buildGroupsSpec(props, { ...(partition !== undefined && { partition }), ...resolveGroupsRollout(rollout, 'rollout') }),
  };
}
