import { toFieldPath } from '../../../src/core/manifest/field-path';
import type { Fields } from '../../../src/core/manifest/manifest';
import { resolveMultinode } from '../../../src/systems/kserve/multinode';
import { findGpus, withGpus } from '../../../src/systems/kserve/nodes';
import { restoreAnnotatedProvenance } from '../../../src/systems/kserve/provenance-annotations';
import { readKserveService } from '../../../src/systems/kserve/service';
import { listStorageClaims } from '../../../src/systems/kserve/storage';
import { service } from './plan';

describe('a service after the defaulting webhook', () => {
  const containersOf = (containers: readonly Fields[]) =>
    readKserveService(service({ model: undefined, containers }), '0.17').predictor.containers;

  test.each<[string, Fields[], Fields[]]>([
    ['the only container is named', [{ name: 'api', image: 'api:1' }], [{ name: 'kserve-container', image: 'api:1' }]],
    [
      'the first of several is named if it has no name',
      [{ image: 'api:1' }, { name: 'proxy' }],
      [{ name: 'kserve-container', image: 'api:1' }, { name: 'proxy' }],
    ],
    ['or an empty name', [{ name: '' }, { name: 'proxy' }], [{ name: 'kserve-container' }, { name: 'proxy' }]],
    ['several containers with names keep them', [{ name: 'api' }, { name: 'proxy' }], [{ name: 'api' }, { name: 'proxy' }]],
  ])('in a custom predictor: %s', (_, written, admitted) => {
    expect(containersOf(written)).toEqual(admitted);
  });

  test('has an empty predictor if there is none', () => {
    const transformer = { containers: [{ name: 'kserve-container', image: 'pre:1' }] };
    const { predictor, components } = readKserveService({ ...service(), spec: { transformer } }, '0.17');
    expect(predictor).toEqual({});
    expect(components.map(({ name, path }) => [name, path])).toEqual([['transformer', 'spec.transformer']]);
  });
});

describe('the claims that KServe mounts', () => {
  const claims = (storageUri: unknown) => listStorageClaims({ model: { storageUri } }, toFieldPath`spec.predictor`);

  test.each([['s3://my-bucket/model'], ['pvc:///model'], [undefined], [7]])('are empty for the storageUri %p', (storageUri) => {
    expect(claims(storageUri)).toEqual([]);
  });

  test('are the claim of a pvc:// URI', () => {
    expect(claims('pvc://models/iris')).toEqual([{ name: 'models', path: 'spec.predictor.model.storageUri' }]);
  });
});

describe('the nodes of a multinode predictor', () => {
  const multinode = (workerSpec: Fields, runtime: Fields = {}) =>
    resolveMultinode(readKserveService(service({ workerSpec }), '0.17'), workerSpec, runtime);
  const GPU = 'nvidia.com/gpu';

  test('treat a size below 1 as omitted, so the size of the runtime applies', () => {
    const runtime = { workerSpec: { pipelineParallelSize: 3 } };
    expect(multinode({ pipelineParallelSize: 0 }, runtime).nodes.count).toBe(3);
    expect(multinode({ pipelineParallelSize: 2 }, runtime).nodes.count).toBe(2);
    expect(multinode({ pipelineParallelSize: 1 }, runtime).nodes.count).toBe(1);
    expect(multinode({ pipelineParallelSize: -1 }).nodes.count).toBe(1);
  });

  test('have workers with the written container, under its own name or that of KServe', () => {
    const containers = [{ image: 'worker:1', resources: { limits: { [GPU]: 2 } } }];
    expect(multinode({ pipelineParallelSize: 4, containers })).toMatchObject({
      nodes: { count: 2, headGpus: 2, workerGpus: 2 },
      worker: { pipelineParallelSize: 4, containers: [{ name: 'worker-container', ...containers[0] }] },
      workerGpus: { type: GPU, count: 2 },
    });
    expect(multinode({ containers: [{ name: 'own' }] }).worker.containers).toEqual([{ name: 'own' }]);
  });

  test('use the GPUs of limits before those of requests, and of the service before those of the runtime', () => {
    const container = (resources: Fields) => ({ resources });
    const gpus = (...containers: readonly Fields[]) => findGpus(containers, [GPU, 'amd.com/gpu']);
    expect(gpus(container({ requests: { [GPU]: 2 } }))).toEqual({ type: GPU, count: 2 });
    expect(gpus(container({ requests: { [GPU]: 2 }, limits: { [GPU]: 3 } }))).toEqual({ type: GPU, count: 3 });
    expect(gpus(container({ requests: { 'amd.com/gpu': 2 } }), container({ limits: { [GPU]: 3 } }))).toEqual({
      type: 'amd.com/gpu',
      count: 2,
    });
    expect(gpus(container({}), container({ requests: { [GPU]: 3 } }))).toEqual({ type: GPU, count: 3 });
    expect(gpus(container({ limits: { cpu: 1 } }))).toEqual({ type: GPU, count: 0 });
  });
});

test('the GPUs of a node are written into its container, in addition to its other resources', () => {
  const container = {
    name: 'a',
    resources: { limits: { cpu: 4, 'nvidia.com/gpu': 1 }, requests: { memory: '1Gi' }, claims: [{ name: 'c' }] },
  };
  expect(withGpus(container, { type: 'nvidia.com/gpu', count: 1 }, 2)).toEqual({
    name: 'a',
    resources: {
      limits: { cpu: 4, 'nvidia.com/gpu': '2' },
      requests: { memory: '1Gi', 'nvidia.com/gpu': '2' },
      claims: [{ name: 'c' }],
    },
  });
});

describe('the provenance in an annotation', () => {
  const own = [{ field: 'maxSurge', value: '50%', layer: 'user', reason: 'As written.', overridden: [] }] as const;
  const restore = (text: unknown) => restoreAnnotatedProvenance({ 'rolloutkit/predictor.maxSurge': text }, 'predictor', own);

  test('is restored with all overridden levels', () => {
    expect(restore('"50%" from platform-config, over kserve-default "25%", kubernetes-default 1')).toEqual([
      {
        field: 'maxSurge',
        value: '50%',
        layer: 'platform-config',
        reason: 'According to its annotation, the service was created with the value of this level.',
        overridden: [
          { layer: 'kserve-default', value: '25%', reason: 'platform-config decided when the service was created' },
          { layer: 'kubernetes-default', value: 1, reason: 'platform-config decided when the service was created' },
        ],
      },
    ]);
  });

  test.each([
    ['an invalid level after a valid one', '"50%" from platform-config, over kserve-default "25%", none'],
    ['only an invalid level', '"50%" from platform-config, over none'],
    ['another value', '"40%" from platform-config'],
    ['an escape that JSON does not have', String.raw`"\q" from platform-config`],
    ['a number that JSON does not have', '01 from platform-config'],
    ['no decision', 'manual'],
    ['no text', 7],
  ])('is not restored if it has %s', (_, text) => {
    expect(restore(text)).toEqual(own);
  });
});
