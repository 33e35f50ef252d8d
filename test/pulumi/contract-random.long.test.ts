/** For any intent, cdk8s writes, Pulumi registers, and the plan reads back from YAML the same objects. */
import { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import * as fc from 'fast-check';
import type { ComponentResource } from '@pulumi/pulumi';
import * as cdk8s from 'rolloutkit';
import { planManifests } from 'rolloutkit/plan';
import * as components from 'rolloutkit/pulumi';
import type { Manifest } from '../../src/core/manifest/manifest';
import { cdk8sObjects, comparable, pulumiObjects, throughYaml } from './adapters';
import { scaleRuns } from '../setup/scale-runs';

const RUNS = { numRuns: scaleRuns(30) };

async function expectSame(asConstruct: (chart: Construct) => unknown, asComponent: () => ComponentResource): Promise<void> {
  const emitted = cdk8sObjects(asConstruct);
  expect(comparable(await pulumiObjects(asComponent))).toEqual(comparable(emitted));
  const read = throughYaml(emitted);
  expect(read).toEqual(emitted);
  expect(planManifests(read)).toEqual(planManifests(emitted));
}

const text = fc.stringMatching(/^[a-z][a-z0-9:./ '"#-]{0,20}[a-z0-9]$/);
const name = fc.stringMatching(/^[a-z][a-z0-9-]{0,10}[a-z0-9]$/);
// cdk8s refuses maps without a prototype, which fast-check sometimes generates.
const record = <T extends object>(model: { [Field in keyof T]: fc.Arbitrary<T[Field]> }) => fc.record(model, { noNullPrototype: true });
// cdk8s omits an empty map of labels.
const dictionary = (values: fc.Arbitrary<string>) => fc.dictionary(name, values, { minKeys: 1, maxKeys: 2, noNullPrototype: true });
const percent = (least: number) => fc.integer({ min: least, max: 100 }).map((value): `${number}%` => `${value}%`);
const positive = fc.oneof(fc.integer({ min: 1, max: 20 }), percent(1));
const limit = fc.oneof(fc.integer({ min: 0, max: 20 }), percent(0));
const intent = fc.oneof(
  positive.map((ratio) => cdk8s.Rollout.availability(ratio)),
  positive.map((ratio) => cdk8s.Rollout.resourceAware(ratio)),
  record({ type: fc.constant('RollingUpdate' as const), maxSurge: positive, maxUnavailable: limit }),
  fc.constant({ type: 'Recreate' as const }),
);
const metadata = fc.option(record({ namespace: name, labels: dictionary(name) }), { nil: undefined });
const container = record({
  name,
  image: text,
  env: fc.array(record({ name, value: text }), { maxLength: 2 }),
  args: fc.array(text, { maxLength: 2 }),
});

test('InferenceServiceRollout', async () => {
  const rollout = fc.option(intent, { nil: undefined });
  const props = record({
    metadata,
    predictor: record({
      minReplicas: fc.integer({ min: 1, max: 9 }),
      model: record({ modelFormat: record({ name }), storageUri: text }),
      rollout,
    }),
    transformer: fc.option(record({ containers: fc.tuple(container), rollout }), { nil: undefined }),
    inheritPlatformDefaults: fc.boolean(),
    provenanceAnnotations: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(name, props, async (id, given) => {
      await expectSame(
        (chart) => new cdk8s.InferenceServiceRollout(chart, id, given),
        () => new components.InferenceServiceRollout(id, given),
      );
    }),
    RUNS,
  );
});

test('KServePlatformConfig, and a service that uses it', async () => {
  const limits = record({
    mode: fc.constantFrom(undefined, 'Availability' as const, 'ResourceAware' as const),
    maxSurge: percent(1),
    maxUnavailable: percent(1),
  });
  const props = record({ defaultDeploymentMode: fc.constantFrom('Standard' as const, 'Knative' as const), defaultRollout: limits });
  const predictor = { model: { modelFormat: { name: 'sklearn' } } };
  await fc.assert(
    fc.asyncProperty(props, async (given) => {
      await expectSame(
        (chart) => cdk8s.KServePlatformConfig.of(given).emit(chart),
        () => new components.KServePlatformConfig('platform', { ...given, emit: 'configmap' }),
      );
      await expectSame(
        (chart) => new cdk8s.InferenceServiceRollout(chart, 'iris', { platform: cdk8s.KServePlatformConfig.of(given), predictor }),
        () => new components.InferenceServiceRollout('iris', { platform: given, predictor }),
      );
    }),
    RUNS,
  );
});

describe('IncrementalRayService', () => {
  const pod = container.map((only) => ({ spec: { containers: [only] } }));
  const workers = record({
    groupName: name,
    replicas: fc.integer({ min: 1, max: 9 }),
    minReplicas: fc.constant(0),
    maxReplicas: fc.constant(9),
    template: pod,
  });
  const rayCluster = record({ headGroupSpec: record({ template: pod }), workerGroupSpecs: fc.tuple(workers) });
  const upgrade = fc.integer({ min: 5, max: 100 }).chain((maxSurgePercent) =>
    record({
      gatewayClassName: name,
      maxSurgePercent: fc.constant(maxSurgePercent),
      stepSizePercent: fc.integer({ min: 5, max: maxSurgePercent }),
      intervalSeconds: fc.integer({ min: 1, max: 300 }),
    }),
  );
  const serveConfig = record({ import_path: text }).map(({ import_path }) => ({ applications: [{ name: 'app', import_path }] }));
  const gatewayClass = fc.option(record({ controllerName: fc.constant('istio.io/gateway-controller') }), { nil: undefined });

  test('driven by the operator', async () => {
    const props = record({ metadata, upgrade, gatewayClass, serveConfig, rayCluster });
    await fc.assert(
      fc.asyncProperty(name, props, async (id, given) => {
        await expectSame(
          (chart) => new cdk8s.IncrementalRayService(chart, id, given),
          () => new components.IncrementalRayService(id, given),
        );
      }),
      RUNS,
    );
  });

  test('driven by Git, at any stage', async () => {
    const service = record({ serveConfig, rayCluster });
    const props = record({
      ownership: fc.constant('gitops' as const),
      metadata,
      upgrade,
      gatewayClass,
      current: service,
      next: service,
      stage: fc.constantFrom(0, 1, 2),
    });
    await fc.assert(
      fc.asyncProperty(name, props, async (id, given) => {
        await expectSame(
          (chart) => new cdk8s.IncrementalRayService(chart, id, given),
          () => new components.IncrementalRayService(id, given),
        );
      }),
      RUNS,
    );
  });
});

test('FleetBundle, as a Bundle and as a fleet.yaml', async () => {
  const partitions = fc.uniqueArray(name, { minLength: 1, maxLength: 4 }).map((values) => cdk8s.partitionsByLabel('env', values));
  const rollout = record({ maxUnavailable: positive, maxUnavailablePartitions: limit, partitions });
  const resources = fc.option(
    fc.array(record({ kind: fc.constant('ConfigMap'), data: dictionary(text) }), { minLength: 1, maxLength: 3 }),
    { nil: undefined },
  );
  const gitRepo = { repo: 'https://git.example/shop', paths: ['shop'] };
  await fc.assert(
    fc.asyncProperty(name, metadata, rollout, resources, async (id, meta, intended, content) => {
      const common = { metadata: meta, targets: [{ clusterSelector: {} }], rollout: intended };
      const bundle = {
        ...common,
        resources: content?.map((object, index) => ({ apiVersion: 'v1', metadata: { name: `c${index}` }, ...object })),
      };
      const git = { ...common, output: 'fleet.yaml' as const, gitRepo };
      await expectSame(
        (chart) => new cdk8s.FleetBundle(chart, id, bundle),
        () => new components.FleetBundle(id, bundle),
      );
      await expectSame(
        (chart) => new cdk8s.FleetBundle(chart, id, git),
        () => new components.FleetBundle(id, git),
      );
    }),
    RUNS,
  );
});

test('DeploymentPolicy', async () => {
  const stateless = record({
    update: fc.constant('RollingUpdate' as const),
    maxSurge: positive,
    maxUnavailable: limit,
    revisionHistory: fc.integer({ min: 0, max: 20 }),
  });
  const stateful = record({
    update: fc.constant('RollingUpdate' as const),
    partition: fc.integer({ min: 0, max: 5 }),
    // No update reaches a pod from a partition above the replicas on.
    replicas: fc.integer({ min: 5, max: 9 }),
  });
  const workload = record({ metadata: name.map((given) => ({ name: given })), containers: fc.tuple(container) }).map(
    ({ metadata: meta, containers }) => {
      const labels = { app: 'web' };
      return {
        metadata: meta,
        spec: { selector: { matchLabels: labels }, serviceName: undefined, template: { metadata: { labels }, spec: { containers } } },
      };
    },
  );
  await fc.assert(
    fc.asyncProperty(stateless, stateful, workload, async (ofDeployments, ofSets, given) => {
      const made = (kind: string) => ({ apiVersion: 'apps/v1', kind, ...given });
      await expectSame(
        (chart) => cdk8s.DeploymentPolicy.stateless(ofDeployments).applyTo(new ApiObject(chart, 'w', made('Deployment'))),
        () => new components.DeploymentPolicy('p', { stateless: ofDeployments, workloads: [given] }),
      );
      await expectSame(
        (chart) => cdk8s.DeploymentPolicy.stateful(ofSets).applyTo(new ApiObject(chart, 'w', made('StatefulSet'))),
        () => new components.DeploymentPolicy('p', { stateful: ofSets, workloads: [given] }),
      );
    }),
    RUNS,
  );
});

test('DaemonSetPolicy', async () => {
  const revisionHistory = fc.option(fc.integer({ min: 0, max: 20 }), { nil: undefined });
  const policy: fc.Arbitrary<cdk8s.DaemonSetPolicyProps> = fc.oneof(
    record({ maxUnavailable: positive, revisionHistory }),
    record({ maxSurge: positive, revisionHistory }),
    record({ update: fc.constant('OnDelete' as const), revisionHistory }),
  );
  const labels = { app: 'agent' };
  const workload = fc
    .tuple(name, container, fc.option(fc.integer({ min: 0, max: 9 }), { nil: undefined }))
    .map(([given, only, revisionHistoryLimit]) => ({
      metadata: { name: given },
      spec: { revisionHistoryLimit, selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers: [only] } } },
    }));
  await fc.assert(
    fc.asyncProperty(policy, workload, async (props, given) => {
      await expectSame(
        (chart) =>
          cdk8s.DaemonSetPolicy.of(props).applyTo(new ApiObject(chart, 'w', { apiVersion: 'apps/v1', kind: 'DaemonSet', ...given })),
        () => new components.DaemonSetPolicy('p', { policy: props, workloads: [given] }),
      );
    }),
    RUNS,
  );
});

test('OperatorRollingUpdate', async () => {
  const props = record({
    strategy: intent,
    replicas: fc.option(fc.integer({ min: 1, max: 9 }), { nil: undefined }),
    numbers: fc.constantFrom(undefined, 'quoted' as const, 'plain' as const),
    mountPath: fc.constantFrom(undefined, 'spec.strategy', 'spec.runtime.strategy'),
    resource: fc.option(record({ metadata: record({ name }), spec: record({ license: text, image: text }) }), { nil: undefined }),
  });
  await fc.assert(
    fc.asyncProperty(name, props, async (id, given) => {
      await expectSame(
        (chart) => new cdk8s.OperatorRollingUpdate(chart, id, given),
        () => new components.OperatorRollingUpdate(id, given),
      );
    }),
    RUNS,
  );
});

test('the comparison detects a single changed value', async () => {
  const made = (image: string): Manifest[] => [
    { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec: { containers: [{ image }] } },
  ];
  expect(comparable(made('a'))).not.toEqual(comparable(made('b')));
});
