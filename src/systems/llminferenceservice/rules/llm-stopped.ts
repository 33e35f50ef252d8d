import { toFieldPath } from '../../../core/manifest/field-path';
import { defineMessage, defineRule } from '../../../core/findings/finding';
import type { Finding } from '../../../core/findings/finding';
import { LLM_STOP_ANNOTATION } from '../components';
import { renderLlmService } from './examples';

/** Reports a service that runs no pods. */
export const llmStopped = defineRule({
  code: 'kserve/llm-stopped',
  since: '0.1.0',
  severity: 'info',
  fires: 'An LLMInferenceService is stopped by its annotation, so nothing rolls out.',
  why: 'With `serving.kserve.io/stop: "true"` KServe deletes the workloads it created, and creates none again until the annotation is removed.',
  fix: 'Remove the annotation to start the service.',
  example: renderLlmService('').replace('  name: chat\n', '  name: chat\n  annotations: { serving.kserve.io/stop: "true" }\n'),
  fixedExample: renderLlmService(''),
  messages: {
    stopped: defineMessage<{ readonly annotation: string }>({
      text: ({ annotation }) => `The annotation ${annotation} keeps the service stopped: nothing rolls out.`,
      help: () => 'Remove the annotation to start the service.',
      sample: { annotation: LLM_STOP_ANNOTATION },
    }),
  },
});

/** Returns the finding about a stopped service. */
export function reportLlmStopped(): Finding {
  return llmStopped.createFinding('stopped', {
    path: toFieldPath`metadata.annotations[${LLM_STOP_ANNOTATION}]`,
    data: { annotation: LLM_STOP_ANNOTATION },
  });
}
