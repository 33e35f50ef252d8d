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

/** What is said of deleted claims, wherever it stands. */
function told(old: readonly object[], next: readonly object[], options?: ChangeOptions) {
  const { rollouts, findings } = expectValidPlan(planChange(old, next, options));
  return [...rollouts.flatMap((rollout) => rollout.findings), ...findings]
    .filter(({ code }) => code === 'change/claims-deleted')
    .map(({ messageId, severity, path, data }) => ({ messageId, severity, path, data }));
}

const SCALED = { whenScaled: 'Delete' };
const POLICY = 'spec.persistentVolumeClaimRetentionPolicy';

describe('claims of pods that a StatefulSet scales away', () => {
  test('are deleted with them where whenScaled is Delete', () => {
    expect(told([statefulSet({ policy: SCALED })], [statefulSet({ policy: SCALED, replicas: 3 })])).toEqual([
      {
        messageId: 'scaled',
        severity: 'warning',
        path: `${POLICY}.whenScaled`,
        data: { statefulSet: 'db', before: 5, after: 3, claims: 4, first: 'data-db-3' },
      },
    ]);
  });

  test('by the policy of NEW, which the controller reads', () => {
    expect(told([statefulSet()], [statefulSet({ policy: SCALED, replicas: 3 })])).toMatchObject([{ messageId: 'scaled' }]);
    expect(told([statefulSet({ policy: SCALED })], [statefulSet({ policy: { whenScaled: 'Retain' }, replicas: 3 })])).toEqual([]);
  });

  test('counted from the first ordinal', () => {
    const spec = { ordinals: { start: 10 } };
    expect(told([statefulSet({ policy: SCALED, spec })], [statefulSet({ policy: SCALED, spec, replicas: 4 })])).toMatchObject([
      { data: { claims: 2, first: 'data-db-14' } },
    ]);
  });

  test.each<[string, Set]>([
    ['more pods', { policy: SCALED, replicas: 7 }],
    ['as many', { policy: SCALED, spec: { minReadySeconds: 5 } }],
    ['by default', { replicas: 3 }],
    ['for the other case', { policy: { whenDeleted: 'Delete' }, replicas: 3 }],
  ])('stay: %s', (_what, next) => {
    expect(told([statefulSet({ ...next, replicas: 5, spec: {} })], [statefulSet(next)])).toEqual([]);
  });

  test('stay before Kubernetes 1.27, where the server drops the policy', () => {
    const [old, next] = [statefulSet({ policy: SCALED }), statefulSet({ policy: SCALED, replicas: 3 })];
    expect(told([old], [next], { versions: { kubernetes: '1.26' } })).toEqual([]);
    expect(told([old], [next], { versions: { kubernetes: '1.27' } })).toHaveLength(1);
  });

  test('are none where there are no claims', () => {
    expect(told([statefulSet({ policy: SCALED, claims: [] })], [statefulSet({ policy: SCALED, claims: [], replicas: 3 })])).toEqual([]);
  });
});

describe('claims of a StatefulSet that goes', () => {
  const DELETED = { whenDeleted: 'Delete' };

  test('are deleted with it where it is pruned and whenDeleted is Delete', () => {
    expect(told([statefulSet({ policy: DELETED })], [], { prune: true })).toEqual([
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
    ['by default', {}, { prune: true }],
    ['where they go with single pods alone', { policy: SCALED }, { prune: true }],
  ])('stay: %s', (_what, old, options) => {
    expect(told([statefulSet(old)], [], options)).toEqual([]);
  });

  test('are deleted as well where it is made anew, by the policy that it has before', () => {
    const annotations = { 'argocd.argoproj.io/sync-options': 'Replace=true,Force=true' };
    const old = statefulSet({ policy: DELETED, annotations });
    expect(told([old], [statefulSet({ annotations, spec: { minReadySeconds: 5 } })])).toEqual([
      {
        messageId: 'replaced',
        severity: 'warning',
        path: `${POLICY}.whenDeleted`,
        data: { statefulSet: 'db', namespace: 'shop', claims: 10, first: 'data-db-0' },
      },
    ]);
  });
});
