/** An iris model that never has fewer than its four pods ready while a new version comes in. */
import { App, Chart } from 'cdk8s';
import { InferenceServiceRollout, KServePlatformConfig, Rollout } from 'rolloutkit';

const app = new App();
const chart = new Chart(app, 'models', { namespace: 'models' });

// As the cluster has it: a surge of 50%, and no pod missing.
const platform = KServePlatformConfig.fromFile('examples/quick-start/inferenceservice-config.yaml');

new InferenceServiceRollout(chart, 'iris', {
  platform,
  predictor: {
    minReplicas: 4,
    maxReplicas: 8,
    model: { modelFormat: { name: 'sklearn' }, storageUri: 's3://my-bucket/model' },
    rollout: Rollout.availability('25%'), // wins over the platform
  },
  transformer: {
    minReplicas: 2,
    containers: [{ name: 'kserve-container', image: 'my-transformer:latest' }],
    // No rollout of its own: the platform's defaults decide.
  },
  provenanceAnnotations: true, // write down who decided, so that a plan of the YAML can name the level
});

app.synth();
