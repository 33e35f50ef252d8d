import type { Manifest } from '../core/manifest';
import type { PlanDocument } from '../core/plan-document';
import { STRING, listOf, whole } from '../core/schema';
import type { SchemasOf } from '../core/schema';
import { planInput } from '../plan/plan';
import type { DisaggregatedRoleProps, DisaggregatedSetRolloutProps } from '../systems/disaggregatedset/props';
import { GROUPS_PROPS, GROUP_VERSIONS, groupsPlaces } from './groups';
import type { PropPlaces } from './prop-places';
import { METADATA_PROPS } from './usable-props';
import type { PropsShape } from './usable-props';

/** The props of a DisaggregatedSet. */
export const DISAGGREGATED_SET_SHAPE: PropsShape = {
  maps: { metadata: 'optional' },
  props: {
    metadata: METADATA_PROPS,
    roles: whole(listOf({ name: STRING, metadata: METADATA_PROPS, ...GROUPS_PROPS } satisfies SchemasOf<DisaggregatedRoleProps>)),
    versions: GROUP_VERSIONS,
  } satisfies SchemasOf<DisaggregatedSetRolloutProps>,
};

/** From which props a DisaggregatedSet is written. */
export const DISAGGREGATED_SET_PLACES: PropPlaces = [...groupsPlaces('spec.roles[*].spec', 'roles[*]'), ['spec', '']];

/** The plan of a DisaggregatedSet by the versions that it is for. */
export function planDisaggregatedSet(manifest: Manifest, { versions }: Pick<DisaggregatedSetRolloutProps, 'versions'>): PlanDocument {
  return planInput({ objects: [manifest] }, { ...(versions && { versions }) });
}
