import { factsOf } from '../facts';
import { deployment, statefulSet } from '../builders/workload';
import { findingsOf } from '../workloads/plan';

const NAMES = { rollingUpdate: 'rollingUpdate', maxSurge: 'maxSurge', maxUnavailable: 'maxUnavailable' };

function claim(accessModes: unknown, namespace?: string) {
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: 'data', ...(namespace && { namespace }) },
    spec: { accessModes },
  };
}

const VOLUMES = [
  { name: 'tmp', emptyDir: {} },
  { name: 'data', persistentVolumeClaim: { claimName: 'data' } },
];

function web(strategy: object, replicas = 2) {
  return deployment({ replicas, strategy, template: { spec: { volumes: VOLUMES } } });
}

function surging(...objects: object[]) {
  return findingsOf(objects, 'kubernetes/rwo-volume-surge');
}

const SURGE = { rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } };

describe('kubernetes/rwo-volume-surge', () => {
  test('a new pod must mount a volume that is attached to the node of the old ones', () => {
    expect(factsOf(surging(web(SURGE), claim(['ReadWriteOnce'])))).toEqual([
      {
        code: 'kubernetes/rwo-volume-surge',
        severity: 'warning',
        messageId: 'waits',
        path: 'spec.template.spec.volumes[1].persistentVolumeClaim.claimName',
        data: {
          claim: 'data',
          mode: 'ReadWriteOnce',
          replicas: 2,
          surge: 1,
          way: 'several-pods',
          names: NAMES,
          limitPath: 'spec.strategy.rollingUpdate.maxUnavailable',
        },
      },
    ]);
  });

  test('a single pod can release it if it is deleted first', () => {
    const one = { claim: 'data', replicas: 1, surge: 1, way: 'one-pod' };
    expect(surging(web(SURGE, 1), claim(['ReadWriteOnce']))).toMatchObject([
      { severity: 'warning', messageId: 'waits', data: { ...one, mode: 'ReadWriteOnce' } },
    ]);
    expect(surging(web(SURGE, 1), claim(['ReadWriteOncePod']))).toMatchObject([
      { severity: 'error', messageId: 'neverMounted', data: { ...one, mode: 'ReadWriteOncePod' } },
    ]);
    for (const mode of ['ReadWriteOnce', 'ReadWriteOncePod']) {
      expect(surging(web({ rollingUpdate: { maxSurge: 1, maxUnavailable: 1 } }, 1), claim([mode]))).toMatchObject([
        { severity: 'info', messageId: 'oldPodFirst', data: { claim: 'data', replicas: 1, way: 'one-pod', mode } },
      ]);
    }
    expect(surging(web({ type: 'Recreate' }, 1), claim(['ReadWriteOncePod']))).toEqual([]);
    expect(surging(web({ rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } }, 1), claim(['ReadWriteOncePod']))).toEqual([]);
  });

  test.each([SURGE, { type: 'Recreate' }, { rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } }])(
    'ReadWriteOncePod never works with several replicas: %j',
    (strategy) => {
      expect(surging(web(strategy), claim(['ReadWriteOncePod']))).toMatchObject([
        {
          severity: 'error',
          messageId: 'severalPods',
          data: { claim: 'data', mode: 'ReadWriteOncePod', replicas: 2, way: 'several-pods' },
        },
      ]);
    },
  );

  test('nor in a StatefulSet, whose pods can each have a claim', () => {
    const set = (replicas: number) => statefulSet({ replicas, template: { spec: { volumes: VOLUMES } } });
    expect(surging(set(2), claim(['ReadWriteOncePod']))).toMatchObject([
      { severity: 'error', messageId: 'severalPods', data: { replicas: 2, way: 'claim-templates' } },
    ]);
    expect(surging(set(1), claim(['ReadWriteOncePod']))).toEqual([]);
    expect(surging(set(2), claim(['ReadWriteOnce']))).toEqual([]);
  });

  test.each<[string, object, object]>([
    ['with no surge', web({ rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } }), claim(['ReadWriteOnce'])],
    ['with Recreate', web({ type: 'Recreate' }), claim(['ReadWriteOnce'])],
    ['for no replicas', web(SURGE, 0), claim(['ReadWriteOnce'])],
    ['for a claim that many nodes can mount', web(SURGE), claim(['ReadWriteOnce', 'ReadWriteMany'])],
    ['for a claim that is only read', web(SURGE), claim(['ReadOnlyMany'])],
    ['for a claim without modes', web(SURGE), claim(undefined)],
    ['for a claim in another namespace', web(SURGE), claim(['ReadWriteOnce'], 'shop')],
    ['for a claim that is not in the input', web(SURGE), { apiVersion: 'v1', kind: 'Service', metadata: { name: 'data' } }],
  ])('it reports nothing %s', (_what, workload, claimed) => {
    expect(surging(workload, claimed)).toEqual([]);
  });
});
