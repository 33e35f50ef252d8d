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

/** What becomes of the first object, and the clusters that are told. */
function told(old: readonly object[], next: readonly object[]): string {
  const { effect, clusters } = planChange(old, next).change.objects[0]!;
  return `${effect} ${clusters ? clusters.join(' ') : '-'}`;
}

test.each([
  ['more of them', of('prod'), ALL, 'roll b c'],
  ['fewer', ALL, of('prod'), 'roll b c'],
  ['others', of('prod'), of('dev'), 'roll b c a'],
  ['the same ones in other words', ALL, [{ clusterSelector: { matchLabels: {} } }], 'settings -'],
])('other targets of a GitRepo reach the clusters that come and go: %s', (_what, before, after, expected) => {
  expect(told([repo({ targets: before }), ...CLUSTERS], [repo({ targets: after }), ...CLUSTERS])).toBe(expected);
});

test('without clusters in view, before or at all, they reach clusters that are not known', () => {
  const [before, after] = [repo({ targets: of('prod') }), repo({ targets: ALL })];
  expect(told([before], [after])).toBe('roll -');
  expect(told([before], [after, ...CLUSTERS])).toBe('roll -');
});

test('without clusters in view, what is not about them deploys nothing all the same', () => {
  expect(told([repo({ targets: ALL })], [repo({ targets: ALL, pollingInterval: '5m' })])).toBe('settings -');
  expect(told([repo({})], [repo({ pollingInterval: '5m' })])).toBe('settings -');
  expect(told([repo({})], [repo({ targets: [] })])).toBe('settings -');
});

test('a Cluster is no GitRepo: that it is no longer paused rolls nothing by itself', () => {
  expect(told([cluster('a', 'prod', { paused: true })], [cluster('a', 'prod', { paused: false })])).toBe('settings -');
});
