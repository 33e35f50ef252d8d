import { ANY, INT32, INT_OR_PERCENT, STRING, listOf, map, whole } from '../core/schema';
import type { FieldSchema, SchemasOf } from '../core/schema';
import type { GroupsProps, GroupsRollout, LeaderWorkerTemplateProps } from '../workloads/leader-worker-set/props';
import type { PropPlaces } from './prop-places';
import { METADATA_PROPS } from './usable-props';

/** A pod template, whose pod stays as it is given. */
const TEMPLATE = whole(map({ metadata: METADATA_PROPS, spec: ANY }));

/** What a LeaderWorkerSet and a role of a DisaggregatedSet have of their groups. */
export const GROUPS_PROPS = {
  replicas: INT32,
  size: INT32,
  rollout: map({ maxSurge: INT_OR_PERCENT, maxUnavailable: INT_OR_PERCENT } satisfies SchemasOf<GroupsRollout>),
  leaderWorkerTemplate: whole(
    map({
      leaderTemplate: TEMPLATE,
      workerTemplate: TEMPLATE,
      restartPolicy: STRING,
      subGroupPolicy: whole(map({ subGroupPolicyType: STRING, subGroupSize: INT32 })),
      volumeClaimTemplates: listOf({}),
      persistentVolumeClaimRetentionPolicy: whole(map({ whenDeleted: STRING, whenScaled: STRING })),
    } satisfies SchemasOf<LeaderWorkerTemplateProps>),
  ),
  startupPolicy: STRING,
  networkConfig: whole(map({ subdomainPolicy: STRING })),
} satisfies SchemasOf<GroupsProps & { readonly rollout?: GroupsRollout }>;

/** From which props groups are written, whose spec stands at `field`, and whose props below `prop`. */
export function groupsPlaces(field: string, prop: string): PropPlaces {
  const below = prop === '' ? '' : `${prop}.`;
  return [
    [`${field}.rolloutStrategy.rollingUpdateConfiguration`, `${below}rollout`],
    [`${field}.rolloutStrategy`, `${below}rollout`],
    [`${field}.leaderWorkerTemplate.size`, `${below}size`],
    [field, prop],
  ];
}

/** The versions that groups are for. */
export const GROUP_VERSIONS: FieldSchema = whole(map({ lws: STRING, kubernetes: STRING }));
