import { at } from '../../../core/field-path';
import { message, rule } from '../../../core/finding';
import type { Finding } from '../../../core/finding';
import { STOP_ANNOTATION } from '../components';
import { llmText } from './examples';

/** A service that runs no pods. */
export const llmStopped = rule({
  code: 'kserve/llm-stopped',
  since: '0.1.0',
  severity: 'info',
  fires: 'An LLMInferenceService is stopped by its annotation, so nothing is rolled out.',
  why: 'With `serving.kserve.io/stop: "true"` KServe takes down what it made, and makes nothing anew until the annotation goes.',
  fix: 'Take the annotation away to have it run.',
  example: llmText('').replace('  name: chat\n', '  name: chat\n  annotations: { serving.kserve.io/stop: "true" }\n'),
  fixed: llmText(''),
  messages: {
    stopped: message<{ readonly annotation: string }>({
      text: ({ annotation }) => `The annotation ${annotation} keeps the service stopped: nothing is rolled out.`,
      help: () => 'Take the annotation away to have it run.',
      sample: { annotation: STOP_ANNOTATION },
    }),
  },
});

/** The finding about a stopped service. */
export function stoppedFinding(): Finding {
  return llmStopped.finding('stopped', { path: at`metadata.annotations[${STOP_ANNOTATION}]`, data: { annotation: STOP_ANNOTATION } });
}
