import * as fc from 'fast-check';
import type { Manifest } from '../../../src/core/manifest/manifest';
import { configMap, plan } from './plan';
import { scaleRuns } from '../../setup/scale-runs';

/** Values of every type, including the keywords of KServe. */
const WORDS = ['', '1', '25%', 'Standard', 'Knative', 'RollingUpdate', 'Recreate', 'v2'] as const;
const leaf = fc.constantFrom<unknown>(null, true, 0, -1, 1.5, 3, [], {}, ...WORDS);
const FIELDS = [
  'predictor',
  'transformer',
  'canary',
  'model',
  'containers',
  'workerSpec',
  'deploymentStrategy',
  'rollingUpdate',
  'type',
  'maxSurge',
  'maxUnavailable',
  'minReplicas',
  'maxReplicas',
  'name',
  'env',
  'resources',
  'limits',
  'nvidia.com/gpu',
  'trafficPercent',
  'custom',
  'pipelineParallelSize',
  'annotations',
  'storageUri',
  'runtime',
] as const;
const { tree, map } = fc.letrec((tie) => ({
  tree: fc.oneof({ maxDepth: 6 }, leaf, fc.array(tie('tree'), { maxLength: 2 }), tie('map')),
  map: fc.dictionary(fc.constantFrom(...FIELDS), tie('tree'), { maxKeys: 5 }),
}));
const annotations = fc.dictionary(
  fc.constantFrom('serving.kserve.io/deploymentMode', 'serving.kserve.io/autoscalerClass', 'serving.kserve.io/gpu-resource-types'),
  leaf,
);

/** A spec of any shape, and one with the parts that KServe plans. */
const spec = fc.oneof(
  tree,
  fc.record(
    { predictor: map, transformer: map, canary: fc.array(fc.record({ trafficPercent: leaf, predictor: map }), { maxLength: 2 }) },
    { requiredKeys: ['predictor'] },
  ),
);

test('any object of the kind is planned: at least one rollout, a reason if it has no strategy, and never a crash', () => {
  const service = fc
    .record({ metadata: fc.oneof(leaf, fc.record({ name: leaf, annotations: fc.oneof(leaf, annotations) })), spec, status: tree })
    .map((parts): Manifest => ({ apiVersion: 'serving.kserve.io/v1beta1', kind: 'InferenceService', ...(parts as object) }));
  const deploy = fc.oneof(fc.json(), fc.constant('{"defaultDeploymentMode": "Standard"}'));
  fc.assert(
    fc.property(service, deploy, fc.constantFrom('0.15', '0.17', '0.20'), (object, text, version) => {
      const document = plan([object, configMap(text)], version);
      expect(document.rollouts.length).toBeGreaterThan(0);
      for (const { strategy, simulation, findings } of document.rollouts) {
        // A Revision is replaced entirely, without a strategy.
        const rollsOut = strategy !== null || simulation?.kind === 'revision';
        expect(rollsOut).toBe(simulation !== null);
        const reasons = [...findings, ...document.findings];
        expect(rollsOut || reasons.length > 0).toBe(true);
      }
    }),
    { numRuns: scaleRuns(1_000) },
  );
});
