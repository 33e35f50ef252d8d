/**
 * A DisaggregatedSet: prefill and decode of one model, whose groups are replaced step by step together.
 */
import { App, Chart } from 'cdk8s';
import { DisaggregatedSetRollout, Rollout } from 'rolloutkit';

const app = new App();
const chart = new Chart(app, 'llm', { namespace: 'models' });

const pods = (gpus: number) => ({
  workerTemplate: {
    metadata: { annotations: { 'rolloutkit/startup-seconds': '300' } },
    spec: { containers: [{ name: 'vllm', image: 'vllm/vllm-openai:v0.11.0', resources: { limits: { 'nvidia.com/gpu': gpus } } }] },
  },
});

// One extra group of each role before an old one is deleted: 4 extra GPUs for prefill and 16 for decode.
new DisaggregatedSetRollout(chart, 'chat', {
  roles: [
    { name: 'prefill', replicas: 4, rollout: Rollout.groups({ surge: 1 }), leaderWorkerTemplate: pods(4) },
    { name: 'decode', replicas: 2, size: 2, rollout: Rollout.groups({ surge: 1 }), leaderWorkerTemplate: pods(8) },
  ],
});

app.synth();
