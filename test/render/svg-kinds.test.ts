import type { PlannedRollout } from '../../src/core/document/rollout';
import type { ArgoRolloutSimulation } from '../../src/core/simulations/argo-rollout';
import type { DaemonSetSimulation } from '../../src/core/simulations/daemonset';
import type { DisaggregatedSetSimulation } from '../../src/core/simulations/disaggregatedset';
import type { LeaderWorkerSetSimulation } from '../../src/core/simulations/leaderworkerset';
import type { RollingSyncSimulation } from '../../src/core/simulations/rolling-sync';
import type { Simulation } from '../../src/core/simulations/simulation';
import { drawChart } from '../../src/render/svg/draw';
import { buildRolloutChart } from '../../src/render/svg/rollout-chart';
import { collisions } from './picture-words';
import { rolloutOf } from './plans';

/** Builds waves of new, old and available pods. */
function podRows(...rows: readonly (readonly [newPods: number, oldPods: number, available: number])[]) {
  return rows.map(([newPods, oldPods, available], index) => ({ wave: index + 1, newPods, oldPods, total: newPods + oldPods, available }));
}

const SURGING: DaemonSetSimulation = {
  kind: 'daemonset',
  nodes: 3,
  surge: 1,
  unavailable: 0,
  waves: podRows([1, 3, 3], [2, 2, 3], [3, 1, 3], [3, 0, 3]),
  peakPods: 4,
  minAvailable: 3,
};

const DOWN: DaemonSetSimulation = {
  kind: 'daemonset',
  nodes: 2,
  surge: 0,
  unavailable: 1,
  waves: podRows([0, 2, 2]),
  peakPods: 3,
  minAvailable: 2,
  halted: { wave: 1, nodes: 1, reason: 'nodes-down' },
};

const CANARY: ArgoRolloutSimulation = {
  kind: 'argorollout',
  type: 'canary',
  replicas: 4,
  surge: 1,
  unavailable: 0,
  maxWeight: 100,
  waves: podRows([1, 4, 4], [1, 4, 5], [4, 4, 5], [4, 0, 4]).map((row, index) => ({
    ...row,
    newWeight: [0, 25, 25, 100][index]!,
    ...(index < 3 && { until: (['ready', 'promotion', 'ready'] as const)[index]! }),
  })),
  peakPods: 8,
  minAvailable: 4,
  waitSeconds: 0,
  halted: { wave: 2, reason: 'promotion' },
};

const GROUPS: LeaderWorkerSetSimulation = {
  kind: 'leaderworkerset',
  replicas: 2,
  size: 4,
  surge: 1,
  unavailable: 0,
  partition: 0,
  leaderLimit: 3,
  waves: [
    { wave: 1, newGroups: 1, oldGroups: 2, total: 3, available: 2 },
    { wave: 2, newGroups: 2, oldGroups: 1, total: 3, available: 2 },
    { wave: 3, newGroups: 2, oldGroups: 0, total: 2, available: 2 },
  ],
  peakGroups: 3,
  peakPods: 12,
  minAvailable: 2,
};

const ROLES: DisaggregatedSetSimulation = {
  kind: 'disaggregatedset',
  roles: [
    { name: 'prefill', replicas: 2, size: 1, surge: 1, unavailable: 0 },
    { name: 'decode', replicas: 1, size: 2, surge: 1, unavailable: 0 },
  ],
  replicas: 3,
  waves: [
    {
      wave: 1,
      roles: [
        { newGroups: 1, oldGroups: 2, available: 2 },
        { newGroups: 1, oldGroups: 1, available: 1 },
      ],
      skewPercent: 0,
    },
    {
      wave: 2,
      roles: [
        { newGroups: 2, oldGroups: 0, available: 2 },
        { newGroups: 1, oldGroups: 0, available: 1 },
      ],
      skewPercent: 0,
    },
  ],
  peakPods: 7,
  minAvailable: 1,
  maxSkewPercent: 0,
};

const STEPS: RollingSyncSimulation = {
  kind: 'rollingsync',
  applications: 4,
  isStepwise: true,
  steps: [
    { step: 1, count: 1, applications: ['lab'] },
    { step: 2, count: 3, maxUpdate: 1, applications: ['lab', 'paris', 'tokyo'] },
  ],
  waves: [
    { wave: 1, count: 1, applications: ['lab'] },
    { wave: 2, count: 1, applications: ['paris'] },
    { wave: 3, count: 1, applications: ['tokyo'] },
  ],
  done: false,
  unmatchedCount: 1,
  unmatched: ['lima'],
};

function panelsOf(simulation: Simulation, more: Partial<PlannedRollout> = {}) {
  return buildRolloutChart(rolloutOf(simulation, more)).parts[0]!.panels;
}

describe('what a picture shows of each kind', () => {
  test('a DaemonSet: a line for each node below its pods, with both pods for a while if it surges', () => {
    expect(panelsOf(SURGING)[1]).toMatchObject({
      kind: 'grid',
      lines: [
        { name: '1', cells: ['old', 'starting', 'new', 'new', 'new', 'new'] },
        { name: '2', cells: ['old', 'old', 'starting', 'new', 'new', 'new'] },
        { name: '3', cells: ['old', 'old', 'old', 'starting', 'new', 'new'] },
      ],
    });
  });

  test('a DaemonSet with a node that is down: its pod is not ready, then gone, and the floor counts it', () => {
    const [pods, nodes] = panelsOf(DOWN);
    expect(pods).toMatchObject({
      rows: [{ values: [2, 0, 1] }, { values: [2, 0, 0] }],
      levels: [
        { name: 'ceiling 3', at: 3 },
        { name: 'floor 2', at: 2 },
      ],
    });
    expect(nodes).toMatchObject({
      lines: [
        { name: '1', cells: ['old', 'old'] },
        { name: '2', cells: ['old', 'old'] },
        { name: 'down', cells: ['starting', 'gone'] },
      ],
      stop: { at: 2, text: '' },
    });
  });

  test('a DaemonSet with many nodes: only the numbers of pods', () => {
    expect(panelsOf({ ...SURGING, nodes: 25 })).toHaveLength(1);
  });

  test('a canary: the share of requests, and where a user must promote it', () => {
    const chart = buildRolloutChart(rolloutOf(CANARY));
    expect(chart.notes).toEqual(['pause sign: waits at wave 2 until a user promotes it']);
    expect(chart.parts[0]!.panels).toMatchObject([
      { unit: 'pods', pauses: [3] },
      {
        unit: '% of requests',
        rows: [{ values: [100, 0] }, { values: [100, 0] }, { values: [75, 25] }, { values: [75, 25] }, { values: [0, 100] }],
      },
    ]);
  });

  test('a canary that does not fit: no waits after the deadlock', () => {
    const capacity = { verdict: 'deadlocks', peakPods: 8, podsThatFit: 4, deadlockWave: 1, message: 'Does not fit.' } as const;
    expect(buildRolloutChart(rolloutOf(CANARY, { capacity })).notes).toEqual(['Does not fit.']);
  });

  test('groups of pods with one role and with several', () => {
    expect(panelsOf(GROUPS)).toMatchObject([{ unit: 'groups of 4 pods', levels: [{ name: 'ceiling 3' }, { name: 'floor 2' }] }]);
    expect(panelsOf(ROLES)).toMatchObject([
      {
        unit: 'prefill: groups of 1 pod',
        rows: [{ values: [2, 0, 0] }, { values: [2, 0, 1] }, { values: [0, 2, 0] }, { values: [0, 2, 0] }],
      },
      {
        unit: 'decode: groups of 2 pods',
        rows: [{ values: [1, 0, 0] }, { values: [1, 0, 1] }, { values: [0, 1, 0] }, { values: [0, 1, 0] }],
      },
    ]);
  });

  test('roles: the rows of all panels begin at the same positions, and only one has the text of the stop', () => {
    const duration = { startupSeconds: 30, lowerBoundSeconds: 100, expectedSeconds: 100, abortSeconds: null, blastRadius: 1 };
    const startsOf = (rollout: PlannedRollout) =>
      buildRolloutChart(rollout).parts[0]!.panels.map((panel) => (panel.kind === 'stack' ? panel.rows.map(({ at }) => at) : []));
    expect(startsOf(rolloutOf(ROLES, { duration }))).toEqual([
      [-6, 0, 50, 100],
      [-6, 0, 50, 100],
    ]);
    expect(panelsOf({ ...ROLES, halted: { wave: 2, reason: 'no-step' } })).toMatchObject([
      { stop: { at: 3, text: 'halts: the limits allow no next step' } },
      { stop: { at: 3, text: '' } },
    ]);
  });

  test('a RollingSync: the progress of its steps by wave, each Application in its first step, and those that never sync', () => {
    expect(panelsOf(STEPS)).toMatchObject([
      {
        tracks: [
          { name: 'step 1', note: '1 of 1 Application' },
          { name: 'step 2, at most 1 at once', note: '2 of 2 Applications', rows: [{ value: 0 }, { value: 1 }, { value: 2 }] },
          { name: 'in no step', note: '0 of 1 Application' },
        ],
        stop: { at: 4, text: 'deadlocks: 1 Application left' },
      },
    ]);
  });

  test('a RollingSync with too many Applications to list: one bar for all', () => {
    const steps = [{ step: 1, count: 2_000 }];
    const counted = { ...STEPS, applications: 2_000, steps, waves: [{ wave: 1, count: 2_000 }], done: true, unmatchedCount: 0 };
    const { unmatched: _, ...unnamed } = counted;
    expect(panelsOf(unnamed)).toMatchObject([{ tracks: [{ name: 'all Applications', note: '2000 of 2000 Applications' }] }]);
  });

  test('all Applications at once: nothing to draw', () => {
    expect(buildRolloutChart(rolloutOf({ ...STEPS, isStepwise: false })).parts).toEqual([]);
  });
});

test.each([280, 360, 480, 760, 1_400])('labels never overlap at %i pixels, even with long names of budgets', (width) => {
  const budgets = [1, 2].map((at) => ({
    name: `a-budget-of-a-very-long-name-${at}`,
    pods: 3,
    desiredHealthy: at,
    lowest: 2,
    ownDesiredHealthy: at,
  }));
  for (const simulation of [SURGING, DOWN, CANARY, GROUPS, ROLES, STEPS]) {
    const { markup } = drawChart(buildRolloutChart(rolloutOf(simulation, { budgets })), width);
    expect(markup).not.toMatch(/NaN|Infinity|undefined/);
    expect(collisions(markup, width)).toEqual([]);
  }
});
