import { planChange } from '../../src/headless';
import { quota } from '../builders/quota';
import { podTemplate, workload } from '../builders/workload';
import { expectValidPlan } from '../plan-schema';

const GPU = 'nvidia.com/gpu';
const SHOP = { namespace: 'shop' };
const FOUR_GPUS = quota({ [`requests.${GPU}`]: 4 }, SHOP);
const ON_DELETE = { serviceName: 'model', updateStrategy: { type: 'OnDelete' } };
const BELOW_PARTITION = { serviceName: 'model', updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 9 } } };

function groups(replicas: number, gpus: number, limits: object = { maxUnavailable: 1, partition: 9 }, image = `app:${gpus}`) {
  const { spec } = podTemplate({ image, resources: { limits: { [GPU]: gpus } } });
  return {
    apiVersion: 'leaderworkerset.x-k8s.io/v1',
    kind: 'LeaderWorkerSet',
    metadata: { name: 'model', ...SHOP },
    spec: {
      replicas,
      rolloutStrategy: { type: 'RollingUpdate', rollingUpdateConfiguration: limits },
      leaderWorkerTemplate: { size: 2, workerTemplate: { spec } },
    },
  };
}

function model(kind: string, spec: object, gpus: number, { name = 'model', pod = {} } = {}) {
  const template = podTemplate({ image: `app:${gpus}`, resources: { limits: { [GPU]: gpus } } }, pod);
  return workload(kind, { ...spec, template }, { name, ...SHOP });
}

/** Returns what a change does to each object, and the capacity for its pods. */
function changed(old: readonly object[], next: readonly object[]): string[] {
  const { rollouts, change } = expectValidPlan(planChange(old, next));
  const capacityOf = (name: string) => rollouts.find(({ resource }) => resource.name === name)?.capacity?.message ?? 'not evaluated';
  return change.objects.flatMap(({ effect, resource: { name } }) => (effect === 'none' ? [] : `${name}: ${effect}. ${capacityOf(name)}`));
}

describe('pods that stay at the old template because the change is held', () => {
  test('are counted at their own requests, and a paused Deployment adds pods of the old template', () => {
    const old = model('Deployment', { replicas: 2, paused: true }, 2);
    expect(changed([old, FOUR_GPUS], [model('Deployment', { replicas: 4, paused: true }, 1), FOUR_GPUS])).toEqual([
      'model: held. Only 2 of 4 pods fit: together they request 8 requests.nvidia.com/gpu and ResourceQuota "compute" has 4 left.',
    ]);
  });

  test('are followed by pods of the old template if the partition of a StatefulSet keeps all of them', () => {
    const old = model('StatefulSet', { replicas: 2, ...BELOW_PARTITION }, 2);
    expect(changed([old, FOUR_GPUS], [model('StatefulSet', { replicas: 4, ...BELOW_PARTITION }, 1), FOUR_GPUS])).toEqual([
      'model: held. Only 2 of 4 pods fit: together they request 8 requests.nvidia.com/gpu and ResourceQuota "compute" has 4 left.',
    ]);
  });

  test('are followed by pods of the new template under OnDelete', () => {
    const old = model('StatefulSet', { replicas: 2, ...ON_DELETE }, 1);
    expect(changed([old, FOUR_GPUS], [model('StatefulSet', { replicas: 3, ...ON_DELETE }, 2), FOUR_GPUS])).toEqual([
      'model: held. Fits: there is capacity for 3 pods.',
    ]);
    expect(changed([old, FOUR_GPUS], [model('StatefulSet', { replicas: 4, ...ON_DELETE }, 2), FOUR_GPUS])).toEqual([
      'model: held. Only 3 of 4 pods fit: together they request 6 requests.nvidia.com/gpu and ResourceQuota "compute" has 4 left.',
    ]);
  });

  test('leave a quota what their own requests leave of it for the pods that another workload adds', () => {
    const web = (replicas: number) => model('Deployment', { replicas }, 1, { name: 'web' });
    const held = (gpus: number) => model('Deployment', { replicas: 1, paused: true }, gpus);
    expect(changed([held(3), web(1), FOUR_GPUS], [held(1), web(3), FOUR_GPUS])).toEqual([
      'model: held. not evaluated',
      'web: scale. Only 1 of 3 pods fits: together they request 3 requests.nvidia.com/gpu and ResourceQuota "compute" has 1 left.',
    ]);
    expect(changed([held(1), web(1), FOUR_GPUS], [held(3), web(3), FOUR_GPUS])).toEqual([
      'model: held. not evaluated',
      'web: scale. Fits: there is capacity for 3 pods.',
    ]);
  });

  test('are followed by pods of the new template in a ReplicaSet, whose controller replaces none', () => {
    const old = model('ReplicaSet', { replicas: 2 }, 1);
    const after = (replicas: number) => [model('ReplicaSet', { replicas }, 2), FOUR_GPUS];
    expect(planChange([old, FOUR_GPUS], after(3)).findings).toEqual([]);
    expect(planChange([old, FOUR_GPUS], after(4))).toMatchObject({
      change: { objects: [{ effect: 'held', pods: { before: 2, after: 4 } }, { effect: 'none' }], summary: { podsAdded: 1 } },
      findings: [
        {
          code: 'kubernetes/insufficient-capacity',
          message:
            'ReplicaSet shop/model: Only 3 of 4 pods fit: together they request 6 requests.nvidia.com/gpu and ResourceQuota "compute" has 4 left. The other pod is refused and retried until there is capacity.',
        },
      ],
    });
  });

  test('are followed by groups of the old template if the partition of a LeaderWorkerSet keeps all of them', () => {
    const eight = quota({ [`requests.${GPU}`]: 8 }, SHOP);
    expect(changed([groups(2, 2), eight], [groups(4, 1), eight])).toEqual([
      'model: held. Only 4 of 8 pods fit: together they request 16 requests.nvidia.com/gpu and ResourceQuota "compute" has 8 left.',
    ]);
    expect(changed([groups(2, 1), eight], [groups(4, 2), eight])).toEqual(['model: held. Fits: there is capacity for 8 pods.']);
  });

  test.each([
    ['of the new version at the partition', 2],
    ['of the old version below it', 9],
  ])('are joined by a surge group %s, which stays until the partition is lowered', (_, partition) => {
    const limits = { maxSurge: 1, maxUnavailable: 0, partition };
    const change = (gpus: number) => {
      const limit = quota({ [`requests.${GPU}`]: gpus }, SHOP);
      return changed([groups(2, 2, limits, 'app:1'), limit], [groups(2, 2, limits, 'app:2'), limit]);
    };
    expect(change(12)).toEqual(['model: roll. Fits: there is capacity for its peak of 6 pods.']);
    expect(change(8)).toEqual([
      'model: roll. Takes 1 wave, with fewer groups at once: it peaks at 12 requests.nvidia.com/gpu and ResourceQuota "compute" has 8 left.',
    ]);
  });
});

describe('pods on nodes that stay at the old template because the change is held', () => {
  const node = {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name: 'a', labels: { 'kubernetes.io/hostname': 'a' } },
    status: { allocatable: { [GPU]: '4', pods: '110' } },
  };

  test('use what they request themselves', () => {
    const old = model('Deployment', { replicas: 2, paused: true }, 2);
    expect(changed([old, node], [model('Deployment', { replicas: 4, paused: true }, 1), node])).toEqual([
      `model: held. Only 2 of 4 pods fit: a pod needs 2 ${GPU}, and no node has more than 0 left. All of them fit with 1 more node in pool "a".`,
    ]);
  });

  test('are next to added pods of the new template under OnDelete', () => {
    const old = model('StatefulSet', { replicas: 2, ...ON_DELETE }, 1);
    expect(changed([old, node], [model('StatefulSet', { replicas: 4, ...ON_DELETE }, 2), node])).toEqual([
      `model: held. Only 3 of 4 pods fit: a pod needs 2 ${GPU}, and no node has more than 0 left. All of them fit with 1 more node in pool "a".`,
    ]);
  });

  test('are those of a DaemonSet with OnDelete', () => {
    const web = (replicas: number) => model('Deployment', { replicas }, 1, { name: 'web' });
    const agent = (gpus: number) => model('DaemonSet', { updateStrategy: { type: 'OnDelete' } }, gpus, { name: 'agent' });
    expect(changed([agent(3), web(1), node], [agent(1), web(2), node])).toEqual([
      'agent: held. not evaluated',
      `web: scale. Only 1 of 2 pods fits: a pod needs 1 ${GPU}, and no node has more than 0 left. All of them fit with 1 more node in pool "a".`,
    ]);
  });
});
