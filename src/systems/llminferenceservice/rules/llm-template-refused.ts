import type { FieldPath } from '../../../core/field-path';
import { message, rule } from '../../../core/finding';
import type { Finding } from '../../../core/finding';
import { llmText } from './examples';

interface RefusedData {
  readonly deployment: string;
}

function mainText(name: string): string {
  return llmText(`  template:\n    containers:\n      - name: main\n        env: [{ name: ${name}, value: "1" }]\n`);
}

/** A pod of which KServe can make no Deployment. */
export const llmTemplateRefused = rule({
  code: 'kserve/llm-template-refused',
  since: '0.1.0',
  severity: 'error',
  fires: 'A template of an LLMInferenceService is stored, but the API server refuses the Deployment that KServe makes of it.',
  why:
    'The webhook of LLMInferenceService does not look into the pods. KServe merges them with its presets and writes a Deployment, which the API server ' +
    'validates as any other: what runs stays as it is, and the status of the service says why. What a preset may fill in, such as an image, is not missed. ' +
    'Of workloads over several nodes lws/template-refused says the same.',
  fix: 'Mend what the findings of `kubernetes/invalid-workload` about the same template name.',
  example: mainText('"A=B"'),
  fixed: mainText('A_B'),
  messages: {
    deployment: message<RefusedData>({
      text: ({ deployment }) =>
        `The LLMInferenceService is stored, but the API server refuses the Deployment ${JSON.stringify(deployment)} that KServe makes of this template: no pod is made or replaced.`,
      help: () => 'Mend what the other findings about this template name.',
      sample: { deployment: 'chat-kserve' },
    }),
  },
});

/** What becomes of a component whose Deployment is refused. */
export function templateRefusedFinding(path: FieldPath, deployment: string): Finding {
  return llmTemplateRefused.finding('deployment', { path, data: { deployment } });
}
