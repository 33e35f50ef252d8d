import * as fc from 'fast-check';
import { planManifests } from '../../../src/headless';
import { CLUSTER, incremental, OPTIONS } from './plan';
import { scaleRuns } from '../../setup/scale-runs';

/** Any value that JSON can express: an object with another number is not read. */
const anything = fc.oneof(
  fc.jsonValue() as fc.Arbitrary<unknown>,
  fc.constantFrom<unknown>(null, {}, [], '', '20', -1, 0, 1e12, 0.5, true),
);

/** Returns a map with some of these fields, each with any value. */
function someOf(...fields: string[]): fc.Arbitrary<unknown> {
  return fc.oneof(fc.record(Object.fromEntries(fields.map((field) => [field, anything])), { requiredKeys: [] }), anything);
}

const group = someOf(
  'groupName',
  'template',
  'replicas',
  'minReplicas',
  'maxReplicas',
  'numOfHosts',
  'rayStartParams',
  'resources',
  'suspend',
);

const spec = fc.record(
  {
    upgradeStrategy: fc.oneof(
      someOf('type', 'maxSurgePercent', 'stepSizePercent'),
      fc.record({
        type: fc.constantFrom('NewClusterWithIncrementalUpgrade', 'NewCluster', 'None', 'x'),
        clusterUpgradeOptions: someOf(...Object.keys(OPTIONS)),
      }),
    ),
    rayClusterConfig: fc.oneof(
      someOf('headGroupSpec', 'workerGroupSpecs', 'enableInTreeAutoscaling', 'authOptions', 'upgradeStrategy'),
      fc.array(group).map((workerGroupSpecs) => ({ ...CLUSTER, workerGroupSpecs })),
    ),
    rayClusterSpec: anything,
    serveConfigV2: fc.oneof(anything, fc.string()),
    rayClusterDeletionDelaySeconds: anything,
    suspend: anything,
  },
  { requiredKeys: [] },
);

test('no RayService makes the plan throw, and a RayService without a simulation has an error', () => {
  fc.assert(
    fc.property(
      fc.oneof(spec, anything),
      someOf('name', 'namespace', 'labels', 'annotations'),
      fc.constantFrom('1.5.1', '1.6', '1.7'),
      (given, metadata, kuberay) => {
        const object = { apiVersion: 'ray.io/v1', kind: 'RayService', metadata, spec: given };
        const [rollout] = planManifests([object], { versions: { kuberay } }).rollouts;
        expect(rollout!.findings.some(({ severity }) => severity === 'error') || rollout!.simulation !== null).toBe(true);
        expect(rollout!.simulation === null).toBe(rollout!.strategy === null);
      },
    ),
    { numRuns: scaleRuns(2_000) },
  );
});

test('a plan of 60 RayServices reads the Gateways only once', () => {
  const objects = Array.from({ length: 60 }, (_, index) => ({ ...incremental(), metadata: { name: `llm-${index}` } }));
  const gateways = objects.map(({ metadata }) => ({
    apiVersion: 'gateway.networking.k8s.io/v1',
    kind: 'Gateway',
    metadata: { name: `${metadata.name}-gateway` },
  }));
  const { summary } = planManifests([...objects, ...gateways]);
  expect(summary).toMatchObject({ rollouts: 60, errors: 60, warnings: 0 });
});
