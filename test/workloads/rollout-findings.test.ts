import type { IntOrPercent } from '../../src/core/int-or-percent';
import { deployment, findingsOf, statefulSet, template } from './plan';

const gpu = template({ resources: { limits: { 'nvidia.com/gpu': 1 } } });

function limits(maxSurge: IntOrPercent, maxUnavailable: IntOrPercent) {
  return { rollingUpdate: { maxSurge, maxUnavailable } };
}

function headroom(spec: object) {
  return findingsOf([deployment({ template: template(), ...spec })], 'kubernetes/surge-needs-headroom');
}

function fencepost(spec: object) {
  return findingsOf([deployment(spec)], 'kubernetes/fencepost');
}

function outage(object: object, kubernetes = '1.34') {
  return findingsOf([object], 'kubernetes/outage', { versions: { kubernetes } });
}

describe('kubernetes/surge-needs-headroom', () => {
  test('the default with 1 to 3 replicas needs room for another pod', () => {
    expect(headroom({ replicas: 3 })).toEqual([
      {
        code: 'kubernetes/surge-needs-headroom',
        severity: 'info',
        path: 'spec.strategy.rollingUpdate.maxUnavailable',
        message:
          'maxUnavailable "25%" lets none of 3 replicas be missing: no old pod goes before a new one is ready, so the cluster needs ' +
          'room for 1 more pod. Without room the rollout stands still.',
        help: 'Keep room for 1 more pod, or write maxSurge: 0 and maxUnavailable: 1 to replace pods in place.',
      },
    ]);
    expect(headroom({ replicas: 4 })).toEqual([]);
  });

  test('it is a warning where the pods ask for a GPU, and names it', () => {
    const [finding] = headroom({ replicas: 8, strategy: limits('50%', 0), template: gpu });
    expect(finding).toMatchObject({
      severity: 'warning',
      message:
        'maxUnavailable 0 lets none of 8 replicas be missing: no old pod goes before a new one is ready, so the cluster needs room for ' +
        'up to 4 more pods, with nvidia.com/gpu. Without room the rollout stands still.',
    });
  });

  test.each([
    ['requests count', template({ resources: { requests: { 'amd.com/gpu': '1' } } }), 'warning'],
    ['so do init containers', { spec: { initContainers: [{ resources: { limits: { 'example.com/fpga': 2 } } }] } }, 'warning'],
    ['a quantity of 0 asks for nothing', template({ resources: { limits: { 'nvidia.com/gpu': 0 } } }), 'info'],
    ["Kubernetes' own resources do not count", template({ resources: { limits: { cpu: 1, 'hugepages-2Mi': '4Mi' } } }), 'info'],
    ["nor do names of Kubernetes' own domain", template({ resources: { limits: { 'batch.kubernetes.io/slot': 1 } } }), 'info'],
  ])('%s', (_, pods, severity) => {
    expect(headroom({ replicas: 2, template: pods })).toMatchObject([{ severity }]);
  });

  test('it is silent once a pod may go first, for Recreate, and for 0 replicas', () => {
    expect(headroom({ replicas: 2, strategy: limits(0, 1), template: gpu })).toEqual([]);
    expect(headroom({ replicas: 2, strategy: { type: 'Recreate' }, template: gpu })).toEqual([]);
    expect(headroom({ replicas: 0, template: gpu })).toEqual([]);
  });
});

describe('kubernetes/fencepost', () => {
  test('a percentage of few replicas that comes to 0, beside a surge of 0', () => {
    expect(fencepost({ replicas: 3, strategy: limits(0, '25%') })).toEqual([
      {
        code: 'kubernetes/fencepost',
        severity: 'info',
        path: 'spec.strategy.rollingUpdate.maxUnavailable',
        message:
          'maxSurge 0 and maxUnavailable "25%" both come to 0 pods for 3 replicas, so the controller takes maxUnavailable as 1: ' +
          'one pod is missing at a time.',
        help: 'Write maxUnavailable: 1 if that is meant, or maxSurge: 1 and maxUnavailable: 0 to keep every replica available.',
      },
    ]);
  });

  test('it is silent where one of the two is a pod, and for 0 replicas', () => {
    expect(fencepost({ replicas: 4, strategy: limits(0, '25%') })).toEqual([]);
    expect(fencepost({ replicas: 3 })).toEqual([]);
    expect(fencepost({ replicas: 0, strategy: limits(0, '25%') })).toEqual([]);
  });
});

describe('kubernetes/outage', () => {
  test('maxUnavailable covers all replicas', () => {
    expect(outage(deployment({ replicas: 3, strategy: limits(1, '100%') }))).toEqual([
      {
        code: 'kubernetes/outage',
        severity: 'warning',
        path: 'spec.strategy.rollingUpdate.maxUnavailable',
        message:
          'maxUnavailable "100%" comes to 3 pods for 3 replicas: all old pods go before a new one is ready, and nothing is available ' +
          'meanwhile.',
        help: 'Write maxUnavailable: 2 or less.',
      },
    ]);
  });

  test('a single replica without surge', () => {
    const [finding] = outage(deployment({ replicas: 1, strategy: limits(0, 1) }));
    expect(finding).toMatchObject({ severity: 'warning', help: 'Write maxSurge: 1 and maxUnavailable: 0.' });
  });

  test('Recreate says so by its name: an info', () => {
    expect(outage(deployment({ replicas: 3, strategy: { type: 'Recreate' } }))).toEqual([
      {
        code: 'kubernetes/outage',
        severity: 'info',
        path: 'spec.strategy.type',
        message: 'type Recreate takes down all 3 pods before a new one starts: nothing is available meanwhile.',
        help: 'Write type: RollingUpdate unless two versions must never run at once.',
      },
    ]);
  });

  test('a StatefulSet of one pod, and one whose pods are all down at once', () => {
    expect(outage(statefulSet({ replicas: 1 }))).toMatchObject([{ severity: 'warning', path: 'spec.replicas' }]);
    const all = statefulSet({ replicas: 3, updateStrategy: { rollingUpdate: { maxUnavailable: 3 } } });
    expect(outage(all, '1.37')).toMatchObject([
      { severity: 'warning', path: 'spec.updateStrategy.rollingUpdate.maxUnavailable', help: 'Write maxUnavailable: 2 or less.' },
    ]);
    expect(outage(all, '1.34')).toEqual([]);
  });

  test('it is silent while one pod stays, for 0 replicas, and where nothing is updated', () => {
    expect(outage(deployment({ replicas: 1 }))).toEqual([]);
    expect(outage(deployment({ replicas: 3, strategy: limits(0, 2) }))).toEqual([]);
    expect(outage(deployment({ replicas: 0, strategy: { type: 'Recreate' } }))).toEqual([]);
    expect(outage(statefulSet({ replicas: 1, updateStrategy: { type: 'OnDelete' } }))).toEqual([]);
    expect(outage(statefulSet({ replicas: 1, updateStrategy: { rollingUpdate: { partition: 1 } } }))).toEqual([]);
  });
});
