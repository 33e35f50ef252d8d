import { planChange } from '../../../src/headless';
import type { IntOrPercent } from '../../../src/core/values/int-or-percent';
import { factsOf } from '../../facts';
import { deployment, findingsOf, statefulSet } from '../plan';

const NAMES = { rollingUpdate: 'rollingUpdate', maxSurge: 'maxSurge', maxUnavailable: 'maxUnavailable' };

function limits(maxSurge: IntOrPercent, maxUnavailable: IntOrPercent) {
  return { rollingUpdate: { maxSurge, maxUnavailable } };
}

function outage(object: object, kubernetes = '1.34') {
  return findingsOf([object], 'kubernetes/outage', { versions: { kubernetes } });
}

test('reports a maxUnavailable that covers all replicas', () => {
  expect(factsOf(outage(deployment({ replicas: 3, strategy: limits(1, '100%') })))).toEqual([
    {
      code: 'kubernetes/outage',
      severity: 'warning',
      messageId: 'unavailable',
      path: 'spec.strategy.rollingUpdate.maxUnavailable',
      data: { maxUnavailable: '100%', unavailable: 3, replicas: 3, names: NAMES },
    },
  ]);
});

test('reports a single replica without surge', () => {
  expect(outage(deployment({ replicas: 1, strategy: limits(0, 1) }))).toMatchObject([
    { severity: 'warning', messageId: 'unavailable', data: { maxUnavailable: 1, unavailable: 1, replicas: 1 } },
  ]);
});

describe('an only pod that surge cannot replace is an info, since no setting avoids the outage', () => {
  const inPlace = (more: object) => deployment({ replicas: 1, strategy: limits(0, 1), ...more });
  const pods = (spec: object) => ({ metadata: { labels: { app: 'web' } }, spec });
  const gpu = pods({ containers: [{ name: 'app', resources: { limits: { 'nvidia.com/gpu': 1 } } }] });
  const claim = {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: 'data' },
    spec: { accessModes: ['ReadWriteOnce'] },
  };
  const mounting = pods({ containers: [{ name: 'app' }], volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }] });
  const quota = { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'pods' }, spec: { hard: { pods: '1' } } };
  const capacity = { nodePools: [{ name: 'a', count: 2, allocatable: { 'nvidia.com/gpu': 1 } }] };

  test.each([
    ['an extended resource', 'extended-resource', [inPlace({ template: gpu })]],
    ['a port of the node', 'one-node-each', [inPlace({ template: pods({ containers: [{ ports: [{ hostPort: 80 }] }] }) })]],
    ['a volume of one node', 'volume', [inPlace({ template: mounting }), claim]],
    ['a volume of one node, while it is paused too', 'volume', [inPlace({ template: mounting, paused: true }), claim]],
    ['a quota without capacity for a second pod', 'insufficient-capacity', [inPlace({}), quota]],
  ])('for %s', (_, obstacle, objects) => {
    expect(findingsOf(objects, 'kubernetes/outage')).toMatchObject([{ severity: 'info', messageId: 'unavailable', data: { obstacle } }]);
  });

  test('unless the nodes in the input have capacity for a second pod', () => {
    expect(findingsOf([inPlace({ template: gpu })], 'kubernetes/outage', { capacity })).toMatchObject([{ severity: 'warning' }]);
  });

  test('unless the capacity has enough of the scarce resource for a second pod; it does not list ports of nodes', () => {
    const outageIn = (total: object, template: object) =>
      findingsOf([inPlace({ template })], 'kubernetes/outage', { capacity: { total } }).map(({ severity, data }) => [
        severity,
        data.obstacle,
      ]);
    const onPort = pods({ containers: [{ ports: [{ hostPort: 80 }], resources: { requests: { cpu: 1 } } }] });
    expect(outageIn({ 'nvidia.com/gpu': 2 }, gpu)).toEqual([['warning', undefined]]);
    expect(outageIn({ cpu: 2 }, gpu)).toEqual([['info', 'extended-resource']]);
    expect(outageIn({ cpu: 2 }, onPort)).toEqual([['info', 'one-node-each']]);
  });
});

describe('an outage once an autoscaler has scaled to its minimum', () => {
  const web = (strategy: object) => deployment({ replicas: 4, strategy });
  const autoscaler = (minReplicas: number) => ({
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    metadata: { name: 'web' },
    spec: { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }, minReplicas, maxReplicas: 8 },
  });
  const outageOf = (minimum: number, strategy: object) => factsOf(findingsOf([web(strategy), autoscaler(minimum)], 'kubernetes/outage'));

  test('is reported although more replicas are written', () => {
    expect(outageOf(2, limits(0, 2))).toEqual([
      {
        code: 'kubernetes/outage',
        severity: 'warning',
        messageId: 'atMinimum',
        path: 'spec.strategy.rollingUpdate.maxUnavailable',
        data: { maxUnavailable: 2, names: NAMES, autoscaler: 'HorizontalPodAutoscaler "web"', minimum: 2 },
      },
    ]);
  });

  test('is not reported if a pod stays at the minimum, if the written number has an outage too, or if the minimum is not lower', () => {
    expect(outageOf(3, limits(0, 2))).toEqual([]);
    expect(outageOf(1, limits(1, 0))).toEqual([]);
    expect(outageOf(2, limits(0, '100%'))).toMatchObject([{ messageId: 'unavailable' }]);
    expect(outageOf(4, limits(0, 2))).toEqual([]);
  });

  test('does not remain if the advice on an outage of the written number is followed', () => {
    const helpAt = (minimum: number) =>
      findingsOf([web(limits(0, '100%')), autoscaler(minimum)], 'kubernetes/outage').map(({ help }) => help);
    expect(helpAt(1)).toEqual(['Write maxSurge: 1 and maxUnavailable: 0.']);
    expect(helpAt(2)).toEqual(['Write maxUnavailable: 1.']);
    expect(helpAt(3)).toEqual(['Write maxUnavailable: 2 or less, but at least 1.']);
    expect(outageOf(1, limits(1, 0))).toEqual([]);
    expect(outageOf(3, limits(0, 2))).toEqual([]);
  });

  test('is no error if a change brings it, as its own rollout keeps pods', () => {
    const [old, next] = [limits(0, 1), limits(0, 2)].map((strategy) => [web(strategy), autoscaler(2)]);
    expect(factsOf(planChange(old!, next!).rollouts[0]!.findings.filter(({ code }) => code === 'kubernetes/outage'))).toMatchObject([
      { severity: 'warning', messageId: 'atMinimum' },
    ]);
  });
});

test('Recreate is an info, since the type implies the outage', () => {
  expect(factsOf(outage(deployment({ replicas: 3, strategy: { type: 'Recreate' } })))).toEqual([
    { code: 'kubernetes/outage', severity: 'info', messageId: 'recreate', path: 'spec.strategy.type', data: { replicas: 3 } },
  ]);
});

test('reports a StatefulSet with one pod, and one whose pods are all down at once', () => {
  expect(factsOf(outage(statefulSet({ replicas: 1 })))).toEqual([
    { code: 'kubernetes/outage', severity: 'info', messageId: 'onlyPod', path: 'spec.replicas', data: { hasCapacity: true } },
  ]);
  const all = statefulSet({ replicas: 3, updateStrategy: { rollingUpdate: { maxUnavailable: 3 } } });
  expect(factsOf(outage(all, '1.37'))).toEqual([
    {
      code: 'kubernetes/outage',
      severity: 'warning',
      messageId: 'allAtOnce',
      path: 'spec.updateStrategy.rollingUpdate.maxUnavailable',
      data: { replicas: 3 },
    },
  ]);
  expect(outage(all, '1.34')).toEqual([]);
});

test('reports nothing if one pod stays available, for 0 replicas, and if nothing is updated', () => {
  expect(outage(deployment({ replicas: 1 }))).toEqual([]);
  expect(outage(deployment({ replicas: 3, strategy: limits(0, 2) }))).toEqual([]);
  expect(outage(deployment({ replicas: 0, strategy: { type: 'Recreate' } }))).toEqual([]);
  expect(outage(statefulSet({ replicas: 1, updateStrategy: { type: 'OnDelete' } }))).toEqual([]);
  expect(outage(statefulSet({ replicas: 1, updateStrategy: { rollingUpdate: { partition: 1 } } }))).toEqual([]);
});
