/**
 * LeaderWorkerSets: groups of a leader and its workers, replaced group by group with all of their GPUs.
 */
import { App, Chart } from 'cdk8s';
import { LeaderWorkerSetRollout, Rollout } from 'rolloutkit';

const app = new App();
const chart = new Chart(app, 'llm', { namespace: 'models' });

const workerTemplate = {
  metadata: { annotations: { 'rolloutkit/startup-seconds': '300' } },
  spec: { containers: [{ name: 'vllm', image: 'vllm/vllm-openai:v0.11.0', resources: { limits: { 'nvidia.com/gpu': 8 } } }] },
};

// One extra group before an old one is deleted: needs capacity for 4 extra pods and 32 GPUs.
new LeaderWorkerSetRollout(chart, 'llama', {
  replicas: 2,
  size: 4,
  rollout: Rollout.groups({ surge: 1 }),
  leaderWorkerTemplate: { workerTemplate },
});

// Two groups at once, without extra groups: Kubernetes 1.36 still replaces them one at a time.
new LeaderWorkerSetRollout(chart, 'batch', {
  replicas: 6,
  size: 2,
  rollout: { maxSurge: 0, maxUnavailable: 2 },
  leaderWorkerTemplate: { workerTemplate },
});

app.synth();
