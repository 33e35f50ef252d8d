import type { Fields, Manifest } from '../../../src/core/manifest/manifest';
import { planChange } from '../../../src/headless';
import { configMap, multinodeService, service, STANDARD, STANDARD_PLATFORM } from './plan';

const RECREATE = { deploymentStrategy: { type: 'Recreate' } };

/** Returns the effect on the first object, with the reason if it is refused, and the components whose pods are replaced. */
function effectOf(old: readonly Manifest[], next: readonly Manifest[]): string {
  const { change, rollouts } = planChange(old, next, { versions: { kserve: '0.17' } });
  const { effect, refusal } = change.objects[0]!;
  const rolling = rollouts.flatMap(({ resource, simulation }) =>
    simulation && 'waves' in simulation && simulation.waves.length > 0 ? [resource.component] : [],
  );
  return [effect, ...(refusal ? [`${refusal.path}: ${refusal.message}`] : rolling)].join(' ');
}

/** Returns a runtime of the namespace whose head and workers have these images. */
function runtime(head: string, worker: string, more: Fields = {}): Manifest {
  return {
    apiVersion: 'serving.kserve.io/v1alpha1',
    kind: 'ServingRuntime',
    metadata: { name: 'llm', namespace: 'models' },
    spec: {
      supportedModelFormats: [{ name: 'huggingface' }],
      containers: [{ name: 'kserve-container', image: head }],
      workerSpec: { pipelineParallelSize: 2, containers: [{ name: 'worker-container', image: worker }] },
      ...more,
    },
  };
}

describe('a new image in the runtime of a multinode service', () => {
  const model = { modelFormat: { name: 'huggingface' }, storageUri: 'pvc://models/llm', runtime: 'llm' };
  const isvc = multinodeService({ model }, STANDARD);

  test.each([
    ['for the workers replaces only the workers', runtime('head:1', 'worker:2'), 'roll worker'],
    ['for the head replaces only the head', runtime('head:2', 'worker:1'), 'roll predictor'],
    ['for neither replaces nothing', runtime('head:1', 'worker:1'), 'none'],
  ])('%s', (_, next, expected) => {
    expect(effectOf([isvc, runtime('head:1', 'worker:1')], [isvc, next])).toBe(expected);
  });
});

describe('an added strategy', () => {
  const modelMesh = configMap({ defaultDeploymentMode: 'ModelMesh' });

  test('is refused for a service that the webhook annotated ModelMesh, although the default mode has changed', () => {
    expect(effectOf([service(), modelMesh], [service(RECREATE), STANDARD_PLATFORM])).toBe(
      'refused spec.predictor.deploymentStrategy: The webhook refuses the deploymentStrategy, because the service is annotated ModelMesh ' +
        'and the default mode is Standard: customizing deploymentStrategy is only supported for raw deployment mode.',
    );
  });

  test('is only a setting for a service that the webhook annotated Standard', () => {
    expect(effectOf([service(), STANDARD_PLATFORM], [service(RECREATE), STANDARD_PLATFORM])).toBe('settings');
  });
});

describe('a service with a ConfigMap without a default mode', () => {
  const noMode: Manifest = { ...STANDARD_PLATFORM, data: { other: '{}' } };

  test('runs in mode Knative, so a changed container creates a new Revision', () => {
    const model = { modelFormat: { name: 'sklearn' }, storageUri: 's3://my-bucket/other' };
    expect(effectOf([service(), noMode], [service({ model }), noMode])).toBe('roll predictor');
    expect(effectOf([service(), noMode], [service(), noMode])).toBe('none');
  });
});

describe('a new image in a runtime that the model does not name', () => {
  const live = (status: Fields) => service({ model: { modelFormat: { name: 'huggingface' } } }, { annotations: STANDARD, status });
  const head = (image: string) => {
    const { workerSpec: _, ...spec } = runtime(image, 'worker:1', { supportedModelFormats: [{ name: 'huggingface', autoSelect: true }] })
      .spec as Fields;
    return { ...runtime(image, 'worker:1'), spec };
  };
  const mode = { deploymentMode: 'Standard' };

  test.each<[string, Fields, string]>([
    ['replaces the pods if KServe selects the runtime', mode, 'roll predictor'],
    ['replaces the pods if the status names the runtime', { ...mode, servingRuntimeName: 'llm' }, 'roll predictor'],
    ['replaces nothing if the status names a runtime that is not in the input', { ...mode, servingRuntimeName: 'other' }, 'none'],
    ['replaces nothing if the status names such a cluster runtime', { ...mode, clusterServingRuntimeName: 'other' }, 'none'],
  ])('%s', (_, status, expected) => {
    expect(effectOf([live(status), head('head:1')], [live(status), head('head:2')])).toBe(expected);
  });
});

describe('a changed pull policy of a custom predictor', () => {
  const custom = (container: Fields) =>
    service({ model: undefined, containers: [{ name: 'kserve-container', image: 'own:latest', ...container }] }, { annotations: STANDARD });

  test.each([
    ['Always', {}, { imagePullPolicy: 'Always' }, 'roll predictor'],
    ['Never instead of Always', { imagePullPolicy: 'Always' }, { imagePullPolicy: 'Never' }, 'roll predictor'],
    // KServe fills it in for every tag, but the API server would use Always for latest.
    ['IfNotPresent, which KServe fills in', {}, { imagePullPolicy: 'IfNotPresent' }, 'settings'],
  ])('%s', (_, old, next, expected) => {
    expect(effectOf([custom(old)], [custom(next)])).toBe(expected);
  });
});

describe('an edit of a service whose runtime', () => {
  const editModel = (spec: Fields, model: Fields = {}) => {
    const own = { modelFormat: { name: 'huggingface' }, runtime: 'llm', ...model };
    const side = (storageUri: string) => service({ model: { ...own, storageUri } }, { annotations: STANDARD });
    const unchanged = runtime('head:1', 'worker:1', spec);
    return effectOf([side('gs://a/1'), unchanged], [side('gs://a/2'), unchanged]);
  };
  const PROBLEM = 'refused spec.predictor.model: specified runtime llm';

  test.each<[string, Fields, Fields, string]>([
    ['supports its format', {}, {}, 'roll predictor'],
    [
      'supports only another format',
      { supportedModelFormats: [{ name: 'onnx' }] },
      {},
      `${PROBLEM} does not support specified framework/version`,
    ],
    [
      'supports only another protocol',
      { protocolVersions: ['v1'] },
      { protocolVersion: 'v2' },
      `${PROBLEM} does not support specified protocol version`,
    ],
    ['is disabled', { disabled: true }, {}, `${PROBLEM} is disabled`],
  ])('%s', (_, spec, model, expected) => {
    expect(editModel(spec, model)).toBe(expected);
  });
});
