import { DOMParser } from '@xmldom/xmldom';
import * as fc from 'fast-check';
import type { PlannedRollout } from '../../src/core/document/rollout';
import type { DaemonSetSimulation } from '../../src/core/simulations/daemonset';
import type { DeploymentSimulation } from '../../src/core/simulations/deployment';
import type { FleetSimulation } from '../../src/core/simulations/fleet';
import type { RayServiceSimulation } from '../../src/core/simulations/rayservice';
import type { RevisionSimulation } from '../../src/core/simulations/revision';
import type { Simulation } from '../../src/core/simulations/simulation';
import type { StatefulSetSimulation } from '../../src/core/simulations/statefulset';
import { planChange, planManifests } from '../../src/headless';
import { drawChart } from '../../src/render/svg/draw';
import { alignChartScales } from '../../src/render/svg/shared-scale';
import { renderPlanSvg } from '../../src/render/pictures';
import { buildRolloutChart } from '../../src/render/svg/rollout-chart';
import { simulateDeployment } from '../../src/workloads/deployment/simulate';
import { collisions } from './picture-words';
import { planOf, rolloutOf } from './plans';
import { deployment, podTemplate } from '../builders/workload';
import { scaleRuns } from '../setup/scale-runs';

const HOSTILE = '</text><script>alert(1)</script>"\'&\u001b[2J';

const DEPLOYMENT: DeploymentSimulation = {
  kind: 'deployment',
  replicas: 2,
  surge: 1,
  unavailable: 0,
  waves: [
    { wave: 1, newReplicas: 1, oldReplicas: 2, total: 3, available: 2 },
    { wave: 2, newReplicas: 2, oldReplicas: 1, total: 3, available: 2 },
    { wave: 3, newReplicas: 2, oldReplicas: 0, total: 2, available: 2 },
  ],
  iterations: 2,
  peakPods: 3,
  minAvailable: 2,
};

const STATEFULSET: StatefulSetSimulation = {
  kind: 'statefulset',
  replicas: 3,
  partition: 1,
  maxUnavailable: 1,
  order: [2, 1],
  batches: [[2], [1]],
  untouched: [0],
  minAvailable: 2,
};

const DAEMONSET: DaemonSetSimulation = {
  kind: 'daemonset',
  nodes: 3,
  surge: 0,
  unavailable: 1,
  waves: [{ wave: 1, newPods: 1, oldPods: 2, total: 3, available: 1 }],
  peakPods: 3,
  minAvailable: 1,
  halted: { wave: 1, nodes: 1, reason: 'nodes-down' },
};

const REVISION: RevisionSimulation = {
  kind: 'revision',
  replicas: 1,
  peakPods: 2,
  minAvailable: 1,
  latestTrafficPercent: 100,
  waves: [
    { wave: 1, newPods: 1, oldPods: 1, total: 2, available: 1, latestTrafficPercent: 0 },
    { wave: 2, newPods: 1, oldPods: 0, total: 1, available: 1, latestTrafficPercent: 100 },
  ],
};

const RAY: RayServiceSimulation = {
  kind: 'rayservice',
  type: 'NewClusterWithIncrementalUpgrade',
  outcome: 'promoted',
  steps: [
    { elapsedSeconds: 0, activeTargetCapacity: 100, pendingTargetCapacity: 0, activeTraffic: 100, pendingTraffic: 0 },
    { elapsedSeconds: 0, activeTargetCapacity: 100, pendingTargetCapacity: 50, activeTraffic: 100, pendingTraffic: 0 },
    { elapsedSeconds: 60, activeTargetCapacity: 0, pendingTargetCapacity: 100, activeTraffic: 0, pendingTraffic: 100 },
  ],
  durationSeconds: 60,
  capacityChanges: 2,
  trafficShifts: 1,
  peakCapacityPercent: 150,
};

const FLEET: FleetSimulation = {
  kind: 'fleet',
  partitions: [
    { name: 'canary', count: 1, maxUnavailable: 1, clusters: ['a'] },
    { name: 'rest', count: 2, maxUnavailable: 1, clusters: ['b', 'c'] },
  ],
  unpartitionedCount: 0,
  maxUnavailable: 3,
  maxUnavailablePartitions: 0,
  maxNew: 50,
  install: { waves: [{ count: 3, clusters: ['a', 'b', 'c'] }], done: true, halted: null, notReleasedCount: 0 },
  update: {
    waves: [{ count: 1, clusters: ['a'] }],
    done: false,
    halted: { partition: 'canary', unavailablePartitions: 1 },
    notReleasedCount: 2,
  },
};

const EVERY: readonly Simulation[] = [DEPLOYMENT, STATEFULSET, DAEMONSET, REVISION, RAY, FLEET];

function simulated(replicas: number, maxSurge: number, maxUnavailable: number): DeploymentSimulation {
  return simulateDeployment({ type: 'RollingUpdate', rollingUpdate: { maxSurge, maxUnavailable } }, replicas);
}

/** Returns the first panel of a picture. */
function firstPanel(rollout: PlannedRollout) {
  return buildRolloutChart(rollout).parts[0]!.panels[0]!;
}

/** Returns all errors of an XML parser. */
function faultsOf(svg: string): string[] {
  const faults: string[] = [];
  new DOMParser({ onError: (level, message) => void faults.push(`${level}: ${message}`) }).parseFromString(svg, 'image/svg+xml');
  return faults;
}

describe('what a picture shows', () => {
  test('a Deployment: ready pods of both versions from the bottom up, pods that are not ready on top, and the pods before and after', () => {
    expect(firstPanel(rolloutOf(DEPLOYMENT))).toMatchObject({
      unit: 'pods',
      rows: [
        { at: 0, values: [2, 0, 0] },
        { at: 1, values: [2, 0, 1] },
        { at: 2, values: [1, 1, 1] },
        { at: 3, values: [0, 2, 0] },
        { at: 4, values: [0, 2, 0] },
      ],
      levels: [
        { name: 'ceiling 3', at: 3 },
        { name: 'floor 2', at: 2 },
      ],
    });
  });

  test('seconds if the start-up time of a pod is known; a wave that creates no pods takes no time', () => {
    const duration = { startupSeconds: 30, lowerBoundSeconds: 60, expectedSeconds: 90, abortSeconds: 600, blastRadius: 1 };
    const { axis, panels } = buildRolloutChart(rolloutOf(DEPLOYMENT, { duration })).parts[0]!;
    expect(axis.name).toBe('seconds, at the earliest');
    expect(panels[0]).toMatchObject({ rows: [{ at: -3.5999999999999996 }, { at: 0 }, { at: 30 }, { at: 60 }, { at: 60 }] });
  });

  test('a deadlock: the rows up to it, a mark, and how many pods fit', () => {
    const capacity = { verdict: 'deadlocks', peakPods: 3, podsThatFit: 2, deadlockWave: 1, message: 'Does not fit.' } as const;
    const chart = buildRolloutChart(rolloutOf(DEPLOYMENT, { capacity }));
    expect(chart).toMatchObject({ outcome: 'deadlocks at wave 1: its pods do not fit', isStuck: true, notes: ['Does not fit.'] });
    expect(firstPanel(rolloutOf(DEPLOYMENT, { capacity }))).toMatchObject({
      rows: [
        { at: 0, values: [2, 0, 0] },
        { at: 1, values: [2, 0, 0, 1] },
      ],
      layers: [{ name: 'old, ready' }, { name: 'new, ready' }, { name: 'not ready' }, { name: 'does not fit', role: 'refused' }],
      stop: { at: 2, text: 'deadlocks at wave 1' },
      levels: [{ name: 'ceiling 3' }, { name: 'floor 2' }, { name: 'capacity for 2', at: 2 }],
    });
  });

  test('capacity above the running pods is a band', () => {
    const capacity = { verdict: 'fits', peakPods: 3, podsThatFit: 3, message: 'Fits.' } as const;
    expect(firstPanel(rolloutOf(DEPLOYMENT, { capacity }))).toMatchObject({ bands: [{ name: 'capacity for 1 more', from: 2, to: 3 }] });
  });

  test('a budget is a line, which says if the rollout breaks it', () => {
    const budget = { name: 'web', pods: 2, desiredHealthy: 1, lowest: 2, ownDesiredHealthy: 1 };
    const budgets = [budget, { ...budget, name: 'strict', desiredHealthy: 2, lowest: 1, ownDesiredHealthy: 2 }];
    expect(firstPanel(rolloutOf(DEPLOYMENT, { budgets }))).toMatchObject({
      levels: [
        { role: 'ceiling' },
        { role: 'floor' },
        { name: 'budget 1: web', role: 'budget', at: 1 },
        { name: 'budget 2 broken: strict', role: 'stop', at: 2 },
      ],
    });
  });

  test('a StatefulSet: the number of old, new and down pods, and a line for each ordinal', () => {
    const budgets = [{ name: 'db', pods: 3, desiredHealthy: 2, lowest: 2, ownDesiredHealthy: 2 }];
    const [counts, ordinals] = buildRolloutChart(rolloutOf(STATEFULSET, { budgets })).parts[0]!.panels;
    expect(counts).toMatchObject({
      rows: [{ values: [3, 0, 0] }, { values: [2, 0, 1] }, { values: [1, 1, 1] }, { values: [1, 2, 0] }],
      levels: [
        { name: 'floor 2', at: 2 },
        { name: 'budget 2: db', at: 2 },
      ],
    });
    expect(ordinals).toMatchObject({
      kind: 'grid',
      lines: [
        { name: '2', cells: ['old', 'starting', 'new', 'new'] },
        { name: '1', cells: ['old', 'old', 'starting', 'new'] },
        { name: '0', cells: ['old', 'old', 'old', 'old'] },
      ],
    });
  });

  test('a deadlock: the pods of that wave that fit exist and are not ready', () => {
    const capacity = { verdict: 'deadlocks', peakPods: 12, podsThatFit: 8, deadlockWave: 1, message: 'Does not fit.' } as const;
    const wide = simulateDeployment({ type: 'RollingUpdate', rollingUpdate: { maxSurge: 4, maxUnavailable: 0 } }, 6);
    expect(firstPanel(rolloutOf(wide, { capacity }))).toMatchObject({
      rows: [{ values: [6, 0, 0] }, { values: [6, 0, 2, 2] }],
    });
  });

  test('an empty partition has no bar, which would look like one that is never filled', () => {
    const empty = { ...FLEET, partitions: [...FLEET.partitions, { name: 'none', count: 0, maxUnavailable: 1, clusters: [] }] };
    const barsOf = (simulation: FleetSimulation) =>
      drawChart(buildRolloutChart(rolloutOf(simulation)), 760).markup.match(/<rect class="left" [^>]*height="18"/g) ?? [];
    expect(barsOf(empty)).toHaveLength(barsOf(FLEET).length);
  });

  test('a StatefulSet over seconds', () => {
    const duration = { startupSeconds: 30, lowerBoundSeconds: 100, expectedSeconds: 100, abortSeconds: null, blastRadius: 1 };
    const [part] = buildRolloutChart(rolloutOf(STATEFULSET, { duration })).parts;
    expect(part!.axis).toEqual({ name: 'seconds, at the earliest', from: -6, to: 106 });
    expect(part!.panels).toMatchObject([
      { kind: 'stack', rows: [{ at: -6 }, { at: 0, values: [2, 0, 1] }, { at: 50 }, { at: 100, values: [1, 2, 0] }] },
      { kind: 'grid', starts: [-6, 0, 50, 100] },
    ]);
  });

  test('batches of a StatefulSet of different sizes take as long as their pods one after another, or as one pod in parallel', () => {
    const uneven = { ...STATEFULSET, maxUnavailable: 2, order: [2, 1, 0], batches: [[2, 1], [0]], untouched: [] };
    const duration = { startupSeconds: 30, lowerBoundSeconds: 90, expectedSeconds: 90, abortSeconds: null, blastRadius: 2 };
    const startsOf = (startsInParallel?: true) =>
      firstPanel(rolloutOf(uneven, { duration: { ...duration, ...(startsInParallel && { startsInParallel }) } }));
    expect(startsOf()).toMatchObject({
      rows: [{}, { at: 0, values: [1, 0, 2] }, { at: 60, values: [0, 2, 1] }, { at: 90, values: [0, 3, 0] }],
    });
    expect(startsOf(true)).toMatchObject({ rows: [{}, { at: 0 }, { at: 45 }, { at: 90 }] });
  });

  test('a StatefulSet that waits for a pod that is not ready deadlocks, with that pod marked', () => {
    const waiting = { ...STATEFULSET, order: [], batches: [], untouched: [0, 1, 2], blocked: { ordinal: 1, reason: 'unready' as const } };
    expect(buildRolloutChart(rolloutOf(waiting))).toMatchObject({
      isStuck: true,
      outcome: 'deadlocks before the first batch: waits for pod 1, which is not ready',
      parts: [
        {
          panels: [
            { kind: 'stack', rows: [{ values: [2, 0, 1] }], stop: { at: 1, text: 'waits for pod 1' } },
            {
              kind: 'grid',
              lines: [
                { name: '2', cells: ['old'] },
                { name: '1', cells: ['starting'] },
                { name: '0', cells: ['old'] },
              ],
              stop: { at: 1, text: '' },
            },
          ],
        },
      ],
    });
  });

  test('a DaemonSet that halts: its nodes and the halt', () => {
    expect(firstPanel(rolloutOf(DAEMONSET))).toMatchObject({
      unit: 'pods, one for each node',
      stop: { at: 2, text: 'halts: 1 node is down' },
    });
  });

  test('a Revision and a RayService: pods or capacity, and the share of requests below', () => {
    const unitsOf = (simulation: Simulation) =>
      buildRolloutChart(rolloutOf(simulation)).parts[0]!.panels.map((panel) => (panel.kind === 'stack' ? panel.unit : panel.kind));
    expect(unitsOf(REVISION)).toEqual(['pods', '% of requests']);
    expect(unitsOf(RAY)).toEqual(['% of the capacity of one cluster', '% of requests']);
  });

  test('a Fleet bundle: the progress of its partitions by wave, and the halt of the update', () => {
    const [update, install] = buildRolloutChart(rolloutOf(FLEET)).parts;
    expect(update!.panels[0]).toMatchObject({
      tracks: [
        { name: 'canary', note: '1 of 1 cluster', rows: [{ at: 1, value: 1 }] },
        { name: 'rest', note: '0 of 2 clusters', rows: [{ at: 1, value: 0 }] },
      ],
      stop: { at: 2, text: 'halts after canary: 2 clusters left' },
    });
    expect(install!.panels[0]).toMatchObject({ tracks: [{ note: '1 of 1 cluster' }, { note: '2 of 2 clusters' }] });
  });

  test('nothing if nothing is rolled out, with the reason', () => {
    expect(buildRolloutChart(rolloutOf(null))).toMatchObject({ parts: [], outcome: 'no simulation: see the findings' });
    expect(buildRolloutChart(rolloutOf({ ...DEPLOYMENT, replicas: 0, waves: [] }))).toMatchObject({ parts: [] });
  });

  test('a gap with the number of left out waves', () => {
    const simulation = simulated(1_001, 1, 0);
    expect(firstPanel(rolloutOf(simulation))).toMatchObject({ gap: { from: 51, to: 953, text: '902 waves like these' } });
  });
});

function heightOf(svg: string): number {
  return Number(/height="([\d.]+)"/.exec(svg)![1]);
}

describe('the file', () => {
  test.each(EVERY.map((simulation) => [simulation.kind, simulation] as const))(
    'of a %s is well-formed, deterministic, and makes no requests',
    (_, simulation) => {
      const svg = renderPlanSvg(planOf([rolloutOf(simulation)]));
      expect(faultsOf(svg)).toEqual([]);
      expect(renderPlanSvg(planOf([rolloutOf(simulation)]))).toBe(svg);
      expect(svg.replace('http://www.w3.org/2000/svg', '')).not.toMatch(/https?:|<script|<image|href|NaN|undefined|Infinity/);
    },
  );

  test('shows hostile names as text', () => {
    const resource = { apiVersion: 'apps/v1', kind: 'Deployment', name: HOSTILE };
    const fleet = { ...FLEET, partitions: [{ ...FLEET.partitions[0]!, name: HOSTILE }] };
    const svg = renderPlanSvg(planOf([rolloutOf(DEPLOYMENT, { resource }), rolloutOf(fleet, { resource })]));
    expect(faultsOf(svg)).toEqual([]);
    expect(svg).not.toContain('<script');
    expect(svg).toContain('&lt;/text&gt;&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;\\u001b[2J');
  });

  test('describes in text what it shows, or that there are no rollouts', () => {
    expect(renderPlanSvg(planOf([rolloutOf(DEPLOYMENT)]))).toContain(
      'role="img" aria-label="Deployment shop/web: 2 pods: 3 waves, peak 3, at least 2 available"',
    );
    expect(renderPlanSvg(planOf([]))).toContain('aria-label="no rollouts"');
  });

  test.each([280, 760])('lists below the picture what is not planned, in lines that fit: %d pixels', (width) => {
    const notPlanned = [
      { apiVersion: 'ray.io/v1', kind: 'RayCluster', count: 9, reason: 'A RayCluster is not rolled out.' },
      { apiVersion: 'serving.knative.dev/v1', kind: 'Service', count: 3, reason: 'No system plans it.' },
      { apiVersion: 'example.com/v1', kind: HOSTILE, count: 1, reason: 'No system plans it.' },
    ];
    for (const rollouts of [[], [rolloutOf(DEPLOYMENT)]]) {
      const plan = planOf(rollouts);
      const svg = renderPlanSvg({ ...plan, notPlanned }, { width });
      expect(faultsOf(svg)).toEqual([]);
      expect(collisions(svg, width)).toEqual([]);
      expect(svg).toMatch(/aria-label="[^"]*\. not planned: 9 RayClusters \(ray\.io\), 3 Services \(serving\.knative\.dev\), /);
      expect(svg).toMatch(/<text class="q" [^>]*>not planned: 9 RayClusters/);
      expect(svg).not.toContain('<script');
      expect(heightOf(svg)).toBeGreaterThan(heightOf(renderPlanSvg(plan, { width })));
    }
  });

  test('draws the current rollout next to the planned one', () => {
    const before = planOf([rolloutOf({ ...DEPLOYMENT, surge: 2 })]);
    const svg = renderPlanSvg(planOf([rolloutOf(DEPLOYMENT)]), { before });
    expect(svg).toContain('now: Deployment shop/web');
    expect(svg).toContain('changed: Deployment shop/web');
  });

  test('draws both with one scale', () => {
    const [small, large] = alignChartScales(buildRolloutChart(rolloutOf(DEPLOYMENT)), buildRolloutChart(rolloutOf(simulated(10, 2, 0))));
    expect([small, large].map(({ parts }) => parts[0]!.panels[0])).toMatchObject([{ axisMaximum: 12 }, { axisMaximum: 12 }]);
  });
});

/** Returns the texts of a picture in drawing order, without numbers. */
function wordsOf(svg: string): string[] {
  return [...svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, word = '']) => word).filter((word) => !/^[\d]*$/.test(word));
}

describe('the file of a change', () => {
  const web = (name: string, replicas: number, image: string, more: object = {}) =>
    deployment({ replicas, template: podTemplate({ image }), ...more }, { name, namespace: 'shop' });
  const OLD = [web('web', 2, 'web:1'), web('search', 4, 'search:7'), web('held', 3, 'held:1'), web('same', 1, 'same:1')];
  const NEXT = [
    web('web', 2, 'web:2'),
    web('search', 8, 'search:7'),
    web('held', 3, 'held:2', { paused: true }),
    web('same', 1, 'same:1'),
    web('fresh', 1, 'fresh:1'),
  ];
  const before = planManifests(OLD);
  const plan = planChange(OLD, NEXT);

  test('shows the effect on every object that differs, worst first, with its picture if it has one', () => {
    const words = wordsOf(renderPlanSvg(plan, { before, width: 1_400 }));
    const axis = ['pods', 'before', 'after', 'wave', 'old, ready', 'new, ready', 'not ready'];
    expect(words.filter((word) => !axis.includes(word) && !/^(floor|ceiling) /.test(word))).toEqual([
      '4 of 5 objects differ: 1 rolls, 1 is on hold, 1 scales, 1 is new; 2 pods are replaced; needs up to 6 extra pods; assumes Kubernetes 1.36',
      'Deployment shop/web',
      '! roll: 2 of 2 available at the worst moment; image web:1 -&gt; web:2',
      'now',
      '2 pods: 3 waves, peak 3, at least 2 available',
      'changed',
      '2 pods: 3 waves, peak 3, at least 2 available',
      'Deployment shop/held',
      '! held: until it is resumed; image held:1 -&gt; held:2 and 1 more',
      'Deployment shop/search',
      '~ scale: 4 -&gt; 8 pods, nothing is replaced',
      'Deployment shop/fresh',
      '+ create: 1 pod',
    ]);
  });

  test('two plots begin at the same height, even if one deadlocks', () => {
    const capacity = { verdict: 'deadlocks', peakPods: 3, podsThatFit: 2, deadlockWave: 1, message: 'Does not fit.' } as const;
    const ends = rolloutOf(DEPLOYMENT);
    const [previous, after] = alignChartScales(buildRolloutChart(ends), buildRolloutChart({ ...ends, capacity }));
    const topOf = (markup: string) => /<path class="rule" d="M46 ([\d.]+)H/.exec(markup)?.[1];
    expect(topOf(drawChart(previous, 372, { outcomeLines: 2 }).markup)).toBe(topOf(drawChart(after, 372, { outcomeLines: 2 }).markup));
  });

  test.each([280, 760, 1_400])('is well-formed, and no line leaves it, at %d pixels', (width) => {
    const svg = renderPlanSvg(plan, { before, width });
    expect(new DOMParser().parseFromString(svg, 'image/svg+xml').documentElement!.getAttribute('width')).toBe(String(width));
    expect(collisions(svg, width).filter((fault) => fault.startsWith('outside'))).toEqual([]);
  });

  test('describes in text what it shows', () => {
    expect(renderPlanSvg(plan, { before })).toContain('Deployment shop/fresh: create');
  });
});

const rolling = fc
  .record({
    replicas: fc.integer({ min: 1, max: 3_000 }),
    surge: fc.integer({ min: 0, max: 400 }),
    unavailable: fc.integer({ min: 0, max: 400 }),
  })
  .filter(({ surge, unavailable }) => surge + unavailable > 0)
  .map(({ replicas, surge, unavailable }) => simulated(replicas, surge, unavailable));

describe('labels never overlap', () => {
  test.each([280, 360, 760, 1_400])('%d pixels: each kind', (width) => {
    const long = {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      namespace: 'a-namespace-of-some-length',
      name: 'a-name-that-goes-on-and-on-and-on',
    };
    for (const simulation of EVERY) {
      const { markup } = drawChart(buildRolloutChart(rolloutOf(simulation, { resource: long })), width);
      expect(collisions(markup, width)).toEqual([]);
    }
  });

  test('any Deployment, with and without enough capacity', () => {
    const capacities = fc.record({ podsThatFit: fc.integer({ min: 0, max: 3_000 }), isStuck: fc.boolean() });
    fc.assert(
      fc.property(rolling, capacities, fc.constantFrom(280, 360, 760, 1_400), (simulation, { podsThatFit, isStuck }, width) => {
        const { peakPods } = simulation;
        const verdict = isStuck ? ({ verdict: 'deadlocks', deadlockWave: 1 } as const) : ({ verdict: 'fits' } as const);
        const rollout = rolloutOf(simulation, {
          capacity: { ...verdict, peakPods, podsThatFit: Math.min(peakPods, podsThatFit), message: 'Room.' },
        });
        const { markup } = drawChart(buildRolloutChart(rollout), width);
        expect(markup).not.toMatch(/NaN|Infinity|undefined/);
        expect(collisions(markup, width)).toEqual([]);
      }),
      // In this example the left out waves end at the edge, near which their number does not fit.
      { numRuns: scaleRuns(150), examples: [[simulated(1_000, 1, 0), { podsThatFit: 0, isStuck: true }, 280]] },
    );
  });
});

test('a picture has its light colours in attributes, because librsvg, ImageMagick and Inkscape know no CSS variables', () => {
  const svg = renderPlanSvg(planOf([rolloutOf(DEPLOYMENT)]));

  expect(svg).not.toContain('var(');
  expect(svg).toContain('<rect class="new" fill="#0072b2"');
  expect(svg).toMatch(/<style>@media screen and \(prefers-color-scheme:dark\)\{[^<]*svg \.new\{fill:#3b9ddd\}[^<]*\}<\/style>/);
  for (const [shape] of svg.replace(/<defs>.*<\/defs>/, '').matchAll(/<(?:rect|path|circle)[^>]*>/g))
    expect(shape).toMatch(/ (?:fill|stroke)="/);
});

test('a change shows the ready endpoints of a Service, with its waves if none is ready at some moment', () => {
  const version = (label: string) => [
    deployment({
      replicas: 4,
      selector: { matchLabels: { app: 'a' } },
      template: { metadata: { labels: { app: 'a', v: label } }, ...podTemplate() },
    }),
    { apiVersion: 'v1', kind: 'Service', metadata: { name: 'api' }, spec: { selector: { v: label }, ports: [{ port: 80 }] } },
  ];
  const svg = renderPlanSvg(planChange(version('1'), version('2')));
  const texts = [...svg.matchAll(/<text[^>]*>([^<]*)/g)].map(([, text]) => text!);
  expect(texts.slice(texts.indexOf('Service api: 4 -&gt; 0 -&gt; 4 ready endpoints'))).toEqual([
    'Service api: 4 -&gt; 0 -&gt; 4 ready endpoints',
    'wave',
    'ready',
    'new %',
    'answers',
    '1',
    '0',
    '-',
    'refused',
    '2',
    '2',
    '100',
    'pods',
    '3',
    '4',
    '100',
    'pods',
  ]);
});
