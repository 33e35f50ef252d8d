import { planChange } from '../../src/headless';
import { expectValidPlan } from '../plan-schema';
import { deployment } from '../builders/running-pods';

describe('a Deployment that scales in the middle of a rollout', () => {
  const replicaSet = (revision: number, image: string, replicas: number, available: number) => ({
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: {
      name: `web-${revision}`,
      namespace: 'shop',
      creationTimestamp: `2026-01-0${revision}T00:00:00Z`,
      annotations: {
        'deployment.kubernetes.io/revision': `${revision}`,
        'deployment.kubernetes.io/desired-replicas': '3',
        'deployment.kubernetes.io/max-replicas': '4',
      },
      ownerReferences: [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'web', uid: 'web', controller: true }],
    },
    spec: { replicas, template: deployment('web', image, { cpu: 1, nodes: [] }).spec.template },
    status: { replicas, availableReplicas: available },
  });
  const next = (replicas: number) => deployment('web', 'm:2', { cpu: 1, nodes: [], replicas });
  const applied = next(3);
  const live = {
    ...applied,
    metadata: {
      ...applied.metadata,
      uid: 'web',
      annotations: { 'kubectl.kubernetes.io/last-applied-configuration': JSON.stringify(applied) },
    },
    status: { observedGeneration: 1, replicas: 4, updatedReplicas: 1, availableReplicas: 3, unavailableReplicas: 1 },
  };
  const OLD = [live, replicaSet(1, 'm:1', 3, 3), replicaSet(2, 'm:2', 1, 0)];

  const withSpec = (replicas: number, spec: object) => ({ ...next(replicas), spec: { ...next(replicas).spec, ...spec } });
  const summarize = (object: object, options = {}) => {
    const { change, rollouts } = expectValidPlan(planChange(OLD, [object], options));
    const { podsAdded, podsRemoved, podsReplaced, peakExtraPods } = change.summary;
    const { effect, heldUntil, pods } = change.objects[0]!;
    const errors = rollouts[0]!.findings.filter(({ severity }) => severity === 'error').map(({ code, message }) => ({ code, message }));
    return { effect, ...(heldUntil !== undefined && { heldUntil }), pods, podsAdded, podsRemoved, podsReplaced, peakExtraPods, errors };
  };

  test('keeps the surge while it is paused, since the controller scales both ReplicaSets', () => {
    expect(summarize(withSpec(6, { paused: true }), { capacity: { total: { cpu: 6 } } })).toMatchInlineSnapshot(`
{
  "effect": "scale",
  "errors": [
    {
      "code": "kubernetes/insufficient-capacity",
      "message": "Only 6 of 7 pods fit: together they request 7 cpu and the given capacity has 6 left. The other pod stays Pending until there is capacity.",
    },
  ],
  "peakExtraPods": 2,
  "pods": {
    "after": 7,
    "before": 4,
  },
  "podsAdded": 2,
  "podsRemoved": 0,
  "podsReplaced": 0,
}
`);
  });

  test.each([8, 1, 0])('does not scale to %i pods with type Recreate, which resizes no ReplicaSet while two have pods', (replicas) => {
    const recreated = withSpec(replicas, { strategy: { type: 'Recreate' } });
    const before = { pods: { before: 4, after: 4 }, podsAdded: 0, podsRemoved: 0, podsReplaced: 0, peakExtraPods: 0 };
    const message = `Pods of two versions run, and with type Recreate the controller resizes neither: with replicas ${replicas} instead of 3 it creates and deletes no pod, permanently.`;
    expect(summarize(recreated)).toEqual({
      effect: 'held',
      heldUntil: 'spec.replicas is 3 again',
      ...before,
      errors: [{ code: 'change/recreate-blocked', message }],
    });
  });

  test.each([
    ['type Recreate, which deletes all old pods at once', { type: 'Recreate' }],
    ['other limits', { rollingUpdate: { maxSurge: 0, maxUnavailable: '100%' } }],
  ])('goes on under %s', (_, strategy) => {
    const { change } = planChange(OLD, [withSpec(3, { strategy })]);
    const { podsReplaced, lowest } = change.summary;
    expect({ effect: change.objects[0]!.effect, podsReplaced, available: lowest?.available }).toEqual({
      effect: 'roll',
      podsReplaced: 2,
      available: 0,
    });
  });

  test('goes on with it: old pods are replaced, and the peak has the surge', () => {
    const { change, rollouts } = expectValidPlan(planChange(OLD, [next(6)], { capacity: { total: { cpu: 6 } } }));
    const { capacity, simulation } = rollouts[0]!;
    const { podsReplaced, podsAdded, peakExtraPods } = change.summary;
    expect({ effect: change.objects[0]!.effect, podsReplaced, podsAdded, peakExtraPods, capacity, simulation }).toMatchInlineSnapshot(`
{
  "capacity": {
    "deadlockWave": 1,
    "message": "Deadlocks at wave 1: it peaks at 7 cpu and the given capacity has 6 left.",
    "peakPods": 7,
    "podsThatFit": 6,
    "shortage": {
      "available": "6",
      "kind": "capacity",
      "limit": "capacity",
      "needed": "7",
      "resource": "cpu",
    },
    "verdict": "deadlocks",
  },
  "effect": "roll-and-scale",
  "peakExtraPods": 2,
  "podsAdded": 2,
  "podsReplaced": 0,
  "simulation": {
    "halted": {
      "reason": "insufficient-capacity",
      "wave": 1,
    },
    "iterations": 1,
    "kind": "deployment",
    "minAvailable": 3,
    "peakPods": 7,
    "replicas": 6,
    "surge": 1,
    "unavailable": 0,
    "waves": [
      {
        "available": 3,
        "newReplicas": 2,
        "oldReplicas": 5,
        "total": 7,
        "wave": 1,
      },
    ],
  },
}
`);
  });

  test('only scales if it is paused or has no old pods left', () => {
    const effectOf = (old: readonly object[], manifest: object) => planChange(old, [manifest]).change.objects[0]!.effect;
    const paused = { ...next(6), spec: { ...next(6).spec, paused: true } };
    expect([effectOf(OLD, paused), effectOf([live, replicaSet(2, 'm:2', 3, 3)], next(6))]).toEqual(['scale', 'scale']);
  });
});
