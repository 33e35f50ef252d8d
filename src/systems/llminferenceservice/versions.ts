import { getValueAtVersion } from '../../core/versions';

/** What differs between the versions of KServe for LLMInferenceServices. */
export interface LlmBehaviour {
  /** Is there `rolloutStrategy`, beside the template and in `prefill`? */
  readonly hasStrategy: boolean;
}

/**
 * Source: kserve/kserve pkg/controller/v1alpha2/llmisvc of 0.17.0 and 0.20.0, which have no field; the field stands in master since 117261274
 * (#5916), after 0.20, and in no release yet: it is planned for as 0.21.
 */
const BEHAVIOURS: readonly (readonly [since: string, LlmBehaviour])[] = [
  ['0', { hasStrategy: false }],
  ['0.21', { hasStrategy: true }],
];

/** What a version of KServe does with LLMInferenceServices. */
export function llmBehaviourOf(version: string): LlmBehaviour {
  return getValueAtVersion(BEHAVIOURS, version);
}
