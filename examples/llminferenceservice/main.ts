/**
 * LLMInferenceServices of KServe, whose rollouts can't be set up to 0.20: the plan shows what they are.
 */
import { App, Chart } from 'cdk8s';
import { LLMInferenceServiceRollout } from 'rolloutkit';

const app = new App();
const chart = new Chart(app, 'llm', { namespace: 'models' });

const template = { containers: [{ name: 'main', image: 'vllm/vllm-openai:v0.11.0', resources: { limits: { 'nvidia.com/gpu': 8 } } }] };

// Prompts and answers apart: two rollouts that know nothing of each other, and a scheduler that is always recreated.
new LLMInferenceServiceRollout(chart, 'chat', {
  model: { uri: 'hf://Qwen/Qwen3-8B', name: 'Qwen/Qwen3-8B' },
  replicas: 4,
  template,
  prefill: { replicas: 2, template },
  router: { scheduler: {} },
});

app.synth();
