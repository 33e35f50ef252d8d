import { planManifests } from '../../src/headless';
import { deployment, lines, rolloutOf, statefulSet, template } from './plan';

test('the plan of a Deployment has its stored strategy, provenance, waves and findings', () => {
  const spec = { replicas: 4, strategy: { rollingUpdate: { maxSurge: 1 } }, template: template() };
  expect(rolloutOf([deployment(spec, { name: 'web', namespace: 'shop' })])).toEqual({
    system: 'kubernetes',
    resource: { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'web' },
    strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: '25%' } },
    provenance: [
      {
        field: 'type',
        value: 'RollingUpdate',
        layer: 'kubernetes-default',
        reason: 'spec.strategy.type is not set; the API server fills in "RollingUpdate".',
        overridden: [],
      },
      { field: 'maxSurge', value: 1, layer: 'user', reason: 'spec.strategy.rollingUpdate.maxSurge is set.', overridden: [] },
      {
        field: 'maxUnavailable',
        value: '25%',
        layer: 'kubernetes-default',
        reason: 'spec.strategy.rollingUpdate.maxUnavailable is not set; the API server fills in "25%".',
        overridden: [],
      },
    ],
    simulation: {
      kind: 'deployment',
      replicas: 4,
      surge: 1,
      unavailable: 1,
      waves: [
        { wave: 1, newReplicas: 2, oldReplicas: 3, total: 5, available: 3 },
        { wave: 2, newReplicas: 4, oldReplicas: 1, total: 5, available: 3 },
        { wave: 3, newReplicas: 4, oldReplicas: 0, total: 4, available: 4 },
      ],
      iterations: 2,
      peakPods: 5,
      minAvailable: 3,
    },
    findings: [],
  });
});

test('the plan of a StatefulSet has its stored update strategy, provenance, order and findings', () => {
  const db = statefulSet({ replicas: 3, updateStrategy: { rollingUpdate: { partition: 1 } }, template: template() });
  expect(rolloutOf([db], { versions: { kubernetes: '1.37' } })).toEqual({
    system: 'kubernetes',
    resource: { apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'db' },
    strategy: { type: 'RollingUpdate', rollingUpdate: { partition: 1, maxUnavailable: 1 } },
    provenance: [
      {
        field: 'type',
        value: 'RollingUpdate',
        layer: 'kubernetes-default',
        reason: 'spec.updateStrategy.type is not set; the API server fills in "RollingUpdate".',
        overridden: [],
      },
      {
        field: 'maxUnavailable',
        value: 1,
        layer: 'kubernetes-default',
        reason: 'spec.updateStrategy.rollingUpdate.maxUnavailable is not set; the API server fills in 1.',
        overridden: [],
      },
      { field: 'partition', value: 1, layer: 'user', reason: 'spec.updateStrategy.rollingUpdate.partition is set.', overridden: [] },
    ],
    simulation: {
      kind: 'statefulset',
      replicas: 3,
      partition: 1,
      maxUnavailable: 1,
      order: [2, 1],
      batches: [[2], [1]],
      untouched: [0],
      minAvailable: 2,
    },
    findings: [],
  });
});

function decided(object: object): string[] {
  return rolloutOf([object]).provenance.map(({ field, layer }) => `${field}: ${layer}`);
}

test('the provenance of Recreate and OnDelete has only the type', () => {
  expect(decided(deployment({ strategy: { type: 'Recreate' } }))).toEqual(['type: user']);
  expect(decided(statefulSet({ updateStrategy: { type: 'OnDelete' } }))).toEqual(['type: user']);
  expect(decided(statefulSet({ updateStrategy: { type: 'RollingUpdate' } }))).toEqual(['type: user']);
});

test('an empty type or null counts as not set, so the default applies', () => {
  const strategy = { type: '', rollingUpdate: { maxSurge: null, maxUnavailable: 1 } };
  expect(decided(deployment({ strategy }))).toEqual(['type: kubernetes-default', 'maxSurge: kubernetes-default', 'maxUnavailable: user']);
});

test('an object that the API server refuses is listed in the plan without strategy and simulation', () => {
  const web = deployment({ replicas: 4, strategy: { rollingUpdate: { maxSurge: '1' } } });
  const { rollouts, summary } = planManifests([web, deployment({}, { name: 'api' })]);
  expect(rollouts.map(({ resource, strategy, simulation }) => [resource.name, strategy !== null, simulation !== null])).toEqual([
    ['web', false, false],
    ['api', true, true],
  ]);
  expect(summary).toMatchObject({ rollouts: 2, errors: 1 });
});

test.each([
  ['apps/v1', 'ReplicaSet'],
  ['apps/v1beta1', 'Deployment'],
  ['extensions/v1beta1', 'Deployment'],
  ['example.com/v1', 'StatefulSet'],
])('%s %s is not a rollout', (apiVersion, kind) => {
  expect(planManifests([{ apiVersion, kind, metadata: { name: 'web' }, spec: {} }]).rollouts).toEqual([]);
});

test('missing required fields are reported', () => {
  const { simulation, findings } = rolloutOf([{ apiVersion: 'apps/v1', kind: 'Deployment' }]);
  expect(simulation).toBeNull();
  expect(lines(findings)).toEqual([
    'error kubernetes/invalid-workload metadata.name',
    'error kubernetes/invalid-workload spec.selector',
    'error kubernetes/invalid-workload spec.template.spec.containers',
  ]);
});
