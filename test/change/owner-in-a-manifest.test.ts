import { planChange } from '../../src/headless';
import { expectValidPlan } from '../plan-schema';

const OWNER = { apiVersion: 'v1', kind: 'ConfigMap', name: 'x', uid: '1', controller: true };

function deployment(image: string, ownerReferences: readonly object[], metadata: object = {}): object {
  const labels = { app: 'web' };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', namespace: 'shop', ...(ownerReferences.length > 0 && { ownerReferences }), ...metadata },
    spec: {
      replicas: 4,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: 'web', image }] } },
    },
  };
}

function effectsOf(old: readonly object[], next: readonly object[], prune = false): string[] {
  const { change } = expectValidPlan(planChange(old, next, { prune }));
  return change.objects.map(({ effect, resource }) => `${effect} ${resource.kind} ${resource.name}`);
}

const SHOP = { ...OWNER, apiVersion: 'example.com/v1', kind: 'Shop' };
const SERVICE = { ...OWNER, apiVersion: 'serving.kserve.io/v1beta1', kind: 'InferenceService' };

// A first pull request adds an owner, which changes only metadata. The second one changes the pods.
test.each([
  ['a kind that creates no Deployments', OWNER],
  ['an unknown custom resource', SHOP],
  ['a kind that creates Deployments', SERVICE],
])('an owner in OLD, %s, does not make a change of the pods look like a new object', (_, owner) => {
  expect(effectsOf([deployment('web:1', [owner])], [deployment('web:2', [owner])])).toEqual(['roll Deployment web']);
  expect(effectsOf([deployment('web:1', [owner])], [deployment('web:2', [])])).toEqual(['roll Deployment web']);
});

test('an owner in OLD does not hide that an object is deleted', () => {
  expect(effectsOf([deployment('web:1', [OWNER])], [], true)).toEqual(['delete Deployment web']);
  expect(effectsOf([deployment('web:1', [SERVICE])], [], true)).toEqual(['delete Deployment web']);
  expect(effectsOf([deployment('web:1', [OWNER], { uid: '2' })], [], true)).toEqual(['delete Deployment web']);
});

test.each([
  ['of another namespace', { name: 'x', namespace: 'other' }],
  ['of its namespace', { name: 'x', namespace: 'shop' }],
])('an owner next to it, %s, does not hide that an object is deleted', (_, metadata) => {
  const owner = {
    apiVersion: SERVICE.apiVersion,
    kind: SERVICE.kind,
    metadata,
    spec: { predictor: { model: { modelFormat: { name: 'sklearn' } } } },
  };
  expect(effectsOf([deployment('web:1', [SERVICE]), owner], [owner], true)).toEqual(['none InferenceService x', 'delete Deployment web']);
});

test('a live owner does not hide that an object of a manifest, which names its uid, is deleted', () => {
  const owner = { apiVersion: SHOP.apiVersion, kind: SHOP.kind, metadata: { name: 'x', namespace: 'shop', uid: SHOP.uid } };
  expect(effectsOf([deployment('web:1', [SHOP]), owner], [owner], true)).toEqual(['none Shop x', 'delete Deployment web']);
});

test('an object of a dump without uids has a status, so it is that of its live owner', () => {
  const owner = { apiVersion: SHOP.apiVersion, kind: SHOP.kind, metadata: { name: 'x', namespace: 'shop', uid: SHOP.uid } };
  expect(effectsOf([{ ...deployment('web:1', [SHOP]), status: { replicas: 1 } }, owner], [owner], true)).toEqual(['none Shop x']);
});

test('the uid of another live object is not that of an owner', () => {
  const other = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x', namespace: 'shop', uid: SHOP.uid } };
  expect(effectsOf([deployment('web:1', [SHOP]), other], [other], true)).toEqual(['none ConfigMap x', 'delete Deployment web']);
});

describe('a live object with an owner that kubectl applied', () => {
  const withLastApplied = (kind: string) => ({
    uid: '2',
    annotations: { 'kubectl.kubernetes.io/last-applied-configuration': JSON.stringify({ kind, metadata: { name: 'web' } }) },
  });

  test.each([SHOP, SERVICE])('is deleted if NEW lacks it, whatever the owner is: $kind', (owner) => {
    expect(effectsOf([deployment('web:1', [owner], withLastApplied('Deployment'))], [], true)).toEqual(['delete Deployment web']);
  });

  test('is deleted if NEW lacks it, also if kubectl applied it server-side', () => {
    const managedBy = (manager: string, operation: string) =>
      effectsOf([deployment('web:1', [SHOP], { uid: '2', managedFields: [{ manager, operation }] })], [], true);
    expect(managedBy('kubectl', 'Apply')).toEqual(['delete Deployment web']);
    expect(managedBy('kubectl', 'Update')).toEqual([]);
    expect(managedBy('shop-operator', 'Apply')).toEqual([]);
  });

  test('is that of its controller if the annotation is that of another kind, which the controller copied', () => {
    expect(effectsOf([deployment('web:1', [SHOP], withLastApplied('Shop'))], [], true)).toEqual([]);
  });
});

test('what a controller created in the cluster is not deleted', () => {
  expect(effectsOf([deployment('web:1', [SERVICE], { uid: '2' })], [], true)).toEqual([]);
});

test('what a controller created in the cluster, and NEW names, is compared with it', () => {
  expect(effectsOf([deployment('web:1', [SERVICE], { uid: '2' })], [deployment('web:2', [])])).toEqual(['roll Deployment web']);
});
