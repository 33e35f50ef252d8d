import { toFieldPath } from '../core/manifest/field-path';
import { isDeepEqual } from '../core/collections/deep-equal';
import { getValueAt, isFields } from '../core/manifest/manifest';
import type { Fields } from '../core/manifest/manifest';
import { ANY } from '../core/values/schema';
import { withSummary } from '../core/document/plan-document';
import type { PlanDocument } from '../core/document/plan-document';
import type { PlannedRollout } from '../core/document/rollout';
import { INFERENCE_SERVICE_TYPE } from '../systems/kserve/manifests';
import { isNonNull } from '../systems/kserve/precedence';
import { COMPONENTS, modelFieldOf } from '../systems/kserve/service';
import type { ComponentName, InferenceServiceProps, ResolvedComponent, ResolvedInferenceService } from '../systems/kserve/types';
import { findFirstKserveVersion, kserveBehaviourOf } from '../systems/kserve/versions';
import { FRAMEWORKS } from '../systems/kserve/passthrough-fields';
import { joinWords } from '../core/text/text-format';
import { SERVICE_PROPS } from '../systems/kserve/props-schema';
import type { PropPaths } from './prop-paths';
import { METADATA_PROPS } from './validate-props';
import type { PropsShape } from './validate-props';

/** Expected props of an InferenceService. The platform level is validated separately. */
export const SERVICE_SHAPE: PropsShape = {
  refusesFractions: true,
  maps: { metadata: 'optional', predictor: 'required', transformer: 'optional', explainer: 'optional' },
  props: { ...SERVICE_PROPS, metadata: METADATA_PROPS, platform: ANY },
};

/** A component that a user writes. */
type GivenComponent = (typeof COMPONENTS)[number];

/** What to write into a component that has nothing to run. */
const IMPLEMENTATIONS: Readonly<Record<GivenComponent, string>> = {
  predictor: "model: { modelFormat: { name: 'sklearn' }, storageUri: 's3://my-bucket/model' }, or containers",
  transformer: "containers: [{ name: 'kserve-container', image: 'my-transformer:1' }]",
  explainer: "containers: [{ name: 'kserve-container', image: 'my-explainer:1' }]",
};

/** Reports whether a value may contain entries. A token of cdk8s is only known at synth. */
function hasEntries(list: unknown): boolean {
  return Array.isArray(list) ? list.length > 0 : isNonNull(list);
}

/** Reports whether a component has a model, a framework, an explainer's `art`, or containers. A map in `others` may be a newer framework. */
function hasImplementation({ others, podSpec, ...component }: Fields): boolean {
  const isImplemented = modelFieldOf(component) !== undefined || isFields(component.art) || hasEntries(component.containers);
  return (
    isImplemented || (isFields(podSpec) && hasEntries(podSpec.containers)) || (isFields(others) && Object.values(others).some(isFields))
  );
}

/**
 * Finds components that have nothing to run. Returns one line each.
 *
 * Source: KServe 0.17, pkg/apis/serving/v1beta1/predictor.go, transformer.go and explainer.go (`GetImplementations`).
 */
function findEmptyComponents(props: Pick<InferenceServiceProps, GivenComponent>): string[] {
  return COMPONENTS.flatMap((component) => {
    const given = props[component] as Fields | undefined;
    if (!isFields(given) || hasImplementation(given)) return [];
    const field = component === 'predictor' ? 'model' : 'containers';
    return [`${component} has no ${field}, so the webhook of KServe refuses the service: write ${IMPLEMENTATIONS[component]}`];
  });
}

/** Finds components without anything to run, models that KServe can find no runtime for, and canaries that are dropped. Returns one line each. */
export function findUnservedModels(props: Pick<InferenceServiceProps, GivenComponent | 'canary' | 'kserve'>): string[] {
  return [...findEmptyComponents(props), ...findSeveralModels(props), ...findModelsWithoutRuntime(props), ...findDroppedCanaries(props)];
}

/** Finds a predictor with several models. KServe reads only one of them. Returns one line. Source: KServe 0.17 inference_service_defaults.go. */
function findSeveralModels({ predictor }: Pick<InferenceServiceProps, 'predictor'>): string[] {
  const fields = ['model', ...FRAMEWORKS].filter((field) => isFields(getValueAt(predictor, field)));
  if (fields.length < 2) return [];
  return [`predictor has ${joinWords(fields)}, but KServe serves only one model: delete ${joinWords(fields.slice(1), 'or')}`];
}

/** Finds canaries of a service for a version of KServe that has none. Returns one line. */
function findDroppedCanaries({ canary, kserve }: Pick<InferenceServiceProps, 'canary' | 'kserve'>): string[] {
  if (canary === undefined || kserve === undefined || kserveBehaviourOf(kserve).hasCanaries) return [];
  const since = findFirstKserveVersion(({ hasCanaries }) => hasCanaries);
  return [
    `canary is set, but KServe ${kserve} has no such field, so the API server drops it; write kserve: '${since}' or later, or delete canary`,
  ];
}

function findModelsWithoutRuntime({ predictor, canary = [] }: Pick<InferenceServiceProps, 'predictor' | 'canary'>): string[] {
  const models = [
    [toFieldPath`predictor.model`, predictor.model] as const,
    ...canary.map((each, index) => [toFieldPath`canary[${index}].predictor.model`, each?.predictor?.model] as const),
  ];
  return models.flatMap(([path, model]) => {
    if (isFields(model) && model.storageUri === '')
      return [`${path}.storageUri is empty, so there is no model to load: write a URI such as s3://my-bucket/model, or leave it out`];
    if (!isFields(model) || isNonNull(model.modelFormat) || isNonNull(model.runtime)) return [];
    return [
      `${path} has neither a modelFormat nor a runtime, so KServe finds no runtime that serves it: write modelFormat: { name: 'sklearn' }`,
    ];
  });
}

/** Builds the prop paths of a service. `others` of a component are fields of it. */
export function buildServicePropPaths(props: Pick<InferenceServiceProps, 'predictor' | 'transformer' | 'explainer'>): PropPaths {
  const componentPaths = COMPONENTS.flatMap((component) => {
    const others = Object.keys(props[component]?.others ?? {});
    const podFields = Object.keys(props[component]?.podSpec ?? {});
    const strategy = props[component]?.deploymentStrategy === undefined ? 'rollout' : 'deploymentStrategy';
    return [
      ...others.map((field) => [toFieldPath`spec.${component}.${field}`, toFieldPath`${component}.others.${field}`] as const),
      ...podFields.map((field) => [toFieldPath`spec.${component}.${field}`, toFieldPath`${component}.podSpec.${field}`] as const),
      [toFieldPath`spec.${component}.deploymentStrategy`, toFieldPath`${component}.${strategy}`] as const,
    ];
  });
  return [...componentPaths, ['spec', '']];
}

/** Fallback for a service with rejected props. */
export const UNRESOLVED_SERVICE: Omit<ResolvedInferenceService, 'manifest'> = {
  components: (['predictor', 'worker', 'transformer', 'explainer'] as const).map((component) => ({
    component,
    strategy: null,
    provenance: [],
  })),
  findings: [],
  notes: [],
};

/** Finds the component of a name. Undefined if the service has none. */
export function findServiceComponent(components: readonly ResolvedComponent[], name: ComponentName): ResolvedComponent | undefined {
  return components.find(({ component }) => component === name);
}

/** Replaces the provenance by that of the intent, which lists every overridden level, unless a patch has changed the strategy. */
function withResolvedProvenance(rollout: PlannedRollout, components: readonly ResolvedComponent[]): PlannedRollout {
  const resolved = components.find(({ component }) => component === rollout.resource.component);
  return resolved && isDeepEqual(resolved.strategy, rollout.strategy) ? { ...rollout, provenance: resolved.provenance } : rollout;
}

/**
 * Merges into a plan what only the intent knows. Each rollout gets the provenance of the intent. The first one also gets the notes about
 * what the mode Standard changes on the platform, because the object does not show whether the user requested that mode.
 */
export function mergeIntentIntoPlan(
  plan: PlanDocument,
  { components, notes }: Pick<ResolvedInferenceService, 'components' | 'notes'>,
): PlanDocument {
  const [first, ...others] = plan.rollouts.map((rollout) => withResolvedProvenance(rollout, components));
  if (first === undefined) return plan;
  const rollouts = [{ ...first, findings: [...first.findings, ...notes] }, ...others];
  return withSummary({ ...plan, rollouts });
}

/** What the intent of a service knows and its object does not show. */
export interface ServiceIntent extends Pick<ResolvedInferenceService, 'components' | 'notes'> {
  /** Namespace and name of the InferenceService. */
  readonly namespace?: string;
  readonly name: string;
}

/** Merges what the intents of services know into a plan that also has other objects. */
export function mergeServiceIntents<Document extends PlanDocument>(plan: Document, intents: readonly ServiceIntent[]): Document {
  if (intents.length === 0) return plan;
  const keyOf = ({ namespace, name }: Pick<ServiceIntent, 'namespace' | 'name'>) => JSON.stringify([namespace, name]);
  const byKey = new Map(intents.map((intent) => [keyOf(intent), intent]));
  const noted = new Set<ServiceIntent>();
  const rollouts = plan.rollouts.map((rollout) => {
    const isService = rollout.resource.kind === INFERENCE_SERVICE_TYPE.kind && rollout.system === 'kserve';
    const intent = isService ? byKey.get(keyOf(rollout.resource)) : undefined;
    if (!intent) return rollout;
    const resolved = withResolvedProvenance(rollout, intent.components);
    if (noted.has(intent)) return resolved;
    noted.add(intent);
    return { ...resolved, findings: [...resolved.findings, ...intent.notes] };
  });
  return withSummary({ ...plan, rollouts });
}
