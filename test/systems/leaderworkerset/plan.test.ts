import { planManifests } from '../../../src/headless';
import type { Fields } from '../../../src/core/manifest/manifest';
import { leaderWorkerSet, limits, lines, planned } from './plan';

const CONFIGURATION = 'spec.rolloutStrategy.rollingUpdateConfiguration';

describe('the plan of a LeaderWorkerSet', () => {
  test('has its stored strategy with provenance, its waves, and the pods and GPUs of a surge', () => {
    const { strategy, provenance, simulation, groups, creates, system, resource, findings } = planned([
      leaderWorkerSet(limits({ maxSurge: 1, maxUnavailable: 0 })),
    ]);
    expect({ system, resource, strategy, groups, creates, findings }).toEqual({
      system: 'lws',
      resource: { apiVersion: 'leaderworkerset.x-k8s.io/v1', kind: 'LeaderWorkerSet', namespace: 'models', name: 'llama' },
      strategy: { type: 'RollingUpdate', rollingUpdateConfiguration: { partition: 0, maxUnavailable: 0, maxSurge: 1 } },
      groups: { size: 4, pods: 8, surgeGroups: 1, surgePods: 4, accelerators: [{ resource: 'nvidia.com/gpu', count: 64, surge: 32 }] },
      creates: [{ apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'llama', namespace: 'models', replicas: 2 }],
      findings: [],
    });
    expect(provenance.map(({ field, value, layer }) => [field, value, layer])).toEqual([
      ['type', 'RollingUpdate', 'lws-default'],
      ['maxSurge', 1, 'user'],
      ['maxUnavailable', 0, 'user'],
      ['partition', 0, 'lws-default'],
    ]);
    expect(simulation).toEqual({
      kind: 'leaderworkerset',
      replicas: 2,
      size: 4,
      surge: 1,
      unavailable: 0,
      partition: 0,
      leaderLimit: 1,
      waves: [
        { wave: 1, newGroups: 1, oldGroups: 2, total: 3, available: 2 },
        { wave: 2, newGroups: 2, oldGroups: 1, total: 3, available: 2 },
        { wave: 3, newGroups: 3, oldGroups: 0, total: 3, available: 2 },
        { wave: 4, newGroups: 2, oldGroups: 0, total: 2, available: 2 },
      ],
      peakGroups: 3,
      peakPods: 12,
      minAvailable: 2,
    });
  });

  test('takes as long as its groups need to start, with leader and workers one after the other if LeaderReady is set', () => {
    const template = {
      metadata: { annotations: { 'rolloutkit/startup-seconds': '60' } },
      spec: { containers: [{ name: 'vllm', image: 'vllm:1' }] },
    };
    const duration = (spec: object) => planned([leaderWorkerSet({ ...spec }, { workerTemplate: template })]).duration;
    expect(duration({})).toEqual({ startupSeconds: 60, lowerBoundSeconds: 120, expectedSeconds: 180, abortSeconds: null, blastRadius: 4 });
    expect(duration({ startupPolicy: 'LeaderReady' })).toMatchObject({ startupSeconds: 120, lowerBoundSeconds: 240 });
  });

  test('has no workers if a group has only a leader', () => {
    expect(planned([leaderWorkerSet({}, { size: 1 })]).groups).toEqual({
      size: 1,
      pods: 2,
      surgeGroups: 0,
      surgePods: 0,
      accelerators: [{ resource: 'nvidia.com/gpu', count: 16, surge: 0 }],
    });
  });
});

describe('what is refused', () => {
  test.each([
    [
      'limits that both resolve to 0',
      limits({ maxUnavailable: '10%' }),
      {},
      `error lws/both-limits-zero zero ${CONFIGURATION}.maxUnavailable`,
    ],
    ['a quoted number', limits({ maxSurge: '1' }), {}, `error kubernetes/quoted-integer numberOrPercent ${CONFIGURATION}.maxSurge`],
    ['more than 100%', limits({ maxSurge: '101%' }), {}, `error kubernetes/invalid-strategy aboveHundredPercent ${CONFIGURATION}.maxSurge`],
    ['a negative partition', limits({ partition: -1 }), {}, `error kubernetes/invalid-strategy negative ${CONFIGURATION}.partition`],
    ['an unknown type', { rolloutStrategy: { type: 'Recreate' } }, {}, 'error lws/invalid-set choice spec.rolloutStrategy.type'],
    ['an unknown restart policy', {}, { restartPolicy: 'Always' }, 'error lws/invalid-set choice spec.leaderWorkerTemplate.restartPolicy'],
    ['an empty group', {}, { size: 0 }, 'error lws/invalid-set size spec.leaderWorkerTemplate.size'],
    ['too many pods', { replicas: 1_000_000 }, { size: 4096 }, 'error lws/invalid-set product spec.replicas'],
    [
      'subgroups that do not divide the group',
      {},
      { size: 8, subGroupPolicy: { subGroupSize: 3 } },
      'error lws/invalid-set subGroup spec.leaderWorkerTemplate.subGroupPolicy.subGroupSize',
    ],
  ])('%s', (_what, spec, template, line) => {
    expect(lines([leaderWorkerSet(spec, template)])).toEqual([line]);
    expect(planned([leaderWorkerSet(spec, template)])).toMatchObject({ strategy: null, simulation: null });
  });

  test('a restart policy of a later version', () => {
    const set = leaderWorkerSet({}, { restartPolicy: 'RecreateGroupAfterStart' });
    const refusalsOf = (lws: string) => lines([set], { versions: { lws } }).filter((line) => line.includes('lws/invalid-set'));
    expect(refusalsOf('0.8')).toEqual(['error lws/invalid-set choice spec.leaderWorkerTemplate.restartPolicy']);
    expect(refusalsOf('0.9')).toEqual([]);
  });

  test('a name that a Service cannot have', () => {
    expect(lines([leaderWorkerSet({}, {}, '3-llama')])).toEqual(['error lws/invalid-set name metadata.name']);
  });

  test('an annotation for subgroups without a subGroupPolicy', () => {
    const metadata = { name: 'llama', annotations: { 'leaderworkerset.sigs.k8s.io/subgroup-exclusive-topology': 'rack' } };
    const refused = [
      'error lws/invalid-set subGroupAnnotation metadata.annotations[leaderworkerset.sigs.k8s.io/subgroup-exclusive-topology]',
    ];
    for (const lws of ['0.7', '0.10']) expect(lines([{ ...leaderWorkerSet({}), metadata }], { versions: { lws } })).toEqual(refused);
    expect(lines([{ ...leaderWorkerSet({}, { subGroupPolicy: { subGroupSize: 2 } }), metadata }])).toEqual([]);
  });

  test('limits of 0 groups are accepted, and an unknown field is dropped', () => {
    expect(lines([leaderWorkerSet({ replicas: 0, ...limits({ maxUnavailable: 0 }) })])).toEqual([]);
    expect(lines([leaderWorkerSet(limits({ maxSurges: 1 }))])).toEqual([`warning input/unknown-field unknown ${CONFIGURATION}.maxSurges`]);
  });

  test('the fields of a claim depend on the version of Kubernetes, not on that of LeaderWorkerSet', () => {
    const spec = {
      accessModes: ['ReadWriteOnce'],
      dataSourceRef: { kind: 'VolumeSnapshot', name: 'a' },
      volumeAttributesClassName: 'fast',
    };
    const set = leaderWorkerSet({}, { volumeClaimTemplates: [{ metadata: { name: 'cache' }, spec }] });
    expect(planned([set]).findings.filter(({ code }) => code === 'input/unknown-field')).toEqual([]);
  });

  test('a field of a later version is dropped', () => {
    const set = leaderWorkerSet({}, { volumeClaimTemplates: [] });
    expect(lines([set], { versions: { lws: '0.7' } })).toEqual([
      'warning input/unknown-field tooNew spec.leaderWorkerTemplate.volumeClaimTemplates',
    ]);
    expect(lines([set], { versions: { lws: '0.8' } })).toEqual([]);
  });
});

describe('the pods of a group', () => {
  const workers = { spec: { containers: [{ name: 'vllm', image: 'vllm:1' }] } };
  const mounts = [{ name: 'cache', mountPath: '/cache' }];

  test('are refused with their StatefulSet, separately for the leader and the workers', () => {
    const leaderTemplate = { spec: { containers: [{ name: 'Leader', image: 'vllm:1', ports: [{ containerPort: 70_000 }] }] } };
    const workerTemplate = { spec: { restartPolicy: 'OnFailure', containers: [{ name: 'vllm', image: 'vllm:1', volumeMounts: mounts }] } };
    const set = leaderWorkerSet({}, { leaderTemplate, workerTemplate });
    expect(lines([set])).toEqual([
      'error lws/template-refused leaders spec.leaderWorkerTemplate.leaderTemplate',
      'error kubernetes/invalid-workload format spec.leaderWorkerTemplate.leaderTemplate.spec.containers[0].name',
      'error kubernetes/invalid-workload range spec.leaderWorkerTemplate.leaderTemplate.spec.containers[0].ports[0].containerPort',
      'error lws/template-refused workers spec.leaderWorkerTemplate.workerTemplate',
      'error kubernetes/invalid-workload notDeclared spec.leaderWorkerTemplate.workerTemplate.spec.containers[0].volumeMounts[0].name',
      'error kubernetes/invalid-workload restartPolicy spec.leaderWorkerTemplate.workerTemplate.spec.restartPolicy',
    ]);
    expect(planned([set])).toMatchObject({
      strategy: { type: 'RollingUpdate', rollingUpdateConfiguration: { maxSurge: 0, maxUnavailable: 1, partition: 0 } },
      simulation: { waves: [], minAvailable: 2, halted: { wave: 0, groups: 2, reason: 'refused' } },
    });
  });

  test('stop the rollout at the groups that are replaced at once, which have only their leaders', () => {
    const workerTemplate = { spec: { containers: [{ name: 'vllm', image: 'vllm:1', volumeMounts: mounts }] } };
    const set = leaderWorkerSet({ replicas: 4, ...limits({ maxUnavailable: 2 }) }, { leaderTemplate: workers, workerTemplate });
    expect(planned([set]).simulation).toMatchObject({
      waves: [
        { wave: 1, newGroups: 1, oldGroups: 3, total: 4, available: 3 },
        { wave: 2, newGroups: 2, oldGroups: 2, total: 4, available: 2 },
      ],
      minAvailable: 2,
      halted: { wave: 2, groups: 2, reason: 'refused' },
    });
  });

  test('have the fields of the Kubernetes version, with any version of LeaderWorkerSet', () => {
    const pods = (more: Fields) =>
      leaderWorkerSet({}, { workerTemplate: { spec: { containers: [{ name: 'vllm', image: 'vllm:1' }], ...more } } });
    const at = (kubernetes: string, more: Fields) => lines([pods(more)], { versions: { kubernetes } });
    const refused = [
      'error lws/template-refused leaders spec.leaderWorkerTemplate.workerTemplate',
      'error kubernetes/invalid-workload format spec.leaderWorkerTemplate.workerTemplate.spec.hostnameOverride',
    ];
    expect(at('1.37', { hostnameOverride: 'Not A Name' })).toEqual(refused);
    expect(at('1.33', { hostnameOverride: 'Not A Name' })).toEqual([]);
  });

  test('are not validated if they do not exist: a group of one has no workers', () => {
    const set = leaderWorkerSet({}, { size: 1, leaderTemplate: workers, workerTemplate: { spec: { containers: [] } } });
    expect(lines([set])).toEqual([]);
  });

  test('mount the claims that the set creates for each, since the version that creates them', () => {
    const workerTemplate = { spec: { containers: [{ name: 'vllm', image: 'vllm:1', volumeMounts: mounts }] } };
    const volumeClaimTemplates = [{ metadata: { name: 'cache' }, spec: { accessModes: ['ReadWriteOnce'] } }];
    const set = leaderWorkerSet({}, { workerTemplate, volumeClaimTemplates });
    expect(lines([set], { versions: { lws: '0.8' } })).toEqual([]);
    expect(lines([set], { versions: { lws: '0.7' } })).toEqual([
      'warning input/unknown-field tooNew spec.leaderWorkerTemplate.volumeClaimTemplates',
      'error lws/template-refused leaders spec.leaderWorkerTemplate.workerTemplate',
      'error kubernetes/invalid-workload notDeclared spec.leaderWorkerTemplate.workerTemplate.spec.containers[0].volumeMounts[0].name',
    ]);
  });

  test('wait for a single-node volume if surge groups mount it in addition to the old ones', () => {
    const claim = (accessMode: string) => ({
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name: 'models', namespace: 'models' },
      spec: { accessModes: [accessMode] },
    });
    const volumes = [{ name: 'models', persistentVolumeClaim: { claimName: 'models' } }];
    const template = { workerTemplate: { spec: { containers: [{ name: 'vllm', image: 'vllm:1' }], volumes } } };
    const set = leaderWorkerSet(limits({ maxSurge: 1, maxUnavailable: 0 }), template);
    const path = 'spec.leaderWorkerTemplate.workerTemplate.spec.volumes[0].persistentVolumeClaim.claimName';
    expect(lines([set, claim('ReadWriteOnce')])).toEqual([`warning kubernetes/rwo-volume-surge waits ${path}`]);
    expect(lines([set, claim('ReadWriteMany')])).toEqual([]);
    // Only one pod at a time can mount it, but a group has four.
    expect(planned([leaderWorkerSet({ replicas: 1 }, template), claim('ReadWriteOncePod')]).findings).toContainEqual(
      expect.objectContaining({
        code: 'kubernetes/rwo-volume-surge',
        messageId: 'severalPods',
        path,
        data: expect.objectContaining({ replicas: 4, way: 'shared-claim' }),
      }),
    );
  });

  test('need a probe if a Service or the rollout depends on their readiness', () => {
    const leaderTemplate = { metadata: { labels: { role: 'leader' } }, ...workers };
    const workerTemplate = { spec: { containers: [{ name: 'vllm', image: 'vllm:1', ports: [{ containerPort: 8000 }] }] } };
    const service = {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'llama', namespace: 'models' },
      spec: { selector: { role: 'leader' } },
    };
    const { findings } = planned([leaderWorkerSet({}, { leaderTemplate, workerTemplate }), service]);
    expect(findings.map(({ code, path, data }) => [code, path, data])).toEqual([
      [
        'kubernetes/no-readiness-probe',
        'spec.leaderWorkerTemplate.leaderTemplate.spec.containers[0].readinessProbe',
        { container: 'vllm', service: 'llama' },
      ],
      [
        'kubernetes/no-readiness-probe',
        'spec.leaderWorkerTemplate.workerTemplate.spec.containers[0].readinessProbe',
        { container: 'vllm', port: 8000 },
      ],
    ]);
    expect(
      lines([leaderWorkerSet({ replicas: 1, ...limits({ maxSurge: 1, maxUnavailable: 0 }) }, { workerTemplate })]).filter((line) =>
        line.includes('probe'),
      ),
    ).toEqual(['warning kubernetes/no-readiness-probe none spec.leaderWorkerTemplate.workerTemplate.spec.containers[0].readinessProbe']);
    // Nothing waits for a single group that is replaced in place.
    expect(lines([leaderWorkerSet({ replicas: 1 }, { workerTemplate })]).filter((line) => line.includes('probe'))).toEqual([]);
  });
});

describe('lws/stuck', () => {
  test('before 0.9 one group with a surge and maxUnavailable 0 deadlocks', () => {
    const set = leaderWorkerSet({ replicas: 1, ...limits({ maxSurge: 1, maxUnavailable: 0 }) });
    const { findings, simulation } = planned([set], { versions: { lws: '0.8' } });
    expect(findings).toMatchObject([
      {
        code: 'lws/stuck',
        severity: 'error',
        messageId: 'noStep',
        data: { version: '0.8', replicas: 1, surge: 1, wave: 0, groups: 1 },
      },
    ]);
    expect(simulation).toMatchObject({ waves: [], halted: { wave: 0, groups: 1, reason: 'no-step' } });
    expect(lines([set], { versions: { lws: '0.9' } })).toEqual([]);
  });

  test('before 0.9 an API server that keeps maxUnavailable of a StatefulSet refuses 0', () => {
    const set = leaderWorkerSet(limits({ maxSurge: 1, maxUnavailable: 0 }));
    expect(lines([set], { versions: { lws: '0.8', kubernetes: '1.37' } })).toEqual([`error lws/stuck refused ${CONFIGURATION}`]);
    expect(lines([set], { versions: { lws: '0.9', kubernetes: '1.37' } })).toEqual([]);
  });
});

describe('lws/max-unavailable-dropped', () => {
  const set = leaderWorkerSet({ replicas: 4, ...limits({ maxUnavailable: 2 }) });

  test('groups are replaced one at a time if the API server drops the field', () => {
    expect(planned([set]).findings).toMatchObject([
      {
        code: 'lws/max-unavailable-dropped',
        severity: 'warning',
        path: CONFIGURATION,
        data: { kubernetes: '1.36', step: 2, waves: 4, wavesWithLimit: 2 },
      },
    ]);
  });

  test('a later patch release is reported if none is given: 1.35.4 drops what 1.35.0 keeps', () => {
    const planOn = (kubernetes: string, object = set) => planned([object], { versions: { kubernetes } });

    expect(planOn('1.35').simulation).toMatchObject({ waves: { length: 2 } });
    expect(planOn('1.35').findings).toMatchObject([
      {
        code: 'lws/max-unavailable-dropped',
        messageId: 'laterPatch',
        severity: 'warning',
        path: CONFIGURATION,
        data: { kubernetes: '1.35', patch: '1.35.4', step: 2, waves: 4, wavesWithLimit: 2 },
      },
    ]);
    expect(planOn('1.35.4').findings).toMatchObject([
      { messageId: 'dropped', data: { kubernetes: '1.35.4', waves: 4, wavesWithLimit: 2 } },
    ]);
    expect(planOn('1.35.0').findings).toEqual([]);
    expect(planOn('1.35', leaderWorkerSet({ replicas: 4 })).findings).toEqual([]);
  });

  test('nothing is reported if the API server keeps the field, or if groups are replaced one at a time anyway', () => {
    expect(lines([set], { versions: { kubernetes: '1.37' } })).toEqual([]);
    expect(lines([leaderWorkerSet({ replicas: 4 })])).toEqual([]);
  });
});

describe('lws/outage', () => {
  test('is reported for one group with the defaults, also with a surge', () => {
    const code = `warning lws/outage outage ${CONFIGURATION}`;
    expect(lines([leaderWorkerSet({ replicas: 1 })])).toEqual([code]);
    expect(lines([leaderWorkerSet({ replicas: 1, ...limits({ maxSurge: 1 }) })])).toEqual([code]);
  });

  test('advises no surge before 0.9, whose controller never creates the surge group of one group', () => {
    const helpIn = (lws: string) => planned([leaderWorkerSet({ replicas: 1 })], { versions: { lws } }).findings.map(({ help }) => help);
    expect(helpIn('0.8')).toEqual([
      'Run two groups. From LeaderWorkerSet 0.9 on, maxSurge: 1 and maxUnavailable: 0 keep one group available; before, they deadlock.',
    ]);
    expect(helpIn('0.9')).toEqual(['Write maxSurge: 1 and maxUnavailable: 0 if there is capacity for 4 extra pods, or run two groups.']);
  });

  test('is an info if a quota has no capacity for a second group, with which a surge would deadlock', () => {
    const quota = (gpus: number) => ({
      apiVersion: 'v1',
      kind: 'ResourceQuota',
      metadata: { name: 'gpus', namespace: 'models' },
      spec: { hard: { 'requests.nvidia.com/gpu': `${gpus}` } },
    });
    const one = leaderWorkerSet({ replicas: 1 });
    const data = { replicas: 1, surge: 0, unavailable: 1, size: 4 };
    expect(planned([one, quota(63)]).findings).toMatchObject([
      {
        code: 'lws/outage',
        messageId: 'outage',
        severity: 'info',
        path: CONFIGURATION,
        data: { ...data, obstacle: 'insufficient-capacity' },
      },
    ]);
    expect(planned([one, quota(64)]).findings).toMatchObject([{ code: 'lws/outage', severity: 'warning', data }]);
    expect(planned([leaderWorkerSet({ replicas: 1, ...limits({ maxSurge: 1, maxUnavailable: 0 }) }), quota(64)]).findings).toEqual([]);
  });

  test('is not reported if the surge group is ready first, or for two groups', () => {
    expect(lines([leaderWorkerSet({ replicas: 1, ...limits({ maxSurge: 1, maxUnavailable: 0 }) })])).toEqual([]);
    expect(lines([leaderWorkerSet()])).toEqual([]);
  });
});

describe('lws/partition-holds', () => {
  test('a partition above all groups updates none, and any partition keeps surge groups running', () => {
    expect(lines([leaderWorkerSet(limits({ partition: 2 }))])).toEqual([`info lws/partition-holds all ${CONFIGURATION}.partition`]);
    expect(planned([leaderWorkerSet(limits({ partition: 1, maxSurge: 1, maxUnavailable: 0 }))]).findings).toMatchObject([
      { code: 'lws/partition-holds', messageId: 'surge', severity: 'warning', data: { partition: 1, groups: 1, pods: 4 } },
    ]);
  });

  test('messages use singular and plural', () => {
    const messagesOf = (replicas: number, configuration: Fields, size = 4) =>
      planned([leaderWorkerSet({ replicas, ...limits(configuration) }, { size })])
        .findings.filter(({ code }) => code === 'lws/partition-holds')
        .map(({ message }) => message);
    expect(messagesOf(1, { partition: 1 })).toEqual(['partition is 1, and there is only 1 group, so no group is updated.']);
    expect(messagesOf(2, { partition: 2 })).toEqual(['partition is 2, and there are only 2 groups, so no group is updated.']);
    expect(messagesOf(3, { partition: 1, maxSurge: 1, maxUnavailable: 0 }, 1)).toEqual([
      'While partition is 1, the rollout does not finish, and 1 surge group with 1 pod keeps running.',
    ]);
    expect(messagesOf(3, { partition: 2, maxSurge: 2, maxUnavailable: 0 })).toEqual([
      'While partition is 2, the rollout does not finish, and 2 surge groups with 8 pods keep running.',
    ]);
  });

  test('a partition below all groups without a surge is not reported', () => {
    expect(lines([leaderWorkerSet(limits({ partition: 1 }))])).toEqual([]);
  });
});

describe('the other objects of a LeaderWorkerSet', () => {
  const quota = (gpus: number) => ({
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    metadata: { name: 'gpus', namespace: 'models' },
    spec: { hard: { 'requests.nvidia.com/gpu': `${gpus}` } },
  });
  const surging = leaderWorkerSet(limits({ maxSurge: 1, maxUnavailable: 0 }));

  test('a quota without capacity for a surge group deadlocks the rollout', () => {
    const { capacity, findings } = planned([surging, quota(80)]);
    expect(capacity).toMatchObject({
      verdict: 'deadlocks',
      peakPods: 12,
      podsThatFit: 8,
      deadlockWave: 1,
      shortage: { kind: 'quota', resource: 'requests.nvidia.com/gpu', needed: '96', available: '80' },
    });
    expect(findings).toMatchObject([
      {
        code: 'kubernetes/insufficient-capacity',
        messageId: 'groups',
        severity: 'error',
        data: { groups: 2, groupsThatFit: 2, deadlockWave: 1 },
      },
    ]);
    expect(planned([surging, quota(96)]).capacity).toMatchObject({ verdict: 'fits' });
    expect(planned([leaderWorkerSet(), quota(64)]).capacity).toMatchObject({ verdict: 'fits' });
  });

  test('a quota on a resource that the leaders do not request still limits the groups', () => {
    const leaderTemplate = { spec: { containers: [{ name: 'leader', image: 'leader:1' }] } };
    const leaders = leaderWorkerSet(limits({ maxSurge: 1, maxUnavailable: 0 }), { leaderTemplate });
    expect(planned([leaders, quota(71)]).capacity).toMatchObject({ verdict: 'deadlocks', podsThatFit: 8, shortage: { needed: '72' } });
    expect(planned([leaders, quota(72)]).capacity).toMatchObject({ verdict: 'fits' });
  });

  test('a quota with capacity for one of two groups that start together leaves the verdict open, because each may get some of its pods', () => {
    const set = leaderWorkerSet({ replicas: 4, ...limits({ maxSurge: 1, maxUnavailable: 1 }) });
    const { capacity, simulation } = planned([set, quota(128)], { versions: { kubernetes: '1.37' } });
    expect(capacity).toMatchObject({
      verdict: 'may-not-fit',
      because: ['which pods of new groups start first'],
      message: 'May not fit: its peak is 16 pods. This depends on which pods of new groups start first.',
    });
    // With enough capacity it is 20 pods, which the quota refuses in any case.
    expect({ ...capacity, ...simulation }).toMatchObject({ kind: 'leaderworkerset', peakPods: 16 });
  });

  test('for a quota that refuses each pod, the finding lists the resources that its containers do not set', () => {
    const named = { ...quota(0), spec: { hard: { 'limits.cpu': 100 } } };
    expect(planned([surging, named]).findings).toMatchObject([
      {
        code: 'kubernetes/insufficient-capacity',
        messageId: 'groups',
        data: { deadlockWave: 1, rejection: { kind: 'unnamed', unnamed: [{ resource: 'limits.cpu', containers: ['vllm'] }] } },
      },
    ]);
  });

  test('groups are placed on nodes pod by pod', () => {
    const capacity = (count: number) => ({ nodePools: [{ name: 'h100', count, allocatable: { 'nvidia.com/gpu': 8, pods: 20 } }] });
    expect(planned([surging], { capacity: capacity(11) }).capacity).toMatchObject({ verdict: 'deadlocks', podsThatFit: 8 });
    expect(planned([surging], { capacity: capacity(12) }).capacity).toMatchObject({ verdict: 'fits' });
  });

  test('a disruption budget counts pods, both leaders and workers', () => {
    const budget = {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: { name: 'llama', namespace: 'models' },
      spec: { minAvailable: 6, selector: { matchLabels: { 'leaderworkerset.sigs.k8s.io/name': 'llama' } } },
    };
    expect(planned([leaderWorkerSet(), budget]).findings).toMatchObject([
      { code: 'kubernetes/pdb-broken-by-rollout', data: { desiredHealthy: 6, pods: 8, lowestAvailable: 4, perGroup: 4 } },
    ]);
    expect(lines([surging, budget])).toEqual([]);
  });

  test('an autoscaler scales it between its bounds, in groups', () => {
    const autoscaler = {
      apiVersion: 'autoscaling/v2',
      kind: 'HorizontalPodAutoscaler',
      metadata: { name: 'llama', namespace: 'models' },
      spec: {
        scaleTargetRef: { apiVersion: 'leaderworkerset.x-k8s.io/v1', kind: 'LeaderWorkerSet', name: 'llama' },
        minReplicas: 2,
        maxReplicas: 6,
      },
    };
    const { autoscaled, findings } = planned([leaderWorkerSet(), autoscaler]);
    expect(autoscaled).toMatchObject({ minimum: { replicas: 2 }, maximum: { replicas: 6, peakGroups: 6 } });
    expect(findings).toMatchObject([{ code: 'kubernetes/hpa-owns-replicas', messageId: 'applied', path: 'spec.replicas' }]);
    expect(autoscaled).not.toHaveProperty('maximumCapacity');
    expect(planned([leaderWorkerSet(), autoscaler, quota(8 * 6 * 4)]).autoscaled).toMatchObject({
      maximum: { replicas: 6 },
      maximumCapacity: { verdict: 'fits', peakPods: 24 },
    });
    expect(planned([leaderWorkerSet(), autoscaler, quota(8 * 5 * 4)]).autoscaled).toMatchObject({
      maximumCapacity: { verdict: 'deadlocks', peakPods: 24, podsThatFit: 20 },
    });
  });
});

test('a LeaderWorkerSet is not listed as not planned', () => {
  expect(planManifests([leaderWorkerSet()]).notPlanned).toEqual([]);
});
