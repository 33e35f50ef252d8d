import type { PlannedRollout } from '../../src/core/rollout';
import type { CapacityVerdict } from '../../src/core/capacity-result';
import type { DeploymentSimulation } from '../../src/core/simulations/deployment';
import { planManifests } from '../../src/headless';
import { recorded } from './recording';

/** New pods, old pods, both, and those available. */
type Counts = readonly [newPods: number, oldPods: number, total: number, available: number];

interface LimitedRollout {
  readonly replicas: number;
  /** Absent for a Recreate, as maxUnavailable is. */
  readonly maxSurge?: number;
  readonly maxUnavailable?: number;
  /** Pods that the namespace lets exist. */
  readonly quota: number;
  /** Do all pods become new ones? */
  readonly completes: boolean;
  /** Counts at each fix point of the controllers that differs from the one before. */
  readonly waves: readonly Counts[];
}

const rollouts = recorded('kubernetes-quota-rollouts') as readonly LimitedRollout[];
const rolling = rollouts.filter(({ maxSurge }) => maxSurge !== undefined);
const recreated = rollouts.filter(({ maxSurge }) => maxSurge === undefined);

/** Our plan of the same rollout in a namespace with a quota on pods. */
function planned({ replicas, maxSurge, maxUnavailable, quota }: LimitedRollout): PlannedRollout {
  const labels = { app: 'web' };
  const strategy = maxSurge === undefined ? { type: 'Recreate' } : { rollingUpdate: { maxSurge, maxUnavailable } };
  const template = { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'web:2' }] } };
  const spec = { replicas, strategy, selector: { matchLabels: labels }, template };
  return planManifests([
    { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web', namespace: 'default' }, spec },
    { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'pods', namespace: 'default' }, spec: { hard: { pods: quota } } },
  ]).rollouts[0]!;
}

/** What we say becomes of it. */
function ourOutcome(rollout: LimitedRollout) {
  const { verdict, deadlockWave, iterations } = planned(rollout).capacity!;
  return { verdict, deadlockWave, iterations };
}

function ourWaves(rollout: LimitedRollout): Counts[] {
  const { waves } = planned(rollout).simulation as DeploymentSimulation;
  return waves.map(({ newReplicas, oldReplicas, total, available }) => [newReplicas, oldReplicas, total, available]);
}

/** Waves that create a pod. */
function iterationsOf(waves: readonly Counts[]): number {
  return waves.filter(([newPods], index) => newPods > (waves[index - 1]?.[0] ?? 0)).length;
}

/** What became of it. A rollout that never moves stands still at its first wave. */
function outcomeOf(rollout: LimitedRollout) {
  const { completes, waves } = rollout;
  if (!completes) return { verdict: 'deadlocks', deadlockWave: Math.max(1, waves.length) };
  const isUnhindered = JSON.stringify(waves) === JSON.stringify(ourWaves(rollout));
  return isUnhindered ? { verdict: 'fits' } : { verdict: 'slower', iterations: iterationsOf(waves) };
}

function countOf(verdict: CapacityVerdict): number {
  return rolling.filter((rollout) => outcomeOf(rollout).verdict === verdict).length;
}

describe('rollouts under a quota, by the Deployment and ReplicaSet controllers of Kubernetes 1.34', () => {
  test('every RollingUpdate fits, is slower or deadlocks as we say, in as many iterations and at that wave', () => {
    expect(rolling.map((rollout) => ({ ...rollout, outcome: ourOutcome(rollout) }))).toEqual(
      rolling.map((rollout) => ({ ...rollout, outcome: outcomeOf(rollout) })),
    );
    expect([countOf('fits'), countOf('slower'), countOf('deadlocks')]).toEqual([231, 49, 198]);
  });

  // Our rows of a Recreate are two, all down and all up; a fix point of the controllers is after both.
  test('a Recreate ends where we say that it fits, and stands still while new pods come up where we say that it does not', () => {
    expect(recreated.map(ourOutcome)).toEqual(
      recreated.map(({ completes }) => (completes ? { verdict: 'fits' } : { verdict: 'deadlocks', deadlockWave: 2 })),
    );
  });
});
