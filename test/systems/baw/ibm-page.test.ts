import { planOne } from './plan';

/** The fragment that IBM's page prints, with the replicas that its text supposes. */
function fragment(replicas: number, max_surge: string, max_unavailable: string) {
  return { replicas, strategy: { type: 'RollingUpdate', rolling_update: { max_surge, max_unavailable } } };
}

describe('IBM BAW 25.0.1, "Applying a rolling update strategy"', () => {
  test('max_surge "1", max_unavailable "99%" on 2 replicas: at most 3 pods, and 1.98 is rounded down to 1', () => {
    const { strategy, simulation } = planOne(fragment(2, '1', '99%'));
    expect(strategy).toEqual({ type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: '99%' } });
    expect(simulation).toEqual({
      kind: 'deployment',
      replicas: 2,
      surge: 1,
      unavailable: 1,
      waves: [
        { wave: 1, newReplicas: 2, oldReplicas: 1, total: 3, available: 1 },
        { wave: 2, newReplicas: 2, oldReplicas: 0, total: 2, available: 2 },
      ],
      iterations: 1,
      peakPods: 3,
      minAvailable: 1,
    });
  });

  test('max_unavailable "25%" of 5 replicas is 1.25, rounded down to 1', () => {
    expect(planOne(fragment(5, '1', '25%')).simulation).toMatchObject({ surge: 1, unavailable: 1, peakPods: 6 });
  });

  test('the walk-through with 5 replicas: 5 rounds on the page, 3 waves in the cluster, side by side', () => {
    const { simulation, documented } = planOne(fragment(5, '1', '25%'));
    expect(documented).toEqual({
      source: 'IBM BAW 25.0.1, "Applying a rolling update strategy"',
      simulation: {
        kind: 'deployment',
        replicas: 5,
        surge: 1,
        unavailable: 0,
        waves: [
          { wave: 1, newReplicas: 1, oldReplicas: 5, total: 6, available: 5 }, // F is created, the page waits for it
          { wave: 2, newReplicas: 2, oldReplicas: 4, total: 6, available: 5 }, // A is deleted, G created
          { wave: 3, newReplicas: 3, oldReplicas: 3, total: 6, available: 5 }, // B is deleted, H created
          { wave: 4, newReplicas: 4, oldReplicas: 2, total: 6, available: 5 }, // C is deleted, I created
          { wave: 5, newReplicas: 5, oldReplicas: 1, total: 6, available: 5 }, // D is deleted, J created
          { wave: 6, newReplicas: 5, oldReplicas: 0, total: 5, available: 5 }, // E is deleted: F, G, H, I and J run
        ],
        iterations: 5,
        peakPods: 6,
        minAvailable: 5,
      },
      difference:
        'The page waits for a new pod before it deletes an old one (5 rounds, never fewer than 5 available); the controller deletes 1 at ' +
        'once and keeps 2 new in flight (3 rounds, 4 available): write max_unavailable: "0" to get the page\'s steps.',
    });
    expect(simulation).toEqual({
      kind: 'deployment',
      replicas: 5,
      surge: 1,
      unavailable: 1,
      waves: [
        { wave: 1, newReplicas: 2, oldReplicas: 4, total: 6, available: 4 },
        { wave: 2, newReplicas: 4, oldReplicas: 2, total: 6, available: 4 },
        { wave: 3, newReplicas: 5, oldReplicas: 0, total: 5, available: 4 },
      ],
      iterations: 3,
      peakPods: 6,
      minAvailable: 4,
    });
  });

  test('with max_unavailable "0" the controller takes the steps of the page, so none are shown beside it', () => {
    const onPage = planOne(fragment(5, '1', '25%')).documented!.simulation;
    const { simulation, documented } = planOne(fragment(5, '1', '0'));
    expect(simulation).toEqual(onPage);
    expect(documented).toBeUndefined();
  });

  test('without surge, which the page does not walk through, nothing stands beside the simulation', () => {
    expect(planOne(fragment(5, '0', '1')).documented).toBeUndefined();
  });

  test('left out, max_unavailable is 25% and not the one pod at a time that the page calls the default', () => {
    const { simulation, provenance } = planOne({ replicas: 8, strategy: { type: 'RollingUpdate', rolling_update: { max_surge: '1' } } });
    expect(simulation).toMatchObject({ surge: 1, unavailable: 2 });
    expect(provenance).toEqual([
      { field: 'type', value: 'RollingUpdate', layer: 'user', reason: 'spec.strategy.type is set.', overridden: [] },
      { field: 'maxSurge', value: 1, layer: 'user', reason: 'spec.strategy.rolling_update.max_surge is set.', overridden: [] },
      {
        field: 'maxUnavailable',
        value: '25%',
        layer: 'kubernetes-default',
        reason: 'spec.strategy.rolling_update.max_unavailable is not set; the API server fills in "25%".',
        overridden: [],
      },
    ]);
  });
});
