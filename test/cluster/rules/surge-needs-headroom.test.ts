import type { IntOrPercent } from '../../../src/core/values/int-or-percent';
import { factsOf } from '../../facts';
import { deployment } from '../../builders/workload';
import { findingsOf, template } from '../../workloads/plan';

const NAMES = { rollingUpdate: 'rollingUpdate', maxSurge: 'maxSurge', maxUnavailable: 'maxUnavailable' };

const gpu = template({ resources: { limits: { 'nvidia.com/gpu': 1 } } });

function limits(maxSurge: IntOrPercent, maxUnavailable: IntOrPercent) {
  return { rollingUpdate: { maxSurge, maxUnavailable } };
}

function headroom(spec: object) {
  return findingsOf([deployment({ template: template(), ...spec })], 'kubernetes/surge-needs-headroom');
}

test('the default with 1 to 3 replicas needs capacity for another pod, which is scarce for a GPU', () => {
  expect(factsOf(headroom({ replicas: 3, template: gpu }))).toEqual([
    {
      code: 'kubernetes/surge-needs-headroom',
      severity: 'warning',
      messageId: 'surge',
      path: 'spec.strategy.rollingUpdate.maxUnavailable',
      data: { maxUnavailable: '25%', replicas: 3, extraPods: 1, scarceResources: ['nvidia.com/gpu'], names: NAMES },
    },
  ]);
  expect(headroom({ replicas: 4, template: gpu })).toEqual([]);
});

test('it reports the GPUs and the number of additional pods', () => {
  expect(headroom({ replicas: 8, strategy: limits('50%', 0), template: gpu })).toMatchObject([
    {
      severity: 'warning',
      messageId: 'surge',
      data: { maxUnavailable: 0, replicas: 8, extraPods: 4, scarceResources: ['nvidia.com/gpu'] },
    },
  ]);
});

test('a surge above the replicas creates at most as many pods as replicas', () => {
  expect(headroom({ replicas: 2, strategy: limits('500%', 0), template: gpu })).toMatchObject([{ data: { replicas: 2, extraPods: 2 } }]);
});

test.each([
  ['requests count', template({ resources: { requests: { 'amd.com/gpu': '1' } } }), 'amd.com/gpu'],
  [
    'limits of init containers count',
    { spec: { initContainers: [{ resources: { limits: { 'example.com/fpga': 2 } } }] } },
    'example.com/fpga',
  ],
])('%s', (_, pods, resource) => {
  expect(headroom({ replicas: 2, template: pods })).toMatchObject([{ severity: 'warning', data: { scarceResources: [resource] } }]);
});

test.each([
  ['a quantity of 0 requests nothing', { 'nvidia.com/gpu': 0 }],
  ["Kubernetes' own resources are ordinary", { cpu: 1, 'hugepages-2Mi': '4Mi' }],
  ["names of Kubernetes' own domain are ordinary", { 'batch.kubernetes.io/slot': 1 }],
])('it reports nothing for ordinary pods: %s', (_, limited) => {
  expect(headroom({ replicas: 2, template: template({ resources: { limits: limited } }) })).toEqual([]);
});

describe('with a given capacity', () => {
  const pods = (capacity: unknown) =>
    findingsOf([deployment({ replicas: 2, template: gpu })], 'kubernetes/surge-needs-headroom', { capacity });

  test('it reports nothing if that is sufficient', () => {
    expect(pods({ nodePools: [{ name: 'a', count: 3, allocatable: { 'nvidia.com/gpu': 1 } }] })).toEqual([]);
    expect(pods({ free: { 'nvidia.com/gpu': 1 } })).toEqual([]);
  });

  test('it is an error if that is not sufficient, and a warning if that does not list the scarce resource', () => {
    expect(pods({ free: { 'nvidia.com/gpu': 0 } })).toMatchObject([{ severity: 'error', messageId: 'insufficientCapacity' }]);
    expect(pods({ free: { cpu: 100 } })).toMatchObject([{ severity: 'warning', messageId: 'surge' }]);
  });
});

test('it reports nothing if a pod may be deleted first, for Recreate, and for 0 replicas', () => {
  expect(headroom({ replicas: 2, strategy: limits(0, 1), template: gpu })).toEqual([]);
  expect(headroom({ replicas: 2, strategy: { type: 'Recreate' }, template: gpu })).toEqual([]);
  expect(headroom({ replicas: 0, template: gpu })).toEqual([]);
});

test('the advice names each resource and each quota that is too small for the peak', () => {
  const requests = { cpu: '1', memory: '1Gi' };
  const web = deployment(
    { replicas: 4, strategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } }, template: template({ resources: { requests } }) },
    { name: 'web', namespace: 'shop' },
  );
  const quota = (name: string, hard: object) => ({
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    metadata: { name, namespace: 'shop' },
    spec: { hard },
  });
  const helpWith = (...quotas: readonly object[]) =>
    findingsOf([web, ...quotas], 'kubernetes/surge-needs-headroom').map(({ help }) => help);
  expect(helpWith(quota('compute', { 'requests.cpu': '4', 'requests.memory': '4Gi' }), quota('objects', { pods: '4' }))).toEqual([
    'Write maxSurge: 0 and maxUnavailable: 1 to replace pods in place, or raise ResourceQuota "compute" so that it has 5 requests.cpu and 5Gi requests.memory left and ResourceQuota "objects" so that it has 5 pods left.',
  ]);
});

test('the advice for an only pod puts capacity first, because it is down while it is replaced in place', () => {
  const only = deployment({ replicas: 1, template: gpu });
  const [short] = findingsOf([only], 'kubernetes/surge-needs-headroom', { capacity: { free: { 'nvidia.com/gpu': 0 } } });
  expect(short!.help).toBe(
    'Add capacity until 2 pods fit, or write maxSurge: 0 and maxUnavailable: 1 to replace pods in place, with no pod available until a new one is ready.',
  );
  const [unknown] = findingsOf([only], 'kubernetes/surge-needs-headroom');
  expect(unknown!.help).toBe(
    'Keep capacity for 1 more pod, or write maxSurge: 0 and maxUnavailable: 1 to replace pods in place, with no pod available until a new one is ready.',
  );
});
