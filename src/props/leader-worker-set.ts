import type { Manifest } from '../core/manifest';
import { INT32 } from '../core/schema';
import type { SchemasOf } from '../core/schema';
import type { PlanDocument } from '../core/plan-document';
import { planInput } from '../plan/plan';
import type { LeaderWorkerSetRolloutProps } from '../systems/leaderworkerset/props';
import { GROUPS_PROPS, GROUP_VERSIONS, groupsPlaces } from './groups';
import type { PropPlaces } from './prop-places';
import { METADATA_PROPS } from './usable-props';
import type { PropsShape } from './usable-props';

/** The props of a LeaderWorkerSet. */
export const LEADER_WORKER_SET_SHAPE: PropsShape = {
  maps: { leaderWorkerTemplate: 'required', rollout: 'optional' },
  props: {
    metadata: METADATA_PROPS,
    ...GROUPS_PROPS,
    partition: INT32,
    versions: GROUP_VERSIONS,
  } satisfies SchemasOf<LeaderWorkerSetRolloutProps>,
};

/** From which props a LeaderWorkerSet is written. */
export const LEADER_WORKER_SET_PLACES: PropPlaces = [
  ['spec.rolloutStrategy.rollingUpdateConfiguration.partition', 'partition'],
  ...groupsPlaces('spec', ''),
];

/** The plan of a LeaderWorkerSet by the versions that it is for. */
export function planLeaderWorkerSet(manifest: Manifest, { versions }: Pick<LeaderWorkerSetRolloutProps, 'versions'>): PlanDocument {
  return planInput({ objects: [manifest] }, { ...(versions && { versions }) });
}
