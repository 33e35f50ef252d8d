import type { PlanOptions } from '../../../src/headless';
import { bundle, clusters, inventory, rolloutOf, simulationOf } from './plan';

const FLEET = [...clusters(2, 'prod', { env: 'prod' }), ...clusters(2, 'staging', { env: 'staging' })];

const LIVE = { name: 'live', labels: { kind: 'big' }, selector: { matchLabels: { env: 'prod' } } };

/** Returns the clusters that a Bundle with this spec is deployed to. */
function targetsOf(spec: object, options: PlanOptions = inventory(FLEET, [LIVE]), metadata?: object): string {
  return simulationOf(bundle(undefined, spec, metadata), options).partitions[0]!.clusters!.join(' ');
}

/** Returns the customization that applies to each cluster and the overridden ones. */
function customizationsOf(spec: object): string[] {
  return rolloutOf(bundle(undefined, spec), inventory(FLEET, [LIVE]))
    .provenance.filter(({ layer }) => layer === 'target-customization')
    .map(
      ({ field, value, reason, overridden }) =>
        `${field} = ${JSON.stringify(value)} (${reason})${overridden.map((lost) => `, over ${String(lost.value)}`).join('')}`,
    );
}

describe('the targets of a Bundle', () => {
  test.each([
    ['by label', { targets: [{ clusterSelector: { matchLabels: { env: 'prod' } } }] }, 'prod-001 prod-002'],
    ['by group', { targets: [{ clusterGroup: 'live' }] }, 'prod-001 prod-002'],
    ['by labels of groups', { targets: [{ clusterGroupSelector: { matchLabels: { kind: 'big' } } }] }, 'prod-001 prod-002'],
    ['by name', { targets: [{ clusterName: 'staging-002' }] }, 'staging-002'],
    ['by any of several targets', { targets: [{ clusterName: 'staging-002' }, { clusterGroup: 'live' }] }, 'prod-001 prod-002 staging-002'],
    ['without a criterion, which matches nothing', { targets: [{ name: 'all' }] }, ''],
    [
      'with doNotDeploy in the first matching target',
      { targets: [{ clusterName: 'prod-001', doNotDeploy: true }, { clusterGroup: 'live' }] },
      'prod-002',
    ],
    ['without targets, which match nothing', { targets: [] }, ''],
  ])('%s', (_, spec, names) => {
    expect(targetsOf(spec)).toBe(names);
  });

  test('a restriction must match with the same group as the target', () => {
    const groups = [LIVE, { name: 'all', selector: {} }];
    const spec = { targets: [{ clusterGroup: 'live' }], targetRestrictions: [{ clusterGroup: 'all' }] };
    expect(targetsOf(spec, inventory(FLEET, groups))).toBe('');
    expect(targetsOf({ ...spec, targetRestrictions: [{ clusterGroup: 'live' }] }, inventory(FLEET, groups))).toBe('prod-001 prod-002');
  });

  test('are in its own namespace, including clusters without a namespace', () => {
    const fleet = [{ name: 'here', namespace: 'fleet-default' }, { name: 'there', namespace: 'fleet-local' }, { name: 'anywhere' }];
    expect(targetsOf({}, inventory(fleet), { name: 'shop', namespace: 'fleet-default' })).toBe('anywhere here');
    expect(targetsOf({}, inventory(fleet))).toBe('anywhere here there');
  });

  test('a group contains only clusters in its own namespace', () => {
    const groups = [
      {
        apiVersion: 'fleet.cattle.io/v1alpha1',
        kind: 'ClusterGroup',
        metadata: { name: 'all', namespace: 'fleet-local' },
        spec: { selector: {} },
      },
    ];
    const options = {
      clusters: [
        {
          clusters: [
            { name: 'here', namespace: 'fleet-default' },
            { name: 'local', namespace: 'fleet-local' },
          ],
        },
        ...groups,
      ],
    };
    expect(targetsOf({ targets: [{ clusterGroup: 'all' }] }, options)).toBe('local');
  });

  test('those of a HelmOp select the same clusters', () => {
    const helmOp = {
      apiVersion: 'fleet.cattle.io/v1alpha1',
      kind: 'HelmOp',
      metadata: { name: 'chart', namespace: 'fleet-default' },
      spec: { helm: { chart: 'nginx' }, targets: [{ clusterGroup: 'live' }] },
    };
    const rollout = rolloutOf(helmOp, inventory(FLEET, [LIVE]));
    expect(rollout.resource).toEqual({ apiVersion: 'fleet.cattle.io/v1alpha1', kind: 'HelmOp', namespace: 'fleet-default', name: 'chart' });
    expect(simulationOf(helmOp, inventory(FLEET, [LIVE])).partitions[0]!.clusters).toEqual(['prod-001', 'prod-002']);
  });
});

describe('customizations: the targets before those that are copied to the restrictions', () => {
  const everywhere = { clusterSelector: {} };
  const prod = { name: 'prod', clusterSelector: { matchLabels: { env: 'prod' } } };
  const all = { clusterSelector: {}, namespace: 'all' };
  const spec = (customizations: readonly object[], more: object = {}) => ({
    targets: [...customizations, everywhere],
    targetRestrictions: [everywhere],
    ...more,
  });

  test('FirstMatch: the first match applies, and provenance lists the overridden ones', () => {
    expect(customizationsOf(spec([prod, all]))).toMatchInlineSnapshot(`
[
  "targetCustomizations[prod-001] = "prod" (FirstMatch: the first matching customization applies), over target001",
  "targetCustomizations[prod-002] = "prod" (FirstMatch: the first matching customization applies), over target001",
  "targetCustomizations[staging-001] = "target001" (FirstMatch: the first matching customization applies)",
  "targetCustomizations[staging-002] = "target001" (FirstMatch: the first matching customization applies)",
]
`);
  });

  test('AllMatches: all are merged in order', () => {
    expect(customizationsOf(spec([prod, all], { targetCustomizationMode: 'AllMatches' }))).toMatchInlineSnapshot(`
[
  "targetCustomizations[prod-001] = ["prod","target001"] (AllMatches: all matching customizations are merged in order)",
  "targetCustomizations[prod-002] = ["prod","target001"] (AllMatches: all matching customizations are merged in order)",
  "targetCustomizations[staging-001] = ["target001"] (AllMatches: all matching customizations are merged in order)",
  "targetCustomizations[staging-002] = ["target001"] (AllMatches: all matching customizations are merged in order)",
]
`);
  });

  test('AllMatches was added in Fleet 0.16; before, the first match applies', () => {
    const rollout = rolloutOf(bundle(undefined, spec([prod, all], { targetCustomizationMode: 'AllMatches' })), {
      ...inventory(FLEET),
      versions: { fleet: '0.15' },
    });
    expect(rollout.provenance.filter(({ layer }) => layer === 'target-customization').map(({ value }) => value)).toEqual([
      'prod',
      'prod',
      'target001',
      'target001',
    ]);
    expect(rollout.findings.map(({ code, path }) => `${code} ${path}`)).toEqual(['input/unknown-field spec.targetCustomizationMode']);
  });

  test('doNotDeploy of the applied customization excludes a cluster', () => {
    const skip = { name: 'skip', clusterName: 'prod-001', doNotDeploy: true };
    expect(targetsOf(spec([skip, all]))).toBe('prod-002 staging-001 staging-002');
    expect(customizationsOf(spec([skip, all]))[0]).toBe(
      'targetCustomizations[prod-001] = "skip" (FirstMatch: the first matching customization applies; doNotDeploy excludes the cluster), over target001',
    );
  });

  test('an earlier, broader customization hides doNotDeploy with FirstMatch, but not with AllMatches', () => {
    const skip = { clusterName: 'prod-001', doNotDeploy: true };
    expect(targetsOf(spec([all, skip]))).toBe('prod-001 prod-002 staging-001 staging-002');
    expect(targetsOf(spec([all, skip], { targetCustomizationMode: 'AllMatches' }))).toBe('prod-002 staging-001 staging-002');
  });

  test('a customization never adds a cluster', () => {
    expect(targetsOf({ targets: [all, prod], targetRestrictions: [prod] })).toBe('prod-001 prod-002');
  });

  test('without restrictions every target deploys', () => {
    expect([targetsOf({ targets: [prod, all] }), customizationsOf({ targets: [prod, all] })]).toEqual([
      'prod-001 prod-002 staging-001 staging-002',
      [],
    ]);
  });
});

describe('provenance of the limits', () => {
  test('lists the partition’s own limit, the rollout’s and Fleet’s default', () => {
    const strategy = {
      maxUnavailable: '10%',
      partitions: [
        { name: 'staging', clusterSelector: { matchLabels: { env: 'staging' } }, maxUnavailable: 1 },
        { clusterSelector: { matchLabels: { env: 'prod' } } },
      ],
    };
    const { provenance } = rolloutOf(bundle(strategy), inventory(FLEET));
    expect(
      provenance.map(
        ({ field, value, layer, overridden }) =>
          `${field} ${String(value)} (${layer})${overridden.map((lost) => ` over ${lost.layer} ${String(lost.value)}`).join('')}`,
      ),
    ).toEqual([
      'maxUnavailable 10% (rollout-strategy) over fleet-default 100%',
      'maxUnavailable 1 (partition staging) over rollout-strategy 10% over fleet-default 100%',
      'maxUnavailablePartitions 0 (fleet-default)',
      'maxNew 50 (fleet-default)',
    ]);
  });

  test('explains why a level is overridden: the bundle-wide limit applies in addition to a partition’s own', () => {
    const partitions = [{ name: 'staging', clusterSelector: { matchLabels: { env: 'staging' } }, maxUnavailable: 1 }];
    const { provenance } = rolloutOf(bundle({ maxUnavailable: '10%', partitions }), inventory(FLEET));
    expect(provenance.slice(0, 2).map(({ layer, reason, overridden }) => ({ layer, reason, overridden }))).toEqual([
      {
        layer: 'rollout-strategy',
        reason: 'rolloutStrategy sets maxUnavailable',
        overridden: [{ layer: 'fleet-default', value: '100%', reason: 'applies only if rolloutStrategy has no maxUnavailable' }],
      },
      {
        layer: 'partition staging',
        reason: 'a partition’s own maxUnavailable applies within it',
        overridden: [
          { layer: 'rollout-strategy', value: '10%', reason: 'also applies, to the clusters of all partitions together' },
          {
            layer: 'fleet-default',
            value: '100%',
            reason: 'applies only if neither the partition nor rolloutStrategy has maxUnavailable',
          },
        ],
      },
    ]);
  });

  test('without a strategy every limit is the default, and the strategy is {}', () => {
    const rollout = rolloutOf(bundle(), inventory(FLEET));
    expect(rollout.strategy).toEqual({});
    expect(rollout.provenance.map(({ field, value, layer }) => `${field} ${String(value)} (${layer})`)).toEqual([
      'maxUnavailable 100% (fleet-default)',
      'maxUnavailablePartitions 0 (fleet-default)',
      'autoPartitionSize 25% (fleet-default)',
      'autoPartitionThreshold 200 (fleet-default)',
      'maxNew 50 (fleet-default)',
    ]);
  });
});

test('clusters without labels are matched only by name or by the absence of a label', () => {
  const bare = [{ name: 'a' }, { name: 'b' }, { name: 'c', labels: { env: 'prod' } }];
  const deployedTo = (target: object) => simulationOf(bundle({}, { targets: [target] }), inventory(bare)).partitions[0]!.clusters;
  expect(deployedTo({ clusterName: 'a' })).toEqual(['a']);
  expect(deployedTo({ clusterSelector: { matchLabels: { env: 'prod' } } })).toEqual(['c']);
  expect(deployedTo({ clusterSelector: { matchExpressions: [{ key: 'env', operator: 'DoesNotExist' }] } })).toEqual(['a', 'b']);
  expect(deployedTo({ clusterName: 'a', clusterSelector: { matchLabels: { env: 'prod' } } })).toEqual([]);
});
