import * as fc from 'fast-check';
import type { IntOrPercent } from '../../../src/core/values/int-or-percent';
import { MountPathError, buildOperatorResource } from '../../../src/systems/operator-resource/manifests';
import { Rollout } from '../../../src/props/rollout';
import { resolveIntent } from '../../../src/workloads/deployment/intent';
import type { RolloutIntent } from '../../../src/workloads/deployment/intent';
import { simulateDeployment } from '../../../src/workloads/deployment/simulate';
import { defaultDeploymentStrategy } from '../../../src/workloads/deployment/strategy';
import { plan } from './plan';

const resource = { apiVersion: 'icp4a.ibm.com/v1', kind: 'ICP4ACluster', metadata: { name: 'baw' }, spec: { appVersion: '25.0.1' } };
const strategy = { type: 'RollingUpdate', maxSurge: 1, maxUnavailable: '25%' } as const;

describe("the strategy is written into the operator's resource", () => {
  test("at spec.strategy, with quoted numbers as on IBM's page, next to the replicas", () => {
    expect(buildOperatorResource({ resource, strategy, replicas: 5 })).toEqual({
      apiVersion: 'icp4a.ibm.com/v1',
      kind: 'ICP4ACluster',
      metadata: { name: 'baw', annotations: { 'rolloutkit/numbers': 'quoted' } },
      spec: {
        appVersion: '25.0.1',
        strategy: { type: 'RollingUpdate', rolling_update: { max_surge: '1', max_unavailable: '25%' } },
        replicas: 5,
      },
    });
  });

  test('with plain numbers on request', () => {
    expect(buildOperatorResource({ resource, strategy, numbers: 'plain' }).spec).toMatchObject({
      strategy: { rolling_update: { max_surge: 1 } },
    });
  });

  test('with both limits explicit, even if the intent omits them', () => {
    expect(buildOperatorResource({ resource, strategy: { type: 'RollingUpdate', maxSurge: 1 } }).spec).toMatchObject({
      strategy: { rolling_update: { max_surge: '1', max_unavailable: '25%' } },
    });
    expect(buildOperatorResource({ resource, strategy: Rollout.availability('50%') }).spec).toMatchObject({
      strategy: { rolling_update: { max_surge: '50%', max_unavailable: '0' } },
    });
  });

  test('with only the type for Recreate, replacing the strategy of the resource', () => {
    const before = { ...resource, spec: { strategy: { rolling_update: { max_surge: '3' } } } };
    expect(buildOperatorResource({ resource: before, strategy: Rollout.recreate() }).spec).toEqual({ strategy: { type: 'Recreate' } });
    expect(before.spec.strategy).toEqual({ rolling_update: { max_surge: '3' } });
  });

  test('at another mount path, creating missing maps', () => {
    expect(buildOperatorResource({ resource, strategy, replicas: 2, mountPath: 'spec.runtime_configuration.strategy' }).spec).toEqual({
      appVersion: '25.0.1',
      runtime_configuration: {
        strategy: { type: 'RollingUpdate', rolling_update: { max_surge: '1', max_unavailable: '25%' } },
        replicas: 2,
      },
    });
  });

  test('in an item of a list that the resource has', () => {
    const spec = { baw_configuration: [{ name: 'a' }, { name: 'b' }] };
    expect(
      buildOperatorResource({ resource: { ...resource, spec }, strategy, mountPath: 'spec.baw_configuration[1].strategy' }).spec,
    ).toMatchObject({
      baw_configuration: [{ name: 'a' }, { name: 'b', strategy: { type: 'RollingUpdate' } }],
    });
  });

  test.each([
    [
      'spec.baw_configuration[0].strategy',
      'mountPath "spec.baw_configuration[0].strategy" is not in the resource: its "spec.baw_configuration" has no such field or item',
    ],
    [
      'spec.appVersion.strategy',
      'mountPath "spec.appVersion.strategy" is not in the resource: its "spec.appVersion" has no such field or item',
    ],
    ['spec.list.strategy', 'mountPath "spec.list.strategy" is not in the resource: its "spec.list" has no such field or item'],
    ['spec.list[1].strategy', 'mountPath "spec.list[1].strategy" is not in the resource: its "spec.list" has no such field or item'],
  ])('never at a path that is not in the resource: %s', (mountPath, message) => {
    const spec = { appVersion: '25.0.1', list: [{ name: 'a' }] };
    expect(() => buildOperatorResource({ resource: { ...resource, spec }, strategy, mountPath })).toThrow(message);
  });

  test.each([
    ['spec'],
    ['spec.list[0]'],
    ['strategy'],
    ['metadata.strategy'],
    ['$.spec.strategy'],
    ['/spec/strategy'],
    ["spec['strategy']"],
    ['spec..strategy'],
    ['spec.*.strategy'],
    [' spec.strategy'],
    [''],
    [5],
    [null],
    [['spec', 'strategy']],
  ])('never at a path that is not a field below spec: %j', (mountPath) => {
    expect(() => buildOperatorResource({ resource, strategy, mountPath: mountPath as string })).toThrow(
      new MountPathError(
        `mountPath is ${Array.isArray(mountPath) ? 'a list' : JSON.stringify(mountPath)}, which is not a field below spec: write a path such as ` +
          'spec.strategy or spec.baw_configuration[0].strategy',
      ),
    );
  });

  test.each([
    ['spec.baw_configuration', 'a list'],
    ['spec.database', 'a map with type, host'],
    ['spec.appVersion', '"25.0.1"'],
  ])('never in place of anything but a strategy: %s', (mountPath, description) => {
    const spec = { appVersion: '25.0.1', baw_configuration: [{ name: 'a' }], database: { type: 'postgresql', host: 'db' } };
    const message = `mountPath "${mountPath}" leads to ${description} in the resource, which is not a strategy and would be overwritten`;
    expect(() => buildOperatorResource({ resource: { ...resource, spec }, strategy, mountPath })).toThrow(new MountPathError(message));
  });

  test.each([null, undefined, {}, { rolling_update: { max_surge: 3 } }])('in place of a strategy, or if there is none: %j', (written) => {
    const { spec } = buildOperatorResource({
      resource: { ...resource, spec: { strategy: written } },
      strategy,
      mountPath: 'spec.strategy',
    });
    expect(spec).toEqual(buildOperatorResource({ resource: { ...resource, spec: {} }, strategy, mountPath: 'spec.strategy' }).spec);
  });

  test('below a name with a dot, which is in brackets', () => {
    expect(buildOperatorResource({ resource, strategy, mountPath: 'spec[a.b].strategy' }).spec).toMatchObject({ 'a.b': { strategy: {} } });
  });
});

describe('the resource', () => {
  test('is an ICP4ACluster if apiVersion and kind are undefined or null, which JavaScript may pass', () => {
    const input = { apiVersion: undefined, kind: null, metadata: { name: 'baw' } } as never;
    expect(buildOperatorResource({ resource: input, strategy })).toMatchObject({ apiVersion: 'icp4a.ibm.com/v1', kind: 'ICP4ACluster' });
  });

  test.each([
    [{ apiVersion: 1 }, 'resource.apiVersion is 1: write a string, or leave it out'],
    [{ kind: ['A'] }, 'resource.kind is a list: write a string, or leave it out'],
    [{ metadata: 'baw' }, 'resource.metadata is "baw": write a map, or leave it out'],
  ])('is refused with a message if %j has the wrong type', (input, message) => {
    expect(() => buildOperatorResource({ resource: input as never, strategy })).toThrow(new Error(message));
  });
});

describe("the resource, planned like a user's YAML, results in the resolved strategy", () => {
  const percent = fc.integer({ min: 1, max: 100 }).map((value) => `${value}%` as const);
  const ratio: fc.Arbitrary<IntOrPercent> = fc.oneof(fc.integer({ min: 1, max: 9 }), percent);
  const intent: fc.Arbitrary<RolloutIntent> = fc.oneof(
    ratio.map(Rollout.availability),
    ratio.map(Rollout.resourceAware),
    fc.record({ maxSurge: ratio, maxUnavailable: ratio }, { requiredKeys: [] }).map(Rollout.rollingUpdate),
    fc.constant(Rollout.recreate()),
  );
  const mountPath = fc.constantFrom('spec.strategy', 'spec.runtime_configuration.strategy');
  const numbers = fc.constantFrom('quoted' as const, 'plain' as const);

  test('for every intent, number of replicas, mount path and style of numbers', () => {
    fc.assert(
      fc.property(intent, fc.nat({ max: 30 }), mountPath, numbers, (rolloutIntent, replicas, path, style) => {
        const [rollout] = plan(buildOperatorResource({ resource, strategy: rolloutIntent, replicas, mountPath: path, numbers: style }));
        const stored = defaultDeploymentStrategy(resolveIntent(rolloutIntent));
        expect(rollout).toMatchObject({ strategy: stored, simulation: simulateDeployment(stored, replicas) });
      }),
    );
  });
});
