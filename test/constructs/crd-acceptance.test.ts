import { App, Chart, Testing } from 'cdk8s';
import { InferenceServiceRollout, KServePlatformConfig, Rollout } from 'rolloutkit';
import type { Manifest } from '../../src/core/manifest';
import { haveCrds, inferenceServiceCheck } from './crd-schema';

/** One service of every form that the construct emits. */
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
        nodeSelector: { pool: 'gpu' },
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

const withCrds = haveCrds ? describe : describe.skip;

withCrds(
  `the CRD takes every service that the construct emits${haveCrds ? '' : ' (the upstream CRDs are not at hand: no folder ../shared/crds)'}`,
  () => {
    test.each(['v0.17.0', 'v0.20.0'])('of KServe %s', (version) => {
      const emitted = services();
      const check = inferenceServiceCheck(version, emitted);

      expect(emitted.map((service) => ({ service: service.metadata?.name, taken: check(service), errors: check.errors }))).toEqual(
        emitted.map((service) => ({ service: service.metadata?.name, taken: true, errors: null })),
      );
    });

    test('and refuses a field that v1beta1 does not have', () => {
      const [service] = services();
      const mistaken = { ...service!, spec: { ...(service!.spec as object), transformer: { custom: { container: {} } } } };
      const check = inferenceServiceCheck('v0.17.0', [mistaken]);

      expect(check(mistaken)).toBe(false);
      expect(check.errors).toEqual([
        expect.objectContaining({ instancePath: '/spec/transformer', params: { additionalProperty: 'custom' } }),
      ]);
    });
  },
);
