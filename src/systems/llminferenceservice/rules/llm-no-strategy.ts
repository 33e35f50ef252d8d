import { suggestManualFix, removeField } from '../../../core/suggested-fix';
import { toFieldPath } from '../../../core/field-path';
import { defineMessage, defineRule } from '../../../core/finding';
import type { Finding } from '../../../core/finding';
import type { LlmComponent } from '../components';
import { llmBehaviourOf } from '../versions';
import { renderLlmService } from './examples';

interface NoStrategyData {
  readonly version: string;
  /** Does KServe make a LeaderWorkerSet of it? */
  readonly isMultiNode: boolean;
}

/** A strategy that no released version of KServe reads. */
export const llmNoStrategy = defineRule({
  code: 'kserve/llm-no-strategy',
  since: '0.1.0',
  severity: 'warning',
  fires: 'An LLMInferenceService has a rolloutStrategy, of which this version of KServe knows nothing.',
  why:
    'Up to 0.20 there is no such field: kubectl refuses the object, other clients have it dropped. The rollout defaults of the ConfigMap ' +
    'inferenceservice-config are not read for these workloads either. A Deployment rolls with Kubernetes’ 25 % and 25 %, ' +
    'a LeaderWorkerSet one group at a time without a surge.',
  fix: 'Leave rolloutStrategy out, and keep room for what happens without it.',
  example: renderLlmService('  rolloutStrategy: { maxSurge: 0, maxUnavailable: 1 }\n'),
  fixedExample: renderLlmService(''),
  messages: {
    dropped: defineMessage<NoStrategyData>({
      text: ({ version, isMultiNode }) =>
        `KServe ${version} knows no rolloutStrategy: kubectl refuses it, and other clients have it dropped. ` +
        (isMultiNode
          ? 'Groups go one at a time, with none beyond the replicas.'
          : 'The Deployment rolls with 25 % more and 25 % fewer pods.'),
      help: () => 'Leave it out: the field comes after 0.20.',
      suggestedFix: (_data, path) => suggestManualFix(removeField(path)),
      sample: { version: '0.17', isMultiNode: false },
      variants: [{ version: '0.20', isMultiNode: true }],
    }),
  },
});

/** A strategy that is not read. */
export function checkLlmNoStrategy({ spec, path, groupSize }: LlmComponent, version: string): Finding[] {
  if (spec.rolloutStrategy === undefined || spec.rolloutStrategy === null || llmBehaviourOf(version).hasStrategy) return [];
  return [
    llmNoStrategy.createFinding('dropped', {
      path: toFieldPath`${path}.rolloutStrategy`,
      data: { version, isMultiNode: groupSize !== undefined },
    }),
  ];
}
