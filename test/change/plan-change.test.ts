import type { ApplyEffect } from '../../src/core/document/change';
import { planChange } from '../../src/headless';
import type { ChangeOptions } from '../../src/headless';
import { expectValidPlan } from '../plan-schema';
import { autoscaler } from '../builders/autoscaler';
import { podTemplate, workload } from '../builders/workload';

function deployment(name: string, spec: object = {}, image = 'web:1', metadata: object = {}): object {
  const template = podTemplate({ name: 'web', image, readinessProbe: { httpGet: { path: '/', port: 80 } } });
  return workload('Deployment', { replicas: 4, template, ...spec }, { name, namespace: 'shop', ...metadata });
}

function changeOf(old: readonly object[], next: readonly object[], options: ChangeOptions = {}) {
  return expectValidPlan(planChange(old, next, options));
}

function effects(old: readonly object[], next: readonly object[], options?: ChangeOptions): ApplyEffect[] {
  return changeOf(old, next, options).change.objects.map(({ effect }) => effect);
}

describe('what happens to a Deployment', () => {
  test.each<[string, object, ApplyEffect]>([
    ['the same', deployment('web'), 'none'],
    ['a new image', deployment('web', {}, 'web:2'), 'roll'],
    ['more replicas', deployment('web', { replicas: 6 }), 'scale'],
    ['both', deployment('web', { replicas: 6 }, 'web:2'), 'roll-and-scale'],
    ['no pods', deployment('web', { replicas: 0 }, 'web:2'), 'scale'],
    ['another strategy', deployment('web', { strategy: { type: 'Recreate' } }), 'settings'],
    ['a label on the Deployment', deployment('web', {}, 'web:1', { labels: { team: 'a' } }), 'metadata'],
    ['a new image while it is paused', deployment('web', { paused: true }, 'web:2'), 'held'],
    ['another selector', deployment('web', { selector: { matchLabels: { app: 'other' } } }), 'refused'],
  ])('%s: %#', (_what, next, effect) => {
    expect(effects([deployment('web')], [next])).toEqual([effect]);
  });

  test('without pods on either side holds a new template', () => {
    expect(effects([deployment('web', { replicas: 0 })], [deployment('web', { replicas: 0 }, 'web:2')])).toEqual(['held']);
  });
});

describe('what happens to a bare ReplicaSet, whose pods nothing replaces', () => {
  const bare = (replicas: number, image = 'web:1') => ({
    ...deployment('web', { replicas }, image),
    kind: 'ReplicaSet',
  });

  test.each<[string, object, object, ApplyEffect, object]>([
    ['a new image waits until its pods are deleted', bare(2), bare(2, 'web:2'), 'held', { podsReplaced: 0, podsAdded: 0 }],
    ['more replicas', bare(2), bare(3), 'scale', { podsAdded: 1, peakExtraPods: 1 }],
    ['both', bare(2), bare(3, 'web:2'), 'held', { podsAdded: 1 }],
    ['both, from no pods', bare(0), bare(3, 'web:2'), 'scale', { podsAdded: 3 }],
    ['a new image without pods', bare(0), bare(0, 'web:2'), 'held', { podsAdded: 0 }],
  ])('%s', (_what, old, next, effect, figures) => {
    const { change } = changeOf([old], [next]);
    expect(change.objects.map((object) => object.effect)).toEqual([effect]);
    expect(change.summary).toMatchObject(figures);
  });
});

test.each<[version: string, suspend: boolean, name: string, ApplyEffect]>([
  ['1.36', true, 'a', 'settings'],
  ['1.36', true, 'b', 'refused'],
  ['1.36', false, 'a', 'refused'],
  ['1.35', true, 'a', 'refused'],
])('the resources of a Job may change since Kubernetes 1.36 if it is suspended: %s, %s, %s', (kubernetes, suspend, name, effect) => {
  const job = (container: string, cpu: string) => ({
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: 'a', namespace: 'shop' },
    spec: {
      suspend,
      template: {
        spec: { restartPolicy: 'Never', containers: [{ name: container, image: 'a:1', resources: { requests: { cpu } } }] },
      },
    },
  });
  const { change } = planChange([job('a', '1')], [job(name, '2')], { versions: { kubernetes } });
  expect(change.objects.map((object) => object.effect)).toEqual([effect]);
});

test.each<[string, object, object, ApplyEffect]>([
  ['more pods at once', {}, { parallelism: 3 }, 'unknown'],
  [
    'more pods at once for a finished Job',
    { status: { conditions: [{ type: 'Complete', status: 'True' }] } },
    { parallelism: 3 },
    'settings',
  ],
  ['a suspension', {}, { suspend: true }, 'unknown'],
  ['a deadline, which running pods may exceed already', {}, { activeDeadlineSeconds: 60 }, 'unknown'],
  ['a lower backoffLimit than the default, which their failures may exceed', {}, { backoffLimit: 1 }, 'unknown'],
  ['a higher backoffLimit', {}, { backoffLimit: 9 }, 'settings'],
  [
    'a deadline for a finished Job',
    { status: { conditions: [{ type: 'Failed', status: 'True' }] } },
    { activeDeadlineSeconds: 60 },
    'settings',
  ],
])('a Job may start or stop pods: %s', (_what, old, spec, effect) => {
  const job = {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: 'job' },
    spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'a', image: 'a:1' }] } } },
  };
  expect(effects([{ ...job, ...old }], [{ ...job, spec: { ...job.spec, ...spec } }])).toEqual([effect]);
});

describe('what happens to a bare Pod', () => {
  const pod = (image: string, spec: object = {}) => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'job', namespace: 'shop' },
    spec: { initContainers: [{ name: 'init', image: 'init:1' }], containers: [{ name: 'web', image }], ...spec },
  });

  test.each<[string, object, ApplyEffect, object]>([
    ['another image: its container is restarted in place', pod('web:2'), 'roll', { podsReplaced: 1, peakExtraPods: 0 }],
    ['the image of an init container restarts none', pod('web:1', { initContainers: [{ name: 'init', image: 'init:2' }] }), 'settings', {}],
    ['a deadline, which it may exceed already', pod('web:1', { activeDeadlineSeconds: 60 }), 'unknown', { podsReplaced: 0 }],
    ['anything else', pod('web:1', { hostNetwork: true }), 'refused', { podsReplaced: 0 }],
    ['the same', pod('web:1'), 'none', {}],
  ])('%s', (_what, next, effect, figures) => {
    const { change } = changeOf([pod('web:1')], [next]);
    expect(change.objects.map((object) => object.effect)).toEqual([effect]);
    expect(change.summary).toMatchObject(figures);
  });
});

test('a refused object without a rollout has a finding of its own', () => {
  const job = (image: string) => ({
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: 'migrate', namespace: 'shop' },
    spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'migrate', image }] } } },
  });
  const { findings, summary } = changeOf([job('migrate:1')], [job('migrate:2')]);
  expect(findings[0]).toMatchObject({
    code: 'change/refused',
    messageId: 'object',
    severity: 'error',
    path: 'spec.template',
    data: { kind: 'Job', namespace: 'shop', name: 'migrate', path: 'spec.template' },
  });
  expect(summary).toMatchObject({ rollouts: 0, errors: 1 });
});

test('pruning an object deletes its pods, whatever runs them', () => {
  const container = { name: 'x', image: 'x:1' };
  const template = { metadata: { labels: { app: 'x' } }, spec: { containers: [container] } };
  const metadata = { name: 'x', namespace: 'shop' };
  const removed = (object: object) => changeOf([object], [], { prune: true }).change.summary.podsRemoved;
  const groups = { replicas: 4, leaderWorkerTemplate: { size: 2, workerTemplate: { spec: { containers: [container] } } } };
  expect(removed({ apiVersion: 'leaderworkerset.x-k8s.io/v1', kind: 'LeaderWorkerSet', metadata, spec: groups })).toBe(8);
  const canary = { replicas: 3, selector: { matchLabels: { app: 'x' } }, strategy: { canary: {} }, template };
  expect(removed({ apiVersion: 'argoproj.io/v1alpha1', kind: 'Rollout', metadata, spec: canary })).toBe(3);
  const alone = { replicas: 5, selector: { matchLabels: { app: 'x' } }, template };
  expect(removed({ apiVersion: 'apps/v1', kind: 'ReplicaSet', metadata, spec: alone })).toBe(5);
  expect(removed({ apiVersion: 'v1', kind: 'Pod', metadata, spec: template.spec })).toBe(1);
  expect(removed({ apiVersion: 'v1', kind: 'ConfigMap', metadata })).toBe(0);
});

test('objects are listed in the order of NEW, followed by those that only OLD has, which stay unless they are pruned', () => {
  const [old, next] = [
    [deployment('gone'), deployment('web')],
    [deployment('made'), deployment('web')],
  ];
  const kept = changeOf(old, next);
  expect(kept.change.objects.map(({ resource, effect }) => `${resource.name} ${effect}`)).toEqual(['made create', 'web none', 'gone none']);
  expect(kept.change.summary).toMatchObject({ create: 1, none: 2, delete: 0, kept: 1, podsAdded: 4, podsRemoved: 0, peakExtraPods: 4 });
  expect(kept.rollouts.map(({ resource }) => resource.name)).toEqual(['made', 'web']);
  const pruned = changeOf(old, next, { prune: true });
  expect(pruned.change.objects.map(({ effect }) => effect)).toEqual(['create', 'none', 'delete']);
  expect(pruned.change.summary).toMatchObject({ delete: 1, kept: 0, podsRemoved: 4 });
});

test('a roll lists its waves, a scale none, and the summary counts all pods together', () => {
  const old = [deployment('api', { replicas: 12 }), deployment('search')];
  const next = [deployment('api', { replicas: 12 }, 'api:2'), deployment('search', { replicas: 8 })];
  const { change, rollouts } = changeOf(old, next);
  expect(change.summary).toMatchObject({
    roll: 1,
    scale: 1,
    podsReplaced: 12,
    podsAdded: 4,
    podsRemoved: 0,
    peakExtraPods: 7,
    lowest: { resource: { name: 'api' }, available: 9, replicas: 12 },
  });
  expect(rollouts.map(({ simulation }) => simulation?.kind ?? null)).toEqual(['deployment', null]);
  expect(change.objects[1]!.pods).toEqual({ before: 4, after: 8 });
});

test('replicas and template together: the old template first gets the new number of pods, then it rolls', () => {
  const { rollouts } = changeOf([deployment('web')], [deployment('web', { replicas: 8 }, 'web:2')]);
  expect(rollouts[0]!.simulation).toEqual({
    kind: 'deployment',
    replicas: 8,
    surge: 2,
    unavailable: 2,
    waves: [
      { wave: 1, newReplicas: 4, oldReplicas: 6, total: 10, available: 4 },
      { wave: 2, newReplicas: 8, oldReplicas: 2, total: 10, available: 6 },
      { wave: 3, newReplicas: 8, oldReplicas: 0, total: 8, available: 8 },
    ],
    iterations: 2,
    peakPods: 10,
    minAvailable: 4,
  });
});

describe('a ConfigMap', () => {
  const reading = (name: string) => {
    const containers = [{ name: 'web', image: 'web:1', envFrom: [{ configMapRef: { name } }] }];
    return deployment('web', { template: { metadata: { labels: { app: 'web' } }, spec: { containers } } });
  };
  const config = (name: string, mode: string) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, namespace: 'shop' },
    data: { mode },
  });

  test('that changes in place restarts nothing, and lists the workloads whose pods keep the old values', () => {
    const { change } = changeOf([reading('settings'), config('settings', 'fast')], [reading('settings'), config('settings', 'slow')]);
    expect(change.objects.map(({ effect }) => effect)).toEqual(['none', 'restart-needed']);
    expect(change.objects[1]!.restarts).toEqual([
      { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'web', reads: ['envFrom'] },
    ]);
  });

  test('under a new name rolls the workloads that reference it, and is the cause', () => {
    const { change } = changeOf(
      [reading('settings-a'), config('settings-a', 'fast')],
      [reading('settings-b'), config('settings-b', 'slow')],
    );
    expect(change.objects.map(({ effect }) => effect)).toEqual(['roll', 'create', 'none']);
    expect(change.objects[0]!.causedBy).toEqual([{ apiVersion: 'v1', kind: 'ConfigMap', namespace: 'shop', name: 'settings-b' }]);
  });
});

test('autoscaler bounds that exclude the number of pods scale the workload, which has not changed itself', () => {
  const hpa = (minReplicas: number) => autoscaler({ minReplicas, maxReplicas: 20 }, { namespace: 'shop' });
  const web = deployment('web', { replicas: undefined });
  const { change } = changeOf([web, hpa(3)], [web, hpa(6)]);
  expect(change.objects.map(({ effect, causedBy, pods }) => ({ effect, causedBy: causedBy?.map(({ kind }) => kind), pods }))).toEqual([
    { effect: 'scale', causedBy: ['HorizontalPodAutoscaler'], pods: { before: 3, after: 6 } },
    { effect: 'settings' },
  ]);
});
