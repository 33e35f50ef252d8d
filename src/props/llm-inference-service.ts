import { isFields } from '../core/manifest/manifest';
import type { Manifest } from '../core/manifest/manifest';
import {
  BOOLEAN,
  INT32,
  INT_OR_PERCENT,
  MAP,
  STRING,
  STRING_MAP,
  closeSchema,
  defineList,
  defineMap,
  limitValues,
  requireProp,
} from '../core/values/schema';
import { allowIntegers } from '../core/values/value-limit';
import type { SchemasFor } from '../core/values/schema';
import type { PlanDocument } from '../core/document/plan-document';
import { DEFAULT_VERSIONS } from '../core/values/versions';
import { planManifests } from '../plan/plan';
import type { PlanOptions } from '../plan/plan-options';
import { buildLlmInferenceService, resolveLlmVersion } from '../systems/llminferenceservice/props';
import type { LLMInferenceServiceRolloutProps, LlmRollout, LlmWorkloadProps } from '../systems/llminferenceservice/props';
import { DRAIN } from '../workloads/drain';
import type { PropPaths } from './prop-paths';
import { METADATA_PROPS } from './validate-props';
import type { PropsShape } from './validate-props';

/** Why the API server would refuse a value. Source: the CRD of KServe 0.17 to 0.20. */
const REFUSED = 'which the API server refuses';

const SIZE = limitValues(INT32, allowIntegers(1), REFUSED);

const PARALLELISM = defineMap({
  data: SIZE,
  dataLocal: SIZE,
  pipeline: SIZE,
  tensor: SIZE,
  dataRPCPort: limitValues(INT32, allowIntegers(1, 65_535), REFUSED),
  expert: BOOLEAN,
});

const ACTUATORS = '{ hpa: {} } or { keda: {} }';

/** Source: the CRD of KServe 0.20, `spec.scaling`, whose rules require one of the two actuators. */
const ACTUATOR = limitValues(
  defineMap({ hpa: MAP, keda: MAP }),
  {
    allows: (wva) => !isFields(wva) || (wva.hpa === undefined) !== (wva.keda === undefined),
    expected: ACTUATORS,
  },
  REFUSED,
);

const SCALING = defineMap({ minReplicas: SIZE, maxReplicas: requireProp(SIZE), wva: requireProp(ACTUATOR, ACTUATORS) });

const WORKLOAD = {
  replicas: INT32,
  scaling: SCALING,
  parallelism: PARALLELISM,
  template: MAP,
  worker: MAP,
  labels: STRING_MAP,
  annotations: STRING_MAP,
  drain: DRAIN,
  rollout: defineMap({ maxSurge: INT_OR_PERCENT, maxUnavailable: INT_OR_PERCENT } satisfies SchemasFor<LlmRollout>),
} satisfies SchemasFor<LlmWorkloadProps>;

/** Expected props of an LLMInferenceService. */
export const LLM_SHAPE: PropsShape = {
  versionKeywords: ['next'],
  refusesFractions: true,
  maps: { model: 'required', prefill: 'optional', rollout: 'optional' },
  props: {
    ...WORKLOAD,
    metadata: METADATA_PROPS,
    kserve: STRING,
    model: defineMap({ uri: requireProp(STRING, 'a URI such as hf://Qwen/Qwen3-8B'), name: STRING }),
    prefill: closeSchema(defineMap(WORKLOAD)),
    router: defineMap({ route: MAP, gateway: MAP, scheduler: MAP }),
    baseRefs: defineList({ name: STRING }),
  } satisfies SchemasFor<LLMInferenceServiceRolloutProps>,
};

/** Prop paths of an LLMInferenceService. */
export const LLM_PROP_PATHS: PropPaths = [
  ['spec.rolloutStrategy', 'rollout'],
  ['spec.prefill.rolloutStrategy', 'prefill.rollout'],
  ['spec', ''],
];

/** Returns the version of KServe that a service is for. */
function versionOf(props: Pick<LLMInferenceServiceRolloutProps, 'kserve'>): string {
  return resolveLlmVersion(props) ?? DEFAULT_VERSIONS.kserve;
}

/**
 * Builds the LLMInferenceService.
 *
 * @throws IntentError for a rollout that the version of KServe has no field for
 */
export function resolveLlmService(name: string, props: LLMInferenceServiceRolloutProps): Manifest {
  return buildLlmInferenceService(name, props, versionOf(props));
}

/** Returns the options of a plan of an LLMInferenceService: its version of KServe. */
export function llmOptionsOf(props: Pick<LLMInferenceServiceRolloutProps, 'kserve'>): PlanOptions {
  return { versions: { kserve: versionOf(props) } };
}

/** Plans an LLMInferenceService for its version of KServe, with other objects that limit its pods. */
export function planLlmService(objects: readonly Manifest[], props: Pick<LLMInferenceServiceRolloutProps, 'kserve'>): PlanDocument {
  return planManifests(objects, llmOptionsOf(props));
}
