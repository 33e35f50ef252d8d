import { getSuggestedFix } from '../../../src/core/findings/finding';
import { planManifests } from '../../../src/headless';
import { unmatchedClusters } from '../../../src/systems/fleet/rules/unmatched-clusters';
import { bundle, clusters, inventory, lines, rolloutOf } from './plan';

const FLEET = [...clusters(2, 'prod', { env: 'prod' }), ...clusters(2, 'staging', { env: 'staging' })];

function byEnv(env: string, more: object = {}): object {
  return { name: env, clusterSelector: { matchLabels: { env } }, ...more };
}

const STAGING = byEnv('staging');
const PROD = byEnv('prod');

/** Returns the code, message id and data of every finding about a strategy. */
function factsOfStrategy(strategy: unknown, options = inventory(FLEET)) {
  return rolloutOf(bundle(strategy), options).findings.map(({ code, messageId, data }) => ({ code, messageId, data }));
}

describe('partitions', () => {
  test('clusters in no partition are named', () => {
    expect(factsOfStrategy({ maxUnavailable: 1, partitions: [STAGING] })).toEqual([
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

  test('the suggested fix for them is a last partition, if labels can select them', () => {
    const advised = (partitions: readonly object[]) => {
      const [finding] = rolloutOf(bundle({ maxUnavailable: 1, partitions }), inventory(FLEET)).findings;
      return getSuggestedFix(unmatchedClusters, finding!);
    };
    const rest = { name: 'rest', clusterSelector: { matchExpressions: [{ key: 'env', operator: 'NotIn', values: ['staging'] }] } };
    expect(advised([STAGING])).toEqual({
      needsDecision: true,
      edits: [{ op: 'set', path: 'spec.rolloutStrategy.partitions[1]', value: rest }],
    });
    expect(advised([{ name: 'one', clusterName: 'prod-001' }])).toBeUndefined();
  });

  test('clusters in two partitions are named once, for the later partition', () => {
    expect(factsOfStrategy({ maxUnavailable: 1, partitions: [STAGING, PROD, { name: 'all', clusterSelector: {} }] })).toEqual([
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

  test('only five of many clusters are named', () => {
    expect(factsOfStrategy({ maxUnavailable: 1, partitions: [STAGING] }, inventory([...FLEET, ...clusters(40)]))[0]!.data).toEqual({
      clusters: { count: 42, names: ['cluster-001', 'cluster-002', 'cluster-003', 'cluster-004', 'cluster-005'] },
      targets: 44,
      partitions: 1,
      rest: [{ key: 'env', values: ['staging'] }],
    });
  });

  test('a partition that matches no cluster is empty', () => {
    expect(factsOfStrategy({ maxUnavailable: 1, partitions: [byEnv('qa'), STAGING, PROD] })).toEqual([
      { code: 'fleet/empty-partition', messageId: 'empty', data: { partition: { name: 'qa', index: 0 }, targets: 4 } },
    ]);
  });

  test('a last partition for all other labels may be empty', () => {
    const rest = { name: 'rest', clusterSelector: { matchExpressions: [{ key: 'env', operator: 'NotIn', values: ['staging', 'prod'] }] } };
    expect(factsOfStrategy({ maxUnavailable: 1, partitions: [STAGING, PROD, rest] })).toEqual([]);
    expect(lines(bundle({ maxUnavailable: 1, partitions: [rest, STAGING, PROD] }), inventory(FLEET))).toEqual([
      'warning fleet/empty-partition spec.rolloutStrategy.partitions[0]',
    ]);
  });

  test('a last partition for clusters without a label may be empty too', () => {
    const rest = { name: 'rest', clusterSelector: { matchExpressions: [{ key: 'env', operator: 'DoesNotExist' }] } };
    expect(factsOfStrategy({ maxUnavailable: 1, partitions: [STAGING, PROD, rest] })).toEqual([]);
  });

  test('a partition without a name is reported by its path', () => {
    const { findings } = rolloutOf(
      bundle({ maxUnavailable: 1, partitions: [{ ...byEnv('qa'), name: undefined }, STAGING, PROD] }),
      inventory(FLEET),
    );
    expect(findings.map(({ message }) => message)).toEqual(['The partition at partitions[0] matches none of the 4 targeted clusters.']);
  });

  test('a partition that repeats another one with maxUnavailable 0 is an intended gate', () => {
    expect(
      factsOfStrategy({ maxUnavailable: 1, partitions: [STAGING, { ...STAGING, name: 'staging-ready', maxUnavailable: 0 }, PROD] }),
    ).toEqual([]);
  });

  test('two such partitions with 0 are not gates, because nothing ever releases their clusters', () => {
    const zero = { ...STAGING, maxUnavailable: 0 };
    expect(lines(bundle({ maxUnavailable: 1, partitions: [zero, { ...zero, name: 'again' }, PROD] }), inventory(FLEET))).toEqual([
      'error fleet/zero-max-unavailable spec.rolloutStrategy.partitions[0].maxUnavailable',
      'error fleet/zero-max-unavailable spec.rolloutStrategy.partitions[1].maxUnavailable',
      'warning fleet/overlapping-partitions spec.rolloutStrategy.partitions[1]',
    ]);
  });

  test('a partition with 0 is not a gate if its criteria differ or it comes before the one it repeats', () => {
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

  test('a partition without a criterion can never match, which is reported instead of the empty partition', () => {
    expect(factsOfStrategy({ maxUnavailable: 1, partitions: [STAGING, PROD, { clusterName: '' }] })).toEqual([
      { code: 'fleet/criteria-less-partition', messageId: 'noCriterion', data: { partition: { index: 2 } } },
    ]);
  });

  test('partitions that contain each cluster once have no findings', () => {
    expect(factsOfStrategy({ maxUnavailable: 1, partitions: [STAGING, PROD] })).toEqual([]);
  });

  test('partitions of a bundle without targets have no findings, because the controller does not form them', () => {
    expect(lines(bundle({ maxUnavailable: 1, partitions: [byEnv('qa')] }), inventory([]))).toEqual([]);
  });
});

describe('limits', () => {
  test('of 0 keep an update from starting, for the entire bundle or in a partition', () => {
    expect(factsOfStrategy({ maxUnavailable: 0 })).toEqual([
      { code: 'fleet/zero-max-unavailable', messageId: 'bundle', data: { value: 0 } },
    ]);
    expect(factsOfStrategy({ maxUnavailable: 2, partitions: [byEnv('staging', { maxUnavailable: 0 }), PROD] })).toEqual([
      { code: 'fleet/zero-max-unavailable', messageId: 'partition', data: { value: 0, partition: { name: 'staging', index: 0 } } },
    ]);
    expect(lines(bundle({ maxUnavailable: 2, partitions: [byEnv('staging', { maxUnavailable: 0 }), PROD] }), inventory(FLEET))).toEqual([
      'error fleet/zero-max-unavailable spec.rolloutStrategy.partitions[0].maxUnavailable',
    ]);
  });

  test('of 0 in an empty partition are 1, so only the empty partition is reported', () => {
    expect(lines(bundle({ maxUnavailable: 1, partitions: [byEnv('qa', { maxUnavailable: 0 }), STAGING, PROD] }), inventory(FLEET))).toEqual(
      ['warning fleet/empty-partition spec.rolloutStrategy.partitions[0]'],
    );
  });

  test('of 0 percent are 1, each with its own message', () => {
    expect(factsOfStrategy({ maxUnavailable: '0%', maxUnavailablePartitions: '0%', autoPartitionSize: '-5%' })).toEqual([
      { code: 'fleet/zero-percent-is-one', messageId: 'maxUnavailable', data: { value: '0%' } },
      { code: 'fleet/zero-percent-is-one', messageId: 'maxUnavailablePartitions', data: { value: '0%' } },
      { code: 'fleet/zero-percent-is-one', messageId: 'autoPartitionSize', data: { value: '-5%' } },
    ]);
    expect(lines(bundle({ maxUnavailable: 1, partitions: [byEnv('staging', { maxUnavailable: '0%' }), PROD] }), inventory(FLEET))).toEqual([
      'info fleet/zero-percent-is-one spec.rolloutStrategy.partitions[0].maxUnavailable',
    ]);
  });

  test('that no number of failures can reach pause nothing', () => {
    expect(factsOfStrategy({ maxUnavailablePartitions: 0, partitions: [STAGING, PROD] })).toEqual([
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
  ])('only %s pauses nothing', (_, strategy) => {
    expect(lines(bundle(strategy), inventory(FLEET))).toEqual([expect.stringMatching(/^warning fleet\/never-pauses/)]);
  });

  test.each([
    ['nothing is set, so nothing is expected', {}],
    ['only a limit is set', { maxUnavailable: '100%' }],
    ['the bundle has a limit', { maxUnavailable: 1, maxUnavailablePartitions: 0 }],
    ['the bundle-wide limit applies even if the partitions never count as unavailable', { maxUnavailable: 3, partitions: [STAGING, PROD] }],
  ])('no finding: %s', (_, strategy) => {
    expect(lines(bundle(strategy), inventory(FLEET))).toEqual([]);
  });

  test('of a partition above the bundle’s are throttled', () => {
    expect(factsOfStrategy({ maxUnavailable: 1, partitions: [byEnv('staging', { maxUnavailable: '100%' }), PROD] })).toEqual([
      {
        code: 'fleet/partition-above-bundle-limit',
        messageId: 'throttled',
        data: { partition: { name: 'staging', index: 0 }, value: '100%', clusters: 2, partitionLimit: 2, bundleLimit: 1 },
      },
    ]);
  });

  test('of a partition that is smaller than the bundle’s limit are not throttled', () => {
    expect(factsOfStrategy({ maxUnavailable: 2, partitions: [byEnv('staging', { maxUnavailable: '300' }), PROD] })).toEqual([]);
  });
});

describe('a limit that looks like a threshold for batches', () => {
  const hundred = inventory(clusters(100));
  const code = (field: string) => `info fleet/batches-not-checked spec.rolloutStrategy.${field}`;
  const everyone = { name: 'all', clusterSelector: {} };

  test('is reported with its numbers', () => {
    expect(factsOfStrategy({ maxUnavailable: '50%' })).toEqual([
      { code: 'fleet/batches-not-checked', messageId: 'automatic', data: { partition: 'All', clusters: 4, maxUnavailable: 2 } },
    ]);
  });

  test('reports reconciles if maxNew is below the number of clusters', () => {
    expect([10, 100].map((maxNew) => factsOfStrategy({ maxUnavailable: 5, maxNew }, hundred)[0]!.data)).toEqual([
      { partition: 'All', clusters: 100, maxUnavailable: 5, maxNew: 10 },
      { partition: 'All', clusters: 100, maxUnavailable: 5 },
    ]);
  });

  test('is reported once per bundle, at the field that sets the limit of the first such partition', () => {
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
    ['a percentage that resolves to 1 is too', { maxUnavailable: '1%' }],
    ['the entire partition may be unavailable', { maxUnavailable: 100 }],
    ['a gate checks', { maxUnavailable: 5, partitions: [everyone, { ...everyone, name: 'all-ready', maxUnavailable: 0 }] }],
  ])('no finding: %s', (_, strategy) => {
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
  ])('another finding is reported instead: %s', (_, strategy, other) => {
    expect(lines(bundle(strategy), hundred)).toEqual([expect.stringContaining(other)]);
  });

  test('no finding without an inventory', () => {
    expect(lines(bundle({ maxUnavailable: '10%' }))).toEqual([]);
  });
});

describe('what the controller refuses', () => {
  test('includes a limit that it cannot read: there is then no strategy and no simulation', () => {
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
      'autoPartitionSize next to partitions',
      { maxUnavailable: 1, autoPartitionSize: 'abc', partitions: [STAGING, PROD] },
      FLEET,
      'autoPartitionSize',
      'partitions-by-hand',
    ],
    ['any limit of a bundle without targets', { maxUnavailable: 'abc' }, [], 'maxUnavailable', 'no-targets'],
  ])('does not include a limit that it never reads: %s', (_, strategy, fleet, field, reason) => {
    const rollout = rolloutOf(bundle(strategy), inventory(fleet));
    expect(rollout.findings.map(({ severity, code, path }) => `${severity} ${code} ${path}`)).toEqual([
      `warning fleet/invalid-limit spec.rolloutStrategy.${field}`,
    ]);
    expect(rollout.findings[0]).toMatchObject({ messageId: 'unread', data: { field, value: 'abc', reason } });
    expect(rollout.simulation).not.toBeNull();
  });

  test('does not include the limit of an empty partition', () => {
    const partitions = [byEnv('qa', { maxUnavailable: 'abc' }), STAGING, PROD];
    expect(lines(bundle({ maxUnavailable: 1, partitions }), inventory(FLEET))).toEqual([
      'warning fleet/invalid-limit spec.rolloutStrategy.partitions[0].maxUnavailable',
      'warning fleet/empty-partition spec.rolloutStrategy.partitions[0]',
    ]);
    expect(factsOfStrategy({ maxUnavailable: 1, partitions })[0]).toMatchObject({
      messageId: 'unread',
      data: { reason: 'empty-partition' },
    });
  });

  test('includes targets that are not a list', () => {
    expect(lines(bundle({}, { targets: 'prod' }), inventory(FLEET))).toEqual(['error input/wrong-type spec.targets']);
  });

  test('includes a selector that it cannot read, in a target or a partition', () => {
    const broken = { matchExpressions: [{ key: 'env', operator: 'in', values: ['prod'] }] };
    expect(lines(bundle({ maxUnavailable: 1, partitions: [{ clusterSelector: broken }] }), inventory(FLEET))).toEqual([
      'error fleet/invalid-selector spec.rolloutStrategy.partitions[0].clusterSelector.matchExpressions[0].operator',
    ]);
    expect(lines(bundle({}, { targets: [{ clusterGroupSelector: broken }] }), inventory(FLEET))).toEqual([
      'error fleet/invalid-selector spec.targets[0].clusterGroupSelector.matchExpressions[0].operator',
    ]);
    expect(rolloutOf(bundle({}, { targets: [{ clusterSelector: broken }] }), inventory(FLEET)).findings[0]).toMatchObject({
      messageId: 'operator',
      data: { operator: 'in', owner: { kind: 'bundle', selector: 'spec.targets[0].clusterSelector', isRead: true } },
    });
  });

  test('does not include the selector of a partition if the bundle targets no cluster', () => {
    const partitions = [{ clusterSelector: { matchLabels: { env: 'not/a/value' } } }];
    expect(lines(bundle({ maxUnavailable: 1, partitions }), inventory([]))).toEqual([
      'warning fleet/invalid-selector spec.rolloutStrategy.partitions[0].clusterSelector.matchLabels[env]',
    ]);
    expect(factsOfStrategy({ maxUnavailable: 1, partitions }, inventory([]))[0]).toMatchObject({
      messageId: 'labelValue',
      data: {
        value: 'not/a/value',
        owner: { kind: 'bundle', selector: 'spec.rolloutStrategy.partitions[0].clusterSelector', isRead: false },
      },
    });
  });

  test('includes values of the wrong type, and a spec of null', () => {
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

  test('includes values that a file cannot contain', () => {
    expect(lines(bundle({ maxUnavailable: new Date(0), partitions: [undefined] }), inventory(FLEET))).toEqual([
      'error input/wrong-type spec.rolloutStrategy.maxUnavailable',
      'error input/wrong-type spec.rolloutStrategy.partitions[0]',
    ]);
  });

  test('does not include null, which counts as unset', () => {
    const nulls = { maxUnavailable: null, maxNew: null, autoPartitionSize: null, partitions: null };
    expect(lines(bundle(nulls, { paused: null, dependsOn: null }), inventory(FLEET))).toEqual([]);
    expect(lines(bundle(nulls, { targets: null }), inventory(FLEET))).toEqual(['error fleet/no-target spec.targets']);
    expect(lines(bundle(null), inventory(FLEET))).toEqual([]);
    expect(rolloutOf(bundle(nulls), inventory(FLEET)).provenance.every(({ layer }) => layer === 'fleet-default')).toBe(true);
  });

  test('includes a customization mode or a dependency state that does not exist', () => {
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
    expect(factsOfStrategy({ maxUnavailable: 1, maxNew: 0 })).toEqual([
      { code: 'fleet/max-new-zero', messageId: 'nothingInstalled', data: { value: 0 } },
    ]);
  });

  test('is dropped before Fleet 0.16', () => {
    expect(factsOfStrategy({ maxNew: 0 }, { ...inventory(FLEET), versions: { fleet: '0.15' } })).toEqual([
      {
        code: 'input/unknown-field',
        messageId: 'tooNew',
        data: { field: 'maxNew', product: 'Fleet', option: 'fleet', version: '0.15', since: '0.16' },
      },
    ]);
  });
});

describe('fields that the API server drops', () => {
  test('include a typo in rolloutStrategy, which is reported with the nearest name', () => {
    const strategy = { maxUnavailble: 1, partitions: [{ name: 'all', clusterSelecter: {}, clusterSelector: {} }] };
    expect(factsOfStrategy(strategy).slice(0, 2)).toEqual([
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

  test('include names with different case', () => {
    expect(lines(bundle({ MaxUnavailable: 1 }), inventory(FLEET))).toEqual([
      'warning input/unknown-field spec.rolloutStrategy.MaxUnavailable',
    ]);
  });
});

describe('without an inventory', () => {
  test('there is no simulation, and one finding says why, for any number of bundles', () => {
    const plan = planManifests([bundle({ maxUnavailable: 1 }), bundle({ maxUnavailable: 2 }, {}, { name: 'web' })]);
    expect(plan.rollouts).toMatchObject([
      { strategy: { maxUnavailable: 1 }, simulation: null, findings: [] },
      { strategy: { maxUnavailable: 2 }, simulation: null, findings: [] },
    ]);
    expect(plan.findings).toEqual([
      expect.objectContaining({ code: 'fleet/no-inventory', severity: 'info', messageId: 'noClusters', data: {}, path: '' }),
    ]);
  });

  test('a plan without bundles, or with only refused ones, does not need an inventory', () => {
    expect(planManifests([]).findings).toEqual([]);
    expect(planManifests([bundle({ maxUnavailable: 'abc' })]).findings).toEqual([]);
  });

  test('the strategy itself is still validated', () => {
    const strategy = { maxUnavailable: 0, maxNew: 0, maxUnavailablePartitions: '0%', partitions: [{ name: 'rest' }] };
    expect(lines(bundle(strategy))).toEqual([
      'error fleet/zero-max-unavailable spec.rolloutStrategy.maxUnavailable',
      'info fleet/zero-percent-is-one spec.rolloutStrategy.maxUnavailablePartitions',
      'error fleet/criteria-less-partition spec.rolloutStrategy.partitions[0]',
      'error fleet/max-new-zero spec.rolloutStrategy.maxNew',
    ]);
  });

  test('limits of 100% never pause, with any clusters', () => {
    expect(lines(bundle({ maxUnavailablePartitions: 1, autoPartitionSize: '10%' }))).toEqual([
      'warning fleet/never-pauses spec.rolloutStrategy.maxUnavailablePartitions',
    ]);
    expect(factsOfStrategy({ maxUnavailablePartitions: 1, autoPartitionSize: '10%' }, {})[0]).toMatchObject({
      messageId: 'always',
      data: { field: 'maxUnavailablePartitions' },
    });
  });

  test('a limit that cannot be read is refused, because there will be clusters', () => {
    expect(lines(bundle({ maxUnavailable: 'abc' }))).toEqual(['error fleet/invalid-limit spec.rolloutStrategy.maxUnavailable']);
  });

  test('an inventory without clusters counts as an inventory', () => {
    expect(lines(bundle({ maxUnavailable: 1 }), inventory([]))).toEqual([]);
  });
});

describe('findings about the inventory are not part of a rollout', () => {
  test('an unknown cluster name is reported', () => {
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

  test('a group with an invalid selector is reported', () => {
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

  test('a group without a selector has no finding', () => {
    expect(planManifests([bundle()], inventory(FLEET, [{ name: 'empty' }])).findings).toEqual([]);
  });

  test('a malformed Cluster, ClusterGroup or GitRepo is ignored and reported with its kind', () => {
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
    const ignored = { code: 'input/wrong-type', messageId: 'field', outcome: 'left-out' };
    expect(planManifests(objects).findings.map(({ code, path, messageId, data }) => ({ code, path, messageId, ...data }))).toEqual([
      { ...ignored, path: 'metadata.name', field: 'name', kind: 'Cluster', value: { described: 'undefined' }, expectedType: 'a string' },
      { ...ignored, path: 'metadata.labels[env]', field: 'labels[env]', kind: 'Cluster', value: 1, expectedType: 'a string' },
      { ...ignored, path: 'spec.selector', field: 'selector', kind: 'ClusterGroup', value: 'env=prod', expectedType: 'a map' },
      { ...ignored, path: 'spec.paths', field: 'paths', kind: 'GitRepo', value: 'apps', expectedType: 'a list of strings' },
    ]);
  });
});
