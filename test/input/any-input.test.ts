import * as fc from 'fast-check';
import { planManifests } from '../../src/headless';
import { ALL_RULES } from '../../src/upgrade/all-rules';
import { collectFindings } from '../../src/core/document/plan-document';
import { renderPlanJson } from '../../src/render/json/json';
import { renderPlanText } from '../../src/render/text/plan';
import { expectValidPlan } from '../plan-schema';
import { scaleRuns } from '../setup/scale-runs';

/** One valid object of each kind that a plan reads, to be mutated. */
const OBJECTS: readonly object[] = [
  {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', namespace: 'shop', labels: { app: 'web' } },
    spec: {
      replicas: 3,
      paused: false,
      minReadySeconds: 5,
      progressDeadlineSeconds: 60,
      selector: { matchLabels: { app: 'web' } },
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%', maxUnavailable: 1 } },
      template: {
        metadata: { labels: { app: 'web' } },
        spec: { containers: [{ name: 'a', image: 'b', resources: { limits: { 'nvidia.com/gpu': 1 } } }] },
      },
    },
  },
  {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: { name: 'db' },
    spec: {
      replicas: 5,
      podManagementPolicy: 'Parallel',
      ordinals: { start: 1 },
      updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 2, maxUnavailable: '50%' } },
      template: { spec: { containers: [{ name: 'a', readinessProbe: {} }] } },
      volumeClaimTemplates: [{ spec: { accessModes: ['ReadWriteOnce'] } }],
    },
  },
  {
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    metadata: { name: 'web', namespace: 'shop' },
    spec: { minReplicas: 2, maxReplicas: 9, scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' } },
  },
  {
    apiVersion: 'serving.kserve.io/v1beta1',
    kind: 'InferenceService',
    metadata: { name: 'iris', annotations: { 'serving.kserve.io/deploymentMode': 'Standard' } },
    spec: {
      predictor: {
        minReplicas: 4,
        model: { modelFormat: { name: 'sklearn' }, storageUri: 's3://bucket/model' },
        deploymentStrategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1 } },
        workerSpec: { pipelineParallelSize: 2, tensorParallelSize: 1 },
      },
      transformer: { containers: [{ name: 'kserve-container', image: 'a' }] },
    },
  },
  {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'inferenceservice-config', namespace: 'kserve' },
    data: {
      deploy:
        '{"defaultDeploymentMode":"Standard","deploymentRolloutStrategy":{"defaultRollout":{"maxSurge":"10%","maxUnavailable":"10%"}}}',
    },
  },
  {
    apiVersion: 'ray.io/v1',
    kind: 'RayService',
    metadata: { name: 'llm' },
    spec: {
      upgradeStrategy: {
        type: 'NewClusterWithIncrementalUpgrade',
        clusterUpgradeOptions: { maxSurgePercent: 50, stepSizePercent: 10, intervalSeconds: 5, gatewayClassName: 'istio' },
      },
      serveConfigV2: 'applications: []',
      rayClusterConfig: {
        enableInTreeAutoscaling: true,
        headGroupSpec: {},
        workerGroupSpecs: [{ groupName: 'a', replicas: 2, minReplicas: 1, maxReplicas: 3 }],
      },
    },
  },
  {
    apiVersion: 'fleet.cattle.io/v1alpha1',
    kind: 'Bundle',
    metadata: { name: 'app', namespace: 'fleet-default' },
    spec: {
      rolloutStrategy: {
        maxUnavailable: '10%',
        partitions: [{ name: 'eu', maxUnavailable: 1, clusterSelector: { matchLabels: { region: 'eu' } } }],
      },
      targets: [{ clusterSelector: {} }],
    },
  },
  {
    apiVersion: 'fleet.cattle.io/v1alpha1',
    kind: 'Cluster',
    metadata: { name: 'one', namespace: 'fleet-default', labels: { region: 'eu' } },
    spec: { paused: false },
  },
  {
    apiVersion: 'icp4a.ibm.com/v1',
    kind: 'ICP4ACluster',
    metadata: { name: 'baw' },
    spec: { strategy: { type: 'RollingUpdate', rolling_update: { max_surge: '1', max_unavailable: 0 } } },
  },
];

const anyJson = fc.jsonValue({ maxDepth: 3 });
/** Values of wrong types that users write. */
const oddValue = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    '',
    '1',
    '25%',
    '-1%',
    -1,
    0,
    1.5,
    2 ** 31,
    1e300,
    NaN,
    Infinity,
    true,
    [],
    {},
    [null],
    { a: null },
    'RollingUpdate',
    'Recreate',
    'OnDelete',
    '\u001b[31m',
  ),
  anyJson,
);

interface Entry {
  readonly parent: Record<string | number, unknown>;
  readonly key: string | number;
}

function listEntries(value: unknown): Entry[] {
  if (typeof value !== 'object' || value === null) return [];
  const parent = value as Record<string | number, unknown>;
  return Object.keys(parent).flatMap((key) => [{ parent, key }, ...listEntries(parent[key])]);
}

function changeEntry({ parent, key }: Entry, value: unknown): void {
  if (value !== undefined) parent[key] = structuredClone(value);
  else if (Array.isArray(parent)) parent.splice(Number(key), 1);
  else delete parent[key];
}

/** An object with some of its fields replaced or deleted, at any depth. */
const mutated = fc
  .tuple(fc.constantFrom(...OBJECTS), fc.array(fc.tuple(fc.nat(), fc.option(oddValue, { nil: undefined })), { minLength: 1, maxLength: 4 }))
  .map(([object, changes]) => {
    const copy = structuredClone(object);
    for (const [pick, value] of changes) {
      const entries = listEntries(copy).filter(({ key }) => key !== 'apiVersion' && key !== 'kind');
      const entry = entries[pick % entries.length];
      if (!entry) break;
      changeEntry(entry, value);
    }
    return copy;
  });

const version = fc.constantFrom('1.20', '1.34', '1.35', '1.37', '9.9');

const CODES = new Set(ALL_RULES.map(({ code }) => code));

test('broken objects never make planning throw; the plan is valid, uses known codes, and can be rendered as JSON and text', () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(mutated, mutated, fc.constantFrom(...OBJECTS), anyJson), { maxLength: 6 }),
      version,
      (objects, kubernetes) => {
        const plan = expectValidPlan(planManifests(objects, { versions: { kubernetes } }));
        expect(collectFindings(plan).filter(({ code }) => !CODES.has(code))).toEqual([]);
        expect(JSON.parse(renderPlanJson(plan))).toEqual(JSON.parse(JSON.stringify(plan)));
        // oxlint-disable-next-line no-control-regex -- the test asserts that no control character is printed
        expect(renderPlanText(plan)).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
      },
    ),
    { numRuns: scaleRuns(500) },
  );
});

test('the objects are not changed', () => {
  const before = structuredClone(OBJECTS);
  planManifests(OBJECTS);
  expect(OBJECTS).toEqual(before);
});
