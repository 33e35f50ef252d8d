import { ApiObject, App, Chart, JsonPatch, Lazy, Testing, Yaml } from 'cdk8s';
import { OperatorRollingUpdate, Rollout } from 'rolloutkit';
import type { OperatorRollingUpdateProps } from 'rolloutkit';
import { factsOf, headsOf } from '../facts';
import { synthError } from './synth-error';

const resource = { apiVersion: 'icp4a.ibm.com/v1', kind: 'ICP4ACluster', metadata: { name: 'baw' }, spec: { appVersion: '25.0.1' } };
const strategy = { type: 'RollingUpdate', maxSurge: 1, maxUnavailable: '25%' } as const;

function build(props: Partial<OperatorRollingUpdateProps> = {}) {
  return new OperatorRollingUpdate(Testing.chart(), 'baw', { resource, replicas: 5, strategy, ...props });
}

function refused(props: unknown) {
  return synthError((chart) => new OperatorRollingUpdate(chart, 'baw', props as OperatorRollingUpdateProps));
}

describe('the resource', () => {
  test("is that of the props, with the strategy where IBM's page has it", () => {
    const chart = new Chart(new App(), 'workflow', { namespace: 'workflow' });
    const baw = new OperatorRollingUpdate(chart, 'baw', { resource, replicas: 5, strategy });
    expect(ApiObject.of(baw)).toBe(baw.apiObject);
    expect(Yaml.stringify(...(Testing.synth(chart) as object[]))).toMatchInlineSnapshot(`
"apiVersion: icp4a.ibm.com/v1
kind: ICP4ACluster
metadata:
  annotations:
    rolloutkit/numbers: quoted
  name: baw
  namespace: workflow
spec:
  appVersion: 25.0.1
  replicas: 5
  strategy:
    rolling_update:
      max_surge: "1"
      max_unavailable: 25%
    type: RollingUpdate
"
`);
  });

  test('is built without a resource in the props, with the name of the construct', () => {
    const baw = new OperatorRollingUpdate(Testing.chart(), 'workflow', { strategy: Rollout.recreate() });
    expect(baw.apiObject.toJson()).toEqual({
      apiVersion: 'icp4a.ibm.com/v1',
      kind: 'ICP4ACluster',
      metadata: { name: 'workflow' },
      spec: { strategy: { type: 'Recreate' } },
    });
    expect(
      build({ resource: { kind: 'WorkflowRuntime' }, mountPath: 'spec.runtime_configuration.strategy' }).apiObject.toJson(),
    ).toMatchObject({
      kind: 'WorkflowRuntime',
      spec: { runtime_configuration: { replicas: 5, strategy: { rolling_update: { max_surge: '1', max_unavailable: '25%' } } } },
    });
  });

  test('keeps values that cdk8s resolves later', () => {
    const later = { ...resource, spec: { appVersion: Lazy.any({ produce: () => '25.0.2' }) } };
    expect(build({ resource: later }).apiObject.toJson()).toMatchObject({ spec: { appVersion: '25.0.2', replicas: 5 } });
  });

  test('accepts the intents of other rollouts', () => {
    expect(build({ strategy: Rollout.availability('50%') }).apiObject.toJson()).toMatchObject({
      spec: { strategy: { rolling_update: { max_surge: '50%', max_unavailable: '0' } } },
    });
  });
});

describe('the plan', () => {
  test("shows the Deployment that the operator creates, and the steps of IBM's page", () => {
    expect(build().rollouts).toMatchObject([
      {
        system: 'baw',
        resource: { kind: 'ICP4ACluster', name: 'baw' },
        strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: '25%' } },
        simulation: { replicas: 5, iterations: 3, minAvailable: 4 },
        documented: { simulation: { iterations: 5, minAvailable: 5 } },
      },
    ]);
  });

  test('includes patches', () => {
    const baw = build();
    baw.apiObject.addJsonPatch(JsonPatch.replace('/spec/replicas', 2));
    expect(baw.rollouts).toMatchObject([{ simulation: { replicas: 2, surge: 1, unavailable: 0 } }]);
  });

  test('shows every strategy of the resource, including the one at the mount path', () => {
    const spec = { server: { replicas: 3, strategy: { rolling_update: { max_surge: 1 } } } };
    const baw = build({ resource: { ...resource, spec }, mountPath: 'spec.server.strategy' });
    expect(baw.rollouts.map((rollout) => rollout.resource.component)).toEqual(['server']);
    const both = build({ resource: { ...resource, spec }, mountPath: 'spec.runtime.rollout' });
    expect(both.rollouts.map((rollout) => rollout.resource.component)).toEqual(['runtime', 'server']);
  });

  test('is empty once a patch removes the strategy', () => {
    const baw = build();
    baw.apiObject.addJsonPatch(JsonPatch.remove('/spec/strategy'));
    expect(baw.rollouts).toEqual([]);
  });
});

describe('the strategy is planned and validated at the mount path, with any field name', () => {
  const shop = { apiVersion: 'apps.example.com/v1', kind: 'Shop', metadata: { name: 'shop' } };
  const PLACES: readonly (readonly [string, Partial<OperatorRollingUpdateProps>, string | undefined])[] = [
    ['a field with another name', { mountPath: 'spec.update_strategy' }, undefined],
    ['more than one level below spec', { mountPath: 'spec.a.b.strategy' }, 'a.b'],
    ['below a name with a dot', { mountPath: 'spec[a.b].rollout' }, '[a.b]'],
    ['a group without a dot', { resource: { ...shop, apiVersion: 'shop/v1' } }, undefined],
    ["another operator's group", { resource: shop }, undefined],
  ];

  test.each(PLACES)('%s', (_what, props, component) => {
    const rolling = build({ replicas: 4, ...props });
    expect(rolling.rollouts).toMatchObject([{ simulation: { replicas: 4, surge: 1, unavailable: 1 } }]);
    expect(rolling.rollouts[0]!.resource.component).toBe(component);
    expect(build({ replicas: 4, ...props, strategy: Rollout.recreate() }).rollouts).toMatchObject([
      { strategy: { type: 'Recreate' }, simulation: { replicas: 4, minAvailable: 0 } },
    ]);
  });

  test.each(PLACES)('%s: a strategy and replicas that would be refused fail the synth', (_what, props) => {
    const wrong = { ...props, strategy: { type: 'RollingUpdate', maxSurge: 0, maxUnavailable: 0 }, replicas: -1 } as const;
    const writer = 'the operator';
    const errors = factsOf(build(wrong).findings).filter(({ severity }) => severity === 'error');

    expect(errors).toMatchObject([
      { messageId: 'bothZero', data: { maxSurge: '0', maxUnavailable: '0', writer } },
      { messageId: 'negative', data: { field: 'replicas', value: -1, writer } },
    ]);
    expect(headsOf(refused({ resource, ...wrong })).slice(1)).toEqual([
      '[shop/baw] [kubernetes/invalid-strategy] strategy.maxUnavailable:',
      '[shop/baw] [kubernetes/invalid-strategy] replicas:',
    ]);
    expect(errors[0]!.path).toMatch(/rolling_update\.max_unavailable$/);
  });

  test('no waves if there are no replicas next to a nested strategy', () => {
    const baw = build({ mountPath: 'spec.a.b.strategy', replicas: undefined });
    expect(baw.rollouts).toMatchObject([{ simulation: null }]);
    expect(baw.findings).toMatchObject([{ code: 'baw/unknown-mount' }]);
  });
});

describe('synth refuses what would be refused in the Deployment', () => {
  test('a percentage above 100', () => {
    const props = { resource, strategy: { type: 'RollingUpdate', maxUnavailable: '150%' } } as const;
    expect(headsOf(refused(props))).toEqual([
      'Validation failed with the following errors:',
      '[shop/baw] [kubernetes/invalid-strategy] strategy.maxUnavailable:',
    ]);
    expect(factsOf(build(props).findings).filter(({ severity }) => severity === 'error')).toMatchInlineSnapshot(`
[
  {
    "code": "kubernetes/invalid-strategy",
    "data": {
      "field": "max_unavailable",
      "value": "150%",
      "writer": "the operator",
    },
    "messageId": "aboveHundredPercent",
    "path": "spec.strategy.rolling_update.max_unavailable",
    "severity": "error",
  },
]
`);
  });

  test.each([
    ['an unknown type', { strategy: { type: 'Rolling' } }, '[kubernetes/invalid-strategy] strategy.type:'],
    ['a mode without a ratio', { strategy: { mode: 'Availability', ratio: 0 } }, '[kubernetes/invalid-strategy] strategy.ratio:'],
    ['negative replicas', { strategy, replicas: -1 }, '[shop/baw] [kubernetes/invalid-strategy] replicas:'],
    [
      'both limits 0',
      { strategy: { type: 'RollingUpdate', maxSurge: 0, maxUnavailable: 0 } },
      '[shop/baw] [kubernetes/invalid-strategy] strategy.maxUnavailable:',
    ],
  ])('%s', (_what, props, message) => {
    expect(refused(props)).toContain(message);
  });

  test.each([
    ['no strategy', { resource }, '[shop/baw] strategy is undefined; write a map'],
    [
      'a missing mount path',
      { strategy, mountPath: 'spec.list[0].strategy' },
      'mountPath "spec.list[0].strategy" is not in the resource: its "spec.list" has no such field or item',
    ],
    [
      'a mount path that is the spec itself',
      { resource, strategy, mountPath: 'spec' },
      'mountPath is "spec", which is not a field below spec',
    ],
    ['another style of numbers', { resource, strategy, numbers: 'string' }, 'numbers is "string": write quoted or plain'],
    ['a mount path that is not a string', { resource, strategy, mountPath: 5 }, 'mountPath is 5, which is not a field below spec'],
    ['a resource with a number as its kind', { resource: { kind: 5 }, strategy }, 'resource.kind is 5: write a string, or leave it out'],
  ])('%s', (_what, props, message) => {
    expect(refused(props)).toContain(message);
  });
});
