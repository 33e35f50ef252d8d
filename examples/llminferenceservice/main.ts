/**
 * LLMInferenceServices of KServe. Versions up to 0.20 have no rollout settings; the plan shows what they do.
 */
import { App, Chart } from 'cdk8s';
import { LLMInferenceServiceRollout } from 'rolloutkit';

const app = new App();
const chart = new Chart(app, 'llm', { namespace: 'models' });

const template = { containers: [{ name: 'main', image: 'vllm/vllm-openai:v0.11.0', resources: { limits: { 'nvidia.com/gpu': 8 } } }] };

// Prefill and decode in separate workloads: two independent rollouts, and a scheduler that is always recreated.
new LLMInferenceServiceRollout(chart, 'chat', {
  model: { uri: 'hf://Qwen/Qwen3-8B', name: 'Qwen/Qwen3-8B' },
  replicas: 4,
  template,
  prefill: { replicas: 2, template },
  router: { scheduler: {} },
});

app.synth();
