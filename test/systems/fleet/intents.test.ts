import { buildCanaryPartitions } from '../../../src/systems/fleet/canary';
import { resolveBundleStrategy } from '../../../src/systems/fleet/bundle-intent';
import { buildFleetYamlContent, buildGitRepoManifest, findUnsupportedTargetFields } from '../../../src/systems/fleet/manifests';
import { partitionsByLabel } from '../../../src/props/partitions';
import { withCatchAll } from '../../../src/systems/fleet/partition-intents';
import type { PartitionProps } from '../../../src/systems/fleet/partition-intents';
import { clusters } from './plan';

describe('a canary by name', () => {
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
      'the first label, by name, with a unique value',
      [
        { site: 'x', env: 'prod' },
        { site: 'y', env: 'prod' },
      ],
      byLabel('site', 'x'),
    ],
    [
      'the first of several such labels',
      [
        { site: 'x', place: 'north' },
        { site: 'y', place: 'south' },
      ],
      byLabel('place', 'north'),
    ],
    [
      'the label of Rancher before all others',
      [
        { a: '1', 'management.cattle.io/cluster-name': 'c-m-1' },
        { a: '2', 'management.cattle.io/cluster-name': 'c-m-2' },
      ],
      byLabel('management.cattle.io/cluster-name', 'c-m-1'),
    ],
    ['its name, if no label distinguishes it', [{ env: 'prod' }, { env: 'prod' }], [{ name: 'canary', clusterName: 'c-0' }]],
  ])('is selected by %s', (_what, labels, partitions) => {
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
    ['one matches every cluster, at any position', [{ clusterSelector: {} }, { clusterName: 'a' }]],
    ['one matches the clusters of every group', [{ clusterGroupSelector: {} }, { clusterName: 'a' }]],
    ['the last one is a catch-all already', [env('staging'), notIn('staging')]],
  ])('is not added if %s', (_what, partitions) => {
    expect(added(...partitions)).toEqual([]);
  });

  test.each([
    ['only all clusters of a group match', [{ clusterGroup: 'big', clusterSelector: {} }], { name: 'rest', clusterSelector: {} }],
    ['only one cluster matches, by name', [{ clusterName: 'a', clusterSelector: {} }], { name: 'rest', clusterSelector: {} }],
    ['only all clusters of its own group match', [{ group, clusterSelector: {} }], { name: 'rest', clusterSelector: {} }],
    [
      'the last one matches only the other clusters of a group',
      [env('staging'), { clusterGroup: 'big', ...notIn('staging') }],
      rest('staging'),
    ],
    ['the last one matches only the other clusters of its own group', [env('staging'), { group, ...notIn('staging') }], rest('staging')],
    ['a label is required only in a group', [env('staging'), { group, ...env('prod') }], rest('staging')],
  ])('is added if %s', (_what, partitions, last) => {
    expect(added(...partitions)).toEqual([last]);
  });
});

test('partitions by a label that is no name are refused', () => {
  expect(() => partitionsByLabel(5 as never, ['a'])).toThrow(
    /^partitionsByLabel: the label is 5, but must be the name of a label, such as env \(called at test\/systems\/fleet\/intents\.test\.ts:\d+:\d+\)$/,
  );
});

test('the clusters of a partition are counted for the version of Fleet: before 0.13 clusters without a group do not count', () => {
  const intent = {
    targets: [{ clusterSelector: {} }],
    rollout: { maxConcurrentPulls: 2, partitions: [{ name: 'all', clusterSelector: {} }] },
  };
  const inventory = { clusters: clusters(5) as { name: string }[], groups: [] };
  expect(() => resolveBundleStrategy({ ...intent, fleet: '0.13' }, inventory, undefined)).toThrow('partition all has 5 clusters');
  expect(resolveBundleStrategy({ ...intent, fleet: '0.12' }, inventory, undefined)).toEqual({
    maxUnavailable: 1,
    maxUnavailablePartitions: 0,
    partitions: [{ name: 'all', clusterSelector: {} }],
  });
});

test('the targets of a GitRepo have exactly the given criteria', () => {
  const targets = [{ clusterName: 'a' }, { name: 'prod', clusterSelector: {} }, { clusterGroup: 'big' }, { clusterGroupSelector: {} }];
  expect(buildGitRepoManifest('repo', undefined, { repo: 'https://example.com/repo' }, targets)).toStrictEqual({
    apiVersion: 'fleet.cattle.io/v1alpha1',
    kind: 'GitRepo',
    metadata: { name: 'repo' },
    spec: { repo: 'https://example.com/repo', targets },
  });
});

test('a target of a GitRepo does not support deployment options, but undefined keys are ignored', () => {
  const targets = [
    { clusterSelector: {}, clusterName: undefined, helm: undefined },
    { clusterName: 'a', helm: { version: '2' } },
  ];
  expect(findUnsupportedTargetFields(targets as never)).toEqual(['targets[1].helm']);
});

test('a fleet.yaml has exactly the given fields, in a fixed order', () => {
  expect(buildFleetYamlContent({}, {}, {})).toStrictEqual({});
  const given = {
    name: 'shop',
    labels: { team: 'a' },
    helm: { version: '2' },
    paused: true,
    rolloutStrategy: { maxUnavailable: 1 },
    targetCustomizations: [{ clusterName: 'a', helm: { version: '1' } }],
    imageScans: [{ tagName: 'web', image: 'web', policy: { alphabetical: { order: 'asc' } } }],
  };
  const { name, labels, rolloutStrategy, imageScans, paused, ...options } = given;
  const content = buildFleetYamlContent({ name, labels }, { imageScans, paused, ...options }, rolloutStrategy);
  expect(content).toStrictEqual(given);
  expect(Object.keys(content)).toEqual(Object.keys(given));
});
