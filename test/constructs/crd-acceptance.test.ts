import { App, Chart, Testing } from 'cdk8s';
import { InferenceServiceRollout, KServePlatformConfig, Rollout } from 'rolloutkit';
import type { Manifest } from '../../src/core/manifest/manifest';
import { expectRefused, expectTaken } from './crd-verdicts';

/** One service for every form that the construct emits. */
function services(): Manifest[] {
  const chart = new Chart(new App(), 'models', { namespace: 'models', labels: { team: 'vision' } });
  const model = { modelFormat: { name: 'sklearn' }, storageUri: 's3://my-bucket/model' };
  const gpus = { limits: { 'nvidia.com/gpu': '4' } };
  const platform = KServePlatformConfig.of({ defaultRollout: { mode: 'Availability', maxSurge: '40%' } });
  const intents = {
    percent: Rollout.availability('25%'),
    count: Rollout.resourceAware(2),
    both: Rollout.rollingUpdate({ maxSurge: 1, maxUnavailable: '10%' }),
    recreate: Rollout.recreate(),
  };
  for (const [name, rollout] of Object.entries(intents)) {
    new InferenceServiceRollout(chart, name, {
      provenanceAnnotations: true,
      predictor: {
        model,
        minReplicas: 2,
        maxReplicas: 8,
        scaleMetric: 'cpu',
        scaleTarget: 70,
        timeout: 30,
        labels: { tier: 'gold' },
        annotations: { owner: 'ada' },
        podSpec: { nodeSelector: { pool: 'gpu' } },
        rollout,
      },
      transformer: {
        containers: [{ name: 'kserve-container', image: 'my-transformer:latest', env: [{ name: 'MODE', value: 'fast' }] }],
        rollout,
      },
      explainer: { containers: [{ name: 'kserve-container', image: 'alibi:latest' }], minReplicas: 1 },
    });
  }
  new InferenceServiceRollout(chart, 'platform', { platform, predictor: { model } });
  new InferenceServiceRollout(chart, 'inherited', { platform, inheritPlatformDefaults: true, predictor: { model } });
  new InferenceServiceRollout(chart, 'multinode', {
    predictor: {
      model: { modelFormat: { name: 'huggingface' }, storageUri: 'pvc://llama/hf/70b', resources: gpus },
      workerSpec: { pipelineParallelSize: 2, tensorParallelSize: 4, containers: [{ name: 'worker-container', resources: gpus }] },
    },
  });
  return Testing.synth(chart);
}

describe('the CRD of InferenceServices', () => {
  test.each(['kserve-v0.17.0', 'kserve-v0.20.0'])('of %s accepts every service that the construct emits', (crds) => {
    expectTaken(crds, services());
  });

  test('refuses a field that v1beta1 does not have', () => {
    const [service] = services();
    const mistaken = { ...service!, spec: { ...(service!.spec as object), transformer: { custom: { container: {} } } } };

    expectRefused('kserve-v0.17.0', mistaken, [{ field: 'spec.transformer.custom', type: 'unknown field' }]);
  });
});
