import { planChange } from '../../src/headless';
import type { ChangeOptions } from '../../src/headless';
import type { Fields, Manifest } from '../../src/core/manifest/manifest';
import { expectValidPlan } from '../plan-schema';
import { leaderWorkerSet, limits } from '../systems/leaderworkerset/plan';

function changed(old: Manifest, next: Manifest, options: ChangeOptions = {}) {
  return expectValidPlan(planChange([old], [next], options));
}

const image = { workerTemplate: { spec: { containers: [{ name: 'vllm', image: 'vllm:2' }] } } };

test.each<[string, Manifest, string]>([
  ['an image', leaderWorkerSet({}, image), 'roll'],
  ['a larger group', leaderWorkerSet({}, { size: 8 }), 'roll'],
  ['more groups', leaderWorkerSet({ replicas: 3 }), 'scale'],
  ['both', leaderWorkerSet({ replicas: 3 }, image), 'roll-and-scale'],
  ['a Service for each group', leaderWorkerSet({ networkConfig: { subdomainPolicy: 'UniquePerReplica' } }), 'roll'],
  ['one Service for all, which is the default', leaderWorkerSet({ networkConfig: { subdomainPolicy: 'Shared' } }), 'settings'],
  ['other limits', leaderWorkerSet(limits({ maxSurge: 1 })), 'settings'],
  ['the default written out', leaderWorkerSet({}, { restartPolicy: 'RecreateGroupOnPodRestart' }), 'none'],
  ['an image below a partition', leaderWorkerSet(limits({ partition: 2 }), image), 'held'],
  ['limits that are refused', leaderWorkerSet(limits({ maxUnavailable: 0 })), 'refused'],
  ['subgroups, which are immutable', leaderWorkerSet({}, { subGroupPolicy: { subGroupSize: 2 } }), 'refused'],
])('%s: %#', (_what, next, effect) => {
  expect(changed(leaderWorkerSet(), next).change.objects.map((object) => object.effect)).toEqual([effect]);
});

describe('annotations', () => {
  const annotated = (annotations: Record<string, string>, template: Fields = {}): Manifest => {
    const set = leaderWorkerSet({}, template);
    return { ...set, metadata: { ...set.metadata, annotations } };
  };
  const subgroups = { subGroupPolicy: { subGroupSize: 2 } };
  const topology = 'leaderworkerset.sigs.k8s.io/exclusive-topology';
  const subgroupTopology = 'leaderworkerset.sigs.k8s.io/subgroup-exclusive-topology';
  test.each<[string, Manifest, Manifest, string]>([
    ['of groups that are alone on a rack', annotated({ a: 'b' }), annotated({ [topology]: 'rack' }), 'roll'],
    ['of groups that are on another rack', annotated({ [topology]: 'rack' }), annotated({ [topology]: 'block' }), 'roll'],
    ['of subgroups', annotated({}, subgroups), annotated({ [subgroupTopology]: 'rack' }, subgroups), 'roll'],
    ['of others', annotated({ a: 'b' }), annotated({ a: 'c', [topology]: '' }), 'metadata'],
  ])('%s: %#', (_what, old, next, effect) => {
    expect(changed(old, next).change.objects.map((object) => object.effect)).toEqual([effect]);
  });
});

const broken = { spec: { containers: [{ name: 'vLLM', image: 'vllm:2' }] } };
const leaders = { leaderTemplate: { spec: { containers: [{ name: 'leader', image: 'vllm:1' }] } } };
const brokenLeaders = { leaderTemplate: broken };

describe('a template for which the API server accepts no StatefulSet is stored', () => {
  test.each<[string, Manifest, Manifest, object, string]>([
    ['of leaders and workers', leaderWorkerSet(), leaderWorkerSet({}, { workerTemplate: broken }), { effect: 'held' }, 'leaders'],
    ['of the leaders', leaderWorkerSet({}, leaders), leaderWorkerSet({}, brokenLeaders), { effect: 'held' }, 'leaders'],
    [
      'and no group is added',
      leaderWorkerSet(),
      leaderWorkerSet({ replicas: 4 }, brokenLeaders),
      { effect: 'held', pods: { before: 8, after: 8 } },
      'leaders',
    ],
    [
      'and not afterwards',
      leaderWorkerSet({}, brokenLeaders),
      leaderWorkerSet({ replicas: 4 }, brokenLeaders),
      { effect: 'held' },
      'leaders',
    ],
    [
      'of the workers',
      leaderWorkerSet({}, leaders),
      leaderWorkerSet({}, { ...leaders, workerTemplate: broken }),
      { effect: 'roll' },
      'workers',
    ],
  ])('%s: %#', (_what, old, next, effect, messageId) => {
    const { change, rollouts } = changed(old, next);
    expect(change.objects).toMatchObject([effect]);
    expect(change.objects[0]).not.toHaveProperty('refusal');
    expect(rollouts[0]!.findings.map(({ code, messageId: id, severity }) => [code, id, severity])).toEqual([
      ['lws/template-refused', messageId, 'error'],
      ['kubernetes/invalid-workload', 'format', 'error'],
    ]);
  });

  test('for a DisaggregatedSet too, which takes its first step', () => {
    const set = (name: string): Manifest => {
      const roles = ['prefill', 'decode'].map((role) => ({
        name: role,
        spec: { replicas: 2, leaderWorkerTemplate: { workerTemplate: { spec: { containers: [{ name, image: 'vllm:1' }] } } } },
      }));
      return { apiVersion: 'disaggregatedset.x-k8s.io/v1', kind: 'DisaggregatedSet', metadata: { name: 'chat' }, spec: { roles } };
    };
    const { change, rollouts } = changed(set('vllm'), set('vLLM'));
    expect(change.objects).toMatchObject([{ effect: 'roll' }]);
    expect(rollouts[0]!.findings.map(({ code, data }) => [code, data.role])).toEqual([
      ['lws/template-refused', 'prefill'],
      ['kubernetes/invalid-workload', undefined],
      ['lws/template-refused', 'decode'],
      ['kubernetes/invalid-workload', undefined],
      ['disaggregated/versions-mix', undefined],
    ]);
  });
});

const claims = (storage: string, more: object = {}, spec: object = {}): Fields => ({
  volumeClaimTemplates: [
    { metadata: { name: 'cache', ...more }, spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage } }, ...spec } },
  ],
});

describe('claims of the leaders, which a StatefulSet cannot change', () => {
  test.each<[string, Fields, Manifest, string]>([
    ['with another size hold back the complete set', claims('1Gi'), leaderWorkerSet({}, claims('2Gi')), 'held'],
    ['hold back an image that changes with them', claims('1Gi'), leaderWorkerSet({}, { ...claims('2Gi'), ...image }), 'held'],
    ['hold back more groups', claims('1Gi'), leaderWorkerSet({ replicas: 4 }, claims('2Gi')), 'held'],
    [
      'with another class',
      claims('1Gi', {}, { storageClassName: 'fast' }),
      leaderWorkerSet({}, claims('1Gi', {}, { storageClassName: 'slow' })),
      'held',
    ],
    ['with a class instead of the default', claims('1Gi'), leaderWorkerSet({}, claims('1Gi', {}, { storageClassName: 'fast' })), 'held'],
    ['that are removed', claims('1Gi'), leaderWorkerSet(), 'held'],
    ['added', {}, leaderWorkerSet({}, claims('1Gi')), 'held'],
    ['with the same size in another spelling: a revision like any other', claims('1Gi'), leaderWorkerSet({}, claims('1073741824')), 'roll'],
    ['with labels, which are not passed on', claims('1Gi'), leaderWorkerSet({}, claims('1Gi', { labels: { a: 'b' } })), 'roll'],
  ])('%s: %#', (_what, old, next, effect) => {
    const { change, rollouts } = changed(leaderWorkerSet({}, old), next);
    expect(change.objects).toMatchObject([{ effect, pods: { before: 8, after: 8 } }]);
    const held = rollouts[0]!.findings.filter(({ code }) => code === 'lws/pvc-in-use');
    expect(held.map(({ severity, messageId, path }) => ({ severity, messageId, path }))).toEqual(
      effect === 'held' ? [{ severity: 'error', messageId: 'claims', path: 'spec.leaderWorkerTemplate.volumeClaimTemplates' }] : [],
    );
  });

  test('are dropped before 0.8, so that nothing rolls', () => {
    const { change, rollouts } = changed(leaderWorkerSet({}, claims('1Gi')), leaderWorkerSet({}, claims('2Gi')), {
      versions: { lws: '0.7' },
    });
    expect(change.objects.map((object) => object.effect)).toEqual(['settings']);
    expect(rollouts.flatMap(({ findings }) => findings.filter(({ code }) => code === 'lws/pvc-in-use'))).toEqual([]);
  });
});

test('groups that the same apply adds are created first, with the new version', () => {
  const { rollouts, change } = changed(leaderWorkerSet(), leaderWorkerSet({ replicas: 4 }, image));
  expect(rollouts[0]!.simulation).toMatchObject({
    waves: [
      { newGroups: 2, oldGroups: 2, total: 4, available: 2 },
      { newGroups: 3, oldGroups: 1, total: 4, available: 3 },
      { newGroups: 4, oldGroups: 0, total: 4, available: 3 },
    ],
  });
  expect(change.summary).toMatchObject({ podsAdded: 8 });
});

test('a label of the Namespace changes nothing of the object', () => {
  const namespace = (labels: object) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'models', labels } });
  const { change } = planChange([namespace({}), leaderWorkerSet()], [namespace({ team: 'a' }), leaderWorkerSet()]);
  expect(change.objects.map(({ effect }) => effect)).toEqual(['metadata', 'none']);
});

test.each([
  ['a size of 1.5', {}, { size: 1.5 }],
  ['a map in place of a size', {}, { size: { a: 1 } }],
  ['a map in place of maxSurge', { rolloutStrategy: { rollingUpdateConfiguration: { maxSurge: { a: 1 } } } }, {}],
])('the effect on a set of OLD that the API server refuses because of %s is unknown', (_, spec, template) => {
  const { change } = changed(leaderWorkerSet(spec, template), leaderWorkerSet({}, image));
  expect(change.objects).toMatchObject([{ effect: 'unknown' }]);
});
