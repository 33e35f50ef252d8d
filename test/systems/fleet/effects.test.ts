import { planChange } from '../../../src/headless';

const cluster = (name: string, env: string) => ({
  apiVersion: 'fleet.cattle.io/v1alpha1',
  kind: 'Cluster',
  metadata: { name, namespace: 'fleet', labels: { env } },
});
const bundle = (targets: readonly object[]) => ({
  apiVersion: 'fleet.cattle.io/v1alpha1',
  kind: 'Bundle',
  metadata: { name: 'shop', namespace: 'fleet' },
  spec: { resources: [{ name: 'web.yaml', content: 'a' }], targets },
});
const PROD = { clusterSelector: { matchLabels: { env: 'prod' } } };

/** Returns the effect on the bundle. */
function effectOf(old: readonly object[], next: readonly object[]) {
  const { effect, clusters, causedBy } = planChange(old, next).change.objects[0]!;
  return { effect, clusters, causedBy: causedBy?.map(({ kind, name }) => `${kind} ${name}`) };
}

test('without an inventory, changed targets roll on unknown clusters', () => {
  expect(effectOf([bundle([PROD])], [bundle([{ clusterSelector: {} }])])).toEqual({ effect: 'roll' });
});

test('a Cluster with another label gets or loses the bundle, and the change names that Cluster as the cause; other labels have no effect', () => {
  const shop = bundle([PROD]);
  const before = [shop, cluster('a', 'prod'), cluster('b', 'dev'), cluster('c', 'dev'), cluster('d', 'prod')];
  const after = [shop, cluster('a', 'prod'), cluster('b', 'prod'), cluster('c', 'test'), cluster('d', 'dev')];
  expect(effectOf(before, after)).toEqual({ effect: 'roll', clusters: ['b', 'd'], causedBy: ['Cluster b', 'Cluster d'] });
});
