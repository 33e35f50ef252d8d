import type { PlannedRollout } from '../../src/core/document/rollout';
import type { CapacityVerdict } from '../../src/core/document/capacity-result';
import type { DeploymentSimulation } from '../../src/core/simulations/deployment';
import { planManifests } from '../../src/headless';
import { sampleOf } from '../setup/recording-step';
import { recorded } from './recording';

/** New pods, old pods, their sum, and the available ones. */
type Counts = readonly [newPods: number, oldPods: number, total: number, available: number];

interface LimitedRollout {
  readonly replicas: number;
  /** Unset for a Recreate, as maxUnavailable is. */
  readonly maxSurge?: number;
  readonly maxUnavailable?: number;
  /** Maximum number of pods in the namespace. */
  readonly quota: number;
  /** Whether all pods are replaced in the end. */
  readonly completes: boolean;
  /** Counts at each fixed point of the controllers that differs from the one before. */
  readonly waves: readonly Counts[];
}

const rollouts = recorded('kubernetes-quota-rollouts') as readonly LimitedRollout[];
const rolling = rollouts.filter(({ maxSurge }) => maxSurge !== undefined);
const recreated = rollouts.filter(({ maxSurge }) => maxSurge === undefined);

/** Plans the same rollout in a namespace with a quota on pods. */
function planned({ replicas, maxSurge, maxUnavailable, quota }: LimitedRollout, isLimited = true): PlannedRollout {
  const labels = { app: 'web' };
  const strategy = maxSurge === undefined ? { type: 'Recreate' } : { rollingUpdate: { maxSurge, maxUnavailable } };
  const template = { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'web:2' }] } };
  const spec = { replicas, strategy, selector: { matchLabels: labels }, template };
  const pods = {
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    metadata: { name: 'pods', namespace: 'default' },
    spec: { hard: { pods: quota } },
  };
  return planManifests([
    { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web', namespace: 'default' }, spec },
    ...(isLimited ? [pods] : []),
  ]).rollouts[0]!;
}

/** Returns our outcome of the rollout. */
function ourOutcome(rollout: LimitedRollout) {
  const { verdict, deadlockWave, iterations } = planned(rollout).capacity!;
  return { verdict, deadlockWave, iterations };
}

function ourWaves(rollout: LimitedRollout, isLimited = true): Counts[] {
  const { waves } = planned(rollout, isLimited).simulation as DeploymentSimulation;
  return waves.map(({ newReplicas, oldReplicas, total, available }) => [newReplicas, oldReplicas, total, available]);
}

/** Counts the waves that create a pod. */
function iterationsOf(waves: readonly Counts[]): number {
  return waves.filter(([newPods], index) => newPods > (waves[index - 1]?.[0] ?? 0)).length;
}

/** Returns the recorded outcome. A rollout that never starts deadlocks at its first wave. */
function outcomeOf(rollout: LimitedRollout) {
  const { completes, waves } = rollout;
  if (!completes) return { verdict: 'deadlocks', deadlockWave: Math.max(1, waves.length) };
  const isUnhindered = JSON.stringify(waves) === JSON.stringify(ourWaves(rollout, false));
  return isUnhindered ? { verdict: 'fits' } : { verdict: 'slower', iterations: iterationsOf(waves) };
}

function countOf(verdict: CapacityVerdict): number {
  return rolling.filter((rollout) => outcomeOf(rollout).verdict === verdict).length;
}

describe('rollouts under a quota, by the Deployment and ReplicaSet controllers of Kubernetes 1.34', () => {
  test('every RollingUpdate fits, is slower or deadlocks as we predict, with the same iterations and at the same wave', () => {
    const compared = sampleOf(rolling);
    expect(compared.map((rollout) => ({ ...rollout, outcome: ourOutcome(rollout) }))).toEqual(
      compared.map((rollout) => ({ ...rollout, outcome: outcomeOf(rollout) })),
    );
    expect([countOf('fits'), countOf('slower'), countOf('deadlocks')]).toEqual([231, 49, 198]);
  });

  test('every RollingUpdate has the recorded rows: pods that the quota refuses do not exist', () => {
    const compared = sampleOf(rolling);
    expect(compared.map((rollout) => ({ ...rollout, waves: ourWaves(rollout) }))).toEqual(compared);
  });

  // We show two rows of a Recreate, all down and all up; the controllers reach a fixed point after both.
  test('a Recreate finishes if we report that it fits, and otherwise deadlocks while new pods are created', () => {
    expect(recreated.map(ourOutcome)).toEqual(
      recreated.map(({ completes }) => (completes ? { verdict: 'fits' } : { verdict: 'deadlocks', deadlockWave: 2 })),
    );
  });
});
