import { planChange } from '../../../src/headless';
import type { Fields, Manifest } from '../../../src/core/manifest/manifest';
import type { ArgoRolloutSimulation } from '../../../src/core/simulations/argo-rollout';
import { renderPlanText } from '../../../src/render/text/plan';
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

/** A ReplicaSet as the controller creates it: its template has the label that distinguishes it from others. */
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

/** web:1 is stable, and one pod of web:2 runs. */
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
  const [firstRollout] = plan.rollouts;
  const rows = (firstRollout!.simulation as ArgoRolloutSimulation).waves.map(
    ({ stepsDone, newPods, oldPods, available, newWeight, until }) =>
      `${stepsDone} | ${newPods} ${oldPods} ${available}${newWeight === undefined ? '' : ` ${newWeight} %`}${until === undefined ? '' : ` ${until}`}`,
  );
  const startsAtRest = firstRollout!.findings.some(({ code }) => code === 'change/assumes-steady-state');
  return { plan, rows, startsAtRest };
}

describe('a canary without a router and with one new pod of four', () => {
  test('that gets a third version starts with pods of all three, and deletes those of the second first', () => {
    const { rows, startsAtRest } = changed(live(CANARY), rollout('web:3', CANARY));
    expect(startsAtRest).toBe(false);
    expect(rows).toEqual(['0 | 1 4 4 ready', '1 | 1 3 4 promotion', '2 | 2 3 4 ready', '2 | 3 2 4 ready', '2 | 4 1 4 ready', '2 | 4 0 4']);
  });

  test('that is rolled back to the stable version passes no step', () => {
    const old = live(CANARY);
    const { plan, rows, startsAtRest } = changed(old, rollout('web:1', CANARY));
    expect(startsAtRest).toBe(false);
    expect(rows).toEqual(['2 | 4 1 4 ready', '2 | 4 0 4']);
    const [firstRollout] = plan.rollouts;
    expect(firstRollout!.simulation).toMatchObject({ rolledBackPods: 1, peakPods: 5, minAvailable: 4 });
    expect(firstRollout!.simulation).not.toHaveProperty('abort');
    expect(plan.change.objects[0]).toMatchObject({ effect: 'roll', pods: { before: 4, after: 4 } });
    expect(plan.change.summary).toMatchObject({ podsReplaced: 1 });
    // The missing pod of the stable version.
    expect(expectValidPlan(planChange(old, [rollout('web:1', CANARY)], { startupSeconds: 20 })).rollouts[0]!.duration).toMatchObject({
      lowerBoundSeconds: 20,
      blastRadius: 1,
    });
    expect(firstRollout!.rollback).toEqual({ works: true, message: 'apply OLD again: it runs all steps from the first' });
    expect(renderPlanText(plan)).toContain('returns to the stable version without steps: 1 pod of the other version is deleted');
  });
});

describe('a canary in progress whose replicas change in the same apply is scaled first, according to its current step,', () => {
  const scaled = (replicas: number) => ({ replicas });

  test('with a third version, whose pods replace those of the second', () => {
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

  test('with a rollback to the stable version, which gets all pods', () => {
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

  test('with a rollback and a router, which scales the stable version to the size of the canary for one reconcile', () => {
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
  "warning argo-rollouts/rollback-with-scaling: The apply rolls back to the stable version and changes replicas to 5: the controller first scales the stable version to the size of the canary. Only 3 pods of both versions are available until new ones are ready, instead of 4 of the stable version.",
]
`);
  });
});

describe('changed steps of a canary in progress', () => {
  const steps = (...weights: number[]): Fields => ({
    canary: { maxSurge: 1, maxUnavailable: 0, steps: weights.flatMap((setWeight) => [{ setWeight }, { pause: {} }]) },
  });

  test('restart it at the first step, with its current pods', () => {
    const { plan, rows, startsAtRest } = changed(live(CANARY), rollout('web:2', steps(50)));
    expect(startsAtRest).toBe(false);
    expect(rows).toEqual(['0 | 2 3 4 ready', '1 | 2 2 4 promotion', '2 | 3 2 4 ready', '2 | 4 1 4 ready', '2 | 4 0 4']);
    expect(plan.change.objects[0]).toMatchObject({ effect: 'roll', pods: { before: 4, after: 4 } });
    expect(plan.change.summary).toMatchObject({ podsReplaced: 3 });
    expect(plan.rollouts[0]!.simulation).toMatchObject({ restartsSteps: true, peakPods: 5, minAvailable: 4 });
    expect(plan.rollouts[0]!.rollback).toEqual({
      works: true,
      message: 'apply OLD again: the same version runs the old steps from the first',
    });
    expect(renderPlanText(plan)).toContain('continues with the version being rolled out, from the first of the new steps');
  });

  test('resume an aborted one', () => {
    const aborted = live(CANARY, { abort: true }, [replicaSet('a', 'web:1', 4, 4), replicaSet('b', 'web:2', 0, 0)]);
    const { rows, startsAtRest } = changed(aborted, rollout('web:2', steps(50)));
    expect(startsAtRest).toBe(false);
    expect(rows.slice(0, 2)).toEqual(['0 | 1 4 4 ready', '0 | 2 3 4 ready']);
  });

  test('are passed after it is scaled to changed replicas, according to its current step', () => {
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

  test('and also according to its abort, until both its ReplicaSets have the new replicas', () => {
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

  test('are only settings if the steps are equal or its version is the stable one', () => {
    const faster: Fields = { canary: { ...(CANARY.canary as Fields), maxSurge: 2 } };
    const effect = (old: Manifest[], next: Manifest) => planChange(old, [next]).change.objects[0]!.effect;
    expect(effect(live(CANARY), rollout('web:2', faster))).toBe('settings');
    expect(effect(live(CANARY, { stableRS: 'b' }), rollout('web:2', steps(50)))).toBe('settings');
    expect(effect(live(CANARY, { stableRS: undefined }), rollout('web:2', steps(50)))).toBe('settings');
    expect(effect(live(BLUE_GREEN), rollout('web:2', { blueGreen: { activeService: 'web', scaleDownDelaySeconds: 60 } }))).toBe('settings');
  });

  test('start at rest, which is reported, if its ReplicaSets are not in the input or a third one has pods', () => {
    expect(changed(live(CANARY, {}, []), rollout('web:2', steps(50))).startsAtRest).toBe(true);
    const three = live(CANARY, {}, [...live(CANARY).slice(1), replicaSet('c', 'web:0', 1, 1)]);
    expect(changed(three, rollout('web:2', steps(50))).startsAtRest).toBe(true);
  });
});

test('if the ReplicaSets of a live Rollout are not in the input, its pods are read from its status', () => {
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

test('pods of a ReplicaSet beyond its replicas are about to be deleted and not counted', () => {
  const shrinking = live(CANARY, {}, [replicaSet('a', 'web:1', 3, 4), replicaSet('b', 'web:2', 1, 1)]);
  const shrunk = live(CANARY, {}, [replicaSet('a', 'web:1', 3, 3), replicaSet('b', 'web:2', 1, 1)]);
  expect(changed(shrinking, rollout('web:3', CANARY)).plan.rollouts).toEqual(changed(shrunk, rollout('web:3', CANARY)).plan.rollouts);
});

test('a canary with a router keeps its weight at the stable version until the third one is ready', () => {
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

test('a canary with dynamicStableScale that is overtaken shows no rows, and says how many pods the stable version has', () => {
  const sets = [replicaSet('a', 'web:1', 1, 1), replicaSet('b', 'web:2', 3, 3)];
  const { change, rollouts } = expectValidPlan(planChange(live(DYNAMIC, {}, sets), [rollout('web:3', DYNAMIC)]));
  expect(change.objects[0]!.effect).toBe('roll');
  expect(rollouts[0]!.simulation).toBeNull();
  expect(rollouts[0]!.findings.find(({ code }) => code === 'argo-rollouts/dynamic-stable-overtaken')).toMatchObject({
    severity: 'warning',
    data: { stable: 1, replicas: 4 },
  });
  expect(rollouts[0]!.findings.map(({ code }) => code)).not.toContain('change/assumes-steady-state');
});

test.each<[weight: number, maxTrafficWeight: number | undefined, stable: number | undefined]>([
  [75, undefined, 1],
  [10, undefined, undefined],
  [500, 1000, 2],
])('without its ReplicaSets, weight %d of %p leaves the stable version of 4 pods %p', (weight, maxTrafficWeight, stable) => {
  const routing = { ...(ROUTING.trafficRouting as Fields), ...(maxTrafficWeight !== undefined && { maxTrafficWeight }) };
  const strategy = { canary: { ...ROUTING, trafficRouting: routing, dynamicStableScale: true } };
  const [old] = live(strategy, {}, []) as [Manifest];
  const weighted = { ...old, status: { ...(old.status as Fields), canary: { weights: { canary: { weight } } } } };
  const { rollouts } = planChange([weighted], [rollout('web:3', strategy)]);
  const found = rollouts[0]!.findings.find(({ code }) => code === 'argo-rollouts/dynamic-stable-overtaken');
  expect(found?.data).toEqual(stable === undefined ? undefined : { stable, replicas: 4 });
});

describe('a canary whose state cannot be continued starts at rest, which is reported:', () => {
  const later = { 'scale-down-deadline': '2026-01-01T00:00:30Z' };
  const routed = (ready: number) => [replicaSet('a', 'web:1', 4, ready), replicaSet('b', 'web:2', 1, 1)];

  test.each<[string, readonly Manifest[], Manifest]>([
    ['ReplicaSets that are not in the input', live(CANARY, {}, []), rollout('web:3', CANARY)],
    ['stable pods that are not ready, with a router', live(ROUTED, {}, routed(3)), rollout('web:3', ROUTED)],
    ['an abort with a router', live(ROUTED, { abort: true }, routed(4)), rollout('web:3', ROUTED)],
    ['a new router', live(CANARY), rollout('web:3', ROUTED)],
    [
      'pods with a scale-down deadline',
      live(CANARY, {}, [replicaSet('a', 'web:1', 4, 4), replicaSet('b', 'web:2', 1, 1, later)]),
      rollout('web:3', CANARY),
    ],
    ['a template that the controller modifies', live(CANARY), rollout('web:3', MARKED)],
    ['a rollbackWindow', live(CANARY), rollout('web:3', CANARY, { rollbackWindow: { revisions: 3 } })],
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
