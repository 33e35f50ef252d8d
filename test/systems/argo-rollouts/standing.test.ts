import { planChange } from '../../../src/headless';
import type { Fields, Manifest } from '../../../src/core/manifest';
import type { ArgoRolloutSimulation } from '../../../src/core/simulations/argo-rollout';
import { renderPlanText } from '../../../src/render/text';
import { expectValidPlan } from '../../plan-schema';

const CANARY: Fields = { canary: { maxSurge: 1, maxUnavailable: 0, steps: [{ setWeight: 25 }, { pause: {} }] } };
const ROUTING: Fields = {
  stableService: 'web',
  canaryService: 'web-canary',
  trafficRouting: { nginx: { stableIngress: 'web' } },
  steps: [{ setWeight: 25 }, { pause: {} }],
};
const ROUTED: Fields = { canary: ROUTING };
const DYNAMIC: Fields = { canary: { ...ROUTING, dynamicStableScale: true } };
const MARKED: Fields = { canary: { canaryMetadata: { labels: { role: 'canary' } } } };
const BLUE_GREEN: Fields = { blueGreen: { activeService: 'web' } };

function template(image: string): Fields {
  return {
    metadata: { labels: { app: 'web' } },
    spec: { containers: [{ name: 'web', image, readinessProbe: { tcpSocket: { port: 80 } } }] },
  };
}

function rollout(image: string, strategy: Fields, spec: Fields = {}): Manifest {
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Rollout',
    metadata: { name: 'web', namespace: 'shop' },
    spec: { replicas: 4, selector: { matchLabels: { app: 'web' } }, template: template(image), strategy, ...spec },
  };
}

/** A ReplicaSet as the controller makes it: its template has the label that tells it from the others. */
function replicaSet(
  hash: string,
  image: string,
  replicas: number,
  availableReplicas: number,
  annotations: Readonly<Record<string, string>> = {},
): Manifest {
  const labels = { app: 'web', 'rollouts-pod-template-hash': hash };
  return {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: {
      name: `web-${hash}`,
      namespace: 'shop',
      uid: hash,
      labels,
      annotations,
      ownerReferences: [{ apiVersion: 'argoproj.io/v1alpha1', kind: 'Rollout', name: 'web', uid: 'web', controller: true }],
    },
    spec: { replicas, template: { ...template(image), metadata: { labels } } },
    status: { availableReplicas },
  };
}

/** web:1 is stable, one pod of web:2 is there. */
function live(strategy: Fields, status: Fields = {}, sets?: readonly Manifest[]): Manifest[] {
  const underWay = { phase: 'Paused', stableRS: 'a', currentPodHash: 'b', ...status };
  const object = {
    ...rollout('web:2', strategy),
    metadata: { name: 'web', namespace: 'shop', uid: 'web', resourceVersion: '8' },
    status: underWay,
  };
  return [object, ...(sets ?? [replicaSet('a', 'web:1', 3, 3), replicaSet('b', 'web:2', 1, 1)])];
}

function changed(old: readonly Manifest[], next: Manifest) {
  const plan = expectValidPlan(planChange(old, [next]));
  const [planned] = plan.rollouts;
  const rows = (planned!.simulation as ArgoRolloutSimulation).waves.map(
    ({ stepsDone, newPods, oldPods, available, newWeight, until }) =>
      `${stepsDone} | ${newPods} ${oldPods} ${available}${newWeight === undefined ? '' : ` ${newWeight} %`}${until === undefined ? '' : ` ${until}`}`,
  );
  const startsAtRest = planned!.findings.some(({ code }) => code === 'change/assumes-steady-state');
  return { plan, rows, startsAtRest };
}

describe('a canary without a router, one of whose four pods is new,', () => {
  test('that gets a third version begins with all three, and the pods in between go first', () => {
    const { rows, startsAtRest } = changed(live(CANARY), rollout('web:3', CANARY));
    expect(startsAtRest).toBe(false);
    expect(rows).toEqual(['0 | 1 4 4 ready', '1 | 1 3 4 promotion', '2 | 2 3 4 ready', '2 | 3 2 4 ready', '2 | 4 1 4 ready', '2 | 4 0 4']);
  });

  test('that gets the stable version again passes no step', () => {
    const old = live(CANARY);
    const { plan, rows, startsAtRest } = changed(old, rollout('web:1', CANARY));
    expect(startsAtRest).toBe(false);
    expect(rows).toEqual(['2 | 4 1 4 ready', '2 | 4 0 4']);
    const [planned] = plan.rollouts;
    expect(planned!.simulation).toMatchObject({ rolledBackPods: 1, peakPods: 5, minAvailable: 4 });
    expect(planned!.simulation).not.toHaveProperty('abort');
    expect(plan.change.objects[0]).toMatchObject({ effect: 'roll', pods: { before: 4, after: 4 } });
    expect(plan.change.summary).toMatchObject({ podsReplaced: 1 });
    // The one pod of the stable version that was gone.
    expect(expectValidPlan(planChange(old, [rollout('web:1', CANARY)], { startupSeconds: 20 })).rollouts[0]!.duration).toMatchObject({
      lowerBoundSeconds: 20,
      blastRadius: 1,
    });
    expect(planned!.rollback).toEqual({ works: true, message: 'apply OLD again: it goes through all steps from the first' });
    expect(renderPlanText(plan)).toContain('back to the stable version, without its steps: 1 pod of the other go');
  });
});

describe('a canary on its way that gets other replicas in the same apply is scaled first, by the step that it is at,', () => {
  const scaled = (replicas: number) => ({ replicas });

  test('with a third version, whose pods take the place of the one in between', () => {
    const old = live(CANARY, { currentStepIndex: 1 });
    const { rows, startsAtRest } = changed(old, rollout('web:3', CANARY, scaled(8)));
    expect(startsAtRest).toBe(false);
    expect(rows.slice(0, 2)).toMatchInlineSnapshot(`
[
  "0 | 2 7 4 ready",
  "1 | 2 6 8 promotion",
]
`);
  });

  test('with the stable version again, which is to have all pods', () => {
    const old = live(CANARY, { currentStepIndex: 1 });
    expect(changed(old, rollout('web:1', CANARY, scaled(8))).rows).toMatchInlineSnapshot(`
[
  "2 | 8 1 4 ready",
  "2 | 8 0 8",
]
`);
    expect(changed(old, rollout('web:1', CANARY, scaled(2))).rows).toMatchInlineSnapshot(`
[
  "2 | 2 0 2",
]
`);
  });

  test('where a router has the stable version scaled to the pods of the canary for a turn, so that hardly any is left', () => {
    const old = live(ROUTED, { currentStepIndex: 1, canary: { weights: { canary: { weight: 25 }, stable: { weight: 75 } } } }, [
      replicaSet('a', 'web:1', 4, 4),
      replicaSet('b', 'web:2', 1, 1),
    ]);
    const { plan, rows } = changed(old, rollout('web:1', ROUTED, scaled(5)));
    expect(rows).toMatchInlineSnapshot(`
[
  "2 | 5 1 3 100 % ready",
  "2 | 5 1 6 100 % seconds",
  "2 | 5 0 5 100 %",
]
`);
    expect(plan.rollouts[0]!.findings.map(({ code, severity, message }) => `${severity} ${code}: ${message}`)).toMatchInlineSnapshot(`
[
  "warning argo-rollouts/rollback-with-scaling: The stable version comes back and replicas become 5 in one apply: the controller first scales it to the pods of the canary, so that 3 pods of all are available, where 4 of the stable version were, until new ones are ready.",
]
`);
  });
});

describe('other steps for a canary on its way', () => {
  const steps = (...weights: number[]): Fields => ({
    canary: { maxSurge: 1, maxUnavailable: 0, steps: weights.flatMap((setWeight) => [{ setWeight }, { pause: {} }]) },
  });

  test('send it back to the first of them, with the pods that it has', () => {
    const { plan, rows, startsAtRest } = changed(live(CANARY), rollout('web:2', steps(50)));
    expect(startsAtRest).toBe(false);
    expect(rows).toEqual(['0 | 2 3 4 ready', '1 | 2 2 4 promotion', '2 | 3 2 4 ready', '2 | 4 1 4 ready', '2 | 4 0 4']);
    expect(plan.change.objects[0]).toMatchObject({ effect: 'roll', pods: { before: 4, after: 4 } });
    expect(plan.change.summary).toMatchObject({ podsReplaced: 3 });
    expect(plan.rollouts[0]!.simulation).toMatchObject({ restartsSteps: true, peakPods: 5, minAvailable: 4 });
    expect(plan.rollouts[0]!.rollback).toEqual({
      works: true,
      message: 'apply OLD again: the same version goes through the old steps, from the first',
    });
    expect(renderPlanText(plan)).toContain('goes on with the version on its way, from the first of the new steps');
  });

  test('bring back one that was aborted', () => {
    const aborted = live(CANARY, { abort: true }, [replicaSet('a', 'web:1', 4, 4), replicaSet('b', 'web:2', 0, 0)]);
    const { rows, startsAtRest } = changed(aborted, rollout('web:2', steps(50)));
    expect(startsAtRest).toBe(false);
    expect(rows.slice(0, 2)).toEqual(['0 | 1 4 4 ready', '0 | 2 3 4 ready']);
  });

  test('are gone through with other replicas too, which come first, by the step that it is at', () => {
    const { rows, startsAtRest } = changed(live(CANARY, { currentStepIndex: 1 }), rollout('web:2', steps(50), { replicas: 8 }));
    expect(startsAtRest).toBe(false);
    expect(rows).toMatchInlineSnapshot(`
[
  "0 | 4 4 4 ready",
  "1 | 4 4 8 promotion",
  "2 | 5 4 8 ready",
  "2 | 6 3 8 ready",
  "2 | 7 2 8 ready",
  "2 | 8 1 8 ready",
  "2 | 8 0 8",
]
`);
  });

  test('and by the way back that it is on, until both its ReplicaSets are written with them', () => {
    const aborted = live(CANARY, { abort: true }, [replicaSet('a', 'web:1', 3, 2), replicaSet('b', 'web:2', 2, 2)]);
    expect(changed(aborted, rollout('web:2', steps(50), { replicas: 2 })).rows).toMatchInlineSnapshot(`
[
  "0 | 1 2 2 ready",
  "1 | 1 1 2 promotion",
  "2 | 2 1 2 ready",
  "2 | 2 0 2",
]
`);
  });

  test('wait while it is paused', () => {
    const { change } = planChange(live(CANARY), [rollout('web:2', steps(50), { paused: true })]);
    expect(change.objects).toMatchObject([{ effect: 'held' }]);
  });

  test('are settings where the steps are the same, or its version is the stable one', () => {
    const faster: Fields = { canary: { ...(CANARY.canary as Fields), maxSurge: 2 } };
    const effect = (old: Manifest[], next: Manifest) => planChange(old, [next]).change.objects[0]!.effect;
    expect(effect(live(CANARY), rollout('web:2', faster))).toBe('settings');
    expect(effect(live(CANARY, { stableRS: 'b' }), rollout('web:2', steps(50)))).toBe('settings');
    expect(effect(live(CANARY, { stableRS: undefined }), rollout('web:2', steps(50)))).toBe('settings');
    expect(effect(live(BLUE_GREEN), rollout('web:2', { blueGreen: { activeService: 'web', scaleDownDelaySeconds: 60 } }))).toBe('settings');
  });

  test('begin at rest, and say so, where its ReplicaSets are not in view or a third one has pods', () => {
    expect(changed(live(CANARY, {}, []), rollout('web:2', steps(50))).startsAtRest).toBe(true);
    const three = live(CANARY, {}, [...live(CANARY).slice(1), replicaSet('c', 'web:0', 1, 1)]);
    expect(changed(three, rollout('web:2', steps(50))).startsAtRest).toBe(true);
  });
});

test('where its ReplicaSets are not in view its status says which pods a live Rollout has', () => {
  const status = { replicas: 5, updatedReplicas: 2, availableReplicas: 4 };
  const { plan } = changed(live(CANARY, status, []), rollout('web:3', CANARY));
  expect(plan.rollouts[0]!.initialState).toEqual({
    replicas: 4,
    revisions: [
      { replicas: 3, available: 3 },
      { replicas: 2, available: 1 },
    ],
    underWay: true,
    health: 'paused',
  });
});

test('pods of a ReplicaSet beyond those that it is to have are on their way out, and counted no more', () => {
  const shrinking = live(CANARY, {}, [replicaSet('a', 'web:1', 3, 4), replicaSet('b', 'web:2', 1, 1)]);
  const shrunk = live(CANARY, {}, [replicaSet('a', 'web:1', 3, 3), replicaSet('b', 'web:2', 1, 1)]);
  expect(changed(shrinking, rollout('web:3', CANARY)).plan.rollouts).toEqual(changed(shrunk, rollout('web:3', CANARY)).plan.rollouts);
});

test('a canary behind a router keeps its weight at the stable version until the third one is ready', () => {
  const status = { canary: { weights: { canary: { weight: 25 }, stable: { weight: 75 } } } };
  const sets = [replicaSet('a', 'web:1', 4, 4), replicaSet('b', 'web:2', 1, 1)];
  const { rows, startsAtRest } = changed(live(ROUTED, status, sets), rollout('web:3', ROUTED));
  expect(startsAtRest).toBe(false);
  expect(rows).toEqual([
    '0 | 1 5 5 0 % ready',
    '1 | 1 4 5 25 % promotion',
    '2 | 4 4 5 25 % ready',
    '2 | 4 4 8 100 % seconds',
    '2 | 4 0 4 100 %',
  ]);
});

describe('what is not known to go on from where it stands begins at rest, and says so:', () => {
  const later = { 'scale-down-deadline': '2026-01-01T00:00:30Z' };
  const routed = (ready: number) => [replicaSet('a', 'web:1', 4, ready), replicaSet('b', 'web:2', 1, 1)];

  test.each<[string, readonly Manifest[], Manifest]>([
    ['ReplicaSets that are not in view', live(CANARY, {}, []), rollout('web:3', CANARY)],
    ['dynamicStableScale', live(DYNAMIC), rollout('web:3', DYNAMIC)],
    ['stable pods that are not ready behind a router', live(ROUTED, {}, routed(3)), rollout('web:3', ROUTED)],
    ['an abort behind a router', live(ROUTED, { abort: true }, routed(4)), rollout('web:3', ROUTED)],
    ['a router that is new', live(CANARY), rollout('web:3', ROUTED)],
    [
      'pods that go at a time',
      live(CANARY, {}, [replicaSet('a', 'web:1', 4, 4), replicaSet('b', 'web:2', 1, 1, later)]),
      rollout('web:3', CANARY),
    ],
    ['a template that the controller writes into', live(CANARY), rollout('web:3', MARKED)],
    ['a window of rollbacks', live(CANARY), rollout('web:3', CANARY, { rollbackWindow: { revisions: 3 } })],
    [
      'a version whose pods are still there',
      live(CANARY, {}, [...live(CANARY).slice(1), replicaSet('c', 'web:3', 1, 1)]),
      rollout('web:3', CANARY),
    ],
    ['blue-green', live(BLUE_GREEN), rollout('web:3', BLUE_GREEN)],
  ])('%s', (_what, old, next) => {
    expect(changed(old, next).startsAtRest).toBe(true);
  });
});
