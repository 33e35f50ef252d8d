import { buildCanaryPartitions } from '../../../src/systems/fleet/canary';
import { resolveBundleStrategy } from '../../../src/systems/fleet/bundle-intent';
import { buildFleetYamlContent, buildGitRepoManifest, findUnsupportedTargetFields } from '../../../src/systems/fleet/manifests';
import { partitionsByLabel, withCatchAll } from '../../../src/systems/fleet/partition-intents';
import type { PartitionProps } from '../../../src/systems/fleet/partition-intents';
import { clusters } from './plan';

describe('a canary that is named', () => {
  const named = (...labels: readonly Record<string, string>[]) =>
    buildCanaryPartitions(
      { kind: 'canary', clusters: ['c-0'] },
      labels.map((of, index) => ({ name: `c-${index}`, labels: of })),
    );
  const byLabel = (key: string, value: string) => [
    { name: 'canary', clusterSelector: { matchExpressions: [{ key, operator: 'In', values: [value] }] } },
  ];

  test.each([
    [
      'the first label, by name, whose value no other has',
      [
        { site: 'x', env: 'prod' },
        { site: 'y', env: 'prod' },
      ],
      byLabel('site', 'x'),
    ],
    [
      'of several such labels the first',
      [
        { site: 'x', place: 'north' },
        { site: 'y', place: 'south' },
      ],
      byLabel('place', 'north'),
    ],
    [
      'before them the one that Rancher gives',
      [
        { a: '1', 'management.cattle.io/cluster-name': 'c-m-1' },
        { a: '2', 'management.cattle.io/cluster-name': 'c-m-2' },
      ],
      byLabel('management.cattle.io/cluster-name', 'c-m-1'),
    ],
    ['its name, where no label tells it', [{ env: 'prod' }, { env: 'prod' }], [{ name: 'canary', clusterName: 'c-0' }]],
  ])('is told by %s', (_what, labels, partitions) => {
    expect(named(...labels)).toEqual(partitions);
  });
});

describe('a last partition for the rest', () => {
  const env = (value: string) => ({ clusterSelector: { matchLabels: { env: value } } });
  const notIn = (...values: readonly string[]) => ({ clusterSelector: { matchExpressions: [{ key: 'env', operator: 'NotIn', values }] } });
  const rest = (...values: readonly string[]) => ({ name: 'rest', ...notIn(...values) });
  const group = { name: 'big', selector: { matchLabels: { size: 'big' } } };
  const added = (...partitions: readonly object[]) => withCatchAll(partitions as readonly PartitionProps[]).slice(partitions.length);

  test.each([
    ['there is no partition', []],
    ['one takes every cluster, wherever it stands', [{ clusterSelector: {} }, { clusterName: 'a' }]],
    ['one takes those of every group', [{ clusterGroupSelector: {} }, { clusterName: 'a' }]],
    ['the last one is that', [env('staging'), notIn('staging')]],
  ])('is not added where %s', (_what, partitions) => {
    expect(added(...partitions)).toEqual([]);
  });

  test.each([
    ['only a group is taken whole', [{ clusterGroup: 'big', clusterSelector: {} }], { name: 'rest', clusterSelector: {} }],
    ['only one cluster is, by name', [{ clusterName: 'a', clusterSelector: {} }], { name: 'rest', clusterSelector: {} }],
    ['only a group that it brings along is', [{ group, clusterSelector: {} }], { name: 'rest', clusterSelector: {} }],
    ['the last one takes the others of a group alone', [env('staging'), { clusterGroup: 'big', ...notIn('staging') }], rest('staging')],
    ['the last one takes the others of a group that it brings along', [env('staging'), { group, ...notIn('staging') }], rest('staging')],
    ['a label is asked of a group alone', [env('staging'), { group, ...env('prod') }], rest('staging')],
  ])('is added where %s', (_what, partitions, last) => {
    expect(added(...partitions)).toEqual([last]);
  });
});

test('partitions by a label that is no text are refused', () => {
  expect(() => partitionsByLabel(5 as never, ['a'])).toThrow(new Error('partitionsByLabel: the label is 5; write a text'));
});

test('the clusters of a partition are counted as the version of Fleet counts them: before 0.13 none that is in no group', () => {
  const intent = {
    targets: [{ clusterSelector: {} }],
    rollout: { maxConcurrentPulls: 2, partitions: [{ name: 'all', clusterSelector: {} }] },
  };
  const inventory = { clusters: clusters(5) as { name: string }[], groups: [] };
  expect(() => resolveBundleStrategy({ ...intent, fleet: '0.13' }, inventory, undefined)).toThrow('partition all holds 5 clusters');
  expect(resolveBundleStrategy({ ...intent, fleet: '0.12' }, inventory, undefined)).toEqual({
    maxUnavailable: 1,
    maxUnavailablePartitions: 0,
    partitions: [{ name: 'all', clusterSelector: {} }],
  });
});

test('the targets of a GitRepo have the criteria that are written, and no other key', () => {
  const targets = [{ clusterName: 'a' }, { name: 'prod', clusterSelector: {} }, { clusterGroup: 'big' }, { clusterGroupSelector: {} }];
  expect(buildGitRepoManifest('repo', undefined, { repo: 'https://example.com/repo' }, targets)).toStrictEqual({
    apiVersion: 'fleet.cattle.io/v1alpha1',
    kind: 'GitRepo',
    metadata: { name: 'repo' },
    spec: { repo: 'https://example.com/repo', targets },
  });
});

test('what is deployed differently has no place in a target of a GitRepo; a key that is undefined needs none', () => {
  const targets = [
    { clusterSelector: {}, clusterName: undefined, helm: undefined },
    { clusterName: 'a', helm: { version: '2' } },
  ];
  expect(findUnsupportedTargetFields(targets as never)).toEqual(['targets[1].helm']);
});

test('a fleet.yaml holds what is written, in one order, and nothing where nothing is', () => {
  expect(buildFleetYamlContent({}, {}, {})).toStrictEqual({});
  const written = {
    name: 'shop',
    labels: { team: 'a' },
    helm: { version: '2' },
    paused: true,
    rolloutStrategy: { maxUnavailable: 1 },
    targetCustomizations: [{ clusterName: 'a', helm: { version: '1' } }],
    imageScans: [{ tagName: 'web', image: 'web', policy: { alphabetical: { order: 'asc' } } }],
  };
  const { name, labels, rolloutStrategy, imageScans, paused, ...options } = written;
  const made = buildFleetYamlContent({ name, labels }, { imageScans, paused, ...options }, rolloutStrategy);
  expect(made).toStrictEqual(written);
  expect(Object.keys(made)).toEqual(Object.keys(written));
});
