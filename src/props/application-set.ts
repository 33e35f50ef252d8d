import { at } from '../core/field-path';
import type { Manifest } from '../core/manifest';
import { ANY, BOOLEAN, INT_OR_PERCENT, MAP, STRING, STRINGS, STRING_MAP, listOf, map, whole } from '../core/schema';
import type { SchemasOf } from '../core/schema';
import type { PlanDocument } from '../core/plan-document';
import { planInput } from '../plan/plan';
import type {
  ApplicationGenerator,
  ApplicationMetadata,
  ApplicationSetIntent,
  ApplicationTemplate,
  StepMatchExpression,
  SyncStep,
} from '../systems/argo-cd/props';
import { inventoryOption } from './inventory';
import type { InventoryProp } from './inventory';
import type { PropPlaces } from './prop-places';
import { METADATA_PROPS } from './usable-props';
import type { PropsShape } from './usable-props';

/** Properties of an `ApplicationSetRollout`. */
export interface ApplicationSetRolloutProps extends ApplicationSetIntent, InventoryProp {}

const TEMPLATE_METADATA = whole(
  map({
    name: STRING,
    namespace: STRING,
    labels: STRING_MAP,
    annotations: STRING_MAP,
    finalizers: STRINGS,
  } satisfies SchemasOf<ApplicationMetadata>),
);

const STEPS = whole(
  listOf({
    match: MAP,
    matchExpressions: whole(listOf({ key: STRING, operator: STRING, values: STRINGS } satisfies SchemasOf<StepMatchExpression>)),
    maxUpdate: INT_OR_PERCENT,
  } satisfies SchemasOf<SyncStep>),
);

/** The props of an ApplicationSet. */
export const APPLICATION_SET_SHAPE: PropsShape = {
  maps: { metadata: 'optional', template: 'required' },
  props: {
    metadata: METADATA_PROPS,
    generators: listOf({ clusters: MAP, list: MAP } satisfies SchemasOf<Pick<ApplicationGenerator, 'clusters' | 'list'>>),
    template: whole(map({ metadata: TEMPLATE_METADATA, spec: MAP } satisfies SchemasOf<ApplicationTemplate>)),
    steps: STEPS,
    deletionOrder: STRING,
    goTemplate: BOOLEAN,
    goTemplateOptions: STRINGS,
    templatePatch: STRING,
    syncPolicy: MAP,
    ignoreApplicationDifferences: listOf({}),
    preservedFields: MAP,
    inventory: ANY,
  } satisfies SchemasOf<ApplicationSetRolloutProps>,
};

/** From which props an ApplicationSet is written: of a step, `match` before `matchExpressions`. */
export function applicationSetPlaces({ steps }: ApplicationSetIntent): PropPlaces {
  const STEPS_FIELD = 'spec.strategy.rollingSync.steps';
  const expressions = steps.flatMap((step, index) => {
    const matched = Object.keys(step.match ?? {});
    const written = [
      ...matched.map((label) => at`steps[${index}].match.${label}`),
      ...(step.matchExpressions ?? []).map((_, position) => at`steps[${index}].matchExpressions[${position}]`),
    ];
    return written.map((prop, position) => [`${STEPS_FIELD}[${index}].matchExpressions[${position}]`, prop] as const);
  });
  return [...expressions, [STEPS_FIELD, 'steps'], ['spec.strategy.deletionOrder', 'deletionOrder'], ['spec', '']];
}

/** The plan of an ApplicationSet over the clusters of an inventory. */
export function planApplicationSet(manifest: Manifest, { inventory }: InventoryProp): PlanDocument {
  return planInput({ objects: [manifest] }, inventoryOption(inventory));
}
