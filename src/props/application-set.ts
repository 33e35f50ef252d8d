import { toFieldPath } from '../core/manifest/field-path';
import type { Manifest } from '../core/manifest/manifest';
import {
  ANY,
  BOOLEAN,
  INT32,
  INT_OR_PERCENT,
  MAP,
  STRING,
  STRING_LIST,
  STRING_MAP,
  closeSchema,
  defineList,
  defineMap,
  limitValues,
  requireProp,
} from '../core/values/schema';
import { allowChoices, allowIntegers, allowShares } from '../core/values/value-limit';
import type { SchemasFor } from '../core/values/schema';
import type { PlanDocument } from '../core/document/plan-document';
import { planInput } from '../plan/plan';
import type {
  ApplicationMetadata,
  ApplicationSetIntent,
  ApplicationTemplate,
  StepMatchExpression,
  SyncStep,
} from '../systems/argo-cd/props';
import { GENERATORS } from '../systems/argo-cd/schema';
import { toInventoryOption } from './inventory';
import type { InventoryProp } from './inventory';
import type { PropPaths } from './prop-paths';
import { METADATA_PROPS } from './validate-props';
import type { PropsShape } from './validate-props';

/** Properties of an `ApplicationSetRollout`. */
export interface ApplicationSetRolloutProps extends ApplicationSetIntent, InventoryProp {}

const TEMPLATE_METADATA = closeSchema(
  defineMap({
    name: STRING,
    namespace: STRING,
    labels: STRING_MAP,
    annotations: STRING_MAP,
    finalizers: STRING_LIST,
  } satisfies SchemasFor<ApplicationMetadata>),
);

/** The fields of an Application whose types its CRD checks. The API server refuses the entire ApplicationSet otherwise. */
const APPLICATION_SPEC = defineMap({
  project: requireProp(STRING, 'a project, such as default'),
  destination: requireProp(
    defineMap({ server: STRING, namespace: STRING, name: STRING }),
    "the cluster, such as { server: '{{server}}', namespace: 'shop' }",
  ),
  source: defineMap({ repoURL: requireProp(STRING, 'the URL of the repository'), path: STRING, targetRevision: STRING, chart: STRING }),
  revisionHistoryLimit: limitValues(INT32, allowIntegers(0), 'which Argo CD does not read as a number of revisions'),
});

/** Source: Argo CD v3.5.1, applicationset_types.go, `ApplicationSetSyncPolicy`. */
const SYNC_POLICY = defineMap({
  applicationsSync: limitValues(
    STRING,
    allowChoices('create-only', 'create-update', 'create-delete', 'sync'),
    'which the API server refuses',
  ),
  preserveResourcesOnDeletion: BOOLEAN,
});

const STEPS_SCHEMA = closeSchema(
  defineList({
    match: MAP,
    matchExpressions: closeSchema(
      defineList({ key: STRING, operator: STRING, values: STRING_LIST } satisfies SchemasFor<StepMatchExpression>),
    ),
    maxUpdate: limitValues(INT_OR_PERCENT, allowShares(0), 'which is no share of the Applications of a step'),
  } satisfies SchemasFor<SyncStep>),
);

/** Expected props of an ApplicationSet. */
export const APPLICATION_SET_SHAPE: PropsShape = {
  maps: { metadata: 'optional', template: 'required' },
  props: {
    metadata: METADATA_PROPS,
    generators: GENERATORS,
    template: closeSchema(
      defineMap({
        metadata: requireProp(TEMPLATE_METADATA),
        spec: requireProp(APPLICATION_SPEC),
      } satisfies SchemasFor<ApplicationTemplate>),
    ),
    steps: STEPS_SCHEMA,
    deletionOrder: limitValues(STRING, allowChoices('AllAtOnce', 'Reverse'), 'which the controller reads as AllAtOnce'),
    goTemplate: BOOLEAN,
    goTemplateOptions: STRING_LIST,
    templatePatch: STRING,
    syncPolicy: SYNC_POLICY,
    ignoreApplicationDifferences: defineList({}),
    preservedFields: MAP,
    inventory: ANY,
  } satisfies SchemasFor<ApplicationSetRolloutProps>,
};

/** Builds the prop paths of an ApplicationSet. In an emitted step, `match` comes before `matchExpressions`. */
export function buildApplicationSetPropPaths({ steps }: ApplicationSetIntent): PropPaths {
  const STEPS_FIELD = 'spec.strategy.rollingSync.steps';
  const expressions = steps.flatMap((step, index) => {
    const labels = Object.keys(step.match ?? {});
    const propPaths = [
      ...labels.map((label) => toFieldPath`steps[${index}].match.${label}`),
      ...(step.matchExpressions ?? []).map((_, position) => toFieldPath`steps[${index}].matchExpressions[${position}]`),
    ];
    return propPaths.map((prop, position) => [`${STEPS_FIELD}[${index}].matchExpressions[${position}]`, prop] as const);
  });
  return [...expressions, [STEPS_FIELD, 'steps'], ['spec.strategy.deletionOrder', 'deletionOrder'], ['spec', '']];
}

/** Plans an ApplicationSet over the clusters of an inventory. */
export function planApplicationSet(manifest: Manifest, { inventory }: InventoryProp): PlanDocument {
  return planInput({ objects: [manifest] }, toInventoryOption(inventory));
}
