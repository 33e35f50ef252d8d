import type { IntOrPercent } from '../../src/core/values/int-or-percent';
import { simulateDeployment } from '../../src/workloads/deployment/simulate';
import { resolveFenceposts } from '../../src/workloads/deployment/strategy';
import type { DeploymentStrategy } from '../../src/workloads/deployment/types';
import { recorded } from './recording';

/** New pods, old pods, their sum, and the available ones. */
type Counts = readonly [newReplicas: number, oldReplicas: number, total: number, available: number];

interface Rollout {
  readonly replicas: number;
  readonly type: 'RollingUpdate' | 'Recreate';
  readonly maxSurge?: IntOrPercent;
  readonly maxUnavailable?: IntOrPercent;
  /** Counts at each fixed point of the controller. */
  readonly waves: readonly Counts[];
  /** Counts after each of the controller's syncs that changed something; for some rollouts. */
  readonly syncs?: readonly Counts[];
}

interface Limits {
  readonly replicas: number;
  readonly maxSurge: IntOrPercent;
  readonly maxUnavailable: IntOrPercent;
  readonly resolved: readonly [surge: number, unavailable: number];
}

const rollouts = recorded('kubernetes-deployment-waves') as readonly Rollout[];

function strategyOf({ type, maxSurge, maxUnavailable }: Rollout): DeploymentStrategy {
  return type === 'Recreate' ? { type } : { type, rollingUpdate: { maxSurge: maxSurge!, maxUnavailable: maxUnavailable! } };
}

function ourWaves(rollout: Rollout): Counts[] {
  const { waves } = simulateDeployment(strategyOf(rollout), rollout.replicas);
  return waves.map(({ newReplicas, oldReplicas, total, available }) => [newReplicas, oldReplicas, total, available]);
}

/** Computes the metrics of a rollout from the rows of the controller. */
function figuresOf({ replicas, waves }: Rollout) {
  return {
    peakPods: Math.max(replicas, ...waves.map(([, , total]) => total)),
    minAvailable: Math.min(replicas, ...waves.map(([, , , available]) => available)),
    iterations: waves.filter(([newReplicas], index) => newReplicas > (waves[index - 1]?.[0] ?? 0)).length,
  };
}

describe('rollouts by the Deployment controller of Kubernetes 1.34', () => {
  test('every RollingUpdate has the waves that we show', () => {
    const rolling = rollouts.filter(({ type }) => type === 'RollingUpdate');
    const different = rolling.filter((rollout) => JSON.stringify(ourWaves(rollout)) !== JSON.stringify(rollout.waves));
    expect(rolling.length).toBeGreaterThan(400);
    expect(different).toEqual([]);
  });

  test('a Recreate deletes all old pods in one sync and creates all new ones in the next: our two rows', () => {
    const recreated = rollouts.filter(({ type, replicas }) => type === 'Recreate' && replicas > 0);
    expect(recreated.map(ourWaves)).toEqual(recreated.map(({ syncs }) => syncs));
  });

  test('peak, minimum and iterations match its rows', () => {
    const ours = rollouts.map((rollout) => simulateDeployment(strategyOf(rollout), rollout.replicas));
    expect(ours.map(({ peakPods, minAvailable, iterations }) => ({ peakPods, minAvailable, iterations }))).toEqual(rollouts.map(figuresOf));
  });

  test('surge and unavailable resolve to the same numbers of pods, up to 2,147,483,647 replicas', () => {
    const limits = recorded('kubernetes-rounding') as readonly Limits[];
    const ours = limits.map((row) => {
      const { surge, unavailable } = resolveFenceposts(row, row.replicas);
      // 873% of 2,147,483,647 pods: the controller's 32 bits wrap, our number does not.
      return { ...row, resolved: [surge | 0, unavailable | 0] };
    });
    expect(ours).toEqual(limits);
  });
});
