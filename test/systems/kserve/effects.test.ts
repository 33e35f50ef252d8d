import type { Fields, Manifest } from '../../../src/core/manifest';
import { planChange } from '../../../src/headless';
import { configMap, multinodeService, service, STANDARD, STANDARD_PLATFORM } from './plan';

const RECREATE = { deploymentStrategy: { type: 'Recreate' } };

/** The effect on the first object, with the reason where it is refused, and each component whose pods are replaced. */
function told(old: readonly Manifest[], next: readonly Manifest[]): string {
  const { change, rollouts } = planChange(old, next, { versions: { kserve: '0.17' } });
  const { effect, refusal } = change.objects[0]!;
  const rolling = rollouts.flatMap(({ resource, simulation }) =>
    simulation && 'waves' in simulation && simulation.waves.length > 0 ? [resource.component] : [],
  );
  return [effect, ...(refusal ? [`${refusal.path}: ${refusal.message}`] : rolling)].join(' ');
}

/** A runtime of the namespace whose head and workers have these images. */
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

describe('another image in the runtime of a service on several nodes', () => {
  const model = { modelFormat: { name: 'huggingface' }, storageUri: 'pvc://models/llm', runtime: 'llm' };
  const isvc = multinodeService({ model }, STANDARD);

  test.each([
    ['of the workers replaces the workers alone', runtime('head:1', 'worker:2'), 'roll worker'],
    ['of the head replaces the head alone', runtime('head:2', 'worker:1'), 'roll predictor'],
    ['of none replaces none', runtime('head:1', 'worker:1'), 'none'],
  ])('%s', (_, next, expected) => {
    expect(told([isvc, runtime('head:1', 'worker:1')], [isvc, next])).toBe(expected);
  });
});

describe('a strategy that is added', () => {
  const modelMesh = configMap({ defaultDeploymentMode: 'ModelMesh' });

  test('is refused of a service that the webhook annotated ModelMesh, though the default is another one by now', () => {
    expect(told([service(), modelMesh], [service(RECREATE), STANDARD_PLATFORM])).toBe(
      'refused spec.predictor.deploymentStrategy: The webhook refuses the deploymentStrategy, because the service is annotated ModelMesh ' +
        'and the default mode is Standard: customizing deploymentStrategy is only supported for raw deployment mode.',
    );
  });

  test('is one of the settings of a service that the webhook annotated Standard', () => {
    expect(told([service(), STANDARD_PLATFORM], [service(RECREATE), STANDARD_PLATFORM])).toBe('settings');
  });
});

describe('a service of a ConfigMap that names no default mode', () => {
  const noMode: Manifest = { ...STANDARD_PLATFORM, data: { other: '{}' } };

  test('runs in mode Knative, so that another container is a new Revision', () => {
    const model = { modelFormat: { name: 'sklearn' }, storageUri: 's3://my-bucket/other' };
    expect(told([service(), noMode], [service({ model }), noMode])).toBe('roll predictor');
    expect(told([service(), noMode], [service(), noMode])).toBe('none');
  });
});

describe('another image in a runtime that the model does not name', () => {
  const live = (status: Fields) => service({ model: { modelFormat: { name: 'huggingface' } } }, { annotations: STANDARD, status });
  const head = (image: string) => {
    const { workerSpec: _, ...spec } = runtime(image, 'worker:1', { supportedModelFormats: [{ name: 'huggingface', autoSelect: true }] })
      .spec as Fields;
    return { ...runtime(image, 'worker:1'), spec };
  };
  const mode = { deploymentMode: 'Standard' };

  test.each<[string, Fields, string]>([
    ['replaces the pods, where KServe chooses it', mode, 'roll predictor'],
    ['replaces them, where the status names it', { ...mode, servingRuntimeName: 'llm' }, 'roll predictor'],
    ['replaces none, where the status names one that is not in view', { ...mode, servingRuntimeName: 'other' }, 'none'],
    ['nor where it names one of the cluster', { ...mode, clusterServingRuntimeName: 'other' }, 'none'],
  ])('%s', (_, status, expected) => {
    expect(told([live(status), head('head:1')], [live(status), head('head:2')])).toBe(expected);
  });
});

describe('how the image of a custom predictor is pulled', () => {
  const custom = (container: Fields) =>
    service({ model: undefined, containers: [{ name: 'kserve-container', image: 'own:latest', ...container }] }, { annotations: STANDARD });

  test.each([
    ['Always', {}, { imagePullPolicy: 'Always' }, 'roll predictor'],
    ['Never in place of Always', { imagePullPolicy: 'Always' }, { imagePullPolicy: 'Never' }, 'roll predictor'],
    // KServe fills it in whatever the tag is, where the API server would take Always for latest.
    ['IfNotPresent, which KServe fills in', {}, { imagePullPolicy: 'IfNotPresent' }, 'settings'],
  ])('%s', (_, old, next, expected) => {
    expect(told([custom(old)], [custom(next)])).toBe(expected);
  });
});

describe('an edit of a service whose runtime', () => {
  const edited = (spec: Fields, model: Fields = {}) => {
    const own = { modelFormat: { name: 'huggingface' }, runtime: 'llm', ...model };
    const side = (storageUri: string) => service({ model: { ...own, storageUri } }, { annotations: STANDARD });
    const one = runtime('head:1', 'worker:1', spec);
    return told([side('gs://a/1'), one], [side('gs://a/2'), one]);
  };
  const PROBLEM = 'refused spec.predictor.model: specified runtime llm';

  test.each<[string, Fields, Fields, string]>([
    ['serves its format', {}, {}, 'roll predictor'],
    ['serves another format', { supportedModelFormats: [{ name: 'onnx' }] }, {}, `${PROBLEM} does not support specified framework/version`],
    [
      'speaks another protocol',
      { protocolVersions: ['v1'] },
      { protocolVersion: 'v2' },
      `${PROBLEM} does not support specified protocol version`,
    ],
    ['is disabled', { disabled: true }, {}, `${PROBLEM} is disabled`],
  ])('%s', (_, spec, model, expected) => {
    expect(edited(spec, model)).toBe(expected);
  });
});
