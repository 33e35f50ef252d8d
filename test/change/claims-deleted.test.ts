import { planChange } from '../../src/headless';
import type { ChangeOptions } from '../../src/headless';
import { expectValidPlan } from '../plan-schema';
import { sound } from '../sound-workload';

interface Set {
  readonly replicas?: number;
  readonly policy?: object;
  readonly claims?: readonly string[];
  readonly spec?: object;
  readonly annotations?: object;
}

function statefulSet({ replicas = 5, policy, claims = ['data', 'log'], spec = {}, annotations = {} }: Set = {}) {
  return sound({
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: { name: 'db', namespace: 'shop', annotations },
    spec: {
      replicas,
      serviceName: 'db',
      ...(policy && { persistentVolumeClaimRetentionPolicy: policy }),
      volumeClaimTemplates: claims.map((name) => ({
        metadata: { name },
        spec: { accessModes: ['ReadWriteOncePod'], resources: { requests: { storage: '1Gi' } } },
      })),
      template: { spec: { containers: [{ name: 'db', image: 'db:1' }] } },
      ...spec,
    },
  });
}

/** Returns the findings about deleted claims, of the rollouts and of the plan. */
function findingsFor(old: readonly object[], next: readonly object[], options?: ChangeOptions) {
  const { rollouts, findings } = expectValidPlan(planChange(old, next, options));
  return [...rollouts.flatMap((rollout) => rollout.findings), ...findings]
    .filter(({ code }) => code === 'change/claims-deleted')
    .map(({ messageId, severity, path, data }) => ({ messageId, severity, path, data }));
}

const SCALED = { whenScaled: 'Delete' };
const POLICY = 'spec.persistentVolumeClaimRetentionPolicy';

describe('claims of pods that a StatefulSet removes when it scales down', () => {
  test('are deleted with the pods if whenScaled is Delete', () => {
    expect(findingsFor([statefulSet({ policy: SCALED })], [statefulSet({ policy: SCALED, replicas: 3 })])).toEqual([
      {
        messageId: 'scaled',
        severity: 'warning',
        path: `${POLICY}.whenScaled`,
        data: { statefulSet: 'db', before: 5, after: 3, claims: 4, first: 'data-db-3' },
      },
    ]);
  });

  test('depend on the policy of NEW, which the controller reads', () => {
    expect(findingsFor([statefulSet()], [statefulSet({ policy: SCALED, replicas: 3 })])).toMatchObject([{ messageId: 'scaled' }]);
    expect(findingsFor([statefulSet({ policy: SCALED })], [statefulSet({ policy: { whenScaled: 'Retain' }, replicas: 3 })])).toEqual([]);
  });

  test('are counted from the first ordinal', () => {
    const spec = { ordinals: { start: 10 } };
    expect(findingsFor([statefulSet({ policy: SCALED, spec })], [statefulSet({ policy: SCALED, spec, replicas: 4 })])).toMatchObject([
      { data: { claims: 2, first: 'data-db-14' } },
    ]);
  });

  test.each<[string, Set]>([
    ['with more pods', { policy: SCALED, replicas: 7 }],
    ['with as many pods', { policy: SCALED, spec: { minReadySeconds: 5 } }],
    ['with the default policy', { replicas: 3 }],
    ['with the other policy', { policy: { whenDeleted: 'Delete' }, replicas: 3 }],
  ])('stay: %s', (_what, next) => {
    expect(findingsFor([statefulSet({ ...next, replicas: 5, spec: {} })], [statefulSet(next)])).toEqual([]);
  });

  test('stay before Kubernetes 1.27, where the server drops the policy', () => {
    const [old, next] = [statefulSet({ policy: SCALED }), statefulSet({ policy: SCALED, replicas: 3 })];
    expect(findingsFor([old], [next], { versions: { kubernetes: '1.26' } })).toEqual([]);
    expect(findingsFor([old], [next], { versions: { kubernetes: '1.27' } })).toHaveLength(1);
  });

  test('are not reported if there are none', () => {
    expect(findingsFor([statefulSet({ policy: SCALED, claims: [] })], [statefulSet({ policy: SCALED, claims: [], replicas: 3 })])).toEqual(
      [],
    );
  });
});

describe('claims of a StatefulSet that is deleted', () => {
  const DELETED = { whenDeleted: 'Delete' };

  test('are deleted with it if it is pruned and whenDeleted is Delete', () => {
    expect(findingsFor([statefulSet({ policy: DELETED })], [], { prune: true })).toEqual([
      {
        messageId: 'deleted',
        severity: 'warning',
        path: '',
        data: { statefulSet: 'db', namespace: 'shop', claims: 10, first: 'data-db-0' },
      },
    ]);
  });

  test.each<[string, Set, ChangeOptions]>([
    ['without --prune', { policy: DELETED }, {}],
    ['with the default policy', {}, { prune: true }],
    ['if they are deleted only with single pods', { policy: SCALED }, { prune: true }],
  ])('stay: %s', (_what, old, options) => {
    expect(findingsFor([statefulSet(old)], [], options)).toEqual([]);
  });

  test('are also deleted if it is recreated, depending on its old policy', () => {
    const annotations = { 'argocd.argoproj.io/sync-options': 'Replace=true,Force=true' };
    const old = statefulSet({ policy: DELETED, annotations });
    expect(findingsFor([old], [statefulSet({ annotations, spec: { minReadySeconds: 5 } })])).toEqual([
      {
        messageId: 'replaced',
        severity: 'warning',
        path: `${POLICY}.whenDeleted`,
        data: { statefulSet: 'db', namespace: 'shop', claims: 10, first: 'data-db-0' },
      },
    ]);
  });
});
