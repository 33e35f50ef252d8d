import { existsSync, mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ApiObject, App, Chart, JsonPatch, Lazy, Testing, Yaml } from 'cdk8s';
import { InferenceServiceRollout, KServePlatformConfig, Rollout } from 'rolloutkit';
import type { InferenceServiceRolloutProps, PlannedRollout } from 'rolloutkit';
import { planManifests } from '../../src/headless';
import { factsOf, headsOf } from '../facts';
import type { Facts } from '../facts';
import { errorOf, synthError, withoutPlaces } from './synth-error';

const model = { modelFormat: { name: 'sklearn' }, storageUri: 's3://my-bucket/model' };

function specOf(service: InferenceServiceRollout) {
  return (service.apiObject.toJson() as { spec: Record<string, Record<string, unknown>> }).spec;
}

function strategies(rollouts: readonly PlannedRollout[]) {
  return Object.fromEntries(rollouts.map(({ resource, strategy }) => [resource.component, strategy]));
}

/** Props that JavaScript callers can pass and TypeScript would refuse. */
const javascript = (props: unknown) => props as InferenceServiceRolloutProps;

describe('the object', () => {
  test('is a plain child ApiObject with the name of the construct, in the namespace of the chart', () => {
    const chart = Testing.chart();
    const iris = new InferenceServiceRollout(chart, 'iris', { predictor: { model } });

    expect(iris.node.defaultChild).toBe(iris.apiObject);
    expect(ApiObject.of(iris)).toBe(iris.apiObject);
    expect(iris.apiObject.name).toBe('iris');

    const models = new Chart(new App(), 'models', { namespace: 'ml', labels: { team: 'vision' } });
    const named = new InferenceServiceRollout(models, 'iris', {
      metadata: { name: 'iris-v2', labels: { tier: 'gold' }, annotations: { owner: 'ada' } },
      predictor: { model },
    });
    expect((named.apiObject.toJson() as { metadata: unknown }).metadata).toEqual({
      name: 'iris-v2',
      namespace: 'ml',
      labels: { team: 'vision', tier: 'gold' },
      annotations: { owner: 'ada', 'serving.kserve.io/deploymentMode': 'Standard' },
    });
  });

  test('keeps patches unchanged, including integers and unknown fields, and the rollouts include them', () => {
    const iris = new InferenceServiceRollout(Testing.chart(), 'iris', {
      predictor: { model, minReplicas: 4, rollout: Rollout.availability('25%') },
    });
    iris.apiObject.addJsonPatch(
      JsonPatch.replace('/spec/predictor/deploymentStrategy/rollingUpdate/maxSurge', 3),
      JsonPatch.add('/spec/predictor/somethingNew', { enabled: true }),
    );

    expect(specOf(iris).predictor).toMatchObject({
      deploymentStrategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 3, maxUnavailable: 0 } },
      somethingNew: { enabled: true },
    });
    expect(iris.rollouts[0]).toMatchObject({
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 3, maxUnavailable: 0 } },
      provenance: [{ field: 'type' }, { field: 'maxSurge', value: 3 }, { field: 'maxUnavailable' }],
      simulation: { surge: 3 },
    });
  });

  test('accepts cdk8s tokens in leaf strings', () => {
    const storageUri = Lazy.any({ produce: () => 's3://known-at-synth/model' }) as unknown as string;
    const iris = new InferenceServiceRollout(Testing.chart(), 'iris', { predictor: { model: { ...model, storageUri } } });

    expect(iris.findings).toEqual([]);
    expect(specOf(iris).predictor!.model).toEqual({ modelFormat: { name: 'sklearn' }, storageUri: 's3://known-at-synth/model' });
  });

  test('a limit that is only known at synth is resolved per service, even if all other props are equal', () => {
    const chart = Testing.chart();
    for (const [name, surge] of Object.entries({ iris: '10%', lily: '20%' })) {
      const maxSurge = Lazy.any({ produce: () => surge }) as unknown as '10%';
      new InferenceServiceRollout(chart, name, { predictor: { model, rollout: { type: 'RollingUpdate', maxSurge, maxUnavailable: 0 } } });
    }

    const written = chart.toJson().map(({ metadata, spec }) => [metadata.name, spec.predictor.deploymentStrategy.rollingUpdate]);
    expect(written).toEqual([
      ['iris', { maxSurge: '10%', maxUnavailable: 0 }],
      ['lily', { maxSurge: '20%', maxUnavailable: 0 }],
    ]);
  });

  test.each<[what: string, predictor: (later: (value: unknown) => never) => object, error: string]>([
    ['text', (later) => ({ minReplicas: later('3') }), 'minReplicas is "3", a number in quotes'],
    ['a number below 0', (later) => ({ minReplicas: later(-1) }), "'MinReplicas' cannot be less than 0, it is -1"],
    [
      'an empty range',
      (later) => ({ minReplicas: later(5), maxReplicas: later(2) }),
      "'MinReplicas' cannot be greater than MaxReplicas, and 5 is greater than 2",
    ],
    [
      'two limits of 0',
      (later) => ({ rollout: { type: 'RollingUpdate', maxSurge: later(0), maxUnavailable: later(0) } }),
      'maxUnavailable is 0 and maxSurge is 0',
    ],
  ])('a value that is only known at synth is validated then: %s', (_, predictor, error) => {
    const app = new App();
    const later = (value: unknown) => Lazy.any({ produce: () => value }) as unknown as never;
    new InferenceServiceRollout(new Chart(app, 'models'), 'iris', { predictor: { model, ...predictor(later) } });

    const lines = errorOf(() => app.synthYaml()).split('\n');
    expect(lines).toHaveLength(2);
    expect(lines[1]).toContain('[models/iris]');
    expect(lines[1]).toContain(error);
  });

  test('has the same bytes each time it is synthesized', () => {
    const apps = [new App(), new App()];
    for (const app of apps) {
      new InferenceServiceRollout(new Chart(app, 'models'), 'iris', {
        predictor: { model },
        explainer: { containers: [{ name: 'alibi' }] },
        provenanceAnnotations: true,
      });
    }

    expect(new Set([...apps, ...apps].map((app) => app.synthYaml())).size).toBe(1);
  });
});

describe('the resolved strategy is the one that the plan of the emitted YAML predicts', () => {
  const platform = KServePlatformConfig.of({ defaultRollout: { mode: 'ResourceAware', maxUnavailable: '40%' } });
  const containers = [{ name: 'kserve-container', image: 'my-transformer:latest' }];
  const multinode = {
    model: { modelFormat: { name: 'huggingface' }, storageUri: 'pvc://llama/hf/70b', resources: { limits: { 'nvidia.com/gpu': '4' } } },
    workerSpec: {
      pipelineParallelSize: 2,
      tensorParallelSize: 4,
      containers: [{ name: 'worker-container', resources: { limits: { 'nvidia.com/gpu': '4' } } }],
    },
  };

  test.each<[string, InferenceServiceRolloutProps, object]>([
    [
      'nothing set at any level: 25% and 25%',
      { predictor: { model } },
      { predictor: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%', maxUnavailable: '25%' } } },
    ],
    [
      'the platform level for fields that a component does not set, per component',
      {
        platform,
        predictor: { model, rollout: Rollout.availability(1) },
        transformer: { containers },
        explainer: { containers, rollout: Rollout.recreate() },
      },
      {
        predictor: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
        transformer: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '0%', maxUnavailable: '40%' } },
        explainer: { type: 'Recreate' },
      },
    ],
    [
      'one limit: the other one from the platform level, although KServe itself would use 25%',
      { platform, predictor: { model, rollout: Rollout.rollingUpdate({ maxSurge: 2 }) } },
      { predictor: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 2, maxUnavailable: '40%' } } },
    ],
    [
      'the platform level of the cluster',
      { platform, inheritPlatformDefaults: true, predictor: { model }, transformer: { containers, rollout: Rollout.critical() } },
      {
        predictor: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '0%', maxUnavailable: '40%' } },
        transformer: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '100%', maxUnavailable: 0 } },
      },
    ],
    [
      'multinode: 100% and 0% on head and workers, whatever else is set',
      { platform, predictor: { ...multinode, rollout: Rollout.recreate() } },
      {
        predictor: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '100%', maxUnavailable: '0%' } },
        worker: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '100%', maxUnavailable: '0%' } },
      },
    ],
  ])('%s', (_, props, promised) => {
    const chart = Testing.chart();
    const service = new InferenceServiceRollout(chart, 'iris', props);
    const settled = [service.predictor, service.worker, service.transformer, service.explainer].flatMap((component) => component ?? []);

    expect(Object.fromEntries(settled.map(({ component, strategy }) => [component, strategy]))).toEqual(promised);
    expect(strategies(service.rollouts)).toEqual(promised);
    for (const kserve of ['0.16', '0.17', '0.18', '0.19', '0.20']) {
      const plan = planManifests([props.platform?.configMap, ...Testing.synth(chart)], { versions: { kserve } });
      expect(strategies(plan.rollouts)).toEqual(promised);
    }
  });

  test('no strategy is written for a service that inherits', () => {
    const service = new InferenceServiceRollout(Testing.chart(), 'iris', { platform, inheritPlatformDefaults: true, predictor: { model } });

    expect(specOf(service).predictor).toEqual({ model });
    expect(service.rollouts[0]!.provenance.map(({ field, layer }) => [field, layer])).toEqual([
      ['type', 'kserve-default'],
      ['maxSurge', 'platform-config'],
      ['maxUnavailable', 'platform-config'],
    ]);
  });

  describe('on a platform of another mode', () => {
    const knative = KServePlatformConfig.of({ defaultDeploymentMode: 'Knative' });
    const leaves = (severity: string, mode: string, asksForStrategy: boolean) => ({
      code: 'kserve/config-not-standard',
      severity,
      messageId: 'leavesMode',
      data: { mode, asksForStrategy },
      path: 'metadata.annotations[serving.kserve.io/deploymentMode]',
    });

    test.each<[string, InferenceServiceRolloutProps, object[]]>([
      [
        'a rollout says what the annotation Standard changes',
        { platform: knative, predictor: { model, rollout: Rollout.availability('25%') } },
        [leaves('info', 'Knative', true)],
      ],
      ['a service without a strategy has a warning', { platform: knative, predictor: { model } }, [leaves('warning', 'Knative', false)]],
      [
        'a ConfigMap without a mode is Knative',
        { platform: KServePlatformConfig.fromConfigMap({ data: {} }), predictor: { model } },
        [leaves('warning', '', false)],
      ],
      [
        'nothing is reported if the user wrote the annotation',
        { platform: knative, metadata: { annotations: { 'serving.kserve.io/deploymentMode': 'Standard' } }, predictor: { model } },
        [],
      ],
      ['nothing is reported on a platform with mode Standard', { platform, predictor: { model } }, []],
    ])('%s', (_, props, said) => {
      const service = new InferenceServiceRollout(Testing.chart(), 'iris', props);

      expect(factsOf(service.findings)).toEqual(said);
      expect(factsOf(service.rollouts[0]!.findings).filter(({ messageId }) => messageId === 'leavesMode')).toEqual(said);
    });
  });

  test('a plan of the YAML lists the levels of the annotations, like the construct', () => {
    const service = new InferenceServiceRollout(Testing.chart(), 'iris', {
      platform,
      provenanceAnnotations: true,
      predictor: { model, rollout: Rollout.rollingUpdate({ maxSurge: 2 }) },
    });
    const levels = (provenance: readonly { field: string; layer: string; value: unknown; overridden: readonly object[] }[]) =>
      provenance.map(({ field, layer, value, overridden }) => [field, layer, value, overridden.map((level) => ({ ...level, reason: '' }))]);

    const [planned] = planManifests([service.apiObject.toJson()]).rollouts;
    expect(levels(planned!.provenance)).toEqual(levels(service.predictor.provenance));

    service.apiObject.addJsonPatch(JsonPatch.replace('/spec/predictor/deploymentStrategy/rollingUpdate/maxSurge', 3));
    const [patched] = planManifests([service.apiObject.toJson()]).rollouts;
    expect(patched!.provenance.map(({ field, layer, value }) => [field, layer, value])).toEqual([
      ['type', 'user', 'RollingUpdate'],
      ['maxSurge', 'user', 3],
      ['maxUnavailable', 'platform-config', '40%'],
    ]);
  });

  test('the provenance is written as annotations on request', () => {
    const service = new InferenceServiceRollout(Testing.chart(), 'iris', {
      platform,
      provenanceAnnotations: true,
      predictor: { model, rollout: Rollout.rollingUpdate({ maxSurge: 2 }) },
    });

    expect(Yaml.stringify((service.apiObject.toJson() as { metadata: object }).metadata)).toMatchInlineSnapshot(`
"annotations:
  rolloutkit/predictor.maxSurge: 2 from user, over platform-config "0%", kserve-default "25%"
  rolloutkit/predictor.maxUnavailable: '"40%" from platform-config, over kserve-default "25%"'
  rolloutkit/predictor.type: '"RollingUpdate" from user, over kserve-default "RollingUpdate"'
  serving.kserve.io/deploymentMode: Standard
name: iris
"
`);
  });
});

describe('what fails the synth', () => {
  test('every error of every service at once, and nothing is written', () => {
    const outdir = path.join(mkdtempSync(path.join(tmpdir(), 'rolloutkit-')), 'dist');
    const app = new App({ outdir });
    const good = new Chart(app, 'good');
    new InferenceServiceRollout(good, 'fine', { predictor: { model } });
    const bad = new Chart(app, 'bad');
    new InferenceServiceRollout(bad, 'iris', {
      predictor: { model, minReplicas: 5, maxReplicas: 3, rollout: { type: 'RollingUpdate', maxSurge: 0, maxUnavailable: 0 } },
    });
    new InferenceServiceRollout(bad, 'lily', { predictor: { model, rollout: Rollout.resourceAware('101%') } });

    expect(headsOf(errorOf(() => app.synth()))).toMatchInlineSnapshot(`
[
  "Validation failed with the following errors:",
  "[bad/iris] [kubernetes/invalid-strategy] predictor.rollout.maxUnavailable:",
  "[bad/iris] [kserve/invalid-service] predictor.minReplicas:",
  "[bad/lily] [kubernetes/invalid-strategy] predictor.rollout.ratio:",
]
`);
    expect(existsSync(outdir) ? readdirSync(outdir) : []).toEqual([]);
  });

  test.each<[string, unknown, Omit<Facts, 'severity'>]>([
    [
      'a number in quotes',
      { predictor: { model, rollout: { type: 'RollingUpdate', maxSurge: '1' } } },
      {
        code: 'kubernetes/quoted-integer',
        messageId: 'numberOrPercent',
        data: { field: 'maxSurge', value: '1' },
        path: 'predictor.rollout.maxSurge',
      },
    ],
    [
      'a ratio in quotes',
      { predictor: { model, rollout: { mode: 'Availability', ratio: '1' } } },
      {
        code: 'kubernetes/quoted-integer',
        messageId: 'numberOrPercent',
        data: { field: 'maxSurge', value: '1' },
        path: 'predictor.rollout.ratio',
      },
    ],
    [
      'a ratio of zero',
      { predictor: { model, rollout: { mode: 'Availability', ratio: '0%' } } },
      { code: 'kubernetes/invalid-strategy', messageId: 'ratio', data: { value: '0%' }, path: 'predictor.rollout.ratio' },
    ],
    [
      'a mode in lower case',
      { predictor: { model, rollout: { mode: 'availability', ratio: '25%' } } },
      { code: 'kubernetes/invalid-strategy', messageId: 'unknownMode', data: { value: 'availability' }, path: 'predictor.rollout.mode' },
    ],
    [
      'a fraction',
      { predictor: { model, rollout: { mode: 'Availability', ratio: 0.25 } } },
      {
        code: 'kubernetes/invalid-strategy',
        messageId: 'fraction',
        data: { field: 'maxSurge', value: 0.25, expected: 'a whole number or a percentage such as "25%"' },
        path: 'predictor.rollout.ratio',
      },
    ],
    [
      'an invalid percentage',
      { predictor: { model, rollout: { mode: 'Availability', ratio: '25 %' } } },
      {
        code: 'kubernetes/invalid-strategy',
        messageId: 'notPercent',
        data: { field: 'maxSurge', value: '25 %' },
        path: 'predictor.rollout.ratio',
      },
    ],
    [
      'an intent and a strategy at once',
      { predictor: { model, rollout: Rollout.recreate(), deploymentStrategy: { type: 'Recreate' } } },
      { code: 'kubernetes/invalid-strategy', messageId: 'bothIntents', data: { component: 'predictor' }, path: 'predictor.rollout' },
    ],
    [
      'an unknown form of intent',
      { predictor: { model, rollout: { strategy: 'BlueGreen' } } },
      {
        code: 'kubernetes/invalid-strategy',
        messageId: 'unknownIntentType',
        data: { value: { described: 'undefined' } },
        path: 'predictor.rollout.type',
      },
    ],
    [
      'limits with Recreate',
      { predictor: { model, rollout: { type: 'Recreate', maxSurge: 1 } } },
      {
        code: 'kubernetes/invalid-strategy',
        messageId: 'unexpectedField',
        data: { field: 'maxSurge', value: 1, form: 'Recreate', known: ['type'] },
        path: 'predictor.rollout.maxSurge',
      },
    ],
    [
      'a limit and a mode, as in the ConfigMap',
      { predictor: { model, rollout: { mode: 'Availability', maxSurge: '25%' } } },
      {
        code: 'kubernetes/invalid-strategy',
        messageId: 'unexpectedField',
        data: { field: 'maxSurge', value: '25%', form: 'mode', known: ['mode', 'ratio'] },
        path: 'predictor.rollout.maxSurge',
      },
    ],
  ])('%s is one finding, and one line of the error', (_, props, expected) => {
    const { findings } = new InferenceServiceRollout(Testing.chart(), 'iris', javascript(props));
    expect(factsOf(findings)).toEqual([{ severity: 'error', ...expected }]);

    const message = synthError((chart) => {
      new InferenceServiceRollout(chart, 'iris', javascript(props));
    });
    expect(headsOf(message)).toEqual(['Validation failed with the following errors:', `[shop/iris] [${expected.code}] ${expected.path}:`]);
  });

  test.each([
    [undefined, '[shop/iris] the props are undefined; write a map'],
    [{}, '[shop/iris] predictor is undefined; write a map'],
    [{ predictr: { model } }, '[shop/iris] predictr is not a prop; write predictor, or leave it out'],
    [{ predictor: { model }, transformer: null }, '[shop/iris] transformer is null; write a map, or leave it out'],
    [
      { predictor: 'iris', metadata: 'iris' },
      '[shop/iris] metadata is "iris"; write a map, or leave it out\n  [shop/iris] predictor is "iris"; write a map',
    ],
  ])('props that are not maps: %j', (props, message) => {
    const said = synthError((chart) => new InferenceServiceRollout(chart, 'iris', javascript(props)));
    expect(withoutPlaces(said)).toBe(`Validation failed with the following errors:\n  ${message}`);
  });

  test('values that are only known later, each by its path', () => {
    class OutputImpl {
      readonly __pulumiOutput = true;
    }
    const props = {
      predictor: { model: { ...model, storageUri: new OutputImpl() }, minReplicas: 2 },
      transformer: { containers: [{ name: 'kserve-container', image: Promise.resolve('image'), env: [{ name: 'ON', value: () => 'x' }] }] },
    };

    expect(withoutPlaces(synthError((chart) => new InferenceServiceRollout(chart, 'iris', javascript(props))))).toMatchInlineSnapshot(`
"Validation failed with the following errors:
  [shop/iris] predictor.model.storageUri is a Pulumi Output, whose value is known only while Pulumi runs; pass the plain value to cdk8s
  [shop/iris] transformer.containers[0].image is a promise; await it first, because cdk8s synthesizes synchronously
  [shop/iris] transformer.containers[0].env[0].value is a function; write a plain value: a string, number, boolean, list or map"
`);
  });
});

test('an app with 500 charts resolves each service once, however often cdk8s validates it', () => {
  const app = new App();
  let reads = 0;
  for (let chart = 0; chart < 500; chart++) {
    const predictor = {
      model,
      get minReplicas() {
        reads += 1;
        return -1;
      },
    };
    new InferenceServiceRollout(new Chart(app, `chart-${chart}`), 'iris', { predictor });
  }
  const readsBeforeSynth = reads;

  expect(() => app.synthYaml()).toThrow(/chart-499/);
  expect(reads).toBe(readsBeforeSynth);
});

test('a model with neither a modelFormat nor a runtime is refused, because KServe finds no runtime for it', () => {
  const storageUri = 's3://models/iris';
  const message = synthError((chart) => new InferenceServiceRollout(chart, 'iris', { predictor: { model: { storageUri } } }));

  expect(message).toContain('predictor.model has neither a modelFormat nor a runtime, so KServe finds no runtime that serves it');
  expect(message).toContain('(created at test/constructs/inference-service-rollout.test.ts:');
  new InferenceServiceRollout(Testing.chart(), 'iris', { predictor: { model: { runtime: 'my-runtime', storageUri } } });
});

test('the model of a canary gets the name of its container, which the CRD requires only there', () => {
  const next = { ...model, storageUri: 's3://my-bucket/model-2' };
  const service = new InferenceServiceRollout(Testing.chart(), 'iris', {
    kserve: '0.20',
    predictor: { model },
    canary: [
      { trafficPercent: 5, predictor: { name: 'next', model: next } },
      { trafficPercent: 5, predictor: { name: 'own', model: { ...next, name: 'server' } } },
      { trafficPercent: 5, predictor: { name: 'same' } },
    ],
  });

  expect(specOf(service)).toEqual({
    predictor: expect.objectContaining({ model }) as object,
    canary: [
      { trafficPercent: 5, predictor: { name: 'next', model: { name: 'kserve-container', ...next } } },
      { trafficPercent: 5, predictor: { name: 'own', model: { ...next, name: 'server' } } },
      { trafficPercent: 5, predictor: { name: 'same' } },
    ],
  });
});
