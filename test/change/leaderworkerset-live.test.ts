import { planChange } from '../../src/headless';
import type { ChangeOptions } from '../../src/headless';
import type { Fields, Manifest } from '../../src/core/manifest/manifest';
import { renderPlanText } from '../../src/render/text/plan';
import { expectValidPlan } from '../plan-schema';
import { leaderWorkerSet, limits } from '../systems/leaderworkerset/plan';

const GROUP = 'leaderworkerset.sigs.k8s.io';

function template(image: string): Fields {
  return { workerTemplate: { spec: { containers: [{ name: 'vllm', image }] } } };
}

/** Returns a set as kubectl reads it, with a size of 2. */
function live(image: string, spec: Fields, status: Fields = {}): Manifest {
  const set = leaderWorkerSet({ ...limits({ maxUnavailable: 1 }), ...spec }, { size: 2, ...template(image) });
  return { ...set, metadata: { ...set.metadata, uid: 'set', resourceVersion: '9' }, status };
}

function owned(apiVersion: string, kind: string, name: string, owner: Fields, revision: string, more: Fields = {}): Manifest {
  return {
    apiVersion,
    kind,
    metadata: {
      name,
      namespace: 'models',
      uid: `${kind} ${name}`,
      labels: { [`${GROUP}/name`]: 'llama', [`${GROUP}/template-revision-hash`]: revision },
      ownerReferences: [{ controller: true, ...owner }],
    },
    ...more,
  };
}

const SET = { apiVersion: 'leaderworkerset.x-k8s.io/v1', kind: 'LeaderWorkerSet', name: 'llama', uid: 'set' };
const LEADERS = { apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'llama', uid: 'StatefulSet llama' };

/** Builds the leader and workers of each group, as `v2 ready`, from 0 up. The set is at v2, and v1 is kept. */
function groups(states: readonly string[]): Manifest[] {
  const parts = states.flatMap((state, index) => {
    const [revision = '', isReady] = state.split(' ');
    const name = `llama-${index}`;
    const status = isReady === 'ready' ? { replicas: 1, availableReplicas: 1 } : { replicas: 1 };
    return [
      owned('v1', 'Pod', name, LEADERS, revision, {
        status: { phase: 'Running', conditions: [{ type: 'Ready', status: isReady === 'ready' ? 'True' : 'False' }] },
      }),
      owned('apps/v1', 'StatefulSet', name, { apiVersion: 'v1', kind: 'Pod', name, uid: `Pod ${name}` }, revision, {
        spec: { replicas: 1 },
        status,
      }),
    ];
  });
  const kept = ['v1', 'v2'].map((revision) =>
    owned('apps/v1', 'ControllerRevision', `llama-${revision}-1`, SET, revision, {
      data: {
        spec: {
          leaderWorkerTemplate: {
            $patch: 'replace',
            restartPolicy: 'RecreateGroupOnPodRestart',
            size: 2,
            workerTemplate: {
              metadata: { creationTimestamp: null },
              spec: { containers: [{ name: 'vllm', image: `vllm:${revision.slice(1)}`, resources: {} }] },
            },
          },
          networkConfig: { $patch: 'replace', subdomainPolicy: 'Shared' },
        },
      },
    }),
  );
  return [owned('apps/v1', 'StatefulSet', 'llama', SET, 'v2', { spec: { replicas: states.length } }), ...parts, ...kept];
}

function changeOf(old: readonly Manifest[], next: Manifest, options: ChangeOptions = {}) {
  return expectValidPlan(planChange(old, [next], options));
}

function wanted(image: string, spec: Fields): Manifest {
  return leaderWorkerSet({ ...limits({ maxUnavailable: 1 }), ...spec }, { size: 2, ...template(image) });
}

const ROLLING = { conditions: [{ type: 'UpdateInProgress', status: 'True' }] };

/** The two highest groups have the second version, and the lower one of them does not become ready. */
const STUCK = [live('vllm:2', { replicas: 4 }, ROLLING), ...groups(['v1 ready', 'v1 ready', 'v2', 'v2 ready'])];

describe('a rollout that has not finished', () => {
  test('is reported first, and a third version starts once the unready group is ready', () => {
    const plan = changeOf(STUCK, wanted('vllm:3', { replicas: 4 }));
    const [{ initialState, simulation }] = plan.rollouts as [(typeof plan.rollouts)[0]];
    expect(initialState).toEqual({
      replicas: 4,
      revisions: [
        { revision: 'v1', replicas: 2, available: 2 },
        { revision: 'v2', replicas: 2, available: 1 },
      ],
      underWay: true,
      health: 'progressing',
    });
    expect(simulation).toMatchObject({
      waves: [
        { newGroups: 0, oldGroups: 4, available: 3 },
        { newGroups: 1, oldGroups: 3, available: 3 },
        { newGroups: 2, oldGroups: 2, available: 3 },
        { newGroups: 3, oldGroups: 1, available: 3 },
        { newGroups: 4, oldGroups: 0, available: 3 },
      ],
      minAvailable: 3,
    });
    expect(plan.change.summary.podsReplaced).toBe(8);
    expect(renderPlanText(plan)).toContain('LeaderWorkerSet models/llama: the last rollout has not finished: 2 of 4 updated, in progress');
  });

  test('is ended by a rollback: groups that still have the old version stay', () => {
    const { change, rollouts } = changeOf(STUCK, wanted('vllm:1', { replicas: 4 }));
    expect(change.objects).toMatchObject([{ effect: 'roll' }]);
    expect(rollouts[0]!.simulation).toMatchObject({
      waves: [
        { newGroups: 2, oldGroups: 2, available: 3 },
        { newGroups: 3, oldGroups: 1, available: 3 },
        { newGroups: 4, oldGroups: 0, available: 3 },
      ],
    });
    expect(change.summary.podsReplaced).toBe(4);
  });
});

describe('groups that are not ready', () => {
  const findingsFor = (old: readonly Manifest[], next: Manifest, options: ChangeOptions = {}) =>
    changeOf(old, next, options).rollouts[0]!.findings.filter(({ code }) => code === 'lws/waits-for-groups');

  test('block the new version if they use up maxUnavailable, and the advice gets past them', () => {
    expect(findingsFor(STUCK, wanted('vllm:3', { replicas: 4 }))).toMatchObject([
      {
        severity: 'warning',
        path: 'spec.rolloutStrategy.rollingUpdateConfiguration.maxUnavailable',
        data: { down: 1, notUpdated: 4, maxUnavailable: 1, sufficientLimit: 2 },
      },
    ]);
    expect(findingsFor(STUCK, wanted('vllm:3', { replicas: 4, ...limits({ maxUnavailable: 2 }) }))).toEqual([]);
  });

  test('need more than maxUnavailable 1, so that a sufficient limit that is dropped is an info', () => {
    const raised = limits({ maxUnavailable: 2 });
    const dropped = (old: readonly Manifest[], more: Fields = raised) =>
      changeOf(old, wanted('vllm:3', { replicas: 4, ...more }))
        .rollouts[0]!.findings.filter(({ code }) => code === 'lws/max-unavailable-dropped')
        .map(({ severity }) => severity);
    expect(dropped(STUCK)).toEqual(['info']);
    const sound = [live('vllm:2', { replicas: 4, ...raised }), ...groups(['v2 ready', 'v2 ready', 'v2 ready', 'v2 ready'])];
    expect(dropped(sound)).toEqual(['warning']);
    expect(dropped(STUCK, {})).toEqual([]);
  });

  test('also count for the StatefulSet of the leaders if it keeps its limit', () => {
    const versions = { kubernetes: '1.37' };
    expect(findingsFor(STUCK, wanted('vllm:3', { replicas: 4 }), { versions })).toMatchObject([{ data: { sufficientLimit: 2 } }]);
    expect(findingsFor(STUCK, wanted('vllm:3', { replicas: 4, ...limits({ maxUnavailable: 2 }) }), { versions })).toEqual([]);
  });

  test('have no sufficient maxUnavailable if it would be all groups', () => {
    const both = [live('vllm:2', { replicas: 2 }, ROLLING), ...groups(['v2', 'v2 ready'])];
    const [finding] = findingsFor(both, wanted('vllm:3', { replicas: 2 }));
    expect(finding?.data).toEqual({ down: 1, notUpdated: 2, maxUnavailable: 1 });
    expect(finding?.help).toBe('Make it ready first.');
  });

  test('also block a rollback', () => {
    expect(findingsFor(STUCK, wanted('vllm:1', { replicas: 4 }))).toMatchObject([{ data: { down: 1, notUpdated: 2, sufficientLimit: 2 } }]);
  });

  test('are replaced first if they are the highest', () => {
    const top = [live('vllm:2', { replicas: 3 }, ROLLING), ...groups(['v1 ready', 'v1 ready', 'v2'])];
    const { rollouts } = changeOf(top, wanted('vllm:1', { replicas: 3 }));
    expect(rollouts[0]!.simulation).toMatchObject({ waves: [{ newGroups: 3, oldGroups: 0, available: 2 }] });
    expect(rollouts[0]!.findings.map(({ code }) => code)).not.toContain('lws/waits-for-groups');
  });
});

test('a rollback to the template that all groups still have replaces none', () => {
  const held = [live('vllm:2', { replicas: 2, ...limits({ partition: 2 }) }), ...groups(['v1 ready', 'v1 ready'])];
  const { change } = changeOf(held, wanted('vllm:1', { replicas: 2 }));
  expect(change.objects).toMatchObject([{ effect: 'settings' }]);
});

test('the workers of a group count as ready once they exist up to 0.8, and once they are available from 0.9 on', () => {
  const old = [live('vllm:2', { replicas: 2 }), ...groups(['v2 ready', 'v2 ready'])].map((object) =>
    object.kind === 'StatefulSet' && object.metadata?.name === 'llama-1'
      ? { ...object, status: { replicas: 1, availableReplicas: 0 } }
      : object,
  );
  const availableAt = (lws: string) =>
    changeOf(old, wanted('vllm:3', { replicas: 2 }), { versions: { lws } }).rollouts[0]!.initialState?.revisions[0]?.available;
  expect(['0.8', '0.9'].map(availableAt)).toEqual([2, 1]);
});

test('a group is ready once it has as many workers as its StatefulSet requires', () => {
  const old = [live('vllm:2', { replicas: 2 }), ...groups(['v2 ready', 'v2 ready'])].map((object) =>
    object.kind === 'StatefulSet' && object.metadata?.name === 'llama-1' ? { ...object, spec: { replicas: 2 } } : object,
  );
  const { initialState } = changeOf(old, wanted('vllm:3', { replicas: 2 })).rollouts[0]!;
  expect(initialState?.revisions).toEqual([{ revision: 'v2', replicas: 2, available: 1 }]);
});

test('the current version of a set is listed last, also during a rollback', () => {
  const back = [live('vllm:1', { replicas: 3 }, ROLLING), ...groups(['v1 ready', 'v1 ready', 'v2'])].map((object) =>
    object.kind === 'StatefulSet' && object.metadata?.name === 'llama' ? owned('apps/v1', 'StatefulSet', 'llama', SET, 'v1') : object,
  );
  const { initialState } = changeOf(back, wanted('vllm:3', { replicas: 3 })).rollouts[0]!;
  expect(initialState?.revisions).toEqual([
    { revision: 'v2', replicas: 1, available: 0 },
    { revision: 'v1', replicas: 2, available: 2 },
  ]);
});

test('an existing surge group is one of the groups that the next version starts with', () => {
  const surging = [
    live('vllm:2', { replicas: 2, ...limits({ maxSurge: 1, maxUnavailable: 0 }) }, ROLLING),
    ...groups(['v1 ready', 'v1 ready', 'v2']),
  ];
  const { rollouts } = changeOf(surging, wanted('vllm:3', { replicas: 2, ...limits({ maxSurge: 1, maxUnavailable: 0 }) }));
  expect(rollouts[0]!.simulation).toMatchObject({
    waves: [
      { newGroups: 1, oldGroups: 2, total: 3, available: 2 },
      { newGroups: 2, oldGroups: 1, total: 3, available: 2 },
      { newGroups: 3, oldGroups: 0, total: 3, available: 2 },
      { newGroups: 2, oldGroups: 0, total: 2, available: 2 },
    ],
    peakGroups: 3,
  });
});

test('without pods in the input the status is used', () => {
  const status = { replicas: 4, updatedReplicas: 2, readyReplicas: 3, ...ROLLING };
  const { rollouts } = changeOf([live('vllm:2', { replicas: 4 }, status)], wanted('vllm:3', { replicas: 4 }));
  expect(rollouts[0]!.initialState).toEqual({
    replicas: 4,
    revisions: [
      { replicas: 2, available: 2 },
      { replicas: 2, available: 1 },
    ],
    underWay: true,
    health: 'progressing',
  });
  expect(rollouts[0]!.findings).toMatchObject([{ code: 'lws/waits-for-groups', data: { down: 1, notUpdated: 4 } }]);
});

test('a lower partition replaces the groups that have the older revision, and none if all have the new one', () => {
  const held = (states: readonly string[]) => [live('vllm:2', { replicas: 2, ...limits({ partition: 2 }) }), ...groups(states)];
  const effectOf = (states: readonly string[]) =>
    changeOf(held(states), wanted('vllm:2', { replicas: 2, ...limits({ partition: 0 }) })).change.objects[0]!.effect;
  expect(effectOf(['v1 ready', 'v1 ready'])).toBe('roll');
  expect(effectOf(['v1 ready', 'v2 ready'])).toBe('roll');
  expect(effectOf(['v2 ready', 'v2 ready'])).toBe('settings');
});
