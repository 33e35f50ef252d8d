import type { Manifest } from '../core/manifest';
import { INT32, INT_OR_PERCENT, MAP, STRING, STRING_MAP, listOf, map, whole } from '../core/schema';
import type { SchemasOf } from '../core/schema';
import type { PlanDocument } from '../core/plan-document';
import { DEFAULT_VERSIONS } from '../core/versions';
import { planInput } from '../plan/plan';
import { llmInferenceService, llmVersion } from '../systems/llminferenceservice/props';
import type { LLMInferenceServiceRolloutProps, LlmRollout, LlmWorkloadProps } from '../systems/llminferenceservice/props';
import type { PropPlaces } from './prop-places';
import { METADATA_PROPS } from './usable-props';
import type { PropsShape } from './usable-props';

const WORKLOAD = {
  replicas: INT32,
  scaling: MAP,
  parallelism: MAP,
  template: MAP,
  worker: MAP,
  labels: STRING_MAP,
  annotations: STRING_MAP,
  rollout: map({ maxSurge: INT_OR_PERCENT, maxUnavailable: INT_OR_PERCENT } satisfies SchemasOf<LlmRollout>),
} satisfies SchemasOf<LlmWorkloadProps>;

/** The props of an LLMInferenceService. */
export const LLM_SHAPE: PropsShape = {
  versionWords: ['next'],
  maps: { model: 'required', prefill: 'optional', rollout: 'optional' },
  props: {
    ...WORKLOAD,
    metadata: METADATA_PROPS,
    kserve: STRING,
    model: MAP,
    prefill: whole(map(WORKLOAD)),
    router: MAP,
    baseRefs: listOf({}),
  } satisfies SchemasOf<LLMInferenceServiceRolloutProps>,
};

/** From which props an LLMInferenceService is written. */
export const LLM_PLACES: PropPlaces = [
  ['spec.rolloutStrategy', 'rollout'],
  ['spec.prefill.rolloutStrategy', 'prefill.rollout'],
  ['spec', ''],
];

/** The version of KServe that a service is for. */
function versionOf(props: Pick<LLMInferenceServiceRolloutProps, 'kserve'>): string {
  return llmVersion(props) ?? DEFAULT_VERSIONS.kserve;
}

/**
 * The LLMInferenceService of some props.
 *
 * @throws IntentError for a rollout that the version of KServe has no field for
 */
export function settledLlmService(name: string, props: LLMInferenceServiceRolloutProps): Manifest {
  return llmInferenceService(name, props, versionOf(props));
}

/** The plan of an LLMInferenceService by the version of KServe that it is for. */
export function planLlmService(manifest: Manifest, props: Pick<LLMInferenceServiceRolloutProps, 'kserve'>): PlanDocument {
  return planInput({ objects: [manifest] }, { versions: { kserve: versionOf(props) } });
}
