import { ApiObject, App, Chart, JsonPatch, Lazy, Testing, Yaml } from 'cdk8s';
import { OperatorRollingUpdate, Rollout } from 'rolloutkit';
import type { OperatorRollingUpdateProps } from 'rolloutkit';
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
  test("is the one given, with the strategy where IBM's page has it", () => {
    const chart = new Chart(new App(), 'workflow', { namespace: 'workflow' });
    const baw = new OperatorRollingUpdate(chart, 'baw', { resource, replicas: 5, strategy });
    expect(ApiObject.of(baw)).toBe(baw.apiObject);
    expect(Yaml.stringify(...(Testing.synth(chart) as object[]))).toMatchInlineSnapshot(`
"apiVersion: icp4a.ibm.com/v1
kind: ICP4ACluster
metadata:
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

  test('is built from props where none is given, named as the construct', () => {
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

  test('takes the intents of every other rollout', () => {
    expect(build({ strategy: Rollout.availability('50%') }).apiObject.toJson()).toMatchObject({
      spec: { strategy: { rolling_update: { max_surge: '50%', max_unavailable: '0' } } },
    });
  });
});

describe('the plan', () => {
  test("shows the Deployment that it becomes, beside the steps of IBM's page", () => {
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

  test('follows patches', () => {
    const baw = build();
    baw.apiObject.addJsonPatch(JsonPatch.replace('/spec/replicas', 2));
    expect(baw.rollouts).toMatchObject([{ simulation: { replicas: 2, surge: 1, unavailable: 0 } }]);
  });

  test('says of a mount path deep inside that its replicas can not be known', () => {
    expect(build({ mountPath: 'spec.a.b.strategy' }).findings).toMatchObject([
      { code: 'baw/quoted-integer' },
      { code: 'baw/unknown-mount' },
    ]);
  });
});

describe('synth refuses what would be refused in the Deployment', () => {
  test('a percentage above 100', () => {
    expect(refused({ resource, strategy: { type: 'RollingUpdate', maxUnavailable: '150%' } })).toBe(
      'Validation failed with the following errors:\n  [shop/baw] [kubernetes/invalid-strategy] spec.strategy.rolling_update.max_unavailable: ' +
        'max_unavailable is "150%", which the API server refuses in the Deployment that the operator writes: must not be greater than 100%. ' +
        'Write a percentage from "0%" to "100%".',
    );
  });

  test.each([
    [
      'a word that is no type',
      { strategy: { type: 'Rolling' } },
      '[kubernetes/invalid-strategy] strategy.type: type is "Rolling", which is no type of a rollout',
    ],
    [
      'a mode without a ratio',
      { strategy: { mode: 'Availability', ratio: 0 } },
      '[kubernetes/invalid-strategy] strategy.ratio: ratio is 0',
    ],
    ['negative replicas', { strategy, replicas: -1 }, '[kubernetes/invalid-strategy] spec.replicas: replicas is -1'],
    [
      'both limits 0',
      { strategy: { type: 'RollingUpdate', maxSurge: 0, maxUnavailable: 0 } },
      'spec.strategy.rolling_update.max_unavailable',
    ],
  ])('%s', (_what, props, message) => {
    expect(refused(props)).toContain(message);
  });

  test.each([
    ['no strategy', { resource }, '[shop/baw] strategy is nothing; write a map'],
    [
      'a mount path that leads nowhere',
      { strategy, mountPath: 'spec.list[0].strategy' },
      'mountPath "spec.list[0].strategy" leads nowhere in the resource, whose "spec.list" holds no such field',
    ],
  ])('%s throws at once', (_what, props, message) => {
    expect(() => refused(props)).toThrow(message);
  });
});
