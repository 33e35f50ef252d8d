import { formatNanos } from '../../../src/core/values/quantity';
import { isByteResource, computePodAmounts, computePodFootprint } from '../../../src/cluster/capacity/pod-requests';
import type { Amounts } from '../../../src/core/values/quantity';

function format(amounts: Amounts) {
  return Object.fromEntries([...amounts].map(([name, amount]) => [name, formatNanos(amount, isByteResource(name) ? 'bytes' : 'units')]));
}

function requests(podSpec: unknown) {
  return format(computePodAmounts(podSpec, 'requests'));
}

function limits(podSpec: unknown) {
  return format(computePodAmounts(podSpec, 'limits'));
}

const container = (requested: Record<string, unknown>, limited: Record<string, unknown> = {}) => ({
  resources: { requests: requested, limits: limited },
});

describe('the requests of a pod are what the scheduler counts', () => {
  test('containers add up', () => {
    expect(requests({ containers: [container({ cpu: '500m', memory: '1Gi' }), container({ cpu: 1, 'nvidia.com/gpu': 2 })] })).toEqual({
      cpu: '1500m',
      memory: '1Gi',
      'nvidia.com/gpu': '2',
    });
  });

  test('a missing request defaults to the limit, as for GPUs', () => {
    const podSpec = { containers: [container({ cpu: 1 }, { cpu: 4, 'nvidia.com/gpu': 1 })] };
    expect(requests(podSpec)).toEqual({ cpu: '1', 'nvidia.com/gpu': '1' });
    expect(limits(podSpec)).toEqual({ cpu: '4', 'nvidia.com/gpu': '1' });
  });

  test('init containers run one after another before the others: the largest counts if it is above the sum', () => {
    const podSpec = {
      initContainers: [container({ cpu: 3 }), container({ cpu: 2, memory: '1Gi' })],
      containers: [container({ cpu: 1 }), container({ cpu: 1 })],
    };
    expect(requests(podSpec)).toEqual({ cpu: '3', memory: '1Gi' });
  });

  test('a sidecar runs with the init containers after it and with all containers', () => {
    const sidecar = { ...container({ cpu: 1 }), restartPolicy: 'Always' };
    expect(requests({ initContainers: [sidecar, container({ cpu: 3 })], containers: [container({ cpu: 1 })] })).toEqual({ cpu: '4' });
    expect(requests({ initContainers: [container({ cpu: 3 }), sidecar], containers: [container({ cpu: 1 })] })).toEqual({ cpu: '3' });
    expect(requests({ initContainers: [sidecar], containers: [container({ cpu: 1 })] })).toEqual({ cpu: '2' });
  });

  test('the overhead of a runtime class is added, to limits only if there is one', () => {
    const podSpec = { containers: [container({ cpu: 1 }, { memory: '1Gi' })], overhead: { cpu: '250m', memory: '512Mi' } };
    expect(requests(podSpec)).toEqual({ cpu: '1250m', memory: '1536Mi' });
    expect(limits(podSpec)).toEqual({ memory: '1536Mi' });
  });

  test('pod-level resources replace the sum of the containers', () => {
    expect(requests({ resources: { requests: { cpu: 2 } }, containers: [container({ cpu: 3, memory: '1Gi' })] })).toEqual({
      cpu: '2',
      memory: '1Gi',
    });
    expect(requests({ resources: { limits: { cpu: 4, memory: '4Gi' } }, containers: [container({ cpu: 3 })] })).toEqual({
      cpu: '3',
      memory: '4Gi',
    });
    expect(requests({ resources: { requests: { 'nvidia.com/gpu': 2 } }, containers: [container({ 'nvidia.com/gpu': 1 })] })).toEqual({
      'nvidia.com/gpu': '1',
    });
    expect(limits({ resources: { limits: { cpu: 4 } }, containers: [container({}, { cpu: 3 })] })).toEqual({ cpu: '4' });
  });

  test('a pod uses one pod slot of its node', () => {
    expect(format(computePodFootprint({ containers: [container({ cpu: 1 })] }))).toEqual({ cpu: '1', pods: '1' });
  });

  test('invalid quantities, lists and maps are ignored', () => {
    expect(requests({ containers: [container({ cpu: 'lots', memory: null }), 'web', null] })).toEqual({});
    expect(requests({ containers: 'web' })).toEqual({});
    expect(requests(undefined)).toEqual({});
  });
});

test.each([
  ['memory', true],
  ['requests.memory', true],
  ['hugepages-2Mi', true],
  ['requests.ephemeral-storage', true],
  ['cpu', false],
  ['nvidia.com/gpu', false],
  ['pods', false],
])('isByteResource(%j) is %p', (resource, bytes) => {
  expect(isByteResource(resource)).toBe(bytes);
});
