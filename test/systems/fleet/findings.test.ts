import { getSuggestedFix } from '../../../src/core/finding';
import { planManifests } from '../../../src/headless';
import { unmatchedClusters } from '../../../src/systems/fleet/rules/unmatched-clusters';
import { bundle, clusters, inventory, lines, rolloutOf } from './plan';

const FLEET = [...clusters(2, 'prod', { env: 'prod' }), ...clusters(2, 'staging', { env: 'staging' })];

function byEnv(env: string, more: object = {}): object {
  return { name: env, clusterSelector: { matchLabels: { env } }, ...more };
}

const STAGING = byEnv('staging');
const PROD = byEnv('prod');

/** What every finding of a strategy says, and about which values. */
function told(strategy: unknown, options = inventory(FLEET)) {
  return rolloutOf(bundle(strategy), options).findings.map(({ code, messageId, data }) => ({ code, messageId, data }));
}

describe('partitions', () => {
  test('clusters in none are named', () => {
    expect(told({ maxUnavailable: 1, partitions: [STAGING] })).toEqual([
      {
        code: 'fleet/unmatched-clusters',
        messageId: 'unmatched',
        data: {
          clusters: { count: 2, names: ['prod-001', 'prod-002'] },
          targets: 4,
          partitions: 1,
          rest: [{ key: 'env', values: ['staging'] }],
        },
      },
    ]);
  });

  test('the advice for them is a last partition, where labels can say which they are', () => {
    const advised = (partitions: readonly object[]) => {
      const [finding] = rolloutOf(bundle({ maxUnavailable: 1, partitions }), inventory(FLEET)).findings;
      return getSuggestedFix(unmatchedClusters, finding!);
    };
    const rest = { name: 'rest', clusterSelector: { matchExpressions: [{ key: 'env', operator: 'NotIn', values: ['staging'] }] } };
    expect(advised([STAGING])).toEqual({
      decision: true,
      edits: [{ op: 'set', path: 'spec.rolloutStrategy.partitions[1]', value: rest }],
    });
    expect(advised([{ name: 'one', clusterName: 'prod-001' }])).toBeUndefined();
  });

  test('clusters in two are named, once for the later partition', () => {
    expect(told({ maxUnavailable: 1, partitions: [STAGING, PROD, { name: 'all', clusterSelector: {} }] })).toEqual([
      {
        code: 'fleet/overlapping-partitions',
        messageId: 'overlap',
        data: {
          partition: { name: 'all', index: 2 },
          earlier: { name: 'prod', index: 1 },
          clusters: { count: 4, names: ['prod-001', 'prod-002', 'staging-001', 'staging-002'] },
        },
      },
    ]);
  });

  test('of many clusters five are named', () => {
    expect(told({ maxUnavailable: 1, partitions: [STAGING] }, inventory([...FLEET, ...clusters(40)]))[0]!.data).toEqual({
      clusters: { count: 42, names: ['cluster-001', 'cluster-002', 'cluster-003', 'cluster-004', 'cluster-005'] },
      targets: 44,
      partitions: 1,
      rest: [{ key: 'env', values: ['staging'] }],
    });
  });

  test('one that matches no cluster is empty', () => {
    expect(told({ maxUnavailable: 1, partitions: [byEnv('qa'), STAGING, PROD] })).toEqual([
      { code: 'fleet/empty-partition', messageId: 'empty', data: { partition: { name: 'qa', index: 0 }, targets: 4 } },
    ]);
  });

  test('the last one, for labels that no other has, may be empty', () => {
    const rest = { name: 'rest', clusterSelector: { matchExpressions: [{ key: 'env', operator: 'NotIn', values: ['staging', 'prod'] }] } };
    expect(told({ maxUnavailable: 1, partitions: [STAGING, PROD, rest] })).toEqual([]);
    expect(lines(bundle({ maxUnavailable: 1, partitions: [rest, STAGING, PROD] }), inventory(FLEET))).toEqual([
      'warning fleet/empty-partition spec.rolloutStrategy.partitions[0]',
    ]);
  });

  test('the last one, for clusters without a label, may be empty as well', () => {
    const rest = { name: 'rest', clusterSelector: { matchExpressions: [{ key: 'env', operator: 'DoesNotExist' }] } };
    expect(told({ maxUnavailable: 1, partitions: [STAGING, PROD, rest] })).toEqual([]);
  });

  test('one without a name is named by its place', () => {
    const { findings } = rolloutOf(
      bundle({ maxUnavailable: 1, partitions: [{ ...byEnv('qa'), name: undefined }, STAGING, PROD] }),
      inventory(FLEET),
    );
    expect(findings.map(({ message }) => message)).toEqual(['The partition at partitions[0] matches none of the 4 targeted clusters.']);
  });

  test('one that repeats another with maxUnavailable 0 is a gate, and meant so', () => {
    expect(told({ maxUnavailable: 1, partitions: [STAGING, { ...STAGING, name: 'staging-ready', maxUnavailable: 0 }, PROD] })).toEqual([]);
  });

  test('but two of them with 0 are not: nothing ever releases their clusters', () => {
    const zero = { ...STAGING, maxUnavailable: 0 };
    expect(lines(bundle({ maxUnavailable: 1, partitions: [zero, { ...zero, name: 'again' }, PROD] }), inventory(FLEET))).toEqual([
      'error fleet/zero-max-unavailable spec.rolloutStrategy.partitions[0].maxUnavailable',
      'error fleet/zero-max-unavailable spec.rolloutStrategy.partitions[1].maxUnavailable',
      'warning fleet/overlapping-partitions spec.rolloutStrategy.partitions[1]',
    ]);
  });

  test('nor is one with 0 whose criteria are others, or that stands before the one it repeats', () => {
    const limited = { ...STAGING, maxUnavailable: 1 };
    expect(lines(bundle({ maxUnavailable: 1, partitions: [limited, { ...PROD, maxUnavailable: 0 }] }), inventory(FLEET))).toEqual([
      'error fleet/zero-max-unavailable spec.rolloutStrategy.partitions[1].maxUnavailable',
    ]);
    const first = { ...STAGING, name: 'first', maxUnavailable: 0 };
    expect(lines(bundle({ maxUnavailable: 1, partitions: [first, limited, PROD] }), inventory(FLEET))).toEqual([
      'error fleet/zero-max-unavailable spec.rolloutStrategy.partitions[0].maxUnavailable',
      'warning fleet/overlapping-partitions spec.rolloutStrategy.partitions[1]',
    ]);
  });

  test('one without a criterion can never match, which says more than that it is empty', () => {
    expect(told({ maxUnavailable: 1, partitions: [STAGING, PROD, { clusterName: '' }] })).toEqual([
      { code: 'fleet/criteria-less-partition', messageId: 'noCriterion', data: { partition: { index: 2 } } },
    ]);
  });

  test('that cover each cluster once raise nothing', () => {
    expect(told({ maxUnavailable: 1, partitions: [STAGING, PROD] })).toEqual([]);
  });

  test('of a bundle without targets raise nothing: the controller does not form them', () => {
    expect(lines(bundle({ maxUnavailable: 1, partitions: [byEnv('qa')] }), inventory([]))).toEqual([]);
  });
});

describe('limits', () => {
  test('of 0 keep an update from starting, for the whole bundle or in a partition', () => {
    expect(told({ maxUnavailable: 0 })).toEqual([{ code: 'fleet/zero-max-unavailable', messageId: 'bundle', data: { value: 0 } }]);
    expect(told({ maxUnavailable: 2, partitions: [byEnv('staging', { maxUnavailable: 0 }), PROD] })).toEqual([
      { code: 'fleet/zero-max-unavailable', messageId: 'partition', data: { value: 0, partition: { name: 'staging', index: 0 } } },
    ]);
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
    expect(told({ maxUnavailable: '0%', maxUnavailablePartitions: '0%', autoPartitionSize: '-5%' })).toEqual([
      { code: 'fleet/zero-percent-is-one', messageId: 'maxUnavailable', data: { value: '0%' } },
      { code: 'fleet/zero-percent-is-one', messageId: 'maxUnavailablePartitions', data: { value: '0%' } },
      { code: 'fleet/zero-percent-is-one', messageId: 'autoPartitionSize', data: { value: '-5%' } },
    ]);
    expect(lines(bundle({ maxUnavailable: 1, partitions: [byEnv('staging', { maxUnavailable: '0%' }), PROD] }), inventory(FLEET))).toEqual([
      'info fleet/zero-percent-is-one spec.rolloutStrategy.partitions[0].maxUnavailable',
    ]);
  });

  test('that no number of failures can reach pause nothing', () => {
    expect(told({ maxUnavailablePartitions: 0, partitions: [STAGING, PROD] })).toEqual([
      {
        code: 'fleet/never-pauses',
        messageId: 'withTheseClusters',
        data: { field: 'maxUnavailablePartitions', strategy: 'spec.rolloutStrategy', limited: [], maxUnavailable: 4, targets: 4 },
      },
    ]);
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
    expect(told({ maxUnavailable: 1, partitions: [byEnv('staging', { maxUnavailable: '100%' }), PROD] })).toEqual([
      {
        code: 'fleet/partition-above-bundle-limit',
        messageId: 'throttled',
        data: { partition: { name: 'staging', index: 0 }, value: '100%', clusters: 2, partitionLimit: 2, bundleLimit: 1 },
      },
    ]);
  });

  test('of a partition that is smaller than the bundle’s limit are not', () => {
    expect(told({ maxUnavailable: 2, partitions: [byEnv('staging', { maxUnavailable: '300' }), PROD] })).toEqual([]);
  });
});

describe('a limit that reads like a threshold for batches', () => {
  const hundred = inventory(clusters(100));
  const code = (field: string) => `info fleet/batches-not-checked spec.rolloutStrategy.${field}`;
  const everyone = { name: 'all', clusterSelector: {} };

  test('is told in figures, with what to write for a check', () => {
    expect(told({ maxUnavailable: '50%' })).toEqual([
      { code: 'fleet/batches-not-checked', messageId: 'automatic', data: { partition: 'All', clusters: 4, maxUnavailable: 2 } },
    ]);
  });

  test('reconciles are told where maxNew is below the clusters', () => {
    expect([10, 100].map((maxNew) => told({ maxUnavailable: 5, maxNew }, hundred)[0]!.data)).toEqual([
      { partition: 'All', clusters: 100, maxUnavailable: 5, maxNew: 10 },
      { partition: 'All', clusters: 100, maxUnavailable: 5 },
    ]);
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
    expect(lines(bundle({ maxUnavailable: '10%' }))).toEqual([]);
  });
});

describe('what the controller refuses', () => {
  test('a limit that it cannot read: there is no strategy then, and no simulation', () => {
    const rollout = rolloutOf(bundle({ maxUnavailable: '10 %' }), inventory(FLEET));
    expect([rollout.strategy, rollout.simulation, rollout.provenance]).toEqual([null, null, []]);
    expect(rollout.findings).toEqual([
      expect.objectContaining({
        code: 'fleet/invalid-limit',
        severity: 'error',
        messageId: 'refused',
        data: { field: 'maxUnavailable', value: '10 %' },
        path: 'spec.rolloutStrategy.maxUnavailable',
      }),
    ]);
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
    [
      'autoPartitionSize below the threshold',
      { maxUnavailable: 1, autoPartitionSize: 'abc' },
      FLEET,
      'autoPartitionSize',
      'too-few-clusters',
    ],
    [
      'autoPartitionSize beside partitions',
      { maxUnavailable: 1, autoPartitionSize: 'abc', partitions: [STAGING, PROD] },
      FLEET,
      'autoPartitionSize',
      'partitions-by-hand',
    ],
    ['any limit of a bundle without targets', { maxUnavailable: 'abc' }, [], 'maxUnavailable', 'no-targets'],
  ])('but not what it never reads: %s', (_, strategy, fleet, field, because) => {
    const rollout = rolloutOf(bundle(strategy), inventory(fleet));
    expect(rollout.findings.map(({ severity, code, path }) => `${severity} ${code} ${path}`)).toEqual([
      `warning fleet/invalid-limit spec.rolloutStrategy.${field}`,
    ]);
    expect(rollout.findings[0]).toMatchObject({ messageId: 'unread', data: { field, value: 'abc', because } });
    expect(rollout.simulation).not.toBeNull();
  });

  test('nor the limit of an empty partition', () => {
    const partitions = [byEnv('qa', { maxUnavailable: 'abc' }), STAGING, PROD];
    expect(lines(bundle({ maxUnavailable: 1, partitions }), inventory(FLEET))).toEqual([
      'warning fleet/invalid-limit spec.rolloutStrategy.partitions[0].maxUnavailable',
      'warning fleet/empty-partition spec.rolloutStrategy.partitions[0]',
    ]);
    expect(told({ maxUnavailable: 1, partitions })[0]).toMatchObject({ messageId: 'unread', data: { because: 'empty-partition' } });
  });

  test('targets that are no list: they are read no further', () => {
    expect(lines(bundle({}, { targets: 'prod' }), inventory(FLEET))).toEqual(['error input/wrong-type spec.targets']);
  });

  test('a selector that it cannot read, in a target or a partition', () => {
    const broken = { matchExpressions: [{ key: 'env', operator: 'in', values: ['prod'] }] };
    expect(lines(bundle({ maxUnavailable: 1, partitions: [{ clusterSelector: broken }] }), inventory(FLEET))).toEqual([
      'error fleet/invalid-selector spec.rolloutStrategy.partitions[0].clusterSelector.matchExpressions[0].operator',
    ]);
    expect(lines(bundle({}, { targets: [{ clusterGroupSelector: broken }] }), inventory(FLEET))).toEqual([
      'error fleet/invalid-selector spec.targets[0].clusterGroupSelector.matchExpressions[0].operator',
    ]);
    expect(rolloutOf(bundle({}, { targets: [{ clusterSelector: broken }] }), inventory(FLEET)).findings[0]).toMatchObject({
      messageId: 'operator',
      data: { operator: 'in', holder: { kind: 'bundle', selector: 'spec.targets[0].clusterSelector', isRead: true } },
    });
  });

  test('but not the selector of a partition that is never read, since the bundle targets no cluster', () => {
    const partitions = [{ clusterSelector: { matchLabels: { env: 'not/a/value' } } }];
    expect(lines(bundle({ maxUnavailable: 1, partitions }), inventory([]))).toEqual([
      'warning fleet/invalid-selector spec.rolloutStrategy.partitions[0].clusterSelector.matchLabels[env]',
    ]);
    expect(told({ maxUnavailable: 1, partitions }, inventory([]))[0]).toMatchObject({
      messageId: 'labelValue',
      data: {
        value: 'not/a/value',
        holder: { kind: 'bundle', selector: 'spec.rolloutStrategy.partitions[0].clusterSelector', isRead: false },
      },
    });
  });

  test('values of another type, and a spec of null', () => {
    const strategy = { maxUnavailable: 1.5, maxNew: '5', partitions: [5, { name: 7, clusterSelector: { matchLabels: { env: true } } }] };
    expect(lines(bundle(strategy), inventory(FLEET))).toEqual([
      'error input/wrong-type spec.rolloutStrategy.maxUnavailable',
      'error kubernetes/quoted-integer spec.rolloutStrategy.maxNew',
      'error input/wrong-type spec.rolloutStrategy.partitions[0]',
      'error input/wrong-type spec.rolloutStrategy.partitions[1].name',
      'error input/wrong-type spec.rolloutStrategy.partitions[1].clusterSelector.matchLabels[env]',
    ]);
    expect(lines({ apiVersion: 'fleet.cattle.io/v1alpha1', kind: 'Bundle', metadata: { name: 5 }, spec: null })).toEqual([
      'error input/wrong-type metadata.name',
      'error input/wrong-type spec',
    ]);
  });

  test('values that no file could hold', () => {
    expect(lines(bundle({ maxUnavailable: new Date(0), partitions: [undefined] }), inventory(FLEET))).toEqual([
      'error input/wrong-type spec.rolloutStrategy.maxUnavailable',
      'error input/wrong-type spec.rolloutStrategy.partitions[0]',
    ]);
  });

  test('but null, which counts as absent', () => {
    const nulls = { maxUnavailable: null, maxNew: null, autoPartitionSize: null, partitions: null };
    expect(lines(bundle(nulls, { paused: null, dependsOn: null }), inventory(FLEET))).toEqual([]);
    expect(lines(bundle(nulls, { targets: null }), inventory(FLEET))).toEqual(['error fleet/no-target spec.targets']);
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
    expect(rolloutOf(bundle({}, spec)).findings.map(({ messageId, data }) => ({ messageId, ...data }))).toEqual([
      {
        messageId: 'choice',
        field: 'acceptedStates[0]',
        value: 'ready',
        choices: ['Ready', 'NotReady', 'Pending', 'OutOfSync', 'Modified', 'WaitApplied', 'ErrApplied'],
        by: 'Fleet',
      },
      { messageId: 'unnamedDependency', dependency: 'spec.dependsOn[1]' },
      { messageId: 'choice', field: 'targetCustomizationMode', value: 'allMatches', choices: ['FirstMatch', 'AllMatches'] },
    ]);
  });
});

describe('maxNew', () => {
  test('of 0 installs nothing', () => {
    expect(told({ maxUnavailable: 1, maxNew: 0 })).toEqual([
      { code: 'fleet/max-new-zero', messageId: 'nothingInstalled', data: { value: 0 } },
    ]);
  });

  test('before Fleet 0.16 is dropped', () => {
    expect(told({ maxNew: 0 }, { ...inventory(FLEET), versions: { fleet: '0.15' } })).toEqual([
      {
        code: 'input/unknown-field',
        messageId: 'tooNew',
        data: { field: 'maxNew', product: 'Fleet', option: 'fleet', version: '0.15', since: '0.16' },
      },
    ]);
  });
});

describe('fields that the API server drops', () => {
  test('a typing error in rolloutStrategy, with the nearest name', () => {
    const strategy = { maxUnavailble: 1, partitions: [{ name: 'all', clusterSelecter: {}, clusterSelector: {} }] };
    expect(told(strategy).slice(0, 2)).toEqual([
      {
        code: 'input/unknown-field',
        messageId: 'unknown',
        data: {
          parentPath: 'spec.rolloutStrategy',
          field: 'maxUnavailble',
          reader: 'the API server',
          nearest: 'maxUnavailable',
          knownFields: [
            'maxUnavailable',
            'maxUnavailablePartitions',
            'autoPartitionSize',
            'autoPartitionThreshold',
            'maxNew',
            'partitions',
          ],
        },
      },
      {
        code: 'input/unknown-field',
        messageId: 'unknown',
        data: {
          parentPath: 'spec.rolloutStrategy.partitions[0]',
          field: 'clusterSelecter',
          reader: 'the API server',
          nearest: 'clusterSelector',
          knownFields: ['name', 'maxUnavailable', 'clusterName', 'clusterSelector', 'clusterGroup', 'clusterGroupSelector'],
        },
      },
    ]);
  });

  test('names are told apart by case', () => {
    expect(lines(bundle({ MaxUnavailable: 1 }), inventory(FLEET))).toEqual([
      'warning input/unknown-field spec.rolloutStrategy.MaxUnavailable',
    ]);
  });
});

describe('without an inventory', () => {
  test('there is no simulation, and one finding says why, whatever the number of bundles', () => {
    const plan = planManifests([bundle({ maxUnavailable: 1 }), bundle({ maxUnavailable: 2 }, {}, { name: 'web' })]);
    expect(plan.rollouts).toMatchObject([
      { strategy: { maxUnavailable: 1 }, simulation: null, findings: [] },
      { strategy: { maxUnavailable: 2 }, simulation: null, findings: [] },
    ]);
    expect(plan.findings).toEqual([
      expect.objectContaining({ code: 'fleet/no-inventory', severity: 'info', messageId: 'noClusters', data: {}, path: '' }),
    ]);
  });

  test('a plan without bundles, or with refused ones alone, does not ask for one', () => {
    expect(planManifests([]).findings).toEqual([]);
    expect(planManifests([bundle({ maxUnavailable: 'abc' })]).findings).toEqual([]);
  });

  test('what a strategy says by itself is judged all the same', () => {
    const strategy = { maxUnavailable: 0, maxNew: 0, maxUnavailablePartitions: '0%', partitions: [{ name: 'rest' }] };
    expect(lines(bundle(strategy))).toEqual([
      'error fleet/zero-max-unavailable spec.rolloutStrategy.maxUnavailable',
      'info fleet/zero-percent-is-one spec.rolloutStrategy.maxUnavailablePartitions',
      'error fleet/criteria-less-partition spec.rolloutStrategy.partitions[0]',
      'error fleet/max-new-zero spec.rolloutStrategy.maxNew',
    ]);
  });

  test('limits of 100% never pause, whatever the clusters are', () => {
    expect(lines(bundle({ maxUnavailablePartitions: 1, autoPartitionSize: '10%' }))).toEqual([
      'warning fleet/never-pauses spec.rolloutStrategy.maxUnavailablePartitions',
    ]);
    expect(told({ maxUnavailablePartitions: 1, autoPartitionSize: '10%' }, {})[0]).toMatchObject({
      messageId: 'always',
      data: { field: 'maxUnavailablePartitions' },
    });
  });

  test('a limit that cannot be read is refused, for there will be clusters', () => {
    expect(lines(bundle({ maxUnavailable: 'abc' }))).toEqual(['error fleet/invalid-limit spec.rolloutStrategy.maxUnavailable']);
  });

  test('an inventory without clusters is one', () => {
    expect(lines(bundle({ maxUnavailable: 1 }), inventory([]))).toEqual([]);
  });
});

describe('findings about the inventory stand beside the rollouts', () => {
  test('a name of a cluster that is not there', () => {
    expect(planManifests([bundle()], { ...inventory(FLEET), neverReady: ['prod-001', 'prod-01'] }).findings).toEqual([
      expect.objectContaining({
        code: 'input/unknown-cluster',
        severity: 'warning',
        messageId: 'neverReady',
        data: { cluster: 'prod-01', clusters: 4 },
        path: '',
      }),
    ]);
  });

  test('a group with a broken selector', () => {
    const groups = [{ name: 'live', selector: { matchExpressions: [{ key: 'env', operator: 'is', values: ['prod'] }] } }];
    expect(planManifests([bundle()], inventory(FLEET, groups)).findings).toEqual([
      expect.objectContaining({
        code: 'fleet/invalid-selector',
        severity: 'error',
        messageId: 'operator',
        data: { operator: 'is', owner: { kind: 'cluster-group', name: 'live' } },
        path: 'spec.selector.matchExpressions[0].operator',
      }),
    ]);
  });

  test('a group without a selector is none', () => {
    expect(planManifests([bundle()], inventory(FLEET, [{ name: 'nobody' }])).findings).toEqual([]);
  });

  test('a Cluster, ClusterGroup or GitRepo of the wrong form is left out, each kind told by name', () => {
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
    const leftOut = { code: 'input/wrong-type', messageId: 'field', outcome: 'left-out' };
    expect(planManifests(objects).findings.map(({ code, path, messageId, data }) => ({ code, path, messageId, ...data }))).toEqual([
      { ...leftOut, path: 'metadata.name', field: 'name', kind: 'Cluster', value: { described: 'nothing' }, wanted: 'a string' },
      { ...leftOut, path: 'metadata.labels[env]', field: 'labels[env]', kind: 'Cluster', value: 1, wanted: 'a string' },
      { ...leftOut, path: 'spec.selector', field: 'selector', kind: 'ClusterGroup', value: 'env=prod', wanted: 'a map' },
      { ...leftOut, path: 'spec.paths', field: 'paths', kind: 'GitRepo', value: 'apps', wanted: 'a list of strings' },
    ]);
  });
});
