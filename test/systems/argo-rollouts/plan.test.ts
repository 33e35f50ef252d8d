import { planManifests } from '../../../src/headless';
import type { Manifest, PlannedRollout } from '../../../src/headless';

function rollout(strategy: Record<string, unknown>, spec: Record<string, unknown> = {}, container: Record<string, unknown> = {}): Manifest {
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Rollout',
    metadata: { name: 'web' },
    spec: {
      replicas: 4,
      selector: { matchLabels: { app: 'web' } },
      template: {
        metadata: { labels: { app: 'web' } },
        spec: { containers: [{ name: 'app', image: 'app:1', ...container }] },
      },
      strategy,
      ...spec,
    },
  };
}

function planRollout(objects: readonly Manifest[], options = {}): PlannedRollout {
  return planManifests(objects, options).rollouts.find(({ system }) => system === 'argo-rollouts')!;
}

function findingFacts({ findings }: PlannedRollout): unknown[] {
  return findings.map(({ code, messageId, severity, path, data }) => ({ code, messageId, severity, path, data }));
}

const ROUTED = { stableService: 'web', canaryService: 'web-canary', trafficRouting: { nginx: { stableIngress: 'web' } } };
const BLUE_GREEN = { blueGreen: { activeService: 'web', previewService: 'web-preview' } };
const GPU = { resources: { limits: { 'nvidia.com/gpu': 1 } } };
const quota = (hard: Record<string, unknown>): Manifest => ({
  apiVersion: 'v1',
  kind: 'ResourceQuota',
  metadata: { name: 'team' },
  spec: { hard },
});

test('a canary without a router: its rows, the pause until a user promotes it, and the abort', () => {
  const { strategy, provenance, simulation, ...others } = planRollout([
    rollout({ canary: { maxSurge: 1, maxUnavailable: 0, steps: [{ setWeight: 25 }, { pause: {} }] } }),
  ]);
  expect(strategy).toEqual({ canary: { maxSurge: 1, maxUnavailable: 0, steps: [{ setWeight: 25 }, { pause: {} }] } });
  expect(provenance.map(({ field, value, layer }) => [field, value, layer])).toEqual([
    ['type', 'canary', 'user'],
    ['maxSurge', 1, 'user'],
    ['maxUnavailable', 0, 'user'],
  ]);
  expect(simulation).toEqual({
    kind: 'argorollout',
    type: 'canary',
    replicas: 4,
    surge: 1,
    unavailable: 0,
    waves: [
      { wave: 1, stepsDone: 0, newPods: 1, oldPods: 4, total: 5, available: 4, until: 'ready' },
      { wave: 2, stepsDone: 1, newPods: 1, oldPods: 3, total: 4, available: 4, until: 'promotion' },
      { wave: 3, stepsDone: 2, newPods: 2, oldPods: 3, total: 5, available: 4, until: 'ready' },
      { wave: 4, stepsDone: 2, newPods: 3, oldPods: 2, total: 5, available: 4, until: 'ready' },
      { wave: 5, stepsDone: 2, newPods: 4, oldPods: 1, total: 5, available: 4, until: 'ready' },
      { wave: 6, stepsDone: 2, newPods: 4, oldPods: 0, total: 4, available: 4 },
    ],
    peakPods: 5,
    minAvailable: 4,
    waitSeconds: 0,
    halted: { wave: 2, reason: 'promotion' },
    abort: {
      afterWave: 5,
      waves: [
        { wave: 1, stepsDone: 0, newPods: 3, oldPods: 2, total: 5, available: 4, until: 'ready' },
        { wave: 2, stepsDone: 0, newPods: 2, oldPods: 3, total: 5, available: 4, until: 'ready' },
        { wave: 3, stepsDone: 0, newPods: 1, oldPods: 4, total: 5, available: 4, until: 'ready' },
        { wave: 4, stepsDone: 0, newPods: 0, oldPods: 4, total: 4, available: 4 },
      ],
      peakPods: 5,
      minAvailable: 4,
    },
  });
  expect(findingFacts(others as PlannedRollout)).toEqual([
    {
      code: 'argo-rollouts/endless-pause',
      messageId: 'pauses',
      severity: 'info',
      path: 'spec.strategy.canary.steps[1].pause',
      data: { steps: [2] },
    },
  ]);
});

test('with a router twice the pods run, and limits have no effect', () => {
  const plan = planRollout([rollout({ canary: { ...ROUTED, maxSurge: 1, steps: [{ setWeight: 50 }] } })]);
  expect(plan.simulation).toMatchObject({
    maxWeight: 100,
    waves: [
      { wave: 1, newPods: 2, oldPods: 4, newWeight: 0, until: 'ready' },
      { wave: 2, newPods: 4, oldPods: 4, newWeight: 50, until: 'ready' },
      { wave: 3, newPods: 4, oldPods: 4, newWeight: 100, until: 'seconds', seconds: 30 },
      { wave: 4, newPods: 4, oldPods: 0, newWeight: 100 },
    ],
    peakPods: 8,
    waitSeconds: 30,
  });
  expect(findingFacts(plan)).toEqual([
    {
      code: 'argo-rollouts/unused-limits',
      messageId: 'routed',
      severity: 'warning',
      path: 'spec.strategy.canary.maxSurge',
      data: { field: 'maxSurge', value: 1, peakPods: 8, replicas: 4 },
    },
  ]);
});

test('a quoted number is a percentage', () => {
  const plan = planRollout([rollout({ canary: { maxSurge: '2', maxUnavailable: '30' } })]);
  expect(plan.simulation).toMatchObject({ surge: 1, unavailable: 1 });
  expect(findingFacts(plan)).toEqual([
    {
      code: 'argo-rollouts/quoted-limit',
      messageId: 'percentage',
      severity: 'warning',
      path: 'spec.strategy.canary.maxSurge',
      data: { field: 'maxSurge', value: '2', replicas: 4, pods: 1 },
    },
    {
      code: 'argo-rollouts/quoted-limit',
      messageId: 'percentage',
      severity: 'warning',
      path: 'spec.strategy.canary.maxUnavailable',
      data: { field: 'maxUnavailable', value: '30', replicas: 4, pods: 1 },
    },
  ]);
});

test.each(['a quarter', '9'.repeat(100)])('a string that is not a number stops the Rollout, which is reported: %j', (maxSurge) => {
  const plan = planRollout([rollout({ canary: { maxSurge, maxUnavailable: 1 } })]);
  expect(plan.simulation).toMatchObject({ surge: 0, unavailable: 0 });
  const value = maxSurge.length < 80 ? maxSurge : { described: `"${'9'.repeat(76)}…"` };
  expect(findingFacts(plan)).toEqual([
    {
      code: 'argo-rollouts/quoted-limit',
      messageId: 'notANumber',
      severity: 'warning',
      path: 'spec.strategy.canary.maxSurge',
      data: { field: 'maxSurge', value },
    },
  ]);
});

test('blue-green without a scale-down delay never deletes the old pods', () => {
  const plan = planRollout([rollout({ blueGreen: { ...BLUE_GREEN.blueGreen, scaleDownDelaySeconds: 0 } })]);
  expect(plan.simulation).toMatchObject({
    peakPods: 8,
    remainingOldPods: 4,
    waves: [
      { newPods: 4, oldPods: 4 },
      { newPods: 4, oldPods: 4, newWeight: 100 },
    ],
  });
  expect(findingFacts(plan)).toEqual([
    {
      code: 'argo-rollouts/keeps-old-pods',
      messageId: 'neverScaledDown',
      severity: 'warning',
      path: 'spec.strategy.blueGreen.scaleDownDelaySeconds',
      data: { pods: 4 },
    },
  ]);
});

test('without capacity for the new pods the rollout deadlocks, and a scarce resource is a warning', () => {
  const stuck = planRollout([rollout(BLUE_GREEN, {}, GPU), quota({ 'requests.nvidia.com/gpu': 7 })]);
  expect(stuck.capacity).toMatchObject({ verdict: 'deadlocks', peakPods: 8, podsThatFit: 7, deadlockWave: 1 });
  expect(stuck.duration).toBeUndefined();
  expect(findingFacts(stuck)).toEqual([
    expect.objectContaining({
      code: 'argo-rollouts/needs-headroom',
      messageId: 'insufficientCapacity',
      severity: 'error',
      path: 'spec.strategy',
    }),
  ]);
  expect(findingFacts(planRollout([rollout(BLUE_GREEN, {}, GPU)]))).toEqual([
    {
      code: 'argo-rollouts/needs-headroom',
      messageId: 'surge',
      severity: 'warning',
      path: 'spec.strategy',
      data: { replicas: 4, peakPods: 8, extendedResources: ['nvidia.com/gpu'] },
    },
  ]);
  const slow = planRollout([rollout({ canary: { maxSurge: 2, maxUnavailable: 0 } }, {}, GPU), quota({ 'requests.nvidia.com/gpu': 5 })]);
  expect(slow.capacity).toMatchObject({ verdict: 'slower', iterations: expect.any(Number) as number });
});

test('the duration is known, except if a gate or a user decides', () => {
  const at = (strategy: Record<string, unknown>) => planRollout([rollout(strategy)], { startupSeconds: 20 }).duration;
  expect(at(BLUE_GREEN)).toEqual({ startupSeconds: 20, lowerBoundSeconds: 50, expectedSeconds: 50, abortSeconds: 600, blastRadius: 4 });
  expect(at({ canary: { ...ROUTED, steps: [{ setWeight: 25 }, { analysis: {} }] } })).toMatchObject({
    lowerBoundSeconds: 70,
    expectedSeconds: null,
  });
});

test('a paused Rollout rolls nothing out, and without replicas there is nothing to replace', () => {
  const plan = planRollout([rollout({ canary: {} }, { paused: true })]);
  expect(plan.simulation).toBeNull();
  expect(findingFacts(plan)).toMatchObject([{ code: 'argo-rollouts/paused', path: 'spec.paused' }]);
  expect(planRollout([rollout({ canary: {} }, { replicas: 0 })]).simulation).toMatchObject({ peakPods: 0, waves: [{ newPods: 0 }] });
});

test('an autoscaler that targets argoproj.io/v1alpha1 scales the replicas', () => {
  const hpa: Manifest = {
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    metadata: { name: 'web' },
    spec: { scaleTargetRef: { apiVersion: 'argoproj.io/v1alpha1', kind: 'Rollout', name: 'web' }, minReplicas: 2, maxReplicas: 6 },
  };
  const plan = planRollout([rollout(BLUE_GREEN, { replicas: undefined }), hpa]);
  expect(plan.autoscaled).toMatchObject({ minimum: { replicas: 2, peakPods: 4 }, maximum: { replicas: 6, peakPods: 12 } });
});

test('a Rollout with a workloadRef has the pods of the referenced workload', () => {
  const template = { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'app', image: 'app:1', ...GPU }] } };
  const named: Manifest = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'base' },
    spec: { replicas: 0, selector: { matchLabels: { app: 'web' } }, template },
  };
  const ref = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'base' };
  const object = { ...rollout(BLUE_GREEN), spec: { replicas: 2, workloadRef: ref, strategy: BLUE_GREEN } };
  expect(findingFacts(planRollout([object, named]))).toMatchObject([{ code: 'argo-rollouts/needs-headroom', data: { peakPods: 4 } }]);
  expect(findingFacts(planRollout([object]))).toEqual([]);
});

test('a field that the version does not support, an unknown field, and values of the wrong type', () => {
  const canary = { replicaProgressThreshold: { type: 'Percent', value: 90 }, maxsurge: 1 };
  expect(findingFacts(planRollout([rollout({ canary })], { versions: { 'argo-rollouts': '1.8' } }))).toMatchObject([
    { code: 'input/unknown-field', messageId: 'unknown', path: 'spec.strategy.canary.maxsurge' },
    { code: 'input/unknown-field', messageId: 'tooNew', path: 'spec.strategy.canary.replicaProgressThreshold' },
  ]);
  const wrong = planRollout([rollout({ canary: { steps: [{ setWeight: 'half' }] } })]);
  expect(wrong.simulation).toBeNull();
  expect(findingFacts(wrong)).toMatchObject([{ code: 'input/wrong-type', path: 'spec.strategy.canary.steps[0].setWeight' }]);
});

test('a rolling update of very many pods shows its first and last rows', () => {
  const plan = planRollout([rollout({ canary: { maxSurge: 1, maxUnavailable: 0 } }, { replicas: 2_147_483_000 })]);
  expect(plan.simulation).toMatchObject({ elided: 2_147_482_901, peakPods: 2_147_483_001, minAvailable: 2_147_483_000 });
  expect(planRollout([rollout({ canary: { maxSurge: 1, maxUnavailable: 0 } }, { replicas: 1_100 })]).simulation).toMatchObject({
    elided: 1_001,
  });
});

test('blue-green without automatic promotion waits for a user, which is reported at the field', () => {
  expect(findingFacts(planRollout([rollout({ blueGreen: { ...BLUE_GREEN.blueGreen, autoPromotionEnabled: false } })]))).toContainEqual({
    code: 'argo-rollouts/endless-pause',
    messageId: 'byHand',
    severity: expect.any(String) as unknown,
    path: 'spec.strategy.blueGreen.autoPromotionEnabled',
    data: { replicas: 4 },
  });
});

test('the message uses the singular for one pod', () => {
  const strategy = { blueGreen: { ...BLUE_GREEN.blueGreen, scaleDownDelaySeconds: 0 } };
  const textOf = (replicas: number) =>
    planRollout([rollout(strategy, { replicas })]).findings.find(({ code }) => code.endsWith('keeps-old-pods'))!.message;
  expect(textOf(1)).toContain('the 1 pod of the previous version, which keeps running');
  expect(textOf(2)).toContain('the 2 pods of the previous version, which keep running');
});

test('a Rollout without canary and blueGreen is refused, and one whose ping-pong lacks a Service', () => {
  const reasons = (strategy: Record<string, unknown>) => findingFacts(planRollout([rollout(strategy)]));
  expect(reasons({})).toMatchObject([{ code: 'argo-rollouts/invalid-rollout', path: 'spec.strategy' }]);
  const pingPong = (pingService: string, pongService: string) => reasons({ canary: { pingPong: { pingService, pongService } } });
  expect(pingPong('a', 'b')).toEqual([]);
  const refused = { code: 'argo-rollouts/invalid-rollout', path: 'spec.strategy.canary.pingPong' };
  expect([pingPong('', 'b'), pingPong('a', ''), pingPong('a', 'a')]).toMatchObject([[refused], [refused], [refused]]);
});

test('a quoted percentage is used as is', () => {
  expect(findingFacts(planRollout([rollout({ canary: { maxSurge: '25%', maxUnavailable: '25%' } })]))).toEqual([]);
});

test('a Rollout of another group is not recognised, and neither is another kind of this group', () => {
  expect(planManifests([{ ...rollout(BLUE_GREEN), apiVersion: 'example.com/v1' }]).rollouts).toEqual([]);
  expect(planManifests([{ ...rollout(BLUE_GREEN), kind: 'AnalysisTemplate' }]).rollouts).toEqual([]);
});

test('a canary whose pauses all have a duration does not wait for a user', () => {
  expect(findingFacts(planRollout([rollout({ canary: { steps: [{ setWeight: 25 }, { pause: { duration: 60 } }] } })]))).toEqual([]);
});

describe('the provenance of each strategy field', () => {
  const layers = (strategy: Record<string, unknown>) =>
    planRollout([rollout(strategy)]).provenance.map(({ field, value, layer }) => [field, value, layer]);

  test.each([
    [
      {},
      [
        ['maxSurge', '25%', 'argo-rollouts-default'],
        ['maxUnavailable', '25%', 'argo-rollouts-default'],
      ],
    ],
    [
      { maxSurge: 2, maxUnavailable: null },
      [
        ['maxSurge', 2, 'user'],
        ['maxUnavailable', '25%', 'argo-rollouts-default'],
      ],
    ],
    [ROUTED, []],
  ])('for the canary %j is %j', (canary, limits) => {
    expect(layers({ canary })).toEqual([['type', 'canary', 'user'], ...limits]);
  });

  test.each([
    [{}, 30, 'argo-rollouts-default'],
    [{ scaleDownDelaySeconds: 60 }, 60, 'user'],
  ])('for a blueGreen with %j is a delay of %i, from %s', (fields, delay, layer) => {
    expect(layers({ blueGreen: { ...BLUE_GREEN.blueGreen, ...fields } })).toEqual([
      ['type', 'blueGreen', 'user'],
      ['scaleDownDelaySeconds', delay, layer],
    ]);
  });
});

test('the duration of a canary counts hidden rows, and its blast radius is the first row with new pods', () => {
  const durationOf = (canary: Record<string, unknown>, replicas: number) =>
    planRollout([rollout({ canary: { maxSurge: 1, maxUnavailable: 0, ...canary } }, { replicas })], { startupSeconds: 20 }).duration;
  expect(durationOf({}, 1_000)).toMatchObject({ lowerBoundSeconds: 20_000, expectedSeconds: 20_000 });
  expect(durationOf({ steps: [{ pause: { duration: 5 } }] }, 4)).toMatchObject({ lowerBoundSeconds: 85, blastRadius: 1 });
});

test('a canary without capacity deadlocks at a wave', () => {
  const plan = planRollout([rollout({ canary: { maxSurge: 0, maxUnavailable: 1 } }), quota({ pods: 3 })]);
  expect(findingFacts(plan)).toMatchObject([
    {
      code: 'kubernetes/insufficient-capacity',
      messageId: 'replicas',
      data: { replicas: 4, podsThatFit: 3, unit: 'wave', deadlockWave: 1 },
    },
  ]);
});

test('if the new pods do not fit on the nodes, the finding reports how many more nodes are needed', () => {
  const nodePools = [{ name: 'a100', count: 6, allocatable: { 'nvidia.com/gpu': 1 } }];
  expect(findingFacts(planRollout([rollout(BLUE_GREEN, {}, GPU)], { capacity: { nodePools } }))).toMatchObject([
    {
      code: 'argo-rollouts/needs-headroom',
      messageId: 'insufficientCapacity',
      severity: 'error',
      data: { replicas: 4, peakPods: 8, deadlockWave: 1, moreNodes: { pool: 'a100', nodes: 2 } },
    },
  ]);
});

test('a Rollout without a template and without a workloadRef is refused', () => {
  const { template: _template, ...spec } = rollout(BLUE_GREEN).spec as Record<string, unknown>;
  expect(findingFacts(planRollout([{ ...rollout(BLUE_GREEN), spec }]))).toMatchObject([
    { code: 'kubernetes/invalid-workload', messageId: 'notSelected' },
    { code: 'kubernetes/invalid-workload', messageId: 'missing', path: 'spec.template.spec.containers' },
  ]);
});
