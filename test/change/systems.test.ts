import { planChange } from '../../src/headless';
import type { ChangeOptions } from '../../src/headless';
import { expectValidPlan } from '../plan-schema';
import { CLUSTER, incremental } from '../systems/kuberay/plan';

function describeEffects(old: readonly object[], next: readonly object[], options: ChangeOptions = {}) {
  const { change } = expectValidPlan(planChange(old, next, options));
  return change.objects.map(({ resource, effect, causedBy, clusters }) =>
    [
      `${resource.kind} ${resource.name}`,
      effect,
      ...(causedBy ?? []).map(({ kind, name }) => `by ${kind} ${name}`),
      ...(clusters ?? []),
    ].join(' '),
  );
}

describe('InferenceServices', () => {
  const service = (predictor: object = {}, metadata: object = {}) => ({
    apiVersion: 'serving.kserve.io/v1beta1',
    kind: 'InferenceService',
    metadata: { name: 'iris', namespace: 'models', annotations: { 'serving.kserve.io/deploymentMode': 'Standard' }, ...metadata },
    spec: {
      predictor: { minReplicas: 2, model: { modelFormat: { name: 'sklearn' }, runtime: 'sk', storageUri: 'gs://a/1' }, ...predictor },
    },
  });
  const runtime = (image: string, more: object = {}) => ({
    apiVersion: 'serving.kserve.io/v1alpha1',
    kind: 'ClusterServingRuntime',
    metadata: { name: 'sk' },
    spec: { supportedModelFormats: [{ name: 'sklearn' }], containers: [{ name: 'kserve-container', image }], ...more },
  });
  test('are refused if their webhook or their Deployment refuses them, with the path', () => {
    const refusalOf = (predictor: object) => {
      const [object] = planChange([service()], [service(predictor)]).change.objects;
      return [object!.effect, object!.refusal?.path];
    };
    expect(refusalOf({ maxReplicas: 1 })).toEqual(['refused', 'spec.predictor.minReplicas']);
    expect(refusalOf({ deploymentStrategy: { type: 'Foo' } })).toEqual(['refused', 'spec.predictor.deploymentStrategy']);
    expect(refusalOf({ deploymentStrategy: { type: 'Recreate' } })).toEqual(['settings', undefined]);
  });

  const model = (storageUri: string) => ({ model: { modelFormat: { name: 'sklearn' }, runtime: 'sk', storageUri } });

  test.each<[string, object, string]>([
    ['a new model', service(model('gs://a/2')), 'roll'],
    ['a label on the service, which reaches its pods', service({}, { labels: { team: 'a' } }), 'roll'],
    ['more replicas', service({ minReplicas: 4 }), 'scale'],
    ['both', service({ minReplicas: 4, ...model('gs://a/2') }), 'roll-and-scale'],
    ['the bounds of its autoscaler', service({ maxReplicas: 8 }), 'settings'],
    ['another strategy', service({ deploymentStrategy: { type: 'Recreate' } }), 'settings'],
    ['a timeout, which is that of the route', service({ timeout: 30 }), 'settings'],
    [
      'another mode, with a status that shows the old one',
      service({}, { annotations: { 'serving.kserve.io/deploymentMode': 'Knative' } }),
      'refused',
    ],
  ])('%s: %#', (_what, next, effect) => {
    expect(describeEffects([{ ...service(), status: { deploymentMode: 'Standard' } }], [next])).toEqual([
      `InferenceService iris ${effect}`,
    ]);
  });

  test('roll with the runtime that they use, which is the cause', () => {
    expect(describeEffects([service(), runtime('sk:1')], [service(), runtime('sk:2')])).toEqual([
      'InferenceService iris roll by ClusterServingRuntime sk',
      'ClusterServingRuntime sk settings',
    ]);
  });

  test('are unchanged if the runtime differs only in fields that reach no pod', () => {
    expect(describeEffects([service(), runtime('sk:1')], [service(), runtime('sk:1', { disabled: true })])).toEqual([
      'InferenceService iris none',
      'ClusterServingRuntime sk settings',
    ]);
  });

  test('are held if automatic updates are disabled', () => {
    const off = { annotations: { 'serving.kserve.io/deploymentMode': 'Standard', 'serving.kserve.io/disable-auto-update': 'true' } };
    expect(describeEffects([service({}, off), runtime('sk:1')], [service({}, off), runtime('sk:2')])[0]).toBe(
      'InferenceService iris held by ClusterServingRuntime sk',
    );
    const live = { ...service({}, off), status: { conditions: [{ type: 'Ready', status: 'False' }] } };
    expect(describeEffects([live, runtime('sk:1')], [service({}, off), runtime('sk:2')])[0]).toBe(
      'InferenceService iris roll by ClusterServingRuntime sk',
    );
  });

  test('are refused by the controller if they set the model twice, and their pods stay', () => {
    const storage = { storageUri: 's3://models/iris', storage: { key: 's3', path: 'iris' } };
    const next = service({ model: { modelFormat: { name: 'sklearn' }, runtime: 'sk', ...storage } });
    const { change } = planChange([service(), runtime('sk:1')], [next, runtime('sk:1')]);
    expect(change.objects[0]).toMatchObject({
      effect: 'refused',
      refusal: { path: 'spec.predictor.model', message: 'must provide only one of storageUri and storage.path' },
    });
  });

  const config = (data: Readonly<Record<string, object | string>>) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'inferenceservice-config', namespace: 'kserve' },
    data: Object.fromEntries(Object.entries(data).map(([key, value]) => [key, typeof value === 'string' ? value : JSON.stringify(value)])),
  });
  const STANDARD = { 'serving.kserve.io/deploymentMode': 'Standard' };
  const changeOfConfig = (object: object, old: Parameters<typeof config>[0], next: Parameters<typeof config>[0]) =>
    describeEffects([object, config(old)], [object, config(next)]);

  test('roll if the platform keeps another of their annotations from the pods', () => {
    const disallowing = (...names: readonly string[]) => ({ inferenceService: { serviceAnnotationDisallowedList: names } });
    const annotated = service({}, { annotations: { ...STANDARD, team: 'a' } });
    expect(changeOfConfig(annotated, { inferenceService: {} }, disallowing('team'))).toEqual([
      'InferenceService iris roll by ConfigMap inferenceservice-config',
      'ConfigMap inferenceservice-config settings',
    ]);
    expect(changeOfConfig(annotated, { inferenceService: {} }, disallowing('other'))[0]).toBe('InferenceService iris none');
    expect(changeOfConfig(service(), { inferenceService: {} }, disallowing('team'))[0]).toBe('InferenceService iris none');
    // An unreadable list has no effect.
    expect(changeOfConfig(annotated, disallowing('team'), { inferenceService: '{' })[0]).toBe('InferenceService iris none');
  });

  test('do not roll for an edit of an annotation that the platform keeps from the pods', () => {
    const platform = config({ inferenceService: { serviceAnnotationDisallowedList: ['team'] } });
    const owned = (team: string) => service({}, { annotations: { ...STANDARD, team } });
    expect(describeEffects([owned('a'), platform], [owned('b'), platform])[0]).toBe('InferenceService iris metadata');
  });

  test('roll with the default image of their explainer, unless they set their own', () => {
    const explained = (art: object) => ({
      ...service(),
      spec: { ...service().spec, explainer: { art: { type: 'SquareAttack', ...art } } },
    });
    const images = (image: string) => ({ explainers: { art: { image, defaultImageVersion: 'latest' } } });
    const { change } = planChange([explained({}), config(images('art'))], [explained({}), config(images('art-next'))]);
    expect(change.objects.map(({ effect, causedBy }) => [effect, causedBy?.map(({ kind }) => kind)])).toEqual([
      ['roll', ['ConfigMap']],
      ['settings', undefined],
    ]);
    expect(changeOfConfig(explained({ image: 'own:1' }), images('art'), images('art-next'))[0]).toBe('InferenceService iris none');
    expect(changeOfConfig(service(), images('art'), images('art-next'))[0]).toBe('InferenceService iris none');
  });

  test('get another strategy from the platform without a roll, unless they have their own', () => {
    const rollout = (maxSurge: string) => ({
      deploy: { defaultDeploymentMode: 'Standard', deploymentRolloutStrategy: { defaultRollout: { maxSurge, maxUnavailable: '0%' } } },
    });
    expect(changeOfConfig(service(), rollout('25%'), rollout('50%'))[0]).toBe(
      'InferenceService iris settings by ConfigMap inferenceservice-config',
    );
    expect(changeOfConfig(service({ deploymentStrategy: { type: 'Recreate' } }), rollout('25%'), rollout('50%'))[0]).toBe(
      'InferenceService iris none',
    );
    const knative = service({}, { annotations: { 'serving.kserve.io/deploymentMode': 'Knative' } });
    expect(changeOfConfig(knative, rollout('25%'), rollout('50%'))[0]).toBe('InferenceService iris none');
  });
});

describe('RayServices', () => {
  const image = { rayClusterConfig: JSON.parse(JSON.stringify(CLUSTER).replaceAll('ray:2.51.0', 'ray:2.52.0')) as object };

  test.each<[string, object, string]>([
    ['a new image creates a new cluster', incremental({}, image), 'roll'],
    ['a Serve application is sent to the running cluster', incremental({}, { serveConfigV2: 'applications: []' }), 'settings'],
    ['another pace', incremental({ maxSurgePercent: 40 }), 'settings'],
    ['the same', incremental(), 'none'],
  ])('%s: %#', (_what, next, effect) => {
    expect(describeEffects([incremental()], [next])).toEqual([`RayService llm ${effect}`]);
  });
});

describe('Fleet bundles', () => {
  const cluster = (name: string, env: string) => ({
    apiVersion: 'fleet.cattle.io/v1alpha1',
    kind: 'Cluster',
    metadata: { name, namespace: 'fleet', labels: { env } },
  });
  const clusters = [cluster('a', 'prod'), cluster('b', 'prod'), cluster('c', 'dev')];
  const bundle = (spec: object) => ({
    apiVersion: 'fleet.cattle.io/v1alpha1',
    kind: 'Bundle',
    metadata: { name: 'shop', namespace: 'fleet' },
    spec: {
      resources: [{ name: 'web.yaml', content: 'a' }],
      targets: [{ clusterSelector: { matchLabels: { env: 'dev' } }, helm: { values: { replicas: 1 } } }, { clusterSelector: {} }],
      targetRestrictions: [{ clusterSelector: {} }],
      ...spec,
    },
  });
  const customized = (replicas: number) => ({
    targets: [{ clusterSelector: { matchLabels: { env: 'dev' } }, helm: { values: { replicas } } }, { clusterSelector: {} }],
  });

  test.each<[string, object, string]>([
    ['content reaches every cluster', { resources: [{ name: 'web.yaml', content: 'b' }] }, 'roll'],
    ['options reach every cluster', { helm: { values: { image: 'b' } } }, 'roll'],
    ['a customization reaches only its clusters', customized(2), 'roll c'],
    ['a change of only rolloutStrategy deploys nothing', { rolloutStrategy: { maxUnavailable: 1 } }, 'settings'],
    ['nothing changes while it is paused', { paused: true, resources: [] }, 'held'],
  ])('%s', (_what, spec, effect) => {
    expect(describeEffects([bundle({})], [bundle(spec)], { clusters })).toEqual([`Bundle shop ${effect}`]);
  });
});

describe('a GitRepo', () => {
  const cluster = (name: string, env: string) => ({
    apiVersion: 'fleet.cattle.io/v1alpha1',
    kind: 'Cluster',
    metadata: { name, namespace: 'fleet', labels: { env } },
  });
  const clusters = [cluster('a', 'prod'), cluster('b', 'prod'), cluster('c', 'dev')];
  const repo = (spec: object = {}) => ({
    apiVersion: 'fleet.cattle.io/v1alpha1',
    kind: 'GitRepo',
    metadata: { name: 'shop', namespace: 'fleet' },
    spec: { repo: 'https://example.com/shop', branch: 'main', paths: ['web'], targets: [{ clusterSelector: {} }], ...spec },
  });

  test.each<[string, object, string]>([
    ['that reads another branch has an unknown effect', { branch: 'next' }, 'unknown'],
    ['that is forced deploys again everywhere', { forceSyncGeneration: 2 }, 'roll'],
    ['that uses another account deploys again everywhere', { serviceAccount: 'deployer' }, 'roll'],
    ['with another polling interval deploys nothing', { pollingInterval: '5m' }, 'settings'],
    ['that is paused holds what it reads', { paused: true, branch: 'next' }, 'held'],
    ['with fewer targets is removed from a cluster', { targets: [{ clusterSelector: { matchLabels: { env: 'prod' } } }] }, 'roll c'],
    ['whose targets match the same clusters changes none', { targets: [{ clusterSelector: { matchExpressions: [] } }] }, 'settings'],
  ])('%s', (_what, spec, effect) => {
    expect(describeEffects([repo()], [repo(spec)], { clusters })).toEqual([`GitRepo shop ${effect}`]);
  });
});

test('for an operator resource the strategy and the replicas are known, and nothing else', () => {
  const baw = (spec: object) => ({ apiVersion: 'icp4a.ibm.com/v1', kind: 'ICP4ACluster', metadata: { name: 'baw' }, spec });
  const mounted = (replicas: number, max_surge = 1) => ({ replicas, strategy: { rolling_update: { max_surge, max_unavailable: 0 } } });
  expect(describeEffects([baw(mounted(5))], [baw(mounted(7))])).toEqual(['ICP4ACluster baw scale']);
  expect(describeEffects([baw(mounted(5))], [baw(mounted(5, 2))])).toEqual(['ICP4ACluster baw settings']);
  expect(describeEffects([baw(mounted(5))], [baw({ ...mounted(5), appVersion: '25.0.1' })])).toEqual(['ICP4ACluster baw unknown']);
  // Which replicas a strategy deeper down applies to is not known.
  const deep = (replicas: number) => baw({ a: { b: mounted(replicas) } });
  expect(describeEffects([deep(5)], [deep(0)])).toEqual(['ICP4ACluster baw unknown']);
  const withField = (data: number) => ({ ...baw(mounted(5)), data });
  expect(describeEffects([withField(1)], [withField(2)])).toEqual(['ICP4ACluster baw unknown']);
  const annotated = (name: string) => ({ ...baw(mounted(5)), metadata: { name: 'baw', annotations: { [name]: 'on' } } });
  expect(describeEffects([baw(mounted(5))], [annotated('icp4a.ibm.com/stop')])).toEqual(['ICP4ACluster baw unknown']);
  expect(describeEffects([baw(mounted(5))], [annotated('example.com/team')])).toEqual(['ICP4ACluster baw metadata']);
});
