import { planChange } from '../../../src/headless';
import { expectValidPlan } from '../../plan-schema';

/* Section e: the effects of edits of an InferenceService in mode Standard, of its runtime and of the ConfigMap of KServe on its pods. */

const GROUP = 'serving.kserve.io';
const MODE = { [`${GROUP}/deploymentMode`]: 'Standard' };
const MODEL = { modelFormat: { name: 'sklearn' }, runtime: 'sk', storageUri: 'gs://a/1' };

interface Parts {
  readonly predictor?: object;
  readonly model?: object;
  readonly transformer?: object;
  readonly labels?: object;
  readonly annotations?: object;
}

const service = ({ predictor = {}, model = {}, transformer = {}, labels = {}, annotations = {} }: Parts = {}) => ({
  apiVersion: `${GROUP}/v1beta1`,
  kind: 'InferenceService',
  metadata: { name: 'iris', namespace: 'models', labels, annotations: { ...MODE, ...annotations } },
  spec: {
    predictor: { minReplicas: 2, model: { ...MODEL, ...model }, ...predictor },
    transformer: { minReplicas: 2, containers: [{ name: 'kserve-container', image: 'transform:1' }], ...transformer },
  },
  status: { deploymentMode: 'Standard', servingRuntimeName: 'sk' },
});

const runtime = (spec: object = {}, kind = 'ServingRuntime') => ({
  apiVersion: `${GROUP}/v1alpha1`,
  kind,
  metadata: { name: 'sk', ...(kind === 'ServingRuntime' && { namespace: 'models' }) },
  spec: {
    supportedModelFormats: [{ name: 'sklearn', version: '1' }],
    containers: [{ name: 'kserve-container', image: 'sk:1' }],
    ...spec,
  },
});

/** Returns the effect on the first object, then the components whose pods are replaced, and the effect on each of the others. */
function describeEffect(old: readonly object[], next: readonly object[]): string {
  const { change, rollouts } = expectValidPlan(planChange(old, next, { versions: { kserve: '0.17' } }));
  const rolling = rollouts.flatMap(({ resource, simulation }) =>
    simulation && 'waves' in simulation && simulation.waves.length > 0 ? [resource.component] : [],
  );
  return [change.objects[0]!.effect, ...rolling].join(' ');
}

const edit = (before: Parts, after: Parts) => describeEffect([service(before), runtime()], [service(after), runtime()]);

describe('an edit of the predictor rolls only the predictor', () => {
  test.each<[string, Parts]>([
    ['storageUri', { model: { storageUri: 'gs://a/2' } }],
    ['storage', { model: { storageUri: undefined, storage: { key: 'a', path: 'b' } } }],
    ['args', { model: { args: ['--workers=2'] } }],
    ['env', { model: { env: [{ name: 'A', value: '1' }] } }],
    ['resources', { model: { resources: { limits: { cpu: '2' } } } }],
    ['its own image', { model: { image: 'sk:9' } }],
    ['nodeSelector', { predictor: { nodeSelector: { disk: 'ssd' } } }],
    ['tolerations', { predictor: { tolerations: [{ key: 'a', operator: 'Exists' }] } }],
    ['serviceAccountName', { predictor: { serviceAccountName: 'models' } }],
    ['volumes', { predictor: { volumes: [{ name: 'v', emptyDir: {} }] } }],
    ['labels of the component', { predictor: { labels: { team: 'a' } } }],
    ['annotations of the component', { predictor: { annotations: { team: 'a' } } }],
    ['logger', { predictor: { logger: { mode: 'all', url: 'http://log' } } }],
    ['batcher', { predictor: { batcher: { maxBatchSize: 8 } } }],
  ])('%s', (_what, parts) => {
    expect(edit({}, parts)).toBe('roll predictor');
  });
});

test('an edit of the transformer rolls only the transformer', () => {
  expect(edit({}, { transformer: { containers: [{ name: 'kserve-container', image: 'transform:2' }] } })).toBe('roll transformer');
  expect(edit({}, { transformer: { nodeSelector: { disk: 'ssd' } } })).toBe('roll transformer');
});

describe('labels and annotations of the service roll every component', () => {
  test.each<[string, Parts]>([
    ['a label', { labels: { team: 'a' } }],
    ['a label of a tool', { labels: { 'app.kubernetes.io/instance': 'shop' } }],
    ['an annotation', { annotations: { team: 'a' } }],
    ["Argo CD's tracking", { annotations: { 'argocd.argoproj.io/tracking-id': 'shop:1' } }],
    ['the class of the autoscaler', { annotations: { [`${GROUP}/autoscalerClass`]: 'hpa' } }],
    ['its target', { annotations: { [`${GROUP}/targetUtilizationPercentage`]: '60' } }],
  ])('%s', (_what, parts) => {
    expect(edit({}, parts)).toBe('roll predictor transformer');
  });

  test.each<[string, object]>([
    ['last-applied', { 'kubectl.kubernetes.io/last-applied-configuration': '{}' }],
    ['the scale of Knative', { 'autoscaling.knative.dev/min-scale': '1' }],
  ])('except for those that KServe keeps from the pods: %s', (_what, annotations) => {
    expect(edit({}, { annotations })).toMatch(/^(none|metadata)$/);
  });

  test('those of the component override those of the service', () => {
    const own = { predictor: { labels: { team: 'own' } }, transformer: { labels: { team: 'own' } } };
    expect(edit({ ...own, labels: { team: 'a' } }, { ...own, labels: { team: 'b' } })).toBe('metadata');
  });
});

describe('no pod is replaced by', () => {
  test.each<[string, Parts, string]>([
    ['minReplicas, from which an autoscaler makes a scale', { predictor: { minReplicas: 3 } }, 'scale'],
    ['maxReplicas', { predictor: { maxReplicas: 9 } }, 'settings'],
    ['scaleTarget', { predictor: { scaleTarget: 60 } }, 'settings'],
    ['scaleMetric', { predictor: { scaleMetric: 'memory' } }, 'settings'],
    ['autoScaling', { predictor: { autoScaling: { metrics: [] } } }, 'settings'],
    ['deploymentStrategy', { predictor: { deploymentStrategy: { type: 'Recreate' } } }, 'settings'],
    ['timeout', { predictor: { timeout: 30 } }, 'settings'],
    ['canaryTrafficPercent', { predictor: { canaryTrafficPercent: 10 } }, 'settings'],
    ['containerConcurrency', { predictor: { containerConcurrency: 4 } }, 'settings'],
  ])('%s', (_what, parts, effect) => {
    expect(edit({}, parts)).toBe(effect);
  });

  test('class none, for which minReplicas are the replicas', () => {
    const none = { annotations: { [`${GROUP}/autoscalerClass`]: 'none' } };
    expect(edit(none, { ...none, predictor: { minReplicas: 4 } })).toBe('scale');
  });
});

test('stop removes the pods, and without it they return', () => {
  const stopped = { annotations: { [`${GROUP}/stop`]: 'true' } };
  expect(edit({}, stopped)).toBe('scale');
  expect(edit(stopped, {})).toBe('scale');
});

describe('a runtime', () => {
  test.each<[string, object, string]>([
    ['another image', { containers: [{ name: 'kserve-container', image: 'sk:2' }] }, 'roll predictor'],
    ['nodeSelector', { nodeSelector: { disk: 'ssd' } }, 'roll predictor'],
    ['labels', { labels: { team: 'a' } }, 'roll predictor'],
    ['annotations', { annotations: { team: 'a' } }, 'roll predictor'],
    ['more formats', { supportedModelFormats: [{ name: 'sklearn', version: '1' }, { name: 'xgboost' }] }, 'none'],
    ['protocols', { protocolVersions: ['v1', 'v2'] }, 'none'],
    ['disabled, which the controller cannot reconcile: pods stay', { disabled: true }, 'none'],
  ])('%s', (_what, spec, expected) => {
    expect(describeEffect([service(), runtime()], [service(), runtime(spec)])).toBe(expected);
  });

  test('for the full cluster has the same effect on each service that uses it', () => {
    const next = runtime({ containers: [{ name: 'kserve-container', image: 'sk:2' }] }, 'ClusterServingRuntime');
    expect(describeEffect([service(), runtime({}, 'ClusterServingRuntime')], [service(), next])).toBe('roll predictor');
  });

  test('does not reach a Ready service with automatic updates disabled, and neither do edits of the service', () => {
    const off = { annotations: { [`${GROUP}/disable-auto-update`]: 'true' } };
    const next = runtime({ containers: [{ name: 'kserve-container', image: 'sk:2' }] });
    expect(describeEffect([service(off), runtime()], [service(off), next])).toBe('held');
    expect(edit(off, { ...off, model: { storageUri: 'gs://a/2' } })).toBe('held');
  });
});

describe('the ConfigMap of KServe', () => {
  const platform = (data: Readonly<Record<string, object>>) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'inferenceservice-config', namespace: 'kserve' },
    data: Object.fromEntries(
      Object.entries({ deploy: { defaultDeploymentMode: 'Standard' }, ...data }).map(([key, value]) => [key, JSON.stringify(value)]),
    ),
  });
  const changed = (old: Readonly<Record<string, object>>, next: Readonly<Record<string, object>>, parts: Parts = {}) =>
    describeEffect([service(parts), runtime(), platform(old)], [service(parts), runtime(), platform(next)]);

  test.each<[string, Readonly<Record<string, object>>]>([
    ['the ingress', { ingress: { ingressDomain: 'example.com' } }],
    ['the storage initializer, which only new pods get', { storageInitializer: { image: 'init:2' } }],
    ['the agent', { agent: { image: 'agent:2' } }],
    ['the autoscaler', { autoscaler: { scaleUpStabilizationWindowSeconds: '10' } }],
  ])('%s affects no running pod', (_what, data) => {
    expect(changed({}, data)).toBe('none');
  });

  test('a default strategy is written into the Deployments, and no pod is replaced', () => {
    const rollout = { defaultRollout: { maxSurge: '50%', maxUnavailable: '0%' } };
    expect(changed({}, { deploy: { defaultDeploymentMode: 'Standard', deploymentRolloutStrategy: rollout } })).toBe('settings');
  });

  test('a list of annotations that no longer reach the pods rolls the services that have one', () => {
    const none = { inferenceService: {} };
    const list = { inferenceService: { serviceAnnotationDisallowedList: ['team'] } };
    expect(changed(none, list, { annotations: { team: 'a' } })).toBe('roll predictor transformer');
    expect(changed(none, list)).toBe('none');
  });

  test('without its key even the annotations that never reach the pods are no longer kept from them', () => {
    expect(changed({}, { inferenceService: {} })).toBe('roll predictor transformer');
  });
});
