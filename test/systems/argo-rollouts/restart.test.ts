import { planChange } from '../../../src/headless';
import type { Fields, Manifest } from '../../../src/core/manifest/manifest';
import { computeRestartOutcome, simulateRestart } from '../../../src/systems/argo-rollouts/restart';
import { parseArgoStrategy } from '../../../src/systems/argo-rollouts/strategy';
import { resolveRolloutsBehaviour } from '../../../src/systems/argo-rollouts/versions';
import { expectValidPlan } from '../../plan-schema';

const RESTART_AT = '2026-03-01T00:00:00Z';

function rollout(image: string, spec: Fields): Manifest {
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Rollout',
    metadata: { name: 'web', namespace: 'shop' },
    spec: {
      replicas: 4,
      selector: { matchLabels: { app: 'web' } },
      template: {
        metadata: { labels: { app: 'web' } },
        spec: { containers: [{ name: 'app', image, readinessProbe: { tcpSocket: { port: 8080 } } }] },
      },
      strategy: { canary: {} },
      ...spec,
    },
  };
}

function planValidChange(old: readonly Manifest[], next: readonly Manifest[]) {
  return expectValidPlan(planChange(old, next));
}

/** Plans a restart of a Rollout with these fields in its spec. */
function planRestart(spec: Fields, others: readonly Manifest[] = []) {
  return planValidChange([rollout('app:1', spec), ...others], [rollout('app:1', { ...spec, restartAt: RESTART_AT }), ...others]);
}

function findingsOf({ rollouts }: ReturnType<typeof planRestart>) {
  return rollouts[0]!.findings.map(({ code, messageId, severity, path, data }) => ({ code, messageId, severity, path, data }));
}

describe('a restart', () => {
  test('reports which pods it evicts, how many at once, and when', () => {
    expect(findingsOf(planRestart({ strategy: { canary: { maxUnavailable: 2 } } }))).toEqual([
      {
        code: 'argo-rollouts/restart',
        messageId: 'evicts',
        severity: 'info',
        path: 'spec.restartAt',
        data: { restartAt: RESTART_AT, maxConcurrent: 2 },
      },
    ]);
  });

  test.each<[string, Fields, string, string]>([
    [
      'blue-green, whose rollouts keep all old pods',
      { blueGreen: { activeService: 'web', maxUnavailable: '100%' } },
      'warning',
      'spec.strategy.blueGreen.maxUnavailable',
    ],
    ['a canary without a router', { canary: { maxUnavailable: 4 } }, 'warning', 'spec.strategy.canary.maxUnavailable'],
    [
      'a canary with a router, whose rollouts ignore the limits',
      {
        canary: {
          maxUnavailable: '100%',
          stableService: 'web',
          canaryService: 'next',
          trafficRouting: { nginx: { stableIngress: 'web' } },
        },
      },
      'warning',
      'spec.strategy.canary.maxUnavailable',
    ],
  ])('of all pods at once is an outage: %s', (_what, strategy, severity, path) => {
    expect(findingsOf(planRestart({ strategy }))).toContainEqual({
      code: 'argo-rollouts/restart',
      messageId: 'outage',
      severity,
      path,
      data: { replicas: 4, strategy: Object.keys(strategy)[0] },
    });
  });

  test('of the only pod is an info, because no limit avoids the outage', () => {
    const findings = findingsOf(planRestart({ replicas: 1 }));
    expect(findings.map(({ messageId, severity }) => [messageId, severity])).toContainEqual(['outage', 'info']);
    expect(findings.map(({ code }) => code)).not.toContain('kubernetes/outage');
  });

  test('together with a new template is in no row, which is reported', () => {
    const { rollouts, change } = planValidChange([rollout('app:1', {})], [rollout('app:2', { restartAt: RESTART_AT })]);
    expect(change.objects.map(({ effect }) => effect)).toEqual(['roll']);
    expect(rollouts[0]!.simulation).toMatchObject({ type: 'canary', alsoRestarts: true });
    expect(rollouts[0]!.findings).toContainEqual(
      expect.objectContaining({ code: 'argo-rollouts/restart', messageId: 'duringRollout', severity: 'warning' }),
    );
  });
});

describe('a PodDisruptionBudget, which applies to evictions', () => {
  const budget = (spec: Fields): Manifest => ({
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name: 'web', namespace: 'shop' },
    spec: { selector: { matchLabels: { app: 'web' } }, ...spec },
  });
  const codes = (spec: Fields) =>
    findingsOf(planRestart({ strategy: { canary: { maxUnavailable: 2 } } }, [budget(spec)]))
      .filter(({ code }) => code.startsWith('kubernetes/'))
      .map(({ code, messageId, severity, data }) => [severity, code, messageId, data.allowed]);

  test('that allows no eviction deadlocks the restart', () => {
    expect(codes({ minAvailable: 4 })).toEqual([
      ['warning', 'kubernetes/pdb-blocks-eviction', 'blocked', undefined],
      ['error', 'kubernetes/pdb-refuses-eviction', 'never', undefined],
    ]);
  });

  test('that allows fewer evictions than the restart makes it slower, and is never violated', () => {
    expect(codes({ minAvailable: 3 })).toEqual([['info', 'kubernetes/pdb-refuses-eviction', 'slower', 1]]);
    const { rollouts } = planRestart({ strategy: { canary: { maxUnavailable: 2 } } }, [budget({ minAvailable: 3 })]);
    expect(rollouts[0]!.budgets).toEqual([{ name: 'web', pods: 4, desiredHealthy: 3, lowest: 3, ownDesiredHealthy: 3 }]);
  });

  test('that allows as many evictions reports nothing', () => {
    expect(codes({ maxUnavailable: 2 })).toEqual([]);
  });
});

describe('pods in the input', () => {
  const owner = (kind: string, name: string, apiVersion: string) => [{ apiVersion, kind, name, uid: name, controller: true }];
  const live = (ages: readonly string[]): Manifest[] => [
    { ...rollout('app:1', {}), metadata: { name: 'web', namespace: 'shop', uid: 'web', resourceVersion: '4' } },
    {
      apiVersion: 'apps/v1',
      kind: 'ReplicaSet',
      metadata: { name: 'web-1', namespace: 'shop', uid: 'web-1', ownerReferences: owner('Rollout', 'web', 'argoproj.io/v1alpha1') },
    },
    ...ages.map((creationTimestamp, index) => ({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: {
        name: `web-1-${index}`,
        namespace: 'shop',
        uid: `web-1-${index}`,
        creationTimestamp,
        ownerReferences: owner('ReplicaSet', 'web-1', 'apps/v1'),
      },
    })),
  ];
  const [OLDER, YOUNGER] = ['2026-02-28T23:59:59Z', RESTART_AT];

  test('stay if they are not older than restartAt', () => {
    const { rollouts, change } = planValidChange(live([OLDER, OLDER, YOUNGER, YOUNGER]), [rollout('app:1', { restartAt: RESTART_AT })]);
    expect(rollouts[0]!.simulation).toMatchObject({
      type: 'restart',
      waves: [
        { newPods: 3, oldPods: 1, available: 3 },
        { newPods: 4, oldPods: 0, available: 3 },
        { newPods: 4, oldPods: 0, available: 4 },
      ],
    });
    expect(change.summary.podsReplaced).toBe(2);
  });

  test('are not restarted if none is older', () => {
    const { change } = planValidChange(live([YOUNGER, YOUNGER, YOUNGER, YOUNGER]), [rollout('app:1', { restartAt: RESTART_AT })]);
    expect(change.objects.map(({ effect }) => effect)).toEqual(['settings']);
  });
});

describe('a restart of three pods at a time', () => {
  const behaviour = resolveRolloutsBehaviour('1.9');
  const strategy = parseArgoStrategy({ spec: { strategy: { canary: { maxUnavailable: 3 } } } }, behaviour)!;
  const restartOf = (replicas: number) => simulateRestart({ strategy, replicas, behaviour });

  test.each([
    [6, { verdict: 'deadlocks', deadlockWave: 1 }],
    [7, { verdict: 'deadlocks', deadlockWave: 1 }],
    [8, { verdict: 'slower', iterations: 8 }],
    [9, { verdict: 'slower', iterations: 5 }],
    [10, { verdict: 'fits' }],
  ])('with capacity for %i of 10: %j', (capacity, outcome) => {
    expect(computeRestartOutcome(restartOf(10), capacity)).toEqual(outcome);
  });

  test('has one row without pods', () => {
    expect(restartOf(0).waves).toEqual([{ wave: 1, newPods: 0, oldPods: 0, total: 0, available: 0 }]);
  });
});
