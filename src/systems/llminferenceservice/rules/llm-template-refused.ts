import type { FieldPath } from '../../../core/field-path';
import { defineMessage, defineRule } from '../../../core/finding';
import type { Finding } from '../../../core/finding';
import { renderLlmService } from './examples';

interface RefusedData {
  readonly deployment: string;
}

function renderMainContainer(name: string): string {
  return renderLlmService(`  template:\n    containers:\n      - name: main\n        env: [{ name: ${name}, value: "1" }]\n`);
}

/** A pod of which KServe can make no Deployment. */
export const llmTemplateRefused = defineRule({
  code: 'kserve/llm-template-refused',
  since: '0.1.0',
  severity: 'error',
  fires: 'A template of an LLMInferenceService is stored, but the API server refuses the Deployment that KServe makes of it.',
  why:
    'The webhook of LLMInferenceService does not look into the pods. KServe merges them with its presets and writes a Deployment, which the API server ' +
    'validates as any other: what runs stays as it is, and the status of the service says why. What a preset may fill in, such as an image, is not missed. ' +
    'Of workloads over several nodes lws/template-refused says the same.',
  fix: 'Mend what the findings of `kubernetes/invalid-workload` about the same template name.',
  example: renderMainContainer('"A=B"'),
  fixedExample: renderMainContainer('A_B'),
  messages: {
    deployment: defineMessage<RefusedData>({
      text: ({ deployment }) =>
        `The LLMInferenceService is stored, but the API server refuses the Deployment ${JSON.stringify(deployment)} that KServe makes of this template: no pod is made or replaced.`,
      help: () => 'Mend what the other findings about this template name.',
      sample: { deployment: 'chat-kserve' },
    }),
  },
});

/** What becomes of a component whose Deployment is refused. */
export function reportLlmTemplateRefused(path: FieldPath, deployment: string): Finding {
  return llmTemplateRefused.createFinding('deployment', { path, data: { deployment } });
}
