import { standingStill } from '../../../src/core/simulations/kinds';
import type { Simulation } from '../../../src/core/simulations/simulation';

type Of<K extends Simulation['kind']> = Extract<Simulation, { readonly kind: K }>;

const HALTED = { wave: 2, reason: 'no-room' };

/** The peak and the low are in the last wave, which is not reached. */
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

describe('a rollout without room keeps the waves up to that one, and the figures of those', () => {
  test('of a Deployment, with the waves among them that create pods', () => {
    expect(standingStill(DEPLOYMENT, 2)).toEqual({
      ...DEPLOYMENT,
      waves: DEPLOYMENT.waves.slice(0, 2),
      iterations: 1,
      peakPods: 5,
      minAvailable: 3,
      halted: HALTED,
    });
  });

  test('of an Argo Rollout, with the pauses that end before it', () => {
    const rollout: Of<'argorollout'> = {
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
    expect(standingStill({ ...rollout, leftOver: 3 }, 2)).toEqual({
      ...rollout,
      waves: rollout.waves.slice(0, 2),
      peakPods: 5,
      minAvailable: 3,
      waitSeconds: 30,
      halted: HALTED,
    });
  });

  test('of a LeaderWorkerSet, whose pods are those of its groups', () => {
    const set: Of<'leaderworkerset'> = {
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
    expect(standingStill({ ...set, surgeLeft: 2 }, 2)).toEqual({
      ...set,
      waves: set.waves.slice(0, 2),
      peakGroups: 5,
      peakPods: 15,
      minAvailable: 3,
      halted: HALTED,
    });
  });

  test('of a StatefulSet, whose other pods stay as they are', () => {
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
    expect(standingStill(set, 2)).toEqual({ ...set, order: [4, 3], batches: [[4], [3]], untouched: [0, 1, 2], halted: HALTED });
    // Of lists that are not whole nobody can say which pods are left.
    expect(standingStill({ ...set, elided: 9 }, 2)).toEqual({ ...set, elided: 9, halted: HALTED });
  });
});

test('where rows before it are left out, the figures stay as they are, and how many are left out is told', () => {
  const [first, , last] = DEPLOYMENT.waves;
  const long = { ...DEPLOYMENT, waves: [first!, { ...last!, wave: 9 }, { ...last!, wave: 10 }], elided: 7 };
  expect(standingStill(long, 9)).toEqual({ ...long, waves: long.waves.slice(0, 2), elided: 7, halted: { wave: 9, reason: 'no-room' } });
});
