import { planChange, planManifests } from '../../../src/headless';
import type { PlanOptions } from '../../../src/headless';
import type { Fields, Manifest } from '../../../src/core/manifest/manifest';
import { expectValidPlan } from '../../plan-schema';

const template = { containers: [{ name: 'main', image: 'vllm:1', resources: { limits: { 'nvidia.com/gpu': 8 } } }] };

function chat(spec: Fields = {}, metadata: Fields = {}): Manifest {
  return {
    apiVersion: 'serving.kserve.io/v1alpha1',
    kind: 'LLMInferenceService',
    metadata: { name: 'chat', namespace: 'models', ...metadata },
    spec: { model: { uri: 'hf://Qwen/Qwen3-8B' }, replicas: 4, template, ...spec },
  };
}

function rolloutsOf(object: Manifest, options: PlanOptions = {}) {
  return expectValidPlan(planManifests([object], options)).rollouts;
}

function findingsOf(object: Manifest, kserve = '0.17'): string[] {
  return rolloutsOf(object, { versions: { kserve } }).flatMap(({ findings }) =>
    findings.map(({ code, messageId, path }) => `${code} ${messageId} ${path}`),
  );
}

const NEXT = '0.21';

describe('groups that are all unavailable for a time', () => {
  const groups = (more: Fields) => chat({ replicas: 1, worker: template, parallelism: { data: 8, dataLocal: 2 }, ...more });

  test('are reported, whether KServe has a field for the limits or not', () => {
    expect(findingsOf(groups({}), '0.20')).toEqual(['lws/outage outage spec']);
    expect(findingsOf(groups({}), NEXT)).toEqual(['lws/outage outage spec.rolloutStrategy']);
    const severities = (version: string) =>
      rolloutsOf(groups({}), { versions: { kserve: version } }).map(({ findings }) => findings[0]!.severity);
    expect([severities('0.20'), severities(NEXT)]).toEqual([['info'], ['warning']]);
    expect(findingsOf(groups({ rolloutStrategy: { maxSurge: 1, maxUnavailable: 0 } }), NEXT)).toEqual([]);
  });
});

describe('the scheduler, whose strategy no field changes', () => {
  const service = chat({ router: { scheduler: {} } });

  test.each(['0.20', NEXT])('at %s: the help is to apply during low traffic', (kserve) => {
    const [finding] = rolloutsOf(service, { versions: { kserve } })[1]!.findings;
    expect(finding).toMatchObject({ code: 'kubernetes/outage', messageId: 'recreate', severity: 'info', path: 'spec.router.scheduler' });
    expect(finding!.help).toBe(
      'Apply the change when there are few requests: KServe always recreates the scheduler of a router, and no field changes that.',
    );
  });
});

describe('a surge that needs capacity', () => {
  const service = chat({ replicas: 2 });
  const finding = (kserve: string) => rolloutsOf(service, { versions: { kserve } })[0]!.findings[0]!;

  test('cannot be changed by any field up to 0.20, so it is reported at the workload', () => {
    const { code, path, help } = finding('0.20');
    expect([code, path, help]).toEqual([
      'kubernetes/surge-needs-headroom',
      'spec',
      'Keep capacity for the new pods: KServe up to 0.20 has no field for the strategy.',
    ]);
  });

  test('is reported at the prefill if the prefill has it', () => {
    const [, prefill] = rolloutsOf(chat({ prefill: { replicas: 2, template } }), { versions: { kserve: '0.20' } });
    expect(prefill!.findings.map(({ code, path }) => [code, path])).toEqual([['kubernetes/surge-needs-headroom', 'spec.prefill']]);
  });

  test('can be avoided after 0.20, with fields that KServe supports', () => {
    const { code, path, help } = finding(NEXT);
    expect([code, path, help]).toEqual([
      'kubernetes/surge-needs-headroom',
      'spec.rolloutStrategy.maxUnavailable',
      'Keep capacity for 1 more pod, or write maxSurge: 0 and maxUnavailable: 1 to replace pods in place.',
    ]);
    expect(findingsOf(chat({ replicas: 2, rolloutStrategy: { maxSurge: 0, maxUnavailable: 1 } }), NEXT)).toEqual([]);
  });
});

describe('up to KServe 0.20', () => {
  test.each(['0.18', '0.19', '0.20'])('%s a Deployment rolls with the Kubernetes defaults, whatever the platform sets', (kserve) => {
    const [rollout] = rolloutsOf(chat(), {
      versions: { kserve },
      kserveConfig: { deploy: '{"deploymentRolloutStrategy":{"mode":"Availability"}}' },
    });
    expect(rollout).toMatchObject({
      system: 'kserve',
      resource: { kind: 'LLMInferenceService', name: 'chat', component: 'workload' },
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%', maxUnavailable: '25%' } },
      simulation: { kind: 'deployment', replicas: 4, surge: 1, unavailable: 1 },
      creates: [{ kind: 'Deployment', name: 'chat-kserve', namespace: 'models', replicas: 4 }],
    });
    expect(rollout!.provenance.map(({ field, layer }) => [field, layer])).toEqual([
      ['type', 'kubernetes-default'],
      ['maxSurge', 'kubernetes-default'],
      ['maxUnavailable', 'kubernetes-default'],
    ]);
  });

  test('with workers it is a LeaderWorkerSet with its defaults: one group at a time', () => {
    const [rollout] = rolloutsOf(chat({ replicas: 2, worker: template, parallelism: { data: 8, dataLocal: 2 } }));
    expect(rollout).toMatchObject({
      strategy: { rollingUpdateConfiguration: { maxSurge: 0, maxUnavailable: 1 } },
      simulation: { kind: 'leaderworkerset', replicas: 2, size: 4, minAvailable: 1, peakGroups: 2 },
      groups: { size: 4, pods: 8, surgeGroups: 0, accelerators: [{ resource: 'nvidia.com/gpu', count: 64, surge: 0 }] },
      creates: [{ kind: 'LeaderWorkerSet', name: 'chat-kserve-mn' }],
    });
  });

  test('prefill and decode are two rollouts, and the scheduler is always recreated', () => {
    const rollouts = rolloutsOf(chat({ prefill: { replicas: 2, template }, router: { scheduler: {} } }));
    expect(rollouts.map(({ resource, strategy, creates }) => [resource.component, (strategy as Fields).type, creates![0]!.name])).toEqual([
      ['decode', 'RollingUpdate', 'chat-kserve'],
      ['prefill', 'RollingUpdate', 'chat-kserve-prefill'],
      ['scheduler', 'Recreate', 'chat-kserve-router-scheduler'],
    ]);
    expect(rollouts[2]!.provenance).toMatchObject([{ field: 'type', layer: 'kserve-default' }]);
    expect(rolloutsOf(chat({ router: { scheduler: { pool: { ref: { name: 'mine' } } } } }))).toHaveLength(1);
  });

  test('a strategy is not read', () => {
    const service = chat({ rolloutStrategy: { maxSurge: 0, maxUnavailable: 1 } });
    expect(findingsOf(service, '0.20')).toContain('kserve/llm-no-strategy dropped spec.rolloutStrategy');
    expect(rolloutsOf(service, { versions: { kserve: '0.20' } })[0]!.strategy).toMatchObject({ rollingUpdate: { maxSurge: '25%' } });
    expect(findingsOf(service, NEXT)).not.toContain('kserve/llm-no-strategy dropped spec.rolloutStrategy');
  });
});

describe('after 0.20', () => {
  const strategyOf = (rolloutStrategy: Fields, more: Fields = {}) =>
    rolloutsOf(chat({ rolloutStrategy, ...more }), { versions: { kserve: NEXT } })[0]!.strategy;

  test('a missing limit is 25% for a Deployment, and 1 or 0 for a LeaderWorkerSet', () => {
    expect(strategyOf({ maxSurge: 1 })).toEqual({ type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: '25%' } });
    expect(strategyOf({ maxSurge: 1 }, { worker: template })).toMatchObject({
      rollingUpdateConfiguration: { maxSurge: 1, maxUnavailable: 1 },
    });
    expect(strategyOf({ maxUnavailable: 2 }, { worker: template })).toMatchObject({
      rollingUpdateConfiguration: { maxSurge: 0, maxUnavailable: 2 },
    });
  });

  test.each<[string, Fields, string[]]>([
    [
      'a percentage that rounds to 0 at one replica',
      { rolloutStrategy: { maxSurge: 0, maxUnavailable: '50%' } },
      ['kserve/llm-limits-at-one-replica bothZero spec.rolloutStrategy.maxUnavailable'],
    ],
    [
      'the same with workers',
      { worker: template, rolloutStrategy: { maxUnavailable: '50%' } },
      ['kserve/llm-limits-at-one-replica surgeRequired spec.rolloutStrategy.maxUnavailable'],
    ],
    [
      'a percentage above 100%',
      { rolloutStrategy: { maxSurge: '101%' } },
      ['kubernetes/invalid-strategy aboveHundredPercent spec.rolloutStrategy.maxSurge'],
    ],
    [
      'a quoted number',
      { prefill: { template, rolloutStrategy: { maxSurge: '1' } } },
      ['kubernetes/quoted-integer numberOrPercent spec.prefill.rolloutStrategy.maxSurge'],
    ],
  ])('the webhook refuses %s', (_what, spec, lines) => {
    expect(findingsOf(chat(spec), NEXT)).toEqual(lines);
    expect(rolloutsOf(chat(spec), { versions: { kserve: NEXT } })[0]).toMatchObject({ strategy: null, simulation: null });
  });

  test('the webhook accepts a percentage without workers if the other limit is omitted', () => {
    expect(strategyOf({ maxUnavailable: '50%' })).toMatchObject({ rollingUpdate: { maxSurge: '25%', maxUnavailable: '50%' } });
  });
});

test('a stopped service rolls nothing out', () => {
  expect(findingsOf(chat({}, { annotations: { 'serving.kserve.io/stop': 'true' } }))).toEqual([
    'kserve/llm-stopped stopped metadata.annotations[serving.kserve.io/stop]',
  ]);
  expect(findingsOf(chat({}, { annotations: { 'serving.kserve.io/stop': 'false' } }))).not.toContain('kserve/llm-stopped');
});

test.each<[string, Fields, string]>([
  ['an image', { template: { containers: [{ name: 'main', image: 'vllm:2' }] } }, 'roll'],
  ['a model', { model: { uri: 'hf://Qwen/Qwen3-32B' } }, 'roll'],
  ['replicas', { replicas: 6 }, 'scale'],
  ['a strategy', { rolloutStrategy: { maxSurge: 1 } }, 'settings'],
  ['a strategy that is refused', { rolloutStrategy: { maxSurge: 0, maxUnavailable: 0 } }, 'refused'],
])('a change of %s: %#', (_what, spec, effect) => {
  const { change } = expectValidPlan(planChange([chat()], [chat(spec)], { versions: { kserve: NEXT } }));
  expect(change.objects.map((object) => object.effect)).toEqual([effect]);
});

describe('the pods that a user writes', () => {
  const pods = (pod: Fields, more: Fields = {}): Manifest => chat({ replicas: 2, template: pod, ...more });
  const severityLines = (object: Manifest) =>
    planManifests([object]).rollouts.flatMap(({ findings }) =>
      findings.map(({ severity, code, messageId, path }) => `${severity} ${code} ${messageId} ${path}`),
    );

  test('are validated like the Deployment created from them; if it is refused, nothing is created or replaced', () => {
    const refused = pods({ containers: [{ name: 'main', env: [{ name: 'A=B', value: '1' }] }] });
    expect(severityLines(refused).filter((line) => line.startsWith('error'))).toEqual([
      'error kserve/llm-template-refused deployment spec.template',
      'error kubernetes/invalid-workload format spec.template.containers[0].env[0].name',
    ]);
    expect(planManifests([refused]).rollouts[0]).toMatchObject({
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%', maxUnavailable: '25%' } },
      simulation: null,
    });
    expect(planChange([pods({ containers: [{ name: 'main' }] })], [refused]).change.objects[0]).toMatchObject({ effect: 'held' });
  });

  test('may leave fields to a preset: images, volumes, probe handlers, the container itself', () => {
    const withMounts = [{ name: 'main', volumeMounts: [{ name: 'home', mountPath: '/home' }] }];
    expect(severityLines(pods({ containers: withMounts })).filter((line) => line.startsWith('error'))).toEqual([]);
    const withProbes = [{ name: 'main', livenessProbe: { periodSeconds: 30 }, readinessProbe: { httpGet: { scheme: 'HTTPS' } } }];
    expect(severityLines(pods({ containers: withProbes })).filter((line) => line.startsWith('error'))).toEqual([]);
    expect(severityLines(pods({ nodeSelector: { pool: 'gpu' } })).filter((line) => line.startsWith('error'))).toEqual([]);
  });

  test('of workers halt the rollout at the groups that may be replaced at once', () => {
    const worker = { containers: [{ name: 'main', env: [{ name: 'A=B', value: '1' }] }] };
    const { rollouts } = planManifests([pods({ containers: [{ name: 'main' }] }, { worker, parallelism: { pipeline: 2 } })]);
    expect(rollouts[0]).toMatchObject({
      simulation: { kind: 'leaderworkerset', waves: [{ newGroups: 1, oldGroups: 1 }], halted: { wave: 1, groups: 1, reason: 'refused' } },
      findings: [
        { code: 'lws/template-refused', messageId: 'workers', path: 'spec.worker' },
        { code: 'kubernetes/invalid-workload', path: 'spec.worker.containers[0].env[0].name' },
      ],
    });
  });

  test('of the wrong type are refused with the service', () => {
    expect(severityLines(pods({ containers: 'main' }))).toEqual(['error input/wrong-type field spec.template.containers']);
  });
});

describe('labels and annotations of a service that KServe copies to its pods', () => {
  const effects = (old: Manifest, next: Manifest, kserve = '0.17') => {
    const { change } = expectValidPlan(planChange([old], [next], { versions: { kserve } }));
    return [change.objects[0]!.effect, change.summary.podsReplaced];
  };
  const networks = { annotations: { 'k8s.v1.cni.cncf.io/networks': 'roce' } };
  const scraped = { annotations: { 'prometheus.io/scrape': 'true' } };
  test('replace the pods if they are new or differ, by version', () => {
    expect(effects(chat(), chat({}, networks))).toEqual(['roll', 4]);
    expect(effects(chat(), chat({}, { labels: { 'kueue.x-k8s.io/queue-name': 'a' } }))).toEqual(['roll', 4]);
    expect(effects(chat(), chat({}, scraped))).toEqual(['roll', 4]);
    expect(effects(chat(), chat({}, scraped), '0.16')).toEqual(['metadata', 0]);
    expect(effects(chat(), chat({}, { annotations: { team: 'a' }, labels: { team: 'a' } }))).toEqual(['metadata', 0]);
  });

  test('stay on the pods if they are removed', () => {
    expect(effects(chat({}, networks), chat())).toEqual(['metadata', 0]);
  });

  test('are on the pods of a prefill too, as those of spec', () => {
    const disaggregated = (spec: Fields = {}, metadata: Fields = {}) => chat({ prefill: { replicas: 2, template }, ...spec }, metadata);
    expect(effects(disaggregated(), disaggregated({}, networks))).toEqual(['roll', 6]);
    expect(effects(disaggregated(), disaggregated({ annotations: { team: 'a' } }))).toEqual(['roll', 6]);
  });
});
