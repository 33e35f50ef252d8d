/** A change that releases pods which OLD, a manifest, keeps from updating. Whether an older change waits for that is not known. */
import { planChange } from '../../src/headless';
import { summarize, UNKNOWN } from './summarize-change';

const TEMPLATE = { metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'a', image: 'a:1' }] } };

function object(apiVersion: string, kind: string, spec: object) {
  return { apiVersion, kind, metadata: { name: 'a' }, spec };
}

function workload(kind: string, spec: object, apiVersion = 'apps/v1') {
  const replicas = kind === 'DaemonSet' ? {} : { replicas: 2 };
  return object(apiVersion, kind, { ...replicas, selector: { matchLabels: { app: 'a' } }, template: TEMPLATE, ...spec });
}

const rollout = (spec: object) => workload('Rollout', { strategy: { canary: {} }, ...spec }, 'argoproj.io/v1alpha1');

function leaderWorkerSet(partition: number, image = 'a:1') {
  return object('leaderworkerset.x-k8s.io/v1', 'LeaderWorkerSet', {
    replicas: 4,
    rolloutStrategy: { type: 'RollingUpdate', rollingUpdateConfiguration: { partition } },
    leaderWorkerTemplate: { size: 2, workerTemplate: { spec: { containers: [{ name: 'a', image }] } } },
  });
}

function rayService(type: string, image = 'ray:1') {
  const template = { spec: { containers: [{ name: 'a', image }] } };
  const rayClusterConfig = { rayVersion: '2.46.0', headGroupSpec: { rayStartParams: {}, template } };
  return object('ray.io/v1', 'RayService', { upgradeStrategy: { type }, rayClusterConfig });
}

function gitRepo(disablePolling: boolean) {
  return object('fleet.cattle.io/v1alpha1', 'GitRepo', { repo: 'https://example.com/a', paths: ['apps'], disablePolling });
}

test.each([
  ['a Deployment that was paused', workload('Deployment', { paused: true }), workload('Deployment', {})],
  [
    'a StatefulSet with a lower partition',
    workload('StatefulSet', { updateStrategy: { rollingUpdate: { partition: 2 } } }),
    workload('StatefulSet', {}),
  ],
  ['a DaemonSet that was OnDelete', workload('DaemonSet', { updateStrategy: { type: 'OnDelete' } }), workload('DaemonSet', {})],
  ['a Rollout that was paused', rollout({ paused: true }), rollout({})],
  ['a LeaderWorkerSet with a lower partition', leaderWorkerSet(3), leaderWorkerSet(1)],
  ['a RayService that kept its cluster', rayService('None'), rayService('NewCluster')],
  ['a GitRepo that did not fetch commits', gitRepo(true), gitRepo(false)],
])('whether pods of %s roll is unknown, and counts as not planned', (_what, old, next) => {
  expect(summarize([old], [next])).toBe(`unknown, ${UNKNOWN}`);
  expect(planChange([old], [next]).notPlanned.map(({ reason }) => reason)).toEqual([
    'its effect on pods is unknown: no object in view shows which pods it concerns, or what they run',
  ]);
});

test('whether the pods of a workload roll is unknown if its Canary is resumed', () => {
  const web = workload('Deployment', {});
  const canary = (suspend: boolean) =>
    object('flagger.app/v1beta1', 'Canary', { targetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'a' }, suspend });
  expect(summarize([web, canary(true)], [web, canary(false)])).toBe(`unknown settings, ${UNKNOWN}`);
  expect(summarize([web, canary(false)], [web, canary(true)])).toBe('none settings, no pods are affected, 0 not planned');
});

test.each([
  ['a Rollout that is paused', rollout({}), rollout({ paused: true })],
  ['a LeaderWorkerSet with a higher partition', leaderWorkerSet(1), leaderWorkerSet(3)],
  ['a LeaderWorkerSet whose partition is above its groups', leaderWorkerSet(6), leaderWorkerSet(5)],
  ['a RayService that keeps its cluster from now on', rayService('NewCluster'), rayService('None')],
  ['a GitRepo that stops to fetch commits', gitRepo(false), gitRepo(true)],
])('%s replaces no pods', (_what, old, next) => {
  expect(summarize([old], [next])).toMatch(/^settings, .*0 not planned$/);
});

test.each([
  ['a LeaderWorkerSet', leaderWorkerSet(3), leaderWorkerSet(1, 'a:2')],
  ['a RayService', rayService('None'), rayService('NewCluster', 'ray:2')],
])('%s that is released and gets another template rolls', (_what, old, next) => {
  expect(summarize([old], [next])).toMatch(/^roll, .*0 not planned$/);
});
