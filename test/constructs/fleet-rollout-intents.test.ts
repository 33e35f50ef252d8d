/* oxlint-disable unicorn/no-thenable -- `then` is what a canary's props call the partitions behind it */
import { App, Chart } from 'cdk8s';
import { assert, constantFrom, integer, pre, property } from 'fast-check';
import { automaticPartitions, canary, FleetBundle, Inventory, partitionsByLabel } from 'rolloutkit';
import type { FleetRolloutProps } from 'rolloutkit';
import type { FleetSimulation } from '../../src/core/simulations/fleet';
import { planManifests } from '../../src/headless';
import { renderPlanText } from '../../src/render/text/plan';
import { synthError, withoutPlaces } from './synth-error';
import { scaleRuns } from '../setup/scale-runs';

const EVERYWHERE = [{ clusterSelector: {} }];

/** Returns `count` clusters with a name prefix and these labels. */
function clusters(name: string, count: number, labels: Record<string, string> = {}): object[] {
  return Array.from({ length: count }, (_, index) => ({ name: `${name}-${String(index + 1).padStart(3, '0')}`, labels }));
}

const FLEET = Inventory.of({ clusters: [...clusters('prod', 6, { env: 'prod' }), ...clusters('staging', 3, { env: 'staging' })] });

function bundleOf(rollout: FleetRolloutProps, inventory?: Inventory, fleet?: string): FleetBundle {
  const chart = new Chart(new App(), 'fleet', { namespace: 'fleet-default' });
  return new FleetBundle(chart, 'shop', { targets: EVERYWHERE, rollout, inventory, fleet });
}

function strategyOf(rollout: FleetRolloutProps, inventory?: Inventory) {
  return bundleOf(rollout, inventory).rolloutStrategy;
}

/** Simulates the controller with the emitted Bundle, without knowledge of the intent. */
function simulationOf(
  rollout: FleetRolloutProps,
  inventory: Inventory,
  neverReady: readonly string[] = [],
  fleet?: string,
): FleetSimulation {
  const options = { clusters: { clusters: inventory.clusters, groups: inventory.groups }, neverReady, versions: { fleet } };
  const { simulation } = planManifests([bundleOf(rollout, inventory, fleet).apiObject.toJson()], options).rollouts[0]!;
  return simulation as FleetSimulation;
}

function countsOf({ waves }: FleetSimulation['install']): number[] {
  return waves.map(({ count }) => count);
}

describe('manual partitions', () => {
  test('by a label: one for each value, and a last one for all other clusters', () => {
    expect(strategyOf({ partitions: partitionsByLabel('env', ['staging', 'prod'], { prod: '10%' }) }).partitions).toEqual([
      { name: 'staging', clusterSelector: { matchLabels: { env: 'staging' } } },
      { name: 'prod', clusterSelector: { matchLabels: { env: 'prod' } }, maxUnavailable: '10%' },
      { name: 'rest', clusterSelector: { matchExpressions: [{ key: 'env', operator: 'NotIn', values: ['staging', 'prod'] }] } },
    ]);
  });

  test('so that no cluster is left out', () => {
    const fleet = Inventory.of({ clusters: [...FLEET.clusters, { name: 'unlabelled' }, { name: 'qa', labels: { env: 'qa' } }] as never });
    const rollout = { maxUnavailable: 1, partitions: partitionsByLabel('env', ['staging', 'prod']) } as const;
    expect(simulationOf(rollout, fleet)).toMatchObject({
      unpartitionedCount: 0,
      partitions: [{ count: 3 }, { count: 6 }, { name: 'rest', clusters: ['qa', 'unlabelled'] }],
    });
    expect(simulationOf({ ...rollout, catchAll: false }, fleet)).toMatchObject({
      unpartitioned: ['qa', 'unlabelled'],
      partitions: [{ count: 3 }, { count: 6 }],
    });
  });

  test.each<[what: string, partitions: NonNullable<FleetRolloutProps['partitions']>, rest: object | undefined]>([
    ['one of them already selects everything', [{ name: 'all', clusterSelector: {} }], undefined],
    [
      'the last one already selects all others',
      [
        { clusterSelector: { matchLabels: { a: 'b' } } },
        { clusterSelector: { matchExpressions: [{ key: 'a', operator: 'NotIn', values: ['b'] }] } },
      ],
      undefined,
    ],
    [
      'null is written for a field of its selector',
      [{ clusterSelector: { matchLabels: null as never, matchExpressions: [{ key: 'canary', operator: 'Exists' }] } }],
      { matchExpressions: [{ key: 'canary', operator: 'DoesNotExist' }] },
    ],
    [
      'one of them requires that a label exists',
      [{ clusterSelector: { matchExpressions: [{ key: 'canary', operator: 'Exists' }] } }],
      { matchExpressions: [{ key: 'canary', operator: 'DoesNotExist' }] },
    ],
    [
      'no selector can express the other clusters',
      [{ clusterSelector: { matchLabels: { a: 'b', c: 'd' } } }, { clusterName: 'paris' }],
      {},
    ],
  ])('the added partition if %s', (_, partitions, rest) => {
    const last = strategyOf({ partitions }).partitions!.at(-1)!;
    expect(last.name === 'rest' ? last.clusterSelector : undefined).toEqual(rest);
  });
});

describe('a canary', () => {
  test('is followed by a gate: no other partition begins until it is ready, in an install and in an update', () => {
    const rollout = { maxUnavailable: '100%', partitions: canary({ clusters: { matchLabels: { env: 'staging' } } }) } as const;
    expect(strategyOf(rollout).partitions).toEqual([
      { name: 'canary', clusterSelector: { matchLabels: { env: 'staging' } } },
      { name: 'canary-ready', clusterSelector: { matchLabels: { env: 'staging' } }, maxUnavailable: 0 },
      { name: 'rest', clusterSelector: { matchExpressions: [{ key: 'env', operator: 'NotIn', values: ['staging'] }] } },
    ]);
    expect(simulationOf(rollout, FLEET)).toMatchObject({
      install: { waves: [{ count: 3 }, { count: 6 }] },
      update: { waves: [{ count: 3 }, { count: 6 }] },
    });
    expect(simulationOf(rollout, FLEET, ['staging-002'])).toMatchObject({
      install: { waves: [{ count: 3 }], halted: { partition: 'canary-ready', unavailablePartitions: 1 } },
      update: { waves: [{ count: 3 }], halted: { partition: 'canary-ready', unavailablePartitions: 1 } },
    });
  });

  test('of one cluster also delays the others, which no limit of Fleet on one cluster can do', () => {
    const rollout = { partitions: canary({ clusters: 1, then: partitionsByLabel('env', ['staging', 'prod']) }) };
    const { install, update } = simulationOf(rollout, FLEET, ['prod-001']);
    expect([countsOf(install), countsOf(update), install.notReleasedCount, update.notReleasedCount]).toEqual([[1], [1], 8, 8]);
    expect(countsOf(simulationOf(rollout, FLEET).update)).toEqual([1, 8]);
  });

  test('of a number of clusters selects the first by name, by a distinguishing label if they have one', () => {
    const labelled = Inventory.of({
      clusters: ['a', 'b', 'c'].map((name) => ({ name, labels: { env: 'prod', 'management.cattle.io/cluster-name': name } })),
    });
    const own = (operator: string) => ({ key: 'management.cattle.io/cluster-name', operator, values: ['a', 'b'] });
    expect(strategyOf({ partitions: canary({ clusters: 2, then: partitionsByLabel('env', ['prod']) }) }, labelled).partitions).toEqual([
      { name: 'canary', clusterSelector: { matchExpressions: [own('In')] } },
      { name: 'canary-ready', clusterSelector: { matchExpressions: [own('In')] }, maxUnavailable: 0 },
      { name: 'prod', clusterSelector: { matchLabels: { env: 'prod' }, matchExpressions: [own('NotIn')] } },
      {
        name: 'rest',
        clusterSelector: { matchExpressions: [own('NotIn'), { key: 'env', operator: 'NotIn', values: ['prod'] }] },
      },
    ]);
  });

  test('of clusters without a distinguishing label: they are released together, and also counted in the last partition', () => {
    const rollout = { partitions: canary({ clusters: ['prod-001', 'prod-002'] }) };
    expect(
      strategyOf(rollout, FLEET).partitions!.map(({ name, clusterName, maxUnavailable }) => [name, clusterName, maxUnavailable]),
    ).toEqual([
      ['canary-prod-001', 'prod-001', undefined],
      ['canary-prod-002', 'prod-002', undefined],
      ['canary-prod-001-ready', 'prod-001', 0],
      ['canary-prod-002-ready', 'prod-002', 0],
      ['rest', undefined, undefined],
    ]);
    expect(countsOf(simulationOf(rollout, FLEET).install)).toEqual([2, 7]);
    expect(bundleOf(rollout, FLEET).findings).toEqual([]);
  });
});

describe('full readiness: a working version of the guide’s strict scenario of 200 clusters', () => {
  const fleet = Inventory.of({
    clusters: [...clusters('demo', 20, { stage: 'demoRollout' }), ...clusters('stable', 180, { stage: 'stable' })],
  });
  const rollout = {
    fullReadiness: true,
    maxUnavailable: '10%',
    partitions: partitionsByLabel('stage', ['demoRollout', 'stable']),
  } as const;

  test('each partition is followed by a gate of the same clusters, with maxUnavailable 0', () => {
    expect(strategyOf(rollout).partitions!.map(({ name, maxUnavailable }) => [name, maxUnavailable])).toEqual([
      ['demoRollout', undefined],
      ['demoRollout-ready', 0],
      ['stable', undefined],
      ['stable-ready', 0],
      ['rest', undefined],
    ]);
  });

  test('its plan: partition by partition, an update as well', () => {
    const bundle = bundleOf(rollout, fleet);
    expect(bundle.findings).toEqual([]);
    expect(renderPlanText(planManifests([bundle.apiObject.toJson()], { clusters: { clusters: fleet.clusters } }))).toMatchInlineSnapshot(`
"1 rollout on Kubernetes 1.36 and Fleet 0.16 (both assumed): no findings

a wave of clusters is one step: Fleet releases the change to these clusters, then waits for their reports

Bundle fleet-default/shop (fleet)
  maxUnavailable 10% (rollout-strategy, over fleet-default 100%), maxUnavailable 0 (partition demoRollout-ready, over rollout-strategy 10% and fleet-default 100%), maxUnavailable 0 (partition stable-ready, over rollout-strategy 10% and fleet-default 100%), maxUnavailablePartitions 0, maxNew 50 (fleet-default)
  at most 20 clusters unavailable, and no partitions over the limit

  partition          clusters  max unavailable
  demoRollout              20                2
  demoRollout-ready        20                0
  stable                  180               18
  stable-ready            180                0
  rest                      0                1

  install: 2 waves, up to 180 clusters pull images at once; done
  wave  clusters
  1           20  demo-001, demo-002, demo-003 and 17 more
  2          180  stable-001, stable-002, stable-003 and 177 more

  update: 20 waves, up to 18 clusters pull images at once; done
  wave      clusters
  1 to 10     2 each  demo-001 … demo-020
  11 to 20   18 each  stable-001 … stable-180
"
`);
  });

  test('one cluster that is not ready blocks all later partitions, in any position', () => {
    for (const neverReady of ['demo-001', 'demo-020']) {
      const { install, update } = simulationOf(rollout, fleet, [neverReady]);
      expect([install.notReleasedCount, update.notReleasedCount]).toEqual([180, 180]);
      expect([install.halted, update.halted]).toEqual(
        Array.from({ length: 2 }, () => ({ partition: 'demoRollout-ready', unavailablePartitions: 1 })),
      );
    }
  });

  test('updates one cluster at a time by default', () => {
    expect(strategyOf({ ...rollout, maxUnavailable: undefined }).maxUnavailable).toBe(1);
  });

  test.each(['0.12', '0.13', '0.14', '0.15', '0.16', '0.16.1'])('holds on Fleet %s', (version) => {
    const grouped = Inventory.of({ clusters: fleet.clusters, groups: [{ name: 'all', selector: {} }] });
    const { install, update } = simulationOf(rollout, grouped, ['demo-007'], version);
    expect([install.notReleasedCount, update.notReleasedCount]).toEqual([180, 180]);
  });
});

describe('a limit on concurrent image pulls', () => {
  test('determines the size of partitions and maxUnavailable: the guide’s 40 of 200 clusters', () => {
    const fleet = Inventory.of({ clusters: clusters('c', 200) });
    expect(strategyOf({ maxConcurrentPulls: 40 }, fleet)).toEqual({
      maxUnavailable: 4,
      maxUnavailablePartitions: 0,
      autoPartitionSize: 36,
      autoPartitionThreshold: 1,
    });
    const { install, update } = simulationOf({ maxConcurrentPulls: 40 }, fleet);
    expect(countsOf(install)).toEqual([36, 36, 36, 36, 36, 20]);
    expect(new Set(countsOf(update))).toEqual(new Set([4]));
  });

  test('is respected in every wave of an install and an update, including stragglers of the previous partition, and reaches every cluster', () => {
    assert(
      property(integer({ min: 2, max: 60 }), integer({ min: 1, max: 300 }), (maxConcurrentPulls, count) => {
        const fleet = Inventory.of({ clusters: clusters('c', count) });
        const { install, update, maxUnavailable } = simulationOf({ maxConcurrentPulls }, fleet);
        const stragglers = maxConcurrentPulls > 2 ? maxUnavailable : 0;
        expect(Math.max(...countsOf(install)) + (install.waves.length > 1 ? stragglers : 0)).toBeLessThanOrEqual(maxConcurrentPulls);
        expect(Math.max(...countsOf(update))).toBeLessThanOrEqual(maxConcurrentPulls);
        expect([install.done, update.done]).toEqual([true, true]);
      }),
      { numRuns: scaleRuns(60) },
    );
  });

  test('applies to manual partitions, with a gate after small ones', () => {
    assert(
      property(
        integer({ min: 1, max: 12 }),
        integer({ min: 1, max: 12 }),
        integer({ min: 2, max: 14 }),
        constantFrom(true, false),
        (a, b, maxConcurrentPulls, fullReadiness) => {
          const fleet = Inventory.of({ clusters: [...clusters('a', a, { env: 'a' }), ...clusters('b', b, { env: 'b' })] });
          const rollout = { maxConcurrentPulls, fullReadiness, partitions: partitionsByLabel('env', ['a', 'b']) };
          const most = fullReadiness ? maxConcurrentPulls : Math.max(2, maxConcurrentPulls - 1);
          pre(Math.max(a, b) <= most);
          const { install, update } = simulationOf(rollout, fleet);
          expect(countsOf(install)).toEqual([a, b]);
          expect(Math.max(...countsOf(update))).toBeLessThanOrEqual(maxConcurrentPulls);
          expect(update.done).toBe(true);
        },
      ),
      { numRuns: scaleRuns(60) },
    );
  });
});

test('partitions that Fleet forms', () => {
  expect(strategyOf({ maxUnavailable: '10%', partitions: automaticPartitions({ size: '10%', from: 50 }) })).toEqual({
    maxUnavailable: '10%',
    autoPartitionSize: '10%',
    autoPartitionThreshold: 50,
  });
  expect(strategyOf({ partitions: automaticPartitions() })).toEqual({});
});

test('an intent that no strategy can express says what to write instead', () => {
  const refused: readonly FleetRolloutProps[] = [
    { partitions: canary({ clusters: 1 }) },
    { partitions: canary({ clusters: [] }) },
    { partitions: canary({ clusters: { matchLabels: { a: 'b' } } }), maxUnavailablePartitions: 1 },
    { fullReadiness: true },
    { fullReadiness: true, partitions: automaticPartitions() },
    { fullReadiness: true, partitions: partitionsByLabel('env', ['prod']), maxUnavailablePartitions: '10%' },
    { maxConcurrentPulls: 1 },
    { maxConcurrentPulls: 2.5 },
    { maxConcurrentPulls: 10, maxUnavailable: 1 },
    { maxConcurrentPulls: 10, partitions: automaticPartitions({ size: 5 }) },
    { maxConcurrentPulls: 10, partitions: partitionsByLabel('env', ['prod']) },
  ];
  expect(refused.map((rollout) => refusalOf(rollout))).toMatchInlineSnapshot(`
[
  "rollout: a canary of 1 needs an inventory to choose clusters from; pass one, or set names or labels of the canary's clusters",
  "rollout: a canary without clusters delays nothing; name at least one cluster",
  "rollout: a canary waits for every cluster of a partition, but maxUnavailablePartitions is 1; set it to 0, or remove it",
  "rollout: fullReadiness needs manual partitions, because no partition can wait for one that Fleet forms; use partitionsByLabel, canary or partitions",
  "rollout: fullReadiness needs manual partitions, because no partition can wait for one that Fleet forms; use partitionsByLabel, canary or partitions",
  "rollout: fullReadiness waits for every cluster of a partition, but maxUnavailablePartitions is 10%; set it to 0, or remove it",
  "rollout: maxConcurrentPulls is 1; set an integer of at least 2, because nothing waits for a partition of one cluster unless fullReadiness is set",
  "rollout: maxConcurrentPulls is 2.5; set an integer of at least 2, because nothing waits for a partition of one cluster unless fullReadiness is set",
  "rollout: maxConcurrentPulls sets maxUnavailable and maxUnavailablePartitions; remove those",
  "rollout: maxConcurrentPulls sets the size of automatic partitions; remove size",
  "rollout: maxConcurrentPulls with manual partitions needs an inventory to count their clusters; pass one, or use automaticPartitions()",
]
`);
  expect(refusalOf({ partitions: canary({ clusters: 10 }) }, FLEET)).toMatchInlineSnapshot(
    `"rollout: a canary of 10 can't be chosen from 9 targeted clusters; set an integer from 1 to 9"`,
  );
  expect(refusalOf({ maxConcurrentPulls: 5, partitions: partitionsByLabel('env', ['staging', 'prod']) }, FLEET)).toMatchInlineSnapshot(
    `"rollout: partition prod has 6 clusters, and an install deploys to all of them at once, but maxConcurrentPulls 5 allows 4; split it by another label, or use automaticPartitions()"`,
  );
});

function refusalOf(rollout: FleetRolloutProps, inventory?: Inventory): string {
  const message = synthError((chart) => new FleetBundle(chart, 'shop', { targets: EVERYWHERE, rollout, inventory }));
  return withoutPlaces(message).replace('Validation failed with the following errors:\n  [shop/shop] ', '');
}
