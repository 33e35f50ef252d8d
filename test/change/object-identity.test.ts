import { planChange } from '../../src/headless';
import { factsOf } from '../facts';
import { expectValidPlan } from '../plan-schema';
import { disruptionBudget } from '../builders/disruption-budget';
import { deployment, podTemplate } from '../builders/workload';

function web(metadata: object = {}, image = 'web:1') {
  return deployment({ replicas: 4, template: podTemplate({ image, ports: [{ containerPort: 80 }] }) }, { name: 'web', ...metadata });
}

function changed(old: readonly object[], next: readonly object[]) {
  const { change, findings } = expectValidPlan(planChange(old, next));
  return {
    effects: change.objects.map(({ effect }) => effect),
    assumed: factsOf(findings.filter(({ messageId }) => messageId === 'namespace')).map(({ code, data }) => [code, data]),
  };
}

describe('a manifest that sets its namespace on only one side', () => {
  const ASSUMED = [['change/incomplete-information', { objects: 1, first: 'Deployment shop/web' }]];

  test('is treated as one object, which does not change because of that, and is reported once', () => {
    expect(changed([web()], [web({ namespace: 'shop' })])).toEqual({ effects: ['none'], assumed: ASSUMED });
    expect(changed([web({ namespace: 'shop' })], [web()])).toEqual({ effects: ['none'], assumed: ASSUMED });
    expect(changed([web()], [web({ namespace: 'shop' }, 'web:2')])).toEqual({ effects: ['roll'], assumed: ASSUMED });
  });

  test('is another object in another namespace, and is not reported if a server sets it', () => {
    expect(changed([web({ namespace: 'a' })], [web({ namespace: 'b' })])).toEqual({
      effects: ['create', 'none'],
      assumed: [],
    });
    expect(changed([web({ namespace: 'shop', uid: '1' })], [web()])).toEqual({ effects: ['none'], assumed: [] });
  });
});

test('another API version is no change of an object, and its omitted fields have the same defaults', () => {
  expect(changed([{ ...web(), apiVersion: 'apps/v1beta1' }], [web()]).effects).toEqual(['none']);
  const budget = disruptionBudget({ minAvailable: 1 });
  expect(changed([{ ...budget, apiVersion: 'policy/v1beta1' }], [budget]).effects).toEqual(['none']);
});

test('another API version of an unknown kind has an unknown effect, since a webhook may convert it, unless kubectl applied the object in this version', () => {
  const widget = (apiVersion: string, metadata: object = {}) => ({
    apiVersion,
    kind: 'Widget',
    metadata: { name: 'a', namespace: 'shop', ...metadata },
    spec: { a: 1 },
  });
  const planOf = (old: object) => {
    const { change, notPlanned } = planChange([old], [widget('acme.io/v2')]);
    return [change.objects.map(({ effect }) => effect), notPlanned.map(({ kind }) => kind)];
  };
  expect(planOf(widget('acme.io/v1'))).toEqual([['unknown'], ['Widget']]);
  expect(planOf(widget('acme.io/v2'))).toEqual([['none'], []]);
  const appliedIn = (apiVersion: string) => ({
    uid: '1',
    annotations: { 'kubectl.kubernetes.io/last-applied-configuration': JSON.stringify(widget(apiVersion)) },
  });
  expect(planOf(widget('acme.io/v1', { uid: '1' }))).toEqual([['unknown'], ['Widget']]);
  expect(planOf(widget('acme.io/v1', appliedIn('acme.io/v1')))).toEqual([['unknown'], ['Widget']]);
  expect(planOf(widget('acme.io/v1', appliedIn('acme.io/v2')))).toEqual([['none'], []]);
  expect(planOf(widget('acme.io/v2', { uid: '1' }))).toEqual([['none'], []]);
});
