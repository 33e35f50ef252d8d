import { planChange } from '../../../src/headless';
import type { Fields } from '../../../src/core/manifest/manifest';
import { expectValidPlan } from '../../plan-schema';
import { leaderWorkerSet, limits } from './plan';

/** Two nodes with capacity for one group of one pod each, for a value of the label gpu. */
const pool = (gpu: string, count: number) => ({
  name: gpu,
  count,
  labels: { gpu },
  allocatable: { cpu: '64', memory: '1Ti', pods: 10, 'nvidia.com/gpu': 8 },
});

function set(gpu: string, configuration: Fields) {
  const containers = [{ name: 'vllm', image: 'vllm:1', resources: { limits: { 'nvidia.com/gpu': 8 } } }];
  return leaderWorkerSet(limits(configuration), { size: 1, workerTemplate: { spec: { nodeSelector: { gpu }, containers } } });
}

function move(configuration: Fields, nodes: number, lws: string) {
  const plan = expectValidPlan(
    planChange([set('a100', configuration)], [set('h100', configuration)], {
      capacity: { nodePools: [pool('a100', 2), pool('h100', nodes)] },
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

test('it does not with a place for each group, with a group that may be unavailable, or before 0.9', () => {
  expect(move(SURGE_ONLY, 3, '0.9')).toMatchObject({ verdict: 'fits' });
  expect(move({ maxSurge: 1, maxUnavailable: 1 }, 2, '0.9')).toMatchObject({ verdict: 'fits' });
  expect(move(SURGE_ONLY, 2, '0.8')).toMatchObject({ verdict: 'fits' });
});
