import { planChange } from '../../src/headless';
import { getListAt } from '../../src/core/manifest/manifest';
import type { Fields, Manifest } from '../../src/core/manifest/manifest';
import { renderPlanText } from '../../src/render/text/plan';
import { expectValidPlan } from '../plan-schema';

const REPLICAS = { prefill: 3, decode: 2 };

function roleTemplate(image: string, labels?: Fields): Fields {
  return { workerTemplate: { ...(labels && { metadata: { labels } }), spec: { containers: [{ name: 'vllm', image }] } } };
}

function wanted(image: string, metadata: Fields = {}, groups = REPLICAS): Manifest {
  const roles = Object.entries(groups).map(([name, replicas]) => ({
    name,
    spec: { replicas, leaderWorkerTemplate: roleTemplate(image) },
  }));
  return {
    apiVersion: 'disaggregatedset.x-k8s.io/v1',
    kind: 'DisaggregatedSet',
    metadata: { name: 'chat', namespace: 'models', ...metadata },
    spec: { roles },
  };
}

/** Returns the LeaderWorkerSets of a version as the controller creates them, with all groups ready unless `ready` is set. */
function made(
  image: string,
  created: string,
  groups: typeof REPLICAS,
  { initial, ready = groups }: { initial?: typeof REPLICAS; ready?: typeof REPLICAS } = {},
) {
  const revision = image.slice(-1);
  return (['prefill', 'decode'] as const).map((role): Manifest => {
    const labels = {
      app: `chat-${role}`,
      'disaggregatedset.x-k8s.io/name': 'chat',
      'disaggregatedset.x-k8s.io/role': role,
      'disaggregatedset.x-k8s.io/revision': revision,
    };
    const { spec } = roleTemplate(image).workerTemplate as { spec: Fields };
    return {
      apiVersion: 'leaderworkerset.x-k8s.io/v1',
      kind: 'LeaderWorkerSet',
      metadata: {
        name: `chat-${revision}-${role}`,
        namespace: 'models',
        creationTimestamp: created,
        labels,
        ...(initial && { annotations: { 'disaggregatedset.x-k8s.io/initial-replicas': String(initial[role]) } }),
        ownerReferences: [
          { apiVersion: 'disaggregatedset.x-k8s.io/v1', kind: 'DisaggregatedSet', name: 'chat', uid: 'chat', controller: true },
        ],
      },
      spec: {
        replicas: groups[role],
        leaderWorkerTemplate: { size: 1, restartPolicy: 'RecreateGroupOnPodRestart', workerTemplate: { metadata: { labels }, spec } },
      },
      status: { readyReplicas: ready[role] },
    };
  });
}

const FIRST = '2026-01-01T00:00:00Z';
const SECOND = '2026-01-02T00:00:00Z';

const LIVE = wanted('vllm:2', { uid: 'chat', resourceVersion: '8' });

/** Half way from the first version to the second. */
const HALF_WAY = [
  LIVE,
  ...made('vllm:1', FIRST, { prefill: 2, decode: 1 }, { initial: REPLICAS }),
  ...made('vllm:2', SECOND, { prefill: 1, decode: 1 }),
];

function changeOf(old: readonly Manifest[], next: Manifest) {
  return expectValidPlan(planChange(old, [next]));
}

/** Returns the groups of each role in each wave: old ones, new ones, and how many of them are ready. */
function groupsIn(plan: ReturnType<typeof changeOf>) {
  const { simulation } = plan.rollouts[0]!;
  if (simulation?.kind !== 'disaggregatedset') throw new Error('not simulated');
  return simulation.waves.map(({ roles }) =>
    roles.map(({ oldGroups, newGroups, available }) => `${oldGroups} old ${newGroups} new ${available} ready`).join(', '),
  );
}

test('a third version starts with the groups of both versions, and removes those of the newer one first', () => {
  const plan = changeOf(HALF_WAY, wanted('vllm:3'));
  expect(plan.rollouts[0]!.initialState).toEqual({
    replicas: 5,
    revisions: [
      { revision: '1', replicas: 3, available: 3 },
      { revision: '2', replicas: 2, available: 2 },
    ],
    underWay: true,
    health: 'progressing',
  });
  expect(groupsIn(plan)).toMatchInlineSnapshot(`
[
  "3 old 1 new 3 ready, 2 old 1 new 2 ready",
  "2 old 1 new 3 ready, 1 old 1 new 2 ready",
  "2 old 2 new 3 ready, 1 old 2 new 2 ready",
  "1 old 3 new 3 ready, 1 old 2 new 3 ready",
  "0 old 3 new 3 ready, 0 old 2 new 2 ready",
]
`);
  expect(plan.rollouts[0]!.findings.map(({ code }) => code)).toEqual(['disaggregated/versions-mix']);
  expect(renderPlanText(plan)).toContain('DisaggregatedSet models/chat: the last rollout has not finished');
});

test('a rollback reuses its own groups, and replaces only those of the other version', () => {
  const plan = changeOf(HALF_WAY, wanted('vllm:1'));
  expect(groupsIn(plan)).toMatchInlineSnapshot(`
[
  "1 old 2 new 3 ready, 1 old 2 new 2 ready",
  "1 old 3 new 3 ready, 1 old 2 new 3 ready",
  "0 old 3 new 3 ready, 0 old 2 new 2 ready",
]
`);
  expect(plan.change.summary).toMatchObject({ podsReplaced: 2 });
});

test('groups that are not ready are not counted as available', () => {
  const broken = [
    LIVE,
    ...made('vllm:1', FIRST, { prefill: 2, decode: 1 }, { initial: REPLICAS }),
    ...made('vllm:2', SECOND, { prefill: 1, decode: 1 }, { ready: { prefill: 0, decode: 0 } }),
  ];
  expect(groupsIn(changeOf(broken, wanted('vllm:3')))).toMatchInlineSnapshot(`
[
  "3 old 1 new 2 ready, 2 old 1 new 1 ready",
  "2 old 1 new 3 ready, 1 old 1 new 2 ready",
  "2 old 2 new 3 ready, 1 old 2 new 2 ready",
  "1 old 3 new 3 ready, 1 old 2 new 3 ready",
  "0 old 3 new 3 ready, 0 old 2 new 2 ready",
]
`);
});

test('groups of a version are identified by its pods, whose own labels are mixed with those of the controller', () => {
  const labels = { team: 'llm' };
  const labelled = (objects: readonly Manifest[]) =>
    objects.map((object) => {
      if (object.kind !== 'LeaderWorkerSet') return object;
      const { leaderWorkerTemplate: own, ...spec } = object.spec as { leaderWorkerTemplate: { workerTemplate: Fields } };
      const metadata = { labels: { ...object.metadata?.labels, ...labels } };
      return { ...object, spec: { ...spec, leaderWorkerTemplate: { ...own, workerTemplate: { ...own.workerTemplate, metadata } } } };
    });
  const roles = Object.entries(REPLICAS).map(([name, replicas]) => ({
    name,
    spec: { replicas, leaderWorkerTemplate: roleTemplate('vllm:1', labels) },
  }));
  const back = { ...wanted('vllm:1'), spec: { roles } };
  // Both roles already have one group of the version, which is not created again.
  expect(groupsIn(changeOf(labelled(HALF_WAY), back))).toEqual(groupsIn(changeOf(HALF_WAY, wanted('vllm:1'))));
  // Without the labels they are another version.
  expect(groupsIn(changeOf(labelled(HALF_WAY), wanted('vllm:1')))).not.toEqual(groupsIn(changeOf(HALF_WAY, wanted('vllm:1'))));
});

test('a running LeaderWorkerSet has the limits that it was created with, against which its webhook validates every step', () => {
  const rolloutStrategy = { rollingUpdateConfiguration: { maxSurge: 0, maxUnavailable: '34%' } };
  const [prefill, decode] = made('vllm:2', SECOND, REPLICAS) as [Manifest, Manifest];
  const limited = { ...prefill, spec: { ...(prefill.spec as Fields), rolloutStrategy } };
  const { findings } = changeOf([LIVE, limited, decode], wanted('vllm:3')).rollouts[0]!;
  expect(findings.map(({ code, messageId, data }) => [code, messageId, data])).toEqual([
    ['lws/role-refused', 'running', { role: 'prefill', maxSurge: 0, maxUnavailable: '34%', groups: 2 }],
    ['disaggregated/versions-mix', 'pairs', { roles: ['prefill', 'decode'], wave: 1, mixed: 42, allNew: 8 }],
  ]);
});

test('a set of one version starts from a steady state', () => {
  const sets = [LIVE, ...made('vllm:1', FIRST, { prefill: 0, decode: 0 }), ...made('vllm:2', SECOND, REPLICAS)];
  const rest = groupsIn(changeOf(sets, wanted('vllm:3')));
  expect(rest).toEqual(groupsIn(changeOf([wanted('vllm:2')], wanted('vllm:3'))));
});

test('the rollback of a scale is the old manifest: kubectl cannot scale a DisaggregatedSet', () => {
  const plan = changeOf([wanted('vllm:2')], wanted('vllm:2', {}, { prefill: 4, decode: 2 }));
  expect(plan.rollouts[0]!.rollback).toEqual({ works: true, message: 'apply OLD again' });
});

test('the effect on a set of OLD that the API server refuses is unknown', () => {
  const refused = wanted('vllm:1');
  const [first, ...others] = getListAt(refused, 'spec', 'roles') as Fields[];
  const maxSurge = { a: 1 };
  const role = { ...first, spec: { ...(first!.spec as Fields), rolloutStrategy: { rollingUpdateConfiguration: { maxSurge } } } };
  const { change } = expectValidPlan(planChange([{ ...refused, spec: { roles: [role, ...others] } }], [wanted('vllm:2')]));
  expect(change.objects).toMatchObject([{ effect: 'unknown' }]);
});
