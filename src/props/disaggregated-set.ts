import type { Manifest } from '../core/manifest/manifest';
import type { PlanDocument } from '../core/document/plan-document';
import { STRING, defineList, closeSchema } from '../core/values/schema';
import type { SchemasFor } from '../core/values/schema';
import { planManifests } from '../plan/plan';
import type { DisaggregatedRoleProps, DisaggregatedSetRolloutProps } from '../systems/disaggregatedset/props';
import { GROUPS_PROPS, GROUP_VERSIONS, buildGroupsPropPaths } from './groups';
import type { PropPaths } from './prop-paths';
import { METADATA_PROPS } from './validate-props';
import type { PropsShape } from './validate-props';

/** Expected props of a DisaggregatedSet. */
export const DISAGGREGATED_SET_SHAPE: PropsShape = {
  maps: { metadata: 'optional' },
  props: {
    metadata: METADATA_PROPS,
    roles: closeSchema(
      defineList({ name: STRING, metadata: METADATA_PROPS, ...GROUPS_PROPS } satisfies SchemasFor<DisaggregatedRoleProps>),
    ),
    versions: GROUP_VERSIONS,
  } satisfies SchemasFor<DisaggregatedSetRolloutProps>,
};

/** Prop paths of a DisaggregatedSet. */
export const DISAGGREGATED_SET_PROP_PATHS: PropPaths = [...buildGroupsPropPaths('spec.roles[*].spec', 'roles[*]'), ['spec', '']];

/** Plans a DisaggregatedSet for its versions, with other objects that limit its pods. */
export function planDisaggregatedSet(
  objects: readonly Manifest[],
  { versions }: Pick<DisaggregatedSetRolloutProps, 'versions'>,
): PlanDocument {
  return planManifests(objects, { ...(versions && { versions }) });
}
