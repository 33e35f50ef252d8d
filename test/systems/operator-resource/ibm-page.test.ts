/** IBM BAW 25.0.1, "Applying a rolling update strategy", sentence by sentence, compared with the cluster. */
import type { PlannedRollout } from '../../../src/core/document/rollout';
import { diffPlans, planManifests } from '../../../src/headless';
import { factsOf } from '../../facts';
import { readText } from '../../input/reading';
import { operatorResource, planOne } from './plan';

/** Returns the strategy of the page's fragment with other limits, and the replicas that its text assumes. */
function spec(replicas: number, max_surge: unknown, max_unavailable: unknown) {
  return { replicas, strategy: { type: 'RollingUpdate', rolling_update: { max_surge, max_unavailable } } };
}

function simulationOf(replicas: number, max_surge: unknown, max_unavailable: unknown) {
  const { simulation } = planOne(spec(replicas, max_surge, max_unavailable));
  if (simulation?.kind !== 'deployment') throw new Error('nothing is simulated');
  return simulation;
}

describe('"a rolling update …', () => {
  test('… gradually replaces the old pods with new ones": wave by wave fewer old and more new ones', () => {
    expect(simulationOf(4, '1', '0').waves.map(({ oldReplicas, newReplicas }) => [oldReplicas, newReplicas])).toEqual([
      [4, 1],
      [3, 2],
      [2, 3],
      [1, 4],
      [0, 4],
    ]);
  });

  test('… keeps as many pods alive as possible": as many as max_unavailable allows, which is 1 of 100 with 99% as on the page', () => {
    expect(simulationOf(100, '1', '99%').minAvailable).toBe(1);
    expect(simulationOf(100, '1', '0').minAvailable).toBe(100);
  });

  test('… is triggered by a change of image, environment variables, ports or config": the plan is the same for each of them', () => {
    const application = { image: 'baw:25.0.0', env: [], ports: [9443], config: { level: 'info' } };
    const changed = { image: 'baw:25.0.1', env: [{ name: 'A' }], ports: [9444], config: { level: 'debug' } };
    const plan = planOne({ ...spec(5, '1', '25%'), ...application });
    for (const [field, value] of Object.entries(changed)) {
      expect(planOne({ ...spec(5, '1', '25%'), ...application, [field]: value })).toEqual(plan);
    }
  });

  test('… or by any change to the custom resource": changed limits replace no pod, they apply to the next change of the pods', () => {
    const [before, after] = [operatorResource(spec(5, '1', '25%')), operatorResource(spec(5, '1', '0'))];
    const { changed, riskier } = diffPlans(planManifests([before]), planManifests([after]));
    expect(riskier).toBe(false);
    expect(changed.map(({ field, old, new: next, risk }) => [field, old, next, risk])).toEqual([
      ['maxUnavailable', '25%', 0, 'neutral'],
      ['unavailable', 1, 0, 'neutral'],
      ['iterations', 3, 5, 'neutral'],
      ['minAvailable', 4, 5, 'safer'],
      ['finding baw/quoted-integer', null, 'info', 'neutral'],
    ]);
  });
});

test('the fragment, as shown, in a resource with 2 replicas', () => {
  const { objects, findings } = readText(`apiVersion: icp4a.ibm.com/v1
kind: ICP4ACluster
metadata:
  name: baw
spec:
  strategy:
    type: RollingUpdate
    rolling_update:
      max_surge: "1"
      max_unavailable: "99%"
  replicas: 2
`);
  expect(findings).toEqual([]);
  const [{ findings: rolloutFindings, ...rollout }, ...others] = planManifests(objects).rollouts as [PlannedRollout, ...PlannedRollout[]];
  expect(others).toEqual([]);
  expect(rollout).toEqual({
    system: 'baw',
    resource: { apiVersion: 'icp4a.ibm.com/v1', kind: 'ICP4ACluster', name: 'baw' },
    strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: '99%' } },
    provenance: [
      { field: 'type', value: 'RollingUpdate', layer: 'user', reason: 'spec.strategy.type is set.', overridden: [] },
      { field: 'maxSurge', value: 1, layer: 'user', reason: 'spec.strategy.rolling_update.max_surge is set.', overridden: [] },
      {
        field: 'maxUnavailable',
        value: '99%',
        layer: 'user',
        reason: 'spec.strategy.rolling_update.max_unavailable is set.',
        overridden: [],
      },
    ],
    simulation: {
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
    },
  });
  expect(factsOf(rolloutFindings)).toEqual([
    {
      code: 'baw/quoted-integer',
      severity: 'info',
      messageId: 'accepted',
      path: 'spec.strategy.rolling_update.max_surge',
      data: { field: 'max_surge', value: '1', number: 1 },
    },
  ]);
});

describe('max_surge', () => {
  test('"creates new pods before it deletes old ones": only with max_unavailable 0, otherwise an old one is deleted at the same time', () => {
    expect(simulationOf(5, '1', '0').waves[0]).toEqual({ wave: 1, newReplicas: 1, oldReplicas: 5, total: 6, available: 5 });
    expect(simulationOf(5, '1', '25%').waves[0]).toEqual({ wave: 1, newReplicas: 2, oldReplicas: 4, total: 6, available: 4 });
  });

  test.each([
    ['a quoted number', '2', 2],
    ['a number', 2, 2],
    ['a percentage, rounded up: 25% of 5 is 1.25', '25%', 2],
  ])('"can be a number or a percentage": %s', (_what, max_surge, surge) => {
    expect(simulationOf(5, max_surge, 0)).toMatchObject({ surge, peakPods: 5 + surge });
  });

  test('"set to 1, up to 1 extra pod can be created temporarily": it is deleted by the end', () => {
    const { waves } = simulationOf(5, '1', '25%');
    expect(waves.map(({ total }) => total)).toEqual([6, 6, 5]);
  });

  test('"with replicas set to 2, the maximum number of pods is 3"', () => {
    expect(simulationOf(2, '1', '0').peakPods).toBe(3);
    expect(simulationOf(2, '1', '99%').peakPods).toBe(3);
  });
});

describe('max_unavailable', () => {
  test('"by default, clusters remove one pod at a time" and keep the replicas: if omitted, it is 25%, which is 2 of 8', () => {
    const { simulation, provenance } = planOne({ replicas: 8, strategy: { type: 'RollingUpdate', rolling_update: { max_surge: '1' } } });
    expect(simulation).toMatchObject({ surge: 1, unavailable: 2, minAvailable: 6 });
    expect(provenance.at(-1)).toEqual({
      field: 'maxUnavailable',
      value: '25%',
      layer: 'kubernetes-default',
      reason: 'spec.strategy.rolling_update.max_unavailable is not set; the API server fills in "25%".',
      overridden: [],
    });
  });

  test.each([
    ['a quoted number', '2', 2],
    ['a number', 2, 2],
    ['a percentage, rounded down: 25% of 5 is 1.25', '25%', 1],
  ])('"can be a number or a percentage": %s', (_what, max_unavailable, unavailable) => {
    expect(simulationOf(5, 1, max_unavailable)).toMatchObject({ unavailable, minAvailable: 5 - unavailable });
  });

  test('"99% of 2 is 1.98, rounded down to 1, so 1 pod can be taken offline": the cluster does the same, so the page is not shown', () => {
    const { simulation, documented } = planOne(spec(2, '1', '99%'));
    expect(simulation).toMatchObject({ unavailable: 1, minAvailable: 1 });
    expect(documented).toBeUndefined();
  });
});

describe('the walk-through: 5 replicas, max_surge 1, max_unavailable 25%', () => {
  const { simulation, documented } = planOne(spec(5, '1', '25%'));

  test('"25% is 1.25 pod in this case, rounded down to 1"', () => {
    expect(simulation).toMatchObject({ surge: 1, unavailable: 1 });
  });

  test('"1 new pod is created (F); the system waits; one of the old pods is then deleted; repeated for B, C, D and E"', () => {
    expect(documented!.source).toBe('IBM BAW 25.0.1, "Applying a rolling update strategy"');
    expect(documented!.simulation).toEqual({
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
    });
  });

  test('next to it the behaviour of the cluster: 3 waves of two pods, the first old pod deleted before F is ready, and the difference', () => {
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
    expect(planOne(spec(5, '1', '25%')).documented!.difference).toBe(
      'The page waits for a new pod before it deletes an old one (5 rounds, never fewer than 5 available). The controller deletes 1 at ' +
        'once and starts 2 new pods at a time (3 rounds, 4 available). Write max_unavailable: "0" to get the steps of the page.',
    );
  });

  test('"the selection for removal is unpredictable": no plan names a pod, it only counts them', () => {
    const rows = [simulation, documented!.simulation].flatMap((either) => (either?.kind === 'deployment' ? either.waves : []));
    for (const row of rows) expect(Object.entries(row).filter(([, value]) => typeof value !== 'number')).toEqual([]);
  });

  test('"when the update is complete, all the old pods are deleted and all the new pods are running"', () => {
    const lastRow = (either: typeof simulation) => (either?.kind === 'deployment' ? either.waves.at(-1) : undefined);
    expect([lastRow(simulation), lastRow(documented!.simulation)]).toMatchObject([
      { newReplicas: 5, oldReplicas: 0 },
      { newReplicas: 5, oldReplicas: 0 },
    ]);
  });

  test('with max_unavailable "0" the controller takes the steps of the page, so they are not shown separately', () => {
    const onItsOwn = planOne(spec(5, '1', '0'));
    expect(onItsOwn.simulation).toEqual(documented!.simulation);
    expect(onItsOwn.documented).toBeUndefined();
  });

  test.each([
    ['other replicas', operatorResource(spec(6, '1', '25%'))],
    ['another surge', operatorResource(spec(5, '2', '25%'))],
    ['more unavailable', operatorResource(spec(5, '1', '50%'))],
    ["the resource of another operator than IBM's", operatorResource(spec(5, '1', '25%'), 'apps.example.com/v1', 'Shop')],
  ])('the page is not shown for %s, for which it has no steps', (_what, object) => {
    const [rollout] = planManifests([object]).rollouts;
    expect(rollout!.simulation).not.toBeNull();
    expect(rollout!.documented).toBeUndefined();
  });
});
