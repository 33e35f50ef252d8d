/**
 * A platform team's rollout defaults, and a team's services that use them.
 *
 * This is the migration of KServe's rollout strategy guide to the ConfigMap (option 2). The ConfigMap belongs to the KServe installation;
 * it is emitted here because this is the platform team's app.
 */
import { App, Chart } from 'cdk8s';
import { InferenceServiceRollout, KServePlatformConfig, Rollout } from 'rolloutkit';

const app = new App();

const platform = KServePlatformConfig.of({
  defaultDeploymentMode: 'Standard',
  defaultRollout: { mode: 'Availability', maxSurge: '25%', maxUnavailable: '25%' },
});
platform.emit(new Chart(app, 'platform', { namespace: 'kserve' }));

const team = new Chart(app, 'recommendations', { namespace: 'recommendations' });

// No strategy is written, so that later changes of the platform's defaults affect the service.
new InferenceServiceRollout(team, 'ranking', {
  platform,
  inheritPlatformDefaults: true,
  predictor: { minReplicas: 4, maxReplicas: 12, model: { modelFormat: { name: 'lightgbm' }, storageUri: 's3://models/ranking' } },
});

// The current defaults of the platform, written out with the level that decided each value.
new InferenceServiceRollout(team, 'related-items', {
  platform,
  provenanceAnnotations: true,
  predictor: { minReplicas: 4, model: { modelFormat: { name: 'lightgbm' }, storageUri: 's3://models/related-items' } },
});

// A second set of pods does not fit on the GPU nodes, so this service overrides the platform.
new InferenceServiceRollout(team, 'embeddings', {
  platform,
  predictor: {
    minReplicas: 4,
    model: { modelFormat: { name: 'pytorch' }, storageUri: 's3://models/embeddings', resources: { limits: { 'nvidia.com/gpu': '1' } } },
    rollout: Rollout.resourceAware(1),
  },
});

app.synth();
