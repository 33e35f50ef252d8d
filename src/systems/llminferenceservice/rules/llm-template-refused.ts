import type { FieldPath } from '../../../core/manifest/field-path';
import { defineMessage, defineRule } from '../../../core/findings/finding';
import type { Finding } from '../../../core/findings/finding';
import { renderLlmService } from './examples';

interface RefusedData {
  readonly deployment: string;
}

function renderMainContainer(name: string): string {
  return renderLlmService(`  template:\n    containers:\n      - name: main\n        env: [{ name: ${name}, value: "1" }]\n`);
}

/** Reports a pod template from which KServe cannot create a Deployment. */
export const llmTemplateRefused = defineRule({
  code: 'kserve/llm-template-refused',
  since: '0.1.0',
  severity: 'error',
  fires: 'A template of an LLMInferenceService is stored, but the API server refuses the Deployment that KServe creates from it.',
  why:
    'The webhook of LLMInferenceService does not validate the pods. KServe merges them with its presets and writes a Deployment, which the API server ' +
    'validates like any other. If it is refused, running pods stay as they are, and the status of the service shows the reason. A field that a preset may fill in, such as an image, is not reported as missing. ' +
    'For workloads on several nodes, lws/template-refused reports the same.',
  fix: 'Fix the findings of `kubernetes/invalid-workload` about the same template.',
  example: renderMainContainer('"A=B"'),
  fixedExample: renderMainContainer('A_B'),
  messages: {
    deployment: defineMessage<RefusedData>({
      text: ({ deployment }) =>
        `The LLMInferenceService is stored, but the API server refuses the Deployment ${JSON.stringify(deployment)} that KServe creates from this template: no pod is created or replaced.`,
      help: () => 'Fix the other findings about this template.',
      sample: { deployment: 'chat-kserve' },
    }),
  },
});

/** Returns the finding about a component whose Deployment is refused. */
export function reportLlmTemplateRefused(path: FieldPath, deployment: string): Finding {
  return llmTemplateRefused.createFinding('deployment', { path, data: { deployment } });
}
