import { planChange } from '../../../src/headless';
import type { Fields } from '../../../src/core/manifest/manifest';
import { expectValidPlan } from '../../plan-schema';
import { leaderWorkerSet, limits } from './plan';

/** Nodes with capacity for one group of one pod each, for a value of the label gpu. */
const pool = (gpu: string, count: number) => ({
  name: gpu,
  count,
  labels: { gpu },
  allocatable: { cpu: '64', memory: '1Ti', pods: 10, 'nvidia.com/gpu': 8 },
});

function set(gpu: string, configuration: Fields, replicas: number) {
  const containers = [{ name: 'vllm', image: 'vllm:1', resources: { limits: { 'nvidia.com/gpu': 8 } } }];
  return leaderWorkerSet(
    { replicas, ...limits(configuration) },
    { size: 1, workerTemplate: { spec: { nodeSelector: { gpu }, containers } } },
  );
}

function move(configuration: Fields, nodes: number, lws: string, replicas = 2) {
  const plan = expectValidPlan(
    planChange([set('a100', configuration, replicas)], [set('h100', configuration, replicas)], {
      capacity: { nodePools: [pool('a100', replicas), pool('h100', nodes)] },
      versions: { lws },
    }),
  );
  const { capacity, simulation } = plan.rollouts[0]!;
  const { verdict, deadlockWave } = capacity!;
  return { verdict, deadlockWave, remainingSurge: (simulation as { remainingSurge?: number }).remainingSurge };
}

const SURGE_ONLY = { maxSurge: 1, maxUnavailable: 0 };

test('a surge group keeps the last place that group 0 waits for, so that the rollout deadlocks since LeaderWorkerSet 0.9', () => {
  expect(move(SURGE_ONLY, 2, '0.9')).toEqual({ verdict: 'deadlocks', deadlockWave: 3, remainingSurge: undefined });
  expect(move(SURGE_ONLY, 2, '0.10')).toMatchObject({ verdict: 'deadlocks' });
});

// The answers are those of `rollingUpdateParameters` at v0.8.0, v0.9.0 and v0.10.0, with leaders that start while a place is free.
test.each([
  [1, '0.9', 'deadlocks'],
  [3, '0.8', 'fits'],
  [3, '0.9', 'deadlocks'],
  [4, '0.8', 'fits'],
  [4, '0.10', 'deadlocks'],
])('with %i groups and as many places, LeaderWorkerSet %s %s', (replicas, lws, verdict) => {
  expect(move(SURGE_ONLY, replicas, lws, replicas)).toMatchObject({ verdict });
});

test('with a place more it finishes since 0.9 even for one group', () => {
  expect(move(SURGE_ONLY, 2, '0.9', 1)).toMatchObject({ verdict: 'fits' });
});

test('it does not with a place for each group, with a group that may be unavailable, or before 0.9', () => {
  expect(move(SURGE_ONLY, 3, '0.9')).toMatchObject({ verdict: 'fits' });
  expect(move({ maxSurge: 1, maxUnavailable: 1 }, 2, '0.9')).toMatchObject({ verdict: 'fits' });
  expect(move(SURGE_ONLY, 2, '0.8')).toMatchObject({ verdict: 'fits' });
});
