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
    said: factsOf(findings.filter(({ messageId }) => messageId === 'namespace')).map(({ code, data }) => [code, data]),
  };
}

describe('a manifest that names its namespace on one side alone', () => {
  const SAID = [['change/incomplete-information', { objects: 1, first: 'Deployment shop/web' }]];

  test('is taken for one object, which does not change by that and is not touched, and that is said once', () => {
    expect(changed([deployment()], [deployment({ namespace: 'shop' })])).toEqual({ effects: ['none'], said: SAID });
    expect(changed([deployment({ namespace: 'shop' })], [deployment()])).toEqual({ effects: ['none'], said: SAID });
    expect(changed([deployment()], [deployment({ namespace: 'shop' }, 'web:2')])).toEqual({ effects: ['roll'], said: SAID });
  });

  test('is another object in another namespace, and needs no word where a server says it', () => {
    expect(changed([deployment({ namespace: 'a' })], [deployment({ namespace: 'b' })])).toEqual({ effects: ['create', 'none'], said: [] });
    expect(changed([deployment({ namespace: 'shop', uid: '1' })], [deployment()])).toEqual({ effects: ['none'], said: [] });
  });
});

test('another version of the API is no change of an object, and what is left out there is filled in as here', () => {
  expect(changed([deployment({}, 'web:1', 'apps/v1beta1')], [deployment()]).effects).toEqual(['none']);
  const budget = (apiVersion: string) => ({
    apiVersion,
    kind: 'PodDisruptionBudget',
    metadata: { name: 'web' },
    spec: { minAvailable: 1, selector: { matchLabels: { app: 'web' } } },
  });
  expect(changed([budget('policy/v1beta1')], [budget('policy/v1')]).effects).toEqual(['none']);
});
