import { planManifests } from '../../../src/headless';
import type { Fields, Manifest } from '../../../src/core/manifest/manifest';
import { leaderWorkerSet, limits } from './plan';

const EXCLUSIVE = { 'leaderworkerset.sigs.k8s.io/exclusive-topology': 'rack' };
const SUBGROUPS = { 'leaderworkerset.sigs.k8s.io/subgroup-exclusive-topology': 'rack' };

/** Two racks, each with capacity for three groups. */
const nodes = ['a', 'b'].map((rack) => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name: rack, labels: { 'kubernetes.io/hostname': rack, rack } },
  status: { allocatable: { cpu: 64, pods: 100, 'nvidia.com/gpu': 96 } },
}));

function withAnnotations(object: Manifest, annotations: Readonly<Record<string, string>>): Manifest {
  return { ...object, metadata: { ...(object.metadata as Fields), annotations } };
}

function capacityOf(object: Manifest): string | undefined {
  return planManifests([object, ...nodes]).rollouts[0]!.capacity?.message;
}

describe('a set whose groups each need a rack of their own', () => {
  const surging = leaderWorkerSet(limits({ maxSurge: 1, maxUnavailable: 0 }));

  test('is not said to fit, because the racks are not counted', () => {
    expect(capacityOf(surging)).toBe('Fits: there is capacity for its peak of 12 pods.');
    expect(capacityOf(withAnnotations(surging, EXCLUSIVE))).toBe(
      'May not fit: there is capacity for its peak of 12 pods, but plans do not model exclusive-topology.',
    );
  });

  test('as if the subgroups of each group do', () => {
    const withSubgroups = leaderWorkerSet({}, { subGroupPolicy: { subGroupSize: 2 } });
    expect(capacityOf(withAnnotations(withSubgroups, SUBGROUPS))).toBe(
      'May not fit: there is capacity for its peak of 8 pods, but plans do not model subgroup-exclusive-topology.',
    );
  });
});

test('a role of a DisaggregatedSet has the annotations of its own LeaderWorkerSet', () => {
  const role = (name: string, annotations: Fields) => ({
    name,
    metadata: { annotations },
    spec: { replicas: 1, leaderWorkerTemplate: { size: 1, workerTemplate: { spec: { containers: [{ name: 'vllm', image: 'vllm:1' }] } } } },
  });
  const set = (annotations: Fields): Manifest => ({
    apiVersion: 'disaggregatedset.x-k8s.io/v1',
    kind: 'DisaggregatedSet',
    metadata: { name: 'llama', namespace: 'models' },
    spec: { roles: [role('prefill', annotations), role('decode', {})] },
  });
  expect(capacityOf(set({}))).toBe('Fits: there is capacity for its peak of 4 pods.');
  expect(capacityOf(set(EXCLUSIVE))).toBe(
    'May not fit: there is capacity for its peak of 4 pods, but plans do not model exclusive-topology.',
  );
});

test('a service of KServe passes its annotations to its LeaderWorkerSet', () => {
  const pods = { containers: [{ name: 'main', image: 'vllm:1', resources: { requests: { cpu: 1 } } }] };
  const service: Manifest = {
    apiVersion: 'serving.kserve.io/v1alpha2',
    kind: 'LLMInferenceService',
    metadata: { name: 'llama', namespace: 'models' },
    spec: { model: { uri: 'hf://llama' }, replicas: 1, parallelism: { data: 2, dataLocal: 1 }, template: pods, worker: pods },
  };
  expect(capacityOf(service)).toBe('Fits: there is capacity for its peak of 2 pods.');
  expect(capacityOf(withAnnotations(service, EXCLUSIVE))).toBe(
    'May not fit: there is capacity for its peak of 2 pods, but plans do not model exclusive-topology.',
  );
});
