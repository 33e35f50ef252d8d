import { operatorResource, plan } from './plan';

const strategy = { type: 'RollingUpdate', rolling_update: { max_surge: 1, max_unavailable: 1 } };

function summary(spec: unknown, apiVersion?: string, kind?: string) {
  return plan(operatorResource(spec, apiVersion, kind)).map(({ resource, simulation }) => ({
    ...resource,
    replicas: simulation?.kind === 'deployment' ? simulation.replicas : simulation,
  }));
}

describe("an operator's resource is a rollout if it has strategy.rolling_update", () => {
  test('in spec, next to the replicas', () => {
    expect(summary({ replicas: 5, strategy })).toEqual([
      { apiVersion: 'icp4a.ibm.com/v1', kind: 'ICP4ACluster', name: 'baw', replicas: 5 },
    ]);
  });

  test('one level below spec, with the replicas next to it and not those of spec', () => {
    expect(summary({ replicas: 9, runtime_configuration: { replicas: 3, strategy } })).toEqual([
      { apiVersion: 'icp4a.ibm.com/v1', kind: 'ICP4ACluster', name: 'baw', component: 'runtime_configuration', replicas: 3 },
    ]);
  });

  test('with a component independent of other strategies: none in spec, below it the path of the map with the strategy', () => {
    const runtime = { replicas: 3, strategy };
    expect(summary({ strategy }).map(({ component }) => component)).toEqual([undefined]);
    expect(summary({ strategy, runtime }).map(({ component }) => component)).toEqual([undefined, 'runtime']);
    expect(summary({ runtime }).map(({ component }) => component)).toEqual(['runtime']);
  });

  test('below a name with a dot, which is in brackets as in the API server', () => {
    const quoted = { rolling_update: { max_surge: '1', max_unavailable: 1 } };
    const [rollout] = plan(operatorResource({ 'a.b': { replicas: 3, strategy: quoted } }));
    expect(rollout!.resource.component).toBe('[a.b]');
    expect(rollout!.findings).toMatchObject([{ path: 'spec[a.b].strategy.rolling_update.max_surge' }]);
  });

  test('in each item of a list one level below spec, such as baw_configuration: the component then has the index', () => {
    expect(
      summary({
        baw_configuration: [
          { name: 'a', replicas: 3, strategy },
          { name: 'b', replicas: 4, strategy },
        ],
      }),
    ).toMatchObject([
      { component: 'baw_configuration[0]', replicas: 3 },
      { component: 'baw_configuration[1]', replicas: 4 },
    ]);
  });

  test('replicas are 1 if omitted', () => {
    expect(summary({ strategy })).toMatchObject([{ replicas: 1 }]);
  });

  test('deeper down the strategy is translated but not simulated, because the replicas are unknown', () => {
    const [rollout] = plan(operatorResource({ a: { b: { replicas: 5, strategy } } }));
    expect(rollout).toMatchObject({
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 1 } },
      simulation: null,
      findings: [{ code: 'baw/unknown-mount', severity: 'warning', path: 'spec.a.b.strategy' }],
    });
  });

  test('in a custom resource of any group', () => {
    expect(summary({ replicas: 2, strategy }, 'apps.example.com/v1', 'Shop')).toMatchObject([{ kind: 'Shop', replicas: 2 }]);
  });

  test("with only type Recreate, in IBM's own group and no other", () => {
    const recreate = { replicas: 2, strategy: { type: 'Recreate' } };
    expect(plan(operatorResource(recreate))).toMatchObject([
      { strategy: { type: 'Recreate' }, simulation: { iterations: 1, minAvailable: 0 } },
    ]);
    expect(summary(recreate, 'apps.example.com/v1', 'Shop')).toEqual([]);
  });

  test.each([
    ['a built-in kind', { strategy }, 'apps/v1', 'Deployment'],
    ["an operator's resource without a strategy", { replicas: 5 }, undefined, undefined],
    ['a camelCase strategy', { strategy: { rollingUpdate: { maxSurge: 1 } } }, undefined, undefined],
    ['the strategy of something else, such as a database', { strategy: { type: 'active-passive' } }, undefined, undefined],
    ['a release of a chart', { values: { strategy } }, 'helm.toolkit.fluxcd.io/v2', 'HelmRelease'],
    ['a resource of another operator', { replicas: 5, strategy }, 'kafka.strimzi.io/v1', 'Kafka'],
    ['a resource with the template of a pod', { strategy, template: { spec: { containers: [] } } }, 'example.com/v1', 'Shop'],
    ['a rolling_update outside of a strategy', { rolling_update: { max_surge: 1 } }, undefined, undefined],
    ['spec null', null, undefined, undefined],
    ['spec a list of numbers', [1, 2], undefined, undefined],
  ])('%s is not a rollout of an operator', (_what, spec, apiVersion, kind) => {
    expect(summary(spec, apiVersion, kind)).toEqual([]);
  });
});
