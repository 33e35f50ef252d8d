import { planChange, planManifests } from '../../../src/headless';
import type { Finding, PlannedRollout, PlanOptions } from '../../../src/headless';
import type { Fields, Manifest } from '../../../src/core/manifest/manifest';
import { renderPlanText } from '../../../src/render/text/plan';
import { expectValidPlan } from '../../plan-schema';

function role(name: string, replicas: number, rollingUpdateConfiguration?: Fields, image = 'vllm:1', size = 1) {
  return {
    name,
    spec: {
      replicas,
      ...(rollingUpdateConfiguration && { rolloutStrategy: { rollingUpdateConfiguration } }),
      leaderWorkerTemplate: {
        size,
        workerTemplate: { spec: { containers: [{ name: 'vllm', image, resources: { limits: { 'nvidia.com/gpu': 8 } } }] } },
      },
    },
  };
}

function withStrategy({ name, spec }: ReturnType<typeof role>, rolloutStrategy: Fields) {
  return { name, spec: { ...spec, rolloutStrategy } };
}

/** Returns the role with this metadata of its pods and additional container fields. */
function withPods({ name, spec }: ReturnType<typeof role>, metadata: Fields, container: Fields = {}) {
  const { size } = spec.leaderWorkerTemplate;
  const workerTemplate = { metadata, spec: { containers: [{ name: 'vllm', image: 'vllm:1', ...container }] } };
  return { name, spec: { ...spec, leaderWorkerTemplate: { size, workerTemplate } } };
}

function chat(...roles: readonly object[]): Manifest {
  return {
    apiVersion: 'disaggregatedset.x-k8s.io/v1',
    kind: 'DisaggregatedSet',
    metadata: { name: 'chat', namespace: 'models' },
    spec: { roles },
  };
}

/** Drops the info that roles mix versions: every rollout of two roles has it, and versions-mix.test.ts tests it. */
function withoutVersionsMix(findings: readonly Finding[]): readonly Finding[] {
  return findings.filter(({ code }) => code !== 'disaggregated/versions-mix');
}

function planned(objects: readonly Manifest[], options: PlanOptions = {}): PlannedRollout {
  const rollout = expectValidPlan(planManifests(objects, options)).rollouts[0]!;
  return { ...rollout, findings: withoutVersionsMix(rollout.findings) };
}

const both = chat(role('prefill', 4), role('decode', 2));

test('prefill and decode are updated together, and the skew is reported', () => {
  const { simulation, findings } = planned([both]);
  expect(simulation).toMatchObject({ kind: 'disaggregatedset', peakPods: 8, minAvailable: 2, maxSkewPercent: 13 });
  const waves = simulation?.kind === 'disaggregatedset' ? simulation.waves : [];
  expect(
    waves.map(
      ({ roles, skewPercent }) => `${roles.map(({ oldGroups, newGroups }) => `${oldGroups}|${newGroups}`).join(' ')} ${skewPercent}%`,
    ),
  ).toEqual(['4|1 2|1 13%', '3|1 2|1 8%', '3|2 2|1 7%', '2|2 1|1 0%', '2|3 1|2 7%', '1|3 1|2 8%', '1|4 1|2 13%', '0|4 0|2 0%']);
  expect(findings).toEqual([]);
});

test('its text has a column for each role', () => {
  expect(renderPlanText(planManifests([both]))).toMatchInlineSnapshot(`
"1 rollout on Kubernetes 1.36 and LeaderWorkerSet 0.9 (both assumed): 1 info

a wave is one step: the controller creates and deletes pods, then waits until the new ones are ready

DisaggregatedSet models/chat (lws)
  prefill.maxSurge 1, prefill.maxUnavailable 0, decode.maxSurge 1, decode.maxUnavailable 0 (lws-default)
  prefill 4 groups of 1 pod (surge 1, 0 unavailable) and decode 2 groups of 1 pod (surge 1, 0 unavailable)
  8 waves across all roles, peak 8 pods, at least 2 available in each role, skew between roles at most 13%

  wave  prefill new  old  decode new  old  skew
     1            1    4           1    2   13%
     2            1    3           1    2    8%
     3            2    3           1    2    7%
     4            2    2           1    1    0%
     5            3    2           2    1    7%
     6            3    1           2    1    8%
     7            4    1           2    1   13%
     8            4    0           2    0    0%

  info  disaggregated/versions-mix  spec.roles
    At wave 4, 50% of the pairs of prefill and decode mix versions and 25% are new, if the router pairs them freely.
    fix: Check that both versions work together, or let the router use the pods of one revision only.

explain a code: rolloutkit rules CODE · silence a finding: docs/pipeline.md#suppression
"
`);
});

test('a role without a configuration has a surge of one, and missing limits of a configuration have defaults', () => {
  const limits = (configuration?: Fields) => planned([chat(role('prefill', 4, configuration), role('decode', 2))]).simulation;
  expect(limits()).toMatchObject({ roles: [{ surge: 1, unavailable: 0 }, {}] });
  expect(limits({ maxSurge: 2 })).toMatchObject({ roles: [{ surge: 2, unavailable: 1 }, {}] });
  expect(limits({ maxSurge: 0, maxUnavailable: 0 })).toMatchObject({ roles: [{ surge: 1, unavailable: 0 }, {}] });
  expect(limits({ maxSurge: '50%', maxUnavailable: 0 })).toMatchObject({ roles: [{ surge: 2, unavailable: 0 }, {}] });
});

test('each limit of each role has a provenance', () => {
  const { provenance } = planned([chat(role('prefill', 4), role('decode', 2, { maxSurge: 2 }))]);
  const configuration = (index: number) => `spec.roles[${index}].spec.rolloutStrategy.rollingUpdateConfiguration`;
  expect(provenance.map(({ field, value, layer, reason }) => [field, value, layer, reason])).toEqual([
    ['prefill.maxSurge', 1, 'lws-default', `${configuration(0)} is not set; the controller uses 1.`],
    ['prefill.maxUnavailable', 0, 'lws-default', `${configuration(0)} is not set; the controller uses 0.`],
    ['decode.maxSurge', 2, 'user', `${configuration(1)}.maxSurge is set.`],
    ['decode.maxUnavailable', 1, 'lws-default', `${configuration(1)}.maxUnavailable is not set; the CRD of DisaggregatedSet fills in 1.`],
  ]);
});

test('lws/roles-outage: a role with one group that may be unavailable is temporarily down', () => {
  expect(planned([chat(role('prefill', 1, { maxUnavailable: 1 }), role('decode', 1))]).findings).toMatchObject([
    {
      code: 'lws/roles-outage',
      severity: 'warning',
      path: 'spec.roles[0].spec.rolloutStrategy.rollingUpdateConfiguration',
      data: { role: 'prefill' },
    },
  ]);
  expect(planned([chat(role('prefill', 1), role('decode', 1))]).findings).toEqual([]);
});

test('lws/roles-outage is an info if nodes have no capacity for a second group of a role', () => {
  const set = chat(role('prefill', 1, { maxUnavailable: 1 }), role('decode', 1));
  const nodes = (count: number) => ({ capacity: { nodePools: [{ name: 'h100', count, allocatable: { 'nvidia.com/gpu': 8, pods: 20 } }] } });
  const ofRoles = (count: number) => planned([set], nodes(count)).findings.filter(({ code }) => code === 'lws/roles-outage');
  const data = { role: 'prefill', replicas: 1, unavailable: 1, wave: 1 };
  expect(ofRoles(3)).toMatchObject([{ severity: 'info', data: { ...data, obstacle: 'insufficient-capacity' } }]);
  expect(ofRoles(4)).toMatchObject([{ severity: 'warning', data }]);
  const better = chat(role('prefill', 1, { maxSurge: 1, maxUnavailable: 0 }), role('decode', 1));
  expect(planned([better], nodes(4)).findings).toEqual([]);
});

test.each<[string, Manifest, string]>([
  ['only one role', chat(role('prefill', 4)), 'lws/invalid-roles count spec.roles'],
  ['a name', chat(role('Prefill', 4), role('decode', 2)), 'lws/invalid-roles name spec.roles[0].name'],
  ['a name that another role has', chat(role('prefill', 4), role('prefill', 2)), 'lws/invalid-roles duplicateName spec.roles[1].name'],
  ['a role without groups', chat(role('prefill', 4), role('decode', 0)), 'lws/invalid-roles mixed spec.roles[1].spec.replicas'],
  [
    'a partition',
    chat(role('prefill', 4, { partition: 1 }), role('decode', 2)),
    'lws/invalid-roles partition spec.roles[0].spec.rolloutStrategy.rollingUpdateConfiguration.partition',
  ],
  [
    'an unknown type',
    chat(withStrategy(role('prefill', 4), { type: 'Recreate' }), role('decode', 2)),
    'lws/invalid-roles type spec.roles[0].spec.rolloutStrategy.type',
  ],
  [
    'a quoted number',
    chat(role('prefill', 4, { maxSurge: '1' }), role('decode', 2)),
    'kubernetes/quoted-integer numberOrPercent spec.roles[0].spec.rolloutStrategy.rollingUpdateConfiguration.maxSurge',
  ],
])('%s is refused', (_what, object, line) => {
  const { strategy, simulation, findings } = planned([object]);
  expect({ strategy, simulation }).toEqual({ strategy: null, simulation: null });
  expect(findings.map(({ code, messageId, path }) => `${code} ${messageId} ${path}`)).toEqual([line]);
});

test('an empty type and 100% are accepted, and more than 100% is refused', () => {
  expect(planned([chat(withStrategy(role('prefill', 4), { type: '' }), role('decode', 2))]).findings).toEqual([]);
  expect(planned([chat(role('prefill', 4, { maxSurge: '100%' }), role('decode', 2))]).findings).toEqual([]);
  const [finding, ...others] = planned([chat(role('prefill', 4, { maxSurge: '101%' }), role('decode', 2))]).findings;
  expect([finding?.code, finding?.path, finding?.message, finding?.help, others]).toEqual([
    'kubernetes/invalid-strategy',
    'spec.roles[0].spec.rolloutStrategy.rollingUpdateConfiguration.maxSurge',
    'maxSurge is "101%", which the API server refuses: must not be greater than 100%.',
    'Write a percentage from "0%" to "100%".',
    [],
  ]);
});

test('every wave with groups to wait for takes as long as the slowest of its pods needs to start', () => {
  const slow = (seconds: string) => ({ annotations: { 'rolloutkit/startup-seconds': seconds } });
  const [prefill, decode] = [role('prefill', 4, undefined, 'vllm:1', 2), role('decode', 2)];
  const duration = (...roles: readonly object[]) => planned([chat(...roles)]).duration;
  expect(duration(withPods(prefill, slow('60')), withPods(decode, slow('90')))).toEqual({
    startupSeconds: 90,
    lowerBoundSeconds: 4 * 90,
    expectedSeconds: 4 * 90,
    abortSeconds: null,
    blastRadius: 3,
  });
  // The start-up time of one role is not known.
  expect(duration(withPods(prefill, slow('60')), decode)).toBeUndefined();
  // Rows that are not listed count half, because every second wave only deletes groups.
  const many = role('prefill', 2000, { maxSurge: 1, maxUnavailable: 0 });
  expect(duration(withPods(many, slow('60')), withPods(decode, slow('60')))).toMatchObject({
    lowerBoundSeconds: 2000 * 60,
    expectedSeconds: 2000 * 60,
    blastRadius: 2,
  });
});

test('a role needs a probe if the rollout depends on its readiness, which is not so for a single group that is replaced in place', () => {
  const unprobed = (replicas: number, configuration: Fields) => {
    const prefill = withPods(role('prefill', replicas, configuration), {}, { ports: [{ containerPort: 8000 }] });
    return planned([chat(prefill, role('decode', 1))])
      .findings.filter(({ code }) => code === 'kubernetes/no-readiness-probe')
      .map(({ path }) => path);
  };
  const path = 'spec.roles[0].spec.leaderWorkerTemplate.workerTemplate.spec.containers[0].readinessProbe';
  expect(unprobed(2, { maxUnavailable: 1 })).toEqual([path]);
  expect(unprobed(1, { maxSurge: 1, maxUnavailable: 0 })).toEqual([path]);
  expect(unprobed(1, { maxUnavailable: 1 })).toEqual([]);
});

test('without capacity for the groups of a wave all roles deadlock there', () => {
  const quota = (gpus: number) => ({
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    metadata: { name: 'gpus', namespace: 'models' },
    spec: { hard: { 'requests.nvidia.com/gpu': `${gpus}` } },
  });
  // The mix of versions is that of the rows that happen: none of a role is ready before the deadlock.
  const mixed = (objects: readonly Manifest[]) =>
    planManifests(objects).rollouts[0]!.findings.filter(({ code }) => code === 'disaggregated/versions-mix');
  expect(mixed([both, quota(64)])).toHaveLength(1);
  expect(mixed([both, quota(48)])).toEqual([]);
  expect(planned([both, quota(64)]).capacity).toMatchObject({ verdict: 'fits', peakPods: 8 });
  const { capacity, simulation, findings } = planned([both, quota(56)]);
  expect(capacity).toMatchObject({ verdict: 'deadlocks', peakPods: 8, podsThatFit: 7, deadlockWave: 1 });
  // The quota refuses the new group of the second role, which does not exist.
  expect(simulation).toMatchObject({
    waves: [
      {
        roles: [
          { newGroups: 1, oldGroups: 4 },
          { newGroups: 0, oldGroups: 2 },
        ],
        skewPercent: 20,
      },
    ],
    peakPods: 7,
    maxSkewPercent: 20,
  });
  expect(findings).toMatchObject([{ code: 'kubernetes/insufficient-capacity', messageId: 'roles', severity: 'error', path: 'spec.roles' }]);
});

test('a shortage is that of the peak, so that the rollout fits with the nodes that it asks for', () => {
  const surge = { maxSurge: 2, maxUnavailable: 0 };
  const roles = chat(role('prefill', 6, surge), role('decode', 2, surge));
  const verdictOn = (count: number) =>
    planned([roles], { capacity: { nodePools: [{ name: 'h100', count, allocatable: { 'nvidia.com/gpu': 8, pods: 20 } }] } }).capacity
      ?.message;
  // Wave 1 has 11 pods, and wave 3 has 12.
  expect([8, 11, 12].map(verdictOn)).toMatchInlineSnapshot(`
[
  "Fits only with 4 more nodes in pool "h100". Without them the rollout deadlocks at wave 1: a pod needs 8 nvidia.com/gpu, and no node has more than 0 left.",
  "Fits only with 1 more node in pool "h100". Without it the rollout deadlocks at wave 3: a pod needs 8 nvidia.com/gpu, and no node has more than 0 left.",
  "Fits: there is capacity for its peak of 12 pods.",
]
`);
});

test.each<[string, Manifest, string]>([
  ['an image of one role', chat(role('prefill', 4, undefined, 'vllm:2'), role('decode', 2)), 'roll'],
  ['its groups', chat(role('prefill', 6), role('decode', 2)), 'scale'],
  ['both', chat(role('prefill', 6, undefined, 'vllm:2'), role('decode', 2)), 'roll-and-scale'],
  ['its limits', chat(role('prefill', 4, { maxSurge: 2 }), role('decode', 2)), 'settings'],
  ['its labels', { ...both, metadata: { ...both.metadata, labels: { team: 'llm' } } }, 'metadata'],
])('a change of %s: %#', (_what, next, effect) => {
  const { change } = expectValidPlan(planChange([both], [next]));
  expect(change.objects.map((object) => object.effect)).toEqual([effect]);
});

test('a rollout with very many steps is not simulated', () => {
  const { simulation, findings } = planned([chat(role('prefill', 6000), role('decode', 2))]);
  expect(simulation).toBeNull();
  expect(findings).toMatchObject([{ code: 'lws/many-steps', severity: 'info', path: 'spec.roles', data: { steps: 6000, max: 5000 } }]);
  const longest = planned([chat(role('prefill', 5000), role('decode', 2))]);
  expect([longest.simulation?.kind, longest.findings]).toEqual(['disaggregatedset', []]);
});

test('start-up seconds of a role that are not a number are reported', () => {
  const [prefill, decode] = [role('prefill', 2), role('decode', 2)];
  const { leaderWorkerTemplate } = prefill.spec;
  const workerTemplate = {
    ...leaderWorkerTemplate.workerTemplate,
    metadata: { annotations: { 'rolloutkit/startup-seconds': 'soon' } },
  };
  const slow = { ...prefill, spec: { ...prefill.spec, leaderWorkerTemplate: { ...leaderWorkerTemplate, workerTemplate } } };
  expect(planned([chat(slow, decode)]).findings.map(({ code, path }) => [code, path])).toEqual([
    ['input/wrong-type', 'spec.roles[0].spec.leaderWorkerTemplate.workerTemplate.metadata.annotations[rolloutkit/startup-seconds]'],
  ]);
});

test('the pods of its LeaderWorkerSets are validated like any workload, and an unknown field is dropped', () => {
  const withContainer = (more: object) => ({
    name: 'prefill',
    spec: {
      replicas: 4,
      leaderWorkerTemplate: { size: 1, workerTemplate: { spec: { containers: [{ name: 'vllm', image: 'vllm:1', ...more }] } } },
    },
  });
  const container = 'spec.roles[0].spec.leaderWorkerTemplate.workerTemplate.spec.containers[0]';
  const findingsOf = (...roles: readonly object[]) =>
    planned([chat(...roles)]).findings.map(({ code, severity, path }) => [code, severity, path]);
  expect(findingsOf(withContainer({ ports: [{ containerPort: 70_000 }] }), role('decode', 2))).toEqual([
    ['lws/template-refused', 'error', 'spec.roles[0].spec.leaderWorkerTemplate.workerTemplate'],
    ['kubernetes/invalid-workload', 'error', `${container}.ports[0].containerPort`],
  ]);
  expect(findingsOf(withContainer({ ports: [{ containerPort: 8000 }] }), role('decode', 2))).toEqual([
    ['kubernetes/no-readiness-probe', 'warning', `${container}.readinessProbe`],
  ]);
  expect(findingsOf({ ...role('prefill', 4), replicas: 4 }, role('decode', 2, { maxSurge: 1, maxSurges: 1 }))).toEqual([
    ['input/unknown-field', 'warning', 'spec.roles[0].replicas'],
    ['input/unknown-field', 'warning', 'spec.roles[1].spec.rolloutStrategy.rollingUpdateConfiguration.maxSurges'],
  ]);
});

/** Returns the rows of a plan with old and new groups of each role, where it halts, and its findings. */
function summarize({ simulation, findings }: ReturnType<typeof planned>) {
  if (simulation?.kind !== 'disaggregatedset') throw new Error('no rows');
  return {
    rows: simulation.waves.map(({ roles }) => roles.map(({ oldGroups, newGroups }) => `${oldGroups}|${newGroups}`).join(' ')),
    halted: simulation.halted,
    findings: withoutVersionsMix(findings).map(({ code, messageId, path, data, severity }) => ({ code, messageId, path, data, severity })),
  };
}

const LIMITS = 'spec.roles[0].spec.rolloutStrategy.rollingUpdateConfiguration';

test('lws/role-refused: limits that resolve to 0 at some size deadlock all roles, because the webhook validates each step', () => {
  const set = chat(role('prefill', 4, { maxSurge: 0, maxUnavailable: '25%' }), role('decode', 2));
  expect(summarize(planned([set]))).toEqual({
    rows: [],
    halted: { wave: 0, reason: 'refused' },
    findings: [
      {
        code: 'lws/role-refused',
        messageId: 'limits',
        path: LIMITS,
        data: { role: 'prefill', maxSurge: 0, maxUnavailable: '25%', groups: 3 },
        severity: 'error',
      },
    ],
  });
  expect(planned([chat(role('prefill', 4, { maxSurge: 1, maxUnavailable: '25%' }), role('decode', 2))]).findings).toEqual([]);
});

test('lws/role-refused: a running LeaderWorkerSet keeps the limits that it was created with', () => {
  const old = chat(role('prefill', 4, { maxSurge: 0, maxUnavailable: '25%' }), role('decode', 2));
  const next = chat(role('prefill', 4, undefined, 'vllm:2'), role('decode', 2));
  const { rollouts } = expectValidPlan(planChange([old], [next]));
  expect(summarize(rollouts[0]!)).toEqual({
    rows: ['4|1 2|1'],
    halted: { wave: 1, reason: 'refused' },
    findings: [
      {
        code: 'lws/role-refused',
        messageId: 'running',
        path: LIMITS,
        data: { role: 'prefill', maxSurge: 0, maxUnavailable: '25%', groups: 3 },
        severity: 'error',
      },
    ],
  });
});

test('lws/role-refused: unchanged groups are not validated in a step, with any limits', () => {
  const old = chat(role('prefill', 3, { maxSurge: 0, maxUnavailable: '25%' }), role('decode', 9));
  const next = chat(role('prefill', 3, undefined, 'vllm:2'), role('decode', 9));
  const { rollouts } = expectValidPlan(planChange([old], [next]));
  expect(summarize(rollouts[0]!)).toMatchObject({
    rows: ['3|1 9|1', '3|1 8|1', '3|1 8|2', '3|1 7|2', '3|1 7|3'],
    halted: { wave: 5, reason: 'refused' },
    findings: [{ messageId: 'running', data: { role: 'prefill', maxSurge: 0, maxUnavailable: '25%', groups: 2 } }],
  });
});

test('a worker template with a refused StatefulSet stops all roles at their first groups', () => {
  const broken = role('decode', 2, undefined, 'vllm:1', 2);
  const leaderTemplate = { spec: { containers: [{ name: 'vllm', image: 'vllm:1' }] } };
  const workerTemplate = { spec: { containers: [{ name: 'vLLM', image: 'vllm:1' }] } };
  const decode = { ...broken, spec: { ...broken.spec, leaderWorkerTemplate: { size: 2, leaderTemplate, workerTemplate } } };
  const plan = planned([chat(role('prefill', 4), decode)]);
  expect(plan.strategy).toEqual({ prefill: {}, decode: {} });
  expect(summarize(plan)).toMatchObject({
    rows: ['4|1 2|1'],
    halted: { wave: 1, reason: 'refused' },
    findings: [
      { code: 'lws/template-refused', messageId: 'role', data: { role: 'decode', members: 'workers' }, severity: 'error' },
      { code: 'kubernetes/invalid-workload', severity: 'error' },
    ],
  });
});

test('a size that its webhook refuses, or a name that a Service cannot have, leaves every group unchanged', () => {
  const none = role('prefill', 4, undefined, 'vllm:1', 0);
  expect(planned([chat(none, role('decode', 2))])).toMatchObject({
    strategy: { prefill: {}, decode: {} },
    simulation: null,
    findings: [
      { code: 'lws/role-refused', messageId: 'spec', path: 'spec.roles[0].spec.leaderWorkerTemplate', data: { role: 'prefill' } },
      { code: 'lws/invalid-set', messageId: 'size', path: 'spec.roles[0].spec.leaderWorkerTemplate.size', data: { size: 0 } },
    ],
  });
  const long = { ...both, metadata: { name: 'c'.repeat(50) } };
  expect(planned([long]).findings).toMatchObject([
    {
      code: 'lws/role-refused',
      messageId: 'name',
      path: 'metadata.name',
      data: { role: 'prefill', name: `${'c'.repeat(50)}-00000000-prefill` },
    },
    {
      code: 'lws/role-refused',
      messageId: 'name',
      path: 'metadata.name',
      data: { role: 'decode', name: `${'c'.repeat(50)}-00000000-decode` },
    },
  ]);
});

test('an annotation for subgroups that a role does not have is refused with its LeaderWorkerSets', () => {
  const metadata = { annotations: { 'leaderworkerset.sigs.k8s.io/subgroup-exclusive-topology': 'rack' } };
  expect(planned([chat({ ...role('prefill', 4), metadata }, role('decode', 2))])).toMatchObject({
    simulation: null,
    findings: [
      { code: 'lws/role-refused', messageId: 'spec' },
      {
        code: 'lws/invalid-set',
        messageId: 'subGroupAnnotation',
        path: 'spec.roles[0].metadata.annotations[leaderworkerset.sigs.k8s.io/subgroup-exclusive-topology]',
      },
    ],
  });
});

test('an unknown startup policy is refused with the set', () => {
  const prefill = role('prefill', 4);
  const set = chat({ ...prefill, spec: { ...prefill.spec, startupPolicy: 'Later' } }, role('decode', 2));
  expect(planned([set])).toMatchObject({
    strategy: null,
    findings: [{ code: 'lws/invalid-set', messageId: 'choice', path: 'spec.roles[0].spec.startupPolicy' }],
  });
});

test('a removed role is drained with the others, and once the others have no old groups all new groups are created at once', () => {
  const old = chat(role('prefill', 2), role('decode', 4), role('encode', 5, undefined, 'vllm:1', 2));
  const next = chat(role('prefill', 2), role('decode', 4));
  const { rollouts } = expectValidPlan(planChange([old], [next]));
  const { rows, halted } = summarize(rollouts[0]!);
  expect(rows.map((row) => row.split(' ')[2])).toEqual(['5|0', '4|0', '3|0', '3|0', '2|0', '2|0', '1|0', '1|0', '0|0']);
  expect([rows.at(-1), halted]).toEqual(['0|2 0|4 0|0', undefined]);
});
