/**
 * A language model on several nodes: a full second set of head and worker pods starts before the first one is deleted.
 *
 * The guide documents 0% and 100% for both. KServe only overrides the workers, so the head's strategy is written out.
 */
import { App, Chart } from 'cdk8s';
import { InferenceServiceRollout } from 'rolloutkit';

const app = new App();
const chart = new Chart(app, 'llm', { namespace: 'llm' });

new InferenceServiceRollout(chart, 'llama', {
  // KServe refuses an autoscaler for multi-node services.
  metadata: { annotations: { 'serving.kserve.io/autoscalerClass': 'none' } },
  predictor: {
    minReplicas: 1,
    model: {
      modelFormat: { name: 'huggingface' },
      storageUri: 'pvc://llama/hf/70b',
      resources: { limits: { 'nvidia.com/gpu': '4' } },
    },
    workerSpec: {
      pipelineParallelSize: 2,
      tensorParallelSize: 4,
      containers: [{ name: 'worker-container', resources: { limits: { 'nvidia.com/gpu': '4' } } }],
    },
  },
});

app.synth();
