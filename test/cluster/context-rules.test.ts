import { planManifests } from '../../src/headless';
import { factsOf } from '../facts';
import { deployment } from '../builders/workload';
import { lines } from '../workloads/plan';

function object(apiVersion: string, kind: string, spec: unknown) {
  return { apiVersion, kind, metadata: { name: 'other' }, spec };
}

function budget(spec: unknown) {
  return object('policy/v1', 'PodDisruptionBudget', spec);
}

/** Builds a HorizontalPodAutoscaler for 1 to 3 pods, with these fields on top. */
function autoscaler(spec: object) {
  const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' };
  const metrics = [{ type: 'Resource', resource: { name: 'cpu', target: { type: 'AverageValue', averageValue: '1' } } }];
  return object('autoscaling/v2', 'HorizontalPodAutoscaler', { minReplicas: 1, maxReplicas: 3, scaleTargetRef, metrics, ...spec });
}

function findingsOfContext(context: object, kubernetes = '1.34') {
  return planManifests([context], { versions: { kubernetes } }).findings;
}

describe('kubernetes/hpa-without-target', () => {
  test('a target without apiVersion is looked up in the core group', () => {
    expect(factsOf(findingsOfContext(autoscaler({ scaleTargetRef: { kind: 'Deployment', name: 'web' } })))).toEqual([
      {
        code: 'kubernetes/hpa-without-target',
        severity: 'warning',
        messageId: 'noSuchKind',
        path: 'spec.scaleTargetRef.apiVersion',
        data: { autoscaler: 'other', kind: 'Deployment' },
      },
    ]);
  });

  test.each([
    ['extensions/v1beta1', 1],
    ['v1', 1],
    ['apps/v1beta2', 0],
    ['argoproj.io/v1alpha1', 0],
  ])('apiVersion %s gives %d findings', (apiVersion, count) => {
    const findings = findingsOfContext(autoscaler({ scaleTargetRef: { apiVersion, kind: 'StatefulSet', name: 'db' } }));
    const data = { autoscaler: 'other', kind: 'StatefulSet', apiVersion };
    expect(findings.map((finding) => finding.data)).toEqual(Array.from({ length: count }, () => data));
  });
});

describe('context objects that the API server refuses are findings of the plan', () => {
  test.each([
    ['a budget in quotes', budget({ minAvailable: '1' }), 'error kubernetes/quoted-integer spec.minAvailable'],
    ['a budget above 100%', budget({ maxUnavailable: '150%' }), 'error kubernetes/invalid-strategy spec.maxUnavailable'],
    ['a selector that is a list', budget({ selector: [] }), 'error input/wrong-type spec.selector'],
    ['a budget with both limits', budget({ minAvailable: 2, maxUnavailable: '25%' }), 'error kubernetes/invalid-strategy spec'],
    ['no maxReplicas', autoscaler({ maxReplicas: null }), 'error kubernetes/invalid-strategy spec.maxReplicas'],
    ['maxReplicas 0', autoscaler({ maxReplicas: 0 }), 'error kubernetes/invalid-strategy spec.maxReplicas'],
    ['minReplicas -1', autoscaler({ minReplicas: -1 }), 'error kubernetes/invalid-strategy spec.minReplicas'],
    ['minReplicas in quotes', autoscaler({ minReplicas: '2' }), 'error kubernetes/quoted-integer spec.minReplicas'],
    [
      'a negative maximum',
      object('keda.sh/v1alpha1', 'ScaledObject', { maxReplicaCount: -1 }),
      'error kubernetes/invalid-strategy spec.maxReplicaCount',
    ],
    ['hard limits that are a list', object('v1', 'ResourceQuota', { hard: [] }), 'error input/wrong-type spec.hard'],
    [
      'a Node with a resource that is no quantity',
      { ...object('v1', 'Node', {}), status: { allocatable: { cpu: 'x', pods: '110' } } },
      'error input/wrong-type status.allocatable[cpu]',
    ],
    [
      'access modes that are a string',
      object('v1', 'PersistentVolumeClaim', { accessModes: 'ReadWriteOnce' }),
      'error input/wrong-type spec.accessModes',
    ],
  ])('%s', (_what, context, line) => {
    const { findings, rollouts } = planManifests([deployment({ replicas: 2 }), context]);
    expect(lines(findings)).toEqual([line]);
    expect(rollouts).toHaveLength(1);
  });

  test.each([
    ['a budget', budget({ minAvailable: '50%', selector: { matchLabels: { app: 'web' } } })],
    ['an autoscaler', autoscaler({})],
    ['an autoscaler of another kind', autoscaler({ scaleTargetRef: { kind: 'ReplicationController', name: 'web' } })],
    ['a quota', object('v1', 'ResourceQuota', { hard: { pods: '4' } })],
    ['a claim', object('v1', 'PersistentVolumeClaim', { accessModes: ['ReadWriteOnce'] })],
    ['no spec at all', budget(undefined)],
  ])('%s that is valid gives no finding', (_what, context) => {
    expect(planManifests([context]).findings).toEqual([]);
  });

  test('a budget with both limits, in full', () => {
    expect(factsOf(findingsOfContext(budget({ minAvailable: 2, maxUnavailable: '25%' })))).toEqual([
      {
        code: 'kubernetes/invalid-strategy',
        severity: 'error',
        messageId: 'bothLimits',
        path: 'spec',
        data: { minAvailable: 2, maxUnavailable: '25%' },
      },
    ]);
  });

  test('a minimum above the maximum', () => {
    expect(factsOf(findingsOfContext(autoscaler({ minReplicas: 5 })))).toEqual([
      {
        code: 'kubernetes/invalid-strategy',
        severity: 'error',
        messageId: 'emptyRange',
        path: 'spec.maxReplicas',
        data: { minReplicas: 5, maxReplicas: 3 },
      },
    ]);
  });

  test('minReplicas 0 needs an alpha gate before Kubernetes 1.37, which enables it by default', () => {
    expect(factsOf(findingsOfContext(autoscaler({ minReplicas: 0 })))).toEqual([
      {
        code: 'kubernetes/invalid-strategy',
        severity: 'warning',
        messageId: 'gatedMinReplicas',
        path: 'spec.minReplicas',
        data: { version: '1.34', since: '1.37' },
      },
    ]);
    expect(findingsOfContext(autoscaler({ minReplicas: 0 }), '1.36')).toHaveLength(1);
    expect(findingsOfContext(autoscaler({ minReplicas: 0 }), '1.37')).toEqual([]);
  });

  test.each([
    ['no maxReplicas', { maxReplicas: null }, 'noMaxReplicas', {}],
    ['maxReplicas 0', { maxReplicas: 0 }, 'maxReplicas', { field: 'maxReplicas', value: 0 }],
    ['minReplicas -1', { minReplicas: -1 }, 'minReplicas', { field: 'minReplicas', value: -1 }],
  ])('an autoscaler with %s reports the refused bound', (_what, spec, messageId, data) => {
    expect(findingsOfContext(autoscaler(spec))).toMatchObject([{ code: 'kubernetes/invalid-strategy', messageId, data }]);
  });

  test('its labels and annotations affect no rollout', () => {
    const labelled = { ...budget({ maxUnavailable: 1 }), metadata: { name: 'other', labels: { app: 1 }, annotations: [] } };
    expect(findingsOfContext(labelled)).toEqual([]);
    expect(lines(findingsOfContext({ ...labelled, metadata: { name: 1 } }))).toEqual(['error input/wrong-type metadata.name']);
  });

  test('invalid content does not prevent a rollout from being planned', () => {
    const invalidSpecs = [
      null,
      1,
      'text',
      [],
      { selector: 'all', hard: 'much', scaleTargetRef: [], accessModes: {}, minAvailable: {}, scopes: {} },
    ];
    const kinds: [string, string][] = [
      ['policy/v1', 'PodDisruptionBudget'],
      ['autoscaling/v2', 'HorizontalPodAutoscaler'],
      ['keda.sh/v1alpha1', 'ScaledObject'],
      ['v1', 'ResourceQuota'],
      ['v1', 'PersistentVolumeClaim'],
    ];
    const objects = kinds.flatMap(([apiVersion, kind]) => invalidSpecs.map((spec) => object(apiVersion, kind, spec)));
    const plan = planManifests([
      deployment({ replicas: 2, template: { metadata: { labels: 'all' }, spec: null } }),
      deployment({ replicas: 3 }, { name: 'api' }),
      ...objects,
    ]);
    expect(plan.rollouts[1]!.simulation).toMatchObject({ replicas: 3 });
  });
});
