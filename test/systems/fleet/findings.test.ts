import { planManifests } from '../../../src/headless';
import { bundle, clusters, inventory, lines, rolloutOf } from './plan';

const FLEET = [...clusters(2, 'prod', { env: 'prod' }), ...clusters(2, 'staging', { env: 'staging' })];

function byEnv(env: string, more: object = {}): object {
  return { name: env, clusterSelector: { matchLabels: { env } }, ...more };
}

const STAGING = byEnv('staging');
const PROD = byEnv('prod');

/** Every finding of a strategy as a user reads it. */
function texts(strategy: unknown, options = inventory(FLEET)): string[] {
  return rolloutOf(bundle(strategy), options).findings.map(({ message, help }) => `${message} → ${help}`);
}

describe('partitions', () => {
  test('clusters in none are named', () => {
    expect(texts({ maxUnavailable: 1, partitions: [STAGING] })).toMatchInlineSnapshot(`
[
  "2 of 4 clusters targeted are in no partition, and so never installed and never updated: prod-001, prod-002. → Add a last partition that matches the rest, for example with operator NotIn for the labels above it.",
]
`);
  });

  test('clusters in two are named, once for the later partition', () => {
    expect(texts({ maxUnavailable: 1, partitions: [STAGING, PROD, { name: 'all', clusterSelector: {} }] })).toMatchInlineSnapshot(`
[
  "4 clusters of partition all are in an earlier one too (partition prod first), counted in both and released by the first that is reached: prod-001, prod-002, staging-001, staging-002. → Narrow one of the two, for example with operator NotIn, so that each cluster is in one partition.",
]
`);
  });

  test('of many clusters five are named', () => {
    expect(texts({ maxUnavailable: 1, partitions: [STAGING] }, inventory([...FLEET, ...clusters(40)]))[0]).toMatch(
      /: cluster-001, .*cluster-005 and 37 more\. →/,
    );
  });

  test('one that matches no cluster is empty', () => {
    expect(texts({ maxUnavailable: 1, partitions: [byEnv('qa'), STAGING, PROD] })).toMatchInlineSnapshot(`
[
  "Partition qa matches none of the 4 clusters targeted. → Compare its criteria with the labels of the clusters and the names of the cluster groups, or delete it.",
]
`);
  });

  test('the last one, for labels that no other has, may be empty', () => {
    const rest = { name: 'rest', clusterSelector: { matchExpressions: [{ key: 'env', operator: 'NotIn', values: ['staging', 'prod'] }] } };
    expect(texts({ maxUnavailable: 1, partitions: [STAGING, PROD, rest] })).toEqual([]);
    expect(lines(bundle({ maxUnavailable: 1, partitions: [rest, STAGING, PROD] }), inventory(FLEET))).toEqual([
      'warning fleet/empty-partition spec.rolloutStrategy.partitions[0]',
    ]);
  });

  test('one that repeats another with maxUnavailable 0 is a gate, and meant so', () => {
    expect(texts({ maxUnavailable: 1, partitions: [STAGING, { ...STAGING, name: 'staging-ready', maxUnavailable: 0 }, PROD] })).toEqual([]);
  });

  test('but two of them with 0 are not: nothing ever releases their clusters', () => {
    const zero = { ...STAGING, maxUnavailable: 0 };
    expect(lines(bundle({ maxUnavailable: 1, partitions: [zero, { ...zero, name: 'again' }, PROD] }), inventory(FLEET))).toEqual([
      'error fleet/zero-max-unavailable spec.rolloutStrategy.partitions[0].maxUnavailable',
      'error fleet/zero-max-unavailable spec.rolloutStrategy.partitions[1].maxUnavailable',
      'warning fleet/overlapping-partitions spec.rolloutStrategy.partitions[1]',
    ]);
  });

  test('one without a criterion can never match, which says more than that it is empty', () => {
    expect(texts({ maxUnavailable: 1, partitions: [STAGING, PROD, { clusterName: '' }] })).toMatchInlineSnapshot(`
[
  "The partition at partitions[2] has no criterion, and so matches no cluster, now or later. → Write clusterSelector, clusterGroup, clusterGroupSelector or clusterName; clusterSelector: {} matches every cluster.",
]
`);
  });

  test('that cover each cluster once raise nothing', () => {
    expect(texts({ maxUnavailable: 1, partitions: [STAGING, PROD] })).toEqual([]);
  });

  test('of a bundle without targets raise nothing: the controller does not form them', () => {
    expect(lines(bundle({ maxUnavailable: 1, partitions: [byEnv('qa')] }), inventory([]))).toEqual([]);
  });
});

describe('limits', () => {
  test('of 0 keep an update from starting, for the whole bundle or in a partition', () => {
    expect(texts({ maxUnavailable: 0 })).toMatchInlineSnapshot(`
[
  "maxUnavailable is 0 for the whole bundle: an update of ready clusters never starts, since none may be unavailable. → Write maxUnavailable: 1, the smallest that lets an update go on; it takes one cluster at a time.",
]
`);
    expect(lines(bundle({ maxUnavailable: 2, partitions: [byEnv('staging', { maxUnavailable: 0 }), PROD] }), inventory(FLEET))).toEqual([
      'error fleet/zero-max-unavailable spec.rolloutStrategy.partitions[0].maxUnavailable',
    ]);
  });

  test('of 0 in an empty partition are 1, so only the emptiness is told', () => {
    expect(lines(bundle({ maxUnavailable: 1, partitions: [byEnv('qa', { maxUnavailable: 0 }), STAGING, PROD] }), inventory(FLEET))).toEqual(
      ['warning fleet/empty-partition spec.rolloutStrategy.partitions[0]'],
    );
  });

  test('of 0 percent are 1, each in its way', () => {
    expect(texts({ maxUnavailable: '0%', maxUnavailablePartitions: '0%', autoPartitionSize: '-5%' })).toMatchInlineSnapshot(`
[
  "maxUnavailable is "0%", which Fleet makes 1: one cluster may be unavailable. → Write 1, which says the same; 0 would keep an update from ever starting.",
  "maxUnavailablePartitions is "0%", which Fleet makes 1: one partition may be unavailable. → Write 0 to wait for every partition, or 1, which says what happens now.",
  "autoPartitionSize is "-5%", which Fleet makes 1: every partition holds one cluster. → Write 1, which says the same, or 0 for one partition of all clusters.",
]
`);
  });

  test('that no number of failures can reach pause nothing', () => {
    expect(texts({ maxUnavailablePartitions: 0, partitions: [STAGING, PROD] })).toMatchInlineSnapshot(`
[
  "maxUnavailablePartitions is written, but nothing ever pauses: up to 4 of 4 clusters may be unavailable. An install and an update reach every cluster at once, however many fail. → Write maxUnavailable, for example "10%": the share of clusters that may fail or be updating at once.",
]
`);
  });

  test.each([
    ['maxUnavailablePartitions', { maxUnavailablePartitions: 0 }],
    ['partitions', { partitions: [STAGING, PROD] }],
    ['autoPartitionSize', { autoPartitionSize: '25%' }],
    ['a limit above the count', { maxUnavailable: '200', partitions: [STAGING, PROD] }],
  ])('%s alone pauses nothing', (_, strategy) => {
    expect(lines(bundle(strategy), inventory(FLEET))).toEqual([expect.stringMatching(/^warning fleet\/never-pauses/)]);
  });

  test.each([
    ['nothing is written, so nothing is expected', {}],
    ['only a limit is written', { maxUnavailable: '100%' }],
    ['the bundle has a limit', { maxUnavailable: 1, maxUnavailablePartitions: 0 }],
    ['the bundle-wide limit holds even where the partitions are never unready', { maxUnavailable: 3, partitions: [STAGING, PROD] }],
  ])('silent: %s', (_, strategy) => {
    expect(lines(bundle(strategy), inventory(FLEET))).toEqual([]);
  });

  test('of a partition above the bundle’s are throttled', () => {
    expect(texts({ maxUnavailable: 1, partitions: [byEnv('staging', { maxUnavailable: '100%' }), PROD] })).toMatchInlineSnapshot(`
[
  "Partition staging lets 2 clusters update at once ("100%" of 2), but the whole bundle lets only 1: an update takes 1 at a time. → Raise the rolloutStrategy's maxUnavailable to 2 at least, or write 1 here.",
]
`);
  });

  test('of a partition that is smaller than the bundle’s limit are not', () => {
    expect(texts({ maxUnavailable: 2, partitions: [byEnv('staging', { maxUnavailable: '300' }), PROD] })).toEqual([]);
  });
});

describe('a limit that reads like a threshold for batches', () => {
  const hundred = inventory(clusters(100));
  const code = (field: string) => `info fleet/batches-not-checked spec.rolloutStrategy.${field}`;
  const everyone = { name: 'all', clusterSelector: {} };

  test('is told in figures, with what to write for a check', () => {
    expect(texts({ maxUnavailable: '50%' })).toMatchInlineSnapshot(`
[
  "Partition "All" has 4 clusters: an install takes all 4 at once, however many fail, and an update 2 at a time. The guide's check of maxUnavailable after every 50 does not happen. → Make each batch a partition, and put a second one with the same criteria and maxUnavailable 0 behind it, to wait for it.",
]
`);
  });

  test('reconciles are told where maxNew is below the clusters', () => {
    const messages = [10, 100].map((maxNew) => rolloutOf(bundle({ maxUnavailable: 5, maxNew }), hundred).findings[0]!.message);
    expect(messages).toMatchInlineSnapshot(`
[
  "Partition "All" has 100 clusters: an install takes all 100 at once (in reconciles of 10 that wait for nothing), however many fail, and an update 5 at a time. The guide's check of maxUnavailable after every 50 does not happen.",
  "Partition "All" has 100 clusters: an install takes all 100 at once, however many fail, and an update 5 at a time. The guide's check of maxUnavailable after every 50 does not happen.",
]
`);
  });

  test('once a bundle, at the field that sets the limit of the first such partition', () => {
    const limits = {
      maxUnavailable: 20,
      partitions: [byEnv('staging', { maxUnavailable: 1 }), { ...everyone, maxUnavailable: '5%' }, PROD],
    };
    const fleet = inventory([...clusters(1, 'staging', { env: 'staging' }), ...clusters(99, 'prod', { env: 'prod' })]);
    expect(lines(bundle(limits), fleet).filter((line) => line.startsWith('info'))).toEqual([code('partitions[1].maxUnavailable')]);
    expect(lines(bundle({ maxUnavailable: '5%', autoPartitionSize: 40, autoPartitionThreshold: 1 }), hundred)).toEqual([
      code('maxUnavailable'),
    ]);
  });

  test.each([
    ['a limit of 1 is one at a time', { maxUnavailable: 1 }],
    ['a percentage that comes to 1 is too', { maxUnavailable: '1%' }],
    ['the whole partition may be unavailable', { maxUnavailable: 100 }],
    ['a gate checks', { maxUnavailable: 5, partitions: [everyone, { ...everyone, name: 'all-ready', maxUnavailable: 0 }] }],
  ])('silent: %s', (_, strategy) => {
    expect(lines(bundle(strategy), hundred)).toEqual([]);
  });

  test.each([
    ['an update never starts', { maxUnavailable: 0, partitions: [{ ...everyone, maxUnavailable: 5 }] }, 'error fleet/zero-max-unavailable'],
    ['nothing is ever installed', { maxUnavailable: 5, maxNew: 0 }, 'error fleet/max-new-zero'],
    [
      'the limit is above the bundle’s',
      { maxUnavailable: 1, partitions: [{ ...everyone, maxUnavailable: 5 }] },
      'warning fleet/partition-above-bundle-limit',
    ],
  ])('silent where another finding tells: %s', (_, strategy, other) => {
    expect(lines(bundle(strategy), hundred)).toEqual([expect.stringContaining(other)]);
  });

  test('silent without clusters in view', () => {
    expect(lines(bundle({ maxUnavailable: '10%' }))).toEqual(['info fleet/no-inventory spec.rolloutStrategy']);
  });
});

describe('what the controller refuses', () => {
  test('a limit that is none: there is no strategy then, and no simulation', () => {
    const rollout = rolloutOf(bundle({ maxUnavailable: '10 %' }), inventory(FLEET));
    expect([rollout.strategy, rollout.simulation, rollout.provenance]).toEqual([null, null, []]);
    expect(rollout.findings).toMatchInlineSnapshot(`
[
  {
    "code": "fleet/invalid-limit",
    "help": "Write a whole number such as 1, or a percentage such as "10%" without spaces.",
    "message": "maxUnavailable is "10 %", neither a number above 0 nor a percentage: the controller refuses it, and the whole bundle stops with Ready=False.",
    "path": "spec.rolloutStrategy.maxUnavailable",
    "severity": "error",
  },
]
`);
  });

  test.each(['abc', '', '0', '-3', '10 %'])('%p for each limit', (value) => {
    const strategy = { maxUnavailable: value, maxUnavailablePartitions: value, autoPartitionSize: value, autoPartitionThreshold: 1 };
    expect(lines(bundle(strategy), inventory(FLEET))).toEqual([
      'error fleet/invalid-limit spec.rolloutStrategy.maxUnavailable',
      'error fleet/invalid-limit spec.rolloutStrategy.maxUnavailablePartitions',
      'error fleet/invalid-limit spec.rolloutStrategy.autoPartitionSize',
    ]);
  });

  test.each([
    ['autoPartitionSize below the threshold', { maxUnavailable: 1, autoPartitionSize: 'abc' }, FLEET, 'autoPartitionSize'],
    [
      'autoPartitionSize beside partitions',
      { maxUnavailable: 1, autoPartitionSize: 'abc', partitions: [STAGING, PROD] },
      FLEET,
      'autoPartitionSize',
    ],
    ['any limit of a bundle without targets', { maxUnavailable: 'abc' }, [], 'maxUnavailable'],
  ])('but not what it never reads: %s', (_, strategy, fleet, field) => {
    const rollout = rolloutOf(bundle(strategy), inventory(fleet));
    expect(rollout.findings.map(({ severity, code, path }) => `${severity} ${code} ${path}`)).toEqual([
      `warning fleet/invalid-limit spec.rolloutStrategy.${field}`,
    ]);
    expect(rollout.simulation).not.toBeNull();
  });

  test('nor the limit of an empty partition', () => {
    const partitions = [byEnv('qa', { maxUnavailable: 'abc' }), STAGING, PROD];
    expect(lines(bundle({ maxUnavailable: 1, partitions }), inventory(FLEET))).toEqual([
      'warning fleet/invalid-limit spec.rolloutStrategy.partitions[0].maxUnavailable',
      'warning fleet/empty-partition spec.rolloutStrategy.partitions[0]',
    ]);
  });

  test('a selector that is none, in a target or a partition', () => {
    const broken = { matchExpressions: [{ key: 'env', operator: 'in', values: ['prod'] }] };
    expect(lines(bundle({ maxUnavailable: 1, partitions: [{ clusterSelector: broken }] }), inventory(FLEET))).toEqual([
      'error fleet/invalid-selector spec.rolloutStrategy.partitions[0].clusterSelector.matchExpressions[0].operator',
    ]);
    expect(lines(bundle({}, { targets: [{ clusterGroupSelector: broken }] }), inventory(FLEET))).toEqual([
      'error fleet/invalid-selector spec.targets[0].clusterGroupSelector.matchExpressions[0].operator',
    ]);
    expect(rolloutOf(bundle({}, { targets: [{ clusterSelector: broken }] }), inventory(FLEET)).findings[0]!.message).toMatchInlineSnapshot(
      `"In spec.targets[0].clusterSelector, "in" is no operator: the controller refuses it, and the whole bundle stops with Ready=False."`,
    );
  });

  test('values of another type, and a spec that is none', () => {
    const strategy = { maxUnavailable: 1.5, maxNew: '5', partitions: [5, { name: 7, clusterSelector: { matchLabels: { env: true } } }] };
    expect(lines(bundle(strategy), inventory(FLEET))).toEqual([
      'error input/wrong-type spec.rolloutStrategy.maxUnavailable',
      'error input/wrong-type spec.rolloutStrategy.maxNew',
      'error input/wrong-type spec.rolloutStrategy.partitions[0]',
      'error input/wrong-type spec.rolloutStrategy.partitions[1].name',
      'error input/wrong-type spec.rolloutStrategy.partitions[1].clusterSelector.matchLabels[env]',
    ]);
    expect(lines({ apiVersion: 'fleet.cattle.io/v1alpha1', kind: 'Bundle', metadata: { name: 5 }, spec: null })).toEqual([
      'error input/wrong-type metadata.name',
      'error input/wrong-type spec',
    ]);
  });

  test('but null, which counts as absent', () => {
    const nulls = { maxUnavailable: null, maxNew: null, autoPartitionSize: null, partitions: null };
    expect(lines(bundle(nulls, { targets: null, paused: null, dependsOn: null }), inventory(FLEET))).toEqual([]);
    expect(lines(bundle(null), inventory(FLEET))).toEqual([]);
    expect(rolloutOf(bundle(nulls), inventory(FLEET)).provenance.every(({ layer }) => layer === 'fleet-default')).toBe(true);
  });

  test('a mode of customizations or a state of a dependency that does not exist', () => {
    const spec = { targetCustomizationMode: 'allMatches', dependsOn: [{ name: 'base', acceptedStates: ['ready'] }, {}] };
    expect(lines(bundle({}, spec), inventory(FLEET))).toEqual([
      'error input/wrong-type spec.dependsOn[0].acceptedStates[0]',
      'error input/wrong-type spec.dependsOn[1]',
      'error input/wrong-type spec.targetCustomizationMode',
    ]);
  });
});

describe('maxNew', () => {
  test('of 0 installs nothing', () => {
    expect(texts({ maxUnavailable: 1, maxNew: 0 })).toMatchInlineSnapshot(`
[
  "maxNew is 0: the bundle is never installed on any cluster, without an error. → Delete maxNew, or write at least 1. To hold clusters back, set paused: true.",
]
`);
  });

  test('before Fleet 0.16 is dropped', () => {
    expect(rolloutOf(bundle({ maxNew: 0 }), { ...inventory(FLEET), versions: { fleet: '0.15' } }).findings.map(({ message }) => message))
      .toMatchInlineSnapshot(`
[
  "Fleet 0.15 does not know maxNew, which came with 0.16, and drops it in silence.",
]
`);
  });
});

describe('fields that the API server drops', () => {
  test('a typing error in rolloutStrategy, with the nearest name', () => {
    const strategy = { maxUnavailble: 1, partitions: [{ name: 'all', clusterSelecter: {}, clusterSelector: {} }] };
    expect(texts(strategy).slice(0, 2)).toMatchInlineSnapshot(`
[
  "Fleet knows no field "maxUnavailble" here and drops it in silence. → Write maxUnavailable, or delete the field.",
  "Fleet knows no field "clusterSelecter" here and drops it in silence. → Write clusterSelector, or delete the field.",
]
`);
  });

  test('names are told apart by case', () => {
    expect(lines(bundle({ MaxUnavailable: 1 }), inventory(FLEET))).toEqual([
      'warning input/unknown-field spec.rolloutStrategy.MaxUnavailable',
    ]);
  });
});

describe('without an inventory', () => {
  test('there is no simulation, and a finding says why', () => {
    const rollout = rolloutOf(bundle({ maxUnavailable: 1 }));
    expect(rollout).toMatchObject({ strategy: { maxUnavailable: 1 }, simulation: null });
    expect(rollout.findings).toMatchInlineSnapshot(`
[
  {
    "code": "fleet/no-inventory",
    "help": "Give the inventory with --clusters: \`kubectl get clusters.fleet.cattle.io,clustergroups.fleet.cattle.io -A -o yaml\` prints it.",
    "message": "No clusters are in view: what Bundle shop reaches, in which partitions and waves, can't be shown.",
    "path": "spec.rolloutStrategy",
    "severity": "info",
  },
]
`);
  });

  test('what a strategy says by itself is judged all the same', () => {
    const strategy = { maxUnavailable: 0, maxNew: 0, maxUnavailablePartitions: '0%', partitions: [{ name: 'rest' }] };
    expect(lines(bundle(strategy))).toEqual([
      'error fleet/zero-max-unavailable spec.rolloutStrategy.maxUnavailable',
      'info fleet/zero-percent-is-one spec.rolloutStrategy.maxUnavailablePartitions',
      'error fleet/criteria-less-partition spec.rolloutStrategy.partitions[0]',
      'error fleet/max-new-zero spec.rolloutStrategy.maxNew',
      'info fleet/no-inventory spec.rolloutStrategy',
    ]);
  });

  test('limits of 100% never pause, whatever the clusters are', () => {
    expect(lines(bundle({ maxUnavailablePartitions: 1, autoPartitionSize: '10%' }))).toEqual([
      'warning fleet/never-pauses spec.rolloutStrategy.maxUnavailablePartitions',
      'info fleet/no-inventory spec.rolloutStrategy',
    ]);
  });

  test('a limit that is none is refused, for there will be clusters', () => {
    expect(lines(bundle({ maxUnavailable: 'abc' }))).toEqual(['error fleet/invalid-limit spec.rolloutStrategy.maxUnavailable']);
  });

  test('an inventory without clusters is one', () => {
    expect(lines(bundle({ maxUnavailable: 1 }), inventory([]))).toEqual([]);
  });
});

describe('findings about the inventory stand beside the rollouts', () => {
  test('a name of a cluster that is not there', () => {
    expect(planManifests([bundle()], { ...inventory(FLEET), neverReady: ['prod-001', 'prod-01'] }).findings).toMatchInlineSnapshot(`
[
  {
    "code": "input/unknown-cluster",
    "help": "Write the name of a Cluster, or give its inventory with --clusters.",
    "message": ""prod-01", said never to get ready, names no cluster of the inventory, which has 4.",
    "path": "",
    "severity": "warning",
  },
]
`);
  });

  test('a group with a broken selector', () => {
    const groups = [{ name: 'live', selector: { matchExpressions: [{ key: 'env', operator: 'is', values: ['prod'] }] } }];
    expect(planManifests([bundle()], inventory(FLEET, groups)).findings.map(({ message }) => message)).toMatchInlineSnapshot(`
[
  "In the selector of ClusterGroup live, "is" is no operator: Fleet logs that, and the group has no members.",
]
`);
  });

  test('a Cluster, ClusterGroup or GitRepo of the wrong form is left out', () => {
    const objects = [
      { apiVersion: 'fleet.cattle.io/v1alpha1', kind: 'Cluster', metadata: { name: 'a', labels: { env: 1 } } },
      { apiVersion: 'fleet.cattle.io/v1alpha1', kind: 'Cluster', metadata: {} },
      { apiVersion: 'fleet.cattle.io/v1alpha1', kind: 'ClusterGroup', metadata: { name: 'g' }, spec: { selector: 'env=prod' } },
      {
        apiVersion: 'fleet.cattle.io/v1alpha1',
        kind: 'GitRepo',
        metadata: { name: 'r' },
        spec: { repo: 'https://example.com/r', paths: 'apps' },
      },
    ];
    expect(planManifests(objects).findings.map(({ code, path, message }) => `${code} ${path}: ${message}`)).toMatchInlineSnapshot(`
[
  "input/wrong-type metadata.labels[env]: metadata.labels[env] of a Cluster is 1, but the API wants a string here: the plan leaves it out.",
  "input/wrong-type metadata.name: metadata.name of a Cluster is nothing, but the API wants a string here: the plan leaves it out.",
  "input/wrong-type spec.selector: spec.selector of a ClusterGroup is "env=prod", but the API wants a map here: the plan leaves it out.",
  "input/wrong-type spec.paths: paths is "apps", but Fleet wants a list of strings here: the API server refuses the GitRepo, and the plan leaves it out.",
]
`);
  });
});
