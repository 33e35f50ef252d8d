import { planChange, planManifests } from '../../../src/headless';
import type { PlanOptions } from '../../../src/headless';
import type { Fields, Manifest } from '../../../src/core/manifest/manifest';
import { quota } from '../../builders/quota';
import { factsOf } from '../../facts';
import { expectValidPlan } from '../../plan-schema';

const template = { containers: [{ name: 'main', image: 'vllm:1', resources: { limits: { 'nvidia.com/gpu': 8 } } }] };
const REFUSED = { containers: [{ name: 'main', env: [{ name: 'A=B', value: '1' }] }] };
const NEXT = '0.21';

function chat(spec: Fields = {}, metadata: Fields = {}): Manifest {
  return {
    apiVersion: 'serving.kserve.io/v1alpha1',
    kind: 'LLMInferenceService',
    metadata: { name: 'chat', namespace: 'models', ...metadata },
    spec: { model: { uri: 'hf://Qwen/Qwen3-8B' }, replicas: 4, template, ...spec },
  };
}

function rolloutsOf(object: Manifest, kserve = NEXT, options: PlanOptions = {}) {
  return expectValidPlan(planManifests([object], { versions: { kserve }, ...options })).rollouts;
}

/** Returns the findings of KServe's own rules, with all data of their messages. */
function kserveFindings(object: Manifest, kserve = NEXT) {
  return factsOf(rolloutsOf(object, kserve).flatMap(({ findings }) => findings.filter(({ code }) => code.startsWith('kserve/'))));
}

describe('the findings about an LLMInferenceService', () => {
  test('include the limits that round to 0 at one replica, and the actual replicas', () => {
    const at = { code: 'kserve/llm-limits-at-one-replica', severity: 'error', path: 'spec.rolloutStrategy.maxUnavailable' };
    expect(kserveFindings(chat({ rolloutStrategy: { maxSurge: 0, maxUnavailable: '50%' } }))).toEqual([
      { ...at, messageId: 'bothZero', data: { maxUnavailable: '50%', maxSurge: 0, replicas: 4 } },
    ]);
    expect(kserveFindings(chat({ worker: template, rolloutStrategy: { maxUnavailable: '50%' } }))).toEqual([
      { ...at, messageId: 'surgeRequired', data: { maxUnavailable: '50%', replicas: 4 } },
    ]);
  });

  test('include misspelled fields of each component, but not unknown fields that are like no known one', () => {
    const object = chat({ replica: 3, priority: 1, prefill: { template, replcas: 2 }, router: { scheduler: { replica: 2 } } });
    const found = rolloutsOf(object).flatMap(({ findings }) => findings.filter(({ code }) => code === 'input/unknown-field'));
    expect(found.map(({ path, data }) => [path, data.nearest])).toEqual([
      ['spec.replica', 'replicas'],
      ['spec.prefill.replcas', 'replicas'],
      ['spec.router.scheduler.replica', 'replicas'],
    ]);
  });

  test('include misspelled fields of the maps in a service', () => {
    const object = chat({
      model: { uri: 'hf://a/b', nam: 'b' },
      parallelism: { tensr: 2 },
      prefill: { template, parallelism: { tensr: 2 } },
      router: { gatway: {}, route: { htp: {} }, scheduler: { pool: { rf: {} } } },
    });
    const found = rolloutsOf(object).flatMap(({ findings }) => findings.filter(({ code }) => code === 'input/unknown-field'));
    expect(found.map(({ path, data }) => [path, data.nearest])).toEqual([
      ['spec.parallelism.tensr', 'tensor'],
      ['spec.model.nam', 'name'],
      ['spec.router.gatway', 'gateway'],
      ['spec.router.route.htp', 'http'],
      ['spec.prefill.parallelism.tensr', 'tensor'],
      ['spec.router.scheduler.pool.rf', 'ref'],
    ]);
  });

  test('include the version that has no strategy, and whether pods are replaced in groups', () => {
    const dropped = { code: 'kserve/llm-no-strategy', severity: 'warning', messageId: 'dropped', path: 'spec.rolloutStrategy' };
    const rolloutStrategy = { maxSurge: 1 };
    expect(kserveFindings(chat({ rolloutStrategy }), '0.20')).toEqual([{ ...dropped, data: { version: '0.20', isMultiNode: false } }]);
    expect(kserveFindings(chat({ worker: template, rolloutStrategy }), '0.19')).toEqual([
      { ...dropped, data: { version: '0.19', isMultiNode: true } },
    ]);
  });

  test('include a group of routes without a weight, a weight without a group, and a group with an Ingress, from 0.20 on', () => {
    const refused = { code: 'kserve/llm-route-group', severity: 'error' };
    const route = (fields: Fields, more: Fields = {}) => chat({ router: { route: fields, ...more } });
    expect(kserveFindings(route({ group: 'chat' }), '0.20')).toEqual([
      { ...refused, messageId: 'half', path: 'spec.router.route.group', data: { written: 'group', missing: 'weight' } },
    ]);
    expect(kserveFindings(route({ weight: 5 }), '0.20')).toEqual([
      { ...refused, messageId: 'half', path: 'spec.router.route.weight', data: { written: 'weight', missing: 'group' } },
    ]);
    expect(kserveFindings(route({ group: 'chat', weight: 5 }, { ingress: {} }), '0.20')).toEqual([
      { ...refused, messageId: 'ingress', path: 'spec.router.ingress', data: { group: 'chat' } },
    ]);
    expect(kserveFindings(route({ group: 'chat', weight: 5 }), '0.20')).toEqual([]);
    expect(kserveFindings(route({ group: 'chat' }), '0.19')).toEqual([]);
  });

  const member = (name: string, weight: number, more: Fields = {}, annotations: Fields = {}) =>
    chat({ model: { uri: 'hf://m', name: 'chat' }, router: { route: { group: 'chat', weight } }, ...more }, { name, annotations });
  const routeFindings = (...members: readonly Fields[]) =>
    planManifests(members, { versions: { kserve: '0.20' } }).rollouts.flatMap(({ resource, findings }) =>
      findings.filter(({ code }) => code === 'kserve/llm-route-group').map(({ message }) => `${resource.name}: ${message}`),
    );

  test('include the share in a group of routes, in which a stopped member has none', () => {
    const stopped = member('old', 50, {}, { 'serving.kserve.io/stop': 'true' });
    expect(routeFindings(member('v1', 90), member('v2', 10), stopped)).toEqual([
      'v1: The service gets 90% of the requests of route group "chat" (weight 90 of 100) if all 2 running members in the input are ready.',
      'v2: The service gets 10% of the requests of route group "chat" (weight 10 of 100) if all 2 running members in the input are ready.',
    ]);
  });

  test('include members of a group that serve other model names, which KServe leaves out', () => {
    expect(routeFindings(member('v1', 90), member('v2', 10, { model: { uri: 'hf://m' } }))).toEqual([
      'v1: The service shares no requests of route group "chat" with v2: it serves other model names.',
      'v2: The service shares no requests of route group "chat" with v1: it serves other model names.',
    ]);
    expect(routeFindings(member('v1', 90), member('v2', 10, { model: { uri: 'hf://m' }, baseRefs: [{ name: 'base' }] }))).toEqual([]);
  });

  test('include the annotation that stops it', () => {
    expect(kserveFindings(chat({}, { annotations: { 'serving.kserve.io/stop': 'true' } }))).toEqual([
      {
        code: 'kserve/llm-stopped',
        severity: 'info',
        messageId: 'stopped',
        data: { annotation: 'serving.kserve.io/stop' },
        path: 'metadata.annotations[serving.kserve.io/stop]',
      },
    ]);
  });

  test('include the Deployment that the API server refuses', () => {
    const [decode, prefill] = ['chat-kserve', 'chat-kserve-prefill'].map((deployment) => ({
      code: 'kserve/llm-template-refused',
      severity: 'error',
      messageId: 'deployment',
      data: { deployment },
    }));
    expect(kserveFindings(chat({ template: REFUSED, prefill: { template: REFUSED } }))).toEqual([
      { ...decode, path: 'spec.template' },
      { ...prefill, path: 'spec.prefill.template' },
    ]);
  });
});

test('a LeaderWorkerSet is created in the namespace of its service, like a Deployment', () => {
  const creates = rolloutsOf(chat({ worker: template, parallelism: { pipeline: 2 }, prefill: { template } })).flatMap(
    (rollout) => rollout.creates,
  );
  expect(creates).toMatchObject([
    { apiVersion: 'leaderworkerset.x-k8s.io/v1', kind: 'LeaderWorkerSet', name: 'chat-kserve-mn', namespace: 'models', replicas: 4 },
    { apiVersion: 'apps/v1', kind: 'Deployment', name: 'chat-kserve-prefill', namespace: 'models', replicas: 1 },
  ]);
});

describe('the pods of a Deployment', () => {
  const capacity = { nodePools: [{ name: 'gpu', count: 4, allocatable: { cpu: 8, 'nvidia.com/gpu': 8, pods: 10 } }] };

  test('are scheduled according to the requests of their containers', () => {
    const [rollout] = rolloutsOf(chat(), NEXT, { capacity });
    expect(rollout!.capacity).toMatchObject({ verdict: 'slower', peakPods: 5, podsThatFit: 4, shortage: { kind: 'one-node' } });
  });

  test('are not scheduled if a preset has the containers, which are unknown', () => {
    expect(rolloutsOf(chat({ template: {} }), NEXT, { capacity })[0]!.capacity).toBeUndefined();
  });

  test('may mount volumes that the user writes, which are not duplicated', () => {
    const volumeMounts = [{ name: 'home', mountPath: '/home' }];
    const pod = { containers: [{ name: 'main', volumeMounts }], volumes: [{ name: 'home', emptyDir: {} }] };
    const errors = rolloutsOf(chat({ template: pod })).flatMap(({ findings }) => findings.filter(({ severity }) => severity === 'error'));
    expect(factsOf(errors)).toEqual([]);
  });
});

describe('a change', () => {
  const changedObjects = (old: Manifest, next: Manifest) => planChange([old], [next], { versions: { kserve: NEXT } }).change.objects;
  const withPrefill = (spec: Fields = {}) => chat({ prefill: { replicas: 2, template }, ...spec });

  test('to refused pods is held until they are fixed', () => {
    expect(changedObjects(chat(), chat({ template: REFUSED, replicas: 2 }))).toMatchObject([
      { effect: 'held', heldUntil: 'its pods are no longer refused', pods: { before: 4, after: 4 } },
    ]);
  });

  test('of only the strategy replaces no pods, neither of decode nor of the prefill', () => {
    expect(changedObjects(withPrefill(), withPrefill({ rolloutStrategy: { maxSurge: 1 } }))).toMatchObject([
      { effect: 'settings', pods: { before: 6, after: 6 } },
    ]);
  });

  const worker = { containers: [{ name: 'main', image: 'vllm:1' }] };
  const groups = { worker, parallelism: { data: 2, dataLocal: 1 } };

  test('that adds or removes a prefill is refused, because the Deployment of decode has the role in its selector', () => {
    const refused = [{ effect: 'refused', because: [expect.objectContaining({ path: 'spec.prefill' })] }];
    expect(changedObjects(chat(), withPrefill())).toMatchObject(refused);
    expect(changedObjects(withPrefill(), chat())).toMatchObject(refused);
    const [rollout] = planChange([withPrefill()], [chat()], { versions: { kserve: NEXT } }).rollouts;
    expect(rollout!.findings.map(({ severity, message }) => `${severity}: ${message}`)).toEqual([
      'error: Applying this is refused: spec.prefill: KServe cannot update Deployment models/chat-kserve: a prefill that is added or removed changes the label llm-d.ai/role in its selector, which is immutable, and KServe changes no workload of the service until that Deployment is deleted.',
    ]);
  });

  test('that removes a prefill of groups deletes them first', () => {
    const prefill = { replicas: 2, template, ...groups };
    expect(changedObjects(chat({ prefill }), chat())).toMatchObject([
      { effect: 'held', heldUntil: 'Deployment models/chat-kserve is deleted', pods: { before: 8, after: 4 } },
    ]);
  });

  test('that removes a prefill next to groups replaces these, whose leaders get another role', () => {
    expect(changedObjects(withPrefill(groups), chat(groups))).toMatchObject([{ effect: 'roll', pods: { before: 10, after: 8 } }]);
  });

  test.each([
    ['no longer has a scheduler', { scheduler: {} }, {}],
    ['no longer has a router', { scheduler: {} }, undefined],
    ['names a pool', { scheduler: {} }, { scheduler: { pool: { ref: { name: 'a' } } } }],
  ])('that %s removes its pods', (_what, old, next) => {
    expect(changedObjects(chat({ router: old }), chat({ router: next }))).toMatchObject([
      { effect: 'scale', pods: { before: 5, after: 4 } },
    ]);
  });

  test('from one node to groups deletes the pods of the Deployment', () => {
    const { change } = planChange([chat()], [chat(groups)], { versions: { kserve: NEXT } });
    expect([change.objects[0]!.effect, change.summary.podsRemoved, change.summary.podsAdded]).toEqual(['scale', 4, 8]);
  });
});

test('the mix of versions is that of the rows that happen, not of those that quotas refuse', () => {
  const pods = (resource: string) => ({ containers: [{ name: 'main', image: 'vllm:1', resources: { limits: { [resource]: 8 } } }] });
  const rolloutStrategy = { maxSurge: 1, maxUnavailable: 0 };
  const prefill = { replicas: 4, template: pods('nvidia.com/gpu'), rolloutStrategy };
  const service = chat({ template: pods('amd.com/gpu'), rolloutStrategy, prefill });
  const mixUnder = (hard: object) =>
    planManifests([service, quota(hard, { namespace: 'models' })], { versions: { kserve: NEXT } }).rollouts.flatMap(
      ({ findings, resource }) =>
        findings.filter(({ code }) => code === 'disaggregated/versions-mix').map(({ message }) => `${resource.component}: ${message}`),
    );
  expect({
    enough: mixUnder({ pods: 100 }),
    'no decode': mixUnder({ 'requests.amd.com/gpu': 32 }),
    neither: mixUnder({ 'requests.amd.com/gpu': 32, 'requests.nvidia.com/gpu': 32 }),
  }).toMatchInlineSnapshot(`
{
  "enough": [
    "decode: At wave 2, 48% of the pairs of prefill and decode mix versions and 16% are new, if the router pairs them freely.",
  ],
  "neither": [],
  "no decode": [
    "decode: At wave 5, 100% of the pairs of prefill and decode mix versions and 0% are new, if the router pairs them freely.",
  ],
}
`);
});
