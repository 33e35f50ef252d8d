import type { IntOrPercent } from '../../src/core/values/int-or-percent';
import { defaultDeploymentStrategy } from '../../src/workloads/deployment/strategy';
import type { DeploymentStrategy, DeploymentStrategySpec } from '../../src/workloads/deployment/types';
import { simulateDeploymentFrom } from '../../src/workloads/deployment/simulate-from';
import { recorded } from './recording';

type Wave = readonly [newReplicas: number, oldReplicas: number, total: number, available: number];

interface Row {
  readonly strategy: DeploymentStrategySpec & {
    readonly type: string;
    readonly maxSurge?: IntOrPercent;
    readonly maxUnavailable?: IntOrPercent;
  };
  readonly before: readonly (readonly [image: string, pods: number, available: number, desired: number | null, most: number | null])[];
  readonly replicas: number;
  readonly image: string;
  readonly waves: readonly Wave[];
}

const rows = recorded('kubernetes-deployment-changes') as readonly Row[];

function strategyOf({ strategy: { type, maxSurge, maxUnavailable } }: Row): DeploymentStrategy {
  const rollingUpdate = { ...(maxSurge !== undefined && { maxSurge }), ...(maxUnavailable !== undefined && { maxUnavailable }) };
  return defaultDeploymentStrategy(type === 'Recreate' ? { type } : { type, rollingUpdate });
}

function ours(row: Row): Wave[] {
  const start = row.before.map(([image, size, available, desired, most]) => ({
    isNew: image === row.image,
    size,
    available,
    ...(desired !== null && { desired }),
    ...(most !== null && { most }),
  }));
  const { waves } = simulateDeploymentFrom(strategyOf(row), row.replicas, start);
  return waves.map(({ newReplicas, oldReplicas, total, available }) => [newReplicas, oldReplicas, total, available]);
}

/** Drops waves without pods. We show the gap of a Recreate, and rollouts without pods; in the recording pods vanish at once, so it shows neither. */
function withPods(waves: readonly Wave[]): Wave[] {
  return waves.filter(([, , total]) => total > 0);
}

describe('the waves of a change, from any state of the Deployment', () => {
  test('match the real controller: rollouts with scaling, rollovers of unfinished rollouts, rollbacks, and resumed rollouts', () => {
    const wrong = rows.filter((row) => JSON.stringify(withPods(ours(row))) !== JSON.stringify(withPods(row.waves)));
    expect(rows.length).toBe(840);
    expect(wrong.map((row) => ({ ...row, ours: ours(row) }))).toEqual([]);
  });
});
