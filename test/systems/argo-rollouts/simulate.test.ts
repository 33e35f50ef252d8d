import * as fc from 'fast-check';
import type { CanaryState } from '../../../src/cluster/rollout/initial-state';
import type { ArgoRolloutWave } from '../../../src/core/simulations/argo-rollout';
import { computeArgoRolloutOutcome } from '../../../src/systems/argo-rollouts/outcome';
import { walkWithCapacity, simulateArgoRollout } from '../../../src/systems/argo-rollouts/simulate';
import { parseArgoStrategy } from '../../../src/systems/argo-rollouts/strategy';
import { resolveRolloutsBehaviour } from '../../../src/systems/argo-rollouts/versions';
import { scaleRuns } from '../../setup/scale-runs';

const behaviour = resolveRolloutsBehaviour('1.9');

function query(replicas: number, canary: Record<string, unknown>) {
  return { strategy: parseArgoStrategy({ spec: { strategy: { canary } } }, behaviour)!, replicas, behaviour };
}

test('similar rows are skipped, and the result equals a walk through all of them', () => {
  const limits = fc.record({ maxSurge: fc.integer({ min: 0, max: 3 }), maxUnavailable: fc.integer({ min: 1, max: 3 }) });
  const steps = fc.array(
    fc.integer({ min: 0, max: 100 }).map((setWeight) => ({ setWeight })),
    { maxLength: 3 },
  );
  fc.assert(
    fc.property(fc.integer({ min: 2_000, max: 6_000 }), limits, steps, (replicas, canary, weights) => {
      const input = query(replicas, { ...canary, steps: weights });
      expect(simulateArgoRollout(input)).toEqual(simulateArgoRollout({ ...input, listsEveryRow: true }));
    }),
    { numRuns: scaleRuns(10) },
  );
});

test.each([
  [1_500, { maxSurge: 1, maxUnavailable: 0 }],
  [1_600, { maxSurge: 0, maxUnavailable: 1, steps: [{ setWeight: 50 }, { setWeight: 90 }] }],
  [3_000, { maxSurge: 1, maxUnavailable: 1, steps: [{ setWeight: 80 }, { pause: { duration: 5 } }] }],
])('the same with %i pods and %j', (replicas, canary) => {
  const input = query(replicas, canary);
  expect(simulateArgoRollout(input)).toEqual(simulateArgoRollout({ ...input, listsEveryRow: true }));
});

describe('a blue-green rollout waits for its analyses and its delay', () => {
  const analysis = { templates: [{ templateName: 'errors' }] };
  /** New pods, old pods, the weight of the new version, and the wait. */
  const rows = (blueGreen: object) => {
    const strategy = parseArgoStrategy({ spec: { strategy: { blueGreen: { activeService: 'web', ...blueGreen } } } }, behaviour)!;
    const { waves, halted } = simulateArgoRollout({ strategy, replicas: 2, behaviour });
    expect(halted).toBeUndefined();
    return waves.map(({ newPods, oldPods, newWeight, until }) => [newPods, oldPods, newWeight, until]);
  };

  test('the one before it is promoted', () => {
    expect(rows({ prePromotionAnalysis: analysis })).toEqual([
      [2, 2, 0, 'ready'],
      [2, 2, 0, 'analysis'],
      [2, 2, 100, 'seconds'],
      [2, 0, 100, undefined],
    ]);
  });

  test('the one after it is promoted', () => {
    expect(rows({ postPromotionAnalysis: analysis })).toEqual([
      [2, 2, 0, 'ready'],
      [2, 2, 100, 'analysis'],
      [2, 2, 100, 'seconds'],
      [2, 0, 100, undefined],
    ]);
  });

  test('both, one after the other', () => {
    expect(rows({ prePromotionAnalysis: analysis, postPromotionAnalysis: analysis })).toEqual([
      [2, 2, 0, 'ready'],
      [2, 2, 0, 'analysis'],
      [2, 2, 100, 'analysis'],
      [2, 2, 100, 'seconds'],
      [2, 0, 100, undefined],
    ]);
  });
});

test('the largest number of pods is simulated quickly, with all steps and the abort', () => {
  const simulation = simulateArgoRollout(
    query(2_147_483_647, { maxSurge: 1, maxUnavailable: 0, steps: [{ setWeight: 50 }, { pause: {} }] }),
  );
  expect(simulation.waves.at(-1)).toMatchObject({ newPods: 2_147_483_647, oldPods: 0 });
  expect(simulation.halted).toEqual({ wave: 1_073_741_825, reason: 'promotion' });
  expect(simulation.abort!.waves.at(-1)).toMatchObject({ newPods: 0, oldPods: 2_147_483_647 });
});

describe('a complete simulation', () => {
  test('of a blue-green rollout of one pod with analyses, and an abort before the first one', () => {
    const blueGreen = { activeService: 'web', prePromotionAnalysis: {}, postPromotionAnalysis: {} };
    const strategy = parseArgoStrategy({ spec: { strategy: { blueGreen } } }, behaviour)!;
    expect(simulateArgoRollout({ strategy, replicas: 1, behaviour })).toEqual({
      kind: 'argorollout',
      type: 'blueGreen',
      replicas: 1,
      surge: 0,
      unavailable: 0,
      maxWeight: 100,
      waves: [
        { wave: 1, newPods: 1, oldPods: 1, total: 2, available: 1, newWeight: 0, until: 'ready' },
        { wave: 2, newPods: 1, oldPods: 1, total: 2, available: 2, newWeight: 0, until: 'analysis' },
        { wave: 3, newPods: 1, oldPods: 1, total: 2, available: 2, newWeight: 100, until: 'analysis' },
        { wave: 4, newPods: 1, oldPods: 1, total: 2, available: 2, newWeight: 100, until: 'seconds', seconds: 30 },
        { wave: 5, newPods: 1, oldPods: 0, total: 1, available: 1, newWeight: 100 },
      ],
      peakPods: 2,
      minAvailable: 1,
      waitSeconds: 30,
      abort: {
        afterWave: 2,
        waves: [
          { wave: 1, newPods: 1, oldPods: 1, total: 2, available: 2, newWeight: 0, until: 'seconds', seconds: 30 },
          { wave: 2, newPods: 0, oldPods: 1, total: 1, available: 1, newWeight: 0 },
        ],
        peakPods: 2,
        minAvailable: 1,
      },
    });
  });

  test('of a blue-green rollout that is aborted in its first row, whose new pod still becomes ready', () => {
    const strategy = parseArgoStrategy({ spec: { strategy: { blueGreen: { activeService: 'web' } } } }, behaviour)!;
    expect(simulateArgoRollout({ strategy, replicas: 1, behaviour }).abort).toEqual({
      afterWave: 1,
      waves: [
        { wave: 1, newPods: 1, oldPods: 1, total: 2, available: 1, newWeight: 0, until: 'ready' },
        { wave: 2, newPods: 1, oldPods: 1, total: 2, available: 2, newWeight: 0, until: 'seconds', seconds: 30 },
        { wave: 3, newPods: 0, oldPods: 1, total: 1, available: 1, newWeight: 0 },
      ],
      peakPods: 2,
      minAvailable: 1,
    });
  });

  test('of a canary of one pod, and an abort that deletes it immediately', () => {
    expect(simulateArgoRollout(query(1, { maxSurge: 1, maxUnavailable: 0 }))).toEqual({
      kind: 'argorollout',
      type: 'canary',
      replicas: 1,
      surge: 1,
      unavailable: 0,
      waves: [
        { wave: 1, newPods: 1, oldPods: 1, total: 2, available: 1, until: 'ready' },
        { wave: 2, newPods: 1, oldPods: 0, total: 1, available: 1 },
      ],
      peakPods: 2,
      minAvailable: 1,
      waitSeconds: 0,
      abort: { afterWave: 1, waves: [{ wave: 1, newPods: 0, oldPods: 1, total: 1, available: 1 }], peakPods: 2, minAvailable: 1 },
    });
  });

  test('of a canary that replaces nothing because its limits are not numbers: it is never promoted and has no abort', () => {
    expect(simulateArgoRollout(query(2, { maxSurge: 'x', maxUnavailable: 1 }))).toEqual({
      kind: 'argorollout',
      type: 'canary',
      replicas: 2,
      surge: 0,
      unavailable: 0,
      waves: [{ wave: 1, newPods: 0, oldPods: 2, total: 2, available: 2 }],
      peakPods: 2,
      minAvailable: 2,
      waitSeconds: 0,
      halted: { wave: 1, reason: 'never-promoted' },
    });
  });
});

test('a canary that starts with a pause waits for a user in its first row', () => {
  const { halted } = simulateArgoRollout(query(2, { steps: [{ pause: {} }] }));
  expect(halted).toEqual({ wave: 1, reason: 'promotion' });
});

test('without pods nothing is waited for, whatever the threshold is', () => {
  const canary = { steps: [{ setWeight: 50 }], replicaProgressThreshold: { type: 'Pod', value: 5 } };
  const { waves, halted } = simulateArgoRollout(query(0, canary));
  expect(waves).toEqual([{ wave: 1, stepsDone: 0, newPods: 0, oldPods: 0, total: 0, available: 0 }]);
  expect(halted).toBeUndefined();
});

/** Completed steps, new pods, old pods, available pods, the weight of the new version, and the wait. */
const formatRows = (rows: readonly Omit<ArgoRolloutWave, 'wave' | 'total'>[]) =>
  rows.map(({ stepsDone, newPods, oldPods, available, newWeight, until }) =>
    [stepsDone, '|', newPods, oldPods, available, newWeight === undefined ? '' : `${newWeight} %`, until].join(' ').trim(),
  );

describe('with a router a canary in progress keeps its weight until stable has the pods for a new one', () => {
  const routed = { stableService: 'web', canaryService: 'next', trafficRouting: { nginx: {} }, steps: [{ setWeight: 50 }] };
  const currentCanary = { stable: { size: 3, ready: 3 }, canary: { size: 2, ready: 2 }, weight: 40 };
  const rows = (applied: CanaryState['applied'], maxTrafficWeight = 100) => {
    const input = query(4, { ...routed, trafficRouting: { nginx: {}, maxTrafficWeight } });
    return formatRows(simulateArgoRollout({ ...input, currentCanary: { ...currentCanary, applied } }).waves);
  };

  test('if a third version is applied', () => {
    expect(rows('another')).toEqual(['0 | 2 6 5 40 % ready', '1 | 4 4 6 50 % ready', '1 | 4 4 8 100 % seconds', '1 | 4 0 4 100 %']);
  });

  test('if the stable version is applied again, which then gets all the weight', () => {
    expect(rows('stable', 200)).toEqual(['1 | 4 2 5 200 % ready', '1 | 4 2 6 200 % seconds', '1 | 4 0 4 200 %']);
  });
});

describe('with a limited capacity', () => {
  const within = (replicas: number, canary: Record<string, unknown>, capacity: number, currentCanary?: CanaryState) => {
    const { rows, stuckAtWave } = walkWithCapacity({ ...query(replicas, canary), ...(currentCanary && { currentCanary }) }, capacity);
    return { rows: formatRows(rows), deadlockedAt: stuckAtWave };
  };
  const paused = { maxSurge: 0, maxUnavailable: 2, steps: [{ pause: {} }, { setWeight: 50 }] };

  test('the rollout deadlocks in the row in which nothing changes', () => {
    expect(within(4, { maxSurge: 1, maxUnavailable: 0 }, 4)).toEqual({ rows: ['| 1 4 4  ready'], deadlockedAt: 1 });
    const routed = { stableService: 'web', canaryService: 'next', trafficRouting: { nginx: {} } };
    expect(within(4, { ...routed, steps: [{ setWeight: 25 }, { setWeight: 100 }] }, 6)).toEqual({
      rows: ['0 | 1 4 4 0 % ready', '1 | 4 4 5 25 % ready', '1 | 4 4 6 25 % ready'],
      deadlockedAt: 3,
    });
  });

  test('pods of a third version fit before more pods of stable become ready', () => {
    const currentCanary = { stable: { size: 2, ready: 1 }, canary: { size: 2, ready: 2 }, applied: 'another' } as const;
    expect(within(4, paused, 3, currentCanary)).toEqual({
      rows: ['0 | 0 4 2  ready', '0 | 0 4 2  ready', '0 | 0 4 3  ready'],
      deadlockedAt: 3,
    });
  });

  test('and so do pods of the canary', () => {
    const currentCanary = { stable: { size: 2, ready: 1 }, canary: { size: 2, ready: 2 }, applied: 'same' } as const;
    expect(within(4, paused, 2, currentCanary)).toEqual({ rows: ['0 | 1 3 2  ready'], deadlockedAt: 1 });
    expect(within(4, paused, 3, currentCanary)).toEqual({
      rows: ['0 | 1 3 2  ready', '0 | 0 4 2  ready', '0 | 0 4 3  ready'],
      deadlockedAt: 3,
    });
  });

  test('new pods become ready once those of the third version are deleted', () => {
    const canary = { maxSurge: 1, maxUnavailable: 1, steps: [{ setWeight: 50 }, { pause: {} }] };
    const currentCanary = { stable: { size: 2, ready: 1 }, canary: { size: 2, ready: 2 }, applied: 'another' } as const;
    expect(within(4, canary, 3, currentCanary)).toEqual({ rows: ['0 | 1 4 3  ready'], deadlockedAt: 1 });
    expect(within(4, canary, 4, currentCanary).rows.slice(0, 4)).toEqual([
      '0 | 1 4 3  ready',
      '0 | 2 3 3  ready',
      '0 | 2 2 3  ready',
      '1 | 2 2 4  promotion',
    ]);
  });

  test('skipped rows count as rows that create pods', () => {
    const outcome = (replicas: number, steps: readonly object[] = []) => {
      const input = query(replicas, { maxSurge: 1, maxUnavailable: 1, steps });
      return computeArgoRolloutOutcome(input, simulateArgoRollout(input), replicas);
    };
    expect(outcome(1_000)).toEqual({ verdict: 'slower', iterations: 999 });
    expect(outcome(3_000)).toEqual({ verdict: 'slower', iterations: 2_999 });
    expect(outcome(2_147_483_647)).toEqual({ verdict: 'slower', iterations: 2_147_483_646 });
    expect(outcome(3_000, [{ setWeight: 90 }, { setWeight: 10 }, { pause: {} }])).toEqual({ verdict: 'slower', iterations: 5_398 });
  });
});

describe('with very many rows', () => {
  test.each<[string, Record<string, unknown>, CanaryState | undefined]>([
    ['of a canary that continues after a pause', { maxSurge: 1, maxUnavailable: 0, steps: [{ setWeight: 10 }, { pause: {} }] }, undefined],
    [
      'of a canary that is rolled back',
      { maxSurge: 1, maxUnavailable: 1 },
      { stable: { size: 500, ready: 500 }, canary: { size: 2_500, ready: 2_500 }, applied: 'stable' },
    ],
  ])('the result equals a walk through all of them, %s', (_what, canary, currentCanary) => {
    const input = { ...query(3_000, canary), ...(currentCanary && { currentCanary }) };
    expect(simulateArgoRollout(input)).toEqual(simulateArgoRollout({ ...input, listsEveryRow: true }));
  });

  const one = { maxSurge: 1, maxUnavailable: 0 };
  /** A row of a rolling update, one pod at a time, with this many new pods. */
  const row = (replicas: number, wave: number) => ({
    wave,
    newPods: wave,
    oldPods: replicas + 1 - wave,
    total: replicas + 1,
    available: replicas,
    until: 'ready',
  });

  test('1,000 rows are all shown, and with one more only the first and last 50', () => {
    const all = simulateArgoRollout(query(999, one));
    expect([all.waves.length, all.elided]).toEqual([1_000, undefined]);
    const more = simulateArgoRollout(query(1_000, one));
    expect([more.waves.length, more.elided]).toEqual([100, 901]);
  });

  test('the shown rows are the first and the last ones', () => {
    const { waves, elided } = simulateArgoRollout(query(2_000, one));
    const numbers = (from: number) => Array.from({ length: 50 }, (_, index) => from + index);
    const last = { wave: 2_001, newPods: 2_000, oldPods: 0, total: 2_000, available: 2_000 };
    expect(waves).toEqual([...[...numbers(1), ...numbers(1_952)].map((wave) => row(2_000, wave)).slice(0, -1), last]);
    expect(elided).toBe(1_901);
  });

  test('a canary that is rolled back is simulated quickly', () => {
    const currentCanary = {
      stable: { size: 1, ready: 1 },
      canary: { size: 2_147_483_646, ready: 2_147_483_646 },
      applied: 'stable',
    } as const;
    const { waves, elided } = simulateArgoRollout({ ...query(2_147_483_647, one), currentCanary });
    expect(formatRows([waves[0]!, waves[99]!])).toEqual(['| 2 2147483646 2147483647  ready', '| 2147483647 0 2147483647']);
    expect(elided).toBe(2_147_483_547);
  });

  test('rows with pods of a third version are walked one by one', () => {
    const currentCanary = { stable: { size: 1_500, ready: 1_500 }, canary: { size: 1_500, ready: 1_500 }, applied: 'another' } as const;
    const { waves, elided, halted } = simulateArgoRollout({
      ...query(3_000, { ...one, steps: [{ setWeight: 50 }, { pause: {} }] }),
      currentCanary,
    });
    expect(formatRows([waves[0]!, waves[49]!, waves[50]!, waves[99]!])).toEqual([
      '0 | 1 3000 3000  ready',
      '0 | 50 2951 3000  ready',
      '2 | 2952 49 3000  ready',
      '2 | 3000 0 3000',
    ]);
    expect([elided, halted]).toEqual([2_902, { wave: 1_501, reason: 'promotion' }]);
  });
});
