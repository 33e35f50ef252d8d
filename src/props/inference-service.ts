import { at } from '../core/field-path';
import { deepEqual } from '../core/deep-equal';
import { ANY } from '../core/schema';
import { summarise } from '../core/plan-document';
import type { PlanDocument } from '../core/plan-document';
import type { PlannedRollout } from '../core/rollout';
import { COMPONENTS } from '../systems/kserve/service';
import type { ComponentName, InferenceServiceProps, SettledComponent, SettledInferenceService } from '../systems/kserve/types';
import { SERVICE_PROPS } from '../systems/kserve/props-schema';
import type { PropPlaces } from './prop-places';
import { METADATA_PROPS } from './usable-props';
import type { PropsShape } from './usable-props';

/** The props of an InferenceService; a platform level is a value of its own. */
export const SERVICE_SHAPE: PropsShape = {
  maps: { metadata: 'optional', predictor: 'required', transformer: 'optional', explainer: 'optional' },
  props: { ...SERVICE_PROPS, metadata: METADATA_PROPS, platform: ANY },
};

/** From which props a service is written; `others` of a component are fields of it. */
export function servicePlaces(props: Pick<InferenceServiceProps, 'predictor' | 'transformer' | 'explainer'>): PropPlaces {
  const ofComponents = COMPONENTS.flatMap((component) => {
    const others = Object.keys(props[component]?.others ?? {});
    const strategy = props[component]?.deploymentStrategy === undefined ? 'rollout' : 'deploymentStrategy';
    return [
      ...others.map((field) => [at`spec.${component}.${field}`, at`${component}.others.${field}`] as const),
      [at`spec.${component}.deploymentStrategy`, at`${component}.${strategy}`] as const,
    ];
  });
  return [...ofComponents, ['spec', '']];
}

/** What stands in for a service that nothing can be made of. */
export const UNSETTLED: Omit<SettledInferenceService, 'manifest'> = {
  components: (['predictor', 'worker', 'transformer', 'explainer'] as const).map((component) => ({
    component,
    strategy: null,
    provenance: [],
  })),
  findings: [],
  notes: [],
};

/** The component of that name; undefined where the service has none. */
export function componentOf(components: readonly SettledComponent[], name: ComponentName): SettledComponent | undefined {
  return components.find(({ component }) => component === name);
}

/** With the provenance that was settled, which names every level that lost; a strategy that a patch has changed keeps the plan's own. */
function withSettledProvenance(rollout: PlannedRollout, components: readonly SettledComponent[]): PlannedRollout {
  const settled = components.find(({ component }) => component === rollout.resource.component);
  return settled && deepEqual(settled.strategy, rollout.strategy) ? { ...rollout, provenance: settled.provenance } : rollout;
}

/**
 * The plan of a service together with what only the intent knows: each rollout with the provenance that was settled, and the first one
 * with what the mode Standard changes on the platform, since the object does not show whether somebody asked for that mode.
 */
export function asSettled(plan: PlanDocument, { components, notes }: Pick<SettledInferenceService, 'components' | 'notes'>): PlanDocument {
  const [first, ...others] = plan.rollouts.map((rollout) => withSettledProvenance(rollout, components));
  if (first === undefined) return plan;
  const rollouts = [{ ...first, findings: [...first.findings, ...notes] }, ...others];
  return { ...plan, rollouts, summary: summarise({ ...plan, rollouts }) };
}
