import { ANY, INT32, INT_OR_PERCENT, STRING, defineList, defineMap, closeSchema, requireProp } from '../core/values/schema';
import type { FieldSchema, SchemasFor } from '../core/values/schema';
import type { GroupsProps, GroupsRollout, LeaderWorkerTemplateProps } from '../workloads/leader-worker-set/props';
import { DRAIN } from '../workloads/drain';
import type { PropPaths } from './prop-paths';
import { METADATA_PROPS } from './validate-props';

/** A pod template. Its pod is not validated here. */
const TEMPLATE = closeSchema(defineMap({ metadata: METADATA_PROPS, spec: ANY }));

/** Props of groups, shared by a LeaderWorkerSet and a role of a DisaggregatedSet. */
export const GROUPS_PROPS = {
  replicas: INT32,
  size: INT32,
  rollout: defineMap({ maxSurge: INT_OR_PERCENT, maxUnavailable: INT_OR_PERCENT } satisfies SchemasFor<GroupsRollout>),
  leaderWorkerTemplate: closeSchema(
    defineMap({
      leaderTemplate: TEMPLATE,
      workerTemplate: TEMPLATE,
      restartPolicy: STRING,
      subGroupPolicy: closeSchema(defineMap({ subGroupPolicyType: STRING, subGroupSize: INT32 })),
      volumeClaimTemplates: defineList({}),
      persistentVolumeClaimRetentionPolicy: closeSchema(defineMap({ whenDeleted: STRING, whenScaled: STRING })),
    } satisfies SchemasFor<LeaderWorkerTemplateProps>),
  ),
  startupPolicy: STRING,
  drain: DRAIN,
  networkConfig: closeSchema(defineMap({ subdomainPolicy: requireProp(STRING, 'Shared or UniquePerReplica') })),
} satisfies SchemasFor<GroupsProps & { readonly rollout?: GroupsRollout }>;

/** Builds the prop paths of groups with their spec at `field` and their props below `prop`. */
export function buildGroupsPropPaths(field: string, prop: string): PropPaths {
  const below = prop === '' ? '' : `${prop}.`;
  return [
    [`${field}.rolloutStrategy.rollingUpdateConfiguration`, `${below}rollout`],
    [`${field}.rolloutStrategy`, `${below}rollout`],
    [`${field}.leaderWorkerTemplate.size`, `${below}size`],
    [field, prop],
  ];
}

/** Schema of the versions of the cluster. */
export const GROUP_VERSIONS: FieldSchema = closeSchema(defineMap({ lws: STRING, kubernetes: STRING }));
