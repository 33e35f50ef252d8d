import { planChange } from '../../../src/headless';

const cluster = (name: string, env: string, spec?: object) => ({
  apiVersion: 'fleet.cattle.io/v1alpha1',
  kind: 'Cluster',
  metadata: { name, namespace: 'fleet', labels: { env } },
  ...(spec && { spec }),
});
const CLUSTERS = [cluster('a', 'prod'), cluster('b', 'dev'), cluster('c', 'dev')];
const ALL = [{ clusterSelector: {} }];
const of = (env: string) => [{ clusterSelector: { matchLabels: { env } } }];

const repo = (spec: object) => ({
  apiVersion: 'fleet.cattle.io/v1alpha1',
  kind: 'GitRepo',
  metadata: { name: 'shop', namespace: 'fleet' },
  spec: { repo: 'https://example.com/shop', ...spec },
});

/** Returns the effect on the first object and the clusters that are reported. */
function effectOf(old: readonly object[], next: readonly object[]): string {
  const { effect, clusters } = planChange(old, next).change.objects[0]!;
  return `${effect} ${clusters ? clusters.join(' ') : '-'}`;
}

test.each([
  ['more clusters', of('prod'), ALL, 'roll b c'],
  ['fewer clusters', ALL, of('prod'), 'roll b c'],
  ['other clusters', of('prod'), of('dev'), 'roll b c a'],
  ['the same clusters in another notation', ALL, [{ clusterSelector: { matchLabels: {} } }], 'settings -'],
])('changed targets of a GitRepo affect the clusters that are added and removed: %s', (_what, before, after, expected) => {
  expect(effectOf([repo({ targets: before }), ...CLUSTERS], [repo({ targets: after }), ...CLUSTERS])).toBe(expected);
});

test('without an inventory on one or both sides, changed targets affect unknown clusters', () => {
  const [before, after] = [repo({ targets: of('prod') }), repo({ targets: ALL })];
  expect(effectOf([before], [after])).toBe('roll -');
  expect(effectOf([before], [after, ...CLUSTERS])).toBe('roll -');
});

test('without an inventory, changes of other fields still deploy nothing', () => {
  expect(effectOf([repo({ targets: ALL })], [repo({ targets: ALL, pollingInterval: '5m' })])).toBe('settings -');
  expect(effectOf([repo({})], [repo({ pollingInterval: '5m' })])).toBe('settings -');
  expect(effectOf([repo({})], [repo({ targets: [] })])).toBe('settings -');
});

test('unpausing a Cluster releases what its bundles held back, which are not in view', () => {
  const [paused, running] = [cluster('a', 'prod', { paused: true }), cluster('a', 'prod', { paused: false })];
  expect(effectOf([paused], [running])).toBe('unknown -');
});
