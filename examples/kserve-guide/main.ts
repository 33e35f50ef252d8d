/**
 * The examples of KServe's rollout strategy guide, with values that the API server accepts.
 *
 * The guide writes counts in quotes (`maxUnavailable: "0"`), which are refused; here they are numbers.
 */
import { App, Chart } from 'cdk8s';
import { InferenceServiceRollout, KServePlatformConfig, Rollout } from 'rolloutkit';

const app = new App();
const chart = new Chart(app, 'guide', { namespace: 'kserve-guide' });

const model = { modelFormat: { name: 'sklearn' }, storageUri: 's3://my-bucket/model' };

// Direct strategies: one extra pod for the predictor, none for the transformer.
new InferenceServiceRollout(chart, 'deployment-strategy-example', {
  predictor: { model, minReplicas: 4, rollout: { type: 'RollingUpdate', maxSurge: 1, maxUnavailable: 0 } },
  transformer: {
    containers: [{ name: 'kserve-container', image: 'my-transformer:latest' }],
    minReplicas: 4,
    rollout: { type: 'RollingUpdate', maxSurge: 0, maxUnavailable: 1 },
  },
});

// Example 1: Availability. A full second set of pods starts first, then the old ones are deleted.
new InferenceServiceRollout(chart, 'availability-mode-model', {
  predictor: { model, minReplicas: 4, rollout: Rollout.availability('100%') },
});

// Example 2: ResourceAware. A quarter of the old pods is deleted first, then new ones replace them.
new InferenceServiceRollout(chart, 'resource-aware-model', {
  predictor: { model, minReplicas: 4, rollout: Rollout.resourceAware('25%') },
});

const platform = KServePlatformConfig.of({
  defaultDeploymentMode: 'Standard',
  defaultRollout: { mode: 'Availability', maxSurge: '25%', maxUnavailable: '25%' },
});

// Example 3: the service sets nothing, so the platform's defaults decide.
new InferenceServiceRollout(chart, 'configmap-defaults-model', { platform, predictor: { model, minReplicas: 4 } });

// Example 4: nothing is set at any level, so KServe's defaults of 25% and 25% apply, and are written out.
new InferenceServiceRollout(chart, 'default-rollout-model', { predictor: { model, minReplicas: 4 } });

// Migration, option 1: Availability with the former ratio, written into the service. Option 2, the ConfigMap, is examples/kserve-platform.
new InferenceServiceRollout(chart, 'migrated-to-strategy', {
  predictor: { model, minReplicas: 4, rollout: Rollout.availability('25%') },
});

app.synth();
