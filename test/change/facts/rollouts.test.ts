import { planChange } from '../../../src/headless';
import type { ChangeOptions } from '../../../src/headless';
import { expectValidPlan } from '../../plan-schema';
import { container, describeEffect, workload } from './effects';
import { autoscaler } from '../../builders/autoscaler';

/* Sections a.3, a.4 and a.5: replicas and template together, rollbacks, and the initial state of a rollout. */

const UID = '5b5b1a3e-0000-4000-8000-000000000001';
const image = (version: number) => container({ image: `web:${version}` });
const LIMITS = { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } } };

function deployment(version: number, replicas: number, spec: object = {}): object {
  return workload('Deployment', image(version), { replicas, ...LIMITS, ...spec });
}

function live(version: number, replicas: number, status: object, spec: object = {}): object {
  const object = deployment(version, replicas, spec) as { metadata: object };
  return {
    ...object,
    metadata: { ...object.metadata, uid: UID, resourceVersion: '7', generation: 2 },
    status: { observedGeneration: 2, ...status },
  };
}

/** Returns a ReplicaSet of that Deployment; its version sets when it was created. */
function replicaSet(version: number, replicas: number, available: number): object {
  const { spec } = workload('Deployment', image(version)) as { spec: { template: { metadata: object; spec: object } } };
  const labels = { app: 'web', 'pod-template-hash': `${version}` };
  return {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: {
      name: `web-${version}`,
      namespace: 'shop',
      uid: `rs-${version}`,
      creationTimestamp: `2026-01-0${version}T00:00:00Z`,
      annotations: {
        'deployment.kubernetes.io/revision': `${version}`,
        'deployment.kubernetes.io/desired-replicas': '4',
        'deployment.kubernetes.io/max-replicas': '5',
      },
      ownerReferences: [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'web', uid: UID, controller: true }],
    },
    spec: { replicas, template: { ...spec.template, metadata: { labels } } },
    status: { replicas, availableReplicas: available },
  };
}

function rolloutOf(old: readonly object[], next: object, options: ChangeOptions = {}) {
  const { rollouts } = expectValidPlan(planChange(old, [next], options));
  return rollouts[0]!;
}

/** Returns new, old and available pods of each wave. */
function wavesOf(old: readonly object[], next: object): string[] {
  const { simulation } = rolloutOf(old, next);
  if (simulation?.kind !== 'deployment') return [];
  return simulation.waves.map(({ newReplicas, oldReplicas, available }) => `${newReplicas}+${oldReplicas} ${available} available`);
}

describe('replicas and template together', () => {
  test.each<[string, number, number, string, readonly string[]]>([
    [
      'up: the old template gets the new number first',
      2,
      4,
      'roll-and-scale',
      ['1+4 2 available', '2+3 4 available', '3+2 4 available', '4+1 4 available', '4+0 4 available'],
    ],
    ['down: old pods are deleted at once', 4, 2, 'roll-and-scale', ['1+2 2 available', '2+1 2 available', '2+0 2 available']],
    ['from none: all pods get the new template at once', 0, 3, 'scale', []],
    ['to none', 3, 0, 'scale', []],
  ])('%s', (_what, before, after, effect, waves) => {
    expect(describeEffect(deployment(1, before), deployment(2, after)).split(' ')[0]).toBe(effect);
    expect(effect === 'roll-and-scale' ? wavesOf([deployment(1, before)], deployment(2, after)) : []).toEqual(waves);
  });

  test('a resize during a rollout is distributed by size, and the rest goes to the largest ReplicaSet', () => {
    const old = [live(2, 4, { replicas: 5, updatedReplicas: 2, availableReplicas: 4 }), replicaSet(1, 3, 3), replicaSet(2, 2, 1)];
    expect(describeEffect(old[0]!, deployment(2, 8))).toMatch(/^roll-and-scale/);
    expect(wavesOf(old, deployment(3, 8))[0]).toBeDefined();
  });

  test('under Recreate with two ReplicaSets that have pods nothing is ever resized or replaced', () => {
    const recreate = { strategy: { type: 'Recreate' } };
    const old = [live(2, 4, { replicas: 4, updatedReplicas: 2, availableReplicas: 4 }, recreate), replicaSet(1, 2, 2), replicaSet(2, 2, 2)];
    const { simulation, findings } = rolloutOf(old, deployment(3, 6, recreate));
    expect(simulation).toBeNull();
    expect(findings).toContainEqual(expect.objectContaining({ code: 'change/recreate-blocked', data: { before: 4, after: 6 } }));
  });
});

describe('rollbacks and overtaken rollouts', () => {
  const HALF = [
    live(2, 4, { replicas: 5, updatedReplicas: 2, availableReplicas: 3, unavailableReplicas: 2 }),
    replicaSet(1, 3, 3),
    replicaSet(2, 2, 0),
  ];

  test('a template seen before reuses its ReplicaSet: its running pods count as new', () => {
    expect(wavesOf(HALF, deployment(1, 4))).toEqual(['4+1 3 available', '4+0 4 available']);
  });

  test('a template that no ReplicaSet has is new, and pods that are not ready are deleted first', () => {
    const [first] = wavesOf(HALF, deployment(3, 4));
    expect(first).toBe('1+4 3 available');
  });

  test('without history there is no ReplicaSet to roll back to', () => {
    expect(rolloutOf([deployment(1, 4)], deployment(2, 4, { revisionHistoryLimit: 0 })).rollback).toMatchObject({ works: false });
    expect(rolloutOf([deployment(1, 4)], deployment(2, 4)).rollback).toMatchObject({ works: true });
  });

  test('Recreate has no pod of any template until every old one is deleted', () => {
    const recreate = { strategy: { type: 'Recreate' } };
    expect(rolloutOf([deployment(1, 4, recreate)], deployment(2, 4, recreate)).simulation).toMatchObject({ minAvailable: 0, peakPods: 4 });
  });

  test('Recreate is blamed for an outage only if a pod is available before', () => {
    const recreate = { strategy: { type: 'Recreate' } };
    const outagesOf = (available: number) => {
      const status = { replicas: 2, updatedReplicas: 2, availableReplicas: available, unavailableReplicas: 2 - available };
      const { findings } = rolloutOf([live(1, 2, status, recreate), replicaSet(1, 2, available)], deployment(2, 2, recreate));
      return findings.filter(({ code }) => code === 'kubernetes/outage');
    };
    expect([outagesOf(1).length, outagesOf(0).length]).toEqual([1, 0]);
  });

  test('a StatefulSet in OrderedReady with an unready pod of the new revision does not recover by itself', () => {
    const set = (version: number) => workload('StatefulSet', image(version));
    expect(rolloutOf([set(1)], set(2)).rollback).toMatchObject({
      works: false,
      command: 'kubectl rollout undo statefulset/web -n shop && kubectl delete pod web-2 -n shop',
    });
  });
});

describe('the initial state', () => {
  test.each<[string, object, object]>([
    ['of a finished rollout', { replicas: 4, updatedReplicas: 4, availableReplicas: 4, readyReplicas: 4 }, { underWay: false }],
    [
      'of an object that the controller has not observed yet',
      { observedGeneration: 1, replicas: 4, updatedReplicas: 4, availableReplicas: 4 },
      { underWay: true },
    ],
    ['of pods that are not updated', { replicas: 5, updatedReplicas: 2, availableReplicas: 4 }, { underWay: true, health: 'progressing' }],
    [
      'of a rollout beyond its deadline',
      {
        replicas: 5,
        updatedReplicas: 2,
        availableReplicas: 4,
        conditions: [{ type: 'Progressing', status: 'False', reason: 'ProgressDeadlineExceeded' }],
      },
      { underWay: true, health: 'deadline-exceeded' },
    ],
  ])('%s', (_what, status, start) => {
    expect(rolloutOf([live(1, 4, status)], deployment(2, 4)).initialState).toMatchObject(start);
  });

  test('of a paused Deployment', () => {
    const old = live(1, 4, { replicas: 4, updatedReplicas: 4, availableReplicas: 4 }, { paused: true });
    expect(rolloutOf([old], deployment(2, 4)).initialState).toMatchObject({ health: 'paused' });
  });

  test('of a StatefulSet whose template may already be the new one', () => {
    const set = {
      ...workload('StatefulSet', image(2), {}, { uid: UID, resourceVersion: '7' }),
      status: {
        currentRevision: 'web-1',
        updateRevision: 'web-2',
        replicas: 3,
        updatedReplicas: 1,
        readyReplicas: 3,
        availableReplicas: 3,
      },
    };
    expect(rolloutOf([set], workload('StatefulSet', image(2))).initialState).toMatchObject({ underWay: true });
  });

  test('of a DaemonSet with some old pods', () => {
    const set = {
      ...workload('DaemonSet', image(2), {}, { uid: UID, resourceVersion: '7' }),
      status: { desiredNumberScheduled: 3, updatedNumberScheduled: 1, numberAvailable: 3 },
    };
    expect(rolloutOf([set], workload('DaemonSet', image(2))).initialState).toMatchObject({ underWay: true });
  });
});

describe('bounds of an autoscaler', () => {
  const hpa = (minReplicas: number, maxReplicas: number) => autoscaler({ minReplicas, maxReplicas }, { namespace: 'shop' });
  const effects = (replicas: number, bounds: readonly [number, number]) => {
    const running = live(1, replicas, { replicas, updatedReplicas: replicas, availableReplicas: replicas });
    const { change } = planChange([running, hpa(2, 10)], [deployment(1, replicas), hpa(...bounds)]);
    return change.objects.map(({ effect, causedBy = [] }) => [effect, ...causedBy.map(({ kind }) => kind)].join(' by '));
  };

  test.each<[string, number, readonly [number, number], string]>([
    ['that exclude the live number from below scale it', 4, [6, 10], 'scale by HorizontalPodAutoscaler'],
    ['that exclude the live number from above scale it', 8, [2, 6], 'scale by HorizontalPodAutoscaler'],
    ['that include the live number change nothing', 4, [3, 9], 'none'],
    ['of a workload without pods do not start it', 0, [6, 10], 'none'],
  ])('%s', (_what, replicas, bounds, expected) => {
    expect(effects(replicas, bounds)).toEqual([expected, 'settings']);
  });
});
