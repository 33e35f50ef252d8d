import type { Manifest } from '../core/manifest';
import { ANY, INT32, INT_OR_PERCENT, STRING, map, whole } from '../core/schema';
import type { SchemasOf } from '../core/schema';
import type { PlanDocument } from '../core/plan-document';
import { planInput } from '../plan/plan';
import type { GroupsRollout, LeaderWorkerSetRolloutProps, LeaderWorkerTemplateProps } from '../systems/leaderworkerset/props';
import { METADATA_PROPS } from './usable-props';
import type { PropsShape } from './usable-props';

/** A pod template, whose pod stays as it is given. */
const TEMPLATE = whole(map({ metadata: METADATA_PROPS, spec: ANY }));

/** The props of a LeaderWorkerSet. */
export const LEADER_WORKER_SET_SHAPE: PropsShape = {
  maps: { leaderWorkerTemplate: 'required', rollout: 'optional' },
  props: {
    metadata: METADATA_PROPS,
    replicas: INT32,
    size: INT32,
    rollout: map({ maxSurge: INT_OR_PERCENT, maxUnavailable: INT_OR_PERCENT } satisfies SchemasOf<GroupsRollout>),
    partition: INT32,
    leaderWorkerTemplate: whole(
      map({
        leaderTemplate: TEMPLATE,
        workerTemplate: TEMPLATE,
        restartPolicy: STRING,
        subGroupPolicy: ANY,
        volumeClaimTemplates: ANY,
        persistentVolumeClaimRetentionPolicy: ANY,
      } satisfies SchemasOf<LeaderWorkerTemplateProps>),
    ),
    startupPolicy: STRING,
    networkConfig: ANY,
    versions: whole(map({ lws: STRING, kubernetes: STRING })),
  } satisfies SchemasOf<LeaderWorkerSetRolloutProps>,
};

/** The plan of a LeaderWorkerSet by the versions that it is for. */
export function planLeaderWorkerSet(manifest: Manifest, { versions }: Pick<LeaderWorkerSetRolloutProps, 'versions'>): PlanDocument {
  return planInput({ objects: [manifest] }, { ...(versions && { versions }) });
}
