import { truncateAtDeadlock } from '../../../src/core/simulations/simulation-kinds';
import type { Simulation } from '../../../src/core/simulations/simulation';

type Of<K extends Simulation['kind']> = Extract<Simulation, { readonly kind: K }>;

const HALTED = { wave: 2, reason: 'insufficient-capacity' };

/** The maximum and the minimum are in the last wave, which is not reached. */
const DEPLOYMENT: Of<'deployment'> = {
  kind: 'deployment',
  replicas: 4,
  surge: 2,
  unavailable: 1,
  iterations: 2,
  peakPods: 6,
  minAvailable: 2,
  waves: [
    { wave: 1, newReplicas: 1, oldReplicas: 4, total: 5, available: 3 },
    { wave: 2, newReplicas: 1, oldReplicas: 3, total: 4, available: 4 },
    { wave: 3, newReplicas: 3, oldReplicas: 3, total: 6, available: 2 },
  ],
};

const ARGO_ROLLOUT: Of<'argorollout'> = {
  kind: 'argorollout',
  type: 'canary',
  replicas: 4,
  surge: 2,
  unavailable: 1,
  peakPods: 6,
  minAvailable: 2,
  waitSeconds: 90,
  waves: [
    { wave: 1, newPods: 1, oldPods: 4, total: 5, available: 3, seconds: 30 },
    { wave: 2, newPods: 1, oldPods: 3, total: 4, available: 4, seconds: 20 },
    { wave: 3, newPods: 3, oldPods: 3, total: 6, available: 2, seconds: 40 },
  ],
};

const LEADER_WORKER_SET: Of<'leaderworkerset'> = {
  kind: 'leaderworkerset',
  replicas: 4,
  size: 3,
  surge: 2,
  unavailable: 1,
  partition: 0,
  leaderLimit: 1,
  peakGroups: 6,
  peakPods: 18,
  minAvailable: 2,
  waves: [
    { wave: 1, newGroups: 1, oldGroups: 4, total: 5, available: 3 },
    { wave: 2, newGroups: 1, oldGroups: 3, total: 4, available: 4 },
    { wave: 3, newGroups: 3, oldGroups: 3, total: 6, available: 2 },
  ],
};

/** The maximum, the minimum and the largest difference are in the wave that is not reached. */
const DISAGGREGATED: Of<'disaggregatedset'> = {
  kind: 'disaggregatedset',
  roles: [
    { name: 'prefill', replicas: 2, size: 2, surge: 1, unavailable: 0 },
    { name: 'decode', replicas: 3, size: 4, surge: 1, unavailable: 0 },
  ],
  replicas: 5,
  waves: [
    {
      wave: 1,
      roles: [
        { newGroups: 1, oldGroups: 2, available: 2 },
        { newGroups: 0, oldGroups: 3, available: 1 },
      ],
      skewPercent: 10,
    },
    {
      wave: 2,
      roles: [
        { newGroups: 2, oldGroups: 2, available: 0 },
        { newGroups: 3, oldGroups: 3, available: 3 },
      ],
      skewPercent: 40,
    },
  ],
  peakPods: 32,
  minAvailable: 0,
  maxSkewPercent: 40,
};

describe('a deadlocked rollout keeps the waves up to the deadlock, with their numbers', () => {
  test('for a Deployment, with the number of waves that create pods', () => {
    expect(truncateAtDeadlock(DEPLOYMENT, 2)).toEqual({
      ...DEPLOYMENT,
      waves: DEPLOYMENT.waves.slice(0, 2),
      iterations: 1,
      peakPods: 5,
      minAvailable: 3,
      halted: HALTED,
    });
  });

  test('for a Deployment, without counting waves that only remove pods', () => {
    const rows = [1, 2, 3, 3, 3, 4].map((newReplicas, index) => ({
      wave: index + 1,
      newReplicas,
      oldReplicas: 4 - newReplicas,
      total: 4,
      available: 4,
    }));
    expect(truncateAtDeadlock({ ...DEPLOYMENT, waves: rows, iterations: 4 }, 5)).toMatchObject({ waves: rows.slice(0, 5), iterations: 3 });
  });

  test('for an Argo Rollout, with the pauses before the deadlock', () => {
    expect(truncateAtDeadlock({ ...ARGO_ROLLOUT, remainingOldPods: 3 }, 2)).toEqual({
      ...ARGO_ROLLOUT,
      waves: ARGO_ROLLOUT.waves.slice(0, 2),
      peakPods: 5,
      minAvailable: 3,
      waitSeconds: 30,
      halted: HALTED,
    });
  });

  test('for a LeaderWorkerSet, with the pods of its groups', () => {
    expect(truncateAtDeadlock({ ...LEADER_WORKER_SET, remainingSurge: 2 }, 2)).toEqual({
      ...LEADER_WORKER_SET,
      waves: LEADER_WORKER_SET.waves.slice(0, 2),
      peakGroups: 5,
      peakPods: 15,
      minAvailable: 3,
      halted: HALTED,
    });
  });

  test('for a DisaggregatedSet, with the pods of the groups of all roles', () => {
    expect(truncateAtDeadlock(DISAGGREGATED, 1)).toEqual({
      ...DISAGGREGATED,
      waves: DISAGGREGATED.waves.slice(0, 1),
      // 3 x 2 for prefill and 3 x 4 for decode.
      peakPods: 18,
      minAvailable: 1,
      maxSkewPercent: 10,
      halted: { wave: 1, reason: 'insufficient-capacity' },
    });
    // Without any wave there are the pods from before: 2 x 2 and 3 x 4.
    expect(truncateAtDeadlock({ ...DISAGGREGATED, waves: [] }, 0)).toMatchObject({ peakPods: 16, minAvailable: 5, maxSkewPercent: 0 });
  });

  test('for a DaemonSet, with the maximum and minimum of its first waves', () => {
    const set: Of<'daemonset'> = {
      kind: 'daemonset',
      nodes: 3,
      surge: 0,
      unavailable: 1,
      peakPods: 3,
      minAvailable: 2,
      waves: [
        { wave: 1, newPods: 1, oldPods: 2, total: 3, available: 2 },
        { wave: 2, newPods: 2, oldPods: 1, total: 3, available: 2 },
      ],
    };
    expect(truncateAtDeadlock({ ...set, elided: 9 }, 1)).toEqual({
      ...set,
      waves: set.waves.slice(0, 1),
      halted: { wave: 1, reason: 'insufficient-capacity' },
    });
  });

  test('for a RayService, with the changes of its capacity and its traffic, and without a rollback', () => {
    const service: Of<'rayservice'> = {
      kind: 'rayservice',
      type: 'NewClusterWithIncrementalUpgrade',
      outcome: 'promoted',
      steps: [
        { elapsedSeconds: 0, activeTargetCapacity: 100, pendingTargetCapacity: 20, activeTraffic: 100, pendingTraffic: 0 },
        { elapsedSeconds: 10, activeTargetCapacity: 100, pendingTargetCapacity: 20, activeTraffic: 95, pendingTraffic: 5 },
        { elapsedSeconds: 20, activeTargetCapacity: 100, pendingTargetCapacity: 20, activeTraffic: 80, pendingTraffic: 20 },
        { elapsedSeconds: 30, activeTargetCapacity: 80, pendingTargetCapacity: 20, activeTraffic: 80, pendingTraffic: 20 },
        { elapsedSeconds: 40, activeTargetCapacity: 80, pendingTargetCapacity: 90, activeTraffic: 80, pendingTraffic: 20 },
      ],
      durationSeconds: 90,
      capacityChanges: 9,
      trafficShifts: 9,
      peakCapacityPercent: 170,
    };
    const rollback = { steps: service.steps, durationSeconds: 5 };
    expect(truncateAtDeadlock({ ...service, rollback }, 4)).toEqual({
      ...service,
      outcome: 'stalled',
      steps: service.steps.slice(0, 4),
      durationSeconds: 30,
      capacityChanges: 1,
      trafficShifts: 2,
      peakCapacityPercent: 120,
    });
    expect(truncateAtDeadlock(service, 5)).toMatchObject({ capacityChanges: 2, trafficShifts: 2, peakCapacityPercent: 170 });
    // A new cluster without steps needs as much capacity as before.
    expect(truncateAtDeadlock({ ...service, type: 'NewCluster', steps: [], peakCapacityPercent: 200 }, 1)).toMatchObject({
      outcome: 'stalled',
      durationSeconds: 0,
      capacityChanges: 0,
      trafficShifts: 0,
      peakCapacityPercent: 200,
    });
  });

  test('for a StatefulSet, whose other pods stay unchanged', () => {
    const set: Of<'statefulset'> = {
      kind: 'statefulset',
      replicas: 5,
      partition: 1,
      maxUnavailable: 1,
      order: [4, 3, 2, 1],
      batches: [[4], [3], [2], [1]],
      untouched: [0],
      minAvailable: 4,
    };
    expect(truncateAtDeadlock(set, 2)).toEqual({ ...set, order: [4, 3], batches: [[4], [3]], untouched: [0, 1, 2], halted: HALTED });
    // Incomplete lists do not contain which pods are left.
    expect(truncateAtDeadlock({ ...set, elided: 9 }, 2)).toEqual({ ...set, elided: 9, halted: HALTED });
  });
});

describe('if rows before the deadlock are omitted, the numbers do not change, and the number of omitted rows is included', () => {
  const long = <S extends Simulation & { readonly waves: readonly { readonly wave: number }[] }>(simulation: S): S => {
    const [first, ...later] = simulation.waves;
    return { ...simulation, waves: [first!, ...later.map((row, index) => ({ ...row, wave: 9 + index }))], elided: 7 };
  };
  const halted = { wave: 9, reason: 'insufficient-capacity' };

  test('for a Deployment', () => {
    const rollout = long({ ...DEPLOYMENT, iterations: 30, peakPods: 60, minAvailable: 1 });
    expect(truncateAtDeadlock(rollout, 9)).toEqual({ ...rollout, waves: rollout.waves.slice(0, 2), elided: 7, halted });
  });

  test('for an Argo Rollout', () => {
    const rollout = long({ ...ARGO_ROLLOUT, peakPods: 60, minAvailable: 1, waitSeconds: 900 });
    expect(truncateAtDeadlock(rollout, 9)).toEqual({ ...rollout, waves: rollout.waves.slice(0, 2), elided: 7, halted });
  });

  test('for a LeaderWorkerSet', () => {
    const set = long({ ...LEADER_WORKER_SET, peakGroups: 60, peakPods: 180, minAvailable: 1 });
    expect(truncateAtDeadlock(set, 9)).toEqual({ ...set, waves: set.waves.slice(0, 2), elided: 7, halted });
  });

  test('for a DisaggregatedSet', () => {
    const set = long({ ...DISAGGREGATED, peakPods: 60, maxSkewPercent: 50 });
    expect(truncateAtDeadlock(set, 9)).toEqual({ ...set, waves: set.waves.slice(0, 2), elided: 7, halted });
  });
});
