/** The best practices of KServe's rollout strategy guide, as presets. */
import { App, Chart } from 'cdk8s';
import { InferenceServiceRollout, Rollout } from 'rolloutkit';

const app = new App();
const chart = new Chart(app, 'practices', { namespace: 'best-practices' });

const services = [
  // Most production workloads: Availability with 25% to 50%.
  { name: 'production', rollout: Rollout.production() },
  { name: 'production-in-a-hurry', rollout: Rollout.production('50%') },
  // Critical services: a full second set of pods.
  { name: 'critical', rollout: Rollout.critical() },
  // Development and testing: no extra resources, half of the pods unavailable.
  { name: 'testing', rollout: Rollout.testing() },
];

for (const { name, rollout } of services) {
  new InferenceServiceRollout(chart, name, {
    predictor: {
      minReplicas: 8,
      model: { modelFormat: { name: 'xgboost' }, storageUri: 's3://my-bucket/scoring' },
      rollout,
    },
  });
}

app.synth();
