import { parseAllDocuments } from 'yaml';
import { planManifests } from '../../../src/headless';
import { InventoryError, parseInventory } from '../../../src/systems/fleet/inventory';
import { bundle } from './plan';

/** Shortened output of `kubectl get clusters.fleet.cattle.io,clustergroups.fleet.cattle.io -o yaml`. */
const PRINTED = `apiVersion: v1
kind: List
metadata:
  resourceVersion: ""
items:
  - apiVersion: fleet.cattle.io/v1alpha1
    kind: Cluster
    metadata:
      name: c-m-2
      namespace: fleet-default
      resourceVersion: "7"
      labels:
        management.cattle.io/cluster-display-name: paris
        env: prod
    spec:
      clientID: abc
      paused: true
    status:
      namespace: cluster-fleet-default-c-m-2
  - apiVersion: fleet.cattle.io/v1alpha1
    kind: Cluster
    metadata:
      name: c-m-1
      namespace: fleet-default
    spec: {}
  - apiVersion: fleet.cattle.io/v1alpha1
    kind: ClusterGroup
    metadata:
      name: live
      namespace: fleet-default
      labels:
        kind: big
    spec:
      selector:
        matchExpressions:
          - key: env
            operator: In
            values: [prod]
`;

function documentsOf(yaml: string): unknown[] {
  return parseAllDocuments(yaml).map((document) => document.toJS() as unknown);
}

function names(documents: readonly unknown[]): string[] {
  return parseInventory(documents).clusters.map(({ name, namespace }) => (namespace === undefined ? name : `${namespace}/${name}`));
}

describe('an inventory', () => {
  test('may be the output of kubectl', () => {
    expect(parseInventory(documentsOf(PRINTED))).toEqual({
      clusters: [
        { name: 'c-m-1', namespace: 'fleet-default', labels: undefined, paused: false },
        {
          name: 'c-m-2',
          namespace: 'fleet-default',
          labels: { 'management.cattle.io/cluster-display-name': 'paris', env: 'prod' },
          paused: true,
        },
      ],
      groups: [
        {
          name: 'live',
          namespace: 'fleet-default',
          labels: { kind: 'big' },
          selector: { matchExpressions: [{ key: 'env', operator: 'In', values: ['prod'] }] },
        },
      ],
    });
  });

  test('may be compact JSON', () => {
    const compact = {
      clusters: [
        { name: 'b', labels: { env: 'prod' }, paused: true },
        { name: 'a', namespace: 'fleet-local' },
      ],
      groups: [{ name: 'live', selector: { matchLabels: { env: 'prod' } } }, { name: 'none' }],
    };
    expect(parseInventory([compact])).toEqual({
      clusters: [
        { name: 'a', namespace: 'fleet-local' },
        { name: 'b', labels: { env: 'prod' }, paused: true },
      ],
      groups: [{ name: 'live', selector: { matchLabels: { env: 'prod' } } }, { name: 'none' }],
    });
  });

  test('may be several documents of both forms, which are merged and sorted by name', () => {
    expect(names([{ clusters: [{ name: 'z' }] }, ...documentsOf(PRINTED), { clusters: [{ name: 'a' }] }, { name: 'single' }])).toEqual([
      'a',
      'fleet-default/c-m-1',
      'fleet-default/c-m-2',
      'single',
      'z',
    ]);
  });

  test('may be the only document or one of several', () => {
    const shop = bundle({ maxUnavailable: 1 });
    const document = { clusters: [{ name: 'a' }] };
    expect(planManifests([shop], { clusters: document })).toEqual(planManifests([shop], { clusters: [document] }));
    expect(planManifests([shop], { clusters: document }).rollouts[0]!.simulation).toMatchObject({ partitions: [{ clusters: ['a'] }] });
  });

  test('counts a duplicate cluster once and uses the last one; one name in two namespaces is two clusters', () => {
    const given = [{ name: 'a' }, { name: 'a', namespace: 'n' }, { name: 'b' }, { name: 'a', paused: true }];
    expect(parseInventory([{ clusters: given }]).clusters).toEqual([
      { name: 'a', paused: true },
      { name: 'a', namespace: 'n' },
      { name: 'b' },
    ]);
  });

  test('treats null as unset', () => {
    const entry = { name: 'a', namespace: null, labels: null, paused: null };
    expect(parseInventory([{ clusters: [entry], groups: null }])).toEqual({ clusters: [{ name: 'a', paused: false }], groups: [] });
  });
});

function refusalOf(document: unknown): string {
  try {
    parseInventory([document], 'clusters.yaml');
  } catch (error) {
    if (error instanceof InventoryError) return error.message;
    throw error;
  }
  return 'read';
}

test('an inventory that can’t be read is reported with its location and a fix', () => {
  const refused = [
    { apiVersion: 'v1', kind: 'Node', metadata: { name: 'a' } },
    'clusters',
    null,
    { clusters: [], machines: [] },
    { clusters: 'a, b' },
    { clusters: [{ labels: { env: 'prod' } }] },
    { clusters: [{ name: 'a' }, { name: 7 }] },
    { clusters: [{ name: 'a', labels: { env: true } }] },
    { clusters: [5] },
    { clusters: [{ name: 'a', label: { env: 'prod' } }] },
    { clusters: [{ name: 'a', region: 'eu' }] },
    { groups: [{ name: 'g', select: { matchLabels: {} } }] },
    { groups: [{ name: 'g', selector: { matchLabel: { env: 'prod' } } }] },
    { groups: [{ name: 'g', selector: { matchExpressions: [{ key: 'env', op: 'Exists' }] } }] },
    { groups: [{ name: 'g', selector: 'env=prod' }] },
    { apiVersion: 'fleet.cattle.io/v1alpha1', kind: 'Cluster', metadata: {} },
    { apiVersion: 'fleet.cattle.io/v1alpha1', kind: 'Cluster', metadata: { name: 'a' }, spec: 5 },
    { apiVersion: 'v1', kind: 'List', items: [{ apiVersion: 'v1', kind: 'Pod' }] },
  ];
  expect(refused.map(refusalOf)).toMatchInlineSnapshot(`
[
  "clusters.yaml is a Node of v1; use Cluster and ClusterGroup objects of fleet.cattle.io/v1alpha1 or {"clusters": […], "groups": […]}",
  "clusters.yaml is not an inventory; use Cluster and ClusterGroup objects of fleet.cattle.io/v1alpha1 or {"clusters": […], "groups": […]}",
  "clusters.yaml is not an inventory; use Cluster and ClusterGroup objects of fleet.cattle.io/v1alpha1 or {"clusters": […], "groups": […]}",
  "clusters.yaml: "machines" is not a field of an inventory; use "clusters" and "groups"",
  "clusters.yaml: clusters is "a, b", but must be a list",
  "clusters.yaml, clusters[0]: name is undefined, but must be a string",
  "clusters.yaml, clusters[1]: name is 7, but must be a string",
  "clusters.yaml, clusters[0]: labels[env] is true, but must be a string",
  "clusters.yaml, clusters[0] is 5, but must be a map",
  "clusters.yaml, clusters[0]: "label" is not a field here; use labels",
  "clusters.yaml, clusters[0]: "region" is not a field here; use name, namespace, labels, paused, notReady, notRegistered or outsideSchedule",
  "clusters.yaml, groups[0]: "select" is not a field here; use selector",
  "clusters.yaml, groups[0]: selector: "matchLabel" is not a field here; use matchLabels",
  "clusters.yaml, groups[0]: selector.matchExpressions[0]: "op" is not a field here; use key, operator or values",
  "clusters.yaml, groups[0]: selector is "env=prod", but must be a map",
  "clusters.yaml, Cluster: metadata.name is undefined, but must be a string",
  "clusters.yaml, Cluster: spec is 5, but must be a map",
  "clusters.yaml, items[0] is a Pod of v1; use Cluster and ClusterGroup objects of fleet.cattle.io/v1alpha1 or {"clusters": […], "groups": […]}",
]
`);
});

test('an inventory that a program edits between two plans is read again', () => {
  const web = {
    apiVersion: 'fleet.cattle.io/v1alpha1',
    kind: 'Bundle',
    metadata: { name: 'web', namespace: 'fleet-default' },
    spec: { targets: [{ clusterSelector: {} }] },
  };
  const edited = [{ name: 'a' }];
  const clusters = [{ clusters: edited }];
  const targeted = () => planManifests([web], { clusters }).rollouts.map(({ simulation }) => simulation);
  expect(targeted()).toMatchObject([{ install: { waves: [{ clusters: ['a'] }] } }]);
  edited.push({ name: 'b' });
  expect(targeted()).toMatchObject([{ install: { waves: [{ clusters: ['a', 'b'] }] } }]);
});

test.each<[what: string, documents: (holes: unknown[]) => readonly unknown[], message: string]>([
  [
    'documents',
    (holes) => holes,
    'the inventory, document 1 is not an inventory; use Cluster and ClusterGroup objects of fleet.cattle.io/v1alpha1 or {"clusters": […], "groups": […]}',
  ],
  ['clusters', (holes) => [{ clusters: holes }], 'the inventory, clusters[0] is undefined, but must be a map'],
  ['groups', (holes) => [{ clusters: [{ name: 'a' }], groups: holes }], 'the inventory, groups[0] is undefined, but must be a map'],
  [
    'items',
    (holes) => [{ apiVersion: 'v1', kind: 'List', items: holes }],
    'the inventory, items[0] is not an inventory; use Cluster and ClusterGroup objects of fleet.cattle.io/v1alpha1 or {"clusters": […], "groups": […]}',
  ],
])('a list of four billion holes is refused at the first one, without visiting the others: %s', (_, documents, message) => {
  const holes: unknown[] = [];
  holes.length = 2 ** 32 - 1;
  expect(() => parseInventory(documents(holes))).toThrow(message);
});

test('Lists in each other end at ten, so that no inventory overflows the stack', () => {
  const nest = (levels: number): unknown =>
    levels === 0
      ? { apiVersion: 'fleet.cattle.io/v1alpha1', kind: 'Cluster', metadata: { name: 'a', namespace: 'b' } }
      : { apiVersion: 'v1', kind: 'List', items: [nest(levels - 1)] };
  expect(parseInventory([nest(10)]).clusters).toHaveLength(1);
  expect(() => parseInventory([nest(11)])).toThrow(/items\[0\] is a List in 10 others; use Cluster/);
});
