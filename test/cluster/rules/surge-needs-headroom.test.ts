import type { IntOrPercent } from '../../../src/core/int-or-percent';
import { factsOf } from '../../facts';
import { deployment, findingsOf, template } from '../../workloads/plan';

const NAMES = { rollingUpdate: 'rollingUpdate', maxSurge: 'maxSurge', maxUnavailable: 'maxUnavailable' };

const gpu = template({ resources: { limits: { 'nvidia.com/gpu': 1 } } });

function limits(maxSurge: IntOrPercent, maxUnavailable: IntOrPercent) {
  return { rollingUpdate: { maxSurge, maxUnavailable } };
}

function headroom(spec: object) {
  return findingsOf([deployment({ template: template(), ...spec })], 'kubernetes/surge-needs-headroom');
}

test('the default with 1 to 3 replicas needs room for another pod', () => {
  expect(factsOf(headroom({ replicas: 3 }))).toEqual([
    {
      code: 'kubernetes/surge-needs-headroom',
      severity: 'info',
      messageId: 'surge',
      path: 'spec.strategy.rollingUpdate.maxUnavailable',
      data: { maxUnavailable: '25%', replicas: 3, extraPods: 1, scarce: [], names: NAMES },
    },
  ]);
  expect(headroom({ replicas: 4 })).toEqual([]);
});

test('it is a warning where the pods ask for a GPU, and names it', () => {
  expect(headroom({ replicas: 8, strategy: limits('50%', 0), template: gpu })).toMatchObject([
    {
      severity: 'warning',
      messageId: 'surge',
      data: { maxUnavailable: 0, replicas: 8, extraPods: 4, scarce: ['nvidia.com/gpu'] },
    },
  ]);
});

test('of a surge above the replicas no more pods than replicas are created', () => {
  expect(headroom({ replicas: 2, strategy: limits('500%', 0) })).toMatchObject([{ data: { replicas: 2, extraPods: 2 } }]);
});

test.each([
  ['requests count', template({ resources: { requests: { 'amd.com/gpu': '1' } } }), 'warning', ['amd.com/gpu']],
  [
    'so do init containers',
    { spec: { initContainers: [{ resources: { limits: { 'example.com/fpga': 2 } } }] } },
    'warning',
    ['example.com/fpga'],
  ],
  ['a quantity of 0 asks for nothing', template({ resources: { limits: { 'nvidia.com/gpu': 0 } } }), 'info', []],
  ["Kubernetes' own resources do not count", template({ resources: { limits: { cpu: 1, 'hugepages-2Mi': '4Mi' } } }), 'info', []],
  ["nor do names of Kubernetes' own domain", template({ resources: { limits: { 'batch.kubernetes.io/slot': 1 } } }), 'info', []],
])('%s', (_, pods, severity, scarce) => {
  expect(headroom({ replicas: 2, template: pods })).toMatchObject([{ severity, data: { scarce } }]);
});

test('it is silent once a pod may go first, for Recreate, and for 0 replicas', () => {
  expect(headroom({ replicas: 2, strategy: limits(0, 1), template: gpu })).toEqual([]);
  expect(headroom({ replicas: 2, strategy: { type: 'Recreate' }, template: gpu })).toEqual([]);
  expect(headroom({ replicas: 0, template: gpu })).toEqual([]);
});
