/** An iris model that always has at least four ready pods while a new version is rolled out. */
import { App, Chart } from 'cdk8s';
import { InferenceServiceRollout, KServePlatformConfig, Rollout } from 'rolloutkit';

const app = new App();
const chart = new Chart(app, 'models', { namespace: 'models' });

// The platform's defaults for this cluster: a surge of 50%, and no pod unavailable.
const platform = KServePlatformConfig.fromFile('examples/quick-start/inferenceservice-config.yaml');

new InferenceServiceRollout(chart, 'iris', {
  platform,
  predictor: {
    minReplicas: 4,
    maxReplicas: 8,
    model: { modelFormat: { name: 'sklearn' }, storageUri: 's3://my-bucket/model' },
    rollout: Rollout.availability('25%'), // overrides the platform
  },
  transformer: {
    minReplicas: 2,
    containers: [{ name: 'kserve-container', image: 'my-transformer:latest' }],
    // No rollout of its own: the platform's defaults decide.
  },
  provenanceAnnotations: true, // record in annotations which level decided, so that a plan of the YAML can show it
});

app.synth();
