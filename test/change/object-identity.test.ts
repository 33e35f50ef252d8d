import { planChange } from '../../src/headless';
import { factsOf } from '../facts';
import { expectValidPlan } from '../plan-schema';

function deployment(metadata: object = {}, image = 'web:1', apiVersion = 'apps/v1') {
  return {
    apiVersion,
    kind: 'Deployment',
    metadata: { name: 'web', ...metadata },
    spec: {
      replicas: 4,
      selector: { matchLabels: { app: 'web' } },
      template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image, ports: [{ containerPort: 80 }] }] } },
    },
  };
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
    expect(changed([deployment()], [deployment({ namespace: 'shop' })])).toEqual({ effects: ['none'], assumed: ASSUMED });
    expect(changed([deployment({ namespace: 'shop' })], [deployment()])).toEqual({ effects: ['none'], assumed: ASSUMED });
    expect(changed([deployment()], [deployment({ namespace: 'shop' }, 'web:2')])).toEqual({ effects: ['roll'], assumed: ASSUMED });
  });

  test('is another object in another namespace, and is not reported if a server sets it', () => {
    expect(changed([deployment({ namespace: 'a' })], [deployment({ namespace: 'b' })])).toEqual({
      effects: ['create', 'none'],
      assumed: [],
    });
    expect(changed([deployment({ namespace: 'shop', uid: '1' })], [deployment()])).toEqual({ effects: ['none'], assumed: [] });
  });
});

test('another API version is no change of an object, and its omitted fields have the same defaults', () => {
  expect(changed([deployment({}, 'web:1', 'apps/v1beta1')], [deployment()]).effects).toEqual(['none']);
  const budget = (apiVersion: string) => ({
    apiVersion,
    kind: 'PodDisruptionBudget',
    metadata: { name: 'web' },
    spec: { minAvailable: 1, selector: { matchLabels: { app: 'web' } } },
  });
  expect(changed([budget('policy/v1beta1')], [budget('policy/v1')]).effects).toEqual(['none']);
});
