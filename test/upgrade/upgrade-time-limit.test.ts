/** The seconds of the budget also end what an upgrade does after both versions are planned. */
import { DeadlineError } from '../../src/core/budget/deadline';
import { normalizeObjects } from '../../src/input/normalize-objects';
import { planUpgrade } from '../../src/upgrade/plan-upgrade';
import { parseUpgrade } from '../../src/upgrade/version-pair';
import { rolloutkit } from '../cli/command-line';

const serviceOf = (index: number) => ({
  apiVersion: 'serving.kserve.io/v1beta1',
  kind: 'InferenceService',
  metadata: { name: `service-${index}`, namespace: 'models' },
  spec: { predictor: { model: { modelFormat: { name: 'own', version: String(index) }, storageUri: 'pvc://models' } } },
});

const runtimeOf = (index: number) => ({
  apiVersion: 'serving.kserve.io/v1alpha1',
  kind: 'ClusterServingRuntime',
  metadata: { name: `runtime-${index}` },
  spec: {
    supportedModelFormats: Array.from({ length: 500 }, (_, format) => ({ name: 'own', version: `v${format}`, autoSelect: true })),
    containers: [{ name: 'kserve-container', image: 'own:1' }],
  },
});

test('many services and formats of models do not take longer', () => {
  const objects = [
    ...Array.from({ length: 300 }, (_, index) => serviceOf(index)),
    ...Array.from({ length: 50 }, (_, index) => runtimeOf(index)),
  ];

  expect(() => planUpgrade(normalizeObjects(objects), parseUpgrade('kserve=0.17..0.20'), {}, { budget: { seconds: 0.02 } })).toThrow(
    DeadlineError,
  );
});

test('the command fails, and says how to raise them', async () => {
  for (const row of parseUpgrade('kserve=0.17..0.20').facts.rows) {
    jest.spyOn(row, 'match').mockImplementation(() => {
      throw new DeadlineError();
    });
  }

  expect(
    await rolloutkit('upgrade kserve=0.17..0.20 service.json', {
      files: { 'service.json': JSON.stringify(serviceOf(1)) },
    }),
  ).toEqual({
    exitCode: 2,
    stdout: '',
    stderr:
      'rolloutkit: comparing the versions takes more than 300 seconds; raise the budget with --budget seconds=600, if you trust this input\n',
  });
});
