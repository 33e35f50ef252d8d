import type { FleetSimulation, FleetWaves } from '../../src/core/simulations/fleet';
import { createPalette } from '../../src/render/layout/palette';
import { renderFleetLines } from '../../src/render/rollout/fleet';
import { formatRolloutStrategy } from '../../src/render/rollout/strategy';

const DONE: FleetWaves = { waves: [{ count: 1, clusters: ['a'] }], done: true, halted: null, notReleasedCount: 0, notReleased: [] };

function textOf(update: FleetWaves, more: Partial<FleetSimulation> = {}): string {
  const simulation: FleetSimulation = {
    kind: 'fleet',
    partitions: [{ name: 'All', count: 1, maxUnavailable: 1, clusters: ['a'] }],
    unpartitionedCount: 0,
    unpartitioned: [],
    maxUnavailable: 1,
    maxUnavailablePartitions: 0,
    maxNew: 50,
    install: DONE,
    update,
    ...more,
  };
  return renderFleetLines(simulation, createPalette(false)).join('\n');
}

/** Returns only the lines about the update. */
function updateOf(update: FleetWaves): string {
  const text = textOf(update);
  return text.slice(text.indexOf('update:'));
}

function waves(...counts: number[]): FleetWaves['waves'] {
  return counts.map((count) => ({ count }));
}

function clusters(...names: string[]) {
  return { count: names.length, clusters: names };
}

test('the text has the largest number of clusters that pull images at once; consecutive waves of one size are one row', () => {
  expect(textOf({ ...DONE, waves: [clusters('a', 'b'), clusters('c', 'd'), clusters('e', 'f', 'g', 'h', 'i'), clusters('j')] }))
    .toMatchInlineSnapshot(`
"at most 1 cluster unavailable, and no partitions over the limit

partition  clusters  max unavailable
All               1                1

install: 1 wave, up to 1 cluster pulls images at once; done
wave  clusters
1            1  a

update: 4 waves, up to 5 clusters pull images at once; done
wave    clusters
1 to 2    2 each  a … d
3              5  e, f, g and 2 more
4              1  j"
`);
});

test('a halted update shows where it halts and which clusters are left', () => {
  const halted = { partition: 'staging', unavailablePartitions: 1 };
  const left = { done: false, notReleasedCount: 5, notReleased: ['a', 'b', 'c', 'd', 'e'] };
  expect(updateOf({ ...left, waves: waves(2, 1), halted })).toMatchInlineSnapshot(`
"update: 2 waves, up to 2 clusters pull images at once; halts after partition staging with 1 partition over the limit, 5 clusters not released (a, b, c and 2 more)
wave  clusters
1            2
2            1"
`);
  expect(updateOf({ ...left, waves: [], halted: { partition: null, unavailablePartitions: 0 } })).toMatchInlineSnapshot(
    `"update: nothing is released; halts with no partitions over the limit, 5 clusters not released (a, b, c and 2 more)"`,
  );
  expect(updateOf({ waves: [], done: false, halted: null, notReleasedCount: 2_000 })).toMatchInlineSnapshot(
    `"update: nothing is released; 2000 clusters not released"`,
  );
});

test('left out waves of a long rollout are one row in the middle', () => {
  const counts = Array.from({ length: 100 }, (_, index) => (index === 0 ? 7 : 3));
  expect(updateOf({ waves: waves(...counts), done: true, halted: null, notReleasedCount: 0, elided: 900 })).toMatchInlineSnapshot(`
"update: 1000 waves, up to 7 clusters pull images at once in the waves shown; done
wave                   clusters
1                             7
2 to 50                  3 each
             … 900 more waves …
951 to 1000              3 each"
`);
});

test('names are escaped and stay on one line', () => {
  expect(textOf(DONE, { unpartitionedCount: 1, unpartitioned: ['x\u001b[2J\n'] })).toContain(String.raw`1 cluster: x\u001b[2J\n`);
});

test('customizations are counted for any number of clusters', () => {
  const won = (cluster: string, value: unknown) => ({
    field: `targetCustomizations[${cluster}]`,
    value,
    layer: 'target-customization',
    reason: '',
    overridden: [],
  });
  const provenance = [
    {
      field: 'maxUnavailable',
      value: 1,
      layer: 'rollout-strategy',
      reason: '',
      overridden: [{ layer: 'fleet-default', value: '100%', reason: '' }],
    },
    won('madrid', 'large'),
    won('paris', 'large'),
    won('rome', ['large', 'south']),
  ];
  const rollout = {
    system: 'fleet',
    resource: { apiVersion: 'v1', kind: 'Bundle', name: 'shop' },
    strategy: {},
    simulation: null,
    findings: [],
  } as const;
  expect(formatRolloutStrategy({ ...rollout, provenance })).toBe(
    'maxUnavailable 1 (rollout-strategy, over fleet-default 100%); customized: large on 2 clusters, large + south on 1 cluster',
  );
});

test('a limit that a 64-bit float rounds is not shown with digits that nobody wrote', () => {
  const limit = 2 ** 63;
  const partitions = [{ name: 'All', count: 1, maxUnavailable: limit, clusters: ['a'] }];
  const text = textOf(DONE, { maxUnavailable: limit, partitions });
  expect(text).toContain('at most about 9.22e+18 clusters unavailable, and no partitions over the limit');
  expect(text).toMatch(/^All +1 +about 9\.22e\+18$/m);
});
