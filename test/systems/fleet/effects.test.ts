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

describe('a null in the values of a Bundle deletes the default of the chart', () => {
  const withValues = (values: object) => {
    const { metadata, spec, ...others } = bundle([PROD]);
    return { ...others, metadata, spec: { ...spec, helm: { values } } };
  };
  const effectIn = (old: object, next: object, apply: 'client' | 'helm' | 'server' | 'replace') =>
    planChange([withValues(old)], [withValues(next)], { apply }).change.objects[0]!.effect;

  test.each(['server', 'replace'] as const)('so a new one rolls if the tool writes it: %s', (apply) => {
    expect(effectIn({ b: 1 }, { b: 1, a: null }, apply)).toBe('roll');
    expect(effectIn({ b: 1, a: null }, { b: 1, a: null }, apply)).toBe('none');
  });

  test.each(['client', 'helm'] as const)('but a patch of kubectl or Helm 3 adds none, and removes one or keeps it: %s', (apply) => {
    expect(effectIn({ b: 1 }, { b: 1, a: null }, apply)).toBe('none');
    expect(effectIn({ b: 1, a: null }, { b: 1, a: null }, apply)).toBe('none');
    expect(effectIn({ b: 1, a: null }, { b: 1 }, apply)).toBe('roll');
  });

  test('and what another null does is unknown, since the definition of a Bundle decides whether it is stored', () => {
    const [old, next] = [bundle([PROD]), bundle([PROD])];
    expect(
      planChange([old], [{ ...next, spec: { ...next.spec, helm: null, paused: null } }], { apply: 'replace' }).change.objects,
    ).toMatchObject([{ effect: 'unknown' }]);
  });
});
