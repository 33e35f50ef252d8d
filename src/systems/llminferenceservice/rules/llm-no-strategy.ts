import { suggestManualFix, removeField } from '../../../core/findings/suggested-fix';
import { toFieldPath } from '../../../core/manifest/field-path';
import { defineMessage, defineRule } from '../../../core/findings/finding';
import type { Finding } from '../../../core/findings/finding';
import type { LlmComponent } from '../components';
import { llmBehaviourOf } from '../versions';
import { renderLlmService } from './examples';

interface NoStrategyData {
  readonly version: string;
  /** Whether KServe creates a LeaderWorkerSet for the workload. */
  readonly isMultiNode: boolean;
}

/** Reports a strategy that no released version of KServe reads. */
export const llmNoStrategy = defineRule({
  code: 'kserve/llm-no-strategy',
  since: '0.1.0',
  severity: 'warning',
  fires: 'An LLMInferenceService has a rolloutStrategy, which this version of KServe does not support.',
  why:
    'Up to 0.20 there is no such field: kubectl refuses the object, and with other clients the API server drops the field. The rollout defaults of the ConfigMap ' +
    'inferenceservice-config are not read for these workloads either. A Deployment rolls with the Kubernetes defaults of 25% and 25%, ' +
    'a LeaderWorkerSet one group at a time without a surge.',
  fix: 'Delete rolloutStrategy, and reserve capacity for the default rollout.',
  example: renderLlmService('  rolloutStrategy: { maxSurge: 0, maxUnavailable: 1 }\n'),
  fixedExample: renderLlmService(''),
  messages: {
    dropped: defineMessage<NoStrategyData>({
      text: ({ version, isMultiNode }) =>
        `KServe ${version} does not support rolloutStrategy: kubectl refuses it, and with other clients the API server drops it. ` +
        (isMultiNode
          ? 'Groups are replaced one at a time, without a surge.'
          : 'The Deployment rolls with maxSurge and maxUnavailable 25%.'),
      help: () => 'Delete it: the field is only available after 0.20.',
      suggestedFix: (_data, path) => suggestManualFix(removeField(path)),
      sample: { version: '0.17', isMultiNode: false },
      variants: [{ version: '0.20', isMultiNode: true }],
    }),
  },
});

/** Reports a strategy that this version does not read. */
export function checkLlmNoStrategy({ spec, path, groupSize }: LlmComponent, version: string): Finding[] {
  if (spec.rolloutStrategy === undefined || spec.rolloutStrategy === null || llmBehaviourOf(version).hasStrategy) return [];
  return [
    llmNoStrategy.createFinding('dropped', {
      path: toFieldPath`${path}.rolloutStrategy`,
      data: { version, isMultiNode: groupSize !== undefined },
    }),
  ];
}
