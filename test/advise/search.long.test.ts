import * as fc from 'fast-check';
import { StrategyEvaluator } from '../../src/advise/evaluate';
import type { EvaluatedStrategy } from '../../src/advise/evaluate';
import { searchBestLimits } from '../../src/advise/search';
import { createStrategySpace } from '../../src/advise/strategy-space';
import type { RolloutTrial } from '../../src/cluster/rollout/rollout-trial';
import { PREFERENCES } from '../../src/core/document/advice';
import type { Preference, RolloutGoal } from '../../src/core/document/advice';
import { adviseManifests } from '../../src/headless';
import type { Candidate } from '../../src/headless';
import type { Manifest } from '../../src/core/manifest/manifest';
import { planInput } from '../../src/plan/plan';
import { quota } from '../builders/quota';
import { deployment, podTemplate } from '../builders/workload';

const RESOURCES = { resources: { limits: { 'nvidia.com/gpu': 1 } } };

function objectsOf(replicas: number, grace: number, free: number | undefined): Manifest[] {
  const template = podTemplate(RESOURCES, { terminationGracePeriodSeconds: grace });
  const limits = free === undefined ? [] : [quota({ 'requests.nvidia.com/gpu': String(replicas + free) })];
  return [deployment({ replicas, template }), ...limits] as Manifest[];
}

/** Returns the evaluator of the only Deployment of some objects. */
function evaluatorOf(objects: readonly Manifest[], replicas: number): StrategyEvaluator {
  let trial: RolloutTrial | undefined;
  const { rollouts } = planInput({ objects, onEvaluated: ([evaluated]) => (trial = evaluated!.trial!()) }, { startupSeconds: 60 });
  const [{ simulation, strategy }] = rollouts as [(typeof rollouts)[number]];
  return new StrategyEvaluator(trial!, createStrategySpace(simulation!, strategy, '1.34')!, [replicas]);
}

/** Evaluates every pair of limits of a Deployment, one after the other. */
function evaluateAllPairs(evaluator: StrategyEvaluator, replicas: number): EvaluatedStrategy[] {
  const all: EvaluatedStrategy[] = [];
  for (let surge = 0; surge <= replicas; surge++) {
    for (let unavailable = 0; unavailable <= replicas; unavailable++) {
      if (surge + unavailable === 0) continue;
      all.push(evaluator.evaluate({ type: 'RollingUpdate', rollingUpdate: { maxSurge: surge, maxUnavailable: unavailable } }));
    }
  }
  return all;
}

type Row = readonly [seconds: number, extraPods: number, leastAvailable: number, broken: number];

function rowOf({ figures }: EvaluatedStrategy): Row {
  const { seconds, extraPods, leastAvailable, brokenByBadVersion } = figures[0]!.figures;
  return [seconds ?? Infinity, extraPods, leastAvailable, brokenByBadVersion];
}

const ORDERS: Readonly<Record<Preference, (row: Row) => readonly number[]>> = {
  fast: ([seconds, extraPods, leastAvailable, broken]) => [seconds, extraPods, -leastAvailable, broken],
  available: ([seconds, extraPods, leastAvailable, broken]) => [-leastAvailable, seconds, extraPods, broken],
  cheap: ([seconds, extraPods, leastAvailable, broken]) => [extraPods, seconds, -leastAvailable, broken],
};

function isLess(a: readonly number[], b: readonly number[]): boolean {
  const index = a.findIndex((value, position) => value !== b[position]);
  return index >= 0 && a[index]! < b[index]!;
}

/** Returns the best row by comparing all. */
function findBest(rows: readonly Row[], prefer: Preference): Row | undefined {
  const order = ORDERS[prefer];
  return rows.reduce<Row | undefined>((best, row) => (best && !isLess(order(row), order(best)) ? best : row), undefined);
}

interface WantedLimits {
  readonly available: number;
  readonly extraPods: number;
  readonly minutes: number;
}

const limits = fc.record({
  available: fc.integer({ min: 0, max: 100 }),
  extraPods: fc.integer({ min: 0, max: 100 }),
  minutes: fc.integer({ min: 1, max: 40 }),
});

function toGoal({ available, extraPods, minutes }: WantedLimits): RolloutGoal {
  return { available: `${available}%`, extraPods: `${extraPods}%`, within: `${minutes}m` };
}

function expectSameBest(replicas: number, grace: number, free: number | undefined, wanted: readonly WantedLimits[]): void {
  const evaluator = evaluatorOf(objectsOf(replicas, grace, free), replicas);
  const rows = evaluateAllPairs(evaluator, replicas).map(rowOf);
  for (const one of wanted) {
    const [least, most] = [Math.ceil((one.available * replicas) / 100), Math.floor((one.extraPods * replicas) / 100)];
    const meeting = rows.filter(([seconds, extra, available]) => seconds <= one.minutes * 60 && extra <= most && available >= least);
    for (const prefer of PREFERENCES) {
      const found = searchBestLimits(evaluator, toGoal(one), prefer, 0);
      expect({ one, prefer, best: found && rowOf(found) }).toEqual({ one, prefer, best: findBest(meeting, prefer) });
    }
  }
}

describe('the search finds what a comparison of all strategies finds', () => {
  const sizes = Array.from({ length: 60 }, (_, index) => index + 1);

  test('for up to 60 replicas without limits', () => {
    const wanted = fc.sample(limits, { numRuns: 12, seed: 7 });
    for (const replicas of sizes) expectSameBest(replicas, 30, undefined, wanted);
  });

  test('under a quota that counts deleted pods until they are gone', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 14 }),
        fc.constantFrom(0, 30, 300),
        fc.integer({ min: 0, max: 6 }),
        fc.array(limits, { minLength: 5, maxLength: 5 }),
        (replicas, grace, free, wanted) => {
          expectSameBest(replicas, grace, free, wanted);
        },
      ),
      { numRuns: 25 },
    );
  });
});

describe('the front is that of a comparison of all strategies', () => {
  const frontRow = ({ seconds, extraPods, leastAvailable, brokenByBadVersion }: Candidate): Row => [
    seconds!,
    extraPods,
    leastAvailable,
    brokenByBadVersion,
  ];
  const beats = (a: Row, b: Row) => a[0] <= b[0] && a[1] <= b[1] && a[2] >= b[2] && a[3] <= b[3] && JSON.stringify(a) !== JSON.stringify(b);

  test.each([
    [1, 30, undefined],
    [8, 30, undefined],
    [23, 0, undefined],
    [60, 30, undefined],
    [8, 30, 2],
    [12, 300, 3],
    [9, 30, 0],
  ])('for %d replicas, a grace period of %d s and a quota with %s free', (replicas, grace, free) => {
    const objects = objectsOf(replicas, grace, free);
    const evaluator = evaluatorOf(objects, replicas);
    const all = [...evaluateAllPairs(evaluator, replicas), evaluator.evaluate({ type: 'Recreate' })].map(rowOf);
    const distinct = [...new Map(all.map((row) => [row.join(' '), row])).values()].filter(([seconds]) => seconds < Infinity);
    const expected = distinct.filter((row) => !distinct.some((other) => beats(other, row)));
    const [advised] = adviseManifests(objects, {}, { startupSeconds: 60 }).rollouts;
    const sort = (rows: readonly Row[]) => rows.map((row) => row.join(' ')).toSorted();
    expect(sort(advised!.front.map(frontRow))).toEqual(sort(expected));
  });
});

test('8 replicas have 80 pairs of limits, and Recreate', () => {
  const [advised] = adviseManifests(objectsOf(8, 30, undefined)).rollouts;
  expect(advised!.tried).toBe(81);
});

test('a goal for 1,000,000 replicas is searched in a moment, and the front says that it has gaps', () => {
  const goal: RolloutGoal = { available: '90%', extraPods: 1_000, within: '20m', prefer: 'available' };
  const [advised] = adviseManifests(objectsOf(1_000_000, 30, undefined), goal, { startupSeconds: 60 }).rollouts;
  expect(advised!.best).toMatchObject({
    strategy: { rollingUpdate: { maxSurge: 1_000, maxUnavailable: 49_000 } },
    seconds: 1_200,
    extraPods: 1_000,
    leastAvailable: 951_000,
  });
  expect(advised!.isPartial).toBe(true);
});

describe('strategies of pods whose nodes depend on other pods', () => {
  const node = (index: number) => ({
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name: `node-${index}`,
      labels: { 'kubernetes.io/hostname': `node-${index}`, 'topology.kubernetes.io/zone': `zone-${index % 3}` },
    },
    status: { allocatable: { cpu: '2', pods: '110' } },
  });
  const objectsWith = (replicas: number, count: number, topologyKey: string, matchLabelKeys: readonly string[]) => {
    const constraint = {
      maxSkew: 1,
      topologyKey,
      whenUnsatisfiable: 'DoNotSchedule',
      labelSelector: { matchLabels: { app: 'web' } },
      matchLabelKeys,
    };
    const template = podTemplate({ resources: { requests: { cpu: '1' } } }, { topologySpreadConstraints: [constraint] });
    return [deployment({ replicas, template }), ...Array.from({ length: count }, (_, index) => node(index))] as Manifest[];
  };

  test.each([
    [4, 3, 'kubernetes.io/hostname', ['pod-template-hash']],
    [5, 4, 'kubernetes.io/hostname', []],
    [4, 3, 'topology.kubernetes.io/zone', ['pod-template-hash']],
  ])('%d pods on %d nodes, spread by %s with %j: the front is that of the plans of all strategies', (replicas, count, key, labels) => {
    const objects = objectsWith(replicas, count, key, labels);
    const evaluator = evaluatorOf(objects, replicas);
    const isFitting = ({ figures }: EvaluatedStrategy) => figures[0]!.metrics.doubt === 0;
    const all = [...evaluateAllPairs(evaluator, replicas), evaluator.evaluate({ type: 'Recreate' })].filter(isFitting).map(rowOf);
    const rows = [...new Map(all.map((row) => [row.join(' '), row])).values()];
    const beats = (a: Row, b: Row) => a !== b && a[0] <= b[0] && a[1] <= b[1] && a[2] >= b[2] && a[3] <= b[3];
    const [advised] = adviseManifests(objects, {}, { startupSeconds: 60 }).rollouts;
    const fitting = advised!.front.filter(({ verdict }) => verdict === 'fits' || verdict === 'slower');
    expect(
      fitting
        .map(({ seconds, extraPods, leastAvailable, brokenByBadVersion }) =>
          [seconds, extraPods, leastAvailable, brokenByBadVersion].join(' '),
        )
        .toSorted(),
    ).toEqual(
      rows
        .filter((row) => !rows.some((other) => beats(other, row)))
        .map((row) => row.join(' '))
        .toSorted(),
    );
  });

  test('20 pods on 11 nodes: all 440 pairs are tried', () => {
    const [advised] = adviseManifests(objectsWith(20, 11, 'kubernetes.io/hostname', []), {}, { startupSeconds: 60 }).rollouts;
    expect([advised!.tried, advised!.isPartial]).toEqual([441, undefined]);
  });
});
