import { deepEqual } from '../core/deep-equal';
import { ANY } from '../core/schema';
import type { PlannedRollout } from '../core/rollout';
import type { ComponentName, SettledComponent } from '../systems/kserve/types';
import { SERVICE_PROPS } from '../systems/kserve/props-schema';
import { METADATA_PROPS } from './usable-props';
import type { PropsShape } from './usable-props';

/** The props of an InferenceService; a platform level is a value of its own. */
export const SERVICE_SHAPE: PropsShape = {
  maps: { metadata: 'optional', predictor: 'required', transformer: 'optional', explainer: 'optional' },
  props: { ...SERVICE_PROPS, metadata: METADATA_PROPS, platform: ANY },
};

/** The component of that name; undefined where the service has none. */
export function componentOf(components: readonly SettledComponent[], name: ComponentName): SettledComponent | undefined {
  return components.find(({ component }) => component === name);
}

/**
 * The rollouts of a plan, each with the provenance that was settled, which names every level that lost.
 *
 * A rollout whose strategy is another than the settled one, as where a patch has changed it, keeps the plan's own.
 */
export function withSettledProvenance(
  rollouts: readonly PlannedRollout[],
  components: readonly SettledComponent[],
): readonly PlannedRollout[] {
  return rollouts.map((rollout) => {
    const settled = components.find(({ component }) => component === rollout.resource.component);
    return settled && deepEqual(settled.strategy, rollout.strategy) ? { ...rollout, provenance: settled.provenance } : rollout;
  });
}
