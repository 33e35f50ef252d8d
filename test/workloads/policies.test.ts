import { factsOf } from '../facts';
import type { Manifest } from '../../src/core/manifest/manifest';
import { buildDaemonPolicy, validateWorkloadPolicy, buildStatefulPolicy, buildStatelessPolicy } from '../../src/workloads/policies';
import type { DaemonSetPolicyProps, StatefulPolicyProps, StatelessPolicyProps } from '../../src/workloads/policies';

const web: Manifest = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' } };
const db: Manifest = { apiVersion: 'apps/v1', kind: 'StatefulSet', metadata: { name: 'db' } };
const agent: Manifest = { apiVersion: 'apps/v1', kind: 'DaemonSet', metadata: { name: 'agent' } };

describe('a stateless policy', () => {
  test("sets the gopaddle guide's attributes: rolling update, revision history, maxSurge, maxUnavailable, desired replicas", () => {
    const props = { update: 'RollingUpdate', maxSurge: 1, maxUnavailable: 0, revisionHistory: 5, replicas: 4 } as const;
    expect(buildStatelessPolicy(props)).toEqual({
      kind: 'Deployment',
      spec: {
        replicas: 4,
        revisionHistoryLimit: 5,
        strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
      },
    });
  });

  test('sets only the given fields and leaves the rest to the workload and to Kubernetes', () => {
    expect(buildStatelessPolicy({ update: 'RollingUpdate' })).toEqual({
      kind: 'Deployment',
      spec: { strategy: { type: 'RollingUpdate' } },
    });
    expect(buildStatelessPolicy({ update: 'RollingUpdate', maxUnavailable: '50%' }).spec.strategy).toEqual({
      type: 'RollingUpdate',
      rollingUpdate: { maxUnavailable: '50%' },
    });
  });

  test('can set a revision history of 0', () => {
    expect(buildStatelessPolicy({ update: 'Recreate', revisionHistory: 0 })).toEqual({
      kind: 'Deployment',
      spec: { revisionHistoryLimit: 0, strategy: { type: 'Recreate' } },
    });
  });
});

describe('a stateful policy', () => {
  test("sets the gopaddle guide's attributes: rolling update, revision history, desired replicas, partition", () => {
    expect(buildStatefulPolicy({ update: 'RollingUpdate', revisionHistory: 3, replicas: 5, partition: 2 })).toEqual({
      kind: 'StatefulSet',
      spec: { replicas: 5, revisionHistoryLimit: 3, updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 2 } } },
    });
  });

  test('sets OnDelete', () => {
    expect(buildStatefulPolicy({ update: 'OnDelete' })).toEqual({
      kind: 'StatefulSet',
      spec: { updateStrategy: { type: 'OnDelete' } },
    });
  });
});

describe('a policy for DaemonSets', () => {
  test.each([
    [{ maxUnavailable: '10%' }, { updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '10%' } } }],
    [{ maxSurge: 1 }, { updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } } }],
    [
      { update: 'OnDelete', revisionHistory: 0 },
      { updateStrategy: { type: 'OnDelete' }, revisionHistoryLimit: 0 },
    ],
  ] as const)('%j', (props, spec) => {
    expect(buildDaemonPolicy(props)).toEqual({ kind: 'DaemonSet', spec });
    expect(validateWorkloadPolicy(buildDaemonPolicy(props), agent)).toEqual([]);
  });
});

describe('a policy that does not apply', () => {
  test('is an error for a stateless policy on a StatefulSet', () => {
    expect(factsOf(validateWorkloadPolicy(buildStatelessPolicy({ update: 'RollingUpdate', maxSurge: 1 }), db))).toEqual([
      {
        code: 'kubernetes/invalid-strategy',
        severity: 'error',
        messageId: 'wrongKind',
        path: 'kind',
        data: {
          policy: 'stateless',
          expected: 'Deployment',
          kind: 'StatefulSet',
          name: 'db',
          apiVersion: 'apps/v1',
          suggestedPolicy: 'DeploymentPolicy.stateful',
        },
      },
    ]);
  });

  test('is an error for a stateful policy on a Deployment', () => {
    expect(validateWorkloadPolicy(buildStatefulPolicy({ update: 'OnDelete' }), web)).toMatchObject([
      {
        severity: 'error',
        messageId: 'wrongKind',
        data: {
          policy: 'stateful',
          expected: 'StatefulSet',
          kind: 'Deployment',
          name: 'web',
          apiVersion: 'apps/v1',
          suggestedPolicy: 'DeploymentPolicy.stateless',
        },
      },
    ]);
  });

  test('is an error for a stateless policy on a DaemonSet, which has its own policy', () => {
    expect(validateWorkloadPolicy(buildStatelessPolicy({ update: 'Recreate' }), agent)).toMatchObject([
      {
        severity: 'error',
        messageId: 'wrongKind',
        data: { expected: 'Deployment', kind: 'DaemonSet', suggestedPolicy: 'DaemonSetPolicy.of' },
      },
    ]);
  });

  test.each([
    [web, 'DeploymentPolicy.stateless'],
    [db, 'DeploymentPolicy.stateful'],
  ])('is an error for a DaemonSet policy on %j', (object, suggestedPolicy) => {
    expect(validateWorkloadPolicy(buildDaemonPolicy({ maxUnavailable: 1 }), object)).toMatchObject([
      {
        severity: 'error',
        messageId: 'wrongKind',
        data: { policy: 'DaemonSet', expected: 'DaemonSet', kind: object.kind, suggestedPolicy },
      },
    ]);
  });

  test.each([
    ['apps/v1', 'ReplicaSet'],
    ['extensions/v1beta1', 'Deployment'],
    ['example.com/v1', 'Deployment'],
  ])('is an error for any policy on a %s %s', (apiVersion, kind) => {
    const findings = validateWorkloadPolicy(buildStatelessPolicy({ update: 'Recreate' }), { apiVersion, kind, metadata: { name: 'web' } });
    expect(findings).toMatchObject([{ severity: 'error', messageId: 'wrongKind', data: { expected: 'Deployment', kind, apiVersion } }]);
    expect(findings[0]!.data).not.toHaveProperty('suggestedPolicy');
  });

  test('is a warning for a workload that another controller owns', () => {
    const owned = { ...web, metadata: { name: 'web', ownerReferences: [{ kind: 'InferenceService', name: 'iris', controller: true }] } };
    expect(validateWorkloadPolicy(buildStatelessPolicy({ update: 'Recreate' }), owned)).toMatchObject([
      { code: 'kubernetes/foreign-owner', severity: 'warning', path: 'spec.strategy' },
    ]);
  });

  test('has no findings if it is valid and the kind matches', () => {
    expect(validateWorkloadPolicy(buildStatelessPolicy({ update: 'RollingUpdate', maxSurge: '25%', replicas: 4 }), web)).toEqual([]);
    expect(validateWorkloadPolicy(buildStatefulPolicy({ update: 'RollingUpdate', partition: 2 }), db)).toEqual([]);
  });
});

describe('values that the API server would refuse are errors, even from JavaScript or JSON', () => {
  test.each([
    [{ update: 'RollingUpdate', maxSurge: 0, maxUnavailable: 0 }, 'spec.strategy.rollingUpdate.maxUnavailable'],
    [{ update: 'RollingUpdate', maxSurge: '1' }, 'spec.strategy.rollingUpdate.maxSurge'],
    [{ update: 'Recreate', maxSurge: 1 }, 'spec.strategy.rollingUpdate'],
    [{ update: 'Rolling' }, 'spec.strategy'],
    [{ update: 'RollingUpdate', replicas: -1 }, 'spec.replicas'],
    [{ update: 'RollingUpdate', revisionHistory: 1.5 }, 'spec.revisionHistoryLimit'],
  ])('stateless %j: %s', (props, path) => {
    expect(validateWorkloadPolicy(buildStatelessPolicy(props as unknown as StatelessPolicyProps), web)).toMatchObject([
      { severity: 'error', path },
    ]);
  });

  test.each([
    [{ update: 'RollingUpdate', partition: -1 }, 'spec.updateStrategy.rollingUpdate.partition'],
    [{ update: 'OnDelete', partition: 1 }, 'spec.updateStrategy.rollingUpdate'],
    [{ update: 'Recreate' }, 'spec.updateStrategy'],
  ])('stateful %j: %s', (props, path) => {
    expect(validateWorkloadPolicy(buildStatefulPolicy(props as unknown as StatefulPolicyProps), db)).toMatchObject([
      { severity: 'error', path },
    ]);
  });

  test.each([
    [{ maxSurge: 1, maxUnavailable: 1 }, 'daemonsBothSet', 'spec.updateStrategy.rollingUpdate.maxSurge'],
    [{ maxSurge: 0 }, 'daemonsBothZero', 'spec.updateStrategy.rollingUpdate.maxUnavailable'],
    [{ maxUnavailable: 0 }, 'daemonsBothZero', 'spec.updateStrategy.rollingUpdate.maxUnavailable'],
    [{ maxUnavailable: '1' }, 'numberOrPercent', 'spec.updateStrategy.rollingUpdate.maxUnavailable'],
    [{ maxSurge: '101%' }, 'aboveHundredPercent', 'spec.updateStrategy.rollingUpdate.maxSurge'],
    [{ update: 'Recreate' }, 'unknownUpdateType', 'spec.updateStrategy'],
    [{ maxUnavailable: 1, revisionHistory: -1 }, 'negative', 'spec.revisionHistoryLimit'],
  ])('for DaemonSets %j: %s at %s', (props, messageId, path) => {
    expect(validateWorkloadPolicy(buildDaemonPolicy(props as unknown as DaemonSetPolicyProps), agent)).toMatchObject([
      { severity: 'error', messageId, path },
    ]);
  });
});
