import { toFieldPath } from '../../../core/field-path';
import { defineMessage, defineRule } from '../../../core/finding';
import type { Finding } from '../../../core/finding';
import { LLM_STOP_ANNOTATION } from '../components';
import { renderLlmService } from './examples';

/** A service that runs no pods. */
export const llmStopped = defineRule({
  code: 'kserve/llm-stopped',
  since: '0.1.0',
  severity: 'info',
  fires: 'An LLMInferenceService is stopped by its annotation, so nothing is rolled out.',
  why: 'With `serving.kserve.io/stop: "true"` KServe takes down what it made, and makes nothing anew until the annotation goes.',
  fix: 'Take the annotation away to have it run.',
  example: renderLlmService('').replace('  name: chat\n', '  name: chat\n  annotations: { serving.kserve.io/stop: "true" }\n'),
  fixedExample: renderLlmService(''),
  messages: {
    stopped: defineMessage<{ readonly annotation: string }>({
      text: ({ annotation }) => `The annotation ${annotation} keeps the service stopped: nothing is rolled out.`,
      help: () => 'Take the annotation away to have it run.',
      sample: { annotation: LLM_STOP_ANNOTATION },
    }),
  },
});

/** The finding about a stopped service. */
export function reportLlmStopped(): Finding {
  return llmStopped.createFinding('stopped', {
    path: toFieldPath`metadata.annotations[${LLM_STOP_ANNOTATION}]`,
    data: { annotation: LLM_STOP_ANNOTATION },
  });
}
