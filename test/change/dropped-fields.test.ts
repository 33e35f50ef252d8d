/** Custom resources with fields that their definition lacks: they are refused, or the fields have no effect. */
import { planChange } from '../../src/headless';
import type { ChangeOptions, Manifest } from '../../src/headless';
import type { Fields } from '../../src/core/manifest/manifest';
import { rolloutkit } from '../cli/command-line';
import { expectValidPlan } from '../plan-schema';
import { countCpuSeconds } from '../setup/cpu-seconds';

function service(predictor: Fields): Manifest {
  return {
    apiVersion: 'serving.kserve.io/v1beta1',
    kind: 'InferenceService',
    metadata: { name: 'iris', namespace: 'models', annotations: { 'serving.kserve.io/deploymentMode': 'Standard' } },
    spec: { predictor: { model: { modelFormat: { name: 'sklearn' }, storageUri: 's3://models/iris' }, ...predictor } },
  };
}

/** Returns an object as the API server has it. */
function live(object: Manifest): Manifest {
  return { ...object, metadata: { ...object.metadata, uid: '1', resourceVersion: '7' } };
}

function effectOf(old: Manifest | undefined, next: Manifest, apply: ChangeOptions['apply'] = 'client') {
  const { change } = expectValidPlan(planChange(old ? [old] : [], [next], { apply }));
  const [{ effect, refusal, because }] = change.objects as [(typeof change.objects)[number]];
  return [effect, refusal?.message ?? because.map(({ path }) => path).join()];
}

const three = service({ minReplicas: 3 });

describe('a field that no InferenceService has', () => {
  const strict = 'strict decoding error: unknown field "spec.predictor.foo"';
  const typed =
    'failed to create typed patch object (models/iris; serving.kserve.io/v1beta1, Kind=InferenceService): .spec.predictor.foo: field not declared in schema';
  test.each<[ChangeOptions['apply'] & string, string, string]>([
    ['client', 'refused', strict],
    ['replace', 'refused', `InferenceService in version "v1beta1" cannot be handled as a InferenceService: ${strict}`],
    ['server', 'refused', typed],
    ['helm4', 'refused', typed],
    // A server-side apply compares by the schema, also without strict decoding.
    ['flux', 'refused', typed],
    ['helm', 'none', ''],
    ['argocd', 'none', ''],
  ])('with --apply %s: %s', (apply, effect, text) => {
    expect(effectOf(three, service({ minReplicas: 3, foo: 1 }), apply)).toEqual([effect, text]);
  });

  test('refuses a new object too', () => {
    expect(effectOf(undefined, service({ foo: 1 }))).toEqual(['refused', strict]);
    expect(effectOf(undefined, service({ foo: 1 }), 'helm')).toEqual(['create', '']);
  });

  test('has no effect if only OLD has it, next to a change that has one', () => {
    expect(effectOf(service({ minReplicas: 3, foo: 1 }), three)).toEqual(['none', '']);
    expect(effectOf(service({ minReplicas: 3, foo: 1 }), service({ minReplicas: 4 }))).toEqual(['scale', 'spec.predictor.minReplicas']);
    expect(effectOf(three, service({ minReplicas: 4, foo: 1 }), 'argocd')).toEqual(['scale', 'spec.predictor.minReplicas']);
  });

  test('is known to the definition if the live object has it', () => {
    const next = service({ minReplicas: 4, foo: 1 });
    expect(effectOf(live(service({ minReplicas: 3, foo: 1 })), next)).toEqual(['scale', 'spec.predictor.minReplicas']);
    expect(effectOf(live(three), next)).toEqual(['refused', strict]);
  });

  test('refuses nothing if the manifest stays as it is, or the field is null', () => {
    expect(effectOf(service({ foo: 1 }), service({ foo: 1 }))).toEqual(['none', '']);
    expect(effectOf(three, service({ minReplicas: 3, foo: null }))).toEqual(['none', '']);
  });
});

test('a misspelled field is not the one that it resembles: without it, the number of pods is the default', () => {
  const next = service({ minReplica: 3 });
  expect(effectOf(three, next)).toEqual(['refused', 'strict decoding error: unknown field "spec.predictor.minReplica"']);
  expect(effectOf(three, next, 'helm')).toEqual(['scale', 'spec.predictor.minReplicas']);
});

test('a field of another version of the operator is not refused, because the version that runs may have it', () => {
  const canary = {
    trafficPercent: 10,
    predictor: { name: 'next', model: { modelFormat: { name: 'sklearn' }, storageUri: 's3://models/next' } },
  };
  const next = { ...three, spec: { ...(three.spec as Fields), canary: [canary] } };
  expect(effectOf(three, next)).toEqual(['settings', 'spec.canary']);
});

test('a field that only another apiVersion has is refused', () => {
  const cluster = (spec: Fields) => ({ apiVersion: 'ray.io/v1alpha1', kind: 'RayCluster', metadata: { name: 'a' }, spec });
  expect(effectOf(cluster({}), cluster({ managedBy: 'a' }))).toEqual(['refused', 'strict decoding error: unknown field "spec.managedBy"']);
});

test('a field of a container that is like no known one may be of a later version, so it is neither refused nor dropped', () => {
  const model = (more: Fields) =>
    service({ model: { modelFormat: { name: 'sklearn' }, storageUri: 's3://models/iris', ...more }, minReplicas: 3 });
  expect(effectOf(three, model({ resources: { zz: {} } }))).toEqual(['settings', 'spec.predictor.model.resources']);
  expect(effectOf(three, model({ resources: { limit: {} } }))[0]).toBe('refused');
});

const template = { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image: 'web:1' }] } };

test.each<[string, string, Fields]>([
  ['LeaderWorkerSet', 'leaderworkerset.x-k8s.io/v1', { replicas: 2, leaderWorkerTemplate: { size: 2, workerTemplate: template } }],
  ['Rollout', 'argoproj.io/v1alpha1', { selector: { matchLabels: { app: 'web' } }, strategy: { canary: {} }, template }],
  ['RayService', 'ray.io/v1', { rayClusterConfig: { headGroupSpec: { rayStartParams: {}, template } } }],
  ['RayCluster', 'ray.io/v1', { headGroupSpec: { rayStartParams: {}, template } }],
  ['ServingRuntime', 'serving.kserve.io/v1alpha1', { containers: [{ name: 'kserve-container', image: 'web:1' }] }],
  ['Service', 'serving.knative.dev/v1', { template }],
  ['ScaledObject', 'keda.sh/v1alpha1', { scaleTargetRef: { name: 'web' }, triggers: [] }],
  ['GitRepo', 'fleet.cattle.io/v1alpha1', { repo: 'https://example.com/a' }],
  ['Bundle', 'fleet.cattle.io/v1alpha1', { targets: [{ clusterSelector: {} }] }],
  ['HelmOp', 'fleet.cattle.io/v1alpha1', { targets: [{ clusterSelector: {} }] }],
])('an unknown field in the spec of a %s', (kind, apiVersion, spec) => {
  const object = { apiVersion, kind, metadata: { name: 'a' } };
  const [old, next] = [
    { ...object, spec },
    { ...object, spec: { ...spec, fooBar: 1 } },
  ];
  expect(effectOf(old, next)).toEqual(['refused', 'strict decoding error: unknown field "spec.fooBar"']);
  expect(effectOf(old, next, 'helm')).toEqual(['none', '']);
});

describe('a CRD of the user decides', () => {
  const crd = (group: string, kind: string, version: string, spec: string) => `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: ${kind.toLowerCase()}s.${group} }
spec:
  group: ${group}
  scope: Namespaced
  names: { plural: ${kind.toLowerCase()}s, singular: ${kind.toLowerCase()}, kind: ${kind} }
  versions:
    - name: ${version}
      served: true
      storage: true
      schema: { openAPIV3Schema: { type: object, properties: { spec: ${spec} } } }
`;
  const gadget = (spec: string) => `apiVersion: shop.example/v1\nkind: Gadget\nmetadata: { name: a }\nspec: { ${spec} }\n`;
  const gadgets = crd('shop.example', 'Gadget', 'v1', '{ type: object, properties: { size: { type: integer } } }');

  test.each(['--crds crds', ''])('about a kind that is not planned: new %s', async (option) => {
    const definitions: Readonly<Record<string, string>> =
      option === '' ? { 'old/crd.yaml': gadgets, 'new/crd.yaml': gadgets } : { 'crds/crd.yaml': gadgets };
    const files = { ...definitions, 'old/a.yaml': gadget('size: 1'), 'new/a.yaml': gadget('size: 1, colour: red') };
    const check = async (apply: string) => {
      const { exitCode, stdout } = await rolloutkit(`check --from old new --apply ${apply} ${option}`, { files });
      return [exitCode, stdout.split('\n').filter((line) => /^(?:1 of|nothing|error|warning)/.test(line))];
    };
    expect(await check('client')).toEqual([
      1,
      [
        expect.stringContaining(': 1 is refused'),
        'error  change/refused  new/a.yaml:1:1',
        'warning  input/unknown-field  new/a.yaml:4:18  spec.colour',
      ],
    ]);
    expect(await check('helm')).toEqual([
      0,
      [expect.stringContaining('nothing changes'), 'warning  input/unknown-field  new/a.yaml:4:18  spec.colour'],
    ]);
  });

  test('about an InferenceService with a field of its own', async () => {
    const yaml = (object: Manifest) => JSON.stringify(object);
    const files = {
      'crd.yaml': crd('serving.kserve.io', 'InferenceService', 'v1beta1', '{ type: object, x-kubernetes-preserve-unknown-fields: true }'),
      'old.yaml': yaml(three),
      'new.yaml': yaml(service({ minReplicas: 3, foo: 1 })),
    };
    const { stdout } = await rolloutkit('plan --from old.yaml new.yaml --crds crd.yaml', { files });
    expect(stdout).toContain('! roll   InferenceService models/iris');
  });
});

test('a change of 20,000 items with an unknown field each takes linear time', () => {
  const schema = {
    type: 'object',
    properties: {
      spec: { type: 'object', properties: { list: { type: 'array', items: { type: 'object', properties: { a: { type: 'integer' } } } } } },
    },
  };
  const crd = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'boxes.shop.example' },
    spec: {
      group: 'shop.example',
      scope: 'Namespaced',
      names: { kind: 'Box', plural: 'boxes' },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }],
    },
  };
  const box = (value: number): Manifest => {
    const list = Array.from({ length: 20_000 }, () => ({ a: 1, x: value }));
    return { apiVersion: 'shop.example/v1', kind: 'Box', metadata: { name: 'b' }, spec: { list } };
  };
  const readSeconds = countCpuSeconds();
  const { change } = planChange([crd, box(1)], [crd, box(2)], { apply: 'helm' });
  const seconds = readSeconds();
  expect(change.objects.map(({ effect }) => effect)).toEqual(['none', 'none']);
  // The list was copied for each of its fields, which took 20 seconds.
  expect(seconds).toBeLessThan(8);
});
