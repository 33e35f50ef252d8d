import { planChange } from '../../../src/headless';
import type { Manifest } from '../../../src/headless';

function rollout(image: string, spec: Record<string, unknown> = {}): Manifest {
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Rollout',
    metadata: { name: 'web' },
    spec: {
      replicas: 4,
      selector: { matchLabels: { app: 'web' } },
      template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'app', image }] } },
      strategy: { canary: {} },
      ...spec,
    },
  };
}

const OLD = rollout('app:1');

test.each([
  ['another image', rollout('app:2'), 'roll'],
  ['more replicas', rollout('app:1', { replicas: 6 }), 'scale'],
  ['both', rollout('app:2', { replicas: 6 }), 'roll-and-scale'],
  ['steps alone', rollout('app:1', { strategy: { canary: { steps: [{ setWeight: 50 }] } } }), 'settings'],
  ['another image while it is paused', rollout('app:2', { paused: true }), 'held'],
  ['a restart', rollout('app:1', { restartAt: '2026-01-01T00:00:00Z' }), 'unknown'],
  ['nothing', OLD, 'none'],
])('%s: %#', (_name, next, effect) => {
  expect(planChange([OLD], [next]).change.objects.map((object) => object.effect)).toEqual([effect]);
});

function autoscaler(minReplicas: number): Manifest {
  return {
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    metadata: { name: 'web' },
    spec: { scaleTargetRef: { apiVersion: 'argoproj.io/v1alpha1', kind: 'Rollout', name: 'web' }, minReplicas, maxReplicas: 8 },
  };
}

function unnumbered(image: string): Manifest {
  return rollout(image, { replicas: undefined });
}

function changeUnderAutoscaler(image: string, minReplicas: number) {
  return planChange([unnumbered('app:1'), autoscaler(2)], [unnumbered(image), autoscaler(minReplicas)]).change;
}

test('a Rollout that names no replicas has as many pods as its autoscaler wants, on both sides', () => {
  const rolled = changeUnderAutoscaler('app:2', 2);
  expect(rolled.objects.map(({ effect }) => effect)).toEqual(['roll', 'none']);
  expect(rolled.summary).toMatchObject({ podsReplaced: 2, lowest: { available: 2 } });

  const scaled = changeUnderAutoscaler('app:1', 4);
  expect(scaled.objects.map(({ effect }) => effect)).toEqual(['scale', 'settings']);
});

test('replicas and image together begin with the pods that run: 5 of 8 are available', () => {
  const canary = { strategy: { canary: { maxSurge: 1, maxUnavailable: 0 } } };
  const { change, rollouts } = planChange([rollout('app:1', { replicas: 5, ...canary })], [rollout('app:2', { replicas: 8, ...canary })]);
  expect(change.summary).toMatchObject({ podsReplaced: 8, podsAdded: 3, peakExtraPods: 4, lowest: { available: 5, replicas: 8 } });
  expect(rollouts.map(({ simulation }) => simulation?.kind === 'argorollout' && simulation.waves.slice(0, 2))).toEqual([
    [
      { wave: 1, newPods: 4, oldPods: 5, total: 9, available: 5, until: 'ready' },
      { wave: 2, newPods: 5, oldPods: 4, total: 9, available: 8, until: 'ready' },
    ],
  ]);
});
