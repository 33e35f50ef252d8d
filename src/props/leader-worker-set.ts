import type { Manifest } from '../core/manifest/manifest';
import { INT32 } from '../core/values/schema';
import type { SchemasFor } from '../core/values/schema';
import type { PlanDocument } from '../core/document/plan-document';
import { planManifests } from '../plan/plan';
import type { LeaderWorkerSetRolloutProps } from '../systems/leaderworkerset/props';
import { GROUPS_PROPS, GROUP_VERSIONS, buildGroupsPropPaths } from './groups';
import type { PropPaths } from './prop-paths';
import { METADATA_PROPS } from './validate-props';
import type { PropsShape } from './validate-props';

/** Expected props of a LeaderWorkerSet. */
export const LEADER_WORKER_SET_SHAPE: PropsShape = {
  refusesFractions: true,
  maps: { leaderWorkerTemplate: 'required', rollout: 'optional' },
  props: {
    metadata: METADATA_PROPS,
    ...GROUPS_PROPS,
    partition: INT32,
    versions: GROUP_VERSIONS,
  } satisfies SchemasFor<LeaderWorkerSetRolloutProps>,
};

/** Prop paths of a LeaderWorkerSet. */
export const LEADER_WORKER_SET_PROP_PATHS: PropPaths = [
  ['spec.rolloutStrategy.rollingUpdateConfiguration.partition', 'partition'],
  ...buildGroupsPropPaths('spec', ''),
];

/** Plans a LeaderWorkerSet for its versions, with other objects that limit its pods. */
export function planLeaderWorkerSet(
  objects: readonly Manifest[],
  { versions }: Pick<LeaderWorkerSetRolloutProps, 'versions'>,
): PlanDocument {
  return planManifests(objects, { ...(versions && { versions }) });
}
